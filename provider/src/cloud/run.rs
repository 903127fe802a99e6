//! Running one operation to its end: submit, wait, submit again where that helps, stop when told to.
//!
//! Nothing here decides what the end means for the caller; that is in [`super::client`].

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};
use uuid::Uuid;

use super::adopt::{self, Adoption, Asked, Refusal};
use super::api::{Api, Mutation, RequestError};
use super::awaiter::{Awaiter, End, Step};
use super::client::{Client, LONGEST};
use super::error::{CloudError, CloudErrorKind};
use super::event::{Event, Status};
use super::failure::{Context, seconds};
use super::notices::NoticeKind;
use super::ownership::{self, Named};
use super::progress::Progress;
use super::retry::{self, Retry};
use super::{CloudControl as _, Operation, backoff};
use crate::journal::Entry;
use crate::journal::entry::next_token;

/// After cancellation: how long an unanswered submission may still answer, so that its resource is not lost.
const SUBMIT_GRACE: Duration = Duration::from_millis(400);
/// After cancellation: how long CancelResourceRequest may take.
const CANCEL_GRACE: Duration = Duration::from_millis(400);
/// After the deadline: how long CancelResourceRequest may take.
const DEADLINE_GRACE: Duration = Duration::from_secs(5);

/// What one attempt sends, or follows.
struct Submission {
    /// Names the attempt; under the same token nothing happens twice.
    client_token: String,
    /// A request that is under way already, to be followed instead of sending one.
    adopted: Option<String>,
    /// The creation of an earlier process that the token belongs to.
    resumed: Option<Entry>,
}

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
    /// The submission was refused, so that the attempt began nothing.
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
    request_token: Option<String>,
    /// Earlier attempts of a create named others, which may have been made.
    pub(super) strays: bool,
    /// What the caller is told.
    pub(super) error: CloudError,
}

/// The operation that a wait is about.
struct Watch<'a> {
    operation: &'a Operation<'a>,
    mutation: Mutation<'a>,
    started: Instant,
}

/// What cut a wait short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interrupt {
    Canceled,
    DeadlinePassed,
}

impl<A: Api> Client<A> {
    /// Starts a mutation and waits for it, with new requests where [`retry::verdict`] allows them. `resumed` is a creation
    /// that an earlier process began with the same document.
    pub(super) async fn run(
        &self,
        operation: &Operation<'_>,
        mutation: Mutation<'_>,
        resumed: Option<Entry>,
    ) -> Result<Finished, Ended> {
        let started = Instant::now();
        let deadline = started + operation.deadline.min(LONGEST);
        let mut attempt = 1;
        // What earlier attempts of a create named, in order: something of that name may have been made.
        let mut earlier: Vec<Named> = Vec::new();
        let mut accepted = false;
        let mut submission = Submission::first(resumed);
        let begun = submission.resumed.as_ref().and_then(|entry| entry.request_token.clone());
        let since = crate::clock::now() as f64;
        let mut outwaited = None;
        loop {
            let mut ended = match self.attempt(operation, mutation, &submission, started, deadline).await {
                Ok(event) => {
                    self.tell_of_strays(operation, &event, &earlier).await;
                    return Ok(Finished { event, resumed: submission.resumed.is_some() });
                }
                Err(ended) => ended,
            };
            // What an earlier attempt did remains, even when the last one is refused.
            accepted |= ended.error.accepted;
            ended.error.accepted = accepted;
            ended.resumed = submission.resumed.is_some();
            let over = self.cancellation.is_cancelled() || Instant::now() >= deadline;
            let asked = Asked { type_name: operation.type_name, mutation, since, begun: begun.as_deref() };
            match self.adoption(&asked, &ended, deadline).await.filter(|_| !over) {
                Some(Adoption::Follow { request_token }) if submission.adopted.as_ref() != Some(&request_token) => {
                    let text =
                        format!("following the request that is under way already (request token {request_token})");
                    self.tell(operation, deadline, &text).await;
                    submission.adopted = Some(request_token);
                    continue;
                }
                // Twice the same means that it does not end, whatever its status says: the usual pauses do then.
                Some(Adoption::WaitFor { event }) if outwaited != event.request_token => {
                    outwaited.clone_from(&event.request_token);
                    let token = event.request_token.as_deref().unwrap_or_default();
                    let text = format!("waiting for another operation on the resource (request token {token})");
                    self.tell(operation, deadline, &text).await;
                    if self.wait(&mut Awaiter::new(event), deadline, None).await.is_ok() {
                        submission = submission.next();
                        continue;
                    }
                    return Err(ended.after(earlier));
                }
                _ => {}
            }
            let delay = self.retry_delay(mutation, attempt, started, &ended).filter(|_| !over);
            let Some(delay) = delay else { return Err(ended.after(earlier)) };
            let code = ended.code.as_deref().unwrap_or_default();
            let text = format!(
                "Retrying after {code:?} error (attempt {attempt}/{}, waiting {})",
                self.max_attempts,
                seconds(delay)
            );
            let pause = async {
                self.notices.show(NoticeKind::Status, operation.urn, &text).await;
                sleep(delay).await;
            };
            if self.interruptible(deadline, pause).await.is_err() {
                // The failure that was to be retried says more than the interruption.
                return Err(ended.after(earlier));
            }
            earlier.extend(ended.named.take());
            attempt += 1;
            submission = submission.next();
        }
    }

