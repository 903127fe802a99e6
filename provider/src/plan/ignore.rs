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

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn members(json: &Json) -> Map {
        value::json::from_json(json).as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn ignored_paths_keep_what_is_recorded() {
        let (old, new) =
            (json!({ "a": 1, "o": { "x": 1, "y": 2 } }), json!({ "a": 2, "o": { "x": 3, "z": 4 }, "b": 5 }));
        check("a", &old, &new, json!({ "a": 1, "o": { "x": 3, "z": 4 }, "b": 5 }));
        check("o", &old, &new, json!({ "a": 2, "o": { "x": 1, "y": 2 }, "b": 5 }));
        check("o.x", &old, &new, json!({ "a": 2, "o": { "x": 1, "z": 4 }, "b": 5 }));
        check("o.*", &old, &new, json!({ "a": 2, "o": { "x": 1, "y": 2 }, "b": 5 }));
        // What was not there goes.
        check("b", &old, &new, json!({ "a": 2, "o": { "x": 3, "z": 4 } }));
        check("*", &old, &new, old.clone());
        // Paths that lead nowhere, or into something without parts, or that are none.
        for path in ["n", "n.x", "a.x", "o[0]", "", "[", "a["] {
            check(path, &old, &new, new.clone());
        }
        // Elements keep their number and their places.
        let (old, new) =
            (json!({ "l": [{ "x": 1 }, { "x": 2 }] }), json!({ "l": [{ "x": 3 }, { "x": 4 }, { "x": 5 }] }));
        check("l[1]", &old, &new, json!({ "l": [{ "x": 3 }, { "x": 2 }, { "x": 5 }] }));
        check("l[2]", &old, &new, new.clone());
        check("l[9]", &old, &new, new.clone());
        check("l[2].x", &old, &new, json!({ "l": [{ "x": 3 }, { "x": 4 }, {}] }));
        check("l[*].x", &old, &new, json!({ "l": [{ "x": 1 }, { "x": 2 }, {}] }));

        #[track_caller]
        fn check(path: &str, old: &Json, new: &Json, expected: Json) {
            let found = reset(&[path.to_owned()], &members(old), &members(new));
            assert_eq!(found, Some(members(&expected)), "path {path:?}");
        }
    }

    #[test]
    fn secrets_are_looked_through() {
        let secret = |x: i32| Map::from([("o".to_owned(), Value::secret(Value::object([("x", x.into())])))]);
        assert_eq!(reset(&["o.x".to_owned()], &secret(1), &secret(2)), Some(secret(1)));
    }

    #[test]
    fn nothing_ignored_costs_nothing() {
        assert_eq!(reset(&[], &Map::new(), &Map::new()), None);
    }
}
