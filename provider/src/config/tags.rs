//! `defaultTags` and `ignoreTags`.

use value::{Map, Value};

use super::{ConfigError, parse::Reader};
use crate::tags::{DefaultTags, TagRules, is_managed};

/// The tags that every resource gets unless it has one with the same key.
///
/// Shapes: `{"tags": {key: value}}` as the package schema has it, or the bare `{key: value}`. A `tags` that is no object is
/// itself a tag of the bare shape.
pub(super) fn defaults(reader: &Reader<'_>) -> Result<DefaultTags, ConfigError> {
    let Some(object) = reader.object("defaultTags")? else { return Ok(DefaultTags::new()) };
    let given = object.get("tags");
    let (tags, below) = match given.map(Value::unsecret) {
        Some(Value::Object(tags)) => (tags, given.is_some_and(Value::is_secret)),
        Some(Value::Null) if object.len() == 1 => return Ok(DefaultTags::new()),
        Some(Value::Unknown(_)) => return Err(ConfigError::Unknown { key: "defaultTags.tags".to_owned() }),
        _ => (&object, false),
    };
    let all_secret = below || reader.is_secret("defaultTags");
    let texts = Reader::nested(tags, "defaultTags").texts()?;
    let mut defaults = DefaultTags::new();
    for key in tags.keys() {
        if key.is_empty() {
            return Err(ConfigError::Tags { key: "defaultTags", reason: "a tag has no key".to_owned() });
        }
        if is_managed(key) {
            let reason = format!("{key}: keys that begin with aws: belong to AWS");
            return Err(ConfigError::Tags { key: "defaultTags", reason });
        }
    }
    for (key, text) in texts {
        let is_secret = all_secret || tags.get(&key).is_some_and(Value::is_secret);
        let value = if is_secret { Value::secret(text) } else { Value::from(text) };
        defaults.insert(key, value);
    }
    Ok(defaults)
}

/// The tags that the provider leaves to others: `{"keys": […], "keyPrefixes": […]}`.
pub(super) fn ignored(reader: &Reader<'_>) -> Result<TagRules, ConfigError> {
    const MEMBERS: [&str; 2] = ["keys", "keyPrefixes"];
    let Some(object) = reader.object("ignoreTags")? else { return Ok(TagRules::default()) };
    // Not to understand a rule would be to remove the tags that it speaks of.
    if let Some(stranger) = object.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
        let reason = format!("unknown member {stranger:?}; known are keys and keyPrefixes");
        return Err(ConfigError::Tags { key: "ignoreTags", reason });
    }
    let fields = Reader::nested(&object, "ignoreTags");
    let texts = |member: &str| Ok(fields.strings(member)?.unwrap_or_default());
    let (keys, prefixes) = (texts(MEMBERS[0])?, texts(MEMBERS[1])?);
    if prefixes.iter().any(String::is_empty) {
        let reason = "an empty key prefix would hide every tag; remove it".to_owned();
        return Err(ConfigError::Tags { key: "ignoreTags", reason });
    }
    Ok(TagRules::new(keys, prefixes))
}

