//! GetResource, and how an identifier in a request names a resource.

use super::Call;
use super::members::Members;
use super::types::resource_type;
use crate::api_error::ApiError;
use crate::faults::{self, Reading, Subject};
use crate::mask;
use crate::model::identifier::{self, Asked};
use crate::model::{read, record};
use crate::schema::{Handler, ResourceType};
use crate::store::{Resource, ShelfKey, Txn};
use serde_json::{Value, json};
use std::borrow::Cow;

pub(super) fn get(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = resource_type(call, members, Handler::Read)?;
    let shelf = call.core.shelf_key(call.scope, &resource.name);
    let mut txn = call.txn();
    if let Some(error) = faults::handler(&mut txn, &call.subject(&resource.name, members.optional("Identifier"), "")) {
        return Err(error);
    }
    let found = find(call, &txn, &resource, &shelf, members.text("Identifier"))?.clone();
    let subject = call.subject(&resource.name, Some(&found.identifier), "");
    let reading = faults::reading(&mut txn, &subject, &found);
    drop(txn);
    let visible = seen(&resource, &found, &reading)
        .ok_or_else(|| ApiError::not_found(&resource.name, &found.identifier, &call.core.draw_uuid()))?;
    let description = json!({"Identifier": found.identifier, "Properties": visible.to_string()});
    Ok(json!({"TypeName": resource.name, "ResourceDescription": description}))
}

/// What a read shows of a resource, `None` when it does not find it.
pub(super) fn seen(resource: &ResourceType, found: &Resource, reading: &Reading) -> Option<Value> {
    match reading {
        Reading::Missing => None,
        Reading::Text(model) => Some(read::visible_text(resource, model)),
        Reading::AsIs => Some(read::visible_text(resource, &found.model)),
        Reading::With(forms) => Some(faults::in_form(resource, read::visible_text(resource, &found.model), forms)),
    }
}

/// The resource that an identifier in a request names.
pub(super) fn find<'t>(
    call: &Call<'_>,
    txn: &'t Txn<'_>,
    resource: &ResourceType,
    shelf: &ShelfKey,
    given: &str,
) -> Result<&'t Resource, ApiError> {
    let identifier = resolve(txn, resource, shelf, given)?;
    txn.resource(shelf, &identifier)
        .ok_or_else(|| ApiError::not_found(&resource.name, &identifier, &call.core.draw_uuid()))
}

/// The text of the primary identifier that an identifier in a request means; the resource may not exist.
pub(super) fn resolve(
    txn: &Txn<'_>,
    resource: &ResourceType,
    shelf: &ShelfKey,
    given: &str,
) -> Result<Box<str>, ApiError> {
    // Texts about what is not there repeat the identifier, which must not bring a secret along.
    let is_known = txn.resource(shelf, given).is_some();
    let hidden = if is_known { Cow::Borrowed(given) } else { mask::request::identifier(resource, given) };
    let given = &*hidden;
    // Only texts with surplus separators ask for a model.
    let model_of = |text: &str| txn.resource(shelf, text).map(|found| crate::json::stored(&found.model));
    match identifier::parse(resource, given, model_of).map_err(ApiError::validation)? {
        Asked::Primary(text) => Ok(text.into()),
        Asked::Additional(index, values) => {
            let found = txn.find_additional(shelf, index, record::of_values(&values));
            Ok(found.map_or_else(|| given.into(), |found| found.identifier.clone()))
        }
    }
}

impl<'c> Call<'c> {
    /// This call as rules see it.
    pub(super) fn subject<'a>(&'a self, type_name: &'a str, identifier: Option<&'a str>, body: &str) -> Subject<'a> {
        Subject {
            operation: self.operation,
            type_name,
            scope: self.scope,
            identifier,
            digest: crate::entropy::digest(&[self.operation, type_name, identifier.unwrap_or_default(), body]),
            now: self.core.now(),
        }
    }
}
