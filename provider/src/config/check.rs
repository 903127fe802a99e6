//! CheckConfig: what is wrong with a provider's inputs before anything is configured.
//!
//! What Configure would refuse in a single value is said here already, beside the key. A provider that is only read from state
//! is never checked, so the rules here must not be needed for safety.

use value::{Map, Value};

use super::parse::{Reader, parse_boolean};
use super::{AssumeRole, ConfigError, Endpoints, WebIdentity, attempts, auto_naming, credentials, form, keys, tags};
use crate::requests::CheckFailure;

/// How a key that the provider does not honor is answered.
enum Rule {
    /// "Yes" is refused: to ignore it would be to do otherwise than the user believes.
    NeverTrue,
    /// Both are accepted, and mean the same: the provider never does what would be skipped.
    Idle,
}

const RULES: &[(&str, Rule)] = &[
    ("insecure", Rule::NeverTrue),
    ("skipGetEc2Platforms", Rule::Idle),
    ("skipMetadataApiCheck", Rule::Idle),
    ("skipRegionValidation", Rule::Idle),
];

/// Everything that is wrong with `news`, sorted by key; empty when it may be used.
pub fn failures(news: &Map) -> Vec<CheckFailure> {
    news.iter().filter_map(|(key, value)| failure(key, value)).collect()
}

fn failure(key: &str, value: &Value) -> Option<CheckFailure> {
    let reason = match RULES.iter().find(|(name, _)| *name == key) {
        Some((_, rule)) => match (rule, accepted(rule, value.unsecret())) {
            (_, true) => return None,
            (Rule::NeverTrue, false) => format!("{key} is not supported by this version of the provider; remove it"),
            (Rule::Idle, false) => format!("{key} must be true or false"),
        },
        None if keys::is_engine_key(key) => return None,
        None if keys::KEYS.contains(&key) => refusal(key, value)?,
        None => match keys::closest(key) {
            Some(known) => format!("unknown configuration key {key:?}; did you mean {known:?}?"),
            None => format!("unknown configuration key {key:?}; known keys are {}", keys::KEYS.join(", ")),
        },
    };
    Some(CheckFailure { property: key.to_owned(), reason })
}

/// Why Configure would refuse the value of a key that it knows; what is not known yet is not refused.
fn refusal(key: &str, value: &Value) -> Option<String> {
    let values = Map::from([(key.to_owned(), value.clone())]);
    let reader = Reader::new(&values);
    let read = match key {
        "accessKey" | "secretKey" | "token" => credentials::key(&reader, key).map(drop),
        "allowedAccountIds" | "forbiddenAccountIds" => reader.strings(key).map(drop),
        "assumeRole" => AssumeRole::read(&reader).map(drop),
        "assumeRoleWithWebIdentity" => WebIdentity::read(&reader, &str::to_owned).map(drop),
        "autoNaming" => auto_naming::read(&reader).map(drop),
        "defaultTags" => tags::defaults(&reader).map(drop),
        "endpoints" => Endpoints::read(&reader).map(drop),
        "ignoreTags" => tags::ignored(&reader).map(drop),
        "maxRetries" => attempts::most(&reader).map(drop),
        "maxRetryRateTokens" => reader.integer(key).map(drop),
        "profile" | "region" | "sharedCredentialsFile" => reader.text(key).map(drop),
        "roleArn" => reader.role_arn(key, form::role_arn_of_requests).map(drop),
        "strictValidation" | "verifyDeletes" => reader.boolean(key).map(drop),
        // Read only where others are not given, or never; or another word is taken for no by the published provider.
        _ => Ok(()),
    };
    match read {
        Ok(()) | Err(ConfigError::Unknown { .. }) => None,
        Err(error) => Some(error.to_string()),
    }
}

