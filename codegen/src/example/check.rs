//! Whether values fit the types of a package: what binding a program finds out.

use serde_json::{Map, Value};

use crate::package::{Package, Properties, TypeDefinition, TypeSpec};

/// Checks the inputs of the resource `token`: required ones are there, no other names, every value fits its type.
///
/// # Errors
///
/// A sentence that names the place and what is wrong there.
pub fn inputs(package: &Package, token: &str, value: &Value) -> Result<(), String> {
    let resource = package.resources.get(token).ok_or_else(|| format!("there is no resource {token}"))?;
    members(package, token, &resource.inputs, &resource.required_inputs, value)
}

fn members(
    package: &Package,
    place: &str,
    properties: &Properties,
    required: &[String],
    value: &Value,
) -> Result<(), String> {
    let object = value.as_object().ok_or_else(|| format!("{place}: is no object"))?;
    if let Some(absent) = required.iter().find(|name| !object.contains_key(*name)) {
        return Err(format!("{place}: {absent} is missing"));
    }
    each(object, place, |name, place, member| match properties.get(name) {
        Some(property) => fits(package, place, &property.ty, member),
        None => Err(format!("{place}: there is no such property")),
    })
}

fn each(
    object: &Map<String, Value>,
    place: &str,
    check: impl Fn(&str, &str, &Value) -> Result<(), String>,
) -> Result<(), String> {
    object.iter().try_for_each(|(name, member)| check(name, &format!("{place}.{name}"), member))
}

fn fits(package: &Package, place: &str, spec: &TypeSpec, value: &Value) -> Result<(), String> {
    let expect = |is: bool, what: &str| if is { Ok(()) } else { Err(format!("{place}: {value} is no {what}")) };
    match spec {
        TypeSpec::Any => Ok(()),
        TypeSpec::Boolean => expect(value.is_boolean(), "boolean"),
        TypeSpec::Integer => expect(value.is_i64() || value.is_u64(), "whole number"),
        TypeSpec::Number => expect(value.is_number(), "number"),
        TypeSpec::String | TypeSpec::Region => expect(value.is_string(), "text"),
        TypeSpec::Array(items) => match value.as_array() {
            Some(elements) => elements.iter().try_for_each(|element| fits(package, place, items, element)),
            None => expect(false, "list"),
        },
        TypeSpec::Map(values) => match value.as_object() {
            Some(object) => each(object, place, |_, place, member| fits(package, place, values, member)),
            None => expect(false, "map"),
        },
        TypeSpec::Union(arms) => {
            let fitting = arms.iter().any(|arm| fits(package, place, arm, value).is_ok());
            expect(fitting, "value of any of the types")
        }
        TypeSpec::Ref(token) => match package.types.get(token) {
            Some(TypeDefinition::Object(object)) => {
                members(package, place, &object.properties, &object.required, value)
            }
            Some(TypeDefinition::Enum(definition)) => {
                let is_member = definition.values.iter().any(|member| value.as_str() == Some(&member.value));
                expect(is_member, &format!("value of {token}"))
            }
            None => Err(format!("{place}: there is no type {token}")),
        },
    }
}
