//! DeleteResource: a resource that is not there is told by the event, not by the call.

use super::members::Members;
use super::read::resolve;
use super::submit::{Submission, claim, submit};
use crate::api_error::ApiError;
use crate::core::Core;
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::request::{Effect, Operation};
use serde_json::Value;

pub(super) fn call(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = core.resource_type(members.text("TypeName"), Handler::Delete)?;
    let claim = match claim(core, scope, Operation::Delete, members, "")? {
        Ok(claim) => claim,
        Err(earlier) => return Ok(earlier),
    };
    let shelf = core.shelf_key(scope, &resource.name);
    let mut store = core.store();
    let identifier = resolve(&store, &resource, &shelf, members.text("Identifier"))?;
    let submission = Submission {
        scope,
        shelf,
        resource: &resource,
        operation: Operation::Delete,
        identifier,
        is_named_by_caller: true,
        shown: None,
        effect: Effect::Delete,
        claim,
    };
    submit(core, &mut store, submission)
}