    /// Which other request a refusal means, asking for those under way where the refusal does not say.
    async fn adoption(&self, asked: &Asked<'_>, ended: &Ended, deadline: Instant) -> Option<Adoption> {
        let refusal = Refusal {
            code: ended.code.as_deref().filter(|_| ended.verdict == Verdict::Refused)?,
            message: &ended.message,
            request_token: ended.request_token.as_deref(),
        };
        if !refusal.is_conflict() {
            return None;
        }
        if let Some(adoption) = adopt::by_refusal(&refusal) {
            return Some(adoption);
        }
        let under_way = self.interruptible(deadline, self.api.requests()).await.ok()?;
        under_way.ok().and_then(|events| adopt::by_requests(&refusal, asked, &events))
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

    /// Shows what is going on, as long as there is time for it.
    pub(super) async fn tell(&self, operation: &Operation<'_>, deadline: Instant, text: &str) {
        let _ = self.interruptible(deadline, self.notices.show(NoticeKind::Status, operation.urn, text)).await;
    }

    /// Warns of resources that failed attempts of a create named and that are not the one that was made in the end.
    async fn tell_of_strays(&self, operation: &Operation<'_>, event: &Event, earlier: &[Named]) {
        let strays = names(earlier, event.identifier.as_deref());
        if !strays.is_empty() {
            let text = format!(
                "{strays} may have been left behind by a failed attempt to create this resource; look for it at AWS, and \
                 delete it if it is there"
            );
            self.warn(operation.urn, &text).await;
        }
    }

    /// The pause before a new request, or `None` when this failure is final.
    fn retry_delay(&self, mutation: Mutation<'_>, attempt: u32, started: Instant, ended: &Ended) -> Option<Duration> {
        let code = ended.code.as_deref()?;
        if attempt >= self.max_attempts {
            return None;
        }
        let verdict = match retry::verdict(mutation, code, &ended.message, ended.named.is_some()) {
            Retry::No if self.has_new_role() => retry::blames_a_new_role(mutation, code, &ended.message),
            verdict => verdict,
        };
        match verdict {
            Retry::No => None,
            Retry::Within(window) if started.elapsed() >= window => None,
            Retry::Attempts | Retry::Within(_) => {
                Some(backoff::retry_delay(attempt, (self.jitter)(), ended.retry_after))
            }
        }
    }

    /// One request with its wait, under one client token.
    async fn attempt(
        &self,
        operation: &Operation<'_>,
        mutation: Mutation<'_>,
        submission: &Submission,
        started: Instant,
        deadline: Instant,
    ) -> Result<Event, Ended> {
        let context = self.context(operation, mutation.name(), mutation.identifier());
        if self.cancellation.is_cancelled() {
            return Err(Ended::without_event(context.canceled(false)));
        }
        if let Mutation::Create { desired } = mutation
            && submission.adopted.is_none()
        {
            self.keep(operation, desired, submission).await;
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
                Err(_) => return Err(Ended::without_event(interrupted(&context, interrupt, started, None))),
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
            retry_after: None,
        })?;
        let watch = Watch { operation, mutation, started };
        self.saw(&watch, &first).await;
        let mut awaiter = Awaiter::new(first);
        let end = match interrupt {
            Some(interrupt) => Err(interrupt),
            None => self.wait(&mut awaiter, deadline, Some(&watch)).await,
        };
        // An end that the service reported stands, whatever interrupted the wait (for the hooks of a failure, say).
        let end = end.or_else(|interrupt| End::of(&awaiter.last().status).ok_or(interrupt));
        let running = awaiter.named_running().map(str::to_owned);
        let event = awaiter.into_last();
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
                self.stop_at_service(&event, interrupt).await;
                interrupted(&context, interrupt, started, Some(event.status.name()))
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
        Err(Ended { verdict, named, retry_after, code, message, ..Ended::without_event(error) })
    }

