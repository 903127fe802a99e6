//! Cloud Control's models to SDK values.

use metadata::view::{Properties, Type};
use serde_json::{Map as JsonMap, Value as Json};
use value::{Map, Value};

use super::{ConvertError, MAX_DEPTH};
use crate::union;

/// The outputs for a model: declared members under their SDK names.
///
/// Members that the schema does not know still surface, under mechanically made names; nothing is checked against the
/// schema's kinds, since services answer more loosely than they accept. Nulls are left out of objects. A whole number that
/// would not stay exact is kept as its text.
///
/// # Errors
///
/// The model is no object, or nested too deep.
pub fn from_cfn(model: &Json, properties: Properties) -> Result<Map, ConvertError> {
    match model {
        Json::Object(members) => declared(members, properties, MAX_DEPTH),
        other => Err(ConvertError::NoObject { found: kind(other) }),
    }
}

fn declared(members: &JsonMap<String, Json>, properties: Properties, depth: usize) -> Result<Map, ConvertError> {
    let mut converted = Map::new();
    for (name, member) in members {
        if member.is_null() {
            continue;
        }
        // Some services answer with a member's SDK name.
        let property = properties.get_cfn(name).or_else(|| properties.get(name));
        let (key, value) = match property {
            Some(property) => (property.name().to_owned(), typed(member, property.ty(), depth)),
            None => (cfn::naming::to_sdk(name), untyped(member, depth)),
        };
        let value = value.map_err(|error| error.under(&key))?;
        match property {
            Some(_) => {
                converted.insert(key, value);
            }
            // A declared member is never overwritten by a surprise that happens to get its name.
            None => {
                if properties.get(&key).is_none_or(|property| !members.contains_key(property.cfn_name())) {
                    converted.entry(key).or_insert(value);
                }
            }
        }
    }
    Ok(converted)
}

fn typed(model: &Json, ty: Type, depth: usize) -> Result<Value, ConvertError> {
    let below = depth.checked_sub(1).ok_or_else(|| ConvertError::TooDeep { path: String::new() })?;
    match (ty, model) {
        (Type::Union(arms), _) => match union::choose_cfn(arms, model) {
            Type::Union(_) | Type::Any => as_is(model, depth),
            arm => typed(model, arm, depth),
        },
        (Type::Object(object), Json::Object(members)) if !object.properties().is_empty() => {
            declared(members, object.properties(), below).map(Value::Object)
        }
        (Type::Map(element), Json::Object(members)) => {
            let element = element.get();
            entries(members, |member| typed(member, element, below))
        }
        (Type::Array(element), Json::Array(items)) => {
            let element = element.get();
            items.iter().map(|item| typed(item, element, below)).collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        // For a text, too, whose digits are no matter of arithmetic: numbers of accounts, identifiers.
        (Type::Integer | Type::String | Type::Enum(_), Json::Number(number)) => {
            Ok(exact_text(number).map_or_else(|| value::json::from_json(model), Value::from))
        }
        _ => as_is(model, depth),
    }
}

/// The text of a whole number that no double holds exactly.
fn exact_text(number: &serde_json::Number) -> Option<String> {
    let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs))?;
    (magnitude > super::EXACT as u64).then(|| number.to_string())
}

/// Free-form JSON: keys keep their case at every depth.
fn as_is(model: &Json, depth: usize) -> Result<Value, ConvertError> {
    let below = depth.checked_sub(1).ok_or_else(|| ConvertError::TooDeep { path: String::new() })?;
    match model {
        Json::Object(members) => entries(members, |member| as_is(member, below)),
        Json::Array(items) => {
            items.iter().map(|item| as_is(item, below)).collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        scalar => Ok(value::json::from_json(scalar)),
    }
}

/// Something that the schema does not know: every key is renamed, at every depth.
fn untyped(model: &Json, depth: usize) -> Result<Value, ConvertError> {
    let below = depth.checked_sub(1).ok_or_else(|| ConvertError::TooDeep { path: String::new() })?;
    match model {
        Json::Object(members) => {
            let mut converted = Map::new();
            for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                converted.insert(cfn::naming::to_sdk(name), untyped(member, below)?);
            }
            Ok(Value::Object(converted))
        }
        Json::Array(items) => {
            items.iter().map(|item| untyped(item, below)).collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        scalar => Ok(value::json::from_json(scalar)),
    }
}

fn entries(
    members: &JsonMap<String, Json>,
    convert: impl Fn(&Json) -> Result<Value, ConvertError>,
) -> Result<Value, ConvertError> {
    let mut converted = Map::new();
    for (key, member) in members.iter().filter(|(_, member)| !member.is_null()) {
        converted.insert(key.clone(), convert(member).map_err(|error| error.under(key))?);
    }
    Ok(Value::Object(converted))
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a bool",
        Json::Number(_) => "a number",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}
