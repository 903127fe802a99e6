//! Plausible values for the required inputs of a resource.

use std::cell::Cell;

use cfn::naming::to_sdk;
use cfn::schema::JsonType;
use cfn::{Node, ResourceSchema};
use serde_json::{Map, Value, json};

use super::{groups, texts};
use crate::package::{ObjectType, Package, Token, TypeDefinition, TypeSpec};

/// Deeper than required members nest in any published schema.
const MAX_DEPTH: usize = 12;

/// More elements than a list in an example has.
const MAX_ITEMS: u64 = 4;

/// Values of an example take no more bytes than this, names of members included. The largest of a published schema takes
/// less than 1000.
const MAX_BYTES: usize = 64 << 10;

/// The values of an example would be larger than any reader wants them, or than fits into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the required inputs take more than {MAX_BYTES} bytes: lists or objects in them nest too deeply; lower `minItems` or \
     `required` at the schema's source or by an overlay"
)]
pub(crate) struct TooLarge;

/// Makes values that fit both the published type and what the schema says about it.
pub(crate) struct Maker<'m> {
    /// The schema, where it is at hand.
    pub(crate) schema: Option<&'m ResourceSchema>,
    /// The published types.
    pub(crate) lookup: &'m dyn Fn(&Token) -> Option<&'m TypeDefinition>,
    /// How many bytes the values take so far.
    spent: Cell<usize>,
}

/// The required inputs of a resource, from the published types alone.
///
/// # Errors
///
/// [`TooLarge`].
pub(super) fn from_types(package: &Package, token: &str) -> Result<Value, TooLarge> {
    let lookup = |token: &Token| package.types.get(token);
    let maker = Maker::new(None, &lookup);
    let Some(resource) = package.resources.get(token) else { return Ok(Value::Null) };
    let required = resource.required_inputs.iter();
    maker.inputs(required.filter_map(|name| Some((name.as_str(), &resource.inputs.get(name)?.ty, None))))
}

