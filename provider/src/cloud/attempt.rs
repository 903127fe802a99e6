//! One request of an operation with its wait: sent or followed, kept, watched, told of, stopped.
//!
//! What comes after it is in [`super::run`].

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};
use uuid::Uuid;

use super::api::{Api, Mutation};
use super::awaiter::{Awaiter, End, Step};
use super::client::Client;
use super::ended::{Ended, Interrupt, Verdict, interrupted};
use super::error::CloudErrorKind;
use super::event::{Event, Status};
use super::failure::Context;
use super::notices::NoticeKind;
use super::ownership::{Named, is_longer_form};
use super::progress::Progress;
use super::{CloudControl as _, Operation};
use crate::journal::Entry;
use crate::journal::entry::next_token;

/// After cancellation: how long an unanswered submission may still answer, so that its resource is not lost.
const SUBMIT_GRACE: Duration = Duration::from_millis(400);
/// After cancellation: how long CancelResourceRequest may take.
const CANCEL_GRACE: Duration = Duration::from_millis(400);

/// What one attempt sends, or follows.
pub(super) struct Submission {
    /// Names the attempt; under the same token nothing happens twice.
    client_token: String,
    /// A request that is under way already, to be followed instead of sending one.
    pub(super) adopted: Option<String>,
    /// The creation of an earlier process that the token belongs to.
    pub(super) resumed: Option<Entry>,
}

/// The operation that a wait is about.
pub(super) struct Watch<'a> {
    operation: &'a Operation<'a>,
    mutation: Mutation<'a>,
    started: Instant,
}

impl Submission {
    /// The first request: a new one, or again that of an earlier process.
    pub(super) fn first(resumed: Option<Entry>) -> Self {
        let client_token = match &resumed {
            Some(entry) => entry.client_token.clone(),
            None => Uuid::new_v4().to_string(),
        };
        Self { client_token, adopted: None, resumed }
    }

    /// A new request.
    pub(super) fn next(&self) -> Self {
        Self { client_token: next_token(&self.client_token), adopted: None, resumed: None }
    }
}

impl<A: Api> Client<A> {
    /// One request with its wait, under one client token. What a create was called before it was called otherwise is added
    /// to `earlier`.
    pub(super) async fn attempt(
        &self,
        operation: &Operation<'_>,
        mutation: Mutation<'_>,
        submission: &Submission,
        started: Instant,
        deadline: Instant,
        earlier: &mut Vec<Named>,
    ) -> Result<Event, Ended> {
        let context = self.context(operation, mutation.name(), mutation.identifier());
        if self.cancellation.is_cancelled() {
            return Err(Ended { verdict: Verdict::Refused, ..Ended::without_event(context.not_started()) });
        }
        if let Mutation::Create { desired } = mutation
            && submission.adopted.is_none()
        {
            self.keep(operation, desired, submission);
        }
        let mut sent = std::pin::pin!(async {
            match &submission.adopted {
                Some(request_token) => Ok(Event::under_way(request_token)),
                None => self.api.submit(operation.type_name, mutation, &submission.client_token).await,
            }
        });
        let (first, interrupt) = match self.interruptible(deadline, sent.as_mut()).await {
            Ok(answer) => (answer, None),
            // The service may have accepted the request already; its answer names what must not be lost.
            Err(interrupt) => match timeout(SUBMIT_GRACE, sent).await {
                Ok(answer) => (answer, Some(interrupt)),
                Err(_) => return Err(Ended::without_event(interrupted(&context, interrupt, started.elapsed(), None))),
            },
        };
        let first = first.map_err(|error| Ended {
            code: error.code().map(str::to_owned),
            message: error.message.clone(),
            verdict: Verdict::of(&error),
            resumed: false,
            request_token: error.request_token.clone(),
            error: context.request(&error),
            named: None,
            strays: false,
            to_stop: None,
            retry_after: None,
        })?;
        let watch = Watch { operation, mutation, started };
        self.saw(&watch, &first);
        let mut awaiter = Awaiter::new(first);
        let end = match interrupt {
            Some(interrupt) => Err(interrupt),
            None => self.wait(&mut awaiter, deadline, Some(&watch)).await,
        };
        // An end that the service reported stands, whatever interrupted the wait (for the hooks of a failure, say).
        let end = end.or_else(|interrupt| End::of(&awaiter.last().status).ok_or(interrupt));
        let running = awaiter.named_running().map(str::to_owned);
        let (event, renamed) = awaiter.into_last();
        if let (Mutation::Create { .. }, Some(now)) = (mutation, &event.identifier) {
            let others = renamed.into_iter().filter(|before| !is_longer_form(before, now));
            earlier.extend(others.map(|identifier| Named { identifier, ..Named::default() }));
        }
        let context = Context {
            identifier: event.identifier.as_deref().or(mutation.identifier()),
            request_token: event.request_token.as_deref(),
            ..context
        };
        let verdict = match end {
            Ok(End::Failed) => Verdict::Failed,
            Ok(End::Canceled) => Verdict::Canceled,
            Ok(_) | Err(_) => Verdict::Open,
        };
        let mut to_stop = None;
        let mut error = match end {
            Ok(End::Succeeded) => {
                self.tell_of_hooks(operation, &event).await;
                return Ok(event);
            }
            Ok(End::Failed) => context.event(&event),
            Ok(End::Canceled) => context.other(
                CloudErrorKind::Canceled,
                format!("operation {} was canceled at the service; what it did so far remains", context.operation),
            ),
            Ok(End::UnknownStatus) => context.other(
                CloudErrorKind::Malformed,
                format!("unknown status {:?}: the outcome is not known", event.status.name()),
            ),
            Ok(End::NoToken) => context.other(
                CloudErrorKind::Malformed,
                "missing request token: the operation runs, but the service gave nothing to follow it by",
            ),
            Ok(End::Lost(error)) => {
                let mut text = context.request(&error);
                text.message.insert_str(0, "getting resource request status: ");
                text
            }
            Err(interrupt) => {
                match interrupt {
                    Interrupt::Canceled => self.stop(operation, event.request_token.as_deref(), CANCEL_GRACE).await,
                    // Whoever called reads what there is at the same time.
                    Interrupt::DeadlinePassed => to_stop.clone_from(&event.request_token),
                }
                interrupted(&context, interrupt, started.elapsed(), Some(event.status.name()))
            }
        };
        error.accepted = true;
        let failed = event.status == Status::Failed;
        let code = event.code.filter(|_| failed);
        let message = event.message.unwrap_or_default();
        let named = event.identifier.filter(|_| matches!(mutation, Mutation::Create { .. })).map(|identifier| Named {
            running: running.as_ref() == Some(&identifier),
            // A failure without a code is a failure all the same.
            code: failed.then(|| code.clone().unwrap_or_default()),
            message: message.clone(),
            identifier,
        });
        let retry_after = event.retry_after;
        Err(Ended { verdict, named, retry_after, code, message, to_stop, ..Ended::without_event(error) })
    }

