//! gRPC statuses with details that the engine understands.

use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};

use crate::google_rpc;
use crate::pulumirpc::{ConfigureErrorMissingKeys, ErrorResourceInitFailed, configure_error_missing_keys::MissingKey};

/// The resource exists, but the operation on it did not complete: the engine records `detail` and fails the step.
///
/// The code is `Unknown`, as the reference provider has it; the engine looks at the detail alone.
pub fn resource_init_failed(message: impl Into<String>, detail: &ErrorResourceInitFailed) -> Status {
    with_detail(Code::Unknown, message, "pulumirpc.ErrorResourceInitFailed", detail)
}

/// Configuration keys that the user has to set; the engine shows an error for each. Pairs of key and description.
pub fn missing_configuration_keys<'a>(
    message: impl Into<String>,
    keys: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Status {
    let missing = |(name, description): (&str, &str)| MissingKey { name: name.into(), description: description.into() };
    let detail = ConfigureErrorMissingKeys { missing_keys: keys.into_iter().map(missing).collect() };
    with_detail(Code::InvalidArgument, message, "pulumirpc.ConfigureErrorMissingKeys", &detail)
}

/// A detail that this crate can put into a status.
#[derive(Clone, PartialEq)]
pub enum Detail {
    /// See [`resource_init_failed`].
    InitFailed(ErrorResourceInitFailed),
    /// See [`missing_configuration_keys`].
    MissingKeys(ConfigureErrorMissingKeys),
}

/// The first detail of a status that is known here.
pub fn detail(status: &Status) -> Option<Detail> {
    let inside = google_rpc::Status::decode(status.details()).ok()?;
    inside.details.iter().find_map(|any| {
        let value = any.value.as_slice();
        match any.type_url.rsplit('/').next()? {
            "pulumirpc.ErrorResourceInitFailed" => ErrorResourceInitFailed::decode(value).ok().map(Detail::InitFailed),
            "pulumirpc.ConfigureErrorMissingKeys" => {
                ConfigureErrorMissingKeys::decode(value).ok().map(Detail::MissingKeys)
            }
            _ => None,
        }
    })
}

/// A status with one detail.
///
/// The code inside the detail must equal the code of the status: the engine turns a mismatch into an internal error
/// without details.
fn with_detail(code: Code, message: impl Into<String>, type_name: &str, detail: &impl Message) -> Status {
    let message = message.into();
    let type_url = format!("type.googleapis.com/{type_name}");
    let detail = Any { type_url, value: detail.encode_to_vec() };
    let status = google_rpc::Status { code: code.into(), message: message.clone(), details: vec![detail] };
    Status::with_details(code, message, status.encode_to_vec().into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn the_codes_inside_and_outside_agree() {
        let detail = ErrorResourceInitFailed { id: "i".into(), reasons: vec!["r".into()], ..Default::default() };
        assert!(super::detail(&resource_init_failed("m", &detail)) == Some(Detail::InitFailed(detail.clone())));
        assert!(super::detail(&Status::unknown("m")).is_none());
        check(resource_init_failed("m", &detail), "type.googleapis.com/pulumirpc.ErrorResourceInitFailed", &detail);
        let key = MissingKey { name: "aws-native:region".into(), description: "the region".into() };
        check(
            missing_configuration_keys("m", [("aws-native:region", "the region")]),
            "type.googleapis.com/pulumirpc.ConfigureErrorMissingKeys",
            &ConfigureErrorMissingKeys { missing_keys: vec![key] },
        );

        #[track_caller]
        fn check<M: Message + Default + PartialEq>(status: Status, type_url: &str, detail: &M) {
            let inside = google_rpc::Status::decode(status.details()).unwrap();
            assert_eq!(inside.code, i32::from(status.code()));
            assert_eq!((inside.message.as_str(), status.message()), ("m", "m"));
            assert_eq!(inside.details.len(), 1);
            assert_eq!(inside.details[0].type_url, type_url);
            assert!(M::decode(inside.details[0].value.as_slice()).unwrap() == *detail);
        }
    }
}
