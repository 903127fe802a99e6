//! Objects that a schema accepts: which members they need, where combinations leave a choice.

use super::candidates;
use super::generate::Generator;
use crate::entropy::Entropy;
use crate::json;
use serde_json::{Map, Value};

/// The most combinations of members that are tried.
const MOST_OPTIONS: usize = 64;

impl Generator<'_> {
    /// An object for a node; with every member in the levels that are full.
    pub(super) fn object(&self, node: &Value, entropy: &Entropy, depth: usize) -> Option<Value> {
        if depth < self.full_to {
            self.full_object(node, entropy, depth)
        } else {
            self.smallest_object(node, entropy, depth)
        }
    }

    /// The members that must be there; where combinations want more, the first set that satisfies the node.
    pub(super) fn smallest_object(&self, node: &Value, entropy: &Entropy, depth: usize) -> Option<Value> {
        let required: Vec<&str> = json::texts(self.resource.keyword(node, "required")).collect();
        let accepted = |holder: &Value, names: &[&str]| {
            let made = Value::Object(self.members(holder, names, entropy, depth)?);
            self.validator.accepts(node, &made).then_some(made)
        };
        let and_more = |more: &[String], holder: &Value| {
            let more = more.iter().map(String::as_str);
            accepted(holder, &required.iter().copied().chain(more).collect::<Vec<_>>())
        };
        let options = self.options(node, 0);
        if let Some(made) = options.iter().find_map(|option| and_more(option, node)) {
            return Some(made);
        }
        let holders = std::iter::once(node).chain(self.branches(node));
        for holder in holders {
            let properties = self.resource.keyword(holder, "properties").and_then(Value::as_object);
            for name in properties.into_iter().flat_map(Map::keys).take(MOST_OPTIONS) {
                if let Some(made) = and_more(std::slice::from_ref(name), holder) {
                    return Some(made);
                }
            }
        }
        self.free_form(node, entropy, depth)
    }

    /// One entry of a map.
    pub(super) fn free_form(&self, node: &Value, entropy: &Entropy, depth: usize) -> Option<Value> {
        let by_pattern = self.resource.keyword(node, "patternProperties").and_then(Value::as_object);
        let entries = by_pattern.into_iter().flatten().filter_map(|(pattern, schema)| {
            Some((candidates::patterned(pattern, 3, entropy), self.value_at(schema, "Value", entropy, depth + 1)?))
        });
        let plain = std::iter::once((Vec::new(), Value::from("value")));
        entries.chain(plain).find_map(|(mut keys, value)| {
            keys.push("Key".to_owned());
            keys.into_iter().find_map(|key| {
                let made = Value::Object(Map::from_iter([(key, value.clone())]));
                self.validator.accepts(node, &made).then_some(made)
            })
        })
    }

    /// The sets of members that would satisfy what a node and its combinations require, smallest choice first.
    fn options(&self, node: &Value, depth: usize) -> Vec<Vec<String>> {
        let own: Vec<String> = json::texts(self.resource.keyword(node, "required")).map(str::to_owned).collect();
        let mut options = vec![own];
        if depth > 4 {
            return options;
        }
        let of_keyword = |keyword: &str| {
            self.resource.keyword(node, keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
        };
        for branch in of_keyword("allOf") {
            options = product(&options, &self.options(branch, depth + 1));
        }
        for keyword in ["oneOf", "anyOf"] {
            let choices: Vec<Vec<String>> =
                of_keyword(keyword).iter().flat_map(|branch| self.options(branch, depth + 1)).collect();
            if !choices.is_empty() {
                options = product(&options, &choices);
            }
        }
        options
    }

    pub(super) fn members(
        &self,
        node: &Value,
        names: &[&str],
        entropy: &Entropy,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        for name in names {
            let Some(child) = self.resource.child(node, Some(name)) else { continue };
            if members.contains_key(*name) || self.is_for_the_service(node, name) {
                continue;
            }
            members.insert((*name).to_owned(), self.value_at(child, name, &entropy.within(name), depth + 1)?);
        }
        Some(members)
    }

    /// Whether a member of the root is made by the service, so that a desired state must not have it.
    pub(super) fn is_for_the_service(&self, node: &Value, name: &str) -> bool {
        std::ptr::eq(node, &self.resource.schema)
            && self.resource.read_only.iter().any(|path| path.segments().len() == 1 && path.short_name() == name)
    }
}

/// Every way to take one of each.
fn product(left: &[Vec<String>], right: &[Vec<String>]) -> Vec<Vec<String>> {
    let pairs = left.iter().flat_map(|left| right.iter().map(move |right| left.iter().chain(right).cloned().collect()));
    pairs.take(MOST_OPTIONS).collect()
}
