//! Understanding the pointers of a schema with its properties at hand.
//!
//! Published pointers are sloppy: `EncryptionConfiguration.KeyArn` (a dot for a slash), `Rules/Id` (no `*` for the
//! array between), `Rules/items/properties/Id` (a pointer into the schema, not into the value). Each token is taken by
//! what the schema has at that place; a token that fits nothing is kept as a name, and so is everything after it.

use super::node::{AdditionalProperties, Node};
use super::node_map::NodeMap;
use crate::location::unescape_token;
use crate::path::{PropertyPath, Segment, tokens};
use std::collections::VecDeque;

/// Reads `pointer` in the light of a schema.
pub(crate) fn understand(pointer: String, properties: &NodeMap, definitions: &NodeMap) -> PropertyPath {
    let mut queue: VecDeque<String> = tokens(&pointer).map(unescape_token).collect();
    // `/definitions/Name/…` speaks about every place that uses the definition; it is kept as written, because no
    // single path says the same.
    if queue.front().is_some_and(|first| first == "definitions") && !properties.contains("definitions") {
        return PropertyPath::parse(&pointer);
    }
    let mut segments = Vec::with_capacity(queue.len());
    let mut place = Place::Root(properties);
    while let Some(token) = queue.pop_front() {
        if token == "*" {
            place = Place::Values(place.each(definitions));
            segments.push(Segment::Each);
            continue;
        }
        let mut members = place.member(&token, definitions);
        if !members.is_empty() {
            place = Place::Values(members);
            segments.push(Segment::Name(token));
            continue;
        }
        // A token of the schema language where the value has no such member.
        if token == "properties" {
            continue;
        }
        let elements = place.each(definitions);
        if token == "items" && !elements.is_empty() {
            place = Place::Values(elements);
            segments.push(Segment::Each);
            continue;
        }
        // The elements are meant although nothing says so.
        if !elements.is_empty() {
            members = Place::Values(elements).member(&token, definitions);
            if !members.is_empty() {
                place = Place::Values(members);
                segments.extend([Segment::Each, Segment::Name(token)]);
                continue;
            }
        }
        if let Some((first, rest)) = token.split_once('.')
            && !place.member(first, definitions).is_empty()
        {
            queue.push_front(rest.to_owned());
            queue.push_front(first.to_owned());
            continue;
        }
        segments.push(Segment::Name(token));
        place = Place::Values(Vec::new());
    }
    PropertyPath::with_segments(pointer, segments)
}

/// All nodes that describe the value at the end of `segments`.
pub(crate) fn nodes_at<'a>(segments: &[Segment], properties: &'a NodeMap, definitions: &'a NodeMap) -> Vec<&'a Node> {
    let mut place = Place::Root(properties);
    for segment in segments {
        place = Place::Values(match segment {
            Segment::Each => place.each(definitions),
            Segment::Name(name) => place.member(name, definitions),
        });
    }
    match place {
        Place::Root(_) => Vec::new(),
        Place::Values(nodes) => expand(nodes, definitions),
    }
}

/// Where a walk stands: at the resource itself, or at a value that any of some nodes describe.
enum Place<'a> {
    Root(&'a NodeMap),
    Values(Vec<&'a Node>),
}

impl<'a> Place<'a> {
    fn member(&self, name: &str, definitions: &'a NodeMap) -> Vec<&'a Node> {
        match self {
            Place::Root(properties) => properties.get(name).into_iter().collect(),
            Place::Values(nodes) => {
                let nodes = expand(nodes.clone(), definitions);
                nodes.iter().filter_map(|node| node.properties.get(name)).collect()
            }
        }
    }

    /// Element and map value schemas.
    fn each(&self, definitions: &'a NodeMap) -> Vec<&'a Node> {
        let Place::Values(nodes) = self else { return Vec::new() };
        let mut each = Vec::new();
        for node in expand(nodes.clone(), definitions) {
            each.extend(&node.items);
            each.extend(node.pattern_properties.nodes());
            if let AdditionalProperties::Schema(value) = &node.additional_properties {
                each.push(value);
            }
        }
        each
    }
}

/// The nodes with everything that references and combinations add to them, each once.
fn expand<'a>(nodes: Vec<&'a Node>, definitions: &'a NodeMap) -> Vec<&'a Node> {
    let mut found: Vec<&Node> = Vec::new();
    let mut open = nodes;
    open.reverse();
    while let Some(node) = open.pop() {
        // Identity, not equality: a definition that refers to itself comes by again as the same node.
        if found.iter().any(|other| std::ptr::eq(*other, node)) {
            continue;
        }
        found.push(node);
        let branches = node.all_of.iter().chain(&node.any_of).chain(&node.one_of);
        open.extend(branches.rev());
        open.extend(node.definition().and_then(|name| definitions.get(name)));
    }
    found
}
