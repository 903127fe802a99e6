//! What can go wrong at the cloud, with everything a person needs to go on.

use std::fmt;

use super::{Hidden, Model};

/// A failed request or operation.
///
/// The text holds the service's message, type, operation, identifier, request token, region and account as far as they
/// are known; it never holds a desired state, a credential or an internal structure. What to do next is not in it: that
/// is added where the resource and its inputs are known ([`crate::advice`]).
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct CloudError {
    /// What happened, for telling cases apart.
    pub kind: CloudErrorKind,
    /// The text for people.
    pub message: String,
    /// The identifier of a resource that stands, or may stand, outside the state, as the service spelled it: what an
    /// import would take in.
    pub existing: Option<Box<str>>,
    /// The service took the operation up, so that what it did remains: the resource is not known to be as it was.
    pub accepted: bool,
    /// The request is kept, so that the next run picks up what became of it.
    pub kept: bool,
}

impl CloudError {
    /// A failure of a request that was not taken up, about nothing that stands outside the state.
    pub fn new(kind: CloudErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), existing: None, accepted: false, kept: false }
    }
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
    Credentials {
        /// What helps; only where they were looked for is that known.
        next: String,
    },
    /// The deadline passed; the operation may still finish.
    TimedOut,
    /// Cancel or a signal ended the wait.
    Canceled,
    /// Cancel or a signal came before anything was sent.
    NotStarted,
    /// The answer could not be understood.
    Malformed,
    /// The resource is there, but as an earlier run wanted it, which was cut off.
    MadeBefore,
}

impl CloudErrorKind {
    /// Whether the service does not know a request by its token, or not any more.
    pub(super) fn is_unknown_request(&self) -> bool {
        matches!(self, Self::Service { code } if code == "RequestTokenNotFoundException" || code == "RequestTokenNotFound")
    }
}

/// Why a create gave no complete resource. Debug output leaves the model out.
#[derive(Clone, thiserror::Error)]
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

/// Why an update failed. Debug output leaves the model out.
#[derive(Clone, thiserror::Error)]
#[error("{error}")]
pub struct UpdateFailure {
    /// The live model after the failure, when it could be read.
    pub model: Option<Model>,
    /// Nobody knows what becomes of the resource: the update may still be carried out, or it has ended, with whatever it did,
    /// and the resource cannot be read.
    pub unsettled: bool,
    /// What failed.
    pub error: CloudError,
}

impl fmt::Debug for CreateFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(error) => formatter.debug_tuple("Nothing").field(error).finish(),
            Self::Partial { identifier, model, error } => formatter
                .debug_struct("Partial")
                .field("identifier", identifier)
                .field("model", &model.as_ref().map(|_| Hidden))
                .field("error", error)
                .finish(),
        }
    }
}

impl fmt::Debug for UpdateFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("UpdateFailure")
            .field("model", &self.model.as_ref().map(|_| Hidden))
            .field("unsettled", &self.unsettled)
            .field("error", &self.error)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cloud::Created;
    use crate::cloud::api::Mutation;

    #[test]
    fn debug_output_shows_no_document() {
        let model = || json!({"Password": "canary"});
        let error = || CloudError::new(CloudErrorKind::Malformed, "bad");
        let text = r#"{"Password":"canary"}"#;
        for printed in [
            format!("{:?}", Mutation::Create { desired: text }),
            format!("{:?}", Mutation::Update { identifier: "q-1", patch: text }),
            format!("{:?}", Created { identifier: "q-1".to_owned(), model: model() }),
            format!(
                "{:#?}",
                CreateFailure::Partial { identifier: "q-1".to_owned(), model: Some(model()), error: error() }
            ),
            format!("{:?}", UpdateFailure { model: Some(model()), unsettled: false, error: error() }),
        ] {
            assert!(printed.contains("[redacted]") && !printed.contains("canary"), "{printed}");
        }
    }
}
