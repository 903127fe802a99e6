//! What Cloud Control and the handlers of types answer when something goes wrong, by what it means.
//!
//! A handler's code stands in the event of an operation (`NotUpdatable`), an exception refuses a request
//! (`NotUpdatableException`); both mean the same. What follows from an answer is decided by exhaustive matches: whose fault it
//! is here, by which gRPC code it is told and what helps in [`crate::advice`]. Which of them are worth a new request is in
//! [`super::retry`], since that also depends on the operation and on the service's words.

use crate::identity::codes::Kind;

/// What the service says went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The caller, or the role of the handlers, may not.
    AccessDenied,
    /// Something of that identity is there.
    AlreadyExists,
    /// The client token belongs to another request.
    ClientTokenConflict,
    /// Another request is under way on the resource, or the request itself is just changing.
    ConcurrentOperation,
    /// The service's own words have the reason, and no code fits.
    GeneralService,
    /// The handler failed in a way that it did not foresee.
    HandlerFailure,
    /// A CloudFormation hook objected.
    Hook,
    /// The handler's credentials are not accepted.
    InvalidCredentials,
    /// The handler does not take the properties or the identifier.
    InvalidRequest,
    /// Not found: the resource, or what it refers to.
    NotFound,
    /// The resource did not become ready.
    NotStabilized,
    /// Only a replacement can change this.
    NotUpdatable,
    /// The handler of a private type answered badly.
    PrivateType,
    /// The account has no access to the service or the region.
    RegionDisabled,
    /// The service does not know the request that was asked about.
    RequestUnknown,
    /// The service has the resource in use.
    ResourceConflict,
    /// The service failed or did not answer the handler.
    ServiceFailure,
    /// A quota is used up.
    ServiceLimitExceeded,
    /// Too many requests.
    Throttling,
    /// The type is not in the registry of the account and region.
    TypeNotFound,
    /// What was sent is no request of Cloud Control.
    Unreadable,
    /// The type has no handler for this.
    UnsupportedAction,
    /// Cloud Control itself does not take what was sent.
    Validation,
    /// A code that none of the lists has.
    Other,
}

/// Who has to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The user: the program, the permissions, the account.
    User,
    /// The service, or somebody else at it.
    Service,
    /// This provider, or what stands between it and the service.
    Provider,
}

/// Every code of the API's model and of its handlers, and those that clients meet beside them, without `Exception`.
const CODES: [(&str, Answer); 42] = [
    ("AccessDenied", Answer::AccessDenied),
    ("AlreadyExists", Answer::AlreadyExists),
    ("ClientTokenConflict", Answer::ClientTokenConflict),
    ("ConcurrentModification", Answer::ConcurrentOperation),
    ("ConcurrentOperation", Answer::ConcurrentOperation),
    ("GeneralService", Answer::GeneralService),
    ("HandlerFailure", Answer::HandlerFailure),
    ("HandlerInternalFailure", Answer::HandlerFailure),
    ("InternalFailure", Answer::HandlerFailure),
    ("InternalServerError", Answer::ServiceFailure),
    ("InvalidCredentials", Answer::InvalidCredentials),
    ("InvalidRequest", Answer::InvalidRequest),
    ("InvalidTypeConfiguration", Answer::Hook),
    ("NetworkFailure", Answer::ServiceFailure),
    ("NonCompliant", Answer::Hook),
    ("NotAuthorized", Answer::AccessDenied),
    ("NotFound", Answer::NotFound),
    ("NotStabilized", Answer::NotStabilized),
    ("NotUpdatable", Answer::NotUpdatable),
    ("OptInRequired", Answer::RegionDisabled),
    ("PrivateType", Answer::PrivateType),
    ("RegionDisabled", Answer::RegionDisabled),
    ("RequestTokenNotFound", Answer::RequestUnknown),
    ("ResourceConflict", Answer::ResourceConflict),
    ("ResourceNotFound", Answer::NotFound),
    ("Serialization", Answer::Unreadable),
    ("ServiceInternalError", Answer::ServiceFailure),
    ("ServiceLimitExceeded", Answer::ServiceLimitExceeded),
    ("ServiceTimeout", Answer::ServiceFailure),
    ("ServiceUnavailable", Answer::ServiceFailure),
    ("SubscriptionRequired", Answer::RegionDisabled),
    ("Throttling", Answer::Throttling),
    ("TypeNotFound", Answer::TypeNotFound),
    ("UnauthorizedTaggingOperation", Answer::AccessDenied),
    ("UnknownOperation", Answer::Unreadable),
    ("UnsupportedAction", Answer::UnsupportedAction),
    ("UnsupportedOperation", Answer::UnsupportedAction),
    ("UnsupportedTarget", Answer::Hook),
    ("Validation", Answer::Validation),
    // What the front of every AWS service calls them.
    ("ValidationError", Answer::Validation),
    ("InvalidAction", Answer::Unreadable),
    ("MalformedQueryString", Answer::Unreadable),
];

