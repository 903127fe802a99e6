//! What a schema says about one value by itself. Tested as a whole: `tests/lifecycle/schema_rules.rs`, and on real types
//! `tests/rules.rs`.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::combinations::Fit;
use super::instance::{Instance, Members, Shape};
use super::schema::{Node, names};
use super::texts::{Bound, Range, Shown, Violation};

/// Whether the value is of a kind that the schema names.
pub(super) fn is_of_kind(node: Node<'_>, instance: &Instance<'_>) -> bool {
    let is = |kind: &str| match (&instance.shape, kind) {
        (Shape::Open, _) => true,
        (Shape::Bool(_), kind) => kind == "boolean",
        (Shape::Number(number), "integer") => number.fract() == 0.0,
        (Shape::Number(_), kind) => kind == "number",
        (Shape::Text(_), kind) => kind == "string",
        (Shape::Items(_), kind) => kind == "array",
        (Shape::Members(_), kind) => kind == "object",
    };
    match node.get("type") {
        Some(Json::String(kind)) => is(kind),
        kinds @ Some(Json::Array(_)) => names(kinds).any(is),
        _ => true,
    }
}

/// What is said about a value of a kind that the schema does not name.
pub(super) fn of_another_kind<'v>(node: Node<'v>, instance: &Instance<'_>) -> Violation<'v> {
    let found = match &instance.shape {
        Shape::Open => "something",
        Shape::Bool(_) => "a bool",
        Shape::Number(_) => "a number",
        Shape::Text(_) => "a string",
        Shape::Items(_) => "an array",
        Shape::Members(_) => "an object",
    };
    let kinds = node.get("type");
    Violation::Kind { found, allowed: kinds.and_then(Json::as_str).into_iter().chain(names(kinds)).collect() }
}

/// Adds what the value breaks; whether it breaks anything.
pub(super) fn own<'v>(node: Node<'v>, instance: &Instance<'v>, found: &mut Vec<Violation<'v>>) -> Fit {
    let before = found.len();
    let mut open = false;
    match &instance.shape {
        Shape::Open => open = true,
        Shape::Bool(flag) => values(node, Shown::Bool(*flag), instance, found),
        Shape::Number(number) => {
            values(node, Shown::Number(*number), instance, found);
            bounds(node, *number, instance, found);
        }
        Shape::Text(text) => {
            values(node, Shown::Text(text), instance, found);
            open = texts(node, text, instance, found);
        }
        Shape::Items(items) => open = list(node, items, found),
        Shape::Members(members) => open = object(node, members, instance, found),
    }
    match found.len() > before {
        true => Fit::No,
        false if open => Fit::Open,
        false => Fit::Yes,
    }
}

pub(super) fn shown<'v>(value: Shown<'v>, instance: &Instance<'_>) -> Shown<'v> {
    if instance.secret { Shown::Secret } else { value }
}

fn values<'v>(node: Node<'v>, value: Shown<'v>, instance: &Instance<'_>, found: &mut Vec<Violation<'v>>) {
    let equals = |json: &&Json| match value {
        Shown::Text(text) => json.as_str() == Some(text),
        Shown::Number(number) => json.as_f64() == Some(number),
        Shown::Bool(flag) => json.as_bool() == Some(flag),
        Shown::Secret => true,
    };
    let folded = |json: &&Json| match (value, json.as_str()) {
        (Shown::Text(text), Some(allowed)) => text.eq_ignore_ascii_case(allowed),
        _ => equals(json),
    };
    let listed = |keyword| -> Vec<&Json> { node.get(keyword).and_then(Json::as_array).into_iter().flatten().collect() };
    let allowed = match listed("enum") {
        allowed if allowed.is_empty() => node.get("const").into_iter().collect(),
        allowed => allowed,
    };
    let loosely = listed("enumCaseInsensitive");
    for (allowed, met) in [
        (&allowed, allowed.is_empty() || allowed.iter().any(equals)),
        (&loosely, loosely.is_empty() || loosely.iter().any(folded)),
    ] {
        if !met {
            found.push(Violation::NotAmong { value: shown(value, instance), allowed: allowed.clone() });
            return;
        }
    }
}

