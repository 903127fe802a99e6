//! The errors that a call is answered with: code, HTTP status and text.
//!
//! Codes and statuses are those of the public service model, with the unmodelled ones that clients meet in practice
//! (`ValidationException` above all) and three of the emulator's own. Failures of an accepted operation are no errors of
//! a call; they are events with a [`HandlerErrorCode`](crate::handler_error::HandlerErrorCode).

use crate::handler_error::{HandlerErrorCode, Matter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! codes {
    ($(($code:ident, $name:literal, $status:literal)),* $(,)?) => {
        /// An error code of the wire protocol.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[serde(rename = $name)]
                #[doc = concat!("`", $name, "`, HTTP status ", $status, ".")]
                $code,
            )*
        }

        impl Code {
            /// Every code, in order of name.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// The name on the wire, without namespace.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$code => $name,)*
                }
            }

            /// The HTTP status.
            pub fn status(self) -> u16 {
                match self {
                    $(Code::$code => $status,)*
                }
            }
        }
    };
}

codes![
    (AccessDenied, "AccessDeniedException", 400),
    (AlreadyExists, "AlreadyExistsException", 400),
    (ClientTokenConflict, "ClientTokenConflictException", 400),
    (ConcurrentModification, "ConcurrentModificationException", 500),
    (ConcurrentOperation, "ConcurrentOperationException", 400),
    (ExpiredToken, "ExpiredTokenException", 403),
    (GeneralService, "GeneralServiceException", 400),
    (HandlerFailure, "HandlerFailureException", 500),
    (HandlerInternalFailure, "HandlerInternalFailureException", 500),
    (IncompleteSignature, "IncompleteSignature", 400),
    (InternalFailure, "InternalFailure", 500),
    (InvalidCredentials, "InvalidCredentialsException", 400),
    (InvalidRequest, "InvalidRequestException", 400),
    (InvalidSignature, "InvalidSignatureException", 403),
    (MissingAuthenticationToken, "MissingAuthenticationToken", 403),
    (NetworkFailure, "NetworkFailureException", 500),
    (NotImplemented, "NotImplemented", 501),
    (NotStabilized, "NotStabilizedException", 400),
    (NotUpdatable, "NotUpdatableException", 400),
    (PrivateType, "PrivateTypeException", 400),
    (RequestAborted, "RequestAbortedException", 400),
    (RequestTokenNotFound, "RequestTokenNotFoundException", 400),
    (RequestTooLarge, "RequestEntityTooLargeException", 413),
    (ResourceConflict, "ResourceConflictException", 400),
    (ResourceNotFound, "ResourceNotFoundException", 400),
    (Serialization, "SerializationException", 400),
    (ServiceInternalError, "ServiceInternalErrorException", 500),
    (ServiceLimitExceeded, "ServiceLimitExceededException", 400),
    (ServiceUnavailable, "ServiceUnavailable", 503),
    (Throttling, "ThrottlingException", 400),
    (TypeNotFound, "TypeNotFoundException", 400),
    (UnknownOperation, "UnknownOperationException", 400),
    (UnrecognizedClient, "UnrecognizedClientException", 403),
    (UnsupportedAction, "UnsupportedActionException", 400),
    (Validation, "ValidationException", 400),
];

impl Code {
    /// The code of this name, with or without a namespace before `#`.
    pub fn parse(name: &str) -> Option<Code> {
        let name = name.rsplit('#').next().unwrap_or_default();
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The namespace of the code in `__type`.
    pub(crate) fn namespace(self) -> &'static str {
        match self {
            Code::AccessDenied => "com.amazon.coral.service",
            _ => "com.amazonaws.cloudcontrol",
        }
    }
}

/// The answer to a call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    /// What went wrong.
    pub code: Code,
    /// Why, in at most 2,048 characters.
    pub message: String,
    /// The HTTP status; that of the code unless a fault says otherwise.
    pub status: u16,
}

/// The most characters a message may have, by the service model.
pub(crate) const MESSAGE_LIMIT: usize = 2048;

/// Cuts a message at the limit of the service model.
pub(crate) fn cut(mut message: String) -> String {
    if let Some((at, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
        message.truncate(at);
    }
    message
}

impl ApiError {
    /// An error with the status of its code; a message that is too long is cut.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, message: cut(message.into()), status: code.status() }
    }

    /// The same error with another HTTP status.
    pub(crate) fn with_status(self, status: u16) -> ApiError {
        ApiError { status, ..self }
    }

    pub(crate) fn validation(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::Validation, message)
    }

    /// What a handler that answers at once failed with, in the service's wrapping. `request_token` is any UUID.
    pub(crate) fn of_handler(code: HandlerErrorCode, type_name: &str, reason: &str, request_token: &str) -> ApiError {
        ApiError::new(
            code.exception(),
            format!(
                "{type_name} Handler returned status FAILED: {reason} (HandlerErrorCode: {}, RequestToken: {request_token})",
                code.name()
            ),
        )
    }

    /// The answer for a resource that a synchronous handler did not find.
    pub(crate) fn not_found(type_name: &str, identifier: &str, request_token: &str) -> ApiError {
        let reason = HandlerErrorCode::NotFound.text(&Matter { type_name, identifier, action: "READ" }, "");
        ApiError::of_handler(HandlerErrorCode::NotFound, type_name, &reason, request_token)
    }

    pub(crate) fn unsupported_action(type_name: &str, action: &str) -> ApiError {
        ApiError::new(Code::UnsupportedAction, format!("Resource type {type_name} does not support {action} action"))
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn codes_are_those_of_the_vectors() {
        let table = include_str!("../../tests/vectors/errors.tsv");
        let mut seen = Vec::new();
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let code = Code::parse(fields.first().unwrap()).unwrap_or_else(|| panic!("no code {line}"));
            assert_eq!((code.name(), code.status().to_string().as_str()), (fields[0], fields[1]), "{line}");
            seen.push(code);
        }
        let own: Vec<&str> = Code::ALL.iter().filter(|code| !seen.contains(code)).map(|code| code.name()).collect();
        assert_eq!(own, ["NotImplemented", "RequestAbortedException", "RequestEntityTooLargeException"]);
        assert_eq!(Code::parse("com.amazonaws.cloudcontrol#ThrottlingException"), Some(Code::Throttling));
        assert_eq!(Code::parse("Throttling"), None);
    }

    #[test]
    fn messages_are_cut_at_a_character() {
        assert_eq!(ApiError::validation("é".repeat(3_000)).message.chars().count(), MESSAGE_LIMIT);
    }
}
