//! By which gRPC code a failure at the cloud is told.
//!
//! The engine sends nothing again by itself. It takes `UNKNOWN`, `INTERNAL` and `DATA_LOSS` for "the resource may have
//! changed", and says so of the whole update; every other code is "nothing happened" to it. So the first question is whether
//! the service has taken an operation up, and only then what the caller should do:
//!
//! | what is known | code |
//! |---|---|
//! | the service took the operation up, and nothing shows that it left nothing | `UNKNOWN`: look first, as the text says |
//! | no answer came: mend the connection, then again | `UNAVAILABLE` |
//! | no credentials, or refused ones: renew them | `UNAUTHENTICATED` |
//! | the deadline passed, or Cancel came, before an answer: again | `DEADLINE_EXCEEDED`, `CANCELLED` |
//! | an answer that cannot be understood | `UNKNOWN` |
//! | InvalidRequest, Validation, NotUpdatable: change the request | `INVALID_ARGUMENT` |
//! | AccessDenied, UnauthorizedTaggingOperation: get the permission | `PERMISSION_DENIED` |
//! | AlreadyExists: import it, or choose another name | `ALREADY_EXISTS` |
//! | NotFound | `NOT_FOUND` |
//! | ResourceConflict, ConcurrentOperation, ClientTokenConflict: wait for the other, then again | `ABORTED` |
//! | Throttling, ServiceLimitExceeded: later, or with a higher quota | `RESOURCE_EXHAUSTED` |
//! | InvalidCredentials: renew them | `UNAUTHENTICATED` |
//! | RegionDisabled: activate it | `PERMISSION_DENIED` |
//! | TypeNotFound, UnsupportedAction: not here | `UNIMPLEMENTED` |
//! | any other answer | `UNKNOWN` |
//!
//! A request whose answer was lost may have been taken up all the same. Nothing depends on the code then: a creation is
//! picked up by its client token, an update is told as one that nobody knows the end of ([`crate::lifecycle::update`]), and a
//! deletion can be asked for again.

use crate::cloud::answer::Answer;
use crate::cloud::{CloudError, CloudErrorKind};
use crate::requests::Code;

/// The gRPC code for a failure at the cloud.
pub fn code(error: &CloudError) -> Code {
    if error.accepted {
        return Code::Unknown;
    }
    match &error.kind {
        CloudErrorKind::Unreachable => Code::Unavailable,
        CloudErrorKind::Credentials { .. } => Code::Unauthenticated,
        CloudErrorKind::TimedOut => Code::DeadlineExceeded,
        CloudErrorKind::Canceled | CloudErrorKind::NotStarted => Code::Canceled,
        CloudErrorKind::Malformed | CloudErrorKind::MadeBefore => Code::Unknown,
        CloudErrorKind::Service { code } => by_answer(Answer::of(code)),
    }
}

/// The code for an answer that refused a request.
pub fn by_answer(answer: Answer) -> Code {
    match answer {
        Answer::InvalidRequest | Answer::Validation | Answer::NotUpdatable => Code::InvalidArgument,
        Answer::AccessDenied | Answer::RegionDisabled => Code::PermissionDenied,
        Answer::AlreadyExists => Code::AlreadyExists,
        Answer::NotFound => Code::NotFound,
        Answer::ResourceConflict | Answer::ConcurrentOperation | Answer::ClientTokenConflict => Code::Aborted,
        Answer::Throttling | Answer::ServiceLimitExceeded => Code::ResourceExhausted,
        Answer::InvalidCredentials => Code::Unauthenticated,
        Answer::TypeNotFound | Answer::UnsupportedAction => Code::Unimplemented,
        // What the service has done by then is not known, or not what the request has asked for.
        Answer::GeneralService
        | Answer::HandlerFailure
        | Answer::Hook
        | Answer::NotStabilized
        | Answer::PrivateType
        | Answer::RequestUnknown
        | Answer::ServiceFailure
        | Answer::Unreadable
        | Answer::Other => Code::Unknown,
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
            ("TooManyRequestsException", Code::ResourceExhausted),
            ("ConcurrentModificationException", Code::Aborted),
            ("OptInRequired", Code::PermissionDenied),
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
    fn what_is_no_answer_of_the_service_has_its_own_code_until_something_was_begun() {
        for (kind, expected) in [
            (CloudErrorKind::Unreachable, Code::Unavailable),
            (CloudErrorKind::Credentials { next: "n".to_owned() }, Code::Unauthenticated),
            (CloudErrorKind::TimedOut, Code::DeadlineExceeded),
            (CloudErrorKind::Canceled, Code::Canceled),
            (CloudErrorKind::NotStarted, Code::Canceled),
            (CloudErrorKind::Malformed, Code::Unknown),
            (CloudErrorKind::MadeBefore, Code::Unknown),
        ] {
            let error = CloudError::new(kind.clone(), "m");
            assert_eq!(code(&error), expected, "{kind:?}");
            assert_eq!(code(&CloudError { accepted: true, ..error }), Code::Unknown, "{kind:?}");
        }
    }
}
