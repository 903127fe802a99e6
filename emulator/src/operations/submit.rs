//! What create, update and delete share: client tokens, concurrency, the first event.

use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::entropy::{Entropy, digest_text};
use crate::schema::{Handler, ResourceType};
use crate::scope::Scope;
use crate::store::progress::PATIENCE;
use crate::store::request::{Effect, Operation, Request, Status};
use crate::store::{ClientToken, ShelfKey, Store};
use serde_json::{Value, json};
use std::time::Duration;

/// A request that is about to be accepted.
pub(super) struct Submission<'s> {
    pub(super) scope: &'s Scope,
    pub(super) shelf: ShelfKey,
    pub(super) resource: &'s ResourceType,
    pub(super) operation: Operation,
    pub(super) identifier: String,
    pub(super) is_named_by_caller: bool,
    pub(super) effect: Effect,
    /// The model that the last event shows.
    pub(super) shown: Option<Value>,
    pub(super) claim: Claim,
}

/// A client token that stands for one request.
pub(super) struct Claim {
    token: Option<String>,
    digest: String,
}

/// Answers a repeated request with what became of the first, and notes what this one is.
///
/// # Errors
///
/// ClientTokenConflictException when the token stands for another request.
pub(super) fn claim(
    core: &Core,
    scope: &Scope,
    operation: Operation,
    members: &Members<'_>,
    body: &str,
) -> Result<Result<Claim, Value>, ApiError> {
    // The canonical form of a document: members in order of name, no insignificant space.
    let body = crate::json::parse(body).map_or_else(|_| body.to_owned(), |value| value.to_string());
    let digest = digest_text(&[
        operation.name(),
        members.text("TypeName"),
        members.text("TypeVersionId"),
        members.text("RoleArn"),
        members.text("Identifier"),
        &body,
    ]);
    let token = members.optional("ClientToken").map(str::to_owned);
    let now = core.now();
    let mut store = core.store();
    if let Some(token) = &token {
        let key = (scope.clone(), token.clone());
        let is_expired = |known: &ClientToken| {
            now.duration_since(known.first_used).is_ok_and(|age| age > core.options.client_token_ttl)
        };
        match store.client_tokens.get(&key) {
            Some(known) if is_expired(known) => {
                store.client_tokens.remove(&key);
            }
            Some(known) if known.digest != digest => {
                return Err(ApiError::new(
                    Code::ClientTokenConflict,
                    format!("Client token {token} was already used for a different request"),
                ));
            }
            Some(known) => {
                let request_token = known.request_token.clone();
                if let Some(request) = store.requests.get(&request_token) {
                    return Ok(Err(json!({"ProgressEvent": request.event(now)})));
                }
            }
            None => {}
        }
    }
    Ok(Ok(Claim { token, digest }))
}

/// Accepts a request and answers with its first event.
///
/// # Errors
///
/// ConcurrentOperationException when another request is running on the resource.
pub(super) fn submit(core: &Core, store: &mut Store, submission: Submission<'_>) -> Result<Value, ApiError> {
    let Submission { scope, shelf, resource, operation, identifier, is_named_by_caller, effect, shown, claim } =
        submission;
    if (is_named_by_caller || operation != Operation::Create) && store.is_busy(&shelf, &identifier) {
        return Err(ApiError::new(
            Code::ConcurrentOperation,
            format!(
                "Another request is running on the resource of type '{}' with identifier '{identifier}'",
                resource.name
            ),
        ));
    }
    let now = core.now();
    let token = core.draw_uuid();
    let ready_at = now + duration(core, resource, operation, &token);
    let ends_at = if core.options.profile.looks() > 0 { ready_at + PATIENCE } else { ready_at };
    let is_full = core.options.event_model.is_full(&resource.name, 3);
    let event_model = shown.map(|model| {
        let model = if is_full { model } else { crate::model::read::identifier_only(resource, &model) };
        model.to_string()
    });
    let request = Request {
        token: token.clone(),
        scope: scope.clone(),
        shelf,
        operation,
        identifier,
        is_named_by_caller,
        effect: Some(effect),
        status: Status::InProgress,
        error: None,
        event_model,
        event_time: now,
        ready_at,
        ends_at,
        looks: 0,
    };
    let event = request.event(now);
    store.accept(request);
    if let Some(client_token) = claim.token {
        let known = ClientToken { digest: claim.digest, request_token: token, first_used: now };
        store.client_tokens.insert((scope.clone(), client_token), known);
    }
    Ok(json!({"ProgressEvent": event}))
}

/// How long an operation takes: one to five seconds, ten to sixty for handlers that ask for much time, scaled.
fn duration(core: &Core, resource: &ResourceType, operation: Operation, token: &str) -> Duration {
    let scale = core.options.time_scale.unwrap_or_else(|| core.options.profile.time_scale());
    let handler = match operation {
        Operation::Create => Handler::Create,
        Operation::Update => Handler::Update,
        Operation::Delete => Handler::Delete,
    };
    let is_slow = resource.timeout(handler) > Duration::from_secs(120 * 60);
    let (least, most) = if is_slow { (10_000, 60_000) } else { (1_000, 5_000) };
    let millis = least + Entropy::new(&["duration", token]).below(most - least);
    let scaled = Duration::from_millis(millis as u64).as_secs_f64() * scale.max(0.0);
    Duration::try_from_secs_f64(scaled).unwrap_or(Duration::ZERO)
}
