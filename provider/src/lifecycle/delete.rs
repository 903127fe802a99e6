//! Delete.

use metadata::view::Operation;

use super::{DeleteRequest, Failure, operation};
use crate::advice;
use crate::cloud::CloudControl;
use crate::subject::Subject;

/// Deletes the resource; one that is gone already counts as deleted.
///
/// # Errors
///
/// The service's refusal, the end of the deadline, or cancellation; the resource then stays in the state.
pub async fn delete<C: CloudControl>(
    subject: impl Into<Subject>,
    request: DeleteRequest,
    cloud: &C,
) -> Result<(), Failure> {
    let resource = subject.into().resource;
    advice::check_recorded_id(resource, &request.id)?;
    let call = operation(resource, Operation::Delete, &request.urn, request.timeout, request.secrets.as_ref());
    cloud.delete(&call, &request.id).await.map_err(|error| {
        let text = advice::delete(resource, &request.id, &error);
        advice::refused(&error, format!("deleting resource: {text}"))
    })
}
