//! Reading one node from JSON, with the place of whatever is wrong.

use super::MAX_DEPTH;
use super::lists::{array, count, flag, kind, object, text, texts};
use super::node::{AdditionalProperties, JsonType, Node, TypeList};
use super::node_map::NodeMap;
use crate::error::SchemaError;
use crate::location::At;
use serde_json::{Number, Value};

/// Reads the schema `value`. The boolean schemas are nodes without keywords.
pub(crate) fn node(at: &At<'_>, value: Value) -> Result<Node, SchemaError> {
    if at.depth > MAX_DEPTH {
        return Err(at.error(format!("nested deeper than {MAX_DEPTH} levels")));
    }
    if value.is_boolean() {
        return Ok(Node::default());
    }
    let mut node = Node::default();
    let mut bounds = Bounds::default();
    for (key, value) in object(at, value)? {
        keyword(&mut node, &mut bounds, &at.key(&key), &key, value)?;
    }
    bounds.store(&mut node);
    Ok(node)
}

/// Named schemas.
pub(crate) fn node_map(at: &At<'_>, value: Value) -> Result<NodeMap, SchemaError> {
    object(at, value)?
        .into_iter()
        .map(|(name, value)| {
            let node = node(&at.key(&name), value)?;
            Ok((name, node))
        })
        .collect()
}

fn nodes(at: &At<'_>, value: Value) -> Result<Vec<Node>, SchemaError> {
    array(at, value)?.into_iter().enumerate().map(|(index, value)| node(&at.index(index), value)).collect()
}

fn keyword(node: &mut Node, bounds: &mut Bounds, at: &At<'_>, key: &str, value: Value) -> Result<(), SchemaError> {
    match key {
        "$ref" => node.reference = Some(text(at, value)?),
        "type" => node.types = types(at, value)?,
        "description" => node.description = Some(text(at, value)?),
        "properties" => node.properties = node_map(at, value)?,
        "patternProperties" => node.pattern_properties = node_map(at, value)?,
        "additionalProperties" => node.additional_properties = additional_properties(at, value)?,
        "required" => node.required = texts(at, value)?,
        "items" => node.items = items(at, value)?,
        "enum" => node.enumeration = array(at, value)?,
        // What is no list bounds nothing.
        "enumCaseInsensitive" => node.ignores_case = value.is_array(),
        "anyOf" => node.any_of = nodes(at, value)?,
        "oneOf" => node.one_of = nodes(at, value)?,
        "allOf" => node.all_of = nodes(at, value)?,
        // Only the boolean has a meaning; other values are as good as none.
        "insertionOrder" => node.insertion_order = value.as_bool(),
        "title" => node.constraints_mut().title = Some(text(at, value)?),
        "format" => node.constraints_mut().format = Some(text(at, value)?),
        "pattern" => node.constraints_mut().pattern = Some(text(at, value)?),
        "default" => node.constraints_mut().default = Some(value),
        "const" => node.constraints_mut().constant = Some(value),
        "minLength" => node.constraints_mut().min_length = Some(count(at, &value)?),
        "maxLength" => node.constraints_mut().max_length = Some(count(at, &value)?),
        "minItems" => node.constraints_mut().min_items = Some(count(at, &value)?),
        "maxItems" => node.constraints_mut().max_items = Some(count(at, &value)?),
        "uniqueItems" => node.constraints_mut().unique_items = Some(flag(at, &value)?),
        "minProperties" => node.constraints_mut().min_properties = Some(count(at, &value)?),
        "maxProperties" => node.constraints_mut().max_properties = Some(count(at, &value)?),
        "multipleOf" => node.constraints_mut().multiple_of = Some(number(at, value)?),
        "dependencies" => node.constraints_mut().dependencies = Some(value),
        // Groups of members only bound values; what is no list of names bounds nothing.
        "requiredXor" => node.constraints_mut().required_xor = texts(at, value).unwrap_or_default(),
        "requiredOr" => node.constraints_mut().required_or = texts(at, value).unwrap_or_default(),
        "dependentRequired" => node.constraints_mut().dependent_required = dependents(at, value),
        "not" => node.constraints_mut().not = Some(Box::new(self::node(at, value)?)),
        "minimum" => bounds.minimum = Some(number(at, value)?),
        "maximum" => bounds.maximum = Some(number(at, value)?),
        "exclusiveMinimum" => bounds.exclusive_minimum = Some(exclusive(at, value)?),
        "exclusiveMaximum" => bounds.exclusive_maximum = Some(exclusive(at, value)?),
        _ => {}
    }
    Ok(())
}

