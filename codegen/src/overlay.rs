//! Corrections of schemas: one YAML file per type under `cf-schemas/overlays/`, each with its reason and a link.
//!
//! A correction is a list of JSON Patch operations (RFC 6902) on the schema document, applied before anything reads it.
//! It must have an effect: a type that is gone, a place that is gone and an operation that changes nothing are errors, so
//! that a correction disappears together with what it corrects.
//!
//! Reading the files is the command's part; this module gets their texts. What the files may say is published for
//! editors as `docs/schemas/overlay.schema.json`. What schemas cannot say at all stands under `cf-schemas/semantics/`,
//! see [`crate::semantics`].

use std::collections::BTreeMap;

use json_patch::PatchOperation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::yaml::{self, Located, Place, YamlError};

/// A correction of one resource type's schema.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// CloudFormation type name, for example `AWS::S3::Bucket`.
    #[serde(rename = "type")]
    type_name: Located<String>,
    /// What is wrong with the schema, and what is right.
    reason: Located<String>,
    /// Where that can be looked up.
    link: Located<String>,
    /// What to change, in this order.
    patch: Located<Vec<Located<Operation>>>,
}

/// One operation of JSON Patch (RFC 6902). Paths are JSON pointers into the schema document.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
enum Operation {
    /// Adds a value, or replaces the one that is there.
    Add {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Removes what is there.
    Remove {
        /// Where.
        path: String,
    },
    /// Replaces what is there.
    Replace {
        /// Where.
        path: String,
        /// By what.
        value: Value,
    },
    /// Moves a value.
    Move {
        /// From where.
        from: String,
        /// Where to.
        path: String,
    },
    /// Copies a value.
    Copy {
        /// From where.
        from: String,
        /// Where to.
        path: String,
    },
    /// Makes sure that a value is there.
    Test {
        /// Where.
        path: String,
        /// Which.
        value: Value,
    },
}

/// A correction and where it stands.
#[derive(Debug)]
struct Loaded {
    type_name: Place,
    reason: String,
    link: String,
    patch: Vec<(Place, PatchOperation)>,
}

/// All corrections, by type.
#[derive(Debug, Default)]
pub struct Overlays {
    by_type: BTreeMap<String, Loaded>,
}

/// One operation of a correction.
#[derive(Debug, Clone, Copy)]
pub struct Correction<'o> {
    /// Where it stands.
    pub place: &'o Place,
    /// What it does.
    pub operation: &'o PatchOperation,
    /// Why the type is corrected.
    pub reason: &'o str,
    /// Where that can be looked up.
    pub link: &'o str,
}

