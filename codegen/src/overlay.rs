//! Corrections of schemas: one file per type under `cf-schemas/overlays/`, each with its reason and a link.
//!
//! A correction is a list of JSON Patch operations (RFC 6902) on the schema document, applied before anything reads it.
//! It must have an effect: a type that is gone, a place that is gone and an operation that changes nothing are errors, so
//! that a correction disappears together with what it corrects.
//!
//! Reading the files is the command's part; this module gets their texts.

use std::collections::BTreeMap;

use json_patch::PatchOperation;
use serde::Deserialize;
use serde_json::Value;

/// One correction, as its file states it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Overlay {
    #[serde(rename = "type")]
    type_name: String,
    reason: String,
    link: String,
    patch: Vec<PatchOperation>,
}

/// A correction and the file that it comes from.
#[derive(Debug)]
struct Loaded {
    file: String,
    patch: Vec<PatchOperation>,
}

/// All corrections, by type.
#[derive(Debug, Default)]
pub struct Overlays {
    by_type: BTreeMap<String, Loaded>,
}

/// What is wrong with a correction.
#[derive(Debug, thiserror::Error)]
pub enum OverlayError {
    /// The file is not what an overlay must be.
    #[error(
        "{file}: not an overlay ({source}); it needs `type`, `reason`, `link` and `patch`, a list of JSON Patch operations"
    )]
    Unreadable {
        /// Name of the file.
        file: String,
        /// What the JSON reader found.
        #[source]
        source: serde_json::Error,
    },
    /// A part that people need is empty.
    #[error(
        "{file}: `{member}` of the correction of {type_name} is empty; say what is wrong, why, and where to look it up"
    )]
    Unexplained {
        /// Name of the file.
        file: String,
        /// The type to correct.
        type_name: String,
        /// `reason`, `link` or `patch`.
        member: &'static str,
    },
    /// Two files correct one type.
    #[error("{file}: {other} corrects {type_name} already; put both corrections into one file")]
    Repeated {
        /// Name of the file.
        file: String,
        /// Name of the file that came first.
        other: String,
        /// The type to correct.
        type_name: String,
    },
    /// No schema has the type.
    #[error("{file}: there is no schema of the type {type_name}; remove the overlay")]
    UnknownType {
        /// Name of the file.
        file: String,
        /// The type to correct.
        type_name: String,
    },
    /// An operation cannot be carried out.
    #[error("{file}: {type_name} at {pointer}: {source}; correct the overlay")]
    Refused {
        /// Name of the file.
        file: String,
        /// The type to correct.
        type_name: String,
        /// The operation's path.
        pointer: String,
        /// What JSON Patch says.
        #[source]
        source: json_patch::PatchErrorKind,
    },
    /// An operation changes nothing.
    #[error("{file}: {type_name} at {pointer}: the schema has this value already; remove the operation")]
    NoEffect {
        /// Name of the file.
        file: String,
        /// The type to correct.
        type_name: String,
        /// The operation's path.
        pointer: String,
    },
}

impl Overlays {
    /// Reads corrections, given as file name and text.
    ///
    /// # Errors
    ///
    /// [`OverlayError::Unreadable`], [`OverlayError::Unexplained`] and [`OverlayError::Repeated`].
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OverlayError> {
        let mut by_type: BTreeMap<String, Loaded> = BTreeMap::new();
        for (file, text) in files {
            let overlay: Overlay = serde_json::from_str(text)
                .map_err(|source| OverlayError::Unreadable { file: file.to_owned(), source })?;
            let (file, type_name) = (file.to_owned(), overlay.type_name);
            let empty = [
                ("reason", overlay.reason.trim().is_empty()),
                ("link", overlay.link.trim().is_empty()),
                ("patch", overlay.patch.is_empty()),
            ];
            if let Some((member, _)) = empty.into_iter().find(|(_, empty)| *empty) {
                return Err(OverlayError::Unexplained { file, type_name, member });
            }
            if let Some(loaded) = by_type.get(&type_name) {
                return Err(OverlayError::Repeated { file, other: loaded.file.clone(), type_name });
            }
            by_type.insert(type_name, Loaded { file, patch: overlay.patch });
        }
        Ok(Self { by_type })
    }

