//! Whether an example satisfies the CloudFormation schema: what the service would object to before it does anything.
//!
//! Values have SDK names, schemas have CloudFormation's; free-form JSON has the names of the service, so both are known.

use std::cell::Cell;

use cfn::naming::to_sdk;
use cfn::path::top_level_sdk_name;
use cfn::schema::{AdditionalProperties, Constraints, JsonType};
use cfn::{Node, ResourceSchema, java_pattern};
use serde_json::{Map, Number, Value};

/// Deeper than any example.
const MAX_DEPTH: usize = 64;

/// Nodes that are held against the values of one example; alternatives within alternatives multiply. Published schemas
/// take a hundredth of it.
const MAX_STEPS: usize = 200_000;

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach {
    /// SDK names from the resource down.
    pub(crate) place: String,
    /// The keyword of the rule.
    pub(crate) rule: &'static str,
}

/// Every rule that the inputs of a resource break. Required properties are the package's business, since some get a
/// generated name. `None` when that takes beyond reason to find out.
pub(crate) fn breaches(schema: &ResourceSchema, inputs: &Value) -> Option<Vec<Breach>> {
    let steps = Cell::new(0);
    let mut check = Check { schema, breaches: Vec::new(), steps: &steps };
    let Some(inputs) = inputs.as_object() else { return Some(Vec::new()) };
    for (cfn_name, node) in schema.properties.iter() {
        let name = top_level_sdk_name(cfn_name);
        if let Some(value) = inputs.get(&name) {
            check.node(node, value, &name, 0);
        }
    }
    check.members(&schema.rules, inputs, "", 0);
    (steps.get() < MAX_STEPS).then_some(check.breaches)
}

struct Check<'s> {
    schema: &'s ResourceSchema,
    breaches: Vec<Breach>,
    /// How many nodes were looked at.
    steps: &'s Cell<usize>,
}

