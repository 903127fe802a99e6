//! Base credentials as the configuration names them; what is behind them is found by `identity`.

use super::assume_role::WebIdentity;
use super::error::ConfigError;
use super::parse::Reader;
use super::secret::{NOT_SENDABLE, Secret, sendable};

/// Where base credentials come from, in order of precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// `accessKey`, `secretKey` and `token` of the configuration.
    Static {
        /// The access key id.
        access_key: Secret,
        /// The secret key.
        secret_key: Secret,
        /// The session token, if any.
        token: Option<Secret>,
    },
    /// `assumeRoleWithWebIdentity`: a role that a token of another party stands for.
    WebIdentity(WebIdentity),
    /// The profile that the configuration names; it outranks keys in the environment.
    Profile(String),
    /// The default chain of the AWS SDK: environment, web identity, shared files, container, instance.
    Default,
}

impl Credentials {
    /// The credentials that the configuration gives or leaves to others. `expand` replaces a home directory at the beginning of
    /// a path.
    ///
    /// # Errors
    ///
    /// One of the keys is missing, or cannot be sent.
    pub(super) fn read(get: &Reader<'_>, expand: &dyn Fn(&str) -> String) -> Result<Self, ConfigError> {
        match (key(get, "accessKey")?, key(get, "secretKey")?, key(get, "token")?) {
            (None, None, None) => Ok(match WebIdentity::read(get, expand)? {
                Some(identity) => Self::WebIdentity(identity),
                None => get.text("profile")?.map_or(Self::Default, Self::Profile),
            }),
            (Some(access_key), Some(secret_key), token) => Ok(Self::Static {
                access_key: Secret::new(access_key),
                secret_key: Secret::new(secret_key),
                token: token.map(Secret::new),
            }),
            (None, _, _) => Err(ConfigError::IncompleteKeys { missing: "accessKey" }),
            (Some(_), None, _) => Err(ConfigError::IncompleteKeys { missing: "secretKey" }),
        }
    }
}

/// One of the static keys.
///
/// # Errors
///
/// The value is no text, or has characters that no header can carry.
pub(super) fn key(get: &Reader<'_>, name: &str) -> Result<Option<String>, ConfigError> {
    match get.text(name)? {
        Some(text) if !sendable(&text) => {
            Err(ConfigError::Shape { key: name.to_owned(), reason: NOT_SENDABLE.to_owned() })
        }
        other => Ok(other),
    }
}

/// Replaces a leading `~/` or `%USERPROFILE%\` by the home directory; without one the path stays as it is.
pub(super) fn expand_home(path: &str, home: Option<&str>) -> String {
    let rest = path.strip_prefix("~/").or_else(|| path.strip_prefix("%USERPROFILE%\\"));
    match (rest, home) {
        (Some(rest), Some(home)) => format!("{}/{rest}", home.trim_end_matches('/')),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_is_expanded() {
        assert_eq!(expand_home("~/creds", Some("/home/u")), "/home/u/creds");
        assert_eq!(expand_home("%USERPROFILE%\\creds", Some("/home/u/")), "/home/u/creds");
        assert_eq!(expand_home("/etc/creds", Some("/home/u")), "/etc/creds");
        assert_eq!(expand_home("~/creds", None), "~/creds");
    }
}
