//! YAML files that people write: reading them, and saying where in them something is wrong.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_saphyr::{Spanned, UserMessageFormatter};

/// A place in a file, printed as `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Counted from 1.
    pub line: u64,
    /// In characters, counted from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A file is not YAML, or not of the form that it must have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct YamlError {
    /// Where.
    pub place: Place,
    /// What the reader found.
    pub message: String,
}

/// A value and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Counted from 1.
    line: u64,
    /// In characters, counted from 1.
    column: u64,
}

impl<T> Located<T> {
    /// Where the value stands in `file`.
    pub fn place(&self, file: &str) -> Place {
        Place { file: file.to_owned(), line: self.line, column: self.column }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let (line, column) = (spanned.referenced.line(), spanned.referenced.column());
        Ok(Self { value: spanned.value, line, column })
    }
}

/// The schema of the value: where it stands is not written down.
impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Reads a text. `true` and `false` are the only booleans, and no key may stand twice.
///
/// # Errors
///
/// [`YamlError`] at the first place that does not fit.
pub fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |location| (location.line(), location.column()));
        // The plain text of an error has advice for who programs with the reader.
        let message = error.render_with_formatter(&UserMessageFormatter);
        let message = message.strip_suffix(&format!(" at line {line}, column {column}")).unwrap_or(&message);
        YamlError { place: Place { file: file.to_owned(), line, column }, message: message.to_owned() }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Cage {
        name: Located<String>,
        #[serde(default)]
        animals: Vec<Located<serde_json::Value>>,
    }

    #[test]
    fn values_know_where_they_stand() {
        let cage: Cage = read("zoo.yaml", "# A cage.\nname: no\nanimals:\n  - {legs: 4}\n  - null\n").unwrap();
        assert_eq!(
            (cage.name.value.as_str(), cage.name.place("zoo.yaml").to_string().as_str()),
            ("no", "zoo.yaml:2:7")
        );
        let places: Vec<_> = cage.animals.iter().map(|animal| (animal.line, animal.column)).collect();
        assert_eq!(places, [(4, 5), (5, 5)]);
        assert_eq!(cage.animals[0].value, serde_json::json!({"legs": 4}));
    }

    #[test]
    fn faults_are_said_with_their_places() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read::<Cage>("zoo.yaml", text).unwrap_err().to_string(), expected);
        };
        check("name: x\nlegs: 4\n", "zoo.yaml:2:1: unknown field `legs`, expected one of name, animals");
        check("name: x\nname: y\n", "zoo.yaml:2:1: duplicate mapping key `name` is not allowed here");
        check("name: [x]\n", "zoo.yaml:1:7: expected string scalar");
        check("name: x\n---\nname: y\n", "zoo.yaml:3:1: only single YAML document expected but multiple found");
        check("name: 'x\n", "zoo.yaml:1:7: unclosed quote");
    }
}
