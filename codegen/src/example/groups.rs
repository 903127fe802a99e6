//! Which members an object needs beside those that are always required: alternatives and groups.
//!
//! Decided on names alone: the values of members do not matter here.

use std::cell::Cell;
use std::collections::BTreeSet;

use cfn::schema::{AdditionalProperties, JsonType};
use cfn::{Node, ResourceSchema};

/// More sets of members than any published object offers; alternatives within alternatives multiply.
const MAX_SETS: usize = 64;

/// Alternatives nest less deeply in published schemas.
const MAX_DEPTH: usize = 8;

/// Alternatives and members that are looked at for one object; alternatives within alternatives multiply.
const MAX_STEPS: usize = 10_000;

type Names<'n> = BTreeSet<&'n str>;

/// The CloudFormation names of members that an object of `node` has at least: `always`, and of each group what its first
/// alternative asks for. Alternatives with members that are not available are passed over, as are those that exclude each
/// other; `always` alone where no choice is left.
pub(crate) fn members<'n>(
    schema: &'n ResourceSchema,
    node: &'n Node,
    always: impl Iterator<Item = &'n str>,
    is_available: impl Fn(&str) -> bool,
) -> Names<'n> {
    let groups = Groups { schema, steps: Cell::new(0) };
    let always: Names<'n> = always.collect();
    let mut sets = groups.extended(vec![always.clone()], node, 0);
    sets.retain(|set| set.difference(&always).all(|name| is_available(name)));
    let least = node.constraints.as_ref().and_then(|bounds| bounds.min_properties).unwrap_or(0);
    for set in &mut sets {
        let missing = usize::try_from(least).unwrap_or(0).saturating_sub(set.len());
        let others = node.properties.names().filter(|name| !set.contains(name) && is_available(name));
        let others: Vec<&str> = others.take(missing).collect();
        set.extend(others);
    }
    let best = sets.iter().position(|set| groups.holds(node, set, 0)).unwrap_or(0);
    if best < sets.len() { sets.swap_remove(best) } else { always }
}

struct Groups<'n> {
    schema: &'n ResourceSchema,
    steps: Cell<usize>,
}

impl<'n> Groups<'n> {
    fn resolve(&self, node: &'n Node) -> &'n Node {
        self.schema.resolve(node).unwrap_or(node)
    }

    /// Counts so many steps; false once there were too many.
    fn step(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get().saturating_add(steps));
        self.steps.get() <= MAX_STEPS
    }

    /// Each of the sets with what the groups of a node ask for, once for each way to satisfy them.
    fn extended(&self, mut sets: Vec<Names<'n>>, node: &'n Node, depth: usize) -> Vec<Names<'n>> {
        if depth > MAX_DEPTH || !self.step(1) {
            return sets;
        }
        for part in &node.all_of {
            let part = self.resolve(part);
            sets.iter_mut().for_each(|set| set.extend(part.required.iter().map(String::as_str)));
            sets = self.extended(sets, part, depth + 1);
        }
        for branches in [&node.one_of, &node.any_of] {
            let options: Vec<Names<'n>> = branches
                .iter()
                .map(|branch| self.resolve(branch))
                .filter(|branch| may_be_object(branch))
                .flat_map(|branch| self.options(branch, depth))
                .collect();
            sets = product(sets, &options);
        }
        let Some(bounds) = &node.constraints else { return sets };
        for group in [&bounds.required_xor, &bounds.required_or] {
            let options: Vec<Names<'n>> = group.iter().map(|name| BTreeSet::from([name.as_str()])).collect();
            sets = product(sets, &options);
        }
        for set in &mut sets {
            // Each round adds a name or is the last.
            while self.step(bounds.dependent_required.len())
                && let Some((_, more)) = bounds.dependent_required.iter().find(|(name, more)| lacks(set, name, more))
            {
                set.extend(more.iter().map(String::as_str));
            }
        }
        sets
    }

    /// What an alternative asks for. One without required members is chosen by having one of its own.
    fn options(&self, branch: &'n Node, depth: usize) -> Vec<Names<'n>> {
        let required: Names<'n> = branch.required.iter().map(String::as_str).collect();
        let mut options = self.extended(vec![required], branch, depth + 1);
        if options.iter().all(BTreeSet::is_empty) {
            options.splice(0..0, branch.properties.names().take(1).map(|name| BTreeSet::from([name])));
        }
        options
    }

    /// Whether names satisfy what a node says about names.
    fn holds(&self, node: &'n Node, set: &Names<'n>, depth: usize) -> bool {
        let has = |name: &String| set.contains(name.as_str());
        if depth > MAX_DEPTH || !self.step(1) {
            return true;
        }
        if !node.required.iter().all(has) || !may_be_object(node) {
            return false;
        }
        let is_closed = node.additional_properties == AdditionalProperties::None && !node.properties.is_empty();
        if depth > 0 && is_closed && !set.iter().all(|name| node.properties.contains(name)) {
            return false;
        }
        let holding = |branches: &'n [Node]| {
            let holding = branches.iter().map(|branch| self.resolve(branch));
            holding.filter(|branch| self.holds(branch, set, depth + 1)).collect::<Vec<_>>()
        };
        let one_of = holding(&node.one_of);
        // Alternatives without required members are told apart by more than names.
        let is_one = one_of.iter().filter(|branch| !branch.required.is_empty()).count() <= 1;
        let is_any = |branches: &[Node], holding: &[&Node]| branches.is_empty() || !holding.is_empty();
        is_one
            && is_any(&node.one_of, &one_of)
            && is_any(&node.any_of, &holding(&node.any_of))
            && holding(&node.all_of).len() == node.all_of.len()
            && node.constraints.as_ref().is_none_or(|bounds| {
                let excluded = bounds.not.as_ref().is_some_and(|not| {
                    not.properties.is_empty() && !not.required.is_empty() && not.required.iter().all(has)
                });
                let of_group = |group: &[String]| group.iter().filter(|name| has(name)).count();
                !excluded
                    && (bounds.required_xor.is_empty() || of_group(&bounds.required_xor) == 1)
                    && (bounds.required_or.is_empty() || of_group(&bounds.required_or) > 0)
                    && !bounds.dependent_required.iter().any(|(name, more)| lacks(set, name, more))
            })
    }
}

