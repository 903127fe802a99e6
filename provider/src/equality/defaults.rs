//! What the service takes when nothing is said.

use metadata::view::Property;
use value::Value;

use crate::place::{Place, Shape};

/// Whether a value is what the service takes when nothing is said: the schema's default, or an object of such members.
pub fn is_default(value: &Value, place: Place, property: Option<Property>) -> bool {
    let value = value.unsecret();
    if let Some(text) = property.and_then(Property::default) {
        return equals_default(value, text);
    }
    match (value, place.shape(value)) {
        (Value::Object(members), Shape::Declared(object)) => {
            !members.is_empty()
                && members.iter().filter(|(_, member)| !member.is_null()).all(|(name, member)| {
                    let (property, place) = object.member(name);
                    is_default(member, place, property)
                })
        }
        _ => false,
    }
}

fn equals_default(value: &Value, default: &str) -> bool {
    match value {
        Value::Bool(flag) => default == if *flag { "true" } else { "false" },
        Value::Number(number) => default.parse::<f64>().is_ok_and(|default| default == *number),
        Value::String(text) => serde_json::from_str::<String>(default).is_ok_and(|default| default == *text),
        _ => false,
    }
}
