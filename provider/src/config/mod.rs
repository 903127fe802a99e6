//! The provider's configuration: typed, validated and immutable.
//!
//! [`read`] turns what the engine sends with Configure into a [`Configuration`]; [`check`] and [`diff`] are the rules of
//! CheckConfig and DiffConfig. Nothing here reaches a file or the network: the environment comes in as a function, and
//! what needs AWS (the region of a profile, credentials, the account) is resolved by [`crate::identity`].

use std::collections::BTreeMap;

use value::Map;

use crate::requests::Settings;

pub use assume_role::{AssumeRole, WebIdentity, WebToken};
pub use attempts::DEFAULT_MAX_ATTEMPTS;
pub use credentials::Credentials;
pub use diff::{ConfigDiff, diff};
pub use doubts::warnings;
pub use endpoints::{Endpoints, shown_url};
pub use error::{ConfigError, REGION_DESCRIPTION};
pub use guard::AccountGuard;
pub use secret::{NOT_SENDABLE, Secret, sendable};

mod assume_role;
mod attempts;
mod auto_naming;
pub mod check;
mod credentials;
mod diff;
mod doubts;
mod endpoints;
mod error;
mod form;
mod guard;
pub mod keys;
mod parse;
mod secret;
mod tags;

/// Looks up an environment variable; empty counts as unset.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What Configure was given, after validation. Two equal configurations make two providers that behave alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// `region` or its variables; `None` leaves it to the profile.
    pub region: Option<String>,
    /// Where base credentials come from.
    pub credentials: Credentials,
    /// `sharedCredentialsFile`, with the home directory expanded.
    pub shared_credentials_file: Option<String>,
    /// Endpoints per service.
    pub endpoints: Endpoints,
    /// The roles that wrap the base credentials, one after the other.
    pub assume_roles: Vec<AssumeRole>,
    /// `roleArn`, sent with every Cloud Control operation; unrelated to [`Self::assume_roles`].
    pub role_arn: Option<String>,
    /// Attempts per request and per operation, at least 1, by `maxRetries` or `AWS_MAX_ATTEMPTS`.
    pub max_attempts: Option<u32>,
    /// Size of the retry token bucket; `None` = no bucket.
    pub retry_rate_tokens: Option<u32>,
    /// Which accounts may be used.
    pub guard: AccountGuard,
    /// Do not ask STS who we are during Configure, unless the guard needs to know.
    pub skip_credentials_validation: bool,
    /// What the rules read.
    pub settings: Settings,
}

impl Configuration {
    /// Attempts per request and per operation.
    pub fn attempts(&self) -> u32 {
        self.max_attempts.unwrap_or(DEFAULT_MAX_ATTEMPTS)
    }
}

