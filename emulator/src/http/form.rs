//! URL-encoded texts.

use crate::hex;

/// The value of a key, decoded; the first when there are several.
pub(crate) fn get(form: &str, key: &str) -> Option<String> {
    pairs(form).find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Every key with its value, decoded, in order.
pub(crate) fn pairs(form: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = form.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decode(name), decode(value)))
}

/// The values of a list, `KEY.1`, `KEY.2` and so on, in the order of their numbers; those of one element may have
/// further names below them, which are left to the caller.
pub(crate) fn list(form: &str, key: &str) -> Vec<String> {
    let numbered = pairs(form).filter_map(|(name, value)| {
        let number = name.strip_prefix(key)?.strip_prefix('.')?.parse::<u32>().ok()?;
        Some((number, value))
    });
    let mut values: Vec<(u32, String)> = numbered.collect();
    values.sort();
    values.into_iter().map(|(_, value)| value).collect()
}

/// A text of a form: `+` is a space.
fn decode(text: &str) -> String {
    decode_percent(&text.replace('+', " "))
}

/// A text of a path, where `+` is itself.
pub(crate) fn decode_percent(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let code = after.split_at_checked(2).and_then(|(digits, after)| Some((hex::byte(digits)?, after)));
        match (byte, code) {
            (b'%', Some((code, after))) => {
                bytes.push(code);
                rest = after;
            }
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text as signatures write it: everything but letters, digits and `-._~`, and `keep`, as `%XX`.
pub(crate) fn encode(text: &str, keep: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || keep.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    encoded
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
            ("a=%+1", "a", Some("% 1")),
            ("a", "a", Some("")),
            ("a=1", "b", None),
        ] {
            assert_eq!(get(form, key).as_deref(), expected, "{form}");
        }
    }

    #[test]
    fn lists_are_in_the_order_of_their_numbers() {
        let form = "Name.10=c&Name.2=b&Name.1=a&Name.1.Value=x&Names.1=y&Name=z";
        assert_eq!(list(form, "Name"), ["a", "b", "c"]);
    }

    #[test]
    fn paths_are_decoded_and_encoded() {
        assert_eq!(decode_percent("/a+b%20c%2Fd"), "/a+b c/d");
        assert_eq!(encode("/a b/é~", b"/"), "/a%20b/%C3%A9~");
    }
}
