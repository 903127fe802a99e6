//! Request tokens: UUIDs, kept as their sixteen bytes.

use crate::entropy::Entropy;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The token of a request, written as a UUID in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(u128);

impl Token {
    /// The token that no other comes before.
    pub(crate) const FIRST: Token = Token(0);

    /// A token of version 4.
    pub(crate) fn drawn(entropy: &mut Entropy) -> Token {
        let digits = entropy.uuid();
        let digits = digits.chars().filter_map(|character| character.to_digit(16));
        Token(digits.fold(0, |value, digit| value << 4 | u128::from(digit)))
    }

    /// Reads a UUID in lower case; nothing else names a request.
    pub fn parse(text: &str) -> Option<Token> {
        let mut value = 0u128;
        for (index, byte) in text.bytes().enumerate() {
            match (index, byte) {
                (8 | 13 | 18 | 23, b'-') => {}
                (8 | 13 | 18 | 23, _) => return None,
                (_, b'0'..=b'9') => value = value << 4 | u128::from(byte - b'0'),
                (_, b'a'..=b'f') => value = value << 4 | u128::from(byte - b'a' + 10),
                _ => return None,
            }
        }
        (text.len() == 36).then_some(Token(value))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |shift: u32, digits: u32| self.0 >> shift & ((1u128 << (4 * digits)) - 1);
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            part(96, 8),
            part(80, 4),
            part(64, 4),
            part(48, 4),
            part(0, 12)
        )
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Token, D::Error> {
        let text = String::deserialize(deserializer)?;
        Token::parse(&text).ok_or_else(|| D::Error::custom("not a request token"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_uuids_in_lower_case() {
        let text = "0f3b2c1d-4e5f-4a6b-a7c8-d9e0f1a2b3c4";
        assert_eq!(Token::parse(text).map(|token| token.to_string()).as_deref(), Some(text));
        for wrong in ["", "token", "0F3B2C1D-4E5F-4A6B-A7C8-D9E0F1A2B3C4", &text[..35], &text.replace('-', "0"), "é"] {
            assert_eq!(Token::parse(wrong), None, "{wrong}");
        }
    }
}
