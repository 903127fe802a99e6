//! Inputs of an import: what the service holds and a program may write.

use value::{Map, Value};

use crate::equality::leaf;
use crate::marks::Mark;
use crate::place::{Object, Place, Shape};
use crate::subject::Subject;

/// The inputs that a program would need for the resource to be as it is.
///
/// Left out, at every depth: what only the service sets, what it does not return by its schema, AWS's own tags, and
/// containers of which therefore nothing is left. Properties that are empty from the start are left out too; deeper
/// down they stay, where an empty object can be a choice (`{"none": {}}`).
pub fn project(live: &Map, object: Object) -> Map {
    members(live, object, |value| !is_empty(value))
}

fn members(live: &Map, object: Object, wanted: impl Fn(&Value) -> bool) -> Map {
    let mut inputs = Map::new();
    for property in object.properties.iter().filter(|property| property.input()) {
        if let Some(value) = live.get(property.name()).filter(|value| wanted(value))
            && let Some(value) = project_value(value, object.place(property))
        {
            inputs.insert(property.name().to_owned(), value);
        }
    }
    inputs
}

/// [`project`] for one value; `None` when nothing of it is left. What is empty from the start stays.
pub fn project_value(value: &Value, place: Place) -> Option<Value> {
    if place.marks.covered(Mark::ReadOnly) || place.hidden() || value.is_null() {
        return None;
    }
    let plain = value.unsecret();
    let projected = match (plain, place.shape(plain)) {
        (Value::Object(members), Shape::Declared(object)) => Value::Object(self::members(members, object, |_| true)),
        (Value::Object(members), Shape::Entries(entries)) => {
            let visible = members.iter().filter(|(key, _)| place.shows(key));
            visible
                .filter_map(|(key, member)| Some((key, project_value(member, entries.entry(key))?)))
                .map(|(key, member)| (key.clone(), member))
                .collect()
        }
        (Value::Array(items), Shape::Items(element)) => items
            .iter()
            .filter(|item| place.shows_item(item))
            // A list keeps its length, so that an element of which nothing is left stays.
            .map(|item| project_value(item, element).unwrap_or_else(|| Value::Object(Map::new())))
            .collect(),
        _ => leaf::as_declared(plain, place.ty).unwrap_or_else(|| plain.clone()),
    };
    let emptied = is_empty(&projected) && !is_empty(plain);
    match (emptied, value.is_secret()) {
        (true, _) => None,
        (false, true) => Some(Value::secret(projected)),
        (false, false) => Some(projected),
    }
}

fn is_empty(value: &Value) -> bool {
    match value.unsecret() {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The write-only inputs that are not in `live`, so that an import cannot know them; paths as in the metadata.
pub fn unreadable(live: &Map, subject: impl Into<Subject>) -> Vec<&'static str> {
    let subject = subject.into();
    let object = Object::of(subject);
    let is_input = |path: &&str| {
        let name = path.split('/').next().unwrap_or(path);
        object.properties.get(name).is_some_and(|property| property.input())
    };
    let is_missing = |path: &&str| crate::place::lookup(live, path).is_none();
    subject.write_only().iter().filter(is_input).filter(is_missing).collect()
}
