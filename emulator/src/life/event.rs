//! A request as a ProgressEvent.

use super::is_identifier_known;
use super::plan::{HookRun, Outcome};
use crate::options::{RetryAfter, Switches};
use crate::store::request::millis;
use crate::store::txn::{milliseconds, time};
use crate::store::{Request, Status};
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// The shortest time that a client is asked to wait between two looks.
const SHORTEST_PAUSE: u64 = 10;

/// The event that a call about a request shows.
pub(crate) fn event(request: &Request, now: SystemTime, switches: &Switches) -> Value {
    let now = milliseconds(now);
    let mut event = Map::new();
    let mut set = |name: &str, value: Value| event.insert(name.to_owned(), value);
    set("TypeName", json!(&*request.shelf.type_name));
    set("RequestToken", json!(request.token.to_string()));
    set("Operation", json!(request.operation.name()));
    set("OperationStatus", json!(request.status.name()));
    set("EventTime", timestamp(time(request.event_time)));
    if let Some(token) = request.hooks_token {
        set("HooksRequestToken", json!(token.to_string()));
    }
    if shows_identifier(request, now) {
        set("Identifier", json!(request.identifier));
    }
    if let (Status::Success, Some(model)) = (request.status, &request.shown) {
        set("ResourceModel", json!(model));
    }
    if let Some((code, message)) = &request.error {
        set("ErrorCode", json!(code.name()));
        set("StatusMessage", json!(message));
    }
    if !request.status.is_final() && switches.retry_after == RetryAfter::Past {
        set("RetryAfter", timestamp(time(now.saturating_sub(1_000))));
    } else if !request.status.is_final() && switches.retry_after == RetryAfter::On {
        let remaining = request.ready_at().map_or(u64::MAX, |ready_at| ready_at.saturating_sub(now));
        let pause = remaining.min(millis(request.plan.interval)).max(SHORTEST_PAUSE);
        set("RetryAfter", timestamp(time(now.saturating_add(pause))));
    }
    Value::Object(event)
}

/// A resource that the caller named is known at once; one that the service named some way into the work.
fn shows_identifier(request: &Request, now: u64) -> bool {
    if request.identifier.is_empty() {
        return false;
    }
    request.is_named_by_caller
        || request.status == Status::Success
        || ((request.looks > 0 || request.status.is_final()) && is_identifier_known(request, now))
}

/// The hooks of a request, as they stand beside its event.
pub(crate) fn hooks(request: &Request) -> Value {
    let shown = |run: &HookRun| {
        // Hooks run before the handler; while that has not decided anything, the one that will is still running.
        let (has_begun, fails) = (request.started.is_some(), matches!(request.plan.outcome, Outcome::Failed { .. }));
        let status = match (has_begun, fails && !request.status.is_final()) {
            (false, _) => "HOOK_PENDING",
            (true, true) => "HOOK_IN_PROGRESS",
            (true, false) => &run.status,
        };
        let (scope, name) = (&request.scope, run.type_name.replace("::", "-"));
        let mut event = json!({
            "HookTypeName": run.type_name,
            "HookTypeVersionId": "00000001",
            "HookTypeArn": format!(
                "arn:{}:cloudformation:{}:{}:type/hook/{name}", scope.partition(), scope.region, scope.account
            ),
            "InvocationPoint": run.point,
            "HookStatus": status,
            "HookEventTime": timestamp(time(request.event_time)),
            "FailureMode": run.failure_mode,
        });
        if let (Some(message), Some(members)) = (&run.message, event.as_object_mut()) {
            members.insert("HookStatusMessage".to_owned(), json!(message));
        }
        event
    };
    request.plan.hooks.iter().map(shown).collect()
}

/// A time as the protocol writes it: seconds with three decimals.
pub(crate) fn timestamp(time: SystemTime) -> Value {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    json!(since.as_millis() as f64 / 1000.0)
}
