//! Cloud Control with waiting, retries and read-after-write: [`CloudControl`] over any [`Api`].
//!
//! Here is what the outcome of an operation means: what a failed create owns, what is read back, what counts as gone.
//! Running the operation is in [`super::run`]. Decisions are elsewhere and pure: what to do after an answer
//! ([`super::awaiter`]), how long to pause ([`super::backoff`]), what deserves a new request ([`super::retry`]),
//! whose a resource is ([`super::ownership`]), how failures read ([`super::failure`]).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value as Json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::api::{Api, Mutation};
use super::ended::{Ended, Finished, Verdict, unread};
use super::error::{CloudError, CreateFailure, UpdateFailure};
use super::failure::{Context, Location};
use super::notices::{NoticeKind, Notices, Once};
use super::ownership::{Claim, claim};
use super::read_back::{Unread, malformed};
use super::{CloudControl, Created, Model, Operation, model, retry};
use crate::journal::Journal;

/// How long a read that saves the model after a failure may take, and CancelResourceRequest after the deadline.
pub(super) const GLANCE: Duration = Duration::from_secs(5);
/// Longest deadline that is honored; beyond it the clock could overflow.
pub(super) const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 30);
/// Why a resource is left out that a create named.
const NOT_RECORDED: &str = "nothing shows that this create made it, so it is not recorded";

/// The client of one configured provider.
pub struct Client<A> {
    pub(super) api: A,
    pub(super) location: Location,
    pub(super) notices: Arc<dyn Notices>,
    pub(super) cancellation: CancellationToken,
    pub(super) max_attempts: u32,
    pub(super) jitter: fn() -> f64,
    pub(super) journal: Arc<Journal>,
    verify_deletes: bool,
    once: Arc<Once>,
    /// When this client last made a role.
    new_role: Mutex<Option<Instant>>,
}

impl<A: Api> Client<A> {
    /// A client that works in `location` and tries every operation at most `max_attempts` times (at least once).
    pub fn new(
        api: A,
        location: Location,
        notices: Arc<dyn Notices>,
        cancellation: CancellationToken,
        max_attempts: u32,
    ) -> Self {
        Self {
            api,
            location,
            notices,
            cancellation,
            max_attempts: max_attempts.max(1),
            jitter: random_share,
            journal: Arc::new(Journal::off()),
            verify_deletes: false,
            once: Arc::default(),
            new_role: Mutex::new(None),
        }
    }

    /// The client that looks after deletions: one read after each that succeeded, and a warning if the resource is there.
    #[must_use]
    pub fn verifying_deletes(self, verify_deletes: bool) -> Self {
        Self { verify_deletes, ..self }
    }

    /// Whether a role was made so lately that not everybody may know it.
    pub(super) fn has_new_role(&self) -> bool {
        let made = *self.new_role.lock().unwrap_or_else(PoisonError::into_inner);
        made.is_some_and(|made| made.elapsed() < retry::NEW_ROLE)
    }

    pub(super) fn made(&self, type_name: &str) {
        if retry::is_identity(type_name) {
            *self.new_role.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
    }

    /// The client that shares what its process has said once.
    #[must_use]
    pub fn saying_once(self, once: Arc<Once>) -> Self {
        Self { once, ..self }
    }

    /// The client with a journal of its creations.
    #[must_use]
    pub fn with_journal(self, journal: Arc<Journal>) -> Self {
        Self { journal, ..self }
    }

    /// Decides what a create owns that did not succeed; [`super::ownership`] has the rules.
    pub(super) async fn failed_create(&self, operation: &Operation<'_>, desired: &Json, ended: Ended) -> CreateFailure {
        let Ended { named, mut error, strays, verdict, to_stop, .. } = ended;
        // A service that has gone silent is waited for once.
        let stop = self.stop(operation, to_stop.as_deref(), GLANCE);
        let Some(named) = named else {
            stop.await;
            // After a failure, what was never named is not there. What nobody saw the end of may be.
            error.accepted = strays || (error.accepted && matches!(verdict, Verdict::Open | Verdict::Canceled));
            return CreateFailure::Nothing(error);
        };
        let claim = claim(&named, operation.urn, desired);
        let found = match claim {
            // Somebody else's resource is nobody's business here.
            Claim::Foreign => {
                stop.await;
                Err(())
            }
            Claim::Ours | Claim::Doubtful => tokio::join!(stop, self.glance(operation, &named.identifier)).1,
        };
        let (identifier, failed) = (named.identifier, named.code.is_some());
        let mut left_out = |note: String| {
            error.existing = Some(identifier.as_str().into());
            error.message.push_str(&note);
        };
        match (claim, found) {
            // Services name resources that they then do not make; after a definite failure the absence is believed.
            (Claim::Ours, Ok(None)) if failed => not_made(&mut error, &identifier, strays),
            (Claim::Doubtful, Ok(None)) if failed || verdict == Verdict::Canceled => {
                not_made(&mut error, &identifier, strays);
            }
            (Claim::Ours, found) => {
                return CreateFailure::Partial { identifier, model: found.ok().flatten(), error };
            }
            (Claim::Foreign, _) => {
                left_out(String::new());
                error.accepted = strays;
            }
            (Claim::Doubtful, Ok(Some(_))) => left_out(format!("\n  note: {identifier} exists, but {NOT_RECORDED}")),
            (Claim::Doubtful, Ok(None)) => {
                left_out(format!("\n  note: {identifier} does not exist yet, and if it appears, {NOT_RECORDED}"))
            }
            (Claim::Doubtful, Err(())) => left_out(format!("\n  note: {identifier} may exist, but {NOT_RECORDED}")),
        }
        CreateFailure::Nothing(error)
    }

    /// Shows a message; an engine that does not answer must not hold up the end of the process.
    async fn show(&self, kind: NoticeKind, urn: &str, message: &str) {
        tokio::select! {
            biased;
            () = self.notices.show(kind, urn, message) => {}
            () = self.cancellation.cancelled() => {}
        }
    }

    pub(super) fn context<'a>(
        &'a self,
        operation: &'a Operation<'_>,
        name: &'static str,
        identifier: Option<&'a str>,
    ) -> Context<'a> {
        Context {
            type_name: operation.type_name,
            operation: name,
            identifier,
            request_token: None,
            location: &self.location,
        }
    }
}

