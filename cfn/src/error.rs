//! Why a resource type schema could not be read.

/// A schema that cannot be used, with the place and the reason.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// The text is no JSON.
    #[error("the schema is no JSON: {source}")]
    NotJson {
        /// What the JSON reader found, with line and column.
        #[source]
        source: serde_json::Error,
    },
    /// Lists and objects of the document nest too deeply to be read.
    #[error("the schema nests deeper than 127 levels at line {line} column {column}; published ones reach 13")]
    TooDeep {
        /// Counted from 1.
        line: usize,
        /// In bytes, counted from 1.
        column: usize,
    },
    /// The document is JSON, but no object.
    #[error("the schema is {found}, not an object")]
    NotAnObject {
        /// The kind of value that stands there, with its article.
        found: &'static str,
    },
    /// The document has no usable `typeName`, so nothing can be said about it.
    #[error(
        "the schema has no typeName of the form Organization::Service::Resource, each part of 2 to 64 letters and digits \
         (found {found})"
    )]
    TypeName {
        /// The beginning of the value that stands there as JSON text, or `nothing`.
        found: String,
    },
    /// A keyword has a value that the schema language does not allow.
    #[error("{type_name} at {pointer}: {reason}")]
    Keyword {
        /// The type the document describes.
        type_name: String,
        /// JSON pointer to the value, as a fragment (`#/properties/Name/type`).
        pointer: String,
        /// What was expected and what stands there.
        reason: String,
    },
}

impl SchemaError {
    /// The CloudFormation type the document describes, once that much could be read.
    pub fn type_name(&self) -> Option<&str> {
        match self {
            SchemaError::Keyword { type_name, .. } => Some(type_name),
            SchemaError::NotJson { .. }
            | SchemaError::TooDeep { .. }
            | SchemaError::NotAnObject { .. }
            | SchemaError::TypeName { .. } => None,
        }
    }
}