fn accepted(rule: &Rule, value: &Value) -> bool {
    match (rule, value) {
        // What is not known yet is checked again when it is; null is no value at all.
        (_, Value::Unknown(_) | Value::Null) => true,
        (Rule::NeverTrue, Value::Bool(flag)) => !flag,
        (Rule::NeverTrue, Value::String(text)) => text.is_empty() || parse_boolean(text) == Some(false),
        // Stack configuration arrives as text, and the published provider takes any text for yes: a stack that says
        // another word works today and must go on working.
        (Rule::Idle, Value::Bool(_) | Value::String(_)) => true,
        (Rule::NeverTrue | Rule::Idle, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_config() {
        let refused = |key: &str| format!("{key} is not supported by this version of the provider; remove it");
        let text = |text: &str| Value::String(text.to_owned());
        for (key, value, expected) in [
            ("region", text("eu-west-1"), None),
            ("version", text("1.0.0"), None),
            ("__internal", Value::Null, None),
            ("maxRetryRateTokens", Value::Number(3.0), None),
            ("skipRequestingAccountId", Value::Bool(true), None),
            ("insecure", Value::Bool(true), Some(refused("insecure"))),
            ("insecure", text("true"), Some(refused("insecure"))),
            ("insecure", text("yes"), Some(refused("insecure"))),
            ("insecure", Value::Number(0.0), Some(refused("insecure"))),
            ("insecure", Value::Bool(false), None),
            ("insecure", text("false"), None),
            ("insecure", text(""), None),
            ("insecure", Value::Null, None),
            ("insecure", Value::secret(Value::Bool(true)), Some(refused("insecure"))),
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
            (
                "roleArn",
                text("Deploy"),
                Some(
                    "invalid config value for 'roleArn': \"Deploy\" is no ARN; it should look like \
                     arn:aws:iam::123456789012:role/NAME"
                        .to_owned(),
                ),
            ),
            ("roleArn", text("arn:aws-cn:iam::111122223333:role/D"), None),
            ("roleArn", Value::Unknown(value::Unknown::String), None),
            (
                "assumeRole",
                text(r#"{"roleArn":"arn:aws:iam::111122223333:role/D","durationSeconds":60}"#),
                Some("assumeRole: durationSeconds 60 is out of range; allowed are 900 to 43200".to_owned()),
            ),
            (
                "maxRetries",
                text("-1"),
                Some("invalid config value for 'maxRetries': \"-1\": must not be negative".to_owned()),
            ),
            (
                "endpoints",
                text(r#"{"sts":"host"}"#),
                Some(
                    "failed to unmarshal 'endpoints' config: the URL of sts, \"host\", must start with http:// or https://"
                        .to_owned(),
                ),
            ),
            // What other tools share, or what matches no account, works today.
            ("endpoints", text(r#"{"sns":"http://host"}"#), None),
            ("allowedAccountIds", text(r#"["1"]"#), None),
            ("region", text("nowhere"), None),
            ("skipRequestingAccountId", text("yes"), None),
            ("skipCredentialsValidation", text("yes"), None),
            ("strictValidation", text("true"), None),
            ("verifyDeletes", Value::Bool(true), None),
            ("skipRegionValidation", Value::Bool(true), None),
            ("skipRegionValidation", text("true"), None),
            ("skipRegionValidation", text("false"), None),
            ("skipRegionValidation", text(""), None),
            ("skipRegionValidation", Value::Bool(false), None),
            ("skipGetEc2Platforms", Value::Unknown(value::Unknown::Bool), None),
            ("skipGetEc2Platforms", Value::Number(1.0), Some("skipGetEc2Platforms must be true or false".to_owned())),
            ("skipMetadataApiCheck", Value::secret(Value::Bool(true)), None),
            ("regoin", text("x"), Some("unknown configuration key \"regoin\"; did you mean \"region\"?".to_owned())),
        ] {
            let news = Map::from([(key.to_owned(), value.clone())]);
            let found = failures(&news).into_iter().next().map(|failure| failure.reason);
            assert_eq!(found, expected, "{key} = {value:?}");
        }
    }
}
