//! Laying schemas over one another: overlay, flattening of unions, merging of object unions, members of alternatives.

use cfn::schema::{AdditionalProperties, Constraints, JsonType, NodeMap};
use cfn::{Node, ResourceSchema};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// So many declarations of a member are told apart. Of more the equal ones stay, and give the same type.
const MAX_COMPARED: usize = 500;

/// Lays `src` over `dest`: what `src` says wins, lists join with `src` in front, properties unite.
///
/// `additionalProperties` as a boolean does not survive, which no type depends on.
pub(crate) fn overlay(dest: &Node, src: &Node) -> Node {
    let mut types = dest.types;
    src.types.iter().for_each(|ty| types.push(ty));
    Node {
        reference: pick(&src.reference, &dest.reference),
        types,
        description: pick(&src.description, &dest.description),
        properties: unite(&dest.properties, &src.properties),
        pattern_properties: unite(&dest.pattern_properties, &src.pattern_properties),
        additional_properties: match (&dest.additional_properties, &src.additional_properties) {
            (AdditionalProperties::Schema(dest), AdditionalProperties::Schema(src)) => {
                AdditionalProperties::Schema(Box::new(overlay(dest, src)))
            }
            (_, AdditionalProperties::Schema(src)) => AdditionalProperties::Schema(src.clone()),
            (AdditionalProperties::Schema(dest), _) => AdditionalProperties::Schema(dest.clone()),
            (_, _) => AdditionalProperties::Any,
        },
        required: join(&src.required, &dest.required),
        items: if src.items.is_empty() { dest.items.clone() } else { src.items.clone() },
        enumeration: join(&src.enumeration, &dest.enumeration),
        ignores_case: src.ignores_case || dest.ignores_case,
        any_of: join(&src.any_of, &dest.any_of),
        one_of: join(&src.one_of, &dest.one_of),
        all_of: join(&src.all_of, &dest.all_of),
        insertion_order: src.insertion_order.or(dest.insertion_order),
        constraints: match (&dest.constraints, &src.constraints) {
            (Some(dest), Some(src)) => Some(Box::new(overlay_constraints(dest, src))),
            (dest, src) => src.clone().or_else(|| dest.clone()),
        },
    }
}

fn overlay_constraints(dest: &Constraints, src: &Constraints) -> Constraints {
    Constraints {
        title: pick(&src.title, &dest.title),
        format: pick(&src.format, &dest.format),
        pattern: pick(&src.pattern, &dest.pattern),
        default: src.default.clone().or_else(|| dest.default.clone()),
        constant: src.constant.clone().or_else(|| dest.constant.clone()),
        min_length: src.min_length.or(dest.min_length),
        max_length: src.max_length.or(dest.max_length),
        min_items: src.min_items.or(dest.min_items),
        max_items: src.max_items.or(dest.max_items),
        unique_items: src.unique_items.or(dest.unique_items),
        min_properties: src.min_properties.or(dest.min_properties),
        max_properties: src.max_properties.or(dest.max_properties),
        minimum: src.minimum.clone().or_else(|| dest.minimum.clone()),
        maximum: src.maximum.clone().or_else(|| dest.maximum.clone()),
        exclusive_minimum: src.exclusive_minimum.clone().or_else(|| dest.exclusive_minimum.clone()),
        exclusive_maximum: src.exclusive_maximum.clone().or_else(|| dest.exclusive_maximum.clone()),
        multiple_of: src.multiple_of.clone().or_else(|| dest.multiple_of.clone()),
        not: src.not.clone().or_else(|| dest.not.clone()),
        dependencies: src.dependencies.clone().or_else(|| dest.dependencies.clone()),
        required_xor: first_stated(&src.required_xor, &dest.required_xor),
        required_or: first_stated(&src.required_or, &dest.required_or),
        dependent_required: first_stated(&src.dependent_required, &dest.dependent_required),
    }
}

fn pick(src: &Option<String>, dest: &Option<String>) -> Option<String> {
    src.as_ref().filter(|text| !text.is_empty()).or(dest.as_ref()).cloned()
}

/// The first list, the second where the first is empty.
fn first_stated<T: Clone>(first: &[T], second: &[T]) -> Vec<T> {
    if first.is_empty() { second.to_vec() } else { first.to_vec() }
}

fn join<T: Clone>(first: &[T], second: &[T]) -> Vec<T> {
    first.iter().chain(second).cloned().collect()
}

fn unite(dest: &NodeMap, src: &NodeMap) -> NodeMap {
    let mut united = dest.clone();
    for (name, node) in src.iter() {
        united.insert(name.to_owned(), node.clone());
    }
    united
}

