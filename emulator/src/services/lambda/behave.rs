//! What becomes of an invocation: the rule that holds, and following it.

use super::outward::{self, Place};
use super::rule::{CfnResponse, FunctionAction, FunctionRule};
use crate::core::Core;
use crate::entropy::Entropy;
use crate::persist::Table;
use crate::store::Txn;
use axum::http::Method;
use serde_json::{Value, json};
use std::sync::Arc;

/// The record that holds the rules that were set by hand, and before the counters of rules.
const RULES: &str = "rules";
const COUNTER: &str = "count";

/// What a function returned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Returned {
    pub(super) payload: Vec<u8>,
    /// Whether the payload is an error.
    pub(super) is_error: bool,
}

impl Returned {
    fn value(value: &Value) -> Returned {
        Returned { payload: value.to_string().into_bytes(), is_error: false }
    }

    fn error(kind: &str, message: &str) -> Returned {
        let payload = json!({"errorType": kind, "errorMessage": message});
        Returned { payload: payload.to_string().into_bytes(), is_error: true }
    }
}

/// The rules in force: those set by hand, then those of the options and its profile.
pub(super) fn rules(txn: &Txn<'_>) -> Vec<FunctionRule> {
    let mut rules = by_hand(txn);
    let options = &txn.core().options;
    rules.extend(options.functions.iter().chain(&options.profile.functions).cloned());
    rules
}

/// The rules that were set by hand.
pub(crate) fn by_hand(txn: &Txn<'_>) -> Vec<FunctionRule> {
    txn.blob(Table::Functions, RULES).and_then(|record| serde_json::from_slice(record).ok()).unwrap_or_default()
}

/// Sets the rules, in the place of those that were set before; what was counted is forgotten.
pub(crate) fn set(txn: &mut Txn<'_>, rules: &[FunctionRule]) {
    let counters: Vec<String> = txn.blobs(Table::Functions, COUNTER).map(|(key, _)| key.to_owned()).collect();
    for key in counters {
        txn.put_blob(Table::Functions, &key, None);
    }
    let record = serde_json::to_vec(rules).unwrap_or_default();
    txn.put_blob(Table::Functions, RULES, (!rules.is_empty()).then_some(record));
}

/// The rule that holds for an invocation of a function; it is counted.
pub(super) fn next(txn: &mut Txn<'_>, name: &str) -> Option<FunctionAction> {
    let rules = rules(txn);
    for (number, rule) in rules.into_iter().enumerate().filter(|(_, rule)| rule.is_about(name)) {
        let Some(times) = rule.times else { return Some(rule.then) };
        let key = format!("{COUNTER}\0{number}");
        let count = txn.blob(Table::Functions, &key).and_then(|count| std::str::from_utf8(count).ok()?.parse().ok());
        let count: u64 = count.unwrap_or_default();
        if count < times {
            txn.put_blob(Table::Functions, &key, Some((count + 1).to_string().into_bytes()));
            return Some(rule.then);
        }
    }
    None
}

/// One invocation.
pub(super) struct Invocation {
    /// The ARN of the function.
    pub(super) arn: String,
    /// The id of the request.
    pub(super) id: String,
    pub(super) payload: Vec<u8>,
}

/// Does what a rule says; a function without a rule returns null.
pub(super) async fn follow(core: &Arc<Core>, action: Option<FunctionAction>, invocation: Invocation) -> Returned {
    match action {
        None | Some(FunctionAction::NotReady) => Returned::value(&Value::Null),
        Some(FunctionAction::Payload(value)) => Returned::value(&value),
        Some(FunctionAction::Error(error)) => Returned::error(&error.r#type, &error.message),
        Some(FunctionAction::Forward(url)) => forward(core, &url, invocation).await,
        Some(FunctionAction::CfnResponse(response)) => respond(core, &response, &invocation).await,
    }
}

async fn forward(core: &Arc<Core>, url: &str, invocation: Invocation) -> Returned {
    let headers = [
        ("content-type", "application/json"),
        ("lambda-runtime-aws-request-id", invocation.id.as_str()),
        ("lambda-runtime-invoked-function-arn", invocation.arn.as_str()),
    ];
    let place = match Place::parse(url) {
        Ok(place) => place,
        Err(reason) => return Returned::error("Emulator.Forward", &reason),
    };
    if place.is_function_of(core.port()) {
        return Returned::error("Emulator.Forward", outward::LOOP);
    }
    match outward::call(&place, Method::POST, &headers, invocation.payload).await {
        Ok(heard) if (200..300).contains(&heard.status) => {
            let is_error = heard.headers.contains_key("x-amz-function-error");
            let payload = if heard.body.is_empty() { b"null".to_vec() } else { heard.body };
            Returned { payload, is_error }
        }
        Ok(heard) => Returned::error("Emulator.Forward", &format!("{place} answered with {}", heard.status)),
        Err(reason) => Returned::error("Emulator.Forward", &reason),
    }
}

async fn respond(core: &Arc<Core>, response: &CfnResponse, invocation: &Invocation) -> Returned {
    let event = std::str::from_utf8(&invocation.payload).ok().and_then(|text| crate::json::parse(text).ok());
    let event = event.unwrap_or_default();
    let text = |name: &str| event.get(name).and_then(Value::as_str);
    let Some(url) = text("ResponseURL") else {
        return Returned::error("Emulator.CfnResponse", "the event is not that of a custom resource: no ResponseURL");
    };
    let body = cfn_body(response, &event).to_string();
    match outward::put(core, url, body.into_bytes()).await {
        Ok(()) => Returned::value(&Value::Null),
        Err(reason) => Returned::error("Emulator.CfnResponse", &reason),
    }
}

/// What a custom resource sends: the members of its response, and those of the event that belong to it.
fn cfn_body(response: &CfnResponse, event: &Value) -> Value {
    let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
    let given = response.physical_resource_id.clone();
    let given = given.or_else(|| event.get("PhysicalResourceId").and_then(Value::as_str).map(str::to_owned));
    let made = || format!("{}-{}", text("LogicalResourceId"), Entropy::new(&["physical", text("RequestId")]).lower(12));
    json!({
        "Status": response.status.name(),
        "Reason": response.reason.as_deref().unwrap_or_default(),
        "PhysicalResourceId": given.unwrap_or_else(made),
        "StackId": text("StackId"),
        "RequestId": text("RequestId"),
        "LogicalResourceId": text("LogicalResourceId"),
        "NoEcho": response.no_echo,
        "Data": response.data,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::lambda::rule::CfnStatus;
    use serde_json::Map;

    #[test]
    fn responses_name_what_they_are_about() {
        let response = CfnResponse {
            status: CfnStatus::Failed,
            reason: Some("no".to_owned()),
            physical_resource_id: None,
            no_echo: true,
            data: Map::new(),
        };
        let event = json!({"StackId": "s", "RequestId": "r", "LogicalResourceId": "L", "PhysicalResourceId": "p"});
        let body = cfn_body(&response, &event);
        let expected = json!({
            "Status": "FAILED", "Reason": "no", "PhysicalResourceId": "p", "StackId": "s", "RequestId": "r",
            "LogicalResourceId": "L", "NoEcho": true, "Data": {}
        });
        assert_eq!(body, expected);
        let made =
            cfn_body(&response, &json!({"LogicalResourceId": "L", "RequestId": "r"}))["PhysicalResourceId"].clone();
        assert!(made.as_str().is_some_and(|id| id.starts_with("L-") && id.len() == 14), "{made}");
    }
}
