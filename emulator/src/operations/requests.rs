//! GetResourceRequestStatus, ListResourceRequests and CancelResourceRequest.

use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::scope::Scope;
use crate::store::request::Status;
use serde_json::{Value, json};

/// Requests on a page when the caller does not say.
const PAGE: usize = 20;

pub(super) fn status(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let token = members.text("RequestToken");
    let now = core.now();
    let mut store = core.store();
    if store.requests.get(token).is_none_or(|request| request.scope != *scope) {
        return Err(unknown(token));
    }
    let request = store.look(token, now, core.options.profile.looks()).ok_or_else(|| unknown(token))?;
    Ok(json!({"ProgressEvent": request.event(now)}))
}

pub(super) fn list(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let (operations, statuses) = (members.filter("Operations"), members.filter("OperationStatuses"));
    let skip: usize = match members.optional("NextToken") {
        Some(token) => token.parse().map_err(|_| ApiError::validation("NextToken was not issued for this list"))?,
        None => 0,
    };
    let page = members.max_results().unwrap_or(PAGE);
    let now = core.now();
    let store = core.store();
    let allows = |filter: &[&str], name: &str| filter.is_empty() || filter.contains(&name);
    let mut wanted = store.order.iter().rev().filter_map(|token| store.requests.get(token)).filter(|request| {
        request.scope == *scope
            && allows(&operations, request.operation.name())
            && allows(&statuses, request.status.name())
    });
    let events: Vec<Value> = wanted.by_ref().skip(skip).take(page).map(|request| request.event(now)).collect();
    let next = wanted.next().map(|_| (skip + events.len()).to_string());
    let mut answer = json!({"ResourceRequestStatusSummaries": events});
    if let (Some(next), Some(members)) = (next, answer.as_object_mut()) {
        members.insert("NextToken".to_owned(), json!(next));
    }
    Ok(answer)
}

pub(super) fn cancel(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let token = members.text("RequestToken");
    let now = core.now();
    let mut store = core.store();
    let request =
        store.requests.get_mut(token).filter(|request| request.scope == *scope).ok_or_else(|| unknown(token))?;
    if request.status.is_final() {
        return Err(ApiError::new(
            Code::ConcurrentModification,
            format!("Request {token} has already ended with status {}", request.status.name()),
        ));
    }
    request.status = Status::CancelInProgress;
    request.event_time = now;
    Ok(json!({"ProgressEvent": request.event(now)}))
}

fn unknown(token: &str) -> ApiError {
    ApiError::new(Code::RequestTokenNotFound, format!("Request with token {token} was not found"))
}
