//! UpdateResource: the patch is applied to what a read shows, so write-only values that are not sent again are lost.

use super::create::{stored, with_defaults};
use super::members::Members;
use super::read::find;
use super::submit::{Submission, claim, submit};
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::model::protection::Refusal;
use crate::model::{patch, protection, read};
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::request::{Effect, Operation};
use crate::synthesize::context::Context;
use crate::validate::Validator;
use serde_json::Value;

pub(super) fn call(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = core.resource_type(members.text("TypeName"), Handler::Update)?;
    let claim = match claim(core, scope, Operation::Update, members, members.text("PatchDocument"))? {
        Ok(claim) => claim,
        Err(earlier) => return Ok(earlier),
    };
    let shelf = core.shelf_key(scope, &resource.name);
    let (identifier, current) = {
        let store = core.store();
        let found = find(core, &store, &resource, &shelf, members.text("Identifier"))?;
        (found.identifier.clone(), read::visible(&resource, &found.model))
    };
    let patched = patch::apply(members.text("PatchDocument"), &current).map_err(ApiError::validation)?;
    protection::check(&resource, &current, &patched).map_err(|refusal| match refusal {
        Refusal::ReadOnly(text) => ApiError::validation(text),
        Refusal::CreateOnly(text) => ApiError::new(Code::NotUpdatable, text),
    })?;
    Validator::new(&resource, &core.patterns).model(&patched).map_err(ApiError::validation)?;

    let mut model = with_defaults(core, &resource, &patched);
    let context = Context::new(
        &core.tables,
        scope,
        &resource.name,
        (core.options.seed, &Value::String(identifier.clone()), 0),
        core.now(),
    );
    crate::synthesize::complete(&resource, &core.patterns, &context, &mut model);
    crate::synthesize::touch(&resource, &context, &mut model);
    let updated = stored(&resource, model)?;
    if updated.identifier != identifier {
        // No schema lets this through: identifier parts are read-only or create-only.
        return Err(ApiError::new(
            Code::NotUpdatable,
            format!("Invalid patch update: the identifier of {identifier} cannot be updated"),
        ));
    }
    let mut store = core.store();
    let is_unchanged = |now: &Value| read::visible(&resource, now) == current;
    if !store.resource(&shelf, &identifier).is_some_and(|found| is_unchanged(&found.model)) {
        return Err(ApiError::new(
            Code::ConcurrentOperation,
            format!(
                "The resource of type '{}' with identifier '{identifier}' changed while it was being read",
                resource.name
            ),
        ));
    }
    let submission = Submission {
        scope,
        shelf,
        resource: &resource,
        operation: Operation::Update,
        identifier,
        is_named_by_caller: true,
        shown: Some(read::visible(&resource, &updated.model)),
        effect: Effect::Update { resource: updated },
        claim,
    };
    submit(core, &mut store, submission)
}
