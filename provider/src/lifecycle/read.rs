//! Read: refresh, import and get.

use metadata::view::Operation;
use value::Map;

use super::{Failure, ReadAnswer, ReadFound, ReadRequest, operation, unconvertible};
use crate::advice;
use crate::baseline::{self, projection, refresh, secrets};
use crate::checkpoint;
use crate::cloud::CloudControl;
use crate::convert;
use crate::equality::rewrites::report;
use crate::place::Object;
use crate::subject::Subject;

/// Reads the resource; `None` when it is gone.
///
/// A state with a checkpoint, or with inputs that the engine recorded, is refreshed: outputs show the service, inputs
/// show it only for what the user owns. Anything else is an import.
///
/// # Errors
///
/// The id cannot be one of this type, or the service refuses or is not understood.
pub async fn read<C: CloudControl>(
    subject: impl Into<Subject>,
    request: ReadRequest,
    cloud: &C,
) -> Result<ReadAnswer, Failure> {
    let subject = subject.into();
    let resource = subject.resource;
    let ReadRequest { id, urn, properties, inputs, timeout } = request;
    let object = Object::of(subject);
    let state = properties.map(|state| checkpoint::canonical(&state, object).into_owned()).unwrap_or_default();
    let inputs = inputs.filter(|inputs| !inputs.is_empty());
    let inputs = inputs.map(|inputs| checkpoint::canonical_inputs(&inputs, object).into_owned());
    let owned = match (checkpoint::inputs(&state), inputs) {
        (Some(owned), Some(recorded)) => {
            // The engine may know of a secret that an older checkpoint has in clear.
            let mut owned = owned.clone();
            secrets::mark(&recorded, &mut owned, object);
            Some(owned)
        }
        (Some(owned), None) => Some(owned.clone()),
        (None, recorded) => recorded,
    };
    match owned {
        Some(_) => advice::check_recorded_id(resource, &id)?,
        None => advice::check_id(resource, &id)?,
    }
    let call = operation(resource, Operation::Read, &urn, timeout, None);
    let model = match cloud.read(&call, &id).await {
        Ok(Some(model)) => model,
        Ok(None) => return Ok(None),
        Err(error) => {
            let text = advice::read(resource, &id, &error);
            return Err(advice::refused(&error, format!("reading resource: {text}")));
        }
    };
    let mut live = convert::from_cfn(&model, resource.properties()).map_err(|error| unconvertible(resource, &error))?;
    secrets::mark(&state, &mut live, object);
    let (new_inputs, imported) = match &owned {
        Some(owned) => {
            let refreshed = refresh::refresh(subject, owned, &live, &state);
            for warning in report::unreadable(resource, refreshed.unreadable) {
                cloud.warn_once(urn.as_str(), &warning).await;
            }
            if refreshed.rules_ended {
                cloud.warn(urn.as_str(), &report::ended(resource)).await;
            }
            (refreshed.inputs, checkpoint::is_imported(&state))
        }
        None => {
            let unread = projection::unreadable(&live, subject);
            if !unread.is_empty() {
                let message = format!("Can't import write-only properties: {}", unread.join(", "));
                cloud.warn(urn.as_str(), &message).await;
            }
            (projection::project(&live, object), true)
        }
    };
    let mut outputs = baseline::outputs_of(subject, live, new_inputs);
    if imported && !resource.write_only().is_empty() {
        outputs.insert(checkpoint::IMPORTED.to_owned(), true.into());
    }
    let inputs: Map = checkpoint::inputs(&outputs).cloned().unwrap_or_default();
    Ok(Some(ReadFound { id, properties: outputs, inputs }))
}
