//! ListResources.

use super::Call;
use super::get::seen;
use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::faults;
use crate::model::{read, record};
use crate::schema::{Handler, ResourceType};
use crate::store::{Resource, ShelfKey};
use crate::validate::Validator;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// How long a page can be continued.
const TOKEN_LIFE: Duration = Duration::from_secs(24 * 3600);
/// How many resources are looked at in one transaction.
const BATCH: usize = 200;

pub(super) fn list(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let core = call.core;
    let resource = core.resource_type(members.text("TypeName"), Handler::List)?;
    let shelf = core.shelf_key(call.scope, &resource.name);
    let wanted = inputs(core, &resource, members.optional("ResourceModel"))?;
    let list_key = record::list_key(&resource, &wanted);
    let now = core.now();
    let after = match members.optional("NextToken") {
        Some(token) => read_token(token, &shelf, now).ok_or_else(|| {
            ApiError::new(Code::InvalidRequest, "NextToken is not valid for this list or has expired")
        })?,
        None => 0,
    };
    let page = members.max_results().unwrap_or(core.options.switches.page_size);
    let is_full = core.options.switches.list_model.is_full(&resource.name, 2);
    let mut descriptions = Vec::new();
    // The resource that the next page goes on after, and the last that was looked at.
    let (mut last, mut looked_at) = (after, after);
    let has_more = 'pages: loop {
        let (batch, is_last) = {
            let mut txn = call.txn();
            let most = BATCH.min(page + 1);
            let found: Vec<Resource> = txn.after(&shelf, looked_at, list_key).take(most).cloned().collect();
            let is_last = found.len() < most;
            let mut batch = Vec::with_capacity(found.len());
            for found in found {
                let subject = call.subject(&resource.name, Some(&found.identifier), "");
                let reading = faults::reading(&mut txn, &subject, &found);
                batch.push((found, reading));
            }
            (batch, is_last)
        };
        for (found, reading) in batch {
            looked_at = found.sequence;
            let Some(visible) = seen(&resource, &found, &reading).filter(|_| is_wanted(&resource, &wanted, &found))
            else {
                continue;
            };
            if descriptions.len() == page {
                break 'pages true;
            }
            last = found.sequence;
            let shown = if is_full { visible } else { read::identifier_only(&resource, &visible) };
            descriptions.push(json!({"Identifier": found.identifier, "Properties": shown.to_string()}));
        }
        if is_last {
            break false;
        }
    };
    let mut answer = json!({"TypeName": resource.name, "ResourceDescriptions": descriptions});
    if has_more && let Some(members) = answer.as_object_mut() {
        members.insert("NextToken".to_owned(), json!(write_token(&shelf, last, now)));
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
fn is_wanted(resource: &ResourceType, wanted: &Map<String, Value>, found: &Resource) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let model = crate::json::stored(&found.model);
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
