//! AWS JSON 1.0: targets, bodies, errors; every Cloud Control call goes into the log.

use super::{Answer, scope};
use crate::api_error::{ApiError, Code};
use crate::bus::Change;
use crate::core::Core;
use crate::log::Entry;
use crate::operations::{self, Call};
use crate::store::Gathered;
use crate::store::txn::milliseconds;
use axum::http::request::Parts;
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::Instant;

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

/// Answers a request that has an `X-Amz-Target`.
pub(super) fn answer(core: &Core, parts: &Parts, target: &str, body: &[u8]) -> Answer {
    let Some(operation) = target.strip_prefix("CloudApiService.") else {
        let (service, operation) = target.split_once('.').unwrap_or((target, ""));
        return not_here(service, operation);
    };
    let began = Instant::now();
    let scope = scope::of(core, parts);
    let (gathered, wire) = (Gathered::default(), Cell::new(None));
    let text = std::str::from_utf8(body).map_err(|_| "not UTF-8".to_owned());
    let parsed = text.and_then(|text| Ok((text, crate::json::parse(text).map_err(|error| error.to_string())?)));
    let (request, outcome) = match parsed {
        Ok((text, request)) => {
            let call = Call { core, scope: &scope, operation, gathered: &gathered, wire: &wire };
            (text, operations::call(&call, &request))
        }
        Err(reason) => ("", Err(ApiError::new(Code::Serialization, format!("the request body is {reason}")))),
    };
    let status = outcome.as_ref().map_or_else(|error| error.status, |_| 200);
    let entry = Entry {
        id: 0,
        time: milliseconds(core.now()),
        operation: operation.into(),
        account: scope.account.clone(),
        region: scope.region.clone(),
        request: request.into(),
        status,
        result: result(&outcome).into(),
        rules: gathered.fired(),
        is_retry: gathered.repeats(),
        millis: began.elapsed().as_secs_f64() * 1000.0,
    };
    note(core, entry, &outcome, began);
    let answer = match outcome {
        Ok(value) => Answer::new(200, CONTENT_TYPE, value.to_string()),
        Err(error) => failure(&error),
    };
    Answer { needed: gathered.needed(), wire: wire.get(), ..answer }
}

/// The event or the error of an answer, for the log.
fn result(outcome: &Result<Value, ApiError>) -> String {
    match outcome {
        Ok(answer) => answer.get("ProgressEvent").map_or_else(String::new, Value::to_string),
        Err(error) => json!({"error": error.code.name(), "message": error.message}).to_string(),
    }
}

/// Puts a call into the log, the metrics and the diagnostics.
fn note(core: &Core, entry: Entry, outcome: &Result<Value, ApiError>, began: Instant) {
    let code = outcome.as_ref().err().map_or("", |error| error.code.name());
    let (operation, account, region) = (&*entry.operation, &*entry.account, &*entry.region);
    tracing::debug!(operation, account, region, status = entry.status, code, "answered");
    let known = operations::NAMES.iter().find(|name| **name == operation);
    let of = [("service", "cloudcontrol"), ("operation", known.copied().unwrap_or("unknown"))];
    core.metrics.count("emulator_calls_total", &[of[0], of[1], ("code", code)]);
    core.metrics.observe("emulator_call_seconds", &of, began.elapsed());
    if entry.is_retry {
        core.metrics.count("emulator_retries_total", &[]);
    }
    let (operation, status) = (entry.operation.to_string(), entry.status);
    let id = core.log.add(entry);
    core.bus.publish(vec![Change::Call { id, operation, status }]);
}

fn failure(error: &ApiError) -> Answer {
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
    failure(&ApiError::new(
        Code::NotImplemented,
        format!(
            "the emulator does not serve {operation} of {service}; it serves Cloud Control and sts:GetCallerIdentity"
        ),
    ))
}
