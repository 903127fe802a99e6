//! One asynchronous request and the events it shows.

use super::{Resource, ShelfKey};
use crate::handler_error::HandlerErrorCode;
use crate::scope::Scope;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
}

impl Operation {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
        }
    }
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    InProgress,
    Success,
    Failed,
    CancelInProgress,
    CancelComplete,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
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
            Status::InProgress | Status::CancelInProgress => false,
        }
    }
}

/// What a request changes once it ends well.
#[derive(Debug)]
pub(crate) enum Effect {
    /// The resource begins to exist; `is_unique_everywhere` when no other account or region may have its identifier.
    Create { resource: Resource, is_unique_everywhere: bool },
    /// The resource gets this model.
    Update { resource: Resource },
    /// The resource ceases to exist.
    Delete,
}

/// An accepted request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) token: String,
    pub(crate) scope: Scope,
    pub(crate) shelf: ShelfKey,
    pub(crate) operation: Operation,
    pub(crate) identifier: String,
    /// Whether the caller named the resource, so that even the first event can.
    pub(crate) is_named_by_caller: bool,
    pub(crate) effect: Option<Effect>,
    pub(crate) status: Status,
    pub(crate) error: Option<(HandlerErrorCode, String)>,
    /// The model that a successful event shows, as JSON text.
    pub(crate) event_model: Option<String>,
    /// The time of the last transition.
    pub(crate) event_time: SystemTime,
    /// Before this the request cannot end.
    pub(crate) ready_at: SystemTime,
    /// At this time it ends whether anybody looks or not.
    pub(crate) ends_at: SystemTime,
    pub(crate) looks: u32,
}

/// The shortest time that a client is asked to wait between two looks.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// The longest.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Request {
    /// The request as a ProgressEvent.
    pub(crate) fn event(&self, now: SystemTime) -> Value {
        let mut event = Map::new();
        event.insert("TypeName".to_owned(), json!(self.shelf.type_name));
        event.insert("RequestToken".to_owned(), json!(self.token));
        event.insert("Operation".to_owned(), json!(self.operation.name()));
        event.insert("OperationStatus".to_owned(), json!(self.status.name()));
        event.insert("EventTime".to_owned(), timestamp(self.event_time));
        if self.is_named_by_caller || self.looks > 0 || self.status == Status::Success {
            event.insert("Identifier".to_owned(), json!(self.identifier));
        }
        if let (Status::Success, Some(model)) = (self.status, &self.event_model) {
            event.insert("ResourceModel".to_owned(), json!(model));
        }
        if let Some((code, message)) = &self.error {
            event.insert("ErrorCode".to_owned(), json!(code.name()));
            event.insert("StatusMessage".to_owned(), json!(message));
        }
        if !self.status.is_final() {
            let remaining = self.ready_at.duration_since(now).unwrap_or(Duration::ZERO);
            event.insert("RetryAfter".to_owned(), timestamp(now + remaining.clamp(SHORTEST_PAUSE, LONGEST_PAUSE)));
        }
        Value::Object(event)
    }
}

/// A time as the protocol writes it: seconds with three decimals.
pub(crate) fn timestamp(time: SystemTime) -> Value {
    let millis = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    json!(millis as f64 / 1000.0)
}
