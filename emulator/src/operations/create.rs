//! CreateResource.

use super::members::Members;
use super::submit::{Submission, claim, submit};
use crate::api_error::ApiError;
use crate::core::Core;
use crate::entropy::digest_text;
use crate::model::{defaults, identifier, protection, read};
use crate::schema::{Handler, InstancePath, ResourceType};
use crate::scope::Scope;
use crate::store::Resource;
use crate::store::request::{Effect, Operation};
use crate::synthesize::context::Context;
use crate::validate::Validator;
use serde_json::Value;

pub(super) fn call(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = core.resource_type(members.text("TypeName"), Handler::Create)?;
    let claim = match claim(core, scope, Operation::Create, members, members.text("DesiredState"))? {
        Ok(claim) => claim,
        Err(earlier) => return Ok(earlier),
    };
    let desired = desired_state(core, &resource, members.text("DesiredState"))?;
    let is_named_by_caller = resource.primary_identifier.iter().all(|path| path.get(&desired).is_some());
    let with_defaults = with_defaults(core, &resource, &desired);

    let shelf = core.shelf_key(scope, &resource.name);
    let mut store = core.store();
    let digest = digest_text(&[&resource.name, &desired.to_string()]);
    let creates = store.creates.entry((scope.clone(), digest)).or_default();
    let context =
        Context::new(&core.tables, scope, &resource.name, (core.options.seed, &desired, *creates), core.now());
    let mut model = with_defaults;
    crate::synthesize::complete(&resource, &core.patterns, &context, &mut model);
    *creates += 1;
    let made = stored(&resource, model)?;
    let submission = Submission {
        scope,
        shelf,
        resource: &resource,
        operation: Operation::Create,
        identifier: made.identifier.clone(),
        is_named_by_caller,
        shown: Some(read::visible(&resource, &made.model)),
        effect: Effect::Create {
            resource: made,
            is_unique_everywhere: core.tables.is_unique_everywhere(&resource.name),
        },
        claim,
    };
    submit(core, &mut store, submission)
}

/// Reads and checks a desired state.
fn desired_state(core: &Core, resource: &ResourceType, text: &str) -> Result<Value, ApiError> {
    let mut desired =
        crate::json::parse(text).map_err(|error| ApiError::validation(format!("DesiredState is {error}")))?;
    let given = protection::read_only_given(resource, &desired);
    if !given.is_empty() && core.options.refuses_read_only {
        return Err(ApiError::validation(format!(
            "Invalid desired state: readOnlyProperties [{}] cannot be specified",
            given.join(", ")
        )));
    }
    let paths: Vec<InstancePath> = given.iter().filter_map(|pointer| InstancePath::parse(pointer)).collect();
    paths.iter().for_each(|path| path.remove(&mut desired));
    Validator::new(resource, &core.patterns).model(&desired).map_err(ApiError::validation)?;
    identifier::settle_empty_parts(resource, &mut desired).map_err(ApiError::validation)?;
    Ok(desired)
}

/// The model with declared defaults, unless these contradict what the caller chose.
pub(super) fn with_defaults(core: &Core, resource: &ResourceType, model: &Value) -> Value {
    if !core.options.defaults {
        return model.clone();
    }
    let mut complete = model.clone();
    defaults::apply(resource, &mut complete);
    let is_valid = Validator::new(resource, &core.patterns).model(&complete).is_ok();
    if is_valid { complete } else { model.clone() }
}

/// A model with its identifiers.
pub(super) fn stored(resource: &ResourceType, model: Value) -> Result<Resource, ApiError> {
    let identifier = identifier::of_model(resource, &model).ok_or_else(|| {
        ApiError::validation(format!(
            "{}: the primary identifier cannot be built from the model; every part must be a number, a boolean or \
             a text that is not empty",
            resource.name
        ))
    })?;
    let additional =
        resource.additional_identifiers.iter().map(|paths| identifier::additional_of_model(paths, &model)).collect();
    Ok(Resource { identifier, additional, model })
}
