//! Create, and its preview.

use metadata::view::Operation;
use value::Map;

use super::{CreateAnswer, CreateRequest, Failure, operation, unconvertible};
use crate::advice;
use crate::baseline::{self, unsure::Unsure};
use crate::checkpoint;
use crate::cloud::{CloudControl, CreateFailure, Model};
use crate::convert;
use crate::place::Object;
use crate::predict;
use crate::redact::Secrets;
use crate::subject::Subject;

/// Creates the resource, or says what its outputs would be.
///
/// # Errors
///
/// [`Failure::Refused`] when nothing of ours exists; [`Failure::InitFailed`] whenever an identifier is owned.
pub async fn create<C: CloudControl>(
    subject: impl Into<Subject>,
    request: CreateRequest,
    cloud: &C,
) -> Result<CreateAnswer, Failure> {
    let subject = subject.into();
    let resource = subject.resource;
    let CreateRequest { urn, properties, timeout, reads_first, preview } = request;
    if preview {
        return Ok(CreateAnswer { id: String::new(), properties: predict::create(subject, &properties) });
    }
    let desired = convert::to_cfn(&properties, Object::of(subject)).map_err(|error| unconvertible(resource, &error))?;
    let secrets = Secrets::of([&properties]);
    let operation = operation(resource, Operation::Create, &urn, timeout, Some(&secrets));
    match cloud.create(&operation, &desired).await {
        Ok(created) => match baseline::outputs(subject, &created.model, &properties) {
            Ok(outputs) => Ok(CreateAnswer { id: created.identifier, properties: outputs }),
            // The resource exists, whatever its model looks like.
            Err(error) => {
                let message = format!("creating resource: failed to convert value for {}: {error}", resource.token());
                Err(partial(subject, created.identifier, None, properties, reads_first, message))
            }
        },
        Err(CreateFailure::Nothing(error)) => {
            let text = advice::create(resource, &urn, &properties, &error);
            Err(advice::refused(&error, format!("creating resource: {text}")))
        }
        Err(CreateFailure::Partial { identifier, model, error }) => {
            let text = advice::partly_created(resource, &urn, &properties, &error);
            let message = format!("creating resource: {text}");
            Err(partial(subject, identifier, model, properties, reads_first, message))
        }
    }
}

/// A resource that exists and is not complete: nothing that is known about it is lost.
///
/// What the service lacks of it looks to a refresh like what it never returns. So an engine that reads the resource before
/// it compares anything finds in the outputs what was sent: that read keeps it if the service has it by then, and else
/// drops it, so that the next update sends it.
fn partial(
    subject: Subject,
    id: String,
    model: Option<Model>,
    inputs: Map,
    reads_first: bool,
    message: String,
) -> Failure {
    let mut outputs = model.and_then(|model| baseline::outputs(subject, &model, &inputs).ok());
    if let Some(outputs) = &mut outputs
        && reads_first
        && subject.resource.handler(Operation::Update).is_some()
    {
        Unsure::of(&Map::new(), &inputs, Object::of(subject)).complete(outputs);
    }
    let properties = outputs.unwrap_or_else(|| {
        let mut properties = inputs.clone();
        checkpoint::put(&mut properties, inputs.clone());
        properties
    });
    Failure::InitFailed { id, properties, inputs, message }
}
