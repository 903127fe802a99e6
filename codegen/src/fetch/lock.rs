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
    /// [`FetchError::File`] and [`FetchError::Lock`].
    pub fn read(path: &Path) -> Result<Self, FetchError> {
        let text = fs::read(path).map_err(FetchError::file("read", path))?;
        serde_json::from_slice(&text).map_err(|source| FetchError::Lock { path: path.to_owned(), source })
    }
}