    /// Keeps a creation in the journal before its request is sent.
    fn keep(&self, operation: &Operation<'_>, desired: &str, submission: &Submission) {
        if !self.journal.is_on() {
            return;
        }
        let entry = submission.resumed.clone().unwrap_or_else(|| {
            let Operation { urn, type_name, .. } = operation;
            let mut entry = Entry::new(urn, type_name, &submission.client_token, desired, self.journal.now());
            entry.account.clone_from(&self.location.account);
            entry
        });
        self.journal.begin(entry);
    }

    /// Passes on what an answer tells.
    fn saw(&self, watch: &Watch<'_>, event: &Event) {
        self.notices.observed(watch.operation.urn, event);
        if let Mutation::Create { .. } = watch.mutation {
            let (token, identifier) = (event.request_token.as_deref(), event.identifier.as_deref());
            self.journal.note(watch.operation.urn, token, identifier);
        }
    }

    /// Performs the awaiter's steps until it is done. `watch` is the operation, where it is the caller's own.
    pub(super) async fn wait(
        &self,
        awaiter: &mut Awaiter,
        deadline: Instant,
        watch: Option<&Watch<'_>>,
    ) -> Result<End, Interrupt> {
        let mut progress = Progress::default();
        loop {
            let after = match awaiter.next((self.jitter)()) {
                Step::Done(end) => return Ok(end),
                Step::Poll { after } => after,
            };
            let line = watch.and_then(|watch| {
                let Operation { secrets, .. } = watch.operation;
                progress.line(watch.started.elapsed(), watch.mutation.name(), awaiter.last(), *secrets)
            });
            let pause = async {
                let mut pause = std::pin::pin!(sleep(after));
                if let (Some(watch), Some(line)) = (watch, &line) {
                    // An engine that does not take the line must not hold up the polls.
                    tokio::select! {
                        biased;
                        () = pause.as_mut() => return,
                        () = self.notices.show(NoticeKind::Status, watch.operation.urn, line) => {}
                    }
                }
                pause.await;
            };
            self.interruptible(deadline, pause).await?;
            let Some(token) = awaiter.last().request_token.clone() else { return Ok(End::NoToken) };
            let asked = Instant::now();
            match self.interruptible(deadline, self.api.status(&token)).await? {
                Ok(event) => {
                    if let Some(watch) = watch {
                        self.saw(watch, &event);
                    }
                    awaiter.observe(event);
                }
                Err(error) => awaiter.poll_failed(error, asked.elapsed()),
            }
        }
    }

    /// Asks the service to stop the request, as far as that goes within `grace`.
    pub(super) async fn stop(&self, operation: &Operation<'_>, request_token: Option<&str>, grace: Duration) {
        if let Some(token) = request_token
            && let Ok(Err(error)) = timeout(grace, self.api.cancel(token)).await
        {
            // Without the secrets the service is not quoted.
            let message = operation.secrets.map(|secrets| secrets.hide(error.message));
            tracing::debug!(call = error.call, message, "the operation could not be stopped");
        }
    }

    /// Waits for `future`, but not past the deadline or cancellation.
    pub(super) async fn interruptible<T>(
        &self,
        deadline: Instant,
        future: impl Future<Output = T>,
    ) -> Result<T, Interrupt> {
        tokio::select! {
            biased;
            () = self.cancellation.cancelled() => Err(Interrupt::Canceled),
            answer = future => Ok(answer),
            () = sleep_until(deadline) => Err(Interrupt::DeadlinePassed),
        }
    }

    /// Warns of hooks that objected and were configured to let the operation pass all the same.
    async fn tell_of_hooks(&self, operation: &Operation<'_>, event: &Event) {
        let objected = event.hooks.iter().filter(|hook| hook.failed() && hook.failure_mode == "WARN");
        let lines: Vec<String> = objected
            .map(|hook| match operation.secrets {
                Some(secrets) => {
                    format!("hook {} objected, but only warns: {}", hook.name, secrets.hide(hook.message.clone()))
                }
                None => format!("hook {} objected, but only warns", hook.name),
            })
            .collect();
        if !lines.is_empty() {
            self.warn(operation.urn, &lines.join("\n")).await;
        }
    }
}
