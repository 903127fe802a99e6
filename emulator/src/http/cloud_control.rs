//! Cloud Control's calls; every one goes into the log, the metrics and the diagnostics.

use super::aws_json::{self, CONTENT_TYPE};
use super::{Answer, Caller};
use crate::api_error::{ApiError, Code};
use crate::bus::Change;
use crate::core::Core;
use crate::log::Entry;
use crate::operations::{self, Call};
use crate::store::Gathered;
use crate::store::txn::milliseconds;
use crate::validate::violations;
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::Instant;

/// How many changes may wait for the state folder before no more are taken.
const MOST_WAITING: u64 = 10_000;

/// The operations that make changes.
const MUTATING: &[&str] = &["CreateResource", "UpdateResource", "DeleteResource", "CancelResourceRequest"];

/// Answers a call of an operation.
pub(super) fn answer(core: &Core, caller: &Caller, operation: &str, body: &[u8]) -> Answer {
    let began = Instant::now();
    let scope = &caller.scope;
    let (gathered, wire) = (Gathered::default(), Cell::new(None));
    let text = std::str::from_utf8(body).map_err(|_| "not UTF-8".to_owned());
    let parsed = text.and_then(|text| Ok((text, crate::json::parse(text).map_err(|error| error.to_string())?)));
    let type_name = parsed.as_ref().ok().and_then(|(_, request)| request.get("TypeName")?.as_str());
    let type_name = type_name.unwrap_or_default().to_owned();
    let (request, outcome) = match parsed {
        Ok((text, _)) if core.backing.backlog() > MOST_WAITING && MUTATING.contains(&operation) => {
            (text, Err(ApiError::new(Code::Throttling, "Rate exceeded")))
        }
        Ok((text, request)) => {
            let principal = &caller.principal.arn;
            let call = Call { core, scope, operation, principal, gathered: &gathered, wire: &wire };
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
        decisions: gathered.decisions(),
        is_retry: gathered.repeats(),
        millis: began.elapsed().as_secs_f64() * 1000.0,
    };
    note(core, entry, &type_name, &outcome, began);
    let answer = match outcome {
        Ok(value) => Answer::new(200, CONTENT_TYPE, value.to_string()),
        Err(error) => aws_json::failure(&error),
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
fn note(core: &Core, entry: Entry, type_name: &str, outcome: &Result<Value, ApiError>, began: Instant) {
    let code = outcome.as_ref().err().map_or("", |error| error.code.name());
    let (operation, account, region) = (&*entry.operation, &*entry.account, &*entry.region);
    tracing::debug!(operation, account, region, status = entry.status, code, "answered");
    let known = operations::NAMES.iter().find(|name| **name == operation);
    let of = [("service", "cloudcontrol"), ("operation", known.copied().unwrap_or("unknown"))];
    // Callers choose type names; only those that exist become labels.
    let is_known = !type_name.is_empty() && core.library().get(type_name).is_some();
    let namespace = type_name.rsplit_once("::").filter(|_| is_known).map_or("", |(namespace, _)| namespace);
    core.metrics.count("emulator_calls_total", &[of[0], of[1], ("namespace", namespace), ("code", code)]);
    if let Err(error) = outcome {
        for keyword in violations::keywords(&error.message) {
            core.metrics.count("emulator_validation_failures_total", &[("keyword", keyword)]);
        }
    }
    core.metrics.observe("emulator_call_seconds", &of, began.elapsed());
    if entry.is_retry {
        core.metrics.count("emulator_retries_total", &[]);
    }
    let (operation, status) = (entry.operation.to_string(), entry.status);
    let id = core.log.add(entry);
    core.bus.publish(vec![Change::Call { id, operation, status }]);
}