impl<'m> Maker<'m> {
    /// A maker for one example.
    pub(crate) fn new(
        schema: Option<&'m ResourceSchema>,
        lookup: &'m dyn Fn(&Token) -> Option<&'m TypeDefinition>,
    ) -> Maker<'m> {
        Maker { schema, lookup, spent: Cell::new(0) }
    }

    /// Values of the given inputs, each with its SDK name, its type, and its schema where that is at hand.
    ///
    /// # Errors
    ///
    /// [`TooLarge`].
    pub(crate) fn inputs<'i>(
        &self,
        inputs: impl Iterator<Item = (&'i str, &'i TypeSpec, Option<&'m Node>)>,
    ) -> Result<Value, TooLarge> {
        let inputs: Map<_, _> =
            inputs.map(|(name, spec, node)| (name.to_owned(), self.value(spec, node, name, 0))).collect();
        if self.is_spent() { Err(TooLarge) } else { Ok(Value::Object(inputs)) }
    }

    fn spend(&self, bytes: usize) {
        self.spent.set(self.spent.get().saturating_add(bytes));
    }

    fn is_spent(&self) -> bool {
        self.spent.get() > MAX_BYTES
    }

    /// A value of a type; `name` is the property's name, which says what kind of value people expect there. Once the
    /// example is too large, values are made no more.
    fn value(&self, spec: &TypeSpec, node: Option<&'m Node>, name: &str, depth: usize) -> Value {
        self.spend(name.len());
        if self.is_spent() {
            return Value::Null;
        }
        let value = self.fitting(spec, node, name, depth);
        self.spend(match &value {
            Value::String(text) => text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => 1,
        });
        value
    }

    fn fitting(&self, spec: &TypeSpec, node: Option<&'m Node>, name: &str, depth: usize) -> Value {
        let node = node.map(|node| self.schema.and_then(|schema| schema.resolve(node)).unwrap_or(node));
        match spec {
            TypeSpec::Any => any(node, name),
            TypeSpec::Boolean => Value::Bool(true),
            TypeSpec::Integer => whole_number(self.alternative(node, JsonType::Integer)),
            TypeSpec::Number => number(self.alternative(node, JsonType::Number)),
            TypeSpec::String | TypeSpec::Region => {
                Value::String(texts::text(self.alternative(node, JsonType::String), name))
            }
            TypeSpec::Array(items) => self.list(items, node, name, depth),
            TypeSpec::Map(values) => {
                let value = self.value(values, node.and_then(Node::map_value), name, depth + 1);
                let pattern = node.and_then(|node| node.pattern_properties.names().next());
                let key = pattern.map_or_else(|| "example".to_owned(), texts::key);
                Value::Object(Map::from_iter([(key, value)]))
            }
            TypeSpec::Union(arms) => match arms.first() {
                Some(arm) => self.value(arm, node, name, depth + 1),
                None => Value::Null,
            },
            TypeSpec::Ref(token) => match (self.lookup)(token) {
                Some(TypeDefinition::Enum(definition)) => {
                    definition.values.first().map_or(Value::Null, |first| Value::String(first.value.clone()))
                }
                Some(TypeDefinition::Object(object)) if depth < MAX_DEPTH => self.object(object, node, depth),
                Some(TypeDefinition::Object(_)) | None => json!({}),
            },
        }
    }

    /// The first alternative of a union that may have the type; the node itself where it is none.
    fn alternative(&self, node: Option<&'m Node>, ty: JsonType) -> Option<&'m Node> {
        let whole = node?;
        let branches = whole.any_of.iter().chain(&whole.one_of);
        let mut branches =
            branches.filter_map(|branch| self.schema.map_or(Some(branch), |schema| schema.resolve(branch)));
        let fitting = branches.find(|branch| branch.types.is_empty() || branch.types.contains(ty));
        // What the whole says about its texts holds for every alternative.
        fitting.filter(|_| whole.enumeration.is_empty() && whole.constraints.is_none()).or(node)
    }

    fn list(&self, items: &TypeSpec, node: Option<&'m Node>, name: &str, depth: usize) -> Value {
        let bounds = node.and_then(|node| node.constraints.as_ref());
        let least = bounds.and_then(|bounds| bounds.min_items).unwrap_or(1).clamp(1, MAX_ITEMS);
        let singular = name.strip_suffix('s').unwrap_or(name);
        let before = self.spent.get();
        let element = self.value(items, node.and_then(|node| node.items.first()), singular, depth + 1);
        let size = self.spent.get().saturating_sub(before);
        self.spend(size.saturating_mul(usize::try_from(least).unwrap_or(1) - 1));
        if self.is_spent() {
            return Value::Null;
        }
        let elements = (0..least).map(|number| match &element {
            Value::String(text) if number > 0 => Value::String(texts::another(text, number)),
            same => same.clone(),
        });
        Value::Array(elements.collect())
    }

    /// The required members, and those that the schema's alternatives and groups demand.
    fn object(&self, object: &ObjectType, node: Option<&'m Node>, depth: usize) -> Value {
        let mut wanted = object.required.clone();
        if let (Some(schema), Some(node)) = (self.schema, node) {
            let required = node.required.iter().map(String::as_str);
            let is_known = |name: &str| object.properties.contains_key(&to_sdk(name));
            let members = groups::members(schema, node, required, is_known);
            wanted.extend(members.into_iter().map(to_sdk));
            wanted.sort_unstable();
            wanted.dedup();
        }
        if wanted.is_empty() && self.is_choice(object) {
            wanted.extend(object.properties.keys().next().cloned());
        }
        let members = wanted.iter().filter_map(|name| {
            let property = object.properties.get(name)?;
            let node = node.and_then(|node| self.member(node, name, 0));
            Some((name.clone(), self.value(&property.ty, node, name, depth + 1)))
        });
        Value::Object(members.collect::<Map<_, _>>())
    }

    /// Whether an object looks like a choice between its members, which schemas often do not say: there are several, none
    /// is required, all are objects.
    fn is_choice(&self, object: &ObjectType) -> bool {
        let is_object = |spec: &TypeSpec| match spec {
            TypeSpec::Ref(token) => matches!((self.lookup)(token), Some(TypeDefinition::Object(_))),
            _ => false,
        };
        object.required.is_empty()
            && object.properties.len() > 1
            && object.properties.values().all(|property| is_object(&property.ty))
    }

    /// The schema of a member by its SDK name, alternatives included.
    fn member(&self, node: &'m Node, name: &str, depth: usize) -> Option<&'m Node> {
        let own = node.properties.iter().find(|(cfn_name, _)| to_sdk(cfn_name) == name).map(|(_, member)| member);
        if own.is_some() || depth > MAX_DEPTH {
            return own;
        }
        let mut branches = node.one_of.iter().chain(&node.any_of).chain(&node.all_of);
        branches.find_map(|branch| {
            let branch = self.schema.and_then(|schema| schema.resolve(branch)).unwrap_or(branch);
            self.member(branch, name, depth + 1)
        })
    }
}

/// A value that may have any shape. Policy documents keep AWS's own case.
fn any(node: Option<&Node>, name: &str) -> Value {
    let lower = name.to_ascii_lowercase();
    if lower.ends_with("assumerolepolicydocument") {
        return json!({
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
            ],
        });
    }
    if lower.ends_with("policydocument") || lower.ends_with("policy") {
        return json!({
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}],
        });
    }
    if let Some(listed) = node.and_then(|node| node.enumeration.first()) {
        return listed.clone();
    }
    let types = node.map(Node::completed_types).unwrap_or_default();
    match types.first() {
        Some(JsonType::String) => Value::String(texts::text(node, name)),
        Some(JsonType::Array) => json!([]),
        Some(JsonType::Boolean) => Value::Bool(true),
        Some(JsonType::Integer | JsonType::Number) => json!(1),
        Some(JsonType::Object | JsonType::Null) | None => json!({}),
    }
}

/// The number nearest to 1 within the bounds; an allowed value where the schema lists them.
fn whole_number(node: Option<&Node>) -> Value {
    let listed = node.and_then(|node| node.enumeration.iter().find(|value| value.is_i64()));
    if let Some(listed) = listed {
        return listed.clone();
    }
    let (least, most) = bounds(node);
    json!(1.0_f64.max(least.ceil()).min(most.floor()) as i64)
}

fn number(node: Option<&Node>) -> Value {
    let listed = node.and_then(|node| node.enumeration.iter().find(|value| value.is_number()));
    if let Some(listed) = listed {
        return listed.clone();
    }
    let (least, most) = bounds(node);
    let value = 1.0_f64.max(least).min(most);
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

fn bounds(node: Option<&Node>) -> (f64, f64) {
    let bounds = node.and_then(|node| node.constraints.as_ref());
    let of = |inclusive: Option<&serde_json::Number>, exclusive: Option<&serde_json::Number>, step: f64| {
        let exclusive = exclusive.and_then(serde_json::Number::as_f64).map(|bound| bound + step);
        inclusive.and_then(serde_json::Number::as_f64).or(exclusive)
    };
    let least = bounds.and_then(|b| of(b.minimum.as_ref(), b.exclusive_minimum.as_ref(), 1.0));
    let most = bounds.and_then(|b| of(b.maximum.as_ref(), b.exclusive_maximum.as_ref(), -1.0));
    (least.unwrap_or(f64::MIN), most.unwrap_or(f64::MAX))
}
