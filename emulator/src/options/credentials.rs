//! Access keys that are known from the start: whose they are, and the secrets that signatures are held against.

use crate::scope::is_account;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// What is known about access keys, by key id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Credentials(BTreeMap<String, Credential>);

/// What is known about one access key.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Credential {
    /// The account that calls with the key act in; the default account without it.
    pub account: Option<String>,
    /// What signatures are made with. Without it no signature of the key is right.
    pub secret: Option<String>,
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secret = self.secret.as_ref().map(|_| "…");
        f.debug_struct("Credential").field("account", &self.account).field("secret", &secret).finish()
    }
}

impl Credentials {
    /// Adds a key, or replaces what was known about it.
    pub fn with(mut self, key: impl Into<String>, credential: Credential) -> Credentials {
        self.0.insert(key.into(), credential);
        self
    }

    /// Reads a YAML file: `KEY: { account: "111111111111", secret: … }` for each key, both members optional.
    ///
    /// # Errors
    ///
    /// What is wrong with the file and where.
    pub fn read(path: &Path) -> Result<Credentials, String> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        Credentials::parse(&name, &text)
    }

    fn parse(name: &str, text: &str) -> Result<Credentials, String> {
        let credentials: Credentials = crate::yaml::read(name, text).map_err(|error| error.to_string())?;
        let wrong = credentials.0.iter().find(|(_, known)| !known.account.as_deref().is_none_or(is_account));
        match wrong {
            Some((key, _)) => Err(format!("{name}: the account of {key} has not twelve digits")),
            None => Ok(credentials),
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Credential> {
        self.0.get(key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_secrets_are_not_shown() {
        let text = "AKIDEXAMPLE: { account: \"111111111111\", secret: hidden }\nAKIDOTHER: {}\n";
        let read = Credentials::parse("keys.yaml", text);
        let account = Some("111111111111".to_owned());
        let expected = Credentials::default()
            .with("AKIDEXAMPLE", Credential { account, secret: Some("hidden".to_owned()) })
            .with("AKIDOTHER", Credential::default());
        assert_eq!(read.as_ref(), Ok(&expected));
        assert!(!format!("{read:?}").contains("hidden"));
        for (text, expected) in [
            ("AKID: { account: \"1\" }", "keys.yaml: the account of AKID has not twelve digits"),
            ("AKID: { key: x }", "keys.yaml:1:9: "),
            ("[]", "keys.yaml:1:1: "),
        ] {
            let error = Credentials::parse("keys.yaml", text).err().unwrap_or_default();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