    /// Keeps a creation in the journal before its request is sent.
    async fn keep(&self, operation: &Operation<'_>, desired: &str, submission: &Submission) {
        if !self.journal.is_on() {
            return;
        }
        let entry = submission.resumed.clone().unwrap_or_else(|| {
            let Operation { urn, type_name, .. } = operation;
            let mut entry = Entry::new(urn, type_name, &submission.client_token, desired, self.journal.now());
            entry.account.clone_from(&self.location.account);
            entry
        });
        self.journal.begin(entry).await;
    }

    /// Passes on what an answer tells.
    async fn saw(&self, watch: &Watch<'_>, event: &Event) {
        self.notices.observed(watch.operation.urn, event);
        if let Mutation::Create { .. } = watch.mutation {
            let (token, identifier) = (event.request_token.as_deref(), event.identifier.as_deref());
            self.journal.note(watch.operation.urn, token, identifier).await;
        }
    }

    /// Performs the awaiter's steps until it is done. `watch` is the operation, where it is the caller's own.
    async fn wait(
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
                        self.saw(watch, &event).await;
                    }
                    awaiter.observe(event);
                }
                Err(error) => awaiter.poll_failed(error, asked.elapsed()),
            }
        }
    }

    /// Asks the service to stop, as far as that goes quickly.
    async fn stop_at_service(&self, event: &Event, interrupt: Interrupt) {
        let grace = match interrupt {
            Interrupt::Canceled => CANCEL_GRACE,
            Interrupt::DeadlinePassed => DEADLINE_GRACE,
        };
        if let Some(token) = &event.request_token
            && let Ok(Err(error)) = timeout(grace, self.api.cancel(token)).await
        {
            tracing::debug!(call = error.call, message = error.message, "the operation could not be stopped");
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
}

impl Submission {
    /// The first request: a new one, or again that of an earlier process.
    fn first(resumed: Option<Entry>) -> Self {
        let client_token = match &resumed {
            Some(entry) => entry.client_token.clone(),
            None => Uuid::new_v4().to_string(),
        };
        Self { client_token, adopted: None, resumed }
    }

    /// A new request.
    fn next(&self) -> Self {
        Self { client_token: next_token(&self.client_token), adopted: None, resumed: None }
    }
}

impl Verdict {
    /// Of a submission that got this error: only a definite word of the service says that nothing has begun.
    fn of(error: &RequestError) -> Self {
        match error.kind {
            CloudErrorKind::Service { .. } | CloudErrorKind::Credentials if !error.transient => Self::Refused,
            _ => Self::Open,
        }
    }
}

impl Ended {
    fn without_event(error: CloudError) -> Self {
        Self {
            code: None,
            message: String::new(),
            retry_after: None,
            named: None,
            verdict: Verdict::Open,
            resumed: false,
            request_token: None,
            strays: false,
            error,
        }
    }

    /// The end of an operation whose earlier attempts named these: nothing that was named is lost.
    fn after(mut self, mut earlier: Vec<Named>) -> Self {
        // Whoever collides owns nothing, not even what an earlier attempt named; the text tells of it.
        let collided = self.code.as_deref().is_some_and(ownership::is_collision);
        if self.named.is_none() && !collided {
            self.named = earlier.pop();
        }
        let known = self.named.as_ref().filter(|_| !collided).map(|named| named.identifier.as_str());
        let others = names(&earlier, known);
        self.strays = !others.is_empty();
        if self.strays {
            self.error.message.push_str(&format!(
                "\n  note: an earlier attempt of this create failed after naming {others}; it may have been made"
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
fn names(named: &[Named], except: Option<&str>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for named in named {
        let name = named.identifier.as_str();
        if Some(name) != except && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The error for an interrupted wait; `status` is the last one seen.
fn interrupted(context: &Context<'_>, interrupt: Interrupt, started: Instant, status: Option<&str>) -> CloudError {
    match interrupt {
        Interrupt::Canceled => context.canceled(true),
        Interrupt::DeadlinePassed => context.timed_out(started.elapsed(), status),
    }
}

/// The error for an interrupted read.
pub(super) fn unread(context: &Context<'_>, interrupt: Interrupt, started: Instant) -> CloudError {
    match interrupt {
        Interrupt::Canceled => context.other(CloudErrorKind::Canceled, "GetResource was canceled"),
        Interrupt::DeadlinePassed => {
            let text = format!("GetResource did not answer within {}", seconds(started.elapsed()));
            context.other(CloudErrorKind::TimedOut, text)
        }
    }
}
