//! Where in a schema something stands, for messages about what was found after reading.

use cfn::schema::{AdditionalProperties, NodeMap};
use cfn::{Node, ResourceSchema};

/// The JSON pointer of the first node, top-level properties first, that declares both members; `None` when none does.
pub(crate) fn declaring(schema: &ResourceSchema, first: &str, second: &str) -> Option<String> {
    let declares = |members: &NodeMap| members.contains(first) && members.contains(second);
    if declares(&schema.properties) {
        return Some(format!("#/properties/{}", escaped(second)));
    }
    let maps = [("#/properties", &schema.properties), ("#/definitions", &schema.definitions)];
    let mut open: Vec<(String, &Node)> = maps.into_iter().flat_map(|(at, map)| named(at, map)).collect();
    open.reverse();
    while let Some((at, node)) = open.pop() {
        if declares(&node.properties) {
            return Some(format!("{at}/properties/{}", escaped(second)));
        }
        let mut inner: Vec<(String, &Node)> = named(&format!("{at}/properties"), &node.properties).collect();
        inner.extend(named(&format!("{at}/patternProperties"), &node.pattern_properties));
        if let AdditionalProperties::Schema(value) = &node.additional_properties {
            inner.push((format!("{at}/additionalProperties"), value));
        }
        for (keyword, nodes) in
            [("items", &node.items), ("anyOf", &node.any_of), ("oneOf", &node.one_of), ("allOf", &node.all_of)]
        {
            // A lone schema under `items` has no index of its own.
            let lone = keyword == "items" && nodes.len() == 1;
            let indexed = |index: usize| if lone { format!("{at}/items") } else { format!("{at}/{keyword}/{index}") };
            inner.extend(nodes.iter().enumerate().map(|(index, node)| (indexed(index), node)));
        }
        open.extend(inner.into_iter().rev());
    }
    None
}

fn named<'n>(at: &str, map: &'n NodeMap) -> impl Iterator<Item = (String, &'n Node)> {
    map.iter().map(move |(name, node)| (format!("{at}/{}", escaped(name)), node)).collect::<Vec<_>>().into_iter()
}

/// A name as a JSON pointer has it.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
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
