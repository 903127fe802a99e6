//! ListResources.

use super::Call;
use super::get::seen;
use super::members::Members;
use super::page::Pages;
use super::types::resource_type;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::faults;
use crate::model::{read, record};
use crate::schema::{Handler, ResourceType};
use crate::store::Resource;
use crate::store::txn::milliseconds;
use crate::validate::Validator;
use serde_json::{Map, Value, json};

/// How many resources are looked at in one transaction.
const BATCH: usize = 200;

pub(super) fn list(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let core = call.core;
    let resource = resource_type(call, members, Handler::List)?;
    let about = call.subject(&resource.name, None, members.text("ResourceModel"));
    if let Some(error) = faults::handler(&mut call.txn(), &about) {
        return Err(error);
    }
    let shelf = core.shelf_key(call.scope, &resource.name);
    let wanted = readable(&resource, inputs(core, &resource, members.optional("ResourceModel"))?);
    let list_key = record::list_key(&resource, &wanted);
    let filter = Value::Object(wanted.clone()).to_string();
    let pages = Pages { operation: call.operation, type_name: &resource.name, filter: &filter };
    let now = milliseconds(core.now());
    let after = match members.optional("NextToken") {
        Some(token) => pages.read(call, token, now)?,
        None => 0,
    };
    let switches = &core.options.switches;
    let page = members.max_results().filter(|_| switches.honour_max_results).unwrap_or(switches.page_size).max(1);
    let is_full =
        core.options.switches.list_model.is_full(&resource.name, core.knowledge.of_type(&resource.name).list, 2);
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
            let Some(visible) =
                seen(&resource, &found, &reading).filter(|_| is_wanted(core, &resource, &wanted, &found))
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
        members.insert("NextToken".to_owned(), json!(pages.token(call, last, now)));
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

/// Whether the list handler must be told an input, as those that lead to the parent of what it lists.
fn is_demanded(resource: &ResourceType, name: &str) -> bool {
    crate::json::texts(resource.list_schema().and_then(|schema| schema.get("required")))
        .any(|demanded| demanded == name)
}

/// The inputs without write-only values, which would tell whether a guess is right; those that the list handler must be
/// told stay.
fn readable(resource: &ResourceType, wanted: Map<String, Value>) -> Map<String, Value> {
    let (mut kept, mut others) = (Map::new(), Map::new());
    for (name, value) in wanted {
        if is_demanded(resource, &name) {
            kept.insert(name, value)
        } else {
            others.insert(name, value)
        };
    }
    if let Value::Object(visible) = read::visible(resource, &Value::Object(others)) {
        kept.extend(visible);
    }
    kept
}

/// Whether a model has the wanted values. An input that is no property counts only where it is known which one it stands
/// for, from data or since its schema refers to it; an array then asks for any of its elements.
fn is_wanted(core: &Core, resource: &ResourceType, wanted: &Map<String, Value>, found: &Resource) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let model = crate::json::stored(&found.model);
    let visible = read::visible(resource, &model);
    let properties = resource.schema.get("properties");
    let facts = core.knowledge.of_type(&resource.name);
    wanted.iter().all(|(name, value)| {
        let is_property = properties.is_some_and(|properties| properties.get(name).is_some());
        if is_property {
            let shown = if is_demanded(resource, name) { &model } else { &visible };
            return shown.get(name).is_some_and(|own| crate::json::equal(own, value));
        }
        let stands_for = facts.list_inputs.get(name).map(String::as_str).or_else(|| resource.list_input(name));
        let stands_for = stands_for.filter(|property| is_demanded(resource, name) || !is_hidden(resource, property));
        let Some(own) = stands_for.map(|property| model.get(property)) else { return true };
        match value {
            Value::Array(any) => own.is_some_and(|own| any.iter().any(|value| crate::json::equal(own, value))),
            value => own.is_some_and(|own| crate::json::equal(own, value)),
        }
    })
}

/// Whether a read never shows a property, or not all of it.
fn is_hidden(resource: &ResourceType, property: &str) -> bool {
    let tops = resource.write_only.iter().filter_map(|path| path.segments().first()?.name());
    tops.into_iter().any(|top| top == property)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_only_inputs_count_only_where_they_are_demanded() {
        let schema = json!({
            "properties": {"Name": {}, "Secret": {}, "Parent": {}, "Login": {}},
            "primaryIdentifier": ["/properties/Name"],
            "writeOnlyProperties": ["/properties/Secret", "/properties/Parent", "/properties/Login/Password"],
            "handlers": {"list": {"handlerSchema": {"required": ["Parent"]}}},
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        for (given, expected) in [
            (json!({"Name": "n", "Secret": "guess"}), json!({"Name": "n"})),
            (json!({"Parent": "p", "Secret": "guess"}), json!({"Parent": "p"})),
            (json!({"Login": {"User": "u", "Password": "guess"}}), json!({"Login": {"User": "u"}})),
            (json!({"Login": {"Password": "guess"}}), json!({})),
            (json!({"Other": 1}), json!({"Other": 1})),
        ] {
            let wanted = given.as_object().cloned().unwrap_or_default();
            assert_eq!(Value::Object(readable(&resource, wanted)), expected, "{given}");
        }
        assert!(is_hidden(&resource, "Login") && !is_hidden(&resource, "Name"));
    }
}
