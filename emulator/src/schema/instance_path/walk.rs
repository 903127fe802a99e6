//! Following a path through a document, with what schemas leave out or put in between.

use cfn::{Segment, escape_token};
use serde_json::Value;

/// Adds every value that the steps lead to, with its concrete pointer.
pub(super) fn find_at<'v>(
    value: &'v Value,
    segments: &[Segment],
    at: &mut String,
    found: &mut Vec<(String, &'v Value)>,
) {
    let Some((segment, rest)) = segments.split_first() else {
        found.push((at.clone(), value));
        return;
    };
    let length = at.len();
    let mut descend = |key: &str, value: &'v Value, rest: &[Segment]| {
        at.push('/');
        at.push_str(&escape_token(key));
        find_at(value, rest, at, found);
        at.truncate(length);
    };
    match (value, segment) {
        (Value::Array(items), Segment::Each) => {
            items.iter().enumerate().for_each(|(index, item)| descend(&index.to_string(), item, rest));
        }
        // A missing `*`: the members meant are those of the elements.
        (Value::Array(items), Segment::Name(_)) => {
            items.iter().enumerate().for_each(|(index, item)| descend(&index.to_string(), item, segments));
        }
        (Value::Object(members), Segment::Each) => members.iter().for_each(|(key, member)| descend(key, member, rest)),
        (Value::Object(members), Segment::Name(name)) => match members.get(name) {
            Some(member) => descend(name, member, rest),
            None if is_keyword(name, members) => find_at(value, rest, at, found),
            None => {}
        },
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
}

/// Removes every value that the steps lead to, and the members that became empty by that.
///
/// Returns whether anything was removed.
pub(super) fn remove_at(value: &mut Value, segments: &[Segment]) -> bool {
    let Some((segment, rest)) = segments.split_first() else { return false };
    match (value, segment) {
        (Value::Array(items), Segment::Each) => {
            if rest.is_empty() {
                let any = !items.is_empty();
                items.clear();
                return any;
            }
            remove_in_each(items, rest)
        }
        (Value::Array(items), Segment::Name(_)) => remove_in_each(items, segments),
        (Value::Object(members), Segment::Each) => {
            let before = members.len();
            let mut any = false;
            members.retain(|_, member| {
                let removed = !rest.is_empty() && remove_at(member, rest);
                any |= removed;
                let is_emptied = removed && crate::json::is_empty(member);
                !rest.is_empty() && !is_emptied
            });
            any || members.len() != before
        }
        (Value::Object(members), Segment::Name(name)) => {
            if rest.is_empty() {
                return members.remove(name).is_some();
            }
            let Some(member) = members.get_mut(name) else {
                return is_keyword(name, members) && {
                    let mut whole = Value::Object(std::mem::take(members));
                    let removed = remove_at(&mut whole, rest);
                    if let Value::Object(back) = whole {
                        *members = back;
                    }
                    removed
                };
            };
            let removed = remove_at(member, rest);
            if removed && crate::json::is_empty(member) {
                members.remove(name);
            }
            removed
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => false,
    }
}

fn remove_in_each(items: &mut [Value], segments: &[Segment]) -> bool {
    let mut any = false;
    for item in items {
        any |= remove_at(item, segments);
    }
    any
}

/// Whether a token is a schema keyword that slipped into the path and that the instance has no member for.
fn is_keyword(name: &str, members: &serde_json::Map<String, Value>) -> bool {
    matches!(name, "properties" | "items" | "oneOf" | "anyOf" | "allOf") && !members.contains_key(name)
}