impl Check<'_> {
    fn expect(&mut self, holds: bool, place: &str, rule: &'static str) {
        if !holds {
            self.breaches.push(Breach { place: place.to_owned(), rule });
        }
    }

    fn holds(&self, node: &Node, value: &Value, depth: usize) -> bool {
        let mut check = Check { schema: self.schema, breaches: Vec::new(), steps: self.steps };
        check.node(node, value, "", depth + 1);
        check.breaches.is_empty()
    }

    fn node(&mut self, node: &Node, value: &Value, place: &str, depth: usize) {
        if depth > MAX_DEPTH || self.steps.get() >= MAX_STEPS {
            return;
        }
        self.steps.set(self.steps.get() + 1);
        let Some(node) = self.schema.resolve(node) else { return };
        let is_type = node.types.is_empty() || node.types.iter().any(|ty| is(value, ty));
        self.expect(is_type, place, "type");
        self.expect(node.enumeration.is_empty() || node.enumeration.contains(value), place, "enum");
        let bounds = node.constraints.as_deref();
        if let Some(constant) = bounds.and_then(|bounds| bounds.constant.as_ref()) {
            self.expect(constant == value, place, "const");
        }
        match value {
            Value::String(text) => self.text(bounds, text, place),
            Value::Number(number) => self.number(bounds, number, place),
            Value::Array(elements) => self.elements(node, elements, place, depth),
            Value::Object(members) => self.object(node, members, place, depth),
            Value::Null | Value::Bool(_) => {}
        }
        self.alternatives(node, value, place, depth);
    }

    fn alternatives(&mut self, node: &Node, value: &Value, place: &str, depth: usize) {
        let holding = |branches: &[Node]| branches.iter().filter(|branch| self.holds(branch, value, depth)).count();
        let (one, any) = (holding(&node.one_of), holding(&node.any_of));
        self.expect(node.one_of.is_empty() || one == 1, place, "oneOf");
        self.expect(node.any_of.is_empty() || any > 0, place, "anyOf");
        for part in &node.all_of {
            self.node(part, value, place, depth + 1);
        }
        if let Some(not) = node.constraints.as_ref().and_then(|bounds| bounds.not.as_ref()) {
            self.expect(!self.holds(not, value, depth), place, "not");
        }
    }

    fn text(&mut self, bounds: Option<&Constraints>, text: &str, place: &str) {
        let Some(bounds) = bounds else { return };
        let length = text.chars().count() as u64;
        self.expect(bounds.min_length.is_none_or(|least| least <= length), place, "minLength");
        self.expect(bounds.max_length.is_none_or(|most| length <= most), place, "maxLength");
        if let Some(pattern) = bounds.pattern.as_deref().and_then(java_pattern::compile) {
            self.expect(pattern.is_found(text) == Some(true), place, "pattern");
        }
    }

    fn number(&mut self, bounds: Option<&Constraints>, number: &Number, place: &str) {
        let (Some(bounds), Some(number)) = (bounds, number.as_f64()) else { return };
        let of = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
        self.expect(of(&bounds.minimum).is_none_or(|least| least <= number), place, "minimum");
        self.expect(of(&bounds.maximum).is_none_or(|most| number <= most), place, "maximum");
        self.expect(of(&bounds.exclusive_minimum).is_none_or(|least| least < number), place, "exclusiveMinimum");
        self.expect(of(&bounds.exclusive_maximum).is_none_or(|most| number < most), place, "exclusiveMaximum");
        let is_multiple = of(&bounds.multiple_of).is_none_or(|step| step == 0.0 || (number / step).fract() == 0.0);
        self.expect(is_multiple, place, "multipleOf");
    }

    fn elements(&mut self, node: &Node, elements: &[Value], place: &str, depth: usize) {
        if let Some(bounds) = node.constraints.as_deref() {
            let count = elements.len() as u64;
            self.expect(bounds.min_items.is_none_or(|least| least <= count), place, "minItems");
            self.expect(bounds.max_items.is_none_or(|most| count <= most), place, "maxItems");
            let is_repeated =
                elements.iter().enumerate().any(|(index, one)| elements.iter().skip(index + 1).any(|two| one == two));
            self.expect(bounds.unique_items != Some(true) || !is_repeated, place, "uniqueItems");
        }
        for (index, element) in elements.iter().enumerate() {
            // One schema is that of all elements; several are those of a tuple.
            if let Some(items) = node.items.get(index).or_else(|| node.items.first().filter(|_| node.items.len() == 1))
            {
                self.node(items, element, &format!("{place}[{index}]"), depth + 1);
            }
        }
    }

    fn object(&mut self, node: &Node, members: &Map<String, Value>, place: &str, depth: usize) {
        let has = |name: &str| members.contains_key(&to_sdk(name)) || members.contains_key(name);
        self.expect(node.required.iter().all(|name| has(name)), place, "required");
        for (name, value) in members {
            let place = format!("{place}.{name}");
            let declared = node.properties.iter().find(|(cfn_name, _)| cfn_name == name || to_sdk(cfn_name) == *name);
            let matching =
                |pattern: &str| java_pattern::compile(pattern).is_some_and(|found| found.is_found(name) == Some(true));
            let patterned = node.pattern_properties.iter().find(|(pattern, _)| matching(pattern));
            match (declared.or(patterned), &node.additional_properties) {
                (Some((_, node)), _) => self.node(node, value, &place, depth + 1),
                (None, AdditionalProperties::Schema(node)) => self.node(node, value, &place, depth + 1),
                (None, AdditionalProperties::None) => self.expect(false, &place, "additionalProperties"),
                (None, AdditionalProperties::Any) => {}
            }
        }
        self.groups(node, members, place);
    }

    /// The root's rules, whose properties are checked one by one.
    fn members(&mut self, rules: &Node, members: &Map<String, Value>, place: &str, depth: usize) {
        self.groups(rules, members, place);
        self.alternatives(rules, &Value::Object(members.clone()), place, depth);
    }

    fn groups(&mut self, node: &Node, members: &Map<String, Value>, place: &str) {
        let Some(bounds) = node.constraints.as_deref() else { return };
        let has = |name: &String| members.contains_key(&to_sdk(name)) || members.contains_key(name);
        let count = |names: &[String]| names.iter().filter(|name| has(name)).count();
        let (xor, or) = (&bounds.required_xor, &bounds.required_or);
        self.expect(xor.is_empty() || count(xor) == 1, place, "requiredXor");
        self.expect(or.is_empty() || count(or) > 0, place, "requiredOr");
        let lacks = |(name, more): &(String, Vec<String>)| has(name) && !more.iter().all(has);
        self.expect(!bounds.dependent_required.iter().any(lacks), place, "dependentRequired");
        let number = members.len() as u64;
        self.expect(bounds.min_properties.is_none_or(|least| least <= number), place, "minProperties");
        self.expect(bounds.max_properties.is_none_or(|most| number <= most), place, "maxProperties");
    }
}