impl Answer {
    /// What a code means, of a handler or of an exception.
    pub fn of(code: &str) -> Self {
        let name = code.strip_suffix("Exception").unwrap_or(code);
        match CODES.iter().find(|(known, _)| *known == name) {
            Some((_, answer)) => *answer,
            None => match Kind::of(name) {
                Kind::Throttled => Self::Throttling,
                Kind::Denied => Self::AccessDenied,
                Kind::RegionDisabled => Self::RegionDisabled,
                Kind::Credentials | Kind::Signature => Self::InvalidCredentials,
                Kind::Other => Self::Other,
            },
        }
    }

    /// The codes that are known by name, without `Exception`, with what they mean.
    pub fn known() -> impl Iterator<Item = (&'static str, Self)> {
        CODES.into_iter()
    }

    /// Who has to do something about it, as far as the answer alone tells.
    pub fn blame(self) -> Blame {
        match self {
            Self::AccessDenied
            | Self::AlreadyExists
            | Self::GeneralService
            | Self::Hook
            | Self::InvalidCredentials
            | Self::InvalidRequest
            | Self::NotFound
            | Self::NotUpdatable
            | Self::RegionDisabled
            | Self::ServiceLimitExceeded
            | Self::TypeNotFound
            | Self::UnsupportedAction
            | Self::Validation => Blame::User,
            Self::ConcurrentOperation
            | Self::HandlerFailure
            | Self::NotStabilized
            | Self::PrivateType
            | Self::RequestUnknown
            | Self::ResourceConflict
            | Self::ServiceFailure
            | Self::Throttling
            | Self::Other => Blame::Service,
            Self::ClientTokenConflict | Self::Unreadable => Blame::Provider,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The `HandlerErrorCode`s of the API's model.
    const HANDLERS: [&str; 16] = [
        "NotUpdatable",
        "InvalidRequest",
        "AccessDenied",
        "UnauthorizedTaggingOperation",
        "InvalidCredentials",
        "AlreadyExists",
        "NotFound",
        "ResourceConflict",
        "Throttling",
        "ServiceLimitExceeded",
        "NotStabilized",
        "GeneralServiceException",
        "ServiceInternalError",
        "ServiceTimeout",
        "NetworkFailure",
        "InternalFailure",
    ];
    /// The exceptions of the API's model, then those that it leaves out.
    const EXCEPTIONS: [&str; 28] = [
        "AlreadyExistsException",
        "ClientTokenConflictException",
        "ConcurrentModificationException",
        "ConcurrentOperationException",
        "GeneralServiceException",
        "HandlerFailureException",
        "HandlerInternalFailureException",
        "InvalidCredentialsException",
        "InvalidRequestException",
        "NetworkFailureException",
        "NotStabilizedException",
        "NotUpdatableException",
        "PrivateTypeException",
        "RequestTokenNotFoundException",
        "ResourceConflictException",
        "ResourceNotFoundException",
        "ServiceInternalErrorException",
        "ServiceLimitExceededException",
        "ThrottlingException",
        "TypeNotFoundException",
        "UnsupportedActionException",
        "ValidationException",
        "AccessDeniedException",
        "SerializationException",
        "UnknownOperationException",
        "InternalFailure",
        "ServiceUnavailable",
        "ServiceUnavailableException",
    ];

    #[test]
    fn every_code_of_the_api_and_its_handlers_is_known() {
        for code in HANDLERS.into_iter().chain(EXCEPTIONS) {
            let name = code.strip_suffix("Exception").unwrap_or(code);
            assert!(Answer::known().any(|(known, _)| known == name), "{code}");
            assert_ne!(Answer::of(code), Answer::Other, "{code}");
        }
        let names: BTreeSet<_> = Answer::known().map(|(name, _)| name).collect();
        assert_eq!(names.len(), CODES.len(), "a name stands twice");
    }

    #[test]
    fn codes_of_all_of_aws_mean_the_same_here() {
        for (code, expected) in [
            ("TooManyRequestsException", Answer::Throttling),
            ("ExpiredTokenException", Answer::InvalidCredentials),
            ("ValidationError", Answer::Validation),
            ("RegionDisabledException", Answer::RegionDisabled),
            ("BucketNotEmpty", Answer::Other),
            ("Exception", Answer::Other),
            ("Unknown", Answer::Other),
            ("", Answer::Other),
        ] {
            assert_eq!(Answer::of(code), expected, "{code}");
        }
    }
}