/// What is wrong with a correction.
#[derive(Debug, thiserror::Error)]
pub enum OverlayError {
    /// The file is not what an overlay must be.
    #[error("{0}; an overlay needs `type`, `reason`, `link` and `patch`, a list of JSON Patch operations")]
    Unreadable(#[source] YamlError),
    /// A path is no JSON pointer.
    #[error("{place}: {message}; the path of an operation is a JSON pointer, for example /properties/Name/type")]
    Pointer {
        /// The operation.
        place: Place,
        /// What the reader found.
        message: String,
    },
    /// A part that people need is empty.
    #[error(
        "{place}: `{member}` of the correction of {type_name} is empty; say what is wrong, why, and where to look it up"
    )]
    Unexplained {
        /// The empty part.
        place: Place,
        /// The type to correct.
        type_name: String,
        /// `reason`, `link` or `patch`.
        member: &'static str,
    },
    /// Two files correct one type.
    #[error("{place}: {other} corrects {type_name} already; put both corrections into one file")]
    Repeated {
        /// The later one.
        place: Place,
        /// The file that came first.
        other: String,
        /// The type to correct.
        type_name: String,
    },
    /// No schema has the type.
    #[error("{place}: there is no schema of the type {type_name}; remove the overlay")]
    UnknownType {
        /// The name of the type.
        place: Place,
        /// The type to correct.
        type_name: String,
    },
    /// An operation cannot be carried out.
    #[error("{place}: {type_name} at {pointer}: {source}; correct the overlay")]
    Refused {
        /// The operation.
        place: Place,
        /// The type to correct.
        type_name: String,
        /// The operation's path.
        pointer: String,
        /// What JSON Patch says.
        #[source]
        source: json_patch::PatchErrorKind,
    },
    /// An operation makes the document that of another type, or of none.
    #[error(
        "{place}: {type_name} at {pointer}: after this operation the document is no schema of {type_name} any more; an \
         overlay may change neither typeName nor what the document is"
    )]
    OtherType {
        /// The operation.
        place: Place,
        /// The type to correct.
        type_name: String,
        /// The operation's path.
        pointer: String,
    },
    /// An operation changes nothing.
    #[error("{place}: {type_name} at {pointer}: the schema has this value already; remove the operation")]
    NoEffect {
        /// The operation.
        place: Place,
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
    /// [`OverlayError::Unreadable`], [`OverlayError::Pointer`], [`OverlayError::Unexplained`] and
    /// [`OverlayError::Repeated`].
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OverlayError> {
        let mut by_type: BTreeMap<String, Loaded> = BTreeMap::new();
        for (file, text) in files {
            let overlay: Overlay = yaml::read(file, text).map_err(OverlayError::Unreadable)?;
            let type_name = overlay.type_name.value.clone();
            let empty = [
                ("reason", overlay.reason.value.trim().is_empty(), overlay.reason.place(file)),
                ("link", overlay.link.value.trim().is_empty(), overlay.link.place(file)),
                ("patch", overlay.patch.value.is_empty(), overlay.patch.place(file)),
            ];
            if let Some((member, _, place)) = empty.into_iter().find(|(_, empty, _)| *empty) {
                return Err(OverlayError::Unexplained { place, type_name, member });
            }
            let place = overlay.type_name.place(file);
            if let Some(loaded) = by_type.get(&type_name) {
                return Err(OverlayError::Repeated { place, other: loaded.type_name.file.clone(), type_name });
            }
            let operation = |operation: &Located<Operation>| operation.value.prepare(operation.place(file));
            let patch = overlay.patch.value.iter().map(operation).collect::<Result<_, _>>()?;
            let (reason, link) = (overlay.reason.value, overlay.link.value);
            by_type.insert(type_name, Loaded { type_name: place, reason, link, patch });
        }
        Ok(Self { by_type })
    }

    /// Corrects `schema`, the schema document of `type_name`. Documents of other types stay as they are.
    ///
    /// # Errors
    ///
    /// [`OverlayError::Refused`], [`OverlayError::OtherType`] and [`OverlayError::NoEffect`]; the document is then as it
    /// was.
    pub fn apply(&self, type_name: &str, schema: &mut Value) -> Result<(), OverlayError> {
        let Some(loaded) = self.by_type.get(type_name) else { return Ok(()) };
        let mut corrected = schema.clone();
        for (place, operation) in &loaded.patch {
            let (place, type_name) = (place.clone(), type_name.to_owned());
            let pointer = match operation.path().as_str() {
                "" => "the whole document".to_owned(),
                pointer => pointer.to_owned(),
            };
            let before = corrected.clone();
            if let Err(error) = json_patch::patch(&mut corrected, std::slice::from_ref(operation)) {
                return Err(OverlayError::Refused { place, type_name, pointer, source: error.kind });
            }
            if corrected.get("typeName").and_then(Value::as_str) != Some(&type_name) {
                return Err(OverlayError::OtherType { place, type_name, pointer });
            }
            if corrected == before && !matches!(operation, PatchOperation::Test(_)) {
                return Err(OverlayError::NoEffect { place, type_name, pointer });
            }
        }
        *schema = corrected;
        Ok(())
    }

    /// The operations on the schema of `type_name`, with why they are there.
    pub fn operations(&self, type_name: &str) -> impl Iterator<Item = Correction<'_>> {
        self.by_type.get(type_name).into_iter().flat_map(|loaded| {
            let (reason, link) = (loaded.reason.as_str(), loaded.link.as_str());
            loaded.patch.iter().map(move |(place, operation)| Correction { place, operation, reason, link })
        })
    }

    /// The corrections without those of the types that these errors are about, which were not carried out.
    pub fn without_failed(mut self, errors: &[OverlayError]) -> Self {
        for error in errors {
            if let OverlayError::Refused { type_name, .. }
            | OverlayError::OtherType { type_name, .. }
            | OverlayError::NoEffect { type_name, .. } = error
            {
                self.by_type.remove(type_name);
            }
        }
        self
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
                Err(OverlayError::UnknownType { place: loaded.type_name.clone(), type_name: type_name.clone() })
            }
        }
    }
}

