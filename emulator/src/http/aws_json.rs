//! AWS JSON 1.0: the shape of errors, and the errors that no operation makes.

use super::Answer;
use crate::api_error::{ApiError, Code};
use crate::services;
use serde_json::json;

pub(super) const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

/// The answer to a call that failed.
pub(crate) fn failure(error: &ApiError) -> Answer {
    let name = error.code.name();
    let body = json!({"__type": format!("{}#{name}", error.code.namespace()), "Message": error.message});
    Answer::new(error.status, CONTENT_TYPE, body.to_string()).with_header("x-amzn-errortype", name)
}

/// The answer while nothing can be made durable.
pub(super) fn unavailable(reason: &str) -> Answer {
    failure(&ApiError::new(Code::ServiceUnavailable, format!("the state folder cannot be written: {reason}")))
}

/// The answer of an emulator that failed.
pub(super) fn internal_failure(id: &str) -> Answer {
    failure(&ApiError::new(Code::InternalFailure, format!("the emulator failed on request {id}; please report this")))
}

/// The answer for a body over the limit.
pub(super) fn too_large(limit: usize) -> Answer {
    failure(&ApiError::new(Code::RequestTooLarge, format!("the request body is larger than {limit} bytes")))
}

/// The answer to a body that broke off.
pub(super) fn aborted() -> Answer {
    failure(&ApiError::new(Code::RequestAborted, "the request body broke off or is not what its headers say"))
}

/// The answer for services and operations that the emulator does not have.
pub(super) fn not_here(service: &str, operation: &str) -> Answer {
    let text = format!("the emulator does not serve {operation} of {service}; it serves {}", services::served());
    failure(&ApiError::new(Code::NotImplemented, text))
}
