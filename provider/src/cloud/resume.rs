//! Creating, with what an earlier process may have begun.
//!
//! [`crate::journal`] knows of creations that the state does not have. One that asked for the same document is asked for
//! again with the same client token, so that the service answers with the request that it has:
//!
//! | that request | then |
//! |---|---|
//! | runs, or has succeeded | as if nothing had happened |
//! | has succeeded, but its resource is gone | a new request |
//! | has failed or was cancelled, and left something of ours | the resource is partly made, as ever |
//! | has failed or was cancelled otherwise | a new request |
//! | is not the same after all (ClientTokenConflict) | the user is told, then a new request |
//!
//! One that asked for this resource with another document is waited for. What it made is ours, since its request token says
//! so, and mostly has the very name that a new request would ask for: it goes into the state as partly made, and the engine
//! changes it in its next run. Where nothing shows what became of it, or it asked for another type or account, it is named
//! to the user with its request and its resource, and a new request is made.

use serde_json::Value as Json;
use tokio::time::Instant;

use super::api::{Api, Mutation};
use super::awaiter::{Awaiter, End};
use super::client::{Client, GLANCE, LONGEST};
use super::codes::Conflict;
use super::ended::{Ended, Finished, Verdict, interrupted};
use super::error::{CloudErrorKind, CreateFailure};
use super::event::{Event, Status};
use super::{CloudControl as _, Created, Operation};
use crate::journal::decide::{self, Resume};
use crate::journal::{Entry, Outcome};

/// The request of an earlier process leads nowhere.
struct Anew;

/// What an earlier process has begun.
enum Begun {
    /// Nothing that a new request could not stand beside.
    Nothing,
    /// This very request.
    Same(Entry),
    /// The resource, with other inputs.
    Other(CreateFailure),
}

impl<A: Api> Client<A> {
    /// Creates the resource, or picks up where an earlier process was cut off.
    pub(super) async fn create_or_resume(
        &self,
        operation: &Operation<'_>,
        desired: &Json,
    ) -> Result<Created, CreateFailure> {
        let started = Instant::now();
        let deadline = started + operation.deadline.min(LONGEST);
        let document = desired.to_string();
        let mut resumed = match self.unfinished(operation, &document, deadline).await {
            Begun::Nothing => None,
            Begun::Same(entry) => Some(entry),
            Begun::Other(failure) => return Err(failure),
        };
        loop {
            // Without an earlier request there is no second round.
            let operation = &operation.since(started);
            if let Ok(outcome) = self.create_once(operation, desired, &document, resumed.take(), deadline).await {
                return outcome;
            }
        }
    }

    async fn create_once(
        &self,
        operation: &Operation<'_>,
        desired: &Json,
        document: &str,
        resumed: Option<Entry>,
        deadline: Instant,
    ) -> Result<Result<Created, CreateFailure>, Anew> {
        let entry = resumed.clone();
        let Finished { event, resumed } =
            match self.run(operation, Mutation::Create { desired: document }, resumed).await {
                Ok(finished) => finished,
                Err(ended) => return self.not_created(operation, desired, entry, ended).await.map(Err),
            };
        let mut context = self.context(operation, "CREATE", None);
        context.request_token = event.request_token.as_deref();
        let Some(identifier) = event.identifier.clone().filter(|identifier| !identifier.is_empty()) else {
            // A new request could make a second one.
            self.journal.end(operation.urn, Outcome::Open);
            let text = "received nil identifier while awaiting completion";
            let mut error = context.other(CloudErrorKind::Malformed, text);
            error.kept = self.journal.picks_up(operation.urn);
            return Ok(Err(CreateFailure::Nothing(error)));
        };
        context.identifier = Some(&identifier);
        let outcome = match self.read_back(operation, &context, deadline).await {
            Ok(model) => {
                self.made(operation.type_name);
                Ok(Created { identifier, model })
            }
            Err(unread) if unread.gone && resumed => return Err(Anew),
            Err(unread) => Err(CreateFailure::Partial { identifier, model: None, error: unread.error }),
        };
        self.journal.end(operation.urn, Outcome::Made { picked_up: resumed });
        Ok(outcome)
    }

