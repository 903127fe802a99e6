//! Failures as gRPC statuses that the engine understands.

use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc::ErrorResourceInitFailed;
use protocol::status::{missing_configuration_keys, resource_init_failed};
use tonic::{Code, Status};

use super::{Field, decode};
use crate::config::ConfigError;
use crate::identity::IdentityError;
use crate::lifecycle::{self, Failure};
use crate::redact::Secrets;

/// The longest text of a status in bytes. It travels in a header, and peers refuse larger ones whole, code and all.
const LONGEST_TEXT: usize = 4096;

/// The status of a failed life cycle call, without the secrets of `request`, the struct fields that it came with.
///
/// `request_inputs` are the request's, untouched, for the detail of a partial create. A resource that was not made whole may
/// be gone or complete by the next run (a cancelled request ends later than its caller), so the engine is to read it
/// before it changes it.
pub(super) fn failure(failure: Failure, request_inputs: &Field, request: &[&Field]) -> Status {
    let secrets = secrets(request);
    match failure {
        // The shield around every handler sees to the length.
        Failure::Refused { code, message } => Status::new(self::code(code), secrets.hide(message)),
        Failure::InitFailed { id, properties, inputs, message } => {
            let message = bounded(secrets.hide(message));
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
                refresh_before_update: true,
            };
            resource_init_failed(message, &detail)
        }
    }
}

/// The secrets in the fields of a request; one that does not parse has been refused before.
fn secrets(fields: &[&Field]) -> Secrets {
    let maps: Vec<_> = fields
        .iter()
        .filter_map(|field| decode::optional(field, decode::RECORDED, "malformed request").ok().flatten())
        .collect();
    Secrets::of(&maps)
}

/// The secrets in the fields of a request; `None` when not all of them can be read.
pub(super) fn all_secrets(fields: &[&Field]) -> Option<Secrets> {
    let maps: Result<Vec<_>, Status> =
        fields.iter().map(|field| decode::optional(field, decode::RECORDED, "malformed request")).collect();
    maps.ok().map(|maps| Secrets::of(&maps.into_iter().flatten().collect::<Vec<_>>()))
}

/// The status with a text that fits, whatever of the request it quotes.
pub(super) fn fitting(status: Status) -> Status {
    match status.message().len() > LONGEST_TEXT && status.details().is_empty() {
        true => Status::new(status.code(), bounded(status.message().to_owned())),
        false => status,
    }
}

/// The beginning and the end of a text that is too long for a status.
pub(super) fn bounded(text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    let head = text.floor_char_boundary(LONGEST_TEXT * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - LONGEST_TEXT / 4);
    format!("{} … ({} bytes left out) … {}", &text[..head], tail - head, &text[tail..])
}

fn code(code: lifecycle::Code) -> Code {
    match code {
        lifecycle::Code::Unknown => Code::Unknown,
        lifecycle::Code::InvalidArgument => Code::InvalidArgument,
        lifecycle::Code::NotFound => Code::NotFound,
        lifecycle::Code::AlreadyExists => Code::AlreadyExists,
        lifecycle::Code::PermissionDenied => Code::PermissionDenied,
        lifecycle::Code::ResourceExhausted => Code::ResourceExhausted,
        lifecycle::Code::Aborted => Code::Aborted,
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
        ConfigError::Shape { .. }
        | ConfigError::Integer { .. }
        | ConfigError::Form { .. }
        | ConfigError::Boolean { .. }
        | ConfigError::Unknown { .. }
        | ConfigError::IncompleteKeys { .. }
        | ConfigError::Tags { .. }
        | ConfigError::AssumeRole { .. } => Status::invalid_argument(text),
    }
}

/// The status of an identity that cannot be had.
pub(super) fn identity(error: &IdentityError) -> Status {
    match error {
        IdentityError::Config(error) => configuration(error),
        IdentityError::Profile(_) | IdentityError::Account { credentials: true, .. } => {
            Status::unauthenticated(error.to_string())
        }
        IdentityError::Account { credentials: false, .. } => Status::unavailable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_TEXT, all_secrets, bounded};

    #[test]
    fn secrets_are_all_known_or_none() {
        let secret = value::Value::secret(value::Value::from("hunter22"));
        let state = Some(protocol::codec::encode(
            &[("password".to_owned(), secret)].into_iter().collect(),
            protocol::codec::EncodeOptions::KEEP,
        ));
        let hidden = all_secrets(&[&None, &state]).map(|secrets| secrets.hide("x hunter22".to_owned()));
        assert_eq!(hidden.as_deref(), Some("x [secret]"));
        assert!(all_secrets(&[&state, &Some(bytes::Bytes::from_static(b"\xff\xff"))]).is_none());
        assert!(all_secrets(&[&None, &None]).is_some());
    }

    #[test]
    fn long_texts_keep_their_ends() {
        assert_eq!(bounded("short".to_owned()), "short");
        let text = bounded(format!("start {} end", "é".repeat(1_000_000)));
        assert!(text.len() < LONGEST_TEXT + 64, "{}", text.len());
        assert!(text.starts_with("start ") && text.ends_with(" end") && text.contains("bytes left out"), "{text}");
    }
}