/// A warning for each default tag that is ignored.
pub(super) fn warnings(news: &Map) -> Vec<String> {
    let reader = Reader::new(news);
    let (Ok(defaults), Ok(rules)) = (defaults(&reader), ignored(&reader)) else { return Vec::new() };
    let ignored = defaults.keys().filter(|key| rules.ignores(key));
    ignored
        .map(|key| {
            format!(
                "defaultTags: the tag {key} is ignored by ignoreTags: resources get it at creation, and it is neither \
                 compared nor changed afterwards"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use super::*;

    /// A configuration with this key, typed and as text; both must come out alike.
    fn each(key: &str, json: &str, check: impl Fn(&Reader<'_>)) {
        let typed = value::json::from_json(&serde_json::from_str(json).unwrap());
        for value in [typed.clone(), Value::String(json.to_owned()), Value::secret(typed)] {
            let values = Map::from([(key.to_owned(), value)]);
            check(&Reader::new(&values));
        }
    }

    #[test]
    fn default_tags_in_every_shape() {
        for (json, expected) in [
            (
                r#"{"tags":{"env":"dev","cost-center":42,"on":true,"empty":"","gone":null}}"#,
                "cost-center=42 empty= env=dev on=true",
            ),
            (r#"{"owner":"x","n":1}"#, "n=1 owner=x"),
            (r#"{"tags":"x"}"#, "tags=x"),
            (r#"{"tags":"x","env":"dev"}"#, "env=dev tags=x"),
            (r#"{"tags":{}}"#, ""),
            (r#"{"tags":null}"#, ""),
            ("{}", ""),
            ("null", ""),
        ] {
            each("defaultTags", json, |reader| {
                let found = defaults(reader).unwrap();
                let text = |value: &Value| value.unsecret().as_str().map(str::to_owned).unwrap();
                let found: Vec<_> = found.iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
                assert_eq!(found.join(" "), expected, "{json}");
            });
        }
        assert!(defaults(&Reader::new(&Map::new())).unwrap().is_empty());
    }

    /// What is secret in a configuration must not stand in the clear in the inputs of every resource.
    #[test]
    fn secret_default_tags_stay_secret() {
        let object = |key: &str, value: Value| Value::Object(Map::from([(key.to_owned(), value)]));
        let json = || Value::String(r#"{"tags":{"a":"1"}}"#.to_owned());
        let secret_a = DefaultTags::from([("a".to_owned(), Value::secret("1"))]);
        let plain_a = DefaultTags::from([("a".to_owned(), Value::from("1"))]);
        for (given, expected) in [
            (object("tags", object("a", Value::from("1"))), &plain_a),
            (object("tags", object("a", Value::secret("1"))), &secret_a),
            (object("tags", object("a", Value::secret(1.0))), &secret_a),
            (object("tags", Value::secret(object("a", Value::from("1")))), &secret_a),
            (object("a", Value::secret("1")), &secret_a),
            (Value::secret(object("a", Value::secret("1"))), &secret_a),
            (Value::secret(json()), &secret_a),
            (json(), &plain_a),
        ] {
            let values = Map::from([("defaultTags".to_owned(), given.clone())]);
            assert_eq!(&defaults(&Reader::new(&values)).unwrap(), expected, "{given:?}");
        }
    }

    #[test]
    fn ignored_tags_in_every_shape() {
        let rules = |keys: &[&str], prefixes: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            TagRules::new(owned(keys), owned(prefixes))
        };
        for (json, expected) in [
            (r#"{"keys":["owner",7,null,true],"keyPrefixes":["cost:"]}"#, rules(&["owner", "7", "true"], &["cost:"])),
            (r#"{"keys":[]}"#, rules(&[], &[])),
            (r#"{"keyPrefixes":null}"#, rules(&[], &[])),
            ("null", rules(&[], &[])),
        ] {
            each("ignoreTags", json, |reader| assert_eq!(ignored(reader).unwrap(), expected, "{json}"));
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (key, json, expected) in [
            ("defaultTags", r#"{"tags":{"aws:x":"1"}}"#, "defaultTags: aws:x: keys that begin with aws: belong to AWS"),
            ("defaultTags", r#"{"":"1"}"#, "defaultTags: a tag has no key"),
            ("defaultTags", "[1]", "failed to unmarshal 'defaultTags' config: expected an object, got a list"),
            (
                "defaultTags",
                r#"{"tags":{"a":{}}}"#,
                "failed to unmarshal 'defaultTags.a' config: expected text, got an object",
            ),
            ("ignoreTags", "true", "failed to unmarshal 'ignoreTags' config: expected an object, got a flag"),
            (
                "ignoreTags",
                r#"{"keys":"a"}"#,
                "failed to unmarshal 'ignoreTags.keys' config: expected a list of text, got other text: write it as JSON, or set \
                 its parts with `--path`",
            ),
            (
                "ignoreTags",
                r#"{"prefixes":[]}"#,
                "ignoreTags: unknown member \"prefixes\"; known are keys and keyPrefixes",
            ),
            (
                "ignoreTags",
                r#"{"keyPrefixes":[""]}"#,
                "ignoreTags: an empty key prefix would hide every tag; remove it",
            ),
        ] {
            each(key, json, |reader| {
                let error = match key {
                    "defaultTags" => defaults(reader).unwrap_err(),
                    _ => ignored(reader).unwrap_err(),
                };
                assert_eq!(error.to_string(), expected, "{json}");
            });
        }
    }

    #[test]
    fn default_tags_that_are_ignored_are_worth_a_warning() {
        let news = |ignored: &str| {
            let text = |text: &str| Value::String(text.to_owned());
            Map::from([
                ("defaultTags".to_owned(), text(r#"{"tags":{"owner":"x","env":"dev"}}"#)),
                ("ignoreTags".to_owned(), text(ignored)),
            ])
        };
        let found = warnings(&news(r#"{"keyPrefixes":["own"]}"#));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("defaultTags: the tag owner is ignored by ignoreTags"), "{found:?}");
        assert!(warnings(&news("{}")).is_empty() && warnings(&news("[")).is_empty());
    }
}
