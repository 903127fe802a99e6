//! `assumeRole`: the role that wraps the base credentials.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{ConfigError, Secret, parse::Reader};

/// A role to assume with the base credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssumeRole {
    /// ARN of the role.
    pub role_arn: String,
    /// Name of the session; `None` = a generated one.
    pub session_name: Option<String>,
    /// Lifetime of the credentials, 15 minutes to 12 hours.
    pub duration: Duration,
    /// What the role's trust policy may ask for; some keep it like a password.
    pub external_id: Option<Secret>,
    /// A policy that narrows the session, JSON text.
    pub policy: Option<String>,
    /// Managed policies that narrow the session.
    pub policy_arns: Vec<String>,
    /// Session tags.
    pub tags: BTreeMap<String, String>,
    /// Session tags that stay when the session assumes further roles.
    pub transitive_tag_keys: Vec<String>,
}

/// STS's own limits for `DurationSeconds`.
const DURATION_SECONDS: std::ops::RangeInclusive<i64> = 900..=43_200;

impl AssumeRole {
    /// Reads the key; `None` when it is absent.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, ConfigError> {
        let Some(object) = reader.object("assumeRole")? else { return Ok(None) };
        let fields = Reader::nested(&object, "assumeRole");
        let Some(role_arn) = fields.role_arn("roleArn")? else {
            return Err(ConfigError::AssumeRole(
                "roleArn is missing; set it to the ARN of the role to assume".to_owned(),
            ));
        };
        let seconds = fields.integer("durationSeconds")?.unwrap_or(*DURATION_SECONDS.start());
        if !DURATION_SECONDS.contains(&seconds) {
            return Err(ConfigError::AssumeRole(format!(
                "durationSeconds {seconds} is out of range; allowed are {} to {}",
                DURATION_SECONDS.start(),
                DURATION_SECONDS.end()
            )));
        }
        let tags = fields.object("tags")?.unwrap_or_default();
        let tags = Reader::nested(&tags, "assumeRole.tags").texts()?;
        Ok(Some(Self {
            role_arn,
            session_name: fields.text("sessionName")?,
            duration: Duration::from_secs(seconds.unsigned_abs()),
            external_id: fields.text("externalId")?.map(Secret::new),
            policy: fields.text("policy")?,
            policy_arns: fields.strings("policyArns")?.unwrap_or_default(),
            tags,
            transitive_tag_keys: fields.strings("transitiveTagKeys")?.unwrap_or_default(),
        }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use super::*;
    use value::Value;

    fn read(json: &str) -> Result<Option<AssumeRole>, String> {
        let values = value::Map::from([("assumeRole".to_owned(), Value::String(json.to_owned()))]);
        AssumeRole::read(&Reader::new(&values)).map_err(|error| error.to_string())
    }

    #[test]
    fn every_field_is_read() {
        let found = read(
            r#"{"roleArn":"arn:aws:iam::111122223333:role/Deploy","sessionName":"ci","durationSeconds":1800,
                "externalId":"e","policy":"{}","policyArns":["p"],"tags":{"team":"infra"},"transitiveTagKeys":["team"]}"#,
        );
        let expected = AssumeRole {
            role_arn: "arn:aws:iam::111122223333:role/Deploy".to_owned(),
            session_name: Some("ci".to_owned()),
            duration: Duration::from_secs(1800),
            external_id: Some(Secret::new("e".to_owned())),
            policy: Some("{}".to_owned()),
            policy_arns: vec!["p".to_owned()],
            tags: BTreeMap::from([("team".to_owned(), "infra".to_owned())]),
            transitive_tag_keys: vec!["team".to_owned()],
        };
        assert_eq!(found.unwrap().unwrap(), expected);
    }

    #[test]
    fn tags_are_written_out_as_a_stack_has_them() {
        let role = |tags: &str| format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/x","tags":{tags}}}"#);
        let found = read(&role(r#"{"cost":42,"on":true,"empty":"","gone":null}"#)).unwrap().unwrap().tags;
        let found: Vec<_> = found.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(found, ["cost=42", "empty=", "on=true"]);
        let error = read(&role(r#"{"a":[]}"#)).unwrap_err();
        assert_eq!(error, "failed to unmarshal 'assumeRole.tags.a' config: expected text, got a list");
    }

    #[test]
    fn mistakes_are_diagnosed() {
        for (json, expected) in [
            (r#"{"sessionName":"x"}"#, "assumeRole: roleArn is missing; set it to the ARN of the role to assume"),
            (
                r#"{"roleArn":"Deploy"}"#,
                "invalid config value for 'assumeRole.roleArn': \"Deploy\" is no ARN; it should look like \
                 arn:aws:iam::123456789012:role/NAME",
            ),
            (
                r#"{"roleArn":"arn:aws:iam::111122223333:role/x","durationSeconds":60}"#,
                "assumeRole: durationSeconds 60 is out of range; allowed are 900 to 43200",
            ),
        ] {
            assert_eq!(read(json).unwrap_err(), expected, "{json}");
        }
    }
}
