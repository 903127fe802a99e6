//! Texts of the service that repeat what the user wants to keep secret.
//!
//! A service may quote a refused value in its message, and the engine stores what we say. Whatever stands in a text and is
//! a secret of the same request is replaced before the text leaves.
//!
//! One machine finds secrets in texts: [`echoes`] looks for all of them at once, in all their [`spellings`]. Two sets of
//! rules say what it looks for, since the one writes for people and the other for replay:
//!
//! | | messages ([`Secrets`]) | the log of RPCs (`rpc::record::hide`) |
//! |---|---|---|
//! | whose secrets | of one request, as values | of all messages so far, in their JSON form |
//! | become | `[secret]`: more would only distract | `[secret N]`, so that equal values stay equal |
//! | too short to be looked for everywhere | hidden between quotes, as services quote values | hidden as whole texts: the log has values, no sentences |
//! | flags | hidden in documents, which are only read | stay, so that the values keep their kind |
//! | in secret JSON text | long texts: others are words of its grammar, which messages have too | every leaf |

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;
use value::{Map, Value};

use crate::nesting::depth;
use echoes::{Echoes, SHORTEST};

pub(crate) mod echoes;
mod spellings;

/// Shorter texts in secret JSON text are words of its grammar.
const SHORTEST_LEAF: usize = 8;
/// Secret JSON text is looked into this deep.
const JSON_DEPTH: usize = 64;
/// What texts are quoted with.
const QUOTES: [&str; 4] = ["\"", "'", "`", "\\\""];

/// What stands where a secret stood.
const MARK: &str = "[secret]";

/// What is secret in some values.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Texts and numbers that are hidden wherever they stand; none where nothing is secret.
    echoes: Option<Arc<Echoes>>,
    /// Every scalar, as JSON writes it but for quotes, for places that hold nothing else.
    scalars: BTreeSet<String>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} secrets", self.scalars.len())
    }
}

impl Secrets {
    /// Nothing to hide.
    pub const NONE: Self = Self { echoes: None, scalars: BTreeSet::new() };

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
        if found.is_empty() {
            return Self::NONE;
        }
        let mut echoes = Echoes::default();
        for text in &found {
            if !matches!(text.as_str(), "true" | "false") {
                echoes.learn(text, MARK);
            }
            leaves(text).iter().for_each(|leaf| echoes.learn(leaf, MARK));
        }
        Self { echoes: Some(Arc::new(echoes)), scalars: found }
    }

    /// `document` without the secrets: scalars that are secret anywhere, however short, and texts with secrets in them.
    #[must_use]
    pub fn hide_json(&self, document: &Json) -> Json {
        let is_secret = |scalar: &Json| match scalar {
            Json::String(text) => self.scalars.contains(text),
            Json::Number(_) | Json::Bool(_) => self.scalars.contains(&scalar.to_string()),
            Json::Null | Json::Array(_) | Json::Object(_) => false,
        };
        match document {
            Json::Array(items) => items.iter().map(|item| self.hide_json(item)).collect(),
            Json::Object(members) => {
                let member = |(name, member): (&String, &Json)| (self.hide(name.clone()), self.hide_json(member));
                Json::Object(members.iter().map(member).collect())
            }
            scalar if is_secret(scalar) => MARK.into(),
            Json::String(text) => self.hide(text.clone()).into(),
            other => other.clone(),
        }
    }

    /// `text` without the secrets, in whatever spelling. Short ones go where they stand between quotes.
    #[must_use]
    pub fn hide(&self, mut text: String) -> String {
        if let Some(replaced) = self.echoes.as_ref().and_then(|echoes| echoes.replaced(&text, SHORTEST)) {
            text = replaced;
        }
        for secret in self.scalars.iter().filter(|secret| secret.len() < SHORTEST) {
            for quote in QUOTES {
                let quoted = format!("{quote}{secret}{quote}");
                if text.contains(&quoted) {
                    text = text.replace(&quoted, &format!("{quote}{MARK}{quote}"));
                }
            }
        }
        text
    }
}

/// The document in a text that is JSON itself.
pub(crate) fn document(text: &str) -> Option<Json> {
    let may_be = text.starts_with(['{', '[']) && depth(text.as_bytes()) <= JSON_DEPTH;
    may_be.then(|| serde_json::from_str(text).ok()).flatten()
}