fn dependents(at: &At<'_>, value: Value) -> Vec<(String, Vec<String>)> {
    let members = object(at, value).unwrap_or_default().into_iter();
    members.filter_map(|(name, more)| texts(&at.key(&name), more).ok().map(|more| (name, more))).collect()
}

fn types(at: &At<'_>, value: Value) -> Result<TypeList, SchemaError> {
    let mut types = TypeList::default();
    for name in texts(at, value)? {
        match JsonType::parse(&name) {
            Some(ty) => types.push(ty),
            None => return Err(at.error(format!("unknown type {name:?}"))),
        }
    }
    Ok(types)
}

fn additional_properties(at: &At<'_>, value: Value) -> Result<AdditionalProperties, SchemaError> {
    match value {
        Value::Bool(true) => Ok(AdditionalProperties::Any),
        Value::Bool(false) => Ok(AdditionalProperties::None),
        schema => Ok(AdditionalProperties::Schema(Box::new(node(at, schema)?))),
    }
}

fn items(at: &At<'_>, value: Value) -> Result<Vec<Node>, SchemaError> {
    match value {
        Value::Array(_) => nodes(at, value),
        one => Ok(vec![node(at, one)?]),
    }
}

fn number(at: &At<'_>, value: Value) -> Result<Number, SchemaError> {
    match value {
        Value::Number(number) => Ok(number),
        other => Err(at.error(format!("expected a number, found {}", kind(&other)))),
    }
}

/// `exclusiveMinimum` and its sibling: a flag on the bound beside it (draft 4) or a bound of its own (draft 6).
enum Exclusive {
    Flag(bool),
    Bound(Number),
}

fn exclusive(at: &At<'_>, value: Value) -> Result<Exclusive, SchemaError> {
    match value {
        Value::Bool(flag) => Ok(Exclusive::Flag(flag)),
        Value::Number(bound) => Ok(Exclusive::Bound(bound)),
        other => Err(at.error(format!("expected a boolean or a number, found {}", kind(&other)))),
    }
}

/// The four bound keywords of a node; which of them bounds what shows only when all are read.
#[derive(Default)]
struct Bounds {
    minimum: Option<Number>,
    maximum: Option<Number>,
    exclusive_minimum: Option<Exclusive>,
    exclusive_maximum: Option<Exclusive>,
}

impl Bounds {
    fn store(self, node: &mut Node) {
        let (minimum, exclusive_minimum) = split(self.minimum, self.exclusive_minimum);
        let (maximum, exclusive_maximum) = split(self.maximum, self.exclusive_maximum);
        if minimum.is_some() || exclusive_minimum.is_some() || maximum.is_some() || exclusive_maximum.is_some() {
            let constraints = node.constraints_mut();
            constraints.minimum = minimum;
            constraints.maximum = maximum;
            constraints.exclusive_minimum = exclusive_minimum;
            constraints.exclusive_maximum = exclusive_maximum;
        }
    }
}

/// The inclusive and the exclusive bound.
fn split(bound: Option<Number>, exclusive: Option<Exclusive>) -> (Option<Number>, Option<Number>) {
    match exclusive {
        Some(Exclusive::Flag(true)) => (None, bound),
        Some(Exclusive::Bound(exclusive)) => (bound, Some(exclusive)),
        Some(Exclusive::Flag(false)) | None => (bound, None),
    }
}
