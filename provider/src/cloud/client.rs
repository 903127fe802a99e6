//! Cloud Control with waiting, retries and read-after-write: [`CloudControl`] over any [`Api`].
//!
//! Here is what the outcome of an operation means: what a failed create owns, what is read back, what counts as gone.
//! Running the operation is in [`super::run`]. Decisions are elsewhere and pure: what to do after an answer
//! ([`super::awaiter`]), how long to pause ([`super::backoff`]), what deserves a new request ([`super::retry`]), how
//! failures read ([`super::failure`]).

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::api::{Api, Mutation};
use super::error::{CloudError, CloudErrorKind, CreateFailure, UpdateFailure};
use super::failure::{Context, Place};
use super::notices::{NoticeKind, Notices};
use super::run::{Ended, interrupted};
use super::{CloudControl, Created, Model, Operation, backoff, model, retry};

/// How long a read that saves the model after a failure may take.
const GLANCE: Duration = Duration::from_secs(5);
/// The least time for reading back what an operation made, even when its deadline is near.
const READ_BACK: Duration = Duration::from_secs(30);
/// Longest deadline that is honored; beyond it the clock could overflow.
pub(super) const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 30);

/// The client of one configured provider.
pub struct Client<A> {
    pub(super) api: A,
    pub(super) place: Place,
    pub(super) notices: Arc<dyn Notices>,
    pub(super) cancellation: CancellationToken,
    pub(super) max_attempts: u32,
    pub(super) jitter: fn() -> f64,
}

impl<A: Api> Client<A> {
    /// A client that works in `place` and tries every operation at most `max_attempts` times (at least once).
    pub fn new(
        api: A,
        place: Place,
        notices: Arc<dyn Notices>,
        cancellation: CancellationToken,
        max_attempts: u32,
    ) -> Self {
        Self { api, place, notices, cancellation, max_attempts: max_attempts.max(1), jitter: random_share }
    }

    /// Reads what an operation made; a resource that is not there yet gets a few seconds to appear.
    async fn read_back(
        &self,
        operation: &Operation<'_>,
        context: &Context<'_>,
        deadline: Instant,
    ) -> Result<Model, CloudError> {
        let identifier = context.identifier.unwrap_or_default();
        let started = Instant::now();
        let deadline = deadline.max(started + READ_BACK);
        let mut pauses = backoff::READ_WINDOW.iter();
        loop {
            let answer = self.interruptible(deadline, self.api.get(operation.type_name, identifier)).await;
            let error = match answer {
                Err(interrupt) => return Err(interrupted(context, interrupt, started, None)),
                Ok(Ok(text)) => return model::parse(&text).map_err(|reason| malformed(context, &reason)),
                Ok(Err(error)) => error,
            };
            let pause = pauses.next().filter(|_| error.is_gone());
            let Some(pause) = pause else {
                let mut error = context.request(&error);
                error.message.insert_str(0, "reading resource state: ");
                return Err(error);
            };
            if let Err(interrupt) = self.interruptible(deadline, sleep(*pause)).await {
                return Err(interrupted(context, interrupt, started, None));
            }
        }
    }

    /// One read, cut off after `grace`; `Ok(None)` only when the service says that there is nothing.
    async fn glance(&self, operation: &Operation<'_>, identifier: &str) -> Result<Option<Model>, ()> {
        let read = self.interruptible(Instant::now() + GLANCE, self.api.get(operation.type_name, identifier));
        match read.await {
            Ok(Ok(text)) => model::parse(&text).map(Some).map_err(|_| ()),
            Ok(Err(error)) if error.is_gone() => Ok(None),
            Ok(Err(_)) | Err(_) => Err(()),
        }
    }

    /// Decides what a failed create owns.
    async fn failed_create(&self, operation: &Operation<'_>, ended: Ended) -> CreateFailure {
        let Ended { code, message, identifier, mut error, .. } = ended;
        let Some(identifier) = identifier else { return CreateFailure::Nothing(error) };
        // Whoever collides owns nothing: the identifier is somebody else's.
        if code.as_deref().is_some_and(|code| retry::is_collision(code, &message)) {
            return CreateFailure::Nothing(error);
        }
        match self.glance(operation, &identifier).await {
            Ok(Some(model)) => CreateFailure::Partial { identifier, model: Some(model), error },
            // Services name resources that they then do not make; after a definite failure the absence is believed.
            Ok(None) if code.is_some() => {
                error.message.push_str("\n  note: the service named this identifier, but no such resource exists");
                CreateFailure::Nothing(error)
            }
            Ok(None) | Err(()) => CreateFailure::Partial { identifier, model: None, error },
        }
    }

