//! How an operation ended. Pure.

use std::time::Duration;

use super::api::RequestError;
use super::codes::Conflict;
use super::error::{CloudError, CloudErrorKind};
use super::event::Event;
use super::failure::{Context, seconds};
use super::ownership::{Named, is_longer_form};

/// An operation that succeeded.
pub(super) struct Finished {
    /// The last event.
    pub(super) event: Event,
    /// By the request of an earlier process.
    pub(super) resumed: bool,
}

/// How far the service got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The submission was refused, or never made, so that the attempt began nothing.
    Refused,
    /// The service reported a failure.
    Failed,
    /// The service reported that the operation was canceled.
    Canceled,
    /// Not known.
    Open,
}

/// How an operation ended that did not succeed.
pub(super) struct Ended {
    /// For telling cases apart: the handler's or exception's code.
    pub(super) code: Option<String>,
    /// The service's words.
    pub(super) message: String,
    /// The pause that the service asked for.
    pub(super) retry_after: Option<Duration>,
    /// The resource of a create, if any answer of any attempt named one.
    pub(super) named: Option<Named>,
    /// How far the service got with the last attempt.
    pub(super) verdict: Verdict,
    /// The last attempt was the request of an earlier process.
    pub(super) resumed: bool,
    /// The refusal named this request.
    pub(super) request_token: Option<String>,
    /// Earlier attempts of a create named others, which may have been made.
    pub(super) strays: bool,
    /// The request that ran into its deadline, and that the service is to be asked to stop.
    pub(super) to_stop: Option<String>,
    /// What the caller is told.
    pub(super) error: CloudError,
}

/// What cut a wait short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interrupt {
    Canceled,
    DeadlinePassed,
}

impl Verdict {
    /// Of a submission that got this error: only a definite word of the service says that nothing has begun.
    pub(super) fn of(error: &RequestError) -> Self {
        match error.kind {
            CloudErrorKind::Service { .. } | CloudErrorKind::Credentials { .. } if !error.transient => Self::Refused,
            _ => Self::Open,
        }
    }
}

impl Ended {
    pub(super) fn without_event(error: CloudError) -> Self {
        Self {
            code: None,
            message: String::new(),
            retry_after: None,
            named: None,
            verdict: Verdict::Open,
            resumed: false,
            request_token: None,
            strays: false,
            to_stop: None,
            error,
        }
    }

    /// The end of an operation whose earlier attempts named these: nothing that was named is lost.
    pub(super) fn after(mut self, mut earlier: Vec<Named>) -> Self {
        // Whoever collides owns nothing, not even what an earlier attempt named; the text tells of it.
        let collided = self.code.as_deref().and_then(Conflict::of) == Some(Conflict::Taken);
        if self.named.is_none() && !collided {
            self.named = earlier.pop();
        }
        let known = self.named.as_ref().filter(|_| !collided).map(|named| named.identifier.as_str());
        let (failed, renamed): (Vec<_>, Vec<_>) = earlier.iter().partition(|named| named.code.is_some());
        let (failed, renamed) = (names(failed, known), names(renamed, known));
        self.strays = !(failed.is_empty() && renamed.is_empty());
        if !failed.is_empty() {
            self.error.message.push_str(&format!(
                "\n  note: an earlier attempt of this create failed after naming {failed}; it may have been made"
            ));
        }
        if !renamed.is_empty() {
            self.error.message.push_str(&format!(
                "\n  note: the service called the resource {renamed} before; look whether there are two of them at AWS"
            ));
        }
        self
    }

    /// Whether the failure means that there is nothing to delete, by event or by exception.
    pub(super) fn is_gone(&self) -> bool {
        let Some(code) = &self.code else { return false };
        let error = RequestError {
            kind: CloudErrorKind::Service { code: code.clone() },
            call: "DeleteResource",
            message: self.message.clone(),
            request_id: None,
            transient: false,
            request_token: None,
        };
        error.is_gone()
    }
}

/// The identifiers, each once, without `except`.
pub(super) fn names<'a>(named: impl IntoIterator<Item = &'a Named>, except: Option<&str>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for named in named {
        let name = named.identifier.as_str();
        let is_the_same = except.is_some_and(|made| made == name || is_longer_form(name, made));
        if !is_the_same && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The error for a wait that was interrupted after this time; `status` is the last one seen.
pub(super) fn interrupted(
    context: &Context<'_>,
    interrupt: Interrupt,
    waited: Duration,
    status: Option<&str>,
) -> CloudError {
    match interrupt {
        Interrupt::Canceled => context.canceled(),
        Interrupt::DeadlinePassed => context.timed_out(waited, status),
    }
}

/// The error for a read that was interrupted after this time.
pub(super) fn unread(context: &Context<'_>, interrupt: Interrupt, waited: Duration) -> CloudError {
    match interrupt {
        Interrupt::Canceled => context.other(CloudErrorKind::Canceled, "GetResource was canceled"),
        Interrupt::DeadlinePassed => {
            let text = format!("GetResource did not answer within {}", seconds(waited));
            context.other(CloudErrorKind::TimedOut, text)
        }
    }
}
