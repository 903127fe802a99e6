//! CheckConfig: what is wrong with a provider's inputs before anything is configured.
//!
//! Values of the wrong shape are left to Configure, which names them; a provider that is only read from state is never
//! checked, so the rules here must not be needed for safety.

use value::{Map, Value};

use super::{keys, parse::parse_boolean};
use crate::lifecycle::CheckFailure;

/// How a key that the provider does not honor is answered.
enum Rule {
    /// Any value is refused.
    Refused,
    /// Only "yes, skip it" is accepted, since the provider never does what would be skipped.
    OnlyTrue,
}

const RULES: &[(&str, Rule, u32)] = &[
    ("ignoreTags", Rule::Refused, 110),
    ("insecure", Rule::Refused, 111),
    ("skipGetEc2Platforms", Rule::OnlyTrue, 115),
    ("skipMetadataApiCheck", Rule::OnlyTrue, 116),
    ("skipRegionValidation", Rule::OnlyTrue, 117),
];

/// Everything that is wrong with `news`, sorted by key; empty when it may be used.
pub fn failures(news: &Map) -> Vec<CheckFailure> {
    news.iter().filter_map(|(key, value)| failure(key, value)).collect()
}

fn failure(key: &str, value: &Value) -> Option<CheckFailure> {
    let reason = match RULES.iter().find(|(name, _, _)| *name == key) {
        Some((_, rule, issue)) => {
            if accepted(rule, value.unsecret()) {
                return None;
            }
            format!("not yet implemented. See https://github.com/pulumi/pulumi-aws-native/issues/{issue}")
        }
        None if keys::KEYS.contains(&key) || keys::is_engine_key(key) => return None,
        None => match keys::closest(key) {
            Some(known) => format!("unknown configuration key {key:?}; did you mean {known:?}?"),
            None => format!("unknown configuration key {key:?}; known keys are {}", keys::KEYS.join(", ")),
        },
    };
    Some(CheckFailure { property: key.to_owned(), reason })
}

fn accepted(rule: &Rule, value: &Value) -> bool {
    match (rule, value) {
        (Rule::Refused, _) => false,
        // An unknown may turn out to be true; null is no value at all.
        (Rule::OnlyTrue, Value::Bool(true) | Value::Unknown(_) | Value::Null) => true,
        (Rule::OnlyTrue, Value::String(text)) => parse_boolean(text) == Some(true),
        (Rule::OnlyTrue, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_config() {
        let issue = |number: u32| {
            format!("not yet implemented. See https://github.com/pulumi/pulumi-aws-native/issues/{number}")
        };
        let text = |text: &str| Value::String(text.to_owned());
        for (key, value, expected) in [
            ("region", text("eu-west-1"), None),
            ("version", text("1.0.0"), None),
            ("__internal", Value::Null, None),
            ("maxRetryRateTokens", Value::Number(3.0), None),
            ("skipRequestingAccountId", Value::Bool(true), None),
            ("insecure", Value::Bool(false), Some(issue(111))),
            ("ignoreTags", Value::Null, Some(issue(110))),
            ("skipRegionValidation", Value::Bool(true), None),
            ("skipRegionValidation", text("true"), None),
            ("skipRegionValidation", text("false"), Some(issue(117))),
            ("skipGetEc2Platforms", Value::Number(1.0), Some(issue(115))),
            ("skipMetadataApiCheck", Value::secret(Value::Bool(true)), None),
            ("regoin", text("x"), Some("unknown configuration key \"regoin\"; did you mean \"region\"?".to_owned())),
        ] {
            let news = Map::from([(key.to_owned(), value.clone())]);
            let found = failures(&news).into_iter().next().map(|failure| failure.reason);
            assert_eq!(found, expected, "{key} = {value:?}");
        }
    }
}
