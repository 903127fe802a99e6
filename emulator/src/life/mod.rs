//! What requests do over time: nothing runs until somebody looks; then everything happens that has fallen due, in order.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | what happens to requests when time passes or somebody looks |
//! | [`plan`] | everything about a request that is decided when it is accepted |
//! | [`latency`] | how long operations take |
//! | [`queue`] | how many requests run at once |
//! | [`outcome`] | what is left of an operation that goes wrong |
//! | [`protection`], [`references`] | what forbids a delete |
//! | [`event`] | a request as the wire shows it |

pub(crate) mod event;
pub(crate) mod latency;
mod outcome;
pub(crate) mod plan;
mod protection;
pub(crate) mod queue;
mod references;
#[cfg(test)]
mod tests;

use crate::api_error;
use crate::core::Core;
use crate::entropy::Entropy;
use crate::handler_error::{HandlerErrorCode, Matter};
use crate::store::request::millis;
use crate::store::txn::milliseconds;
use crate::store::{Cause, NewResource, Request, ShelfKey, Status, Token, Txn};
use plan::{Effect, Left, Outcome, Shown};
use std::time::SystemTime;

/// Does everything that has fallen due by `now`, and forgets what is too old.
pub(crate) fn advance(txn: &mut Txn<'_>, now: SystemTime) {
    let now = milliseconds(now);
    while let Some((at, token)) = txn.pop_due(now) {
        let Some((status, scope)) = txn.request_at(token).map(|request| (request.status, request.scope.clone())) else {
            continue;
        };
        match status {
            // It may have to wait for a worker; who frees one looks for it.
            Status::Pending => {}
            Status::InProgress | Status::CancelInProgress => end(txn, token, at),
            Status::Success | Status::Failed | Status::CancelComplete => continue,
        }
        queue::fill(txn, &scope, at);
    }
    // Work that is over and not looked at yet has freed its worker without falling due.
    for scope in txn.scopes_waiting() {
        queue::fill(txn, &scope, now);
    }
    let switches = &txn.core().options.switches;
    txn.expire(switches.request_ttl, switches.client_token_ttl);
}

/// Looks at a request, which may end it.
pub(crate) fn look<'t>(txn: &'t mut Txn<'_>, token: &str) -> Option<&'t Request> {
    let token = Token::parse(token)?;
    let now = txn.now_ms();
    txn.look(token);
    if txn.request_at(token)?.may_end(now) {
        end(txn, token, now);
    }
    txn.request_at(token)
}

/// The handler of a waiting request begins.
fn start(txn: &mut Txn<'_>, token: Token, at: u64) {
    txn.change_at(token, |request| {
        request.status = Status::InProgress;
        request.started = Some(at);
        request.event_time = at;
    });
}

/// Lets a request go on that was stuck.
pub(crate) fn release(txn: &mut Txn<'_>, token: Token) {
    txn.change_at(token, |request| request.plan.stuck = false);
}

/// Ends a request now: well, or with this code and text. A cancellation that is completed is through.
pub(crate) fn complete(txn: &mut Txn<'_>, token: Token, failure: Option<(HandlerErrorCode, Option<String>)>) {
    let now = txn.now_ms();
    txn.change_at(token, |request| {
        request.plan.stuck = false;
        if request.status == Status::CancelInProgress {
            return;
        }
        request.status = Status::InProgress;
        request.started.get_or_insert(now);
        request.plan.outcome = match failure {
            None => Outcome::Success,
            Some((code, message)) => {
                Outcome::Failed { code, message, at: 0.0, left: Left::Nothing, identifier: Shown::AsReal }
            }
        };
    });
    end(txn, token, now);
}

/// How long a running handler takes to stop, before scaling.
const CANCEL_SECONDS: f64 = 1.0;

/// Asks a request to stop.
pub(crate) fn cancel(txn: &mut Txn<'_>, token: Token) {
    let now = txn.now_ms();
    let pause = millis(latency::seconds(CANCEL_SECONDS * txn.core().options.time_scale()));
    txn.change_at(token, |request| match request.status {
        Status::Pending => {
            request.status = Status::CancelComplete;
            request.effect = None;
            request.event_time = now;
        }
        Status::InProgress => {
            let work = request.ready_at().filter(|_| !request.plan.stuck).unwrap_or(u64::MAX);
            request.cancel_at = Some(work.min(now.saturating_add(pause)).max(now));
            request.status = Status::CancelInProgress;
            request.event_time = now;
        }
        Status::CancelInProgress | Status::Success | Status::Failed | Status::CancelComplete => {}
    });
}

/// How a request ends.
enum End {
    Well,
    Cancelled,
    Badly(Failure),
}

/// Why an accepted request failed.
struct Failure {
    code: HandlerErrorCode,
    /// The code's default text when it is `None`.
    message: Option<String>,
    identifier: Option<Box<str>>,
    shown: Shown,
}

impl Failure {
    fn new(code: HandlerErrorCode, message: Option<String>) -> Failure {
        Failure { code, message, identifier: None, shown: Shown::AsReal }
    }
}

