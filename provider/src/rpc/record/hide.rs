//! Secrets do not reach the log of RPCs: what stands below a mark of secrecy, and every echo of it, becomes
//! `[secret N]`.
//!
//! The number belongs to the value for the life of the process, so that equal values stay equal and the log can be
//! replayed. What counts: texts and numbers below marks, the leaves of JSON text below marks, and the credentials of a
//! configuration. Names of members, bools and nulls do not; a checkpoint's own wrapper is no mark. How secrets are found in
//! texts, and why these rules are not those of messages, is in [`crate::redact`].

use std::collections::HashMap;

use protocol::codec::SECRET_SIGNATURE;
use serde_json::{Value as Json, json};
use value::Unknown;
use value::json::SIGNATURE_KEY;

use crate::redact::document;
use crate::redact::echoes::{Echoes, SHORTEST};

/// Shorter secrets are only replaced where they are a whole text: inside others they would make them unreadable.
const SHORTEST_ECHO: usize = SHORTEST;
/// Names of members are only touched for echoes that can hardly be names.
const SHORTEST_IN_NAMES: usize = 8;

/// The secrets that this process has met.
#[derive(Default)]
pub(super) struct Known {
    numbers: HashMap<String, usize>,
    /// What is looked for inside texts.
    echoes: Echoes,
}

impl Known {
    /// Remembers every secret in the JSON form of a message.
    pub(super) fn learn(&mut self, json: &Json) {
        self.walk(json, false);
    }

    /// Remembers `text` as a secret.
    pub(super) fn learn_text(&mut self, text: &str) {
        if text.is_empty() || Unknown::from_sentinel(text).is_some() || self.numbers.contains_key(text) {
            return;
        }
        let number = self.numbers.len() + 1;
        self.numbers.insert(text.to_owned(), number);
        self.echoes.learn(text, &mark(number));
        if let Some(document) = document(text) {
            self.walk(&document, true);
        }
    }

    fn walk(&mut self, json: &Json, secret: bool) {
        match json {
            Json::String(text) if secret => self.learn_text(text),
            Json::Number(number) if secret => self.learn_text(&number.to_string()),
            Json::Array(items) => items.iter().for_each(|item| self.walk(item, secret)),
            Json::Object(members) => match secret_content(json) {
                Some(content) => self.walk(content, true),
                None => {
                    for (name, member) in members {
                        let checkpoint = name == crate::checkpoint::INPUTS;
                        self.walk(if checkpoint { unwrapped(member) } else { member }, secret);
                    }
                }
            },
            Json::Null | Json::Bool(_) | Json::String(_) | Json::Number(_) => {}
        }
    }

    /// Replaces every secret in a JSON form.
    pub(super) fn hide(&self, json: &mut Json) {
        if !self.numbers.is_empty() {
            self.hide_below(json, false);
        }
    }

