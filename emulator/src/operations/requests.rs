//! GetResourceRequestStatus, ListResourceRequests and CancelResourceRequest.

use super::Call;
use super::members::Members;
use super::page::Pages;
use crate::api_error::{ApiError, Code};
use crate::life::event::{event, hooks};
use crate::life::{cancel, look};
use crate::store::{Request, Txn};
use serde_json::{Value, json};

/// Requests on a page when the caller does not say.
const PAGE: usize = 20;

pub(super) fn status(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let token = members.text("RequestToken");
    let mut txn = call.txn();
    known(call, &txn, token)?;
    let now = txn.now();
    let request = look(&mut txn, token).ok_or_else(|| unknown(token))?;
    let mut answer = json!({"ProgressEvent": event(request, now, &call.core.options.switches)});
    if let (false, Some(members)) = (request.plan.hooks.is_empty(), answer.as_object_mut()) {
        members.insert("HooksProgressEvent".to_owned(), hooks(request));
    }
    Ok(answer)
}

pub(super) fn list(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let (operations, statuses) = (members.filter("Operations"), members.filter("OperationStatuses"));
    let filter = serde_json::json!([operations, statuses]).to_string();
    let pages = Pages { operation: call.operation, type_name: "", filter: &filter };
    let txn = call.txn();
    let before = match members.optional("NextToken") {
        Some(token) => pages.read(call, token, txn.now_ms())?,
        None => u64::MAX,
    };
    let page = members.max_results().unwrap_or(PAGE);
    let allows = |filter: &[&str], name: &str| filter.is_empty() || filter.contains(&name);
    let mut wanted = txn
        .newest_before(call.scope, before)
        .filter(|request| allows(&operations, request.operation.name()) && allows(&statuses, request.status.name()));
    let shown: Vec<&Request> = wanted.by_ref().take(page).collect();
    let next = wanted.next().and(shown.last()).map(|last| pages.token(call, last.sequence, txn.now_ms()));
    let switches = &call.core.options.switches;
    let events: Vec<Value> = shown.iter().map(|request| event(request, txn.now(), switches)).collect();
    let mut answer = json!({"ResourceRequestStatusSummaries": events});
    if let (Some(next), Some(members)) = (next, answer.as_object_mut()) {
        members.insert("NextToken".to_owned(), json!(next));
    }
    Ok(answer)
}

pub(super) fn cancel_request(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let token = members.text("RequestToken");
    let mut txn = call.txn();
    let request = known(call, &txn, token)?;
    if request.status.is_final() {
        return Err(ApiError::new(
            Code::ConcurrentModification,
            format!("Request {token} has already ended with status {}", request.status.name()),
        ));
    }
    let at = request.token;
    cancel(&mut txn, at);
    let request = known(call, &txn, token)?;
    Ok(json!({"ProgressEvent": event(request, txn.now(), &call.core.options.switches)}))
}

/// A request of the caller's account and region.
fn known<'t>(call: &Call<'_>, txn: &'t Txn<'_>, token: &str) -> Result<&'t Request, ApiError> {
    txn.request(token).filter(|request| request.scope == *call.scope).ok_or_else(|| unknown(token))
}

fn unknown(token: &str) -> ApiError {
    ApiError::new(Code::RequestTokenNotFound, format!("Request with token {token} was not found"))
}
