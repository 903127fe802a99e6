//! Who may not do what: a list instead of policies, for tests of what becomes of a refusal.

use std::fmt;

/// An action that nobody, or nobody of a kind, may take. `*` stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// `cloudformation:CreateResource` for a call, `sqs:CreateQueue` for what a handler needs to be allowed.
    pub action: String,
    /// The ARN of the caller, or of the role that a handler acts with. Default `*`.
    pub principal: String,
}

impl Denial {
    /// Reads `ACTION[@PRINCIPAL]`, several of them separated by commas.
    pub(super) fn parse_list(text: &str) -> Result<Vec<Denial>, String> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let denial = |entry: &str| {
            let (action, principal) = entry.split_once('@').unwrap_or((entry, "*"));
            // `*` alone is an action too.
            let is_action = action == "*" || action.split_once(':').is_some_and(|(service, _)| !service.is_empty());
            if is_action && !principal.is_empty() {
                Ok(Denial { action: action.to_owned(), principal: principal.to_owned() })
            } else {
                Err(format!("SERVICE:ACTION[@PRINCIPAL] is wanted, not {entry:?}"))
            }
        };
        entries.map(denial).collect()
    }

    /// Whether a principal is kept from an action.
    pub(crate) fn is_about(&self, action: &str, principal: &str) -> bool {
        matches(&self.action, action) && matches(&self.principal, principal)
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.principal.as_str() {
            "*" => f.write_str(&self.action),
            principal => write!(f, "{}@{principal}", self.action),
        }
    }
}

/// Whether a text is one that a pattern stands for: the pieces between the stars are in it, in order.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = text.find(piece) else { return false };
        text = text.get(at + piece.len()..).unwrap_or_default();
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("sqs:CreateQueue", "sqs:CreateQueue", true),
            ("sqs:CreateQueue", "sqs:CreateQueues", false),
            ("sqs:*", "sqs:CreateQueue", true),
            ("*", "", true),
            ("*:Create*", "sqs:CreateQueue", true),
            ("arn:*:role/reader", "arn:aws:iam::1:role/reader", true),
            ("arn:*:role/reader", "arn:aws:iam::1:role/readers", false),
            ("a*a", "a", false),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acbd", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn lists_are_read_and_shown() {
        let text = "cloudformation:CreateResource@arn:aws:iam::*:user/*,sqs:*";
        let read = Denial::parse_list(text).unwrap();
        assert_eq!(read.iter().map(Denial::to_string).collect::<Vec<_>>().join(","), text);
        assert!(read[0].is_about("cloudformation:CreateResource", "arn:aws:iam::1:user/x"));
        assert!(!read[0].is_about("cloudformation:CreateResource", "arn:aws:iam::1:role/x"));
        assert!(Denial::parse_list("").unwrap().is_empty());
        for wrong in ["CreateQueue", ":x", "sqs:x@"] {
            assert!(Denial::parse_list(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
