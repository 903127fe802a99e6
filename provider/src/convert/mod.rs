//! Between the SDK's shape of a resource and CloudFormation's: names, nothing else.
//!
//! | module | what is in it |
//! |---|---|
//! | [`to_cfn`](mod@to_cfn) | SDK values to the JSON that Cloud Control takes |
//! | [`from_cfn`](mod@from_cfn) | Cloud Control's models to SDK values |
//!
//! Keys of maps and of free-form JSON are the user's data and are never renamed. What secrets and unknowns mean is
//! decided elsewhere; here a secret is looked through and an unknown is an error.

pub mod from_cfn;
pub mod to_cfn;

pub use from_cfn::from_cfn;
pub use to_cfn::{EXACT, Select, kind_name, to_cfn, value_to_cfn};

/// The deepest model that is converted; deeper ones are refused, so that nothing overflows.
pub const MAX_DEPTH: usize = value::MAX_DEPTH;

/// Why a value has no form on the other side.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// The value is not of the kind that the schema says.
    #[error("{path}: expected {expected}, found {found}")]
    Kind {
        /// Where the value is, `/` between steps.
        path: String,
        /// What the schema says.
        expected: &'static str,
        /// What is there instead.
        found: String,
    },
    /// The value has no form in JSON.
    #[error("{path}: {kind} cannot be sent to AWS")]
    NoForm {
        /// Where the value is.
        path: String,
        /// The kind of value.
        kind: String,
    },
    /// A whole number that a double does not hold exactly.
    #[error(
        "{path}: whole numbers beyond 2^53 do not arrive exactly; give the value as text if the service takes text"
    )]
    Inexact {
        /// Where the value is.
        path: String,
    },
    /// Something is nested too deep.
    #[error("{path}: nested deeper than {MAX_DEPTH} levels")]
    TooDeep {
        /// The beginning of the path.
        path: String,
    },
    /// The model is no JSON object.
    #[error("the model is no JSON object but {found}")]
    NoObject {
        /// What it is.
        found: &'static str,
    },
}

impl ConvertError {
    /// The same error one level up.
    pub(crate) fn under(mut self, step: &str) -> Self {
        match &mut self {
            Self::Kind { path, .. } | Self::NoForm { path, .. } | Self::Inexact { path } => {
                *path = if path.is_empty() { step.to_owned() } else { format!("{step}/{path}") };
            }
            // The full path of something that is too deep helps nobody; its beginning does.
            Self::TooDeep { path } => *path = step.to_owned(),
            Self::NoObject { .. } => {}
        }
        self
    }
}