/// The alternatives of a union, each with what the union itself says; a node that is no union is its only alternative.
/// References inside alternatives are not followed.
pub(crate) fn flatten(node: &Node) -> Vec<Cow<'_, Node>> {
    if !node.is_union() {
        return vec![Cow::Borrowed(node)];
    }
    let base = without_union(node);
    let alternatives = node.any_of.iter().chain(&node.one_of).flat_map(flatten);
    alternatives.map(|alternative| Cow::Owned(overlay(&base, &alternative))).collect()
}

/// The node less its `anyOf` and `oneOf`.
pub(crate) fn without_union(node: &Node) -> Node {
    Node { any_of: Vec::new(), one_of: Vec::new(), ..node.clone() }
}

/// One object for a definition that is a union of objects: all properties of all alternatives, none of them required
/// by an alternative. `None` when an alternative is no such object, or two disagree about a property.
pub(crate) fn merge_object_union(definition: &Node) -> Option<Node> {
    if !definition.is_union() || definition.types.only() != Some(JsonType::Object) {
        return None;
    }
    let mut properties = definition.properties.clone();
    // Each alternative also has what the union itself says; laying that under every one of them would multiply both.
    for branch in definition.any_of.iter().chain(&definition.one_of).flat_map(flatten) {
        let mut types = definition.types;
        branch.types.iter().for_each(|ty| types.push(ty));
        let is_empty = branch.properties.is_empty() && definition.properties.is_empty();
        if types.only() != Some(JsonType::Object) || is_empty {
            return None;
        }
        for (name, node) in branch.properties.iter() {
            if definition.properties.get(name) == Some(node) {
                continue;
            }
            match properties.get(name) {
                Some(known) if known != node => return None,
                Some(_) => {}
                None => properties.insert(name.to_owned(), node.clone()),
            }
        }
    }
    Some(Node { properties, ..without_union(definition) })
}

/// The node with the members that only its alternatives declare, none of them required. Where alternatives disagree about
/// a member, it may be what any of them says.
///
/// A node without members of its own stays as it is: it is a union, not an object with more members.
pub(crate) fn with_members_of_alternatives<'n>(node: &'n Node, schema: &'n ResourceSchema) -> Cow<'n, Node> {
    if node.properties.is_empty() {
        return Cow::Borrowed(node);
    }
    let found = members_of_alternatives(node, schema);
    if found.is_empty() {
        return Cow::Borrowed(node);
    }
    let mut whole = without_union(node);
    for (name, variants) in found {
        let member = match variants.as_slice() {
            [only] => (*only).clone(),
            several => Node { any_of: several.iter().map(|one| (*one).clone()).collect(), ..Node::default() },
        };
        whole.properties.insert(name.to_owned(), member);
    }
    Cow::Owned(whole)
}

/// The declaration of a member: its own, else that of the first alternative that has one.
pub(crate) fn declaration<'n>(node: &'n Node, schema: &'n ResourceSchema, member: &str) -> Option<&'n Node> {
    let of_alternatives = || members_of_alternatives(node, schema).remove(member)?.first().copied();
    node.properties.get(member).or_else(of_alternatives)
}

/// The members that only a node's alternatives declare, with each declaration that differs.
fn members_of_alternatives<'n>(node: &'n Node, schema: &'n ResourceSchema) -> BTreeMap<&'n str, Vec<&'n Node>> {
    let mut found: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    let mut seen: HashSet<*const Node> = HashSet::from([std::ptr::from_ref(node)]);
    let mut open: Vec<&Node> = alternatives(node).collect();
    // From the back, so that members keep the order of the alternatives that declare them.
    open.reverse();
    while let Some(alternative) = open.pop() {
        // Identity, not equality: a definition that refers to itself comes by again as the same node.
        if !seen.insert(std::ptr::from_ref(alternative)) {
            continue;
        }
        for (name, member) in alternative.properties.iter().filter(|(name, _)| !node.properties.contains(name)) {
            let variants = found.entry(name).or_default();
            if variants.len() >= MAX_COMPARED || !variants.contains(&member) {
                variants.push(member);
            }
        }
        let mut next: Vec<&Node> = alternatives(alternative).chain(schema.definition_of(alternative)).collect();
        next.reverse();
        open.extend(next);
    }
    found
}

