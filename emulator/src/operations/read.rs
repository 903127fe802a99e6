//! GetResource and ListResources.

use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::model::identifier::{self, Asked};
use crate::model::read;
use crate::schema::{Handler, ResourceType};
use crate::scope::Scope;
use crate::store::{Resource, ShelfKey, Store};
use crate::validate::Validator;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// Resources on a page when the caller does not say.
const PAGE: usize = 50;
/// How long a page can be continued.
const TOKEN_LIFE: Duration = Duration::from_secs(24 * 3600);

pub(super) fn get(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = core.resource_type(members.text("TypeName"), Handler::Read)?;
    let shelf = core.shelf_key(scope, &resource.name);
    let store = core.store();
    let found = find(core, &store, &resource, &shelf, members.text("Identifier"))?;
    let description = json!({
        "Identifier": found.identifier,
        "Properties": read::visible(&resource, &found.model).to_string(),
    });
    Ok(json!({"TypeName": resource.name, "ResourceDescription": description}))
}

/// The resource that an identifier in a request names.
pub(super) fn find<'s>(
    core: &Core,
    store: &'s Store,
    resource: &ResourceType,
    shelf: &ShelfKey,
    given: &str,
) -> Result<&'s Resource, ApiError> {
    let identifier = resolve(store, resource, shelf, given)?;
    store
        .resource(shelf, &identifier)
        .ok_or_else(|| ApiError::not_found(&resource.name, &identifier, &core.draw_uuid()))
}

/// The text of the primary identifier that an identifier in a request means; the resource may not exist.
pub(super) fn resolve(
    store: &Store,
    resource: &ResourceType,
    shelf: &ShelfKey,
    given: &str,
) -> Result<String, ApiError> {
    let is_known = |text: &str| store.resource(shelf, text).is_some();
    match identifier::parse(resource, given, is_known).map_err(ApiError::validation)? {
        Asked::Primary(text) => Ok(text),
        Asked::Additional(index, values) => {
            let found = store.shelves.get(shelf).and_then(|shelf| shelf.find_additional(index, &values));
            Ok(found.unwrap_or(given).to_owned())
        }
    }
}

pub(super) fn list(core: &Core, scope: &Scope, members: &Members<'_>) -> Result<Value, ApiError> {
    let resource = core.resource_type(members.text("TypeName"), Handler::List)?;
    let shelf_key = core.shelf_key(scope, &resource.name);
    let wanted = inputs(core, &resource, members.optional("ResourceModel"))?;
    let now = core.now();
    let after = match members.optional("NextToken") {
        Some(token) => read_token(token, &shelf_key, now).ok_or_else(|| {
            ApiError::new(Code::InvalidRequest, "NextToken is not valid for this list or has expired")
        })?,
        None => 0,
    };
    let page = members.max_results().unwrap_or(PAGE);
    let is_full = core.options.list_model.is_full(&resource.name, 2);
    let store = core.store();
    let mut descriptions = Vec::new();
    let mut last = after;
    let mut has_more = false;
    for (sequence, found) in store.shelves.get(&shelf_key).into_iter().flat_map(|shelf| shelf.after(after)) {
        if !matches(&resource, &wanted, &found.model) {
            continue;
        }
        if descriptions.len() == page {
            has_more = true;
            break;
        }
        last = sequence;
        let visible = read::visible(&resource, &found.model);
        let shown = if is_full { visible } else { read::identifier_only(&resource, &visible) };
        descriptions.push(json!({"Identifier": found.identifier, "Properties": shown.to_string()}));
    }
    let mut answer = json!({"TypeName": resource.name, "ResourceDescriptions": descriptions});
    if has_more && let Some(members) = answer.as_object_mut() {
        members.insert("NextToken".to_owned(), json!(write_token(&shelf_key, last, now)));
    }
    Ok(answer)
}

/// The properties that narrow a list, checked against what the list handler must be told.
fn inputs(core: &Core, resource: &ResourceType, given: Option<&str>) -> Result<Map<String, Value>, ApiError> {
    let invalid = |reason: String| ApiError::new(Code::InvalidRequest, reason);
    let given = match given {
        Some(text) => {
            crate::json::parse(text).map_err(|error| ApiError::validation(format!("ResourceModel is {error}")))?
        }
        None => Value::Object(Map::new()),
    };
    if let Some(schema) = resource.list_schema()
        && let Some(problems) = Validator::new(resource, &core.patterns).against(schema, &given)
    {
        return Err(invalid(format!(
            "Missing or invalid ResourceModel property in {} list handler request input.Required property: ({problems})",
            resource.name
        )));
    }
    match given {
        Value::Object(members) => Ok(members),
        _ => Err(ApiError::validation("ResourceModel is not an object")),
    }
}

/// Whether a model has the wanted values; what is no property of the type does not count.
fn matches(resource: &ResourceType, wanted: &Map<String, Value>, model: &Value) -> bool {
    let properties = resource.schema.get("properties");
    wanted.iter().all(|(name, value)| {
        let is_property = properties.is_some_and(|properties| properties.get(name).is_some());
        !is_property || model.get(name).is_some_and(|own| crate::json::equal(own, value))
    })
}

fn write_token(shelf: &ShelfKey, last: u64, now: SystemTime) -> String {
    let seconds = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    STANDARD.encode(format!("{} {} {}/{}/{}", last, seconds, shelf.account, shelf.region, shelf.type_name))
}

fn read_token(token: &str, shelf: &ShelfKey, now: SystemTime) -> Option<u64> {
    let text = String::from_utf8(STANDARD.decode(token).ok()?).ok()?;
    let mut parts = text.splitn(3, ' ');
    let (last, seconds, place) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
    let issued = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    let is_fresh = now.duration_since(issued).map_or(true, |age| age <= TOKEN_LIFE);
    (is_fresh && place == format!("{}/{}/{}", shelf.account, shelf.region, shelf.type_name)).then_some(last)
}
