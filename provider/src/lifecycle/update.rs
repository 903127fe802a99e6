//! Update, and its preview.

use metadata::view::Operation;
use value::Map;

use super::diff::recorded;
use super::{Code, Failure, UpdateAnswer, UpdateRequest, operation, unconvertible};
use crate::advice;
use crate::baseline;
use crate::cloud::{CloudControl, CloudError, Model, UpdateFailure};
use crate::patch::{self, Update};
use crate::plan::{Plan, ignore};
use crate::predict;
use crate::subject::Subject;

/// Updates the resource, or says what its outputs would be.
///
/// The live model is read first and the patch is decided on it. When nothing is left to send, nothing is sent, and the
/// new inputs are recorded with what was read.
///
/// # Errors
///
/// [`Failure::Refused`] when the resource is as it was; [`Failure::InitFailed`] with fresh outputs and the old inputs
/// when the update failed and left the resource changed.
pub async fn update<C: CloudControl>(
    subject: impl Into<Subject>,
    request: UpdateRequest,
    cloud: &C,
) -> Result<UpdateAnswer, Failure> {
    let subject = subject.into();
    let resource = subject.resource;
    let recorded = recorded(&request.olds, request.old_inputs.as_ref());
    let reset = recorded.inputs.and_then(|old| ignore::reset(&request.ignore_changes, old, &request.news));
    let news = reset.as_ref().unwrap_or(&request.news);
    if request.preview {
        return Ok(predict::update(subject, &request.olds, news));
    }
    advice::check_recorded_id(resource, &request.id)?;
    let call = operation(resource, Operation::Read, &request.urn, request.timeout);
    let model = match cloud.read(&call, &request.id).await {
        Ok(Some(model)) => model,
        Ok(None) => {
            let message = format!(
                "updating resource: {} `{}` does not exist any more; run `pulumi refresh`",
                resource.cfn_type(),
                request.id
            );
            return Err(Failure::Refused { code: Code::NotFound, message });
        }
        Err(error) => {
            let text = advice::read(resource, &request.id, &error);
            return Err(advice::refused(&error, format!("updating resource: {text}")));
        }
    };
    let update = Update { old: recorded.inputs, new: news, model: &model };
    let patch = patch::patch(subject, update).map_err(|error| unconvertible(resource, &error))?;
    let outputs = |model: &Model, inputs: &Map| {
        baseline::outputs(subject, model, inputs).map_err(|error| unconvertible(resource, &error))
    };
    if patch.is_empty() {
        return outputs(&model, news);
    }
    if resource.handler(Operation::Update).is_none() {
        return Err(advice::no_update(resource, &request.urn));
    }
    let call = operation(resource, Operation::Update, &request.urn, request.timeout);
    match cloud.update(&call, &request.id, &patch.into_json()).await {
        Ok(model) => outputs(&model, news),
        Err(UpdateFailure { model: after, error }) => {
            let plan = Plan::new(subject, recorded, news);
            let message = message(resource, &plan, &request, &error);
            let old = recorded.inputs.cloned().unwrap_or_default();
            match after.filter(|after| *after != model).and_then(|after| outputs(&after, &old).ok()) {
                Some(properties) => {
                    Err(Failure::InitFailed { id: request.id.clone(), properties, inputs: old, message })
                }
                None => Err(advice::refused(&error, message)),
            }
        }
    }
}

fn message(resource: metadata::view::Resource, plan: &Plan, request: &UpdateRequest, error: &CloudError) -> String {
    format!("updating resource: {}", advice::update(resource, plan, &request.urn, error))
}