/// Ends a request: its effect happens, or it fails.
fn end(txn: &mut Txn<'_>, token: Token, at: u64) {
    let Some((effect, request)) = txn.change_at(token, |request| (request.effect.take(), request.clone())) else {
        return;
    };
    let end = if request.status == Status::CancelInProgress {
        leave_part(txn, &request, effect);
        End::Cancelled
    } else {
        take_effect(txn, &request, effect, at)
    };
    txn.change_at(token, |request| {
        request.event_time = at;
        match end {
            End::Well => request.status = Status::Success,
            End::Cancelled => request.status = Status::CancelComplete,
            End::Badly(failure) => {
                request.status = Status::Failed;
                request.shown = None;
                match (failure.identifier, failure.shown) {
                    (Some(identifier), _) => {
                        request.identifier = identifier;
                        request.is_named_by_caller = true;
                    }
                    (None, Shown::Ghost) => request.is_named_by_caller = true,
                    (None, Shown::Nobody) => request.identifier = "".into(),
                    (None, Shown::AsReal) => {}
                }
                let action = request.operation.name();
                let matter = Matter { type_name: &request.shelf.type_name, identifier: &request.identifier, action };
                let message = failure.message.unwrap_or_else(|| failure.code.text(&matter, ""));
                request.error = Some((failure.code, api_error::cut(message).into()));
            }
        }
    });
}

/// A create that is cancelled may leave part of its resource.
fn leave_part(txn: &mut Txn<'_>, request: &Request, effect: Option<Effect>) {
    let probability = txn.core().options.switches.cancel_leaves;
    let is_left = Entropy::new(&["cancel", &request.token.to_string()]).chance(probability);
    if let Some(effect @ Effect::Create { .. }) = effect.filter(|_| is_left) {
        let part = outcome::part(txn.core(), &request.shelf, effect, 0.5, None, request.token);
        // What stands in its place stays.
        let _ = part.map(|part| apply(txn, request, part));
    }
}

fn take_effect(txn: &mut Txn<'_>, request: &Request, effect: Option<Effect>, at: u64) -> End {
    // Requests are accepted with an effect, and it is taken once; nothing is left to happen.
    let Some(mut effect) = effect else { return End::Well };
    if let Some(haunt) = request.plan.haunt.clone()
        && let Effect::Create { resource, .. } | Effect::Update { resource, .. } = &mut effect
    {
        resource.haunted = Some(Box::new(haunt.from(at)));
    }
    if let Effect::Update { resource, before } = &mut effect
        && let Some(haunt) = resource.haunted.as_deref_mut().filter(|haunt| haunt.stale_until > 0)
    {
        haunt.stale.get_or_insert_with(|| before.clone());
    }
    match &request.plan.outcome {
        Outcome::Success => apply(txn, request, effect).map_or_else(End::Badly, |()| End::Well),
        Outcome::Dropped { paths } => {
            let effect = outcome::without(txn.core(), &request.shelf, effect, paths);
            apply(txn, request, effect).map_or_else(End::Badly, |()| End::Well)
        }
        Outcome::Failed { code, message, left, identifier, .. } => {
            let left = match left {
                Left::Nothing => None,
                Left::Everything => Some(effect),
                Left::Part { fraction, status } => {
                    outcome::part(txn.core(), &request.shelf, effect, *fraction, status.as_deref(), request.token)
                }
            };
            // What cannot be left behind, because something stands in its place, is not.
            let _ = left.map(|effect| apply(txn, request, effect));
            End::Badly(Failure { shown: *identifier, ..Failure::new(*code, message.clone()) })
        }
    }
}

fn apply(txn: &mut Txn<'_>, request: &Request, effect: Effect) -> Result<(), Failure> {
    let (shelf, identifier) = (&request.shelf, &request.identifier);
    let cause = Cause::Request(request.token);
    match effect {
        Effect::Create { resource, everywhere } => create(txn, shelf, resource, everywhere, cause),
        Effect::Update { resource, .. } => {
            txn.resource(shelf, identifier).ok_or_else(|| Failure::new(HandlerErrorCode::NotFound, None))?;
            txn.put_resource(shelf, resource, cause);
            Ok(())
        }
        Effect::Delete => {
            let core: &Core = txn.core();
            let stored =
                txn.resource(shelf, identifier).ok_or_else(|| Failure::new(HandlerErrorCode::NotFound, None))?;
            if let Some(protection) = protection::in_force(core, &shelf.type_name, &stored.model) {
                let (name, value) = (&protection.property, &protection.is);
                let message =
                    format!("Invalid request provided: {identifier} cannot be deleted while {name} is {value}");
                return Err(Failure::new(HandlerErrorCode::InvalidRequest, Some(message)));
            }
            let model = stored.model.clone();
            references::check(txn, request, &model)
                .map_err(|message| Failure::new(HandlerErrorCode::ResourceConflict, Some(message)))?;
            txn.remove_resource(shelf, identifier, cause);
            Ok(())
        }
    }
}

fn create(
    txn: &mut Txn<'_>,
    shelf: &ShelfKey,
    resource: NewResource,
    everywhere: bool,
    cause: Cause,
) -> Result<(), Failure> {
    match txn.clash(shelf, &resource, everywhere) {
        Some(identifier) => {
            Err(Failure { identifier: Some(identifier), ..Failure::new(HandlerErrorCode::AlreadyExists, None) })
        }
        None => {
            txn.put_resource(shelf, resource, cause);
            Ok(())
        }
    }
}

/// The part of a duration after which an identifier that the service chose is known, in milliseconds.
pub(crate) fn is_identifier_known(request: &Request, now: u64) -> bool {
    let Some(started) = request.started else { return false };
    let until = if request.status.is_final() { request.event_time } else { now };
    until >= started.saturating_add(millis(request.plan.identifier_at))
}