fn is(value: &Value, ty: JsonType) -> bool {
    match ty {
        JsonType::Null => value.is_null(),
        JsonType::Boolean => value.is_boolean(),
        JsonType::Integer => value.is_i64() || value.is_u64(),
        JsonType::Number => value.is_number(),
        JsonType::String => value.is_string(),
        JsonType::Array => value.is_array(),
        JsonType::Object => value.is_object(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::json;

    use super::*;

    #[test]
    fn alternatives_of_alternatives_are_given_up() {
        let lock = || json!({"$ref": "#/definitions/Lock"});
        let schema = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Cage",
            "properties": {"Lock": lock()},
            "definitions": {"Lock": {"properties": {"Key": {"type": "string"}}, "anyOf": [lock(), lock(), lock()]}},
        }))
        .unwrap();
        assert_eq!(breaches(&schema, &json!({"lock": {"key": "k"}})), None);
    }

    #[test]
    fn what_breaks_a_rule_is_named() {
        let schema = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Cage",
            "properties": {
                "Id": {"type": "string", "pattern": "^[a-z]+$"},
                "Size": {"type": "integer", "maximum": 9},
                "Bars": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum": ["A", "B"]}},
                "Lock": {"type": "object", "additionalProperties": false, "properties": {"Key": {"type": "string"}},
                         "oneOf": [{"required": ["Key"]}, {"required": ["Code"]}]},
                "Free": {"type": "object", "required": ["Some"]},
            },
            "requiredXor": ["Size", "Bars"],
        }))
        .unwrap();
        for (inputs, expected) in [
            (json!({"awsId": "a", "size": 9, "lock": {"key": "k"}, "free": {"Some": 1}}), vec![]),
            (json!({"awsId": "1", "size": 9}), vec![("awsId", "pattern")]),
            (json!({"awsId": 1, "size": 10}), vec![("awsId", "type"), ("size", "maximum")]),
            (json!({"bars": []}), vec![("bars", "minItems")]),
            (json!({"bars": ["A", "A"]}), vec![("bars", "uniqueItems")]),
            (json!({"bars": ["A", "C"]}), vec![("bars[1]", "enum")]),
            (json!({"size": 1, "lock": {}}), vec![("lock", "oneOf")]),
            (json!({"size": 1, "lock": {"key": "k", "x": 1}}), vec![("lock.x", "additionalProperties")]),
            (json!({"size": 1, "free": {}}), vec![("free", "required")]),
            (json!({}), vec![("", "requiredXor")]),
            (json!({"size": 1, "bars": ["A"]}), vec![("", "requiredXor")]),
        ] {
            let found = breaches(&schema, &inputs).unwrap();
            let found: Vec<_> = found.iter().map(|breach| (breach.place.as_str(), breach.rule)).collect();
            assert_eq!(found, expected, "{inputs}");
        }
    }
}
