//! How a service may spell a text that it repeats: as it is, or as documents, addresses and headers encode it. Pure.

use std::fmt::Write as _;

use serde_json::Value as Json;

/// Shorter spellings that are made up here would hit by chance.
const SHORTEST: usize = 4;
/// Shorter lines of a text, and shorter pieces of Base64, are too common to be hidden.
const SHORTEST_PIECE: usize = 8;
/// Longer texts are looked for as they are, and in JSON alone.
const LONGEST: usize = 16 * 1024;

/// The spellings of `text`, itself first, each once:
///
/// | spelling | where |
/// |---|---|
/// | itself, without white space around it, its lines | plain words |
/// | escaped once and twice, with `\u` for what is not ASCII, and for `<`, `>` and `&` | JSON in texts |
/// | with `%` and two digits, spaces as `%20` or `+` | addresses and forms |
/// | in Base64 of both alphabets, at any place of what is encoded | headers, user data |
pub(crate) fn spellings(text: &str) -> Vec<String> {
    let mut found = vec![text.to_owned()];
    let is_short = text.len() <= LONGEST;
    let mut plain = vec![text];
    if is_short {
        plain.push(text.trim());
        plain.extend(text.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_PIECE && *line != text));
    }
    for plain in plain {
        let once = escaped(plain);
        let mut made = vec![plain.to_owned(), escaped(&once), ascii(&once), without_markup(&once), once];
        if is_short {
            made.extend([percent(plain, "%20"), percent(plain, "+")]);
            for piece in base64(plain.as_bytes()) {
                made.push(piece.replace('+', "-").replace('/', "_"));
                made.push(piece);
            }
        }
        for spelling in made {
            if spelling.len() >= SHORTEST && !found.contains(&spelling) {
                found.push(spelling);
            }
        }
    }
    found
}

/// As it stands in JSON, without the quotes around it.
fn escaped(text: &str) -> String {
    let quoted = Json::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

/// JSON text as writers spell it that keep to ASCII.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

/// JSON text as writers spell it that think of HTML.
fn without_markup(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn percent(text: &str, space: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push_str(space),
            b'-' | b'_' | b'.' | b'~' => encoded.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => encoded.push(byte.into()),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// What Base64 makes of the bytes wherever they begin: the characters that depend on nothing else.
fn base64(bytes: &[u8]) -> Vec<String> {
    let piece = |before: usize| {
        let mut whole = vec![0; before];
        whole.extend(bytes);
        let encoded = aws_smithy_types::base64::encode(&whole);
        // Six bits a character: those that hold a bit of what is before or behind are left out.
        let (first, last) = ((before * 8).div_ceil(6), whole.len() * 8 / 6);
        encoded.get(first..last).unwrap_or_default().to_owned()
    };
    (0..3).map(piece).filter(|piece| piece.len() >= SHORTEST_PIECE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_every_spelling() {
        let text = "pä ss/<w>\"ö\n";
        let found = spellings(text);
        assert_eq!(found[0], text);
        for said in [
            "pä ss/<w>\"ö".to_owned(),
            r#"pä ss/<w>\"ö\n"#.to_owned(),
            r#"pä ss/<w>\\\"ö\\n"#.to_owned(),
            r#"p\u00e4 ss/<w>\"\u00f6\n"#.to_owned(),
            r#"pä ss/\u003cw\u003e\"ö\n"#.to_owned(),
            "p%C3%A4%20ss%2F%3Cw%3E%22%C3%B6%0A".to_owned(),
            "p%C3%A4+ss%2F%3Cw%3E%22%C3%B6%0A".to_owned(),
        ] {
            assert!(found.contains(&said), "{said} in {found:?}");
        }
        for (before, behind) in [("", ""), ("u:", ""), ("us:", "x"), ("user:", "more")] {
            let encoded = aws_smithy_types::base64::encode(format!("{before}{text}{behind}"));
            for said in [encoded.replace('+', "-").replace('/', "_"), encoded] {
                assert!(found.iter().any(|spelling| said.contains(spelling.as_str())), "{said} in {found:?}");
            }
        }
    }

    #[test]
    fn lines_are_spellings_but_for_short_ones() {
        let found = spellings("-----BEGIN KEY-----\n  canary line one\r\nend\n");
        assert!(found.iter().any(|text| text == "canary line one") && found.iter().all(|text| text != "end"));
        assert_eq!(spellings("hunter22").iter().filter(|text| *text == "hunter22").count(), 1);
    }

    #[test]
    fn short_texts_have_no_spelling_that_hits_by_chance() {
        for text in ["", "a", "\"", "é", "on", "abc"] {
            let found = spellings(text);
            assert!(found[1..].iter().all(|spelling| spelling.len() >= SHORTEST), "{found:?}");
        }
    }
}
