//! Outputs in a preview: what is certain, and unknowns for the rest.
//!
//! Outputs that only the service sets are unknown, except those that an update cannot change ([`stable`]). Optional
//! values that the service may fill in are not announced; SDKs take an absent output for unknown.

pub mod stable;

use value::{Map, Unknown, Value};

use crate::marks::Mark;
use crate::place::{Object, Place, Shape};
use crate::subject::Subject;

/// The outputs that creating a resource with these inputs would have.
pub fn create(subject: impl Into<Subject>, inputs: &Map) -> Map {
    members(inputs, Object::of(subject), None)
}

/// The outputs that updating to `news` would have; `olds` are the recorded outputs.
pub fn update(subject: impl Into<Subject>, olds: &Map, news: &Map) -> Map {
    let subject = subject.into();
    let stable = stable::Stable::of(subject.resource);
    let mut outputs = members(news, Object::of(subject), Some((&stable, olds, String::new())));
    for name in stable.identifiers() {
        if let Some(old) = olds.get(name).filter(|old| !old.is_null() && !old.contains_unknown()) {
            outputs.entry(name.to_owned()).or_insert_with(|| old.clone());
        }
    }
    outputs
}

/// What an update knows: which paths stay, the old values of this object, and the path to it with a `/` at its end.
type Known<'a> = Option<(&'a stable::Stable, &'a Map, String)>;

fn members(inputs: &Map, object: Object, known: Known<'_>) -> Map {
    let mut outputs = Map::new();
    for property in object.properties.iter() {
        let name = property.name();
        let place = object.place(property);
        let old = known.as_ref().and_then(|(_, old, _)| old.get(name)).filter(|old| !old.is_null());
        let value = match inputs.get(name).filter(|value| !value.is_null()) {
            Some(input) => {
                let known = known.as_ref().zip(old).and_then(|((stable, _, path), old)| {
                    Some((*stable, old.unsecret().as_object()?, format!("{path}{name}/")))
                });
                given(input, place, known)
            }
            None if place.marks.covered(Mark::ReadOnly) => match (&known, old) {
                (Some((stable, _, path)), Some(old)) if !old.contains_unknown() && stable.contains(path, name) => {
                    old.clone()
                }
                _ => Unknown::default().into(),
            },
            None => continue,
        };
        outputs.insert(name.to_owned(), value);
    }
    outputs
}

/// The output for a value that the program gives.
fn given(input: &Value, place: Place, known: Known<'_>) -> Value {
    if let Value::Secret(inner) = input {
        return Value::secret(given(inner, place, known));
    }
    if !place.marks.below(Mark::ReadOnly) {
        return input.clone();
    }
    match (input, place.shape(input)) {
        (Value::Object(inner), Shape::Declared(object)) => Value::Object(members(inner, object, known)),
        (Value::Object(inner), Shape::Entries(entries)) => {
            inner.iter().map(|(key, value)| (key.clone(), given(value, entries.entry(key), None))).collect()
        }
        (Value::Array(items), Shape::Items(element)) => items.iter().map(|item| given(item, element, None)).collect(),
        _ => input.clone(),
    }
}
