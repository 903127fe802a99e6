//! CheckConfig: what is wrong with a provider's inputs before anything is configured.
//!
//! Values of the wrong shape are left to Configure, which names them, but for tags, where they are most likely; a provider that is only read from state is never
//! checked, so the rules here must not be needed for safety.

use value::{Map, Value};

use super::parse::Reader;
use super::{ConfigError, keys, tags};
use crate::lifecycle::CheckFailure;

/// How a key that the provider does not honor is answered.
enum Rule {
    /// Any value is refused.
    Refused,
    /// Only "yes, skip it" is accepted, since the provider never does what would be skipped.
    OnlyTrue,
}

const RULES: &[(&str, Rule)] = &[
    ("insecure", Rule::Refused),
    ("skipGetEc2Platforms", Rule::OnlyTrue),
    ("skipMetadataApiCheck", Rule::OnlyTrue),
    ("skipRegionValidation", Rule::OnlyTrue),
];

/// Everything that is wrong with `news`, sorted by key; empty when it may be used.
pub fn failures(news: &Map) -> Vec<CheckFailure> {
    news.iter().filter_map(|(key, value)| failure(key, value)).collect()
}

fn failure(key: &str, value: &Value) -> Option<CheckFailure> {
    if let "defaultTags" | "ignoreTags" = key {
        return tag_failure(key, value);
    }
    let reason = match RULES.iter().find(|(name, _)| *name == key) {
        Some((_, rule)) => match (rule, accepted(rule, value.unsecret())) {
            (_, true) => return None,
            (Rule::Refused, false) => format!("{key} is not supported by this version of the provider; remove it"),
            (Rule::OnlyTrue, false) => {
                format!("{key} is only supported as true: the provider never does what it would skip; remove it")
            }
        },
        None if keys::KEYS.contains(&key) || keys::is_engine_key(key) => return None,
        None => match keys::closest(key) {
            Some(known) => format!("unknown configuration key {key:?}; did you mean {known:?}?"),
            None => format!("unknown configuration key {key:?}; known keys are {}", keys::KEYS.join(", ")),
        },
    };
    Some(CheckFailure { property: key.to_owned(), reason })
}

/// What is wrong with the tags of a configuration; what is not known yet is not.
fn tag_failure(key: &str, value: &Value) -> Option<CheckFailure> {
    let values = Map::from([(key.to_owned(), value.clone())]);
    let reader = Reader::new(&values);
    let error = match key {
        "defaultTags" => tags::defaults(&reader).err(),
        _ => tags::ignored(&reader).err(),
    };
    let error = error.filter(|error| !matches!(error, ConfigError::Unknown { .. }))?;
    Some(CheckFailure { property: key.to_owned(), reason: error.to_string() })
}

fn accepted(rule: &Rule, value: &Value) -> bool {
    match (rule, value) {
        (Rule::Refused, _) => false,
        // An unknown may turn out to be true; null is no value at all.
        (Rule::OnlyTrue, Value::Bool(true) | Value::Unknown(_) | Value::Null) => true,
        // Stack configuration arrives as text, and the published provider takes any text for yes: a stack that says
        // "false" works today and must go on working.
        (Rule::OnlyTrue, Value::String(text)) => !text.is_empty(),
        (Rule::OnlyTrue, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_config() {
        let refused = |key: &str| format!("{key} is not supported by this version of the provider; remove it");
        let only_true = |key: &str| {
            format!("{key} is only supported as true: the provider never does what it would skip; remove it")
        };
        let text = |text: &str| Value::String(text.to_owned());
        for (key, value, expected) in [
            ("region", text("eu-west-1"), None),
            ("version", text("1.0.0"), None),
            ("__internal", Value::Null, None),
            ("maxRetryRateTokens", Value::Number(3.0), None),
            ("skipRequestingAccountId", Value::Bool(true), None),
            ("insecure", Value::Bool(false), Some(refused("insecure"))),
            ("ignoreTags", Value::Object(Map::new()), None),
            ("ignoreTags", Value::Unknown(value::Unknown::String), None),
            ("ignoreTags", Value::Null, None),
            (
                "ignoreTags",
                Value::Bool(true),
                Some("failed to unmarshal 'ignoreTags' config: expected an object, got a flag".to_owned()),
            ),
            (
                "defaultTags",
                text(r#"{"aws:x":"1"}"#),
                Some("defaultTags: aws:x: keys that begin with aws: belong to AWS".to_owned()),
            ),
            ("strictValidation", text("true"), None),
            ("verifyDeletes", Value::Bool(true), None),
            ("skipRegionValidation", Value::Bool(true), None),
            ("skipRegionValidation", text("true"), None),
            ("skipRegionValidation", text("false"), None),
            ("skipRegionValidation", text(""), Some(only_true("skipRegionValidation"))),
            ("skipRegionValidation", Value::Bool(false), Some(only_true("skipRegionValidation"))),
            ("skipGetEc2Platforms", Value::Number(1.0), Some(only_true("skipGetEc2Platforms"))),
            ("skipMetadataApiCheck", Value::secret(Value::Bool(true)), None),
            ("regoin", text("x"), Some("unknown configuration key \"regoin\"; did you mean \"region\"?".to_owned())),
        ] {
            let news = Map::from([(key.to_owned(), value.clone())]);
            let found = failures(&news).into_iter().next().map(|failure| failure.reason);
            assert_eq!(found, expected, "{key} = {value:?}");
        }
    }
}
