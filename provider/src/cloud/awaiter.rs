//! Waiting for an operation as a state machine: events and failed polls go in, the next step comes out.
//!
//! Nothing here waits or calls; `run`, beside this module, performs the steps. The machine never forgets an identifier or a
//! request token, whatever later answers leave out.

use std::time::Duration;

use super::api::RequestError;
use super::backoff;
use super::error::CloudErrorKind;
use super::event::{Event, Status};
use crate::identity::codes::Kind;

/// How long polls may go on failing before the wait is given up.
const PATIENCE_WITH_POLLS: Duration = Duration::from_secs(300);

/// How many polls in a row may get an answer that says nothing about the operation. A proxy's page for a moment is none, one
/// that stays says that the endpoint is not AWS; and a token that was given out a moment ago may not be known everywhere.
const ODD_POLLS: u32 = 3;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Pause, then poll the token.
    Poll {
        /// How long to pause first.
        after: Duration,
    },
    /// Nothing more to wait for; the last event holds the details.
    Done(End),
}

/// How a wait ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The operation succeeded.
    Succeeded,
    /// The operation failed.
    Failed,
    /// The operation was cancelled by someone.
    Canceled,
    /// The service reported a status that this version does not know.
    UnknownStatus,
    /// The operation runs, but the service gave nothing to poll it by.
    NoToken,
    /// Polling failed for good; the operation may still finish.
    Lost(RequestError),
}

impl End {
    /// The end that a status means by itself; `None` while the operation goes on.
    pub fn of(status: &Status) -> Option<Self> {
        match status {
            Status::Success => Some(Self::Succeeded),
            Status::Failed => Some(Self::Failed),
            Status::CancelComplete => Some(Self::Canceled),
            Status::Other(_) => Some(Self::UnknownStatus),
            Status::Pending | Status::InProgress | Status::CancelInProgress => None,
        }
    }
}

/// The state of one wait.
#[derive(Debug)]
pub struct Awaiter {
    last: Event,
    /// Polls answered so far.
    polls: u32,
    /// Polls that failed since the last answer, and what their pauses add up to.
    failures: u32,
    patience_used: Duration,
    /// The hooks of a failure were asked for (or cannot be).
    hooks_known: bool,
    /// What the resource was called while its handler ran.
    named_running: Option<String>,
    /// What it was called before it was called otherwise.
    renamed: Vec<String>,
    lost: Option<RequestError>,
}

impl Awaiter {
    /// Begins with the answer of the mutating call.
    pub fn new(first: Event) -> Self {
        let named_running = named_running(&first);
        Self {
            last: first,
            polls: 0,
            failures: 0,
            patience_used: Duration::ZERO,
            hooks_known: false,
            named_running,
            renamed: Vec::new(),
            lost: None,
        }
    }

    /// The latest event, completed by what earlier ones said.
    pub fn last(&self) -> &Event {
        &self.last
    }

    /// What the resource was called while its handler ran, if it was.
    pub fn named_running(&self) -> Option<&str> {
        self.named_running.as_deref()
    }

    /// The latest event, and what the resource was called before, if the service has called it otherwise since.
    pub fn into_last(self) -> (Event, Vec<String>) {
        let Self { last, mut renamed, .. } = self;
        renamed.retain(|name| Some(name) != last.identifier.as_ref());
        (last, renamed)
    }

    /// What to do now. `jitter` in 0..1 spreads the pauses after failed polls.
    pub fn next(&mut self, jitter: f64) -> Step {
        let waiting = match End::of(&self.last.status) {
            None => true,
            // The reason of a hook's refusal is only in the status call.
            Some(End::Failed) if !self.hooks_known && self.last.request_token.is_some() => false,
            Some(end) => return Step::Done(end),
        };
        if self.last.request_token.is_none() {
            return Step::Done(End::NoToken);
        }
        if let Some(error) = self.lost.take() {
            return Step::Done(End::Lost(error));
        }
        let after = match (self.failures, waiting) {
            (0, false) => Duration::ZERO,
            (0, true) => backoff::poll_delay(self.polls, self.last.retry_after),
            (failures, _) => backoff::retry_delay(failures, jitter, None),
        };
        if self.failures > 0 {
            self.patience_used = self.patience_used.saturating_add(after);
        }
        Step::Poll { after }
    }

    /// Takes the answer of a poll.
    pub fn observe(&mut self, mut event: Event) {
        // Only status calls report hooks, so an answered poll settles that question.
        self.hooks_known = true;
        self.polls += 1;
        self.failures = 0;
        self.patience_used = Duration::ZERO;
        self.named_running = named_running(&event).or_else(|| self.named_running.take());
        if let (Some(before), Some(now)) = (&self.last.identifier, &event.identifier)
            && before != now
            && !self.renamed.contains(before)
        {
            self.renamed.push(before.clone());
        }
        event.identifier = event.identifier.or_else(|| self.last.identifier.take());
        if self.last.status == Status::Failed && event.status == Status::Failed {
            // The poll was for the hooks; the reasons are known.
            event.code = event.code.or_else(|| self.last.code.take());
            event.message = event.message.or_else(|| self.last.message.take());
        }
        event.request_token = event.request_token.or_else(|| self.last.request_token.take());
        self.last = event;
    }

    /// Takes the failure of a poll that took `took`: transient ones are repeated for minutes, others end the wait.
    pub fn poll_failed(&mut self, error: RequestError, took: Duration) {
        if self.last.status == Status::Failed {
            // The failure itself is known already; only its hooks are not.
            self.hooks_known = true;
            return;
        }
        self.failures += 1;
        self.patience_used = self.patience_used.saturating_add(took);
        if error.transient && error.code().is_some_and(|code| Kind::of(code) == Kind::Throttled) {
            // Somebody is there and will answer in time; many operations at once may take this long. The deadline ends it.
            self.patience_used = Duration::ZERO;
        }
        let hopeless = match error.kind {
            CloudErrorKind::Malformed if !error.transient => self.failures >= ODD_POLLS,
            _ if error.is_unknown_request() => self.failures >= ODD_POLLS,
            _ => !error.transient,
        };
        if hopeless || self.patience_used >= PATIENCE_WITH_POLLS {
            self.lost = Some(error);
        }
    }
}

fn named_running(event: &Event) -> Option<String> {
    event.identifier.clone().filter(|_| event.status == Status::InProgress)
}

#[cfg(test)]
mod tests;
