//! AWS JSON 1.0: targets, bodies, errors; every Cloud Control call goes into the journal.

use super::{Answer, scope};
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::operations::{self, Call};
use crate::store::Gathered;
use axum::http::request::Parts;
use serde_json::{Map, Value, json};
use std::cell::Cell;

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

/// Answers a request that has an `X-Amz-Target`.
pub(super) fn answer(core: &Core, parts: &Parts, target: &str, body: &[u8]) -> Answer {
    let Some(operation) = target.strip_prefix("CloudApiService.") else {
        let (service, operation) = target.split_once('.').unwrap_or((target, ""));
        return not_here(service, operation);
    };
    let scope = scope::of(core, parts);
    let parsed = std::str::from_utf8(body)
        .map_err(|_| ApiError::new(Code::Serialization, "the request body is not UTF-8"))
        .and_then(|text| {
            crate::json::parse(text)
                .map_err(|error| ApiError::new(Code::Serialization, format!("the request body is {error}")))
        });
    let (gathered, wire) = (Gathered::default(), Cell::new(None));
    let (request, outcome) = match parsed {
        Ok(request) => {
            let call = Call { core, scope: &scope, operation, gathered: &gathered, wire: &wire };
            let outcome = operations::call(&call, &request);
            (request, outcome)
        }
        Err(error) => (Value::Null, Err(error)),
    };
    match &outcome {
        Ok(_) => tracing::debug!(operation, account = %scope.account, region = %scope.region, "answered"),
        Err(error) => tracing::debug!(
            operation,
            account = %scope.account,
            region = %scope.region,
            code = error.code.name(),
            "refused"
        ),
    }
    core.journal.add(entry(core, operation, &scope, request, &outcome));
    let answer = match outcome {
        Ok(value) => Answer::new(200, CONTENT_TYPE, value.to_string()),
        Err(error) => failure(&error),
    };
    Answer { needed: gathered.needed(), wire: wire.get(), ..answer }
}

/// A call as the journal shows it: members with documents as JSON, and what became of it.
fn entry(
    core: &Core,
    operation: &str,
    scope: &crate::scope::Scope,
    request: Value,
    outcome: &Result<Value, ApiError>,
) -> Value {
    let mut entry = Map::new();
    let millis = core.now().duration_since(std::time::SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    entry.insert("time".to_owned(), json!(millis as f64 / 1000.0));
    entry.insert("operation".to_owned(), json!(operation));
    entry.insert("account".to_owned(), json!(scope.account));
    entry.insert("region".to_owned(), json!(scope.region));
    if let Value::Object(members) = request {
        for (name, member) in members {
            let mut key = name.clone();
            if let Some(first) = key.get_mut(0..1) {
                first.make_ascii_lowercase();
            }
            let is_document = matches!(name.as_str(), "DesiredState" | "PatchDocument" | "ResourceModel");
            let document = member.as_str().filter(|_| is_document).and_then(|text| crate::json::parse(text).ok());
            entry.insert(key, document.unwrap_or(member));
        }
    }
    let result = match outcome {
        Ok(answer) => match answer.get("ProgressEvent") {
            Some(event) => event.clone(),
            None => json!({}),
        },
        Err(error) => json!({"error": error.code.name(), "message": error.message}),
    };
    entry.insert("outcome".to_owned(), json!(if outcome.is_ok() { "ok" } else { "error" }));
    entry.insert("result".to_owned(), result);
    Value::Object(entry)
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