fn alternatives(node: &Node) -> impl DoubleEndedIterator<Item = &Node> {
    node.any_of.iter().chain(&node.one_of).chain(&node.all_of)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot read its own schema has failed.
    use super::*;
    use serde_json::{Value, json};

    fn node(value: Value) -> Node {
        let document = json!({"typeName": "AWS::Zoo::Cage", "definitions": {"It": value}});
        ResourceSchema::from_value(document).unwrap().definitions.get("It").unwrap().clone()
    }

    #[test]
    fn the_source_wins_and_lists_join() {
        let dest = json!({"type": "object", "description": "old", "required": ["A"], "maxLength": 3,
            "properties": {"A": {"type": "string"}, "B": {"type": "string"}}, "additionalProperties": false});
        let src = json!({"type": "string", "required": ["B"], "minLength": 1, "enum": ["x"],
            "properties": {"B": {"type": "integer"}}});
        let expected = json!({"type": ["object", "string"], "description": "old", "required": ["B", "A"],
            "maxLength": 3, "minLength": 1, "enum": ["x"],
            "properties": {"A": {"type": "string"}, "B": {"type": "integer"}}});
        assert_eq!(overlay(&node(dest), &node(src)), node(expected));
    }

    #[test]
    fn unions_flatten_with_their_base() {
        let nested = json!({"type": "string", "anyOf": [
            {"enum": ["a"]}, {"oneOf": [{"pattern": "b"}, {"pattern": "c"}], "minLength": 2}]});
        let flat: Vec<_> = flatten(&node(nested)).into_iter().map(Cow::into_owned).collect();
        let expected = [
            json!({"type": "string", "enum": ["a"]}),
            json!({"type": "string", "minLength": 2, "pattern": "b"}),
            json!({"type": "string", "minLength": 2, "pattern": "c"}),
        ];
        assert_eq!(flat, expected.map(node));
    }

    #[test]
    fn object_unions_merge_when_their_branches_agree() {
        let a = json!({"properties": {"A": {"type": "string"}}, "required": ["A"]});
        for (definition, expected) in [
            (
                json!({"type": "object", "oneOf": [a, {"properties": {"B": {"type": "integer"}}}]}),
                Some(json!({"type": "object",
                    "properties": {"A": {"type": "string"}, "B": {"type": "integer"}}})),
            ),
            (
                json!({"type": "object", "properties": {"A": {"type": "string"}}, "required": ["A"],
                    "oneOf": [{"required": ["A"]}, {"required": ["B"]}]}),
                Some(json!({"type": "object", "properties": {"A": {"type": "string"}}, "required": ["A"]})),
            ),
            (json!({"type": "object", "oneOf": [a, {"properties": {"A": {"type": "integer"}}}]}), None),
            (json!({"type": "object", "oneOf": [a, {"type": "string"}]}), None),
            (json!({"type": "object", "oneOf": [a, {"$ref": "#/definitions/B"}]}), None),
            (json!({"oneOf": [a]}), None),
            (json!({"type": "object"}), None),
        ] {
            assert_eq!(merge_object_union(&node(definition.clone())), expected.map(node), "{definition}");
        }
    }

    #[test]
    fn members_of_alternatives_join_the_object() {
        let text = || json!({"type": "string"});
        let schema = ResourceSchema::from_value(json!({"typeName": "AWS::Zoo::Cage", "definitions": {
            "B": {"properties": {"B": text()}, "oneOf": [{"$ref": "#/definitions/B"}, {"properties": {"C": text()}}]}
        }}))
        .unwrap();
        for (given, expected) in [
            (json!({"properties": {"A": text()}, "oneOf": [{"required": ["A"]}]}), None),
            (json!({"oneOf": [{"properties": {"A": text()}}]}), None),
            (
                json!({"type": "object", "properties": {"A": text()}, "required": ["A"], "oneOf": [
                    {"properties": {"A": {"type": "integer"}, "D": text()}, "required": ["D"]},
                    {"properties": {"D": {"type": "integer"}}},
                    {"$ref": "#/definitions/B"}]}),
                Some(json!({"type": "object", "required": ["A"], "properties": {
                    "A": text(), "B": text(), "C": text(), "D": {"anyOf": [text(), {"type": "integer"}]}}})),
            ),
            (
                json!({"properties": {"A": text()}, "allOf": [{"$ref": "#/definitions/B"}]}),
                Some(json!({"properties": {"A": text(), "B": text(), "C": text()},
                    "allOf": [{"$ref": "#/definitions/B"}]})),
            ),
        ] {
            let found = with_members_of_alternatives(&node(given.clone()), &schema).into_owned();
            assert_eq!(found, node(expected.unwrap_or_else(|| given.clone())), "{given}");
        }
    }
}
