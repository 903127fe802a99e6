//! The codes by which Cloud Control refuses requests and handlers fail, each under one name.
//!
//! A refusal has the name of an exception (`AlreadyExistsException`), a failed event that of the handler's code
//! (`AlreadyExists`), and some events have the exception's: both mean the same.
//!
//! | code | what is in the way | who asks |
//! |---|---|---|
//! | ClientTokenConflict | a request that has the client token | [`super::adopt`], [`super::resume`] |
//! | ConcurrentOperation | a request that works on the resource | [`super::adopt`], [`super::retry`] |
//! | AlreadyExists | a resource of that name | [`super::ownership`] |

/// What is in the way of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// A request with the same client token, for something else.
    Token,
    /// Another request for the resource that has not ended.
    Concurrent,
    /// A resource that somebody else made.
    Taken,
}

impl Conflict {
    /// What the code says is in the way.
    pub(super) fn of(code: &str) -> Option<Self> {
        match handler_code(code) {
            "ClientTokenConflict" => Some(Self::Token),
            "ConcurrentOperation" => Some(Self::Concurrent),
            "AlreadyExists" => Some(Self::Taken),
            _ => None,
        }
    }
}

/// The code of a failed event as handlers have it: some events give it under the name of the exception.
pub(super) fn handler_code(code: &str) -> &str {
    match code {
        "GeneralServiceException" => code,
        _ => code.strip_suffix("Exception").unwrap_or(code),
    }
}

/// Whether the code says that there is no such resource. A type that is not there is another matter.
pub(super) fn says_gone(code: &str) -> bool {
    matches!(handler_code(code), "ResourceNotFound" | "NotFound")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_may_have_the_names_of_exceptions() {
        for (code, expected) in [
            ("ThrottlingException", "Throttling"),
            ("Throttling", "Throttling"),
            ("ServiceInternalErrorException", "ServiceInternalError"),
            ("GeneralServiceException", "GeneralServiceException"),
            ("", ""),
        ] {
            assert_eq!(handler_code(code), expected, "{code}");
        }
    }

    #[test]
    fn conflicts_have_two_names_each() {
        for (code, expected) in [
            ("ClientTokenConflict", Some(Conflict::Token)),
            ("ClientTokenConflictException", Some(Conflict::Token)),
            ("ConcurrentOperation", Some(Conflict::Concurrent)),
            ("ConcurrentOperationException", Some(Conflict::Concurrent)),
            ("AlreadyExists", Some(Conflict::Taken)),
            ("AlreadyExistsException", Some(Conflict::Taken)),
            ("ResourceConflict", None),
            ("ConcurrentModification", None),
            ("", None),
        ] {
            assert_eq!(Conflict::of(code), expected, "{code}");
        }
    }

    #[test]
    fn absence_is_that_of_a_resource() {
        for (code, expected) in [
            ("NotFound", true),
            ("NotFoundException", true),
            ("ResourceNotFound", true),
            ("ResourceNotFoundException", true),
            ("TypeNotFoundException", false),
            ("TypeNotFound", false),
            ("RequestTokenNotFoundException", false),
            ("", false),
        ] {
            assert_eq!(says_gone(code), expected, "{code}");
        }
    }
}
