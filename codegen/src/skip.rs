//! Schemas that become no resource, and why.

use crate::error::LowerError;
use cfn::SchemaError;

/// A schema that became no resource.
#[derive(Debug)]
pub struct Skip {
    /// The type it describes, when that could be read.
    pub type_name: Option<String>,
    /// The file it came from.
    pub file: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// Why a schema was left out.
#[derive(Debug, thiserror::Error)]
pub enum SkipReason {
    /// Cloud Control cannot make, read and remove such resources.
    #[error("not provisionable: no {missing} handler")]
    NotProvisionable {
        /// The missing handlers, joined with commas.
        missing: String,
    },
    /// The list of types to generate does not name it.
    #[error("not in the list of supported types")]
    NotListed,
    /// Another file describes the same type.
    #[error("#/typeName: {first} describes the same type; remove one of the two files")]
    Duplicate {
        /// The file that was used.
        first: String,
    },
    /// Another resource has the name that this one would get, or one that differs in capitals alone.
    #[error("{first} has the name {name} already")]
    NameTaken {
        /// The token.
        name: String,
        /// What has it: a type, or a token of the package itself.
        first: String,
    },
    /// The file cannot be had.
    #[error("{reason}")]
    Unavailable {
        /// Why, and what to do.
        reason: String,
    },
    /// The schema cannot be read.
    #[error("{0}{step}", step = step(.0))]
    Unreadable(#[from] SchemaError),
    /// The schema can be read but not turned into a resource.
    #[error(transparent)]
    Unsupported(#[from] LowerError),
}

/// What to do about a schema that cannot be read, beyond what the error itself says.
fn step(error: &SchemaError) -> &'static str {
    match error {
        SchemaError::Keyword { .. } => "; correct it at the schema's source or by an overlay",
        SchemaError::NotJson { .. } => "; get the file again or correct it, as JSON in UTF-8, or remove it",
        SchemaError::TooDeep { .. } => "; correct it at the schema's source, or remove the file",
        SchemaError::NotAnObject { .. } => "; put the schema of one resource type into the file, or remove it",
        SchemaError::TypeName { .. } => "; correct it at the schema's source, or remove the file",
    }
}

impl SkipReason {
    /// The type that the reason itself names.
    pub(crate) fn type_name(&self) -> Option<&str> {
        match self {
            SkipReason::Unreadable(error) => error.type_name(),
            SkipReason::NotProvisionable { .. }
            | SkipReason::NotListed
            | SkipReason::Duplicate { .. }
            | SkipReason::NameTaken { .. }
            | SkipReason::Unavailable { .. }
            | SkipReason::Unsupported(_) => None,
        }
    }

    /// Whether something is wrong with the schema; types that AWS does not offer through Cloud Control are no defect.
    pub fn is_defect(&self) -> bool {
        match self {
            SkipReason::NotProvisionable { .. } | SkipReason::NotListed => false,
            SkipReason::Duplicate { .. }
            | SkipReason::NameTaken { .. }
            | SkipReason::Unavailable { .. }
            | SkipReason::Unreadable(_)
            | SkipReason::Unsupported(_) => true,
        }
    }
}
