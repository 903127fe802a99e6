//! The requests that the client needs from Cloud Control, one by one, without any waiting.
//!
//! [`super::sdk`] sends them through the AWS SDK; tests answer them from a script.

use std::fmt;

use super::Hidden;
use super::codes;
use super::error::CloudErrorKind;
use super::event::Event;

/// What a mutation does, with its documents as JSON text; Debug output leaves those out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mutation<'a> {
    /// CreateResource.
    Create {
        /// The desired state.
        desired: &'a str,
    },
    /// UpdateResource.
    Update {
        /// The resource.
        identifier: &'a str,
        /// An RFC 6902 document.
        patch: &'a str,
    },
    /// DeleteResource.
    Delete {
        /// The resource.
        identifier: &'a str,
    },
}

impl<'a> Mutation<'a> {
    /// The name of the operation as progress events spell it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Create { .. } => "CREATE",
            Self::Update { .. } => "UPDATE",
            Self::Delete { .. } => "DELETE",
        }
    }

    /// The API call.
    pub fn call(&self) -> &'static str {
        match self {
            Self::Create { .. } => "CreateResource",
            Self::Update { .. } => "UpdateResource",
            Self::Delete { .. } => "DeleteResource",
        }
    }

    /// The resource, where the caller names it.
    pub fn identifier(&self) -> Option<&'a str> {
        match self {
            Self::Create { .. } => None,
            Self::Update { identifier, .. } | Self::Delete { identifier } => Some(identifier),
        }
    }
}

impl fmt::Debug for Mutation<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create { .. } => formatter.debug_struct("Create").field("desired", &Hidden).finish(),
            Self::Update { identifier, .. } => {
                formatter.debug_struct("Update").field("identifier", identifier).field("patch", &Hidden).finish()
            }
            Self::Delete { identifier } => formatter.debug_struct("Delete").field("identifier", identifier).finish(),
        }
    }
}

/// A request that got no usable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestError {
    /// What happened.
    pub kind: CloudErrorKind,
    /// The API call, for example `GetResource`.
    pub call: &'static str,
    /// The service's words, or ours when it gave none.
    pub message: String,
    /// AWS's id of the request, for support cases.
    pub request_id: Option<String>,
    /// Whether the same request may succeed a little later.
    pub transient: bool,
    /// The request that the service names in a refusal, beside its words.
    pub request_token: Option<String>,
}

impl RequestError {
    /// The error code of the service, if it gave one.
    pub fn code(&self) -> Option<&str> {
        match &self.kind {
            CloudErrorKind::Service { code } => Some(code),
            _ => None,
        }
    }

    /// What the failure means: a handler's own code stands in the words of an exception that says nothing by itself.
    pub(super) fn meaning(&self) -> CloudErrorKind {
        let vague = matches!(
            self.code(),
            Some("GeneralServiceException" | "HandlerFailureException" | "HandlerInternalFailureException")
        );
        match handler_code(&self.message).filter(|code| vague && !code.is_empty()) {
            Some(code) => CloudErrorKind::Service { code: code.to_owned() },
            None => self.kind.clone(),
        }
    }

    /// Whether the service does not know the request that was asked about.
    pub(super) fn is_unknown_request(&self) -> bool {
        self.kind.is_unknown_request()
    }

    /// Whether the resource does not exist: only by the service's own word, never by a bare HTTP status.
    pub fn is_gone(&self) -> bool {
        match self.code() {
            Some(code) if codes::says_gone(code) => true,
            // Some types report the handler's word inside another exception.
            Some("TypeNotFoundException") | None => false,
            Some(_) => handler_code(&self.message) == Some("NotFound"),
        }
    }
}

/// The handler's code in the words of a service: what it puts behind the handler's own message is last, as
/// `(HandlerErrorCode: X, RequestToken: Y)` or `(RequestToken: Y, HandlerErrorCode: X)`.
fn handler_code(message: &str) -> Option<&str> {
    let (_, trailer) = message.rsplit_once('(')?;
    let (_, code) = trailer.split_once("HandlerErrorCode: ")?;
    code.split([',', ')']).next().map(str::trim)
}