    /// What a creation that did not succeed leaves, and what the journal keeps of it.
    async fn not_created(
        &self,
        operation: &Operation<'_>,
        desired: &Json,
        entry: Option<Entry>,
        ended: Ended,
    ) -> Result<CreateFailure, Anew> {
        let (verdict, resumed) = (ended.verdict, ended.resumed);
        if resumed
            && verdict == Verdict::Refused
            && ended.code.as_deref().and_then(Conflict::of) == Some(Conflict::Token)
        {
            if let Some(entry) = entry {
                let event = self.event_of(&entry, Instant::now() + GLANCE).await;
                self.tell_of_left_behind(operation, &entry, event).await;
            }
            return Err(Anew);
        }
        let over = self.cancellation.is_cancelled();
        if resumed && verdict == Verdict::Canceled && !over {
            // What was cancelled has made what can be read, and nothing else.
            let identifier = ended.named.as_ref().map(|named| named.identifier.as_str());
            let found = match identifier {
                Some(identifier) => self.glance(operation, identifier).await,
                None => Ok(None),
            };
            if let Ok(None) = found {
                return Err(Anew);
            }
        }
        let mut failure = self.failed_create(operation, desired, ended).await;
        let outcome = match (&failure, verdict) {
            // The engine is told of it, but it may not be there yet when the next run looks: that one is to ask again.
            (CreateFailure::Partial { .. }, Verdict::Open) => Outcome::Open,
            (CreateFailure::Partial { .. }, _) => Outcome::Made { picked_up: resumed },
            (CreateFailure::Nothing(_), Verdict::Failed) if resumed && !over => return Err(Anew),
            (CreateFailure::Nothing(_), Verdict::Failed | Verdict::Canceled) => Outcome::Nothing,
            // The refusal says nothing about the request of the earlier process.
            (CreateFailure::Nothing(_), Verdict::Refused) if resumed => Outcome::Open,
            (CreateFailure::Nothing(_), Verdict::Refused) => Outcome::Nothing,
            (CreateFailure::Nothing(_), Verdict::Open) => Outcome::Open,
        };
        if let (CreateFailure::Nothing(error), Outcome::Open) = (&mut failure, outcome) {
            error.kept = self.journal.picks_up(operation.urn);
        }
        self.journal.end(operation.urn, outcome);
        Ok(failure)
    }

    /// The creation of an earlier process that asked for `document`; others are told.
    async fn unfinished(&self, operation: &Operation<'_>, document: &str, deadline: Instant) -> Begun {
        if let Some(entry) = self.journal.of_another(operation.urn) {
            self.warn(operation.urn, &decide::of_another(&entry)).await;
        }
        let entry = self.journal.unfinished(operation.urn);
        let account = self.location.account.as_deref();
        match decide::resume(entry, operation.type_name, account, document, self.journal.now()) {
            Resume::Fresh => Begun::Nothing,
            Resume::SameRequest(entry) => {
                let deadline = Instant::now() + GLANCE;
                self.tell(operation, deadline, &decide::picked_up(&entry)).await;
                Begun::Same(entry)
            }
            Resume::OtherInputs(entry) => match self.made_before(operation, &entry, deadline).await {
                Ok(failure) => Begun::Other(failure),
                Err(event) => {
                    self.tell_of_left_behind(operation, &entry, event).await;
                    Begun::Nothing
                }
            },
            Resume::Other(entry) => {
                let event = self.event_of(&entry, Instant::now() + GLANCE).await;
                self.tell_of_left_behind(operation, &entry, event).await;
                Begun::Nothing
            }
        }
    }

