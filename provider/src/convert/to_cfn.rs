//! SDK values to the JSON that Cloud Control takes.

use metadata::view::{Property, Type};
use serde_json::{Map as JsonMap, Value as Json};
use value::{Map, Value};

use super::{ConvertError, MAX_DEPTH};
use crate::marks::Mark;
use crate::place::{Object, Place, Shape};

/// The largest magnitude up to which every whole number is a double of its own.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

/// Which parts of a value are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    /// All of it: a desired state for a create.
    All,
    /// What an update may send: nothing that is create-only.
    Updatable,
}

/// The desired state for the properties of a resource.
///
/// Declared members go under their CloudFormation names; nulls and undeclared members are left out.
///
/// # Errors
///
/// A value of another kind than the schema says, without a form in JSON, or inexact.
pub fn to_cfn(members: &Map, object: Object) -> Result<Json, ConvertError> {
    Ok(Json::Object(declared(members, object, Select::All, MAX_DEPTH)?))
}

/// The CloudFormation form of one value; `None` when `select` leaves nothing of it.
///
/// # Errors
///
/// As [`to_cfn`].
pub fn value_to_cfn(value: &Value, place: Place, select: Select) -> Result<Option<Json>, ConvertError> {
    convert(value, place, select, MAX_DEPTH)
}

fn declared(
    members: &Map,
    object: Object,
    select: Select,
    depth: usize,
) -> Result<JsonMap<String, Json>, ConvertError> {
    let mut converted = JsonMap::new();
    for (name, member) in members {
        let (Some(property), place) = object.member(name) else { continue };
        if let Some(json) = convert(member, place, select, depth).map_err(|error| error.under(name))? {
            converted.insert(Property::cfn_name(property).to_owned(), json);
        }
    }
    Ok(converted)
}

fn convert(value: &Value, place: Place, select: Select, depth: usize) -> Result<Option<Json>, ConvertError> {
    let value = value.unsecret();
    let kept = match select {
        Select::All => true,
        Select::Updatable => !place.marks.covered(Mark::CreateOnly),
    };
    if value.is_null() || !kept {
        return Ok(None);
    }
    let Some(depth) = depth.checked_sub(1) else { return Err(ConvertError::TooDeep { path: String::new() }) };
    let json = match (place.shape(value), value) {
        (Shape::Declared(object), Value::Object(members)) => {
            let converted = declared(members, object, select, depth)?;
            if converted.is_empty() && select == Select::Updatable && place.touches(value, Mark::CreateOnly) {
                return Ok(None);
            }
            Json::Object(converted)
        }
        (Shape::Entries(entries), Value::Object(members)) => {
            check_kind(value, place.ty)?;
            let mut converted = JsonMap::new();
            for (key, member) in members {
                let inner = convert(member, entries.entry(key), select, depth).map_err(|error| error.under(key))?;
                if let Some(json) = inner {
                    converted.insert(key.clone(), json);
                }
            }
            Json::Object(converted)
        }
        (Shape::Items(element), Value::Array(items)) => {
            check_kind(value, place.ty)?;
            let mut converted = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                let inner = convert(item, element, select, depth).map_err(|error| error.under(&index.to_string()))?;
                converted.push(inner.unwrap_or_else(|| empty_like(item)));
            }
            Json::Array(converted)
        }
        _ => scalar(value, place.ty)?,
    };
    Ok(Some(json))
}

/// An array keeps its length: an element of which nothing is left stays as an empty one of its kind.
pub(crate) fn empty_like(item: &Value) -> Json {
    match item.unsecret() {
        Value::Object(_) => Json::Object(JsonMap::new()),
        _ => Json::Null,
    }
}

fn scalar(value: &Value, ty: Type) -> Result<Json, ConvertError> {
    check_kind(value, ty)?;
    match value {
        Value::Number(number) => number_to_json(*number, ty),
        Value::Bool(flag) => Ok(Json::Bool(*flag)),
        Value::String(text) => Ok(Json::String(text.clone())),
        other => value::json::to_json(other)
            .ok()
            .filter(|json| !json.is_null())
            .ok_or_else(|| ConvertError::NoForm { path: String::new(), kind: other.type_name().into_owned() }),
    }
}

fn number_to_json(number: f64, ty: Type) -> Result<Json, ConvertError> {
    if matches!(ty, Type::Integer) && number.abs() > EXACT {
        return Err(ConvertError::Inexact { path: String::new() });
    }
    value::json::number(number)
        .map(Json::Number)
        .ok_or_else(|| ConvertError::NoForm { path: String::new(), kind: "a number that is not finite".to_owned() })
}

/// What messages call the values of a type, with its article.
pub fn kind_name(ty: Type) -> &'static str {
    match ty {
        Type::Any => "any value",
        Type::Boolean => "a bool",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::String | Type::Enum(_) => "a string",
        Type::Array(_) => "an array",
        Type::Map(_) | Type::Object(_) => "an object",
        Type::Union(_) => "one of several kinds",
    }
}

/// Unions accept what one of their arms accepts; Check has said so already, so they are not tested again here.
fn check_kind(value: &Value, ty: Type) -> Result<(), ConvertError> {
    let fits = match (ty, value) {
        (Type::Any | Type::Union(_), _) => return Ok(()),
        (_, Value::Unknown(_) | Value::Output(_) | Value::Archive(_) | Value::Reference(_)) => return Ok(()),
        (Type::Boolean, Value::Bool(_))
        | (Type::Integer | Type::Number, Value::Number(_))
        | (Type::String | Type::Enum(_), Value::String(_))
        | (Type::Array(_), Value::Array(_))
        | (Type::Map(_) | Type::Object(_), Value::Object(_)) => true,
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => Err(ConvertError::Kind {
            path: String::new(),
            expected: kind_name(ty),
            found: value.type_name().into_owned(),
        }),
    }
}