    pub(super) fn context<'a>(
        &'a self,
        operation: &'a Operation<'_>,
        name: &'static str,
        call: &'static str,
        identifier: Option<&'a str>,
    ) -> Context<'a> {
        Context {
            urn: operation.urn,
            type_name: operation.type_name,
            operation: name,
            call,
            identifier,
            request_token: None,
            permissions: &operation.permissions,
            place: &self.place,
        }
    }
}

impl<A: Api> CloudControl for Client<A> {
    async fn create(&self, operation: &Operation<'_>, desired: &Json) -> Result<Created, CreateFailure> {
        let deadline = Instant::now() + operation.deadline.min(LONGEST);
        let desired = desired.to_string();
        let event = match self.run(operation, Mutation::Create { desired: &desired }).await {
            Ok(event) => event,
            Err(ended) => return Err(self.failed_create(operation, ended).await),
        };
        let mut context = self.context(operation, "CREATE", "CreateResource", None);
        context.request_token = event.request_token.as_deref();
        let Some(identifier) = event.identifier.clone().filter(|identifier| !identifier.is_empty()) else {
            return Err(CreateFailure::Nothing(
                context.other(CloudErrorKind::Malformed, "received nil identifier while awaiting completion"),
            ));
        };
        context.identifier = Some(&identifier);
        match self.read_back(operation, &context, deadline).await {
            Ok(model) => Ok(Created { identifier, model }),
            Err(error) => Err(CreateFailure::Partial { identifier, model: None, error }),
        }
    }

    async fn read(&self, operation: &Operation<'_>, identifier: &str) -> Result<Option<Model>, CloudError> {
        let started = Instant::now();
        let context = self.context(operation, "READ", "GetResource", Some(identifier));
        let deadline = started + operation.deadline.min(LONGEST);
        match self.interruptible(deadline, self.api.get(operation.type_name, identifier)).await {
            Ok(Ok(text)) => model::parse(&text).map(Some).map_err(|reason| malformed(&context, &reason)),
            Ok(Err(error)) if error.is_gone() => Ok(None),
            Ok(Err(error)) => Err(context.request(&error)),
            Err(interrupt) => Err(interrupted(&context, interrupt, started, None)),
        }
    }

    async fn update(&self, operation: &Operation<'_>, identifier: &str, patch: &Json) -> Result<Model, UpdateFailure> {
        let deadline = Instant::now() + operation.deadline.min(LONGEST);
        let patch = patch.to_string();
        match self.run(operation, Mutation::Update { identifier, patch: &patch }).await {
            Ok(event) => {
                let mut context = self.context(operation, "UPDATE", "UpdateResource", Some(identifier));
                context.request_token = event.request_token.as_deref();
                self.read_back(operation, &context, deadline)
                    .await
                    .map_err(|error| UpdateFailure { model: None, error })
            }
            Err(ended) => {
                // A failed update may have done part of its work: what is there now is the truth.
                let model = self.glance(operation, identifier).await.ok().flatten();
                Err(UpdateFailure { model, error: ended.error })
            }
        }
    }

    async fn delete(&self, operation: &Operation<'_>, identifier: &str) -> Result<(), CloudError> {
        match self.run(operation, Mutation::Delete { identifier }).await {
            Ok(_) => Ok(()),
            Err(ended) if ended.is_gone() => Ok(()),
            Err(ended) => Err(ended.error),
        }
    }

    async fn warn(&self, urn: &str, message: &str) {
        self.notices.show(NoticeKind::Warning, urn, message).await;
    }
}

fn malformed(context: &Context<'_>, reason: &str) -> CloudError {
    context.other(CloudErrorKind::Malformed, format!("the answer to GetResource cannot be used: {reason}"))
}

/// A random number in 0..1, so that parallel operations do not retry in step.
fn random_share() -> f64 {
    #[allow(clippy::cast_precision_loss)] // 53 bits fit a double exactly
    let share = (Uuid::new_v4().as_u128() >> 75) as f64 / (1u64 << 53) as f64;
    share
}
