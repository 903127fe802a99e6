//! `assumeRole`: the roles that wrap the base credentials, and `assumeRoleWithWebIdentity`: the role that a token of another
//! party stands for.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{ConfigError, Secret, form, parse::Reader};

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
    /// Who stands behind the session, for CloudTrail.
    pub source_identity: Option<String>,
}

/// A role that is had for a token of another party, as build machines get one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebIdentity {
    /// ARN of the role.
    pub role_arn: String,
    /// Name of the session; `None` = a generated one.
    pub session_name: Option<String>,
    /// Lifetime of the credentials, 15 minutes to 12 hours.
    pub duration: Duration,
    /// A policy that narrows the session, JSON text.
    pub policy: Option<String>,
    /// Managed policies that narrow the session.
    pub policy_arns: Vec<String>,
    /// Where the token is.
    pub token: WebToken,
}

/// The token of another party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebToken {
    /// The token itself.
    Text(Secret),
    /// A file that has it, read anew whenever credentials are fetched: who wrote it renews it.
    File(String),
}

/// STS's own limits for `DurationSeconds`.
const DURATION_SECONDS: std::ops::RangeInclusive<i64> = 900..=43_200;

/// What every way to a role has.
struct Session {
    role_arn: String,
    session_name: Option<String>,
    duration: Duration,
    policy: Option<String>,
    policy_arns: Vec<String>,
}

impl Session {
    fn read(fields: &Reader<'_>, key: &'static str) -> Result<Self, ConfigError> {
        let wrong = |reason| ConfigError::AssumeRole { key, reason };
        let Some(role_arn) = fields.role_arn("roleArn", form::role_arn)? else {
            return Err(wrong("roleArn is missing; set it to the ARN of the role to assume".to_owned()));
        };
        let seconds = fields.integer("durationSeconds")?.unwrap_or(*DURATION_SECONDS.start());
        if !DURATION_SECONDS.contains(&seconds) {
            return Err(wrong(format!(
                "durationSeconds {seconds} is out of range; allowed are {} to {}",
                DURATION_SECONDS.start(),
                DURATION_SECONDS.end()
            )));
        }
        Ok(Self {
            role_arn,
            session_name: fields.text("sessionName")?,
            duration: Duration::from_secs(seconds.unsigned_abs()),
            policy: fields.text("policy")?,
            policy_arns: fields.strings("policyArns")?.unwrap_or_default(),
        })
    }
}

impl AssumeRole {
    const KEY: &'static str = "assumeRole";

    /// Reads the key: one role, or a list of roles of which each is assumed with the credentials of the one before.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Vec<Self>, ConfigError> {
        reader.objects(Self::KEY)?.iter().map(|object| Self::one(&Reader::nested(object, Self::KEY))).collect()
    }

    fn one(fields: &Reader<'_>) -> Result<Self, ConfigError> {
        let Session { role_arn, session_name, duration, policy, policy_arns } = Session::read(fields, Self::KEY)?;
        let tags = fields.object("tags")?.unwrap_or_default();
        let tags = Reader::nested(&tags, "assumeRole.tags").texts()?;
        Ok(Self {
            role_arn,
            session_name,
            duration,
            external_id: fields.text("externalId")?.map(Secret::new),
            policy,
            policy_arns,
            tags,
            transitive_tag_keys: fields.strings("transitiveTagKeys")?.unwrap_or_default(),
            source_identity: fields.text("sourceIdentity")?,
        })
    }
}

impl WebIdentity {
    const KEY: &'static str = "assumeRoleWithWebIdentity";

