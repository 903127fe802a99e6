//! URL-encoded texts.

/// The value of a key, decoded; the first when there are several.
pub(crate) fn get(form: &str, key: &str) -> Option<String> {
    let pairs = form.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.into_iter().find(|(name, _)| decode(name) == key).map(|(_, value)| decode(value))
}

/// A step of a path, decoded; `+` is itself.
pub(crate) fn decode_step(text: &str) -> String {
    decode(&text.replace('+', "%2B"))
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => match after.split_at_checked(2).and_then(|(digits, after)| Some((hex(digits)?, after))) {
                Some((code, after)) => {
                    bytes.push(code);
                    rest = after;
                }
                None => bytes.push(b'%'),
            },
            other => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded() {
        for (form, key, expected) in [
            ("Action=GetCallerIdentity&Version=2011-06-15", "Action", Some("GetCallerIdentity")),
            ("type=AWS%3A%3AS3%3A%3ABucket&identifier=a+b%7Cc", "identifier", Some("a b|c")),
            ("a=%zz%", "a", Some("%zz%")),
            ("a", "a", Some("")),
            ("a=1", "b", None),
        ] {
            assert_eq!(get(form, key).as_deref(), expected, "{form}");
        }
    }
}
