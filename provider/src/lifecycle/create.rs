//! Create, and its preview.

use metadata::view::{Operation, Resource};
use value::Map;

use super::{CreateAnswer, CreateRequest, Failure, operation, unconvertible};
use crate::advice;
use crate::baseline;
use crate::checkpoint;
use crate::cloud::{CloudControl, CreateFailure, Model};
use crate::convert;
use crate::place::Object;
use crate::predict;

/// Creates the resource, or says what its outputs would be.
///
/// # Errors
///
/// [`Failure::Refused`] when nothing of ours exists; [`Failure::InitFailed`] whenever an identifier is owned.
pub async fn create<C: CloudControl>(
    resource: Resource,
    request: CreateRequest,
    cloud: &C,
) -> Result<CreateAnswer, Failure> {
    let CreateRequest { urn, properties, timeout, preview } = request;
    if preview {
        return Ok(CreateAnswer { id: String::new(), properties: predict::create(resource, &properties) });
    }
    let desired =
        convert::to_cfn(&properties, Object::of(resource)).map_err(|error| unconvertible(resource, &error))?;
    let operation = operation(resource, Operation::Create, &urn, timeout);
    match cloud.create(&operation, &desired).await {
        Ok(created) => match baseline::outputs(resource, &created.model, &properties) {
            Ok(outputs) => Ok(CreateAnswer { id: created.identifier, properties: outputs }),
            // The resource exists, whatever its model looks like.
            Err(error) => {
                let message = format!("creating resource: failed to convert value for {}: {error}", resource.token());
                Err(partial(resource, created.identifier, None, properties, message))
            }
        },
        Err(CreateFailure::Nothing(error)) => {
            let text = advice::create(resource, &urn, &properties, &error);
            Err(advice::refused(&error.kind, format!("creating resource: {text}")))
        }
        Err(CreateFailure::Partial { identifier, model, error }) => {
            let message = format!("creating resource: {}", advice::create(resource, &urn, &properties, &error));
            Err(partial(resource, identifier, model, properties, message))
        }
    }
}

/// A resource that exists and is not complete: nothing that is known about it is lost.
fn partial(resource: Resource, id: String, model: Option<Model>, inputs: Map, message: String) -> Failure {
    let outputs = model.and_then(|model| baseline::outputs(resource, &model, &inputs).ok());
    let properties = outputs.unwrap_or_else(|| {
        let mut properties = inputs.clone();
        checkpoint::put(&mut properties, inputs.clone());
        properties
    });
    Failure::InitFailed { id, properties, inputs, message }
}
