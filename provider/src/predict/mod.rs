//! Outputs in a preview: what is certain, and unknowns for the rest.
//!
//! Outputs that only the service sets are unknown, except those that an update cannot change ([`stable`]). Optional
//! values that the service may fill in are not announced, since SDKs take an absent output for unknown; those that it
//! filled in at creation, and that only creation can set, stay.

pub mod stable;

use value::{Map, Unknown, Value};

use crate::checkpoint;
use crate::marks::Mark;
use crate::place::{Object, Place, Shape, present};
use crate::subject::Subject;

/// The outputs that creating a resource with these inputs would have.
pub fn create(subject: impl Into<Subject>, inputs: &Map) -> Map {
    members(inputs, Object::of(subject), None)
}

/// The outputs that updating to `news` would have; `olds` are the recorded outputs.
pub fn update(subject: impl Into<Subject>, olds: &Map, news: &Map) -> Map {
    let subject = subject.into();
    let inputs = checkpoint::inputs(olds);
    let stable = stable::Stable::of(subject.resource, inputs, news);
    let known = Known { stable: &stable, outputs: olds, inputs, path: String::new() };
    let mut outputs = members(news, Object::of(subject), Some(known));
    for name in stable.identifiers() {
        if let Some(old) = olds.get(name).filter(|old| !old.is_null() && !old.contains_unknown()) {
            outputs.entry(name.to_owned()).or_insert_with(|| old.clone());
        }
    }
    outputs
}

/// What an update knows of an object.
struct Known<'a> {
    /// Which paths stay.
    stable: &'a stable::Stable,
    /// What it was when it was recorded.
    outputs: &'a Map,
    /// What the program gave of it then, if that is recorded.
    inputs: Option<&'a Map>,
    /// The path to it, with a `/` at its end.
    path: String,
}

impl<'a> Known<'a> {
    /// What is known of a member that is an object.
    fn member(&self, name: &str) -> Option<Self> {
        Some(Self {
            stable: self.stable,
            outputs: self.outputs.get(name)?.unsecret().as_object()?,
            inputs: self.inputs.and_then(|inputs| inputs.get(name)?.unsecret().as_object()),
            path: format!("{}{name}/", self.path),
        })
    }

    /// The recorded output under a name, if an update from inputs without it to inputs without it cannot change it.
    fn stays(&self, name: &str, place: Place) -> Option<&'a Value> {
        let old = present(self.outputs.get(name)).filter(|old| !old.contains_unknown())?;
        let stays = match place.marks.covered(Mark::ReadOnly) {
            true => self.stable.contains(&self.path, name),
            // The service chose it at creation.
            false => {
                let was_absent = |inputs: &Map| present(inputs.get(name)).is_none();
                place.marks.covered(Mark::CreateOnly) && self.inputs.is_some_and(was_absent)
            }
        };
        stays.then_some(old)
    }
}

fn members(inputs: &Map, object: Object, known: Option<Known<'_>>) -> Map {
    let mut outputs = Map::new();
    for property in object.properties.iter() {
        let name = property.name();
        let place = object.place(property);
        let value = match present(inputs.get(name)) {
            Some(input) => given(input, place, known.as_ref().and_then(|known| known.member(name))),
            None => match known.as_ref().and_then(|known| known.stays(name, place)) {
                Some(old) => old.clone(),
                None if place.marks.covered(Mark::ReadOnly) => Unknown::default().into(),
                None => continue,
            },
        };
        outputs.insert(name.to_owned(), value);
    }
    outputs
}

/// The output for a value that the program gives.
fn given(input: &Value, place: Place, known: Option<Known<'_>>) -> Value {
    if let Value::Secret(inner) = input {
        return Value::secret(given(inner, place, known));
    }
    let fixed = known.is_some() && place.marks.below(Mark::CreateOnly);
    if !place.marks.below(Mark::ReadOnly) && !fixed {
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
