//! What changes for users between two inventories: the change report.
//!
//! | module | what is in it |
//! |---|---|
//! | `kind` | the kinds of change: whether programs break, and why it matters |
//! | `compare` | from two inventories to changes |
//! | `renames` | which names only look removed and added |
//! | `marks` | create-only, read-only and write-only paths |
//! | `markdown` | the report as people read it |

mod compare;
mod kind;
mod markdown;
mod marks;
mod renames;

pub use kind::{Impact, Kind};

use crate::inventory::module_of;
use serde::Serialize;

/// What a comparison starts from, which decides what can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// An inventory: everything.
    Inventory,
    /// A package schema: no CloudFormation names, and no paths but the create-only ones that it marks.
    PackageSchema,
    /// A name lock: names alone.
    NameLock,
}

impl Base {
    /// What the report cannot tell with such a base.
    pub fn limits(self) -> Option<&'static str> {
        match self {
            Base::Inventory => None,
            Base::PackageSchema => Some(
                "The base is a package schema. It states no CloudFormation names, no read-only or write-only paths, and \
                 create-only paths only where it marks them, so renames of resources and properties show as removed and \
                 added, and the other marks are not compared.",
            ),
            Base::NameLock => Some(
                "The base is a name lock. It states names alone, so types, flags and identifiers are not compared.",
            ),
        }
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The module, which is the token's middle part.
    pub module: String,
    /// What the change does to programs.
    pub impact: Impact,
    /// What happened.
    pub kind: Kind,
    /// The resource, type or function; its new token where it was renamed, its old one where it was removed.
    pub token: String,
    /// The property, the path or the enum value, where the change is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What there was, where that says more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What there is, where that says more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Why it matters to users.
    pub why: &'static str,
}

impl Change {
    fn new(kind: Kind, token: &str) -> Change {
        Change {
            module: module_of(token).to_owned(),
            impact: kind.impact(),
            kind,
            token: token.to_owned(),
            path: None,
            before: None,
            after: None,
            why: kind.why(),
        }
    }

    fn at(self, path: &str) -> Change {
        Change { path: Some(path.to_owned()), ..self }
    }

    fn with_values(self, before: &str, after: &str) -> Change {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Change { before: given(before), after: given(after), ..self }
    }

    /// The token with the path: `aws-native:s3:Bucket.bucketName`.
    pub fn place(&self) -> String {
        match &self.path {
            Some(path) => format!("{}.{path}", self.token),
            None => self.token.clone(),
        }
    }
}

/// All changes between a base and a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// What the comparison started from.
    pub base: Base,
    /// What it cannot tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<&'static str>,
    /// The changes in order of module, breaking ones first.
    pub changes: Vec<Change>,
}

impl Changes {
    /// The changes that break programs.
    pub fn breaking(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.impact == Impact::Breaking)
    }
}
