//! Texts of the service that repeat what the user wants to keep secret.
//!
//! A service may quote a refused value in its message, and the engine stores what we say. Whatever stands in a text and is
//! a secret of the same request is replaced before the text leaves.

use std::collections::BTreeSet;

use value::{Map, Value};

/// Shorter secrets are left alone: replacing `on` or `42` everywhere would make texts unreadable and say where it stood.
const SHORTEST: usize = 4;

/// What stands where a secret stood.
const MARK: &str = "[secret]";

/// The texts that are secret in some values, longest first.
#[derive(Default)]
pub struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} secrets", self.0.len())
    }
}

impl Secrets {
    /// Collects the texts and numbers below every mark of secrecy.
    ///
    /// The checkpoint is secret as a whole but for its wrapper, so only marks inside it count.
    #[must_use]
    pub fn of<'a>(maps: impl IntoIterator<Item = &'a Map>) -> Self {
        let mut found = BTreeSet::new();
        for map in maps {
            for (name, value) in map {
                let value = if name == crate::checkpoint::INPUTS { value.unsecret() } else { value };
                collect(value, false, &mut found);
            }
        }
        let mut texts: Vec<String> = found.into_iter().collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// `text` without the secrets, as they are and as they stand in JSON.
    #[must_use]
    pub fn hide(&self, mut text: String) -> String {
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), MARK);
            }
            let quoted = serde_json::Value::String(secret.clone()).to_string();
            let escaped = quoted.trim_matches('"');
            if escaped != secret && text.contains(escaped) {
                text = text.replace(escaped, MARK);
            }
        }
        text
    }
}

fn collect(value: &Value, secret: bool, found: &mut BTreeSet<String>) {
    match value {
        Value::Secret(inner) => collect(inner, true, found),
        Value::Array(items) => items.iter().for_each(|item| collect(item, secret, found)),
        Value::Object(members) => members.values().for_each(|member| collect(member, secret, found)),
        Value::String(text) if secret && text.len() >= SHORTEST => {
            found.insert(text.clone());
        }
        Value::Number(number) if secret && number.to_string().len() >= SHORTEST => {
            found.insert(number.to_string());
        }
        Value::Output(output) => {
            if let Some(inner) = &output.value {
                collect(inner, secret || output.secret, found);
            }
        }
        Value::Null
        | Value::Bool(_)
        | Value::String(_)
        | Value::Number(_)
        | Value::Asset(_)
        | Value::Archive(_)
        | Value::Unknown(_)
        | Value::Reference(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use value::{Map, Value};

    use super::Secrets;

    fn map(members: &[(&str, Value)]) -> Map {
        members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn secret(text: &str) -> Value {
        Value::secret(Value::from(text))
    }

    #[test]
    fn secrets_are_replaced_wherever_they_stand() {
        let nested = Value::Object(map(&[("a", Value::Array(vec![secret("inner-canary")]))]));
        let inputs = map(&[("password", secret("hunter22")), ("nested", nested), ("name", Value::from("visible"))]);
        let secrets = Secrets::of([&inputs]);
        for (text, expected) in [
            ("nothing here", "nothing here"),
            ("value hunter22 is too weak", "value [secret] is too weak"),
            ("hunter22 and inner-canary", "[secret] and [secret]"),
            ("visible stays", "visible stays"),
        ] {
            assert_eq!(secrets.hide(text.to_owned()), expected);
        }
    }

    #[test]
    fn a_secret_inside_another_does_not_leave_a_rest() {
        let inputs = map(&[("a", secret("abcd")), ("b", secret("abcdefgh"))]);
        assert_eq!(Secrets::of([&inputs]).hide("abcdefgh abcd".to_owned()), "[secret] [secret]");
    }

    #[test]
    fn json_escapes_are_seen_through() {
        let inputs = map(&[("a", secret("line one\nline two"))]);
        assert_eq!(Secrets::of([&inputs]).hide(r#"{"A":"line one\nline two"}"#.to_owned()), r#"{"A":"[secret]"}"#);
    }

    #[test]
    fn the_wrapper_of_the_checkpoint_is_no_mark() {
        let inner = Value::Object(map(&[("name", Value::from("visible")), ("key", secret("canary"))]));
        let state = map(&[(crate::checkpoint::INPUTS, Value::secret(inner))]);
        assert_eq!(Secrets::of([&state]).hide("visible canary".to_owned()), "visible [secret]");
    }

    #[test]
    fn short_secrets_would_make_texts_unreadable() {
        assert_eq!(Secrets::of([&map(&[("a", secret("on"))])]).hide("on and on".to_owned()), "on and on");
    }
}
