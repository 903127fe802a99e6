//! The errors that a call is answered with: code, HTTP status and text.
//!
//! Codes and statuses are those of the public service model, with the unmodelled ones that clients meet in practice
//! (`ValidationException` above all). Failures of an accepted operation are no errors of a call; they are events with a
//! [`HandlerErrorCode`].

use std::fmt;

/// An error code of the wire protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    ClientTokenConflict,
    ConcurrentModification,
    ConcurrentOperation,
    InternalFailure,
    InvalidRequest,
    NotImplemented,
    NotUpdatable,
    RequestAborted,
    RequestTokenNotFound,
    RequestTooLarge,
    ResourceNotFound,
    Serialization,
    TypeNotFound,
    UnknownOperation,
    UnsupportedAction,
    Validation,
}

impl Code {
    /// The name on the wire, without namespace.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Code::ClientTokenConflict => "ClientTokenConflictException",
            Code::ConcurrentModification => "ConcurrentModificationException",
            Code::ConcurrentOperation => "ConcurrentOperationException",
            Code::InternalFailure => "InternalFailure",
            Code::InvalidRequest => "InvalidRequestException",
            Code::NotImplemented => "NotImplemented",
            Code::NotUpdatable => "NotUpdatableException",
            Code::RequestAborted => "RequestAbortedException",
            Code::RequestTokenNotFound => "RequestTokenNotFoundException",
            Code::RequestTooLarge => "RequestEntityTooLargeException",
            Code::ResourceNotFound => "ResourceNotFoundException",
            Code::Serialization => "SerializationException",
            Code::TypeNotFound => "TypeNotFoundException",
            Code::UnknownOperation => "UnknownOperationException",
            Code::UnsupportedAction => "UnsupportedActionException",
            Code::Validation => "ValidationException",
        }
    }

    /// The HTTP status: 400 or 413, and 5xx where the fault is the server's.
    pub(crate) fn status(self) -> u16 {
        match self {
            Code::ConcurrentModification | Code::InternalFailure => 500,
            Code::NotImplemented => 501,
            Code::RequestTooLarge => 413,
            Code::ClientTokenConflict
            | Code::ConcurrentOperation
            | Code::InvalidRequest
            | Code::NotUpdatable
            | Code::RequestAborted
            | Code::RequestTokenNotFound
            | Code::ResourceNotFound
            | Code::Serialization
            | Code::TypeNotFound
            | Code::UnknownOperation
            | Code::UnsupportedAction
            | Code::Validation => 400,
        }
    }
}

/// The answer to a call that failed.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// The most characters a message may have, by the service model.
const MESSAGE_LIMIT: usize = 2048;

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> ApiError {
        let mut message = message.into();
        if let Some((at, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
            message.truncate(at);
        }
        ApiError { code, message }
    }

    pub(crate) fn validation(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::Validation, message)
    }

    /// The answer for a resource that a synchronous handler did not find.
    pub(crate) fn not_found(type_name: &str, identifier: &str, request_token: &str) -> ApiError {
        let reason = not_found_text(type_name, identifier);
        ApiError::new(
            Code::ResourceNotFound,
            format!(
                "{type_name} Handler returned status FAILED: {reason} (HandlerErrorCode: NotFound, RequestToken: {request_token})"
            ),
        )
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

/// The code in a FAILED event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandlerErrorCode {
    AlreadyExists,
    InvalidRequest,
    NotFound,
}

impl HandlerErrorCode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            HandlerErrorCode::AlreadyExists => "AlreadyExists",
            HandlerErrorCode::InvalidRequest => "InvalidRequest",
            HandlerErrorCode::NotFound => "NotFound",
        }
    }
}

pub(crate) fn already_exists_text(type_name: &str, identifier: &str) -> String {
    format!("Resource of type '{type_name}' with identifier '{identifier}' already exists.")
}

pub(crate) fn not_found_text(type_name: &str, identifier: &str) -> String {
    format!("Resource of type '{type_name}' with identifier '{identifier}' was not found.")
}
