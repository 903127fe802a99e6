//! What every call to the cloud carries, and what is said when a model or inputs cannot be converted.

use std::time::Duration;

use metadata::view::Resource;
use value::Urn;

use super::{Code, Failure};
use crate::cloud;
use crate::convert::ConvertError;
use crate::redact::Secrets;

/// How long an operation may take when neither the program nor the schema says it.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(2 * 60 * 60);

/// The call for an operation: its deadline is the program's custom timeout, else the handler's, else the default.
pub(super) fn operation<'a>(
    resource: Resource,
    operation: metadata::view::Operation,
    urn: &'a Urn,
    timeout: Option<Duration>,
    secrets: Option<&'a Secrets>,
) -> cloud::Operation<'a> {
    let handler = resource.handler(operation);
    let by_schema = handler.and_then(|handler| handler.timeout_minutes).filter(|minutes| *minutes > 0);
    let by_schema = by_schema.map(|minutes| Duration::from_secs(u64::from(minutes) * 60));
    cloud::Operation {
        urn: urn.as_str(),
        type_name: resource.cfn_type(),
        deadline: timeout.filter(|timeout| !timeout.is_zero()).or(by_schema).unwrap_or(DEFAULT_DEADLINE),
        secrets,
    }
}

/// The refusal of inputs or a model without a form on the other side.
pub(super) fn unconvertible(resource: Resource, error: &ConvertError) -> Failure {
    let message = format!("failed to convert value for {}: {error}", resource.token());
    Failure::Refused { code: Code::InvalidArgument, message }
}
