//! Reads of what an operation made, or left behind.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::api::Api;
use super::client::{Client, GLANCE};
use super::ended::unread;
use super::error::{CloudError, CloudErrorKind};
use super::failure::Context;
use super::{Model, Operation, backoff, model};

/// The least time for reading back what an operation made, even when its deadline is near.
const READ_BACK: Duration = Duration::from_secs(30);

impl<A: Api> Client<A> {
    /// Reads what an operation made; a resource that is not there yet gets a few seconds to appear.
    pub(super) async fn read_back(
        &self,
        operation: &Operation<'_>,
        context: &Context<'_>,
        deadline: Instant,
    ) -> Result<Model, Unread> {
        let identifier = context.identifier.unwrap_or_default();
        let started = Instant::now();
        let deadline = deadline.max(started + READ_BACK);
        let mut pauses = backoff::READ_WINDOW.iter();
        loop {
            let answer = self.interruptible(deadline, self.api.get(operation.type_name, identifier)).await;
            let error = match answer {
                Err(interrupt) => return Err(reading(unread(context, interrupt, started.elapsed())).into()),
                Ok(Ok(text)) => return model::parse(&text).map_err(|reason| malformed(context, &reason).into()),
                Ok(Err(error)) => error,
            };
            let pause = pauses.next().filter(|_| error.is_gone());
            let Some(pause) = pause else {
                return Err(Unread { gone: error.is_gone(), error: reading(context.request(&error)) });
            };
            if let Err(interrupt) = self.interruptible(deadline, sleep(*pause)).await {
                return Err(reading(unread(context, interrupt, started.elapsed())).into());
            }
        }
    }

    /// One read, cut off after `grace`; `Ok(None)` only when the service says that there is nothing.
    pub(super) async fn glance(&self, operation: &Operation<'_>, identifier: &str) -> Result<Option<Model>, ()> {
        let read = self.interruptible(Instant::now() + GLANCE, self.api.get(operation.type_name, identifier));
        match read.await {
            Ok(Ok(text)) => model::parse(&text).map(Some).map_err(|_| ()),
            Ok(Err(error)) if error.is_gone() => Ok(None),
            Ok(Err(_)) | Err(_) => Err(()),
        }
    }
}

/// Why what an operation made could not be read.
pub(super) struct Unread {
    /// The service said that there is nothing.
    pub(super) gone: bool,
    /// What the caller is told.
    pub(super) error: CloudError,
}

impl From<CloudError> for Unread {
    fn from(error: CloudError) -> Self {
        Self { gone: false, error }
    }
}

/// An error of a read that follows an operation.
fn reading(mut error: CloudError) -> CloudError {
    error.message.insert_str(0, "reading resource state: ");
    error
}

/// An answer that is no model.
pub(super) fn malformed(context: &Context<'_>, reason: &str) -> CloudError {
    context.other(CloudErrorKind::Malformed, format!("the answer to GetResource cannot be used: {reason}"))
}
