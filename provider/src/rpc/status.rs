//! Failures as gRPC statuses that the engine understands.

use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc::ErrorResourceInitFailed;
use protocol::status::{missing_configuration_keys, resource_init_failed};
use tonic::{Code, Status};

use super::Field;
use crate::config::ConfigError;
use crate::identity::IdentityError;
use crate::lifecycle::{self, Failure};

/// The status of a failed life cycle call. `inputs` are the request's, untouched, for the detail of a partial create.
pub(super) fn failure(failure: Failure, request_inputs: &Field) -> Status {
    match failure {
        Failure::Refused { code, message } => Status::new(self::code(code), message),
        Failure::InitFailed { id, properties, inputs, message } => {
            let inputs = if inputs.is_empty() {
                request_inputs.clone().unwrap_or_default()
            } else {
                encode(&inputs, EncodeOptions::SKIP_NULLS)
            };
            let detail = ErrorResourceInitFailed {
                id,
                properties: Some(encode(&properties, EncodeOptions::SKIP_NULLS)),
                reasons: vec![message.clone()],
                inputs: Some(inputs),
                refresh_before_update: false,
            };
            resource_init_failed(message, &detail)
        }
    }
}

fn code(code: lifecycle::Code) -> Code {
    match code {
        lifecycle::Code::Unknown => Code::Unknown,
        lifecycle::Code::InvalidArgument => Code::InvalidArgument,
        lifecycle::Code::NotFound => Code::NotFound,
        lifecycle::Code::FailedPrecondition => Code::FailedPrecondition,
        lifecycle::Code::Unimplemented => Code::Unimplemented,
        lifecycle::Code::Canceled => Code::Cancelled,
        lifecycle::Code::DeadlineExceeded => Code::DeadlineExceeded,
        lifecycle::Code::Unauthenticated => Code::Unauthenticated,
        lifecycle::Code::Unavailable => Code::Unavailable,
    }
}

/// The status of a configuration that cannot be used.
pub(super) fn configuration(error: &ConfigError) -> Status {
    let text = error.to_string();
    match error {
        ConfigError::MissingRegion => {
            missing_configuration_keys(text, [("aws-native:region", crate::config::REGION_DESCRIPTION)])
        }
        ConfigError::ForbiddenAccount(_) | ConfigError::AccountNotAllowed(_) => Status::permission_denied(text),
        ConfigError::Unsupported { .. } => Status::unimplemented(text),
        ConfigError::Shape { .. }
        | ConfigError::Integer { .. }
        | ConfigError::Boolean { .. }
        | ConfigError::Unknown { .. }
        | ConfigError::IncompleteKeys { .. }
        | ConfigError::AssumeRole(_) => Status::invalid_argument(text),
    }
}

/// The status of an identity that cannot be had.
pub(super) fn identity(error: &IdentityError) -> Status {
    match error {
        IdentityError::Config(error) => configuration(error),
        IdentityError::Account { credentials: true, .. } => Status::unauthenticated(error.to_string()),
        IdentityError::Account { credentials: false, .. } => Status::unavailable(error.to_string()),
    }
}
