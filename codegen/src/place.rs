//! Where in a schema something stands: the walk from a schema to its nodes and their JSON pointers.

use cfn::schema::{AdditionalProperties, NodeMap};
use cfn::{Node, ResourceSchema, escape_token};

/// The JSON pointer of the first node, top-level properties first, that declares both members; `None` when none does.
pub(crate) fn declaring(schema: &ResourceSchema, first: &str, second: &str) -> Option<String> {
    let declares = |members: &NodeMap| members.contains(first) && members.contains(second);
    if declares(&schema.properties) {
        return Some(format!("#/properties/{}", escape_token(second)));
    }
    let mut open = members("#/properties", &schema.properties);
    open.extend(members("#/definitions", &schema.definitions));
    open.reverse();
    while let Some((node, at)) = open.pop() {
        if declares(&node.properties) {
            return Some(format!("{at}/properties/{}", escape_token(second)));
        }
        open.extend(inside(node, &at).into_iter().rev());
    }
    None
}

/// The members of a map of nodes that stands at a pointer, with their own pointers.
pub(crate) fn members<'a>(at: &str, nodes: &'a NodeMap) -> Vec<(&'a Node, String)> {
    nodes.iter().map(|(name, node)| (node, format!("{at}/{}", escape_token(name)))).collect()
}

/// The nodes directly inside the one at a pointer, with their own pointers.
pub(crate) fn inside<'a>(node: &'a Node, at: &str) -> Vec<(&'a Node, String)> {
    let mut found = members(&format!("{at}/properties"), &node.properties);
    found.extend(members(&format!("{at}/patternProperties"), &node.pattern_properties));
    if let AdditionalProperties::Schema(value) = &node.additional_properties {
        found.push((value, format!("{at}/additionalProperties")));
    }
    match node.items.as_slice() {
        // A lone schema under `items` has no index of its own.
        [items] => found.push((items, format!("{at}/items"))),
        tuple => found.extend(tuple.iter().enumerate().map(|(index, item)| (item, format!("{at}/items/{index}")))),
    }
    for (keyword, nodes) in [("anyOf", &node.any_of), ("oneOf", &node.one_of), ("allOf", &node.all_of)] {
        found.extend(nodes.iter().enumerate().map(|(index, node)| (node, format!("{at}/{keyword}/{index}"))));
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot read its own schema has failed.
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn places_are_pointers() {
        let both = || json!({"A": {}, "B/C": {}});
        let check = |rest: Value, expected: Option<&str>| {
            let mut document = json!({"typeName": "AWS::Zoo::Cage"});
            document.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            let schema = ResourceSchema::from_value(document).unwrap();
            assert_eq!(declaring(&schema, "A", "B/C").as_deref(), expected, "{rest}");
        };
        check(json!({"properties": both()}), Some("#/properties/B~1C"));
        check(
            json!({"properties": {"X": {"items": {"properties": both()}}}}),
            Some("#/properties/X/items/properties/B~1C"),
        );
        check(
            json!({"definitions": {"D": {"oneOf": [{}, {"properties": both()}]}}}),
            Some("#/definitions/D/oneOf/1/properties/B~1C"),
        );
        check(json!({"properties": {"A": {}}}), None);
    }
}