    /// Reads the key; `None` when it is absent. `expand` replaces a home directory at the beginning of a path.
    pub(super) fn read(reader: &Reader<'_>, expand: &dyn Fn(&str) -> String) -> Result<Option<Self>, ConfigError> {
        let Some(object) = reader.object(Self::KEY)? else { return Ok(None) };
        let fields = Reader::nested(&object, Self::KEY);
        let Session { role_arn, session_name, duration, policy, policy_arns } = Session::read(&fields, Self::KEY)?;
        let token = match (fields.text("webIdentityToken")?, fields.text("webIdentityTokenFile")?) {
            (Some(text), None) => WebToken::Text(Secret::new(text.trim().to_owned())),
            (None, Some(path)) => WebToken::File(expand(&path)),
            _ => {
                let reason = "give either webIdentityToken or webIdentityTokenFile".to_owned();
                return Err(ConfigError::AssumeRole { key: Self::KEY, reason });
            }
        };
        Ok(Some(Self { role_arn, session_name, duration, policy, policy_arns, token }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use super::*;
    use value::Value;

    fn read(json: &str) -> Result<Vec<AssumeRole>, String> {
        let values = value::Map::from([("assumeRole".to_owned(), Value::String(json.to_owned()))]);
        AssumeRole::read(&Reader::new(&values)).map_err(|error| error.to_string())
    }

    fn web(json: &str) -> Result<Option<WebIdentity>, String> {
        let values = value::Map::from([("assumeRoleWithWebIdentity".to_owned(), Value::String(json.to_owned()))]);
        let expand = |path: &str| path.replace('~', "/home/u");
        WebIdentity::read(&Reader::new(&values), &expand).map_err(|error| error.to_string())
    }

    #[test]
    fn c46_roles_may_be_chained() {
        let arns = |json: &str| -> Vec<String> { read(json).unwrap().into_iter().map(|role| role.role_arn).collect() };
        let one = r#"{"roleArn":"arn:aws:iam::111122223333:role/a"}"#;
        let other = r#"{"roleArn":"arn:aws:iam::222233334444:role/b"}"#;
        assert_eq!(arns(one), ["arn:aws:iam::111122223333:role/a"]);
        assert_eq!(
            arns(&format!("[{one},null,{other}]")),
            ["arn:aws:iam::111122223333:role/a", "arn:aws:iam::222233334444:role/b"]
        );
        assert!(arns("[]").is_empty() && arns("null").is_empty() && arns("").is_empty());
        let error = read(&format!("[{one},7]")).unwrap_err();
        let expected =
            "failed to unmarshal 'assumeRole' config: expected an object, or a list of such objects, got a number";
        assert_eq!(error, expected);
    }

    #[test]
    fn c46_a_web_identity_has_its_token_in_a_file_or_not() {
        let role = |rest: &str| format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/x"{rest}}}"#);
        for (rest, expected) in [
            (r#","webIdentityToken":"e.y.J\n""#, Ok(WebToken::Text(Secret::new("e.y.J".to_owned())))),
            (r#","webIdentityTokenFile":"~/token""#, Ok(WebToken::File("/home/u/token".to_owned()))),
            ("", Err("assumeRoleWithWebIdentity: give either webIdentityToken or webIdentityTokenFile")),
            (
                r#","webIdentityToken":"a","webIdentityTokenFile":"b""#,
                Err("assumeRoleWithWebIdentity: give either webIdentityToken or webIdentityTokenFile"),
            ),
            (
                r#","webIdentityToken":"a","durationSeconds":1"#,
                Err("assumeRoleWithWebIdentity: durationSeconds 1 is out of range; allowed are 900 to 43200"),
            ),
        ] {
            let found = web(&role(rest)).map(|identity| identity.unwrap().token);
            assert_eq!(found, expected.map_err(str::to_owned), "{rest}");
        }
        assert_eq!(web(""), Ok(None));
    }

    #[test]
    fn every_field_is_read() {
        let found = read(
            r#"{"roleArn":"arn:aws:iam::111122223333:role/Deploy","sessionName":"ci","durationSeconds":1800,
                "externalId":"e","policy":"{}","policyArns":["p"],"tags":{"team":"infra"},"transitiveTagKeys":["team"],
                "sourceIdentity":"ann"}"#,
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
            source_identity: Some("ann".to_owned()),
        };
        assert_eq!(found.unwrap(), [expected]);
    }

    #[test]
    fn tags_are_written_out_as_a_stack_has_them() {
        let role = |tags: &str| format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/x","tags":{tags}}}"#);
        let found = read(&role(r#"{"cost":42,"on":true,"empty":"","gone":null}"#)).unwrap().remove(0).tags;
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
                "invalid config value for 'assumeRole.roleArn': \"Deploy\" is no ARN; it should look like arn:aws:iam::123456789012:role/NAME",
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
