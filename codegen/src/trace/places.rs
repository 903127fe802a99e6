//! Where every node of a schema stands in its document.

use crate::place::{inside, members};
use cfn::{Node, ResourceSchema, escape_token};
use std::collections::HashMap;

/// The JSON pointers of all nodes of one schema, which stays where it is meanwhile.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    nodes: Vec<(&'a Node, String)>,
    by_address: HashMap<*const Node, usize>,
    by_pointer: HashMap<String, usize>,
}

impl<'a> Places<'a> {
    /// Walks through a schema.
    pub(crate) fn new(schema: &'a ResourceSchema) -> Places<'a> {
        let mut open = members("#/definitions", &schema.definitions);
        open.extend(members("#/properties", &schema.properties));
        let mut places = Places { nodes: Vec::new(), by_address: HashMap::new(), by_pointer: HashMap::new() };
        while let Some((node, pointer)) = open.pop() {
            open.extend(inside(node, &pointer));
            places.by_address.insert(std::ptr::from_ref(node), places.nodes.len());
            places.by_pointer.insert(pointer.clone(), places.nodes.len());
            places.nodes.push((node, pointer));
        }
        places
    }

    /// The pointer of a node of the schema. A copy of one, as a merged object has them, is found by what it says: first
    /// below one of the places `near`, then the one of the property `name`, then anywhere.
    ///
    /// `None` for a node that was put together from several.
    pub(crate) fn find(&self, node: &Node, near: &[&str], name: Option<&str>) -> Option<&str> {
        let pointer = |index: usize| self.nodes.get(index).map(|(_, pointer)| pointer.as_str());
        if let Some(index) = self.by_address.get(&std::ptr::from_ref(node)) {
            return pointer(*index);
        }
        let last = name.map(|name| format!("/properties/{}", escape_token(name)));
        let rate = |pointer: &str| {
            let is_named = last.as_deref().is_none_or(|last| pointer.ends_with(last));
            let is_near = near.iter().any(|near| pointer.starts_with(near));
            (is_named, is_near)
        };
        let equal = self.nodes.iter().filter(|(other, _)| *other == node);
        let rated = equal.map(|(_, pointer)| (rate(pointer), pointer.as_str()));
        // Of equally good ones the first in the document's order of names.
        rated.min_by(|(one, first), (other, second)| other.cmp(one).then(first.cmp(second))).map(|(_, pointer)| pointer)
    }

    /// The entry of `required` that names the property `cfn_name`: in one of the nodes at these pointers, or in a node
    /// that they are alternatives of.
    pub(crate) fn required_entry(&self, pointers: &[&str], cfn_name: &str) -> Option<String> {
        pointers.iter().find_map(|pointer| {
            let mut around = Some(*pointer);
            while let Some(pointer) = around {
                let node = self.by_pointer.get(pointer).and_then(|index| self.nodes.get(*index)).map(|(node, _)| *node);
                if let Some(index) = node.and_then(|node| node.required.iter().position(|name| name == cfn_name)) {
                    return Some(format!("{pointer}/required/{index}"));
                }
                around = alternative_of(pointer);
            }
            None
        })
    }
}

/// The pointer of the node that has the one at `pointer` as an alternative.
fn alternative_of(pointer: &str) -> Option<&str> {
    let (list, _) = pointer.rsplit_once('/')?;
    ["/anyOf", "/oneOf", "/allOf"].iter().find_map(|keyword| list.strip_suffix(keyword))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot read its own schema has failed")]

    use super::*;
    use serde_json::json;

    #[test]
    fn nodes_are_found_by_identity_and_copies_by_content() {
        let schema = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Cage",
            "properties": {"A/B": {"type": "array", "items": {"type": "string"}}, "C": {"type": "integer"}},
            "definitions": {"D": {"oneOf": [{}, {"properties": {"C": {"type": "integer"}}}]}}
        }))
        .unwrap();
        let places = Places::new(&schema);
        let list = schema.properties.get("A/B").unwrap();
        assert_eq!(places.find(list, &[], None), Some("#/properties/A~1B"));
        assert_eq!(places.find(list.items.first().unwrap(), &[], None), Some("#/properties/A~1B/items"));
        let copy = schema.properties.get("C").unwrap().clone();
        assert_eq!(places.find(&copy, &["#/definitions/D"], Some("C")), Some("#/definitions/D/oneOf/1/properties/C"));
        assert_eq!(places.find(&copy, &["#/properties"], Some("C")), Some("#/properties/C"));
        let other = Node { description: Some("new".to_owned()), ..copy };
        assert_eq!(places.find(&other, &[], Some("C")), None);
    }
}