    /// Corrects `schema`, the schema document of `type_name`. Documents of other types stay as they are.
    ///
    /// # Errors
    ///
    /// [`OverlayError::Refused`] and [`OverlayError::NoEffect`]; the document is then as it was.
    pub fn apply(&self, type_name: &str, schema: &mut Value) -> Result<(), OverlayError> {
        let Some(loaded) = self.by_type.get(type_name) else { return Ok(()) };
        let mut corrected = schema.clone();
        for operation in &loaded.patch {
            let (file, type_name) = (loaded.file.clone(), type_name.to_owned());
            let pointer = operation.path().to_string();
            let before = corrected.clone();
            if let Err(error) = json_patch::patch(&mut corrected, std::slice::from_ref(operation)) {
                return Err(OverlayError::Refused { file, type_name, pointer, source: error.kind });
            }
            if corrected == before && !matches!(operation, PatchOperation::Test(_)) {
                return Err(OverlayError::NoEffect { file, type_name, pointer });
            }
        }
        *schema = corrected;
        Ok(())
    }

    /// Makes sure that every corrected type is `known`.
    ///
    /// # Errors
    ///
    /// [`OverlayError::UnknownType`] for the first that is not.
    pub fn check_types(&self, known: impl Fn(&str) -> bool) -> Result<(), OverlayError> {
        match self.by_type.iter().find(|(type_name, _)| !known(type_name)) {
            None => Ok(()),
            Some((type_name, loaded)) => {
                Err(OverlayError::UnknownType { file: loaded.file.clone(), type_name: type_name.clone() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use serde_json::json;

    const GOOD: &str = r#"{"type": "A::B::C", "reason": "r", "link": "l", "patch": [
        {"op": "test", "path": "/a", "value": 1}, {"op": "replace", "path": "/a", "value": 2}
    ]}"#;

    #[test]
    fn a_correction_is_applied_to_its_type_alone() {
        let overlays = Overlays::parse([("c.json", GOOD)]).unwrap();
        let mut schema = json!({"a": 1});
        overlays.apply("A::B::D", &mut schema).unwrap();
        assert_eq!(schema, json!({"a": 1}));
        overlays.apply("A::B::C", &mut schema).unwrap();
        assert_eq!(schema, json!({"a": 2}));
        overlays.check_types(|type_name| type_name == "A::B::C").unwrap();
    }

    #[test]
    fn corrections_without_effect_are_errors() {
        let overlay = |patch: &str| format!(r#"{{"type": "A::B::C", "reason": "r", "link": "l", "patch": [{patch}]}}"#);
        let check = |patch: &str, message: &str| {
            let text = overlay(patch);
            let result = Overlays::parse([("c.json", text.as_str())])
                .and_then(|overlays| overlays.apply("A::B::C", &mut json!({"a": 1})));
            assert_eq!(result.unwrap_err().to_string(), message);
        };
        check(
            r#"{"op": "replace", "path": "/a", "value": 1}"#,
            "c.json: A::B::C at /a: the schema has this value already; remove the operation",
        );
        check(r#"{"op": "remove", "path": "/b"}"#, "c.json: A::B::C at /b: path is invalid; correct the overlay");
        check(
            r#"{"op": "test", "path": "/a", "value": 2}"#,
            "c.json: A::B::C at /a: value did not match; correct the overlay",
        );
        check(
            "",
            "c.json: `patch` of the correction of A::B::C is empty; say what is wrong, why, and where to look it up",
        );
    }

    #[test]
    fn an_absent_type_is_an_error() {
        let overlays = Overlays::parse([("c.json", GOOD)]).unwrap();
        assert_eq!(
            overlays.check_types(|_| false).unwrap_err().to_string(),
            "c.json: there is no schema of the type A::B::C; remove the overlay"
        );
    }

    #[test]
    fn two_files_for_one_type_are_an_error() {
        assert_eq!(
            Overlays::parse([("c.json", GOOD), ("d.json", GOOD)]).unwrap_err().to_string(),
            "d.json: c.json corrects A::B::C already; put both corrections into one file"
        );
    }

    #[test]
    fn unreadable_files_are_errors() {
        for text in ["", "[]", "{}", r#"{"type": "A", "reason": "r", "link": "l", "patch": [], "x": 1}"#] {
            assert!(
                Overlays::parse([("c.json", text)]).unwrap_err().to_string().starts_with("c.json: not an overlay (")
            );
        }
    }
}