fn lacks(set: &Names<'_>, name: &str, more: &[String]) -> bool {
    set.contains(name) && more.iter().any(|more| !set.contains(more.as_str()))
}

fn may_be_object(node: &Node) -> bool {
    node.types.is_empty() || node.types.contains(JsonType::Object)
}

/// Each set with each option; a set that has one already stays as it is.
fn product<'n>(sets: Vec<Names<'n>>, options: &[Names<'n>]) -> Vec<Names<'n>> {
    if options.is_empty() {
        return sets;
    }
    let mut all: Vec<Names<'n>> = Vec::new();
    for set in sets {
        if all.len() >= MAX_SETS {
            break;
        }
        if options.iter().any(|option| !option.is_empty() && option.is_subset(&set)) {
            all.push(set);
            continue;
        }
        all.extend(options.iter().take(MAX_SETS - all.len()).map(|option| &set | option));
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(mut node: Value, expected: &[&str]) {
        node["type"] = json!("object");
        let document = json!({"typeName": "AWS::Zoo::Cage", "definitions": {"It": node, "B": {"required": ["B"]}}});
        let schema = ResourceSchema::from_value(document).unwrap();
        let node = schema.definitions.get("It").unwrap();
        let found = members(&schema, node, node.required.iter().map(String::as_str), |name| name != "Gone");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{node:?}");
    }

    #[test]
    fn groups_are_satisfied() {
        let of = |name: &str| json!({"required": [name]});
        check(json!({"required": ["A"]}), &["A"]);
        check(json!({"oneOf": [of("A"), of("B")]}), &["A"]);
        check(json!({"oneOf": [of("Gone"), {"$ref": "#/definitions/B"}]}), &["B"]);
        check(json!({"required": ["B"], "oneOf": [of("A"), of("B")]}), &["B"]);
        check(json!({"anyOf": [{"required": ["A"], "oneOf": [of("B"), of("C")]}]}), &["A", "B"]);
        check(json!({"allOf": [of("A"), {"anyOf": [of("C"), of("B")]}]}), &["A", "C"]);
        check(json!({"oneOf": [{"properties": {"P": {}}}, {"properties": {"Q": {}}}]}), &["P"]);
        check(json!({"requiredXor": ["A", "B"], "oneOf": [of("B"), of("C")]}), &["B"]);
        check(json!({"requiredOr": ["Gone", "A"]}), &["A"]);
        check(json!({"requiredOr": ["A"], "dependentRequired": {"A": ["C"], "C": ["D"]}}), &["A", "C", "D"]);
        check(
            json!({"minProperties": 2, "required": ["P"], "properties": {"Gone": {}, "P": {}, "Q": {}}}),
            &["P", "Q"],
        );
        check(json!({"not": of("A"), "anyOf": [of("A"), of("B")]}), &["B"]);
        check(json!({"anyOf": [{"type": "string"}, of("A")]}), &["A"]);
        check(json!({"anyOf": [{"type": "string"}]}), &[]);
        check(json!({"oneOf": [of("Gone")], "required": ["A"]}), &["A"]);
    }

    #[test]
    fn alternatives_of_alternatives_are_given_up() {
        let branches = vec![json!({"$ref": "#/definitions/It"}); 100];
        check(json!({"required": ["A"], "oneOf": branches, "anyOf": branches}), &["A"]);
    }
}
