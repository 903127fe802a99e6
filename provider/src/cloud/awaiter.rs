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

/// How many polls in a row may get an answer that nobody can read: a proxy's page for a moment says nothing about the
/// operation, one that stays says that the endpoint is not AWS.
const UNREADABLE_POLLS: u32 = 3;

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
            CloudErrorKind::Malformed if !error.transient => self.failures >= UNREADABLE_POLLS,
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
mod tests {
    use super::*;

    /// One line of a script: what the service does when asked.
    enum Answer {
        Event(Box<Event>),
        Transient,
        Unreadable,
        Fatal,
    }

    fn event(status: &str) -> Event {
        Event { request_token: Some("t".to_owned()), ..Event::new(Status::parse(status)) }
    }

    fn answer(text: &str) -> Answer {
        let told = match text {
            "transient" => return Answer::Transient,
            "unreadable" => return Answer::Unreadable,
            "fatal" => return Answer::Fatal,
            status => match (status.split_once('@'), status.split_once('+')) {
                (Some((status, identifier)), _) => Event { identifier: Some(identifier.to_owned()), ..event(status) },
                (None, Some((status, seconds))) => {
                    Event { retry_after: seconds.parse().ok().map(Duration::from_secs), ..event(status) }
                }
                (None, None) => event(status),
            },
        };
        Answer::Event(Box::new(told))
    }

    /// Plays `script` (the first answer is the mutating call's) and returns pauses in ms, the end and the identifier.
    fn play(script: &str) -> (Vec<u128>, String, Option<String>) {
        let error = |kind, transient| RequestError {
            kind,
            call: "GetResourceRequestStatus",
            message: "no".to_owned(),
            request_id: None,
            transient,
            request_token: None,
        };
        let mut answers = script.split_whitespace().map(answer);
        let Some(Answer::Event(first)) = answers.next() else { return Default::default() };
        let mut awaiter = Awaiter::new(*first);
        let mut pauses = Vec::new();
        let end = loop {
            match awaiter.next(0.5) {
                Step::Done(end) => break end,
                Step::Poll { after } => {
                    pauses.push(after.as_millis());
                    match answers.next() {
                        Some(Answer::Event(event)) => awaiter.observe(*event),
                        Some(Answer::Transient) | None => {
                            awaiter.poll_failed(error(CloudErrorKind::Unreachable, true), Duration::ZERO);
                        }
                        Some(Answer::Unreadable) => {
                            awaiter.poll_failed(error(CloudErrorKind::Malformed, false), Duration::ZERO);
                        }
                        Some(Answer::Fatal) => {
                            awaiter.poll_failed(error(CloudErrorKind::Unreachable, false), Duration::ZERO);
                        }
                    }
                }
            }
        };
        let end = match end {
            End::Lost(_) => "lost".to_owned(),
            end => format!("{end:?}"),
        };
        (pauses, end, awaiter.into_last().0.identifier)
    }

    #[test]
    fn scripts() {
        for (script, pauses, end, identifier) in [
            ("SUCCESS@a", &[][..], "Succeeded", Some("a")),
            ("PENDING IN_PROGRESS SUCCESS@a", &[500, 750], "Succeeded", Some("a")),
            // An identifier once seen stays.
            ("IN_PROGRESS@a IN_PROGRESS FAILED", &[500, 750], "Failed", Some("a")),
            // RetryAfter counts.
            ("IN_PROGRESS+3 SUCCESS", &[3000], "Succeeded", None),
            // A failure at once is asked for its hooks, exactly once.
            ("FAILED FAILED", &[0], "Failed", None),
            ("FAILED fatal", &[0], "Failed", None),
            // A failure seen by a poll came with its hooks.
            ("IN_PROGRESS FAILED", &[500], "Failed", None),
            ("IN_PROGRESS CANCEL_IN_PROGRESS CANCEL_COMPLETE", &[500, 750], "Canceled", None),
            ("IN_PROGRESS WEIRD", &[500], "UnknownStatus", None),
            // Transient failures of polls are repeated on the same token.
            ("IN_PROGRESS@a transient transient SUCCESS", &[500, 1000, 2000], "Succeeded", Some("a")),
            ("IN_PROGRESS@a fatal", &[500], "lost", Some("a")),
            // A page of a proxy for a moment does not lose the operation, one that stays does.
            ("IN_PROGRESS@a unreadable unreadable SUCCESS", &[500, 1000, 2000], "Succeeded", Some("a")),
            ("IN_PROGRESS@a unreadable unreadable unreadable", &[500, 1000, 2000], "lost", Some("a")),
        ] {
            assert_eq!(
                play(script),
                (pauses.to_vec(), end.to_owned(), identifier.map(str::to_owned)),
                "script {script:?}"
            );
        }
    }

