//! DeleteResource: a resource that is not there is told by the event, not by the call.

use super::Call;
use super::claim::Claim;
use super::denied;
use super::get::resolve;
use super::members::Members;
use super::submit::{content, submit};
use super::types::resource_type;
use crate::api_error::ApiError;
use crate::life::plan::{Effect, Submission};
use crate::options::Told;
use crate::schema::Handler;
use crate::store::Kind;
use serde_json::Value;

pub(super) fn delete(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = resource_type(call, members, Handler::Delete)?;
    let claim = Claim::of(Kind::Delete, members, "");
    let txn = call.txn();
    if let Some(earlier) = claim.earlier(call, &txn)? {
        return Ok(earlier);
    }
    let shelf = call.core.shelf_key(call.scope, &resource.name);
    let identifier = resolve(&txn, &resource, &shelf, members.text("Identifier"))?;
    if call.core.options.switches.delete_missing == Told::Sync && txn.resource(&shelf, &identifier).is_none() {
        return Err(ApiError::not_found(&resource.name, &identifier, &call.core.draw_uuid()));
    }
    let digest = content(call, Kind::Delete, &resource.name, &identifier, "");
    let submission = Submission {
        scope: call.scope,
        shelf,
        resource: &resource,
        operation: Kind::Delete,
        identifier,
        is_named_by_caller: true,
        shown: None,
        effect: Effect::Delete,
        claim,
        digest,
        occurrence: txn.occurrence(digest),
        refusal: denied::refusal(call, members, &resource, Handler::Delete),
    };
    submit(call, txn, submission)
}
