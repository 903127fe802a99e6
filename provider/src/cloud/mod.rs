//! The cloud as the life cycle sees it: desired states in, models out, every wait bounded and cancellable.
//!
//! [`CloudControl`] is the seam between rules and effects: `lifecycle` is generic over it, [`client`] implements it over
//! the AWS SDK, and tests implement it with a script.

use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;
use tokio::time::Instant;

use crate::redact::Secrets;

pub use error::{CloudError, CloudErrorKind, CreateFailure, UpdateFailure};

mod adopt;
pub mod answer;
pub mod api;
mod attempt;
pub mod awaiter;
pub mod backoff;
pub mod client;
mod codes;
mod ended;
pub mod error;
pub mod event;
pub mod failure;
pub mod model;
pub mod notices;
mod ownership;
mod progress;
mod read_back;
mod resume;
pub mod retry;
mod run;
mod salvage;
pub mod sdk;
pub mod tap;
pub(crate) mod words;

/// A model as the service returns it, CloudFormation names.
pub type Model = Json;

/// What every operation carries: which resource it is about and how long it may take.
#[derive(Debug, Clone)]
pub struct Operation<'a> {
    /// URN of the resource, for log lines to the engine.
    pub urn: &'a str,
    /// CloudFormation type name.
    pub type_name: &'a str,
    /// The longest time to wait for the service to finish, counted from the start of the call.
    pub deadline: Duration,
    /// The secrets of the request, which the service may repeat; `None` when nobody knows them, so that it is not quoted
    /// while the operation runs.
    pub secrets: Option<&'a Secrets>,
}

impl Operation<'_> {
    /// The operation with the time that is left of it, when it began with something else: what the program allows is for all
    /// of it.
    #[must_use]
    pub fn since(&self, started: Instant) -> Self {
        Self { deadline: self.deadline.saturating_sub(started.elapsed()), ..self.clone() }
    }
}

/// A resource that exists. Debug output leaves the model out.
#[derive(Clone, PartialEq)]
pub struct Created {
    /// The Cloud Control identifier.
    pub identifier: String,
    /// The model that GetResource returned after creation.
    pub model: Model,
}

impl fmt::Debug for Created {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Created").field("identifier", &self.identifier).field("model", &Hidden).finish()
    }
}

/// Stands for a document in Debug output: models, desired states and patches hold secrets in the clear.
struct Hidden;

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

/// The four mutations and reads of Cloud Control, with waiting, retries and read-after-write inside.
///
/// Every method returns within a second once the process-wide cancellation is signalled.
pub trait CloudControl: Send + Sync {
    /// Creates a resource from `desired` (CloudFormation names) and reads it back.
    ///
    /// # Errors
    ///
    /// [`CreateFailure::Nothing`] when nothing of ours exists; [`CreateFailure::Partial`] when an identifier is owned.
    fn create(
        &self,
        operation: &Operation<'_>,
        desired: &Json,
    ) -> impl Future<Output = Result<Created, CreateFailure>> + Send;

    /// The live model, or `None` when the resource is gone.
    ///
    /// # Errors
    ///
    /// Anything but "gone", unchanged.
    fn read(
        &self,
        operation: &Operation<'_>,
        identifier: &str,
    ) -> impl Future<Output = Result<Option<Model>, CloudError>> + Send;

    /// Applies `patch` (an RFC 6902 document, never empty) and reads the result back.
    ///
    /// # Errors
    ///
    /// [`UpdateFailure`] with the model as it is after the failure, when it could be read.
    fn update(
        &self,
        operation: &Operation<'_>,
        identifier: &str,
        patch: &Json,
    ) -> impl Future<Output = Result<Model, UpdateFailure>> + Send;

    /// Deletes the resource; one that is gone already counts as deleted.
    ///
    /// # Errors
    ///
    /// The service's refusal, the end of the deadline, or cancellation.
    fn delete(
        &self,
        operation: &Operation<'_>,
        identifier: &str,
    ) -> impl Future<Output = Result<(), CloudError>> + Send;

    /// Shows a message on the resource in the engine's display; never fails, and does not outlast cancellation.
    fn warn(&self, urn: &str, message: &str) -> impl Future<Output = ()> + Send;

    /// [`Self::warn`], if this process has not said the same before on any resource.
    fn warn_once(&self, urn: &str, message: &str) -> impl Future<Output = ()> + Send {
        self.warn(urn, message)
    }

    /// Gives the engine a message for whoever looks into a problem; like [`Self::warn`] otherwise.
    fn debug(&self, _urn: &str, _message: &str) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}
