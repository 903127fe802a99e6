//! Running one operation to its end: submit, wait, submit again where that helps, stop when told to.
//!
//! Nothing here decides what the end means for the caller; that is in [`super::client`].

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::adopt::{self, Adoption, Asked, Refusal};
use super::api::{Api, Mutation};
use super::attempt::Submission;
use super::awaiter::Awaiter;
use super::client::{Client, LONGEST};
use super::codes::handler_code;
use super::ended::{Ended, Finished, Verdict, names};
use super::event::Event;
use super::failure::seconds;
use super::notices::NoticeKind;
use super::ownership::{Named, is_chosen};
use super::retry::{self, Retry};
use super::words::{PROPAGATION_WORDS, contains_any};
use super::{CloudControl as _, Operation, backoff, model};
use crate::journal::Entry;

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
        let mut outwaited: Option<String> = None;
        loop {
            let mut ended = match self.attempt(operation, mutation, &submission, started, deadline, &mut earlier).await
            {
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
            let asked = Asked { type_name: operation.type_name, mutation, begun: begun.as_deref() };
            let tried = (submission.adopted.as_deref(), outwaited.as_deref());
            let adoption = self.adoption(&asked, &ended, deadline).await;
            match adoption.filter(|adoption| !over && adoption.is_new(tried.0, tried.1)) {
                Some(Adoption::Follow { request_token }) => {
                    let text =
                        format!("following the request that is under way already (request token {request_token})");
                    self.tell(operation, deadline, &text).await;
                    submission.adopted = Some(request_token);
                    continue;
                }
                Some(Adoption::WaitFor { event }) => {
                    outwaited.clone_from(&event.request_token);
                    let token = event.request_token.as_deref().unwrap_or_default();
                    let text = format!("waiting for another operation on the resource (request token {token})");
                    self.tell(operation, deadline, &text).await;
                    if self.wait(&mut Awaiter::new(*event), deadline, None).await.is_ok() {
                        submission = submission.next();
                        continue;
                    }
                    return Err(ended.after(earlier));
                }
                None => {}
            }
            // A request that was followed and that the service does not know any more is over, whoever made it. A creation
            // by it may have succeeded, so that another could make a second resource.
            let expired = submission.adopted.is_some() && ended.error.kind.is_unknown_request();
            if expired && mutation.identifier().is_some() && !over && attempt < self.max_attempts {
                attempt += 1;
                submission = submission.next();
                continue;
            }
            let delay = match over {
                true => None,
                false => self.retry_delay(operation, mutation, attempt, started, &ended).await,
            };
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

    /// Shows what is going on, as long as there is time for it.
    pub(super) async fn tell(&self, operation: &Operation<'_>, deadline: Instant, text: &str) {
        let _ = self.interruptible(deadline, self.notices.show(NoticeKind::Status, operation.urn, text)).await;
    }

    /// Warns of resources that a create named besides the one that was made in the end.
    async fn tell_of_strays(&self, operation: &Operation<'_>, event: &Event, earlier: &[Named]) {
        let made = event.identifier.as_deref();
        let (failed, renamed): (Vec<_>, Vec<_>) = earlier.iter().partition(|named| named.code.is_some());
        let failed = names(failed, made);
        if !failed.is_empty() {
            let text = format!(
                "{failed} may have been left behind by a failed attempt to create this resource; look for it at AWS, and \
                 delete it if it is there"
            );
            self.warn(operation.urn, &text).await;
        }
        let renamed = names(renamed, made);
        if !renamed.is_empty() {
            let made = made.unwrap_or_default();
            let text = format!(
                "the service called this resource {renamed} before it called it {made}, which is what the state has; look \
                 whether there are two of them at AWS"
            );
            self.warn(operation.urn, &text).await;
        }
    }

    /// The pause before a new request, or `None` when this failure is final.
    async fn retry_delay(
        &self,
        operation: &Operation<'_>,
        mutation: Mutation<'_>,
        attempt: u32,
        started: Instant,
        ended: &Ended,
    ) -> Option<Duration> {
        if attempt >= self.max_attempts {
            return None;
        }
        let worth = |retry| match retry {
            Retry::No => false,
            Retry::Within(window) => started.elapsed() < window,
            Retry::Attempts => true,
        };
        let named = ended.named.as_ref();
        let worth_it = worth(self.verdict(mutation, ended, named.is_some())?)
            || match named {
                Some(named) if named.code.is_some() => {
                    let retry = self.verdict(mutation, ended, false)?;
                    // A role that cannot be assumed yet fails before anything is made, and of a chosen name no second can be
                    // made. Else what a read does not find may be there, and only not seen yet.
                    let is_safe =
                        contains_any(&ended.message, PROPAGATION_WORDS) || creates_by_name(mutation, &named.identifier);
                    worth(retry) && is_safe && self.glance(operation, &named.identifier).await == Ok(None)
                }
                _ => false,
            };
        worth_it.then(|| backoff::retry_delay(attempt, (self.jitter)(), ended.retry_after))
    }

    /// How the failure may be answered; `made`: a create named a resource that may exist. `None` when it has no code.
    fn verdict(&self, mutation: Mutation<'_>, ended: &Ended, made: bool) -> Option<Retry> {
        let code = match (ended.code.as_deref(), ended.verdict) {
            (code, Verdict::Failed) => handler_code(code.unwrap_or_default()),
            (code, _) => code?,
        };
        Some(match retry::verdict(mutation, code, &ended.message, made) {
            Retry::No if self.has_new_role() && !made => retry::blames_a_new_role(mutation, code, &ended.message),
            verdict => verdict,
        })
    }
}

/// Whether the mutation creates a resource whose name the program chose, so that there cannot be two of it.
fn creates_by_name(mutation: Mutation<'_>, identifier: &str) -> bool {
    match mutation {
        Mutation::Create { desired } => model::parse(desired).is_ok_and(|desired| is_chosen(identifier, &desired)),
        Mutation::Update { .. } | Mutation::Delete { .. } => false,
    }
}
