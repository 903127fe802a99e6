//! Update, and its preview.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use metadata::view::{Operation, Resource};
use tokio::time::Instant;
use value::Map;

use super::converge::{Calls, Sent, converge};
use super::diff::recorded;
use super::{Code, Failure, UpdateAnswer, UpdateRequest, operation, unconvertible};
use crate::advice;
use crate::baseline::{self, refresh, secrets, unsure::Unsure};
use crate::checkpoint;
use crate::cloud::{CloudControl, CloudError, Model, UpdateFailure};
use crate::convert;
use crate::equality::rewrites::report;
use crate::patch::verify::Misfit;
use crate::patch::{self, Update};
use crate::place::Object;
use crate::plan::{Plan, ignore};
use crate::predict;
use crate::redact::Secrets;
use crate::subject::Subject;

/// Updates the resource, or says what its outputs would be.
///
/// The live model is read first and the patch is decided on it ([`super::converge`]). When nothing is left to send, nothing
/// is sent, and the new inputs are recorded with what was read.
///
/// # Errors
///
/// [`Failure::Refused`] when the resource is as it was; [`Failure::InitFailed`] with fresh outputs and the old inputs
/// when the update failed and left the resource changed, or when nobody knows what it did: the engine then reads the
/// resource before it compares anything, so that it does not matter what the program wants by then.
pub async fn update<C: CloudControl>(
    subject: impl Into<Subject>,
    request: UpdateRequest,
    cloud: &C,
) -> Result<UpdateAnswer, Failure> {
    let subject = subject.into();
    let resource = subject.resource;
    let object = Object::of(subject);
    let olds = checkpoint::canonical(&request.olds, object);
    let old_inputs = request.old_inputs.as_ref().map(|inputs| checkpoint::canonical_inputs(inputs, object));
    let recorded = recorded(&olds, old_inputs.as_deref());
    let kept = recorded.inputs.unwrap_or(recorded.outputs);
    let reset = ignore::reset(&request.ignore_changes, kept, &request.news);
    let news = reset.as_ref().unwrap_or(&request.news);
    if request.preview {
        return Ok(predict::update(subject, &olds, news));
    }
    advice::check_recorded_id(resource, &request.id)?;
    let secrets = Secrets::of([news, &request.olds].into_iter().chain(&request.old_inputs));
    let started = Instant::now();
    let call = operation(resource, Operation::Read, &request.urn, request.timeout, None);
    let model = match cloud.read(&call, &request.id).await {
        Ok(Some(model)) => model,
        Ok(None) => return Err(gone(resource, &request.id)),
        Err(error) => return Err(unread(resource, &request.id, &error)),
    };
    let outputs = |model: &Model, inputs: &Map| {
        baseline::outputs(subject, model, inputs).map_err(|error| unconvertible(resource, &error))
    };
    let unreadable = Mutex::new(BTreeSet::new());
    let plan = Plan::new(subject, recorded, news);
    // The engine asks for an update although nothing differs when a creation failed: to go on with it.
    let unfinished = recorded.inputs.filter(|_| plan.is_empty());
    let patch = |model: &Model| {
        let carried_out = match unfinished {
            Some(inputs) => {
                let live = carried_out(subject, inputs, model)?;
                Some(ignore::reset(&request.ignore_changes, inputs, &live).unwrap_or(live))
            }
            None => None,
        };
        let update = Update { old: carried_out.as_ref().or(recorded.inputs), new: news, model };
        let patch = patch::patch(subject, update).map_err(|error| unconvertible(resource, &error))?;
        unreadable.lock().unwrap_or_else(PoisonError::into_inner).extend(patch.unreadable().iter().copied());
        if !patch.is_empty() && resource.handler(Operation::Update).is_none() {
            // What an import could not read may be given; that is recorded, and there is nothing that could be sent.
            return match plan.detailed.is_empty() {
                true => Ok(Vec::new()),
                false => Err(advice::no_update(resource, &request.urn)),
            };
        }
        Ok(patch.into_operations())
    };
    let update = operation(resource, Operation::Update, &request.urn, request.timeout, Some(&secrets));
    let calls = Calls { read: call, update, identifier: &request.id, started };
    let sent = converge(cloud, &calls, model, patch).await?;
    let unreadable = unreadable.into_inner().unwrap_or_else(PoisonError::into_inner);
    for warning in report::unreadable(resource, unreadable) {
        cloud.warn_once(request.urn.as_str(), &warning).await;
    }
    match sent {
        Sent::Nothing(model) | Sent::Updated(model) => outputs(&model, news),
        Sent::Gone => Err(gone(resource, &request.id)),
        Sent::Unread(error) => Err(unread(resource, &request.id, &error)),
        Sent::Misfit(misfit) => Err(does_not_fit(resource, &misfit)),
        Sent::Failed(before, UpdateFailure { model: after, unsettled, error }) => {
            let text = match unsettled {
                true => advice::unsettled_update(resource, &plan, &request.urn, &error),
                false => advice::update(resource, &plan, &request.urn, &error),
            };
            let message = format!("updating resource: {text}");
            let old = recorded.inputs.cloned().unwrap_or_default();
            // It may have set what only the new inputs keep secret.
            let left = |model: &Model, inputs: Map| {
                let mut live = convert::from_cfn(model, resource.properties()).ok()?;
                secrets::mark(news, &mut live, object);
                Some(baseline::outputs_of(subject, live, inputs))
            };
            let changed = after.filter(|after| *after != before);
            let properties = match (changed, unsettled) {
                (changed, true) => {
                    let model = changed.as_ref().unwrap_or(&before);
                    let found = match request.reads_first {
                        true => {
                            let unsure = Unsure::of(&old, news, object);
                            left(model, unsure.inputs.clone()).map(|mut outputs| {
                                unsure.complete(&mut outputs);
                                outputs
                            })
                        }
                        false => left(model, old.clone()),
                    };
                    Some(found.unwrap_or_else(|| request.olds.clone()))
                }
                (Some(changed), false) => left(&changed, old.clone()),
                (None, false) => None,
            };
            match properties {
                Some(mut properties) => {
                    if checkpoint::is_imported(&olds) {
                        properties.insert(checkpoint::IMPORTED.to_owned(), true.into());
                    }
                    Err(Failure::InitFailed { id: request.id.clone(), properties, inputs: old, message })
                }
                None => Err(advice::refused(&error, message)),
            }
        }
    }
}