fn bounds<'v>(node: Node<'v>, number: f64, instance: &Instance<'_>, found: &mut Vec<Violation<'v>>) {
    // Exclusive bounds are numbers of their own, or flags beside the others.
    let bound = |keyword: &str, exclusively: &str| match node.number(exclusively) {
        Some(value) => Some(Bound { value, exclusive: true }),
        None => node.number(keyword).map(|value| Bound { value, exclusive: node.flag(exclusively) }),
    };
    let range = Range::new(bound("minimum", "exclusiveMinimum"), bound("maximum", "exclusiveMaximum"));
    if !range.holds(number) {
        found.push(Violation::Bounds { value: shown(Shown::Number(number), instance), range });
    }
    if let Some(of) = node.number("multipleOf").filter(|of| *of > 0.0) {
        // Quotients of decimal fractions are whole only nearly.
        let quotient = number / of;
        if (quotient - quotient.round()).abs() > 1e-9 * quotient.abs().max(1.0) {
            found.push(Violation::Multiple { value: shown(Shown::Number(number), instance), of });
        }
    }
}

/// Adds what the text breaks; true when a pattern has no answer.
fn texts<'v>(node: Node<'v>, text: &'v str, instance: &Instance<'_>, found: &mut Vec<Violation<'v>>) -> bool {
    let range = Range::counts(node.count("minLength"), node.count("maxLength"));
    let count = text.chars().count();
    if !range.holds_count(count) {
        found.push(Violation::Length { count: (!instance.secret).then_some(count), range });
    }
    let Some(pattern) = node.text("pattern") else { return false };
    match node.finds(pattern, text) {
        Some(true) => false,
        Some(false) => {
            found.push(Violation::Pattern { value: shown(Shown::Text(text), instance), pattern });
            false
        }
        None => true,
    }
}

/// Adds what the list breaks; true when elements that are not known yet may break it.
fn list<'v>(node: Node<'v>, items: &[Instance<'_>], found: &mut Vec<Violation<'v>>) -> bool {
    let range = Range::counts(node.count("minItems"), node.count("maxItems"));
    if !range.holds_count(items.len()) {
        found.push(Violation::Items { count: items.len(), range });
    }
    if !node.flag("uniqueItems") {
        return false;
    }
    let mut open = false;
    let mut seen = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let mut key = String::new();
        if !spell(item, &mut key) {
            open = true;
        } else if let Some(first) = seen.get(&key) {
            found.push(Violation::Twice { first: *first, second: index });
            return open;
        } else {
            seen.insert(key, index);
        }
    }
    open
}

/// Spells a value out, so that equal values are equal texts; false when something in it is not known.
fn spell(instance: &Instance<'_>, text: &mut String) -> bool {
    match &instance.shape {
        Shape::Open => return false,
        Shape::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        // Zero has no sign here.
        Shape::Number(number) => text.push_str(&(number + 0.0).to_string()),
        Shape::Text(string) => text.push_str(&format!("{string:?}")),
        Shape::Items(items) => {
            text.push('[');
            for item in items {
                if !spell(item, text) {
                    return false;
                }
                text.push(',');
            }
            text.push(']');
        }
        Shape::Members(members) => {
            text.push('{');
            for (name, _, member) in members.iter() {
                text.push_str(&format!("{name:?}:"));
                if !spell(member, text) {
                    return false;
                }
                text.push(',');
            }
            text.push('}');
        }
    }
    true
}

/// Adds what the object breaks; true when the pattern of a key has no answer, or members are not known yet.
fn object<'v>(node: Node<'v>, members: &Members<'v>, instance: &Instance<'_>, found: &mut Vec<Violation<'v>>) -> bool {
    let range = Range::counts(node.count("minProperties"), node.count("maxProperties"));
    let count = members.iter().len();
    let mut open = instance.secret || members.iter().any(|(_, _, member)| matches!(member.shape, Shape::Open));
    // What is not known yet may turn out to be nothing.
    if !open && !range.holds_count(count) {
        found.push(Violation::Keys { count, range });
    }
    // Names of objects are checked with their kinds; here are those of maps.
    if node.get("properties").is_none() && node.get("patternProperties").is_some() {
        for (key, ..) in members.iter() {
            match node.allows_member(key) {
                Some(true) => {}
                Some(false) => {
                    let patterns = node.entries("patternProperties").map(|(pattern, _)| pattern).collect();
                    found.push(Violation::Key { key: (!instance.secret).then_some(key), patterns });
                }
                None => open = true,
            }
        }
    }
    open
}
