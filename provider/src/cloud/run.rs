//! Running one operation to its end: submit, wait, submit again where that helps, stop when told to.
//!
//! Nothing here decides what the end means for the caller; that is in [`super::client`].

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};
use uuid::Uuid;

use super::api::{Api, Mutation, RequestError};
use super::awaiter::{Awaiter, End, Step};
use super::client::{Client, LONGEST};
use super::error::{CloudError, CloudErrorKind};
use super::event::{Event, Status};
use super::failure::{Context, seconds};
use super::notices::NoticeKind;
use super::retry::{self, Retry};
use super::{Operation, backoff};

/// After cancellation: how long an unanswered submission may still answer, so that its resource is not lost.
const SUBMIT_GRACE: Duration = Duration::from_millis(400);
/// After cancellation: how long CancelResourceRequest may take.
const CANCEL_GRACE: Duration = Duration::from_millis(400);
/// After the deadline: how long CancelResourceRequest may take.
const DEADLINE_GRACE: Duration = Duration::from_secs(5);

/// How an operation ended that did not succeed.
pub(super) struct Ended {
    /// For telling cases apart: the handler's or exception's code.
    pub(super) code: Option<String>,
    /// The service's words.
    pub(super) message: String,
    /// The pause that the service asked for.
    pub(super) retry_after: Option<Duration>,
    /// The resource, if any answer named one.
    pub(super) identifier: Option<String>,
    /// What the caller is told.
    pub(super) error: CloudError,
}

/// What cut a wait short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interrupt {
    Canceled,
    DeadlinePassed,
}

impl<A: Api> Client<A> {
    /// Starts a mutation and waits for it, with new requests where [`retry::verdict`] allows them.
    pub(super) async fn run(&self, operation: &Operation<'_>, mutation: Mutation<'_>) -> Result<Event, Ended> {
        let started = Instant::now();
        let deadline = started + operation.deadline.min(LONGEST);
        let mut attempt = 1;
        // A resource that an earlier attempt named; should a later one collide with it, the text says so.
        let mut named_before: Option<String> = None;
        loop {
            let mut ended = match self.attempt(operation, mutation, started, deadline).await {
                Ok(event) => return Ok(event),
                Err(ended) => ended,
            };
            let Some(delay) = self.retry_delay(mutation, attempt, started, &ended) else {
                let collided = ended.code.as_ref().is_some_and(|code| retry::is_collision(code, &ended.message));
                match named_before {
                    Some(identifier) if collided => ended.error.message.push_str(&format!(
                        "\n  note: an earlier attempt of this create failed after naming {identifier}; it may have made it"
                    )),
                    earlier => ended.identifier = ended.identifier.or(earlier),
                }
                return Err(ended);
            };
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
                return Err(ended);
            }
            named_before = ended.identifier.take().or(named_before);
            attempt += 1;
        }
    }

    /// The pause before a new request, or `None` when this failure is final.
    fn retry_delay(&self, mutation: Mutation<'_>, attempt: u32, started: Instant, ended: &Ended) -> Option<Duration> {
        let code = ended.code.as_deref()?;
        if attempt >= self.max_attempts {
            return None;
        }
        match retry::verdict(mutation, code, &ended.message, ended.identifier.is_some()) {
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
        started: Instant,
        deadline: Instant,
    ) -> Result<Event, Ended> {
        let context = self.context(operation, mutation.name(), mutation.call(), mutation.identifier());
        if self.cancellation.is_cancelled() {
            return Err(Ended::without_event(context.canceled(false)));
        }
        let client_token = Uuid::new_v4().to_string();
        let mut submission = std::pin::pin!(self.api.submit(operation.type_name, mutation, &client_token));
        let (first, interrupt) = match self.interruptible(deadline, submission.as_mut()).await {
            Ok(answer) => (answer, None),
            // The service may have accepted the request already; its answer names what must not be lost.
            Err(interrupt) => match timeout(SUBMIT_GRACE, submission).await {
                Ok(answer) => (answer, Some(interrupt)),
                Err(_) => return Err(Ended::without_event(interrupted(&context, interrupt, started, None))),
            },
        };
        let first = first.map_err(|error| Ended {
            code: error.code().map(str::to_owned),
            message: error.message.clone(),
            error: context.request(&error),
            identifier: None,
            retry_after: None,
        })?;
        let mut awaiter = Awaiter::new(first);
        let end = match interrupt {
            Some(_) if awaiter.last().status == Status::Success => Ok(End::Succeeded),
            Some(interrupt) => Err(interrupt),
            None => self.wait(&mut awaiter, deadline).await,
        };
        let event = awaiter.into_last();
        let context = Context {
            identifier: event.identifier.as_deref().or(mutation.identifier()),
            request_token: event.request_token.as_deref(),
            ..context
        };
        let error = match end {
            Ok(End::Succeeded) => return Ok(event),
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
        let failed = event.status == Status::Failed;
        Err(Ended {
            error,
            code: event.code.filter(|_| failed),
            message: event.message.unwrap_or_default(),
            retry_after: event.retry_after,
            identifier: event.identifier,
        })
    }

    /// Performs the awaiter's steps until it is done.
    async fn wait(&self, awaiter: &mut Awaiter, deadline: Instant) -> Result<End, Interrupt> {
        loop {
            let after = match awaiter.next((self.jitter)()) {
                Step::Done(end) => return Ok(end),
                Step::Poll { after } => after,
            };
            self.interruptible(deadline, sleep(after)).await?;
            let Some(token) = awaiter.last().request_token.clone() else { return Ok(End::NoToken) };
            let asked = Instant::now();
            match self.interruptible(deadline, self.api.status(&token)).await? {
                Ok(event) => awaiter.observe(event),
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

impl Ended {
    fn without_event(error: CloudError) -> Self {
        Self { code: None, message: String::new(), retry_after: None, identifier: None, error }
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
        };
        error.is_gone()
    }
}

/// The error for an interrupted wait; `status` is the last one seen.
pub(super) fn interrupted(
    context: &Context<'_>,
    interrupt: Interrupt,
    started: Instant,
    status: Option<&str>,
) -> CloudError {
    match interrupt {
        Interrupt::Canceled => context.canceled(true),
        Interrupt::DeadlinePassed => context.timed_out(started.elapsed(), status),
    }
}