/// Reads a configuration from Configure's typed `args` and its string `variables` (`aws-native:config:<key>`).
///
/// A key in `args` wins over the same key in `variables`; null and empty text count as unset; JSON text stands for a
/// compound value everywhere. Unknown keys are ignored here: state written by another version must stay destroyable.
/// They are reported by [`check::failures`].
///
/// # Errors
///
/// [`ConfigError`] names the key that is wrong; secrets never appear in its text.
pub fn read(
    args: &Map,
    variables: &BTreeMap<String, String>,
    environment: Environment<'_>,
) -> Result<Configuration, ConfigError> {
    let values = parse::merge(args, variables);
    let get = parse::Reader::new(&values);
    let environment = |name: &str| environment(name).filter(|text| !text.is_empty());
    Ok(Configuration {
        region: [get.text("region")?, environment("AWS_REGION"), environment("AWS_DEFAULT_REGION")]
            .into_iter()
            .flatten()
            // Files and commands end with a line break, which is in no region's name.
            .map(|region| region.trim().to_owned())
            .find(|region| !region.is_empty()),
        credentials: Credentials::read(&get, &|path| credentials::expand_home(path, environment("HOME").as_deref()))?,
        shared_credentials_file: get
            .text("sharedCredentialsFile")?
            .or_else(|| environment("AWS_SHARED_CREDENTIALS_FILE"))
            .map(|path| credentials::expand_home(&path, environment("HOME").as_deref())),
        endpoints: Endpoints::read(&get)?,
        assume_roles: AssumeRole::read(&get)?,
        role_arn: get.role_arn("roleArn", form::role_arn_of_requests)?,
        max_attempts: attempts::most(&get)?
            .or_else(|| environment("AWS_MAX_ATTEMPTS")?.parse().ok().filter(|count| *count > 0)),
        retry_rate_tokens: get
            .integer("maxRetryRateTokens")?
            .filter(|tokens| *tokens > 0)
            .map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX)),
        guard: AccountGuard::new(
            get.strings("allowedAccountIds")?.unwrap_or_default(),
            get.strings("forbiddenAccountIds")?.unwrap_or_default(),
        ),
        skip_credentials_validation: match get.boolean("skipCredentialsValidation")? {
            Some(skip) => skip,
            None => {
                get.boolean("skipRequestingAccountId")? == Some(true)
                    || environment("AWS_SKIP_CREDENTIALS_VALIDATION").as_deref() == Some("true")
            }
        },
        settings: Settings {
            auto_naming: auto_naming::read(&get)?,
            default_tags: tags::defaults(&get)?,
            ignore_tags: tags::ignored(&get)?,
            strict: get.boolean("strictValidation")?.unwrap_or(false),
            verify_deletes: get.boolean("verifyDeletes")?.unwrap_or(false),
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use value::Value;

    use super::*;

    fn configuration(
        args: &[(&str, Value)],
        variables: &[(&str, &str)],
        env: &[(&str, &str)],
    ) -> Result<Configuration, String> {
        let args = args.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let variables =
            variables.iter().map(|(key, text)| (format!("aws-native:config:{key}"), (*text).to_owned())).collect();
        let env = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, text)| (*text).to_owned());
        read(&args, &variables, &env).map_err(|error| error.to_string())
    }

    #[test]
    fn a_region_comes_from_args_then_variables_then_the_environment() {
        let text = |text: &str| Value::String(text.to_owned());
        let env = [("AWS_REGION", "env-1"), ("AWS_DEFAULT_REGION", "default-1")];
        for (argument, variable, env, expected) in [
            (Some(text("arg-1")), Some("var-1"), &env[..], Some("arg-1")),
            (Some(Value::secret(text("arg-1"))), None, &env, Some("arg-1")),
            (Some(Value::Null), Some("var-1"), &env, Some("var-1")),
            (None, Some(""), &env, Some("env-1")),
            (None, None, &env[1..], Some("default-1")),
            (None, None, &[("AWS_REGION", "")], None),
            (Some(text(" ")), Some("var-1"), &env, Some("env-1")),
            (None, Some("var-1\n"), &env, Some("var-1")),
        ] {
            let args: Vec<_> = argument.into_iter().map(|value| ("region", value)).collect();
            let variables: Vec<_> = variable.into_iter().map(|text| ("region", text)).collect();
            let found = configuration(&args, &variables, env).unwrap().region;
            assert_eq!(found.as_deref(), expected, "args {args:?}, variables {variables:?}, env {env:?}");
        }
    }

    #[test]
    fn bad_values_name_their_key() {
        for (key, text, expected) in [
            ("maxRetries", "many", "invalid config value for 'maxRetries': \"many\": expected a whole number"),
            ("maxRetries", "-1", "invalid config value for 'maxRetries': \"-1\": must not be negative"),
            (
                "maxRetryRateTokens",
                "1.5",
                "invalid config value for 'maxRetryRateTokens': \"1.5\": expected a whole number",
            ),
            (
                "skipCredentialsValidation",
                "yes",
                "invalid config value for 'skipCredentialsValidation': \"yes\": expected true or false",
            ),
            (
                "roleArn",
                "arn:aws:iam::111122223333:user/u",
                "invalid config value for 'roleArn': \"arn:aws:iam::111122223333:user/u\" is not the ARN of an IAM role; it \
                 should look like arn:aws:iam::123456789012:role/NAME",
            ),
            ("assumeRole", "{}", "assumeRole: roleArn is missing; set it to the ARN of the role to assume"),
            (
                "autoNaming",
                r#"{"randomSuffixMinLength":257}"#,
                "invalid config value for 'autoNaming.randomSuffixMinLength': \"257\": must not be above 256",
            ),
            (
                "autoNaming",
                r#"{"randomSuffixMinLength":"x"}"#,
                "invalid config value for 'autoNaming.randomSuffixMinLength': \"x\": expected a whole number",
            ),
            (
                "assumeRole",
                r#"{"roleArn":"arn:aws:iam::111122223333:role/x","durationSeconds":1.5}"#,
                "invalid config value for 'assumeRole.durationSeconds': \"1.5\": expected a whole number",
            ),
            ("autoNaming", "7", "failed to unmarshal 'autoNaming' config: expected an object, got a number"),
            (
                "accessKey",
                "AK",
                "secretKey is missing: accessKey and secretKey are given together, and token with both of them; give \
                 secretKey too, or remove the others, so that a profile or the environment has the credentials",
            ),
            (
                "defaultTags",
                "{\"tags\":{\"aws:x\":\"1\"}}",
                "defaultTags: aws:x: keys that begin with aws: belong to AWS",
            ),
        ] {
            assert_eq!(configuration(&[], &[(key, text)], &[]).unwrap_err(), expected, "{key} = {text}");
        }
        // Every key with parts that text may stand for.
        let other = "got other text: write it as JSON, or set its parts with `--path`";
        for (key, expected) in [
            ("allowedAccountIds", "a list of text"),
            ("forbiddenAccountIds", "a list of text"),
            ("autoNaming", "an object"),
            ("assumeRole", "an object, or a list of such objects"),
            ("assumeRoleWithWebIdentity", "an object"),
            ("defaultTags", "an object"),
            ("ignoreTags", "an object"),
            ("endpoints", "an object from service to URL, or a list of such objects"),
        ] {
            for (text, found) in [
                ("a", other),
                ("0123", other),
                (" {\"a\":", "got JSON text that ends too early"),
                ("[", "got JSON text that ends too early"),
                ("{\"canary\":\n nul}", "got JSON text with a mistake at line 2, column 5"),
            ] {
                let message = configuration(&[], &[(key, text)], &[]).unwrap_err();
                assert_eq!(
                    message,
                    format!("failed to unmarshal '{key}' config: expected {expected}, {found}"),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn c95_both_forms_of_endpoints_are_read() {
        let list = r#"[{"STS":"http://a"},{"cloudControl":"http://b","s3":null}]"#;
        let map = r#"{"sts":"http://a","CLOUDCONTROL":"http://b","s3":""}"#;
        for json in [list, map] {
            let typed = value::json::from_json(&serde_json::from_str(json).unwrap());
            for found in [
                configuration(&[("endpoints", typed.clone())], &[], &[]),
                configuration(&[("endpoints", Value::secret(typed))], &[], &[]),
                configuration(&[("endpoints", Value::String(json.to_owned()))], &[], &[]),
                configuration(&[], &[("endpoints", json)], &[]),
            ] {
                let found = found.unwrap().endpoints;
                assert_eq!(found.get("sts"), Some("http://a"), "{json}");
                assert_eq!(found.get("cloudcontrol"), Some("http://b"), "{json}");
                assert_eq!(found.get("s3"), None, "{json}");
            }
        }
    }

    #[test]
    fn a_role_is_taken_without_the_space_around_it_and_not_quoted_when_secret() {
        let role = "arn:aws-us-gov:iam::111122223333:role/a/R";
        let found = configuration(&[], &[("roleArn", &format!("{role}\n"))], &[]).unwrap();
        assert_eq!(found.role_arn.as_deref(), Some(role));
        assert_eq!(configuration(&[], &[("roleArn", " ")], &[]).unwrap().role_arn, None);
        let secret = Value::secret(Value::from("canary"));
        assert_eq!(
            configuration(&[("roleArn", secret)], &[], &[]).unwrap_err(),
            "invalid config value for 'roleArn': its value is no ARN; it should look like \
             arn:aws:iam::123456789012:role/NAME"
        );
    }

    #[test]
    fn zero_retries_mean_one_attempt() {
        assert_eq!(configuration(&[], &[("maxRetries", "0")], &[]).unwrap().attempts(), 1);
        assert_eq!(configuration(&[("maxRetries", Value::Number(7.0))], &[], &[]).unwrap().attempts(), 7);
        assert_eq!(configuration(&[], &[], &[]).unwrap().attempts(), DEFAULT_MAX_ATTEMPTS);
    }

    #[test]
    fn configured_credentials_outrank_the_environment() {
        let keys = [("accessKey", "AK"), ("secretKey", "SK"), ("profile", "p")];
        let env = [("AWS_PROFILE", "other")];
        let found = configuration(&[], &keys, &env).unwrap().credentials;
        assert!(matches!(found, Credentials::Static { .. }), "{found:?}");
        assert_eq!(configuration(&[], &keys[2..], &env).unwrap().credentials, Credentials::Profile("p".to_owned()));
        let web =
            ("assumeRoleWithWebIdentity", r#"{"roleArn":"arn:aws:iam::111122223333:role/x","webIdentityToken":"t"}"#);
        for (keys, is_web) in [(&[web][..], true), (&[web, keys[2]], true), (&[web, keys[0], keys[1]], false)] {
            let found = configuration(&[], keys, &env).unwrap().credentials;
            assert_eq!(matches!(found, Credentials::WebIdentity(_)), is_web, "{found:?}");
        }
        assert_eq!(configuration(&[], &[], &env).unwrap().credentials, Credentials::Default);
    }

    #[test]
    fn a_configuration_never_prints_its_keys() {
        let role = r#"{"roleArn":"arn:aws:iam::111122223333:role/x","externalId":"canary-e"}"#;
        let web = r#"{"roleArn":"arn:aws:iam::111122223333:role/x","webIdentityToken":"canary-w"}"#;
        let keys = [("accessKey", "canary-a"), ("secretKey", "canary-s"), ("token", "canary-t"), ("assumeRole", role)];
        for keys in [&keys[..], &[("assumeRoleWithWebIdentity", web), ("assumeRole", &format!("[{role},{role}]"))]] {
            let printed = format!("{:?}", configuration(&[], keys, &[]).unwrap());
            assert!(!printed.contains("canary"), "{printed}");
        }
    }
}
