//! `ignoreChanges`: what the user excluded keeps its recorded value.
//!
//! The engine resets the program's inputs in the same way before Check; this covers what Check itself filled in.

use value::{Map, PropertyPath, Segment, Value};

/// The new inputs with every ignored path reset to what is recorded; `None` when nothing is ignored.
///
/// Paths that cannot be read and paths that lead nowhere are skipped.
pub fn reset(paths: &[String], old: &Map, new: &Map) -> Option<Map> {
    if paths.is_empty() {
        return None;
    }
    let old = Value::Object(old.clone());
    let mut new = Value::Object(new.clone());
    for path in paths.iter().filter_map(|path| PropertyPath::parse(path).ok()) {
        if !path.is_empty() {
            reset_at(path.segments(), Some(&old), &mut new);
        }
    }
    match new {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn reset_at(path: &[Segment], old: Option<&Value>, new: &mut Value) {
    let old = old.map(Value::unsecret);
    if let Value::Secret(inner) = new {
        return reset_at(path, old, inner);
    }
    let Some((first, rest)) = path.split_first() else { return };
    match (first, new) {
        (Segment::Key(key), Value::Object(members)) if key == "*" => {
            let names: Vec<String> =
                members.keys().chain(old.and_then(Value::as_object).into_iter().flat_map(Map::keys)).cloned().collect();
            for name in names {
                reset_member(&name, rest, old, members);
            }
        }
        (Segment::Key(key), Value::Object(members)) => reset_member(key, rest, old, members),
        (Segment::Key(key), Value::Array(items)) if key == "*" => {
            for (index, item) in items.iter_mut().enumerate() {
                reset_item(rest, old.and_then(Value::as_array).and_then(|old| old.get(index)), item);
            }
        }
        (Segment::Index(index), Value::Array(items)) => {
            let old = old.and_then(Value::as_array).and_then(|old| old.get(*index));
            if let Some(item) = items.get_mut(*index) {
                reset_item(rest, old, item);
            }
        }
        _ => {}
    }
}

fn reset_member(key: &str, rest: &[Segment], old: Option<&Value>, members: &mut Map) {
    let old = old.and_then(|old| old.get(key));
    match (rest.is_empty(), old) {
        (true, Some(old)) => {
            members.insert(key.to_owned(), old.clone());
        }
        (true, None) => {
            members.remove(key);
        }
        (false, old) => {
            if let Some(member) = members.get_mut(key) {
                reset_at(rest, old, member);
            }
        }
    }
}

fn reset_item(rest: &[Segment], old: Option<&Value>, item: &mut Value) {
    match (rest.is_empty(), old) {
        (true, Some(old)) => *item = old.clone(),
        // An element that was not there before cannot be reset without moving others.
        (true, None) => {}
        (false, old) => reset_at(rest, old, item),
    }
}
