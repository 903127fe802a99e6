//! Texts with wildcards.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text in which `*` stands for any characters, none included, and `?` for one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Glob(String);

impl Glob {
    /// A text with wildcards.
    pub fn new(text: impl Into<String>) -> Glob {
        Glob(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a whole text is meant. Takes time in proportion to the product of the lengths.
    pub fn matches(&self, text: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let text: Vec<char> = text.chars().collect();
        let (mut at, mut seen) = (0, 0);
        // Where the last star stood, and how much of the text it has taken so far.
        let mut star: Option<(usize, usize)> = None;
        while seen < text.len() {
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at, seen));
                    at += 1;
                }
                Some(wanted) if *wanted == '?' || text.get(seen) == Some(wanted) => {
                    at += 1;
                    seen += 1;
                }
                Some(_) | None => {
                    let Some((place, taken)) = star else { return false };
                    star = Some((place, taken + 1));
                    at = place + 1;
                    seen = taken + 1;
                }
            }
        }
        pattern.iter().skip(at).all(|character| *character == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_stand_for_characters() {
        for (glob, text, expected) in [
            ("*", "", true),
            ("*", "anything", true),
            ("", "", true),
            ("", "a", false),
            ("AWS::SQS::*", "AWS::SQS::Queue", true),
            ("AWS::SQS::*", "AWS::SNS::Topic", false),
            ("orders-?", "orders-1", true),
            ("orders-?", "orders-", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "ab ab", true),
            ("*a*b", "ab a", false),
            ("é?", "éü", true),
        ] {
            assert_eq!(Glob::new(glob).matches(text), expected, "{glob} {text}");
        }
        assert!(!Glob::new("*a".repeat(50)).matches(&"a".repeat(2_000).replace("aa", "ab")), "no blow-up");
    }
}
