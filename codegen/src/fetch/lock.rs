//! The lock file: which package of schemas is used.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::FetchError;
use super::npm::NpmPackage;

/// `cf-schemas/lock.json`: the package of schemas that everything is generated from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Where the JSON schema of this file lies, for editors.
    #[serde(rename = "$schema", default)]
    pub json_schema: Option<String>,
    /// Where the package comes from.
    pub registry: Registry,
    /// Name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Name of the file that is downloaded.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// How many resource type schemas it has.
    pub schemas: usize,
    /// How many region files it has.
    pub providers: usize,
    /// Where the documentation comes from; without it, texts come from the schemas alone.
    pub documentation: Option<NpmPackage>,
}

/// Where a package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Registry {
    /// The Python package index, or what pip is configured to use in its place.
    Pypi,
}

impl Lock {
    /// Reads the lock file at `path`.
    ///
    /// # Errors
    ///
    /// [`FetchError::File`], [`FetchError::Lock`] and [`FetchError::LockField`].
    pub fn read(path: &Path) -> Result<Self, FetchError> {
        let text = fs::read(path).map_err(FetchError::file("read", path))?;
        let lock: Self =
            serde_json::from_slice(&text).map_err(|source| FetchError::Lock { path: path.to_owned(), source })?;
        let is_hash = lock.sha256.len() == 64 && lock.sha256.chars().all(|digit| digit.is_ascii_hexdigit());
        check_fields(
            path,
            &[
                ("package", &lock.package, is_plain(&lock.package), PLAIN),
                ("version", &lock.version, is_plain(&lock.version), PLAIN),
                ("file", &lock.file, is_plain(&lock.file), PLAIN),
                ("sha256", &lock.sha256, is_hash, "it has 64 hexadecimal digits"),
            ],
        )?;
        if let Some(documentation) = &lock.documentation {
            documentation.check(path)?;
        }
        Ok(lock)
    }
}

/// What a name of a package, a version or a file looks like. They become arguments of other programs and parts of paths,
/// so none begins like an option or leads out of a folder.
pub(super) const PLAIN: &str =
    "it begins with a letter or digit and has letters, digits, '.', '_', '-', '+' and '!' only";

/// Whether a text is [`PLAIN`].
pub(super) fn is_plain(text: &str) -> bool {
    let is_good = |character: char| character.is_ascii_alphanumeric() || ".-_+!".contains(character);
    text.starts_with(|first: char| first.is_ascii_alphanumeric()) && text.chars().all(is_good)
}

/// Refuses the first field that has not its form. Columns: name, value, whether it is good, the form.
pub(super) fn check_fields(
    path: &Path,
    fields: &[(&'static str, &String, bool, &'static str)],
) -> Result<(), FetchError> {
    match fields.iter().find(|(_, _, is_good, _)| !is_good) {
        None => Ok(()),
        Some((field, value, _, form)) => {
            Err(FetchError::LockField { path: path.to_owned(), field, value: (*value).clone(), form })
        }
    }
}