    /// What an earlier creation with other inputs has made, once it has ended. The error is the last that is known of a
    /// creation that made nothing, or of which nothing shows what it made.
    async fn made_before(
        &self,
        operation: &Operation<'_>,
        entry: &Entry,
        deadline: Instant,
    ) -> Result<CreateFailure, Option<Event>> {
        let started = Instant::now();
        let mut awaiter = Awaiter::new(self.event_of(entry, started + GLANCE).await.ok_or(None)?);
        let ended = match End::of(&awaiter.last().status) {
            Some(_) => Ok(()),
            None => {
                self.tell(operation, deadline, &decide::waited_for(entry)).await;
                self.wait(&mut awaiter, deadline, None).await.map(|_| ())
            }
        };
        let event = awaiter.last();
        let identifier = event.identifier.as_deref().or(entry.identifier.as_deref()).filter(|id| !id.is_empty());
        let mut context = self.context(operation, "CREATE", identifier);
        context.request_token = entry.request_token.as_deref();
        if let Err(interrupt) = ended {
            let mut error = interrupted(&context, interrupt, started.elapsed(), Some(event.status.name()));
            error.accepted = true;
            error.kept = self.journal.picks_up(operation.urn);
            return Ok(CreateFailure::Nothing(error));
        }
        if let Some(identifier) = identifier.filter(|_| event.status == Status::Success)
            && let Ok(Some(model)) = self.glance(operation, identifier).await
        {
            let mut error = context.other(CloudErrorKind::MadeBefore, decide::made_before(entry));
            error.accepted = true;
            self.journal.note(operation.urn, None, Some(identifier));
            self.journal.end(operation.urn, Outcome::Made { picked_up: true });
            return Ok(CreateFailure::Partial { identifier: identifier.to_owned(), model: Some(model), error });
        }
        Err(Some(event.clone()))
    }

    /// How far the service is with the request of an earlier process, if it says so before `until`.
    async fn event_of(&self, entry: &Entry, until: Instant) -> Option<Event> {
        let token = entry.request_token.as_deref()?;
        self.interruptible(until, self.api.status(token)).await.ok()?.ok()
    }

    /// Waits for the end of a creation that an earlier process began and that was cut off: a resource that is deleted before
    /// it is there would appear afterwards. What cannot be found out does not keep it from being deleted.
    pub(super) async fn outlast_creation(&self, operation: &Operation<'_>, identifier: &str) {
        let entry = self.journal.unfinished(operation.urn);
        let entry = entry.filter(|entry| entry.identifier.as_deref() == Some(identifier));
        let Some(entry) = entry else { return };
        let deadline = Instant::now() + operation.deadline.min(LONGEST);
        let event = self.event_of(&entry, deadline.min(Instant::now() + GLANCE)).await;
        if let (Some(event), Some(token)) = (event, &entry.request_token)
            && End::of(&event.status).is_none()
        {
            let text = format!("waiting for the creation that was cut off (request token {token})");
            self.tell(operation, deadline, &text).await;
            // What ended the wait ends the deletion too.
            let _ = self.wait(&mut Awaiter::new(event), deadline, None).await;
        }
    }

    /// Warns of what an earlier creation made or may have made that is not picked up; `event` is the last that is known of it.
    async fn tell_of_left_behind(&self, operation: &Operation<'_>, entry: &Entry, event: Option<Event>) {
        let over = event
            .as_ref()
            .is_some_and(|event| matches!(event.status, Status::Success | Status::Failed | Status::CancelComplete));
        let identifier = event.and_then(|event| event.identifier).or_else(|| entry.identifier.clone());
        let exists = match &identifier {
            Some(identifier) => match self.glance(operation, identifier).await {
                Ok(Some(_)) => true,
                Ok(None) if over => return,
                Ok(None) | Err(()) => false,
            },
            None if over => return,
            None => false,
        };
        self.warn(operation.urn, &decide::left_behind(entry, identifier.as_deref(), exists)).await;
    }
}