impl Operation {
    /// The operation as it is carried out.
    fn prepare(&self, place: Place) -> Result<(Place, PatchOperation), OverlayError> {
        let prepared = serde_json::to_value(self).and_then(serde_json::from_value);
        match prepared {
            Ok(operation) => Ok((place, operation)),
            Err(error) => Err(OverlayError::Pointer { place, message: error.to_string() }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use serde_json::json;

    const GOOD: &str = "\
type: A::B::C
reason: r
link: l
patch:
  - {op: test, path: /a, value: 1}
  - op: replace
    path: /a
    value: 2
";

    #[test]
    fn a_correction_is_applied_to_its_type_alone() {
        let overlays = Overlays::parse([("c.yaml", GOOD)]).unwrap();
        let mut schema = json!({"typeName": "A::B::C", "a": 1});
        overlays.apply("A::B::D", &mut schema).unwrap();
        assert_eq!(schema["a"], 1);
        overlays.apply("A::B::C", &mut schema).unwrap();
        assert_eq!(schema, json!({"typeName": "A::B::C", "a": 2}));
        overlays.check_types(|type_name| type_name == "A::B::C").unwrap();
    }

    #[test]
    fn corrections_without_effect_are_errors() {
        let check = |patch: &str, message: &str| {
            let text = format!("type: A::B::C\nreason: r\nlink: l\npatch: [{patch}]\n");
            let result = Overlays::parse([("c.yaml", text.as_str())])
                .and_then(|overlays| overlays.apply("A::B::C", &mut json!({"typeName": "A::B::C", "a": 1})));
            assert_eq!(result.unwrap_err().to_string(), message);
        };
        check(
            "{op: replace, path: /a, value: 1}",
            "c.yaml:4:9: A::B::C at /a: the schema has this value already; remove the operation",
        );
        check("{op: remove, path: /b}", "c.yaml:4:9: A::B::C at /b: path is invalid; correct the overlay");
        check(
            "{op: remove, path: ''}",
            "c.yaml:4:9: A::B::C at the whole document: path is invalid; correct the overlay",
        );
        for (operation, pointer) in [
            ("{op: replace, path: /typeName, value: A::B::D}", "/typeName"),
            ("{op: remove, path: /typeName}", "/typeName"),
            ("{op: replace, path: '', value: []}", "the whole document"),
            ("{op: move, from: /a, path: /typeName}", "/typeName"),
        ] {
            check(
                operation,
                &format!(
                    "c.yaml:4:9: A::B::C at {pointer}: after this operation the document is no schema of A::B::C any more; an \
                     overlay may change neither typeName nor what the document is"
                ),
            );
        }
        check("{op: test, path: /a, value: 2}", "c.yaml:4:9: A::B::C at /a: value did not match; correct the overlay");
        check(
            "",
            "c.yaml:4:8: `patch` of the correction of A::B::C is empty; say what is wrong, why, and where to look it up",
        );
    }

    #[test]
    fn an_absent_type_is_an_error() {
        let overlays = Overlays::parse([("c.yaml", GOOD)]).unwrap();
        assert_eq!(
            overlays.check_types(|_| false).unwrap_err().to_string(),
            "c.yaml:1:7: there is no schema of the type A::B::C; remove the overlay"
        );
    }

    #[test]
    fn two_files_for_one_type_are_an_error() {
        assert_eq!(
            Overlays::parse([("c.yaml", GOOD), ("d.yaml", GOOD)]).unwrap_err().to_string(),
            "d.yaml:1:7: c.yaml corrects A::B::C already; put both corrections into one file"
        );
    }

    #[test]
    fn unreadable_files_are_errors() {
        let check = |text: &str, beginning: &str| {
            let message = Overlays::parse([("c.yaml", text)]).unwrap_err().to_string();
            assert!(message.starts_with(beginning), "{message}");
        };
        check("", "c.yaml:1:1: ");
        check("[]", "c.yaml:1:1: ");
        check("type: A\nreason: r\nlink: l\n", "c.yaml:3:1: missing field `patch`");
        check("type: A\nx: 1\n", "c.yaml:2:1: unknown field `x`");
        check("type: A\nreason: r\nlink: l\npatch: [{op: remove, path: a}]\n", "c.yaml:4:9: ");
        check("type: A\nreason: r\nlink: l\npatch: [{op: destroy, path: /a}]\n", "c.yaml:4:10: ");
    }
}
