//! By which gRPC code a failure at the cloud is told.
//!
//! The engine takes `UNKNOWN` for "the resource may have changed" and every other code for "nothing happened". So only
//! failures of which nothing can remain have a code that says what the caller should do next:
//!
//! | what the service answered, before it took the operation up or for a create that owns nothing | code |
//! |---|---|
//! | InvalidRequest, Validation, NotUpdatable: change the request | `INVALID_ARGUMENT` |
//! | AccessDenied, UnauthorizedTaggingOperation: get the permission | `PERMISSION_DENIED` |
//! | AlreadyExists: import it, or choose another name | `ALREADY_EXISTS` |
//! | NotFound | `NOT_FOUND` |
//! | ResourceConflict, ConcurrentOperation, ClientTokenConflict: wait for the other, then again | `ABORTED` |
//! | Throttling, ServiceLimitExceeded: later, or with a higher quota | `RESOURCE_EXHAUSTED` |
//! | InvalidCredentials: renew them | `UNAUTHENTICATED` |
//! | TypeNotFound, UnsupportedAction: not here | `UNIMPLEMENTED` |
//! | anything else | `UNKNOWN` |
//!
//! After the service has taken an operation up, its failures are `UNKNOWN`. Credentials, an endpoint that does not answer,
//! the deadline and Cancel have codes of their own at any time.

use super::answer;
use crate::cloud::{CloudError, CloudErrorKind};
use crate::lifecycle::Code;

/// The gRPC code for a failure at the cloud.
pub fn code(error: &CloudError) -> Code {
    match &error.kind {
        CloudErrorKind::Unreachable => Code::Unavailable,
        CloudErrorKind::Credentials => Code::Unauthenticated,
        CloudErrorKind::TimedOut => Code::DeadlineExceeded,
        CloudErrorKind::Canceled => Code::Canceled,
        CloudErrorKind::Malformed => Code::Unknown,
        CloudErrorKind::Service { .. } if error.accepted => Code::Unknown,
        CloudErrorKind::Service { .. } => match answer(error).unwrap_or_default() {
            "InvalidRequest" | "Validation" | "NotUpdatable" => Code::InvalidArgument,
            "AccessDenied" | "UnauthorizedTaggingOperation" => Code::PermissionDenied,
            "AlreadyExists" => Code::AlreadyExists,
            "NotFound" | "ResourceNotFound" => Code::NotFound,
            "ResourceConflict" | "ConcurrentOperation" | "ClientTokenConflict" => Code::Aborted,
            "Throttling" | "ServiceLimitExceeded" => Code::ResourceExhausted,
            "InvalidCredentials" => Code::Unauthenticated,
            "TypeNotFound" | "UnsupportedAction" => Code::Unimplemented,
            _ => Code::Unknown,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_the_caller_should_do_next() {
        for (answer, expected) in [
            ("InvalidRequest", Code::InvalidArgument),
            ("ValidationException", Code::InvalidArgument),
            ("ValidationError", Code::InvalidArgument),
            ("NotAuthorized", Code::PermissionDenied),
            ("NotUpdatable", Code::InvalidArgument),
            ("NotUpdatableException", Code::InvalidArgument),
            ("AccessDenied", Code::PermissionDenied),
            ("AccessDeniedException", Code::PermissionDenied),
            ("UnauthorizedTaggingOperation", Code::PermissionDenied),
            ("AlreadyExists", Code::AlreadyExists),
            ("AlreadyExistsException", Code::AlreadyExists),
            ("NotFound", Code::NotFound),
            ("ResourceNotFoundException", Code::NotFound),
            ("ResourceConflict", Code::Aborted),
            ("ConcurrentOperationException", Code::Aborted),
            ("ClientTokenConflictException", Code::Aborted),
            ("Throttling", Code::ResourceExhausted),
            ("ThrottlingException", Code::ResourceExhausted),
            ("ServiceLimitExceeded", Code::ResourceExhausted),
            ("TypeNotFoundException", Code::Unimplemented),
            ("UnsupportedActionException", Code::Unimplemented),
            ("InvalidCredentials", Code::Unauthenticated),
            ("InvalidCredentialsException", Code::Unauthenticated),
            ("NotStabilized", Code::Unknown),
            ("GeneralServiceException", Code::Unknown),
            ("HandlerInternalFailureException", Code::Unknown),
            ("Exception", Code::Unknown),
            ("", Code::Unknown),
        ] {
            let refused = CloudError::new(CloudErrorKind::Service { code: answer.to_owned() }, "m");
            assert_eq!(code(&refused), expected, "{answer}");
            // What the service has begun is not known to be as it was.
            assert_eq!(code(&CloudError { accepted: true, ..refused }), Code::Unknown, "{answer}");
        }
    }

    #[test]
    fn what_is_no_answer_of_the_service_has_its_own_code_at_any_time() {
        for (kind, expected) in [
            (CloudErrorKind::Unreachable, Code::Unavailable),
            (CloudErrorKind::Credentials, Code::Unauthenticated),
            (CloudErrorKind::TimedOut, Code::DeadlineExceeded),
            (CloudErrorKind::Canceled, Code::Canceled),
            (CloudErrorKind::Malformed, Code::Unknown),
        ] {
            for accepted in [false, true] {
                assert_eq!(code(&CloudError { accepted, ..CloudError::new(kind.clone(), "m") }), expected, "{kind:?}");
            }
        }
    }
}