/// Single requests to Cloud Control.
pub trait Api: Send + Sync {
    /// Starts a mutation. The same `client_token` never starts a second one.
    ///
    /// # Errors
    ///
    /// The request was refused or its outcome is unknown.
    fn submit(
        &self,
        type_name: &str,
        mutation: Mutation<'_>,
        client_token: &str,
    ) -> impl Future<Output = Result<Event, RequestError>> + Send;

    /// GetResourceRequestStatus, hooks included.
    ///
    /// # Errors
    ///
    /// The poll failed; the operation goes on.
    fn status(&self, request_token: &str) -> impl Future<Output = Result<Event, RequestError>> + Send;

    /// GetResource; the model's JSON text.
    ///
    /// # Errors
    ///
    /// The read failed, or the resource is gone ([`RequestError::is_gone`]).
    fn get(&self, type_name: &str, identifier: &str) -> impl Future<Output = Result<String, RequestError>> + Send;

    /// ListResourceRequests: the operations that are under way in the account and region, a few hundred at most. Asked once
    /// and not repeated, since it only helps to explain a refusal.
    ///
    /// # Errors
    ///
    /// They could not be listed; the caller may lack the permission.
    fn requests(&self) -> impl Future<Output = Result<Vec<Event>, RequestError>> + Send;

    /// CancelResourceRequest.
    ///
    /// # Errors
    ///
    /// The operation could not be stopped.
    fn cancel(&self, request_token: &str) -> impl Future<Output = Result<(), RequestError>> + Send;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: &str, message: &str) -> RequestError {
        RequestError {
            kind: CloudErrorKind::Service { code: code.to_owned() },
            call: "GetResource",
            message: message.to_owned(),
            request_id: None,
            transient: false,
            request_token: None,
        }
    }

    #[test]
    fn gone_is_said_by_the_service_alone() {
        for (code, message, gone) in [
            ("ResourceNotFoundException", "", true),
            ("ResourceNotFound", "", true),
            ("NotFound", "", true),
            ("GeneralServiceException", "no such q (HandlerErrorCode: NotFound, RequestToken: r-1)", true),
            ("GeneralServiceException", "no such q (RequestToken: r-1, HandlerErrorCode: NotFound)", true),
            ("InvalidRequestException", "q (old) (HandlerErrorCode: NotFound)", true),
            ("GeneralServiceException", "no such q (HandlerErrorCode: NotFoundYet, RequestToken: r-1)", false),
            ("GeneralServiceException", "(HandlerErrorCode: NotFound,) (HandlerErrorCode: AccessDenied)", false),
            ("GeneralServiceException", "the NotFound page was not found", false),
            ("TypeNotFoundException", "(HandlerErrorCode: NotFound, RequestToken: r-1)", false),
            ("ValidationException", "", false),
        ] {
            let error = refusal(code, message);
            assert_eq!(error.is_gone(), gone, "{code} {message:?}");
        }
    }

    #[test]
    fn c50_a_handler_says_in_the_words_what_the_exception_does_not() {
        for (code, message, expected) in [
            ("GeneralServiceException", "no (HandlerErrorCode: AccessDenied, RequestToken: r-1)", "AccessDenied"),
            ("HandlerFailureException", "no (HandlerErrorCode: ServiceTimeout)", "ServiceTimeout"),
            ("HandlerInternalFailureException", "no (RequestToken: r, HandlerErrorCode: Throttling)", "Throttling"),
            ("GeneralServiceException", "no (HandlerErrorCode: )", "GeneralServiceException"),
            ("GeneralServiceException", "no", "GeneralServiceException"),
            ("ValidationException", "no (HandlerErrorCode: AccessDenied)", "ValidationException"),
        ] {
            let error = refusal(code, message);
            assert_eq!(error.meaning(), CloudErrorKind::Service { code: expected.to_owned() }, "{code} {message:?}");
        }
    }
}