impl<A: Api> CloudControl for Client<A> {
    async fn create(&self, operation: &Operation<'_>, desired: &Json) -> Result<Created, CreateFailure> {
        self.create_or_resume(operation, desired).await
    }

    async fn read(&self, operation: &Operation<'_>, identifier: &str) -> Result<Option<Model>, CloudError> {
        let started = Instant::now();
        let context = self.context(operation, "READ", Some(identifier));
        let deadline = started + operation.deadline.min(LONGEST);
        match self.interruptible(deadline, self.api.get(operation.type_name, identifier)).await {
            Ok(Ok(text)) => model::parse(&text).map(Some).map_err(|reason| malformed(&context, &reason)),
            Ok(Err(error)) if error.is_gone() => Ok(None),
            Ok(Err(error)) => Err(context.request(&error)),
            Err(interrupt) => Err(unread(&context, interrupt, started.elapsed())),
        }
    }

    async fn update(&self, operation: &Operation<'_>, identifier: &str, patch: &Json) -> Result<Model, UpdateFailure> {
        let deadline = Instant::now() + operation.deadline.min(LONGEST);
        let patch = patch.to_string();
        match self.run(operation, Mutation::Update { identifier, patch: &patch }, None).await {
            Ok(Finished { event, .. }) => {
                let mut context = self.context(operation, "UPDATE", Some(identifier));
                context.request_token = event.request_token.as_deref();
                self.read_back(operation, &context, deadline).await.map_err(|Unread { mut error, .. }| {
                    error.message.insert_str(0, "the update was applied (`pulumi refresh` will show it); ");
                    error.accepted = true;
                    UpdateFailure { model: None, unsettled: true, error }
                })
            }
            Err(ended) => {
                // A failed update may have done part of its work: what is there now is the truth.
                let stop = self.stop(operation, ended.to_stop.as_deref(), GLANCE);
                let model = tokio::join!(stop, self.glance(operation, identifier)).1.ok().flatten();
                let unsettled = ended.verdict == Verdict::Open || (model.is_none() && ended.error.accepted);
                Err(UpdateFailure { model, unsettled, error: ended.error })
            }
        }
    }

    async fn delete(&self, operation: &Operation<'_>, identifier: &str) -> Result<(), CloudError> {
        if self.journal.was_picked_up(operation.urn, identifier) {
            let text = format!(
                "{identifier} was made by a run that was cut off, and is what this run has for the resource now: it is \
                 neither replaced nor deleted; run the command again to replace it"
            );
            self.warn(operation.urn, &text).await;
            return Ok(());
        }
        let started = Instant::now();
        self.outlast_creation(operation, identifier).await;
        match self.run(&operation.since(started), Mutation::Delete { identifier }, None).await {
            Ok(_) => {
                if self.verify_deletes && matches!(self.glance(operation, identifier).await, Ok(Some(_))) {
                    let type_name = operation.type_name;
                    let text =
                        format!("the service reported {type_name} {identifier} as deleted, but still returns it");
                    self.warn(operation.urn, &text).await;
                }
                Ok(())
            }
            Err(ended) if ended.is_gone() => Ok(()),
            Err(ended) => {
                self.stop(operation, ended.to_stop.as_deref(), GLANCE).await;
                Err(ended.error)
            }
        }
    }

    async fn warn(&self, urn: &str, message: &str) {
        self.show(NoticeKind::Warning, urn, message).await;
    }

    async fn warn_once(&self, urn: &str, message: &str) {
        if self.once.is_new(message) {
            self.warn(urn, message).await;
        }
    }

    async fn debug(&self, urn: &str, message: &str) {
        self.show(NoticeKind::Debug, urn, message).await;
    }
}

/// Says of a create that the resource which it named is not there.
fn not_made(error: &mut CloudError, identifier: &str, strays: bool) {
    error.accepted = strays;
    error.message.push_str(&format!("\n  note: the service named {identifier}, but no such resource exists"));
}

/// A random number in 0..1, so that parallel operations do not retry in step.
fn random_share() -> f64 {
    #[allow(clippy::cast_precision_loss)] // 53 bits fit a double exactly
    let share = (Uuid::new_v4().as_u128() >> 75) as f64 / (1u64 << 53) as f64;
    share
}
