//! The SDK's events as ours.

use std::time::{Duration, SystemTime};

use aws_sdk_cloudcontrol::operation::RequestId;
use aws_sdk_cloudcontrol::types::{HookProgressEvent, OperationStatus, ProgressEvent};
use aws_smithy_types::date_time::Format;

use super::malformed;
use crate::cloud::api::RequestError;
use crate::cloud::event::{Event, Hook, Status};

/// AWS's id of the request that got this answer.
pub(super) fn id_of(answer: &impl RequestId) -> Option<String> {
    answer.request_id().map(str::to_owned)
}

/// The event of an operation that began: with a token it runs, whatever else is missing.
pub(super) fn begun(mut event: ProgressEvent) -> ProgressEvent {
    let token = event.request_token.as_deref().filter(|token| !token.is_empty());
    event.operation_status = event.operation_status.or_else(|| token.map(|_| OperationStatus::InProgress));
    event
}

/// The event of an answer; one without a status is none.
pub(super) fn event_of(
    call: &'static str,
    event: Option<ProgressEvent>,
    hooks: Option<Vec<HookProgressEvent>>,
    request_id: Option<String>,
) -> Result<Event, RequestError> {
    let event = event.ok_or_else(|| malformed(call, "received no ProgressEvent"))?;
    let status =
        event.operation_status.ok_or_else(|| malformed(call, "received a ProgressEvent without OperationStatus"))?;
    Ok(Event {
        status: Status::parse(status.as_str()),
        retry_after: event.retry_after.and_then(|at| SystemTime::try_from(at).ok()).map(until),
        request_token: event.request_token.filter(|token| !token.is_empty()),
        identifier: event.identifier.filter(|identifier| !identifier.is_empty()),
        code: event.error_code.map(|code| code.as_str().to_owned()),
        message: event.status_message,
        hooks: hooks.unwrap_or_default().into_iter().map(hook).collect(),
        type_name: event.type_name,
        operation: event.operation.map(|operation| operation.as_str().to_owned()),
        request_id,
    })
}

/// The time left until `at`; zero when it has passed.
#[allow(clippy::disallowed_methods)] // RetryAfter is a wall-clock time; it is turned into a duration right where it arrives
pub(crate) fn until(at: SystemTime) -> Duration {
    at.duration_since(SystemTime::now()).unwrap_or_default()
}

fn hook(hook: HookProgressEvent) -> Hook {
    Hook {
        name: hook.hook_type_name.unwrap_or_default(),
        arn: hook.hook_type_arn.unwrap_or_default(),
        version: hook.hook_type_version_id.unwrap_or_default(),
        invocation_point: hook.invocation_point.unwrap_or_default(),
        status: hook.hook_status.unwrap_or_default(),
        time: hook.hook_event_time.and_then(|time| time.fmt(Format::DateTime).ok()),
        message: hook.hook_status_message.unwrap_or_default(),
        failure_mode: hook.failure_mode.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_need_a_status() {
        let missing = event_of("CreateResource", None, None, None).map_err(|error| error.message);
        assert_eq!(missing, Err("received no ProgressEvent".to_owned()));
        let bare = event_of("CreateResource", Some(ProgressEvent::builder().build()), None, None)
            .map_err(|error| error.message);
        assert_eq!(bare, Err("received a ProgressEvent without OperationStatus".to_owned()));
    }
}
