//! One asynchronous request as plain data; what happens to it is in [`crate::life`].

use super::{ShelfKey, Token};
use crate::handler_error::HandlerErrorCode;
use crate::life::plan::{Effect, Outcome, Plan};
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Kind {
    Create,
    Update,
    Delete,
}

impl Kind {
    /// The name in events.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Create => "CREATE",
            Kind::Update => "UPDATE",
            Kind::Delete => "DELETE",
        }
    }

    /// The name of the call that makes such a request.
    pub(crate) fn call(self) -> &'static str {
        match self {
            Kind::Create => "CreateResource",
            Kind::Update => "UpdateResource",
            Kind::Delete => "DeleteResource",
        }
    }
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Status {
    Pending,
    InProgress,
    Success,
    Failed,
    CancelInProgress,
    CancelComplete,
}

impl Status {
    /// Every status.
    pub(crate) const ALL: [Status; 6] = [
        Status::Pending,
        Status::InProgress,
        Status::Success,
        Status::Failed,
        Status::CancelInProgress,
        Status::CancelComplete,
    ];

    /// The name in events.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Pending => "PENDING",
            Status::InProgress => "IN_PROGRESS",
            Status::Success => "SUCCESS",
            Status::Failed => "FAILED",
            Status::CancelInProgress => "CANCEL_IN_PROGRESS",
            Status::CancelComplete => "CANCEL_COMPLETE",
        }
    }

    /// Whether nothing more will happen.
    pub(crate) fn is_final(self) -> bool {
        match self {
            Status::Success | Status::Failed | Status::CancelComplete => true,
            Status::Pending | Status::InProgress | Status::CancelInProgress => false,
        }
    }
}

/// An accepted request. All times are milliseconds of the emulator's clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) token: Token,
    pub(crate) scope: Scope,
    pub(crate) shelf: ShelfKey,
    pub(crate) operation: Kind,
    pub(crate) identifier: Box<str>,
    /// Whether the caller named the resource, so that even the first event can.
    pub(crate) is_named_by_caller: bool,
    /// What happens at the end; taken then.
    pub(crate) effect: Option<Effect>,
    pub(crate) plan: Plan,
    pub(crate) status: Status,
    pub(crate) accepted: u64,
    pub(crate) started: Option<u64>,
    /// The last transition.
    pub(crate) event_time: u64,
    /// When a cancellation is through.
    pub(crate) cancel_at: Option<u64>,
    /// How often it was looked at. Not durable: after a restart a request needs its looks again.
    #[serde(skip)]
    pub(crate) looks: u32,
    pub(crate) error: Option<(HandlerErrorCode, Box<str>)>,
    /// The model that a successful event shows, as JSON text.
    pub(crate) shown: Option<Box<str>>,
    pub(crate) hooks_token: Option<Token>,
    /// The order of acceptance.
    pub(crate) sequence: u64,
    /// The state version of the last change.
    pub(crate) version: u64,
}

/// How long a request waits for looks that do not come.
const PATIENCE: u64 = 2_000;

impl Request {
    /// When the work is over, if it has begun.
    pub(crate) fn ready_at(&self) -> Option<u64> {
        let share = match &self.plan.outcome {
            Outcome::Failed { at, .. } => at.clamp(0.0, 1.0),
            Outcome::Success | Outcome::Dropped { .. } => 1.0,
        };
        let work = millis(self.plan.duration) as f64 * share;
        match self.status {
            Status::CancelInProgress => self.cancel_at,
            _ => self.started.map(|started| started.saturating_add(work as u64)),
        }
    }

    /// When something happens to it whether anybody looks or not; `None` when nothing will.
    pub(crate) fn due(&self) -> Option<u64> {
        let patience = if self.plan.looks > 0 { PATIENCE } else { 0 };
        match self.status {
            Status::Success | Status::Failed | Status::CancelComplete => None,
            Status::CancelInProgress => Some(self.cancel_at?.saturating_add(patience)),
            Status::Pending | Status::InProgress if self.plan.stuck => None,
            Status::Pending => Some(self.accepted.saturating_add(millis(self.plan.interval))),
            Status::InProgress => Some(self.ready_at()?.saturating_add(patience)),
        }
    }

    /// Until when it keeps a worker busy; `None` before it has started and after it has ended.
    pub(crate) fn works_until(&self) -> Option<u64> {
        match self.status {
            Status::InProgress if self.plan.stuck => Some(u64::MAX),
            Status::InProgress | Status::CancelInProgress => self.ready_at(),
            Status::Pending | Status::Success | Status::Failed | Status::CancelComplete => None,
        }
    }

    /// Whether it may end at `now`, being looked at.
    pub(crate) fn may_end(&self, now: u64) -> bool {
        let is_over = self.ready_at().is_some_and(|ready_at| now >= ready_at) && self.looks >= self.plan.looks;
        match self.status {
            Status::InProgress => is_over && !self.plan.stuck,
            Status::CancelInProgress => is_over,
            Status::Pending | Status::Success | Status::Failed | Status::CancelComplete => false,
        }
    }

    /// Whether no other request may run on its resource. A create that lets the service choose the name holds none.
    pub(crate) fn holds_resource(&self) -> bool {
        !self.status.is_final() && (self.is_named_by_caller || self.operation != Kind::Create)
    }
}

/// A duration in whole milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A client token in use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClientToken {
    /// What the request was.
    pub(crate) digest: crate::entropy::Digest,
    pub(crate) request: Token,
    /// Milliseconds of the emulator's clock.
    pub(crate) first_used: u64,
}
