//! What is said of a value that is what a schema rules out (`not`): which members, or which of its values.

use serde_json::Value as Json;

use super::combinations::{Fit, Judge};
use super::instance::{Instance, Members, Presence, Shape};
use super::rules::shown;
use super::schema::{Node, names};
use super::texts::{Shown, Violation};

/// Why an object is ruled out.
#[derive(Debug, Default)]
pub(super) struct RuledOut {
    /// The given members that the rule speaks of, as programs write them.
    pub names: Vec<String>,
    /// It is their values that count, not only that they are given.
    pub by_value: bool,
}

/// The sentence's facts about a value that fits `not`.
pub(super) fn forbidden<'v>(judge: &Judge, instance: &Instance<'v>, not: Node<'v>, depth: usize) -> Violation<'v> {
    let not = not.resolved().unwrap_or(not);
    let value = match &instance.shape {
        Shape::Bool(flag) => Shown::Bool(*flag),
        Shape::Number(number) => Shown::Number(*number),
        Shape::Text(text) => Shown::Text(text),
        Shape::Members(members) => {
            let mut ruled_out = RuledOut::default();
            collect(judge, instance, members, not, depth, &mut ruled_out);
            return Violation::Forbidden(ruled_out);
        }
        Shape::Open | Shape::Items(_) => return Violation::Forbidden(RuledOut::default()),
    };
    let value = shown(value, instance);
    let among: Vec<&Json> = not.get("enum").and_then(Json::as_array).into_iter().flatten().collect();
    Violation::ForbiddenValue { value, among, pattern: not.text("pattern") }
}

/// Adds the given members that a schema speaks of which the object fits.
fn collect(
    judge: &Judge,
    instance: &Instance<'_>,
    members: &Members<'_>,
    node: Node<'_>,
    depth: usize,
    found: &mut RuledOut,
) {
    let by_value: Vec<&str> = node.entries("properties").map(|(name, _)| name).collect();
    let given = |name: &&str| members.presence(name, instance.secret) == Presence::Given;
    for name in names(node.get("required")).chain(by_value.iter().copied()).filter(given) {
        let name = members.sdk_name(name);
        if !found.names.iter().any(|known| known == name) {
            found.names.push(name.to_owned());
        }
    }
    found.by_value |= by_value.iter().any(given);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for arm in node.nodes(keyword) {
            if judge.fit(instance, arm, depth + 1) == Fit::Yes
                && let Some(arm) = arm.resolved()
            {
                collect(judge, instance, members, arm, depth + 1, found);
            }
        }
    }
}