/// What of the inputs the service holds, in whatever form: the rest is still to be sent.
fn carried_out(subject: Subject, inputs: &Map, model: &Model) -> Result<Map, Failure> {
    let resource = subject.resource;
    let live = convert::from_cfn(model, resource.properties()).map_err(|error| unconvertible(resource, &error))?;
    Ok(refresh::refresh(subject, inputs, &live, inputs).inputs)
}

fn gone(resource: Resource, id: &str) -> Failure {
    let message =
        format!("updating resource: {} `{id}` does not exist any more; run `pulumi refresh`", resource.cfn_type());
    Failure::Refused { code: Code::NotFound, message }
}

fn unread(resource: Resource, id: &str, error: &CloudError) -> Failure {
    let text = advice::read(resource, id, error);
    advice::refused(error, format!("updating resource: {text}"))
}

/// A patch that the model has no place for. Nothing was sent, so nothing has happened.
fn does_not_fit(resource: Resource, misfit: &Misfit) -> Failure {
    let message = format!(
        "updating resource: the patch does not fit the resource, even after it was read again ({misfit}); this is a bug in \
         the aws-native provider, please report it with the type {}",
        resource.cfn_type()
    );
    Failure::Refused { code: Code::FailedPrecondition, message }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is the test's failure")]
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_without_a_place_is_a_bug_of_ours() {
        let model = metadata::model::Resource { cfn_type: "AWS::Test::Thing".to_owned(), ..Default::default() };
        let resource = metadata::encode(&model).unwrap().leak().into();
        let misfit = crate::patch::verify::applied(&json!({}), &[json!({ "op": "remove", "path": "/A" })]);
        match misfit.map_err(|misfit| does_not_fit(resource, &misfit)) {
            Err(Failure::Refused { code: Code::FailedPrecondition, message }) => assert_eq!(
                message,
                "updating resource: the patch does not fit the resource, even after it was read again (remove /A: the model \
                 has nothing there); this is a bug in the aws-native provider, please report it with the type \
                 AWS::Test::Thing"
            ),
            other => panic!("{other:?}"),
        }
    }
}