    #[test]
    fn no_name_is_forgotten() {
        for (first, later, renamed) in [
            ("a", &["a", "a"][..], &[][..]),
            ("a", &["b", "b"], &["a"]),
            ("a", &["", "b", "c"], &["a", "b"]),
            ("", &["b", "", ""], &[]),
            // The first name again: the other one is not lost.
            ("a", &["b", "a"], &["b"]),
        ] {
            let event =
                |name: &str| Event { identifier: Some(name.to_owned()).filter(|n| !n.is_empty()), ..event("PENDING") };
            let mut awaiter = Awaiter::new(event(first));
            later.iter().for_each(|name| awaiter.observe(event(name)));
            assert_eq!(awaiter.into_last().1, renamed, "{first} {later:?}");
        }
    }

    #[test]
    fn a_failure_keeps_its_reason_when_it_is_asked_for_its_hooks() {
        let failed = Event { code: Some("Throttling".to_owned()), message: Some("m".to_owned()), ..event("FAILED") };
        let mut awaiter = Awaiter::new(failed.clone());
        awaiter.observe(event("FAILED"));
        assert_eq!(awaiter.last(), &failed);
        awaiter.observe(Event { code: Some("InvalidRequest".to_owned()), ..event("FAILED") });
        assert_eq!(awaiter.last().code.as_deref(), Some("InvalidRequest"));
    }

    #[test]
    fn endless_poll_failures_end_after_minutes() {
        let (pauses, end, identifier) = play("IN_PROGRESS@a");
        assert_eq!((end.as_str(), identifier.as_deref()), ("lost", Some("a")));
        let total: u128 = pauses.iter().sum();
        assert!((300_000..330_000).contains(&total), "gave up after {total} ms");
    }

    #[test]
    fn throttled_polls_never_end_a_wait() {
        let throttled = |code: &str| RequestError {
            kind: CloudErrorKind::Service { code: code.to_owned() },
            call: "GetResourceRequestStatus",
            message: "slow".to_owned(),
            request_id: None,
            transient: true,
            request_token: None,
        };
        for (code, ends) in
            [("ThrottlingException", false), ("TooManyRequestsException", false), ("InternalFailure", true)]
        {
            let mut awaiter = Awaiter::new(event("IN_PROGRESS"));
            let polls = (0..100).take_while(|_| {
                let goes_on = matches!(awaiter.next(0.5), Step::Poll { .. });
                awaiter.poll_failed(throttled(code), Duration::from_secs(30));
                goes_on
            });
            assert_eq!(polls.count() < 100, ends, "{code}");
        }
    }

    #[test]
    fn nothing_to_poll_by() {
        let mut awaiter = Awaiter::new(Event { request_token: None, ..event("IN_PROGRESS") });
        assert_eq!(awaiter.next(0.0), Step::Done(End::NoToken));
        let mut awaiter = Awaiter::new(Event { request_token: None, ..event("FAILED") });
        assert_eq!(awaiter.next(0.0), Step::Done(End::Failed));
    }
}
