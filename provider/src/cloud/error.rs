//! What can go wrong at the cloud, with everything a person needs to go on.

use super::Model;

/// A failed request or operation.
///
/// The text holds the service's message, type, operation, identifier, request token, region and account as far as they
/// are known, and the next step; it never holds a desired state, a credential or an internal structure.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct CloudError {
    /// What happened, for telling cases apart.
    pub kind: CloudErrorKind,
    /// The text for people.
    pub message: String,
}

/// Kinds of cloud failures that a caller can tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloudErrorKind {
    /// The service answered with this code (a `HandlerErrorCode` or an exception name).
    Service {
        /// For example `NotUpdatable` or `ValidationException`.
        code: String,
    },
    /// No answer: connection refused, name not found, TLS, an endpoint that speaks another protocol.
    Unreachable,
    /// No credentials, or credentials that cannot be used.
    Credentials,
    /// The deadline passed; the operation may still finish.
    TimedOut,
    /// Cancel or a signal ended the wait.
    Canceled,
    /// The answer could not be understood.
    Malformed,
}

/// Why a create gave no complete resource.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CreateFailure {
    /// Nothing exists that this create owns.
    #[error("{0}")]
    Nothing(CloudError),
    /// The resource with this identifier exists, as far as anyone knows, and belongs to this create.
    #[error("{error}")]
    Partial {
        /// The Cloud Control identifier.
        identifier: String,
        /// The live model, when it could be read.
        model: Option<Model>,
        /// What failed.
        error: CloudError,
    },
}

/// Why an update failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{error}")]
pub struct UpdateFailure {
    /// The live model after the failure, when it could be read.
    pub model: Option<Model>,
    /// What failed.
    pub error: CloudError,
}
