//! What create, update and delete share at their end: plan, acceptance, the first event.

use super::Call;
use crate::api_error::{ApiError, Code};
use crate::entropy::{Digest, Entropy, digest};
use crate::faults;
use crate::life::event::event;
use crate::life::plan::{Submission, bound, plan};
use crate::life::{latency, queue};
use crate::model::read;
use crate::schema::ResourceType;
use crate::store::{Kind, Request, Status, Token, Txn};
use serde_json::{Value, json};

/// The most changes that may wait to become durable before new ones are refused.
const LONGEST_BACKLOG: u64 = 10_000;

/// What makes requests equal in everything but the time: the key of occurrences and the source of every draw.
pub(super) fn content(call: &Call<'_>, operation: Kind, type_name: &str, identifier: &str, body: &str) -> Digest {
    digest(&[&call.scope.account, &call.scope.region, operation.name(), type_name, identifier, body])
}

/// The model that the last event of a create or update shows.
pub(super) fn shown(call: &Call<'_>, resource: &ResourceType, model: &Value) -> Box<str> {
    let visible = read::visible(resource, model);
    let known = call.core.knowledge.of_type(&resource.name).event;
    let is_full = call.core.options.switches.event_model.is_full(&resource.name, known, 3);
    let shown = if is_full { visible } else { read::identifier_only(resource, &visible) };
    shown.to_string().into()
}

/// The same cut down to the identifier.
fn sparse(resource: &ResourceType, shown: &str) -> Box<str> {
    read::identifier_only(resource, &crate::json::stored(shown)).to_string().into()
}

/// Accepts a request and answers with its first event. The transaction must be the one that saw what the submission
/// rests on: how often its content occurred, and that its client token is free.
///
/// # Errors
///
/// ConcurrentOperationException when another request is running on the resource; ThrottlingException while too much
/// waits to become durable.
pub(super) fn submit(call: &Call<'_>, mut txn: Txn<'_>, submission: Submission<'_>) -> Result<Value, ApiError> {
    let core = call.core;
    if core.backing.backlog() > LONGEST_BACKLOG {
        return Err(ApiError::new(Code::Throttling, "Rate exceeded"));
    }
    let mut plan = plan(core, &submission);
    let subject = faults::Subject {
        operation: submission.operation.call(),
        type_name: &submission.resource.name,
        scope: call.scope,
        identifier: Some(&submission.identifier),
        digest: submission.digest,
        now: txn.now(),
    };
    faults::shape(&mut txn, &subject, &mut plan);
    bound(&mut plan, submission.operation, latency::limit(core, submission.resource, submission.operation));
    let token = submission.token(core.options.seed);
    let now = txn.now_ms();
    if !queue::has_worker(&txn, submission.scope, now) {
        plan.first = Status::Pending;
    }
    let started = (plan.first != Status::Pending).then_some(now);
    let hooks_token = (!plan.hooks.is_empty()).then(|| Token::drawn(&mut Entropy::new(&["hooks", &token.to_string()])));
    let shown = match (plan.is_sparse, submission.shown) {
        (true, Some(shown)) => Some(sparse(submission.resource, &shown)),
        (_, shown) => shown,
    };
    let request = Request {
        token,
        scope: submission.scope.clone(),
        shelf: submission.shelf,
        operation: submission.operation,
        identifier: submission.identifier,
        is_named_by_caller: submission.is_named_by_caller,
        effect: Some(submission.effect),
        status: plan.first,
        plan,
        accepted: now,
        started,
        event_time: now,
        cancel_at: None,
        looks: 0,
        error: None,
        shown,
        hooks_token,
        sequence: 0,
        version: 0,
    };
    let first = event(&request, txn.now(), &core.options.switches);
    txn.accept(request)?;
    txn.count_occurrence(submission.digest);
    submission.claim.keep(call, &mut txn, token);
    Ok(json!({"ProgressEvent": first}))
}
