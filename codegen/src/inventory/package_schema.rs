//! The facts that a package schema states: no CloudFormation names, and of the marks only `replaceOnChanges`.
//!
//! Reads the public format, so that what another generator or a published provider made can be the base of a report.

use super::{Inventory, PropertyFacts, ResourceFacts, TypeFacts};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a package schema; `None` when the document has no `resources`.
pub fn inventory(document: &Value) -> Option<Inventory> {
    let functions = members(document, "functions");
    let mut getters = BTreeSet::new();
    let resources: BTreeMap<String, ResourceFacts> = document
        .get("resources")?
        .as_object()?
        .iter()
        .map(|(token, spec)| {
            let getter = token.rsplit_once(':').map(|(start, name)| format!("{start}:get{name}"));
            let function = getter.as_deref().and_then(|getter| functions?.get(getter));
            let getter = function.and(getter);
            getters.extend(getter.clone());
            let identifier = function.map(|function| texts(function.get("inputs"), "required")).unwrap_or_default();
            (token.clone(), resource(spec, getter, identifier))
        })
        .collect();
    let functions =
        functions.into_iter().flat_map(Map::keys).filter(|token| !getters.contains(*token)).cloned().collect();
    let types = members(document, "types");
    let types = types.into_iter().flatten().map(|(token, spec)| (token.clone(), named_type(spec))).collect();
    Some(Inventory { resources, types, functions, left_out: BTreeMap::new() })
}

fn resource(spec: &Value, getter: Option<String>, identifier: Vec<String>) -> ResourceFacts {
    let (inputs, outputs) = (members(spec, "inputProperties"), members(spec, "properties"));
    let (required, always) = (texts(Some(spec), "requiredInputs"), texts(Some(spec), "required"));
    let mut facts = ResourceFacts { getter, identifier, ..ResourceFacts::default() };
    for (name, property) in inputs.into_iter().flatten().chain(outputs.into_iter().flatten()) {
        let property = PropertyFacts {
            ty: short(property),
            input: inputs.is_some_and(|inputs| inputs.contains_key(name)),
            required: required.contains(name),
            always: always.contains(name),
            ..PropertyFacts::default()
        };
        facts.properties.insert(name.clone(), property);
    }
    let marked = outputs.into_iter().flatten().filter(|(_, property)| is_marked(property));
    facts.create_only = marked.map(|(name, _)| name.clone()).collect();
    facts
}

fn named_type(spec: &Value) -> TypeFacts {
    if let Some(values) = spec.get("enum").and_then(Value::as_array) {
        let member = |member: &Value| {
            let name = member.get("name").and_then(Value::as_str).unwrap_or_default();
            let value = match member.get("value")? {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Some((value, name.to_owned()))
        };
        return TypeFacts::Enum(values.iter().filter_map(member).collect());
    }
    let required = texts(Some(spec), "required");
    let member = |(name, property): (&String, &Value)| {
        let facts = PropertyFacts {
            ty: short(property),
            input: true,
            required: required.contains(name),
            replaces: is_marked(property),
            ..PropertyFacts::default()
        };
        (name.clone(), facts)
    };
    TypeFacts::Object(members(spec, "properties").into_iter().flatten().map(member).collect())
}

fn is_marked(property: &Value) -> bool {
    property.get("replaceOnChanges").and_then(Value::as_bool).unwrap_or_default()
}

fn members<'v>(value: &'v Value, key: &str) -> Option<&'v Map<String, Value>> {
    value.get(key).and_then(Value::as_object)
}

fn texts(value: Option<&Value>, key: &str) -> Vec<String> {
    let list = value.and_then(|value| value.get(key)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A type in short, as [`PropertyFacts::ty`] has it. The text is at most as deep as the document, whose reader limits that.
fn short(spec: &Value) -> String {
    if let Some(reference) = spec.get("$ref").and_then(Value::as_str) {
        return match reference {
            "pulumi.json#/Any" => "any".to_owned(),
            "#/types/aws-native:index:region" => "region".to_owned(),
            other => format!("#{}", other.strip_prefix("#/types/").unwrap_or(other)),
        };
    }
    if let Some(arms) = spec.get("oneOf").and_then(Value::as_array) {
        return format!("({})", arms.iter().map(short).collect::<Vec<_>>().join("|"));
    }
    let inner = |key: &str| spec.get(key).map_or_else(|| "any".to_owned(), short);
    match spec.get("type").and_then(Value::as_str) {
        Some("array") => format!("[{}]", inner("items")),
        Some("object") => format!("{{{}}}", inner("additionalProperties")),
        Some(other) => other.to_owned(),
        None => "any".to_owned(),
    }
}
