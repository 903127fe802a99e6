//! Where the journal's files are, and which of them belong to a program. Pure.

use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

/// The environment variable that names the folder, or switches the journal off.
pub const VARIABLE: &str = "PULUMI_AWS_NATIVE_JOURNAL";

/// How long [`Place::key`] is.
pub(super) const KEY_LENGTH: usize = 24;

/// What tells apart two stacks of the same name, which may hold the same URN.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The folder of the program.
    pub program: String,
    /// The backend of the state, where the environment names it.
    pub backend: String,
    /// The region.
    pub region: String,
    /// The endpoint of Cloud Control, where it is not the region's own.
    pub endpoint: String,
    /// The id of the provider's own resource in the state, where the engine tells it: no two stacks share one. It is in the
    /// entries and not in the names of files, since a stack may replace it.
    pub provider: Option<String>,
}

impl Place {
    /// What the names of its files begin with. All but the provider's id is in it.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        for part in [&self.program, &self.backend, &self.region, &self.endpoint] {
            // The length keeps neighbors apart.
            hash.update(part.len().to_be_bytes());
            hash.update(part.as_bytes());
        }
        hash.finalize().iter().take(KEY_LENGTH / 2).fold(String::with_capacity(KEY_LENGTH), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// The folder by the environment: the variable, else a folder of Pulumi's home; none when switched off or without a home.
pub fn folder(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let variable = |name: &str| variable(name).filter(|text| !text.is_empty());
    match variable(VARIABLE) {
        Some(text) if text.eq_ignore_ascii_case("off") => return None,
        Some(path) => return Some(PathBuf::from(path)),
        None => {}
    }
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let pulumi = variable("PULUMI_HOME").map(PathBuf::from).or_else(|| Some(PathBuf::from(home()?).join(".pulumi")))?;
    Some(pulumi.join("aws-native").join("requests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_follows_the_environment() {
        for (variables, expected) in [
            (&[][..], None),
            (&[("HOME", "/h")], Some("/h/.pulumi/aws-native/requests")),
            (&[("USERPROFILE", "/u")], Some("/u/.pulumi/aws-native/requests")),
            (&[("HOME", "/h"), ("PULUMI_HOME", "/p")], Some("/p/aws-native/requests")),
            (&[("HOME", "/h"), ("PULUMI_HOME", "")], Some("/h/.pulumi/aws-native/requests")),
            (&[("HOME", "/h"), (VARIABLE, "off")], None),
            (&[("HOME", "/h"), (VARIABLE, "OFF")], None),
            (&[("HOME", "/h"), (VARIABLE, "/j")], Some("/j")),
            (&[("HOME", "/h"), (VARIABLE, "")], Some("/h/.pulumi/aws-native/requests")),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(key, _): &&(&str, &str)| *key == name).map(|(_, text)| (*text).to_owned())
            };
            assert_eq!(folder(&variable), expected.map(PathBuf::from), "{variables:?}");
        }
    }

    #[test]
    fn every_part_of_the_place_counts() {
        let place = Place {
            program: "/p".to_owned(),
            backend: "file:///b".to_owned(),
            region: "eu-west-1".to_owned(),
            endpoint: String::new(),
            provider: None,
        };
        let others = [
            Place { program: "/q".to_owned(), ..place.clone() },
            Place { backend: String::new(), ..place.clone() },
            Place { region: "eu-west-2".to_owned(), ..place.clone() },
            Place { endpoint: "http://x".to_owned(), ..place.clone() },
            // The same text, cut at another place.
            Place { program: "/pf".to_owned(), backend: "ile:///b".to_owned(), ..place.clone() },
        ];
        let key = place.key();
        assert!(key.len() == KEY_LENGTH && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
        for other in others {
            assert_ne!(key, other.key(), "{other:?}");
        }
        assert_eq!(key, Place { provider: Some("id".to_owned()), ..place }.key());
    }
}