    /// As [`Known::hide`]; a short number is only known to be the secret one where it stands below a mark.
    fn hide_below(&self, json: &mut Json, secret: bool) {
        match json {
            Json::String(text) => self.hide_text(text),
            Json::Number(number) => {
                let text = number.to_string();
                if let Some(number) = self.numbers.get(&text).filter(|_| secret || text.len() >= SHORTEST_ECHO) {
                    *json = json!(number);
                }
            }
            Json::Array(items) => items.iter_mut().for_each(|item| self.hide_below(item, secret)),
            Json::Object(members) => {
                let marked = members.get(SIGNATURE_KEY).and_then(Json::as_str) == Some(SECRET_SIGNATURE);
                for (name, mut member) in std::mem::take(members) {
                    if name != SIGNATURE_KEY {
                        self.hide_below(&mut member, secret || (marked && name == "value"));
                    }
                    members.insert(self.echoes.replaced(&name, SHORTEST_IN_NAMES).unwrap_or(name), member);
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }

    /// Replaces every secret in a text.
    pub(super) fn hide_text(&self, text: &mut String) {
        if let Some(number) = self.numbers.get(text.as_str()) {
            *text = mark(*number);
        } else if let Some(replaced) = self.echoes.replaced(text, SHORTEST_ECHO) {
            *text = replaced;
        }
    }
}

fn mark(number: usize) -> String {
    format!("[secret {number}]")
}

/// What a mark of secrecy stands around.
fn secret_content(json: &Json) -> Option<&Json> {
    let signature = json.get(SIGNATURE_KEY)?.as_str()?;
    (signature == SECRET_SIGNATURE).then(|| json.get("value")).flatten()
}

/// A checkpoint without its wrappers.
fn unwrapped(mut json: &Json) -> &Json {
    while let Some(content) = secret_content(json) {
        json = content;
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(inner: Json) -> Json {
        json!({ SIGNATURE_KEY: SECRET_SIGNATURE, "value": inner })
    }

    #[test]
    fn a_secret_is_hidden_wherever_it_stands() {
        let mut known = Known::default();
        known.learn(&json!({
            "password": secret(json!("hunter22")),
            "short": secret(json!("on")),
            "pin": secret(json!(47_110_815)),
            "policy": secret(json!(r#"{"Key":"inner-canary","N":[5]}"#)),
            "lines": secret(json!("line one\nline \"two\"")),
            "unknown": secret(json!("04da6b54-80e4-46f7-96ec-b56ff0331ba9")),
            "list": secret(json!(["a-canary", {"b": "b-canary"}])),
            "__inputs": secret(secret(json!({"name": "visible", "key": secret(json!("deep-canary"))}))),
        }));
        let hidden = |mut json: Json| {
            known.hide(&mut json);
            // Which number a value has is not the point here.
            let text = json.to_string();
            let parts = text.split("[secret ").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
            parts.collect::<Vec<_>>().join("[secret ")
        };
        for (before, after) in [
            (json!("hunter22"), r#""[secret ]""#),
            (json!("is hunter22 too weak?"), r#""is [secret ] too weak?""#),
            (json!(["on", "on and on"]), r#"["[secret ]","on and on"]"#),
            (json!("inner-canary"), r#""[secret ]""#),
            (json!(r#"{"A":"line one\nline \"two\""}"#), r#""{\"A\":\"[secret ]\"}""#),
            (json!("a-canary b-canary"), r#""[secret ] [secret ]""#),
            (json!({"x-b-canary-hunter22": 1}), r#"{"x-[secret ]-[secret ]":1}"#),
            (json!("visible deep-canary"), r#""visible [secret ]""#),
            (json!("04da6b54-80e4-46f7-96ec-b56ff0331ba9"), r#""04da6b54-80e4-46f7-96ec-b56ff0331ba9""#),
        ] {
            assert_eq!(hidden(before), after);
        }
        let mut pins = json!({"Pin": 47_110_815, "Other": 5});
        known.hide(&mut pins);
        assert!(pins["Pin"].as_u64().is_some_and(|pin| pin < 20) && pins["Other"] == json!(5), "{pins}");
    }

    #[test]
    fn equal_secrets_have_one_number() {
        let mut known = Known::default();
        known.learn(
            &json!({"a": secret(json!("canary-1")), "b": secret(json!("canary-2")), "c": secret(json!("canary-1"))}),
        );
        let mut texts = json!(["canary-1", "canary-2", "canary-1"]);
        known.hide(&mut texts);
        assert_eq!(texts, json!(["[secret 1]", "[secret 2]", "[secret 1]"]));
        // Learning from what is hidden already changes nothing that stands there.
        let mut again = json!({"a": secret(json!("canary-1"))});
        known.learn(&again);
        known.hide(&mut again);
        assert_eq!(again, json!({"a": secret(json!("[secret 1]"))}));
    }

    #[test]
    fn a_secret_inside_another_leaves_no_rest() {
        let mut known = Known::default();
        known.learn(&json!([secret(json!("abcd")), secret(json!("abcdefgh"))]));
        known.learn(&secret(json!("secret")));
        let mut text = "abcdefgh abcd of the secret".to_owned();
        known.hide_text(&mut text);
        assert_eq!(text, "[secret 2] [secret 1] of the [secret 3]");
    }

    #[test]
    fn short_numbers_are_hidden_at_their_own_place() {
        let mut known = Known::default();
        let mut json = json!({"secret": secret(json!([42, true])), "port": 42});
        known.learn(&json);
        known.hide(&mut json);
        assert_eq!(json, json!({"secret": secret(json!([1, true])), "port": 42}));
    }
}