/// The texts in a text that is JSON itself.
fn leaves(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = Vec::from_iter(document(text));
    while let Some(json) = left.pop() {
        match json {
            Json::String(text) if text.len() >= SHORTEST_LEAF => found.push(text),
            Json::Array(items) => left.extend(items),
            Json::Object(members) => left.extend(members.into_iter().map(|(_, member)| member)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
    found
}

fn collect(value: &Value, secret: bool, found: &mut BTreeSet<String>) {
    match value {
        Value::Secret(inner) => collect(inner, true, found),
        Value::Array(items) => items.iter().for_each(|item| collect(item, secret, found)),
        Value::Object(members) => members.values().for_each(|member| collect(member, secret, found)),
        Value::String(text) if secret && !text.is_empty() => {
            found.insert(text.clone());
        }
        Value::Number(number) if secret => {
            found.insert(number.to_string());
        }
        Value::Bool(truth) if secret => {
            found.insert(truth.to_string());
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
    use serde_json::json;
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
    fn secrets_that_overlap_leave_no_rest() {
        let inputs = map(&[("user", secret("user")), ("password", secret("er-long-password"))]);
        for (text, expected) in [
            ("user-long-password", "[secret]"),
            ("by user-long-password of user", "by [secret] of [secret]"),
            ("user er-long-password", "[secret] [secret]"),
        ] {
            assert_eq!(Secrets::of([&inputs]).hide(text.to_owned()), expected);
        }
    }

    #[test]
    fn json_escapes_are_seen_through() {
        let inputs = map(&[("a", secret("line one\nline two"))]);
        assert_eq!(Secrets::of([&inputs]).hide(r#"{"A":"line one\nline two"}"#.to_owned()), r#"{"A":"[secret]"}"#);
    }

    #[test]
    fn encodings_are_seen_through() {
        let document = r#"{"user":"u","password":"inner-canary"}"#;
        let inputs =
            map(&[("a", secret("p w/ü=1\n")), ("b", secret("first line\nsecond line")), ("c", secret(document))]);
        let secrets = Secrets::of([&inputs]);
        for (text, expected) in [
            (r#"{\"A\":\"p w/ü=1\\n\"}"#, r#"{\"A\":\"[secret]\"}"#),
            (r#"{"A":"p w/\u00fc=1\n"}"#, r#"{"A":"[secret]"}"#),
            ("https://x/?p=p%20w%2F%C3%BC%3D1%0A&q=1", "https://x/?p=[secret]&q=1"),
            ("password=p+w%2F%C3%BC%3D1", "password=[secret]"),
            ("the key 'p w/ü=1' is bad", "the key '[secret]' is bad"),
            ("at 'second line' of it", "at '[secret]' of it"),
            ("inner-canary is too weak", "[secret] is too weak"),
        ] {
            assert_eq!(secrets.hide(text.to_owned()), expected);
        }
        let header = aws_smithy_types::base64::encode("u:p w/ü=1\n");
        let hidden = secrets.hide(format!("Authorization: Basic {header}"));
        assert!(hidden.contains("[secret]") && !hidden.contains(&header), "{hidden}");
    }

    #[test]
    fn the_wrapper_of_the_checkpoint_is_no_mark() {
        let inner = Value::Object(map(&[("name", Value::from("visible")), ("key", secret("canary"))]));
        let state = map(&[(crate::checkpoint::INPUTS, Value::secret(inner))]);
        assert_eq!(Secrets::of([&state]).hide("visible canary".to_owned()), "visible [secret]");
    }

    #[test]
    fn documents_lose_short_secrets_too() {
        let inputs = map(&[
            ("a", secret("on")),
            ("b", Value::secret(Value::from(42.0))),
            ("c", Value::secret(Value::from(true))),
            ("d", secret("hunter22")),
        ]);
        let document = json!([{"op": "add", "path": "/A", "value": {"A": "on", "B": 42, "C": true, "D": ["x hunter22"],
            "hunter22": null, "E": "one", "F": false}}]);
        let expected = json!([{"op": "add", "path": "/A", "value": {"A": "[secret]", "B": "[secret]", "C": "[secret]",
            "D": ["x [secret]"], "[secret]": null, "E": "one", "F": false}}]);
        assert_eq!(Secrets::of([&inputs]).hide_json(&document), expected);
        assert_eq!(Secrets::NONE.hide_json(&document), document);
    }

    #[test]
    fn short_secrets_would_make_texts_unreadable() {
        let secrets = Secrets::of([&map(&[("a", secret("on")), ("b", Value::secret(Value::from(7.0)))])]);
        for (text, expected) in [
            ("on and on", "on and on"),
            ("value 'on' of \"on\" is on", "value '[secret]' of \"[secret]\" is on"),
            (r#"{\"A\":\"7\"}"#, r#"{\"A\":\"[secret]\"}"#),
        ] {
            assert_eq!(secrets.hide(text.to_owned()), expected);
        }
    }
}
