//! What may be the user's after an update of which nobody knows how it ended.
//!
//! The service may hold what was recorded, what was sent, or some of both, and the engine is told to read the resource
//! before it compares anything. A refresh shows what the service holds, but only at places that the recorded inputs have.
//! So the checkpoint of such a resource has more than the old inputs, and less:
//!
//! | input | in the checkpoint |
//! |---|---|
//! | readable, and only in what was sent | yes, and in the outputs: the refresh keeps it if the service has it, and drops it if not |
//! | write-only, and another one was sent | no: whatever the program gives next is a change, and is sent |
//! | anything else | as it was |
//!
//! Then the next plan is true whether the program still wants the update or not. Lists and free-form maps are refreshed
//! whole and stay as they were; what they hide inside is taken to be as it was.

use metadata::view::Property;
use value::{Map, Value};

use super::is_empty;
use crate::equality::is_default;
use crate::marks::Mark;
use crate::place::{Object, Place, Shape};

/// What may be the user's.
#[derive(Debug, Default, PartialEq)]
pub struct Unsure {
    /// The inputs to put into the checkpoint.
    pub inputs: Map,
    /// What of them the outputs may lack.
    pub sent: Map,
}

impl Unsure {
    /// By the recorded inputs and those that were sent.
    pub fn of(old: &Map, new: &Map, object: Object) -> Self {
        let mut unsure = Self::default();
        for (name, old) in old {
            let (_, place) = object.member(name);
            let (old, new) = place.sides(Some(old), new.get(name));
            match (old, new) {
                (Some(old), Some(new)) => {
                    if let Some(inner) = both(old, new, place) {
                        unsure.put(name, inner);
                    }
                }
                (Some(old), None) => _ = unsure.inputs.insert(name.clone(), old.clone()),
                (None, _) => {}
            }
        }
        for (name, new) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            let (property, place) = object.member(name);
            if let (None, Some(new)) = place.sides(None, Some(new))
                && let Some(new) = readable(new, place, property)
            {
                unsure.put(name, (new.clone(), Some(new)));
            }
        }
        unsure
    }

    fn put(&mut self, name: &str, (input, sent): (Value, Option<Value>)) {
        self.inputs.insert(name.to_owned(), input);
        if let Some(sent) = sent {
            self.sent.insert(name.to_owned(), sent);
        }
    }

    /// Adds to the outputs what was sent, where they have nothing.
    pub fn complete(self, outputs: &mut Map) {
        add(self.sent, outputs);
    }
}

/// The input to keep of two, and what of it the outputs may lack; `None` when neither counts.
fn both(old: &Value, new: &Value, place: Place) -> Option<(Value, Option<Value>)> {
    if old == new {
        return Some((old.clone(), None));
    }
    if place.hidden() {
        // What only creation can set is what it was.
        return place.marks.covered(Mark::CreateOnly).then(|| (old.clone(), None));
    }
    let (Value::Object(one), Value::Object(other)) = (old.unsecret(), new.unsecret()) else {
        return Some((old.clone(), None));
    };
    let Shape::Declared(object) = place.shape(new.unsecret()) else { return Some((old.clone(), None)) };
    let Unsure { inputs, sent } = Unsure::of(one, other, object);
    let secret = old.is_secret() || new.is_secret();
    let wrapped = |members: Map| match secret {
        true => Value::secret(Value::Object(members)),
        false => Value::Object(members),
    };
    Some((wrapped(inputs), (!sent.is_empty()).then(|| wrapped(sent))))
}

/// What a read would show of an input; `None` when that is nothing, or no more than what is there without it.
fn readable(input: &Value, place: Place, property: Option<Property>) -> Option<Value> {
    if place.hidden() || place.marks.covered(Mark::ReadOnly) || place.marks.covered(Mark::CreateOnly) {
        return None;
    }
    let plain = input.unsecret();
    if plain.is_null() || is_empty(plain) || is_default(input, place, property) {
        return None;
    }
    let (Value::Object(members), Shape::Declared(object)) = (plain, place.shape(plain)) else {
        return Some(input.clone());
    };
    let Unsure { inputs, .. } = Unsure::of(&Map::new(), members, object);
    match (inputs.is_empty(), input.is_secret()) {
        (true, _) => None,
        (false, true) => Some(Value::secret(Value::Object(inputs))),
        (false, false) => Some(Value::Object(inputs)),
    }
}

/// Members of `from` where `to` has none, at any depth.
fn add(from: Map, to: &mut Map) {
    for (name, value) in from {
        match to.get_mut(&name) {
            None => _ = to.insert(name, value),
            Some(there) => add_below(value, there),
        }
    }
}

fn add_below(from: Value, to: &mut Value) {
    match (from, to) {
        (from, Value::Secret(inner)) => add_below(from, inner),
        (Value::Secret(from), to) => add_below(*from, to),
        (Value::Object(from), Value::Object(to)) => add(from, to),
        (from, to @ Value::Null) => *to = from,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use metadata::model::{ObjectType, Property, Resource, Type};
    use serde_json::{Value as Json, json};

    use super::*;

    fn object() -> Object {
        let property = |name: &str, ty| Property {
            name: name.to_owned(),
            cfn_name: name.to_owned(),
            ty,
            input: true,
            required: false,
            default: (name == "usual").then(|| "\"u\"".to_owned()),
        };
        let text = |name: &str| property(name, Type::String);
        let inner = ObjectType {
            token: "aws-native:test:Inner".to_owned(),
            properties: vec![text("hidden"), text("seen"), text("set")],
        };
        let names = ["a", "b", "fixed", "hidden", "once", "set", "usual"];
        let mut properties: Vec<Property> = names.into_iter().map(text).collect();
        properties.push(property("inner", Type::Object(0)));
        properties.push(property("list", Type::Array(Box::new(Type::String))));
        properties.push(property("map", Type::Map(Box::new(Type::String))));
        properties.sort_by(|one, other| one.name.cmp(&other.name));
        let path = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let model = Resource {
            cfn_type: "AWS::Test::Unsure".to_owned(),
            properties,
            types: vec![inner],
            write_only: path(&["hidden", "once", "inner/hidden"]),
            create_only: path(&["fixed", "once"]),
            read_only: path(&["set", "inner/set"]),
            ..Resource::default()
        };
        let resource: metadata::view::Resource = metadata::encode(&model).expect("a well-formed model").leak().into();
        Object::of(resource)
    }

    fn map(json: Json) -> Map {
        match value::json::from_json(&json) {
            Value::Object(members) => members,
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn what_may_be_the_users() {
        for (old, new, inputs, sent) in [
            // The same, another value, gone.
            (json!({"a": "1"}), json!({"a": "1"}), json!({"a": "1"}), json!({})),
            (json!({"a": "1"}), json!({"a": "2"}), json!({"a": "1"}), json!({})),
            (json!({"a": "1"}), json!({}), json!({"a": "1"}), json!({})),
            // New.
            (json!({}), json!({"a": "2"}), json!({"a": "2"}), json!({"a": "2"})),
            (json!({}), json!({"hidden": "2"}), json!({}), json!({})),
            (json!({}), json!({"fixed": "2", "set": "3", "usual": "u", "list": [], "map": {}}), json!({}), json!({})),
            (json!({}), json!({"list": ["x"]}), json!({"list": ["x"]}), json!({"list": ["x"]})),
            // Nobody can see which of the two it is; what is fixed is what it was.
            (json!({"hidden": "1"}), json!({"hidden": "2"}), json!({}), json!({})),
            (json!({"hidden": "1"}), json!({"hidden": "1"}), json!({"hidden": "1"}), json!({})),
            (json!({"once": "1"}), json!({"once": "2"}), json!({"once": "1"}), json!({})),
            // Deeper down.
            (
                json!({"inner": {"seen": "1", "hidden": "1"}}),
                json!({"inner": {"hidden": "2", "set": "3"}}),
                json!({"inner": {"seen": "1"}}),
                json!({}),
            ),
            (
                json!({"inner": {"hidden": "1"}}),
                json!({"inner": {"hidden": "1", "seen": "2"}}),
                json!({"inner": {"hidden": "1", "seen": "2"}}),
                json!({"inner": {"seen": "2"}}),
            ),
            (
                json!({}),
                json!({"inner": {"hidden": "1", "seen": "2"}}),
                json!({"inner": {"seen": "2"}}),
                json!({"inner": {"seen": "2"}}),
            ),
            (json!({}), json!({"inner": {"hidden": "1"}}), json!({}), json!({})),
            // Refreshed whole.
            (json!({"list": ["x"]}), json!({"list": ["x", "y"]}), json!({"list": ["x"]}), json!({})),
            (json!({"map": {"x": "1"}}), json!({"map": {"y": "2"}}), json!({"map": {"x": "1"}}), json!({})),
        ] {
            let found = Unsure::of(&map(old.clone()), &map(new.clone()), object());
            assert_eq!(found, Unsure { inputs: map(inputs), sent: map(sent) }, "{old} to {new}");
        }
    }

    #[test]
    fn marks_of_secrecy_stay() {
        let secret = |members: Json| Map::from([("inner".to_owned(), Value::secret(Value::Object(map(members))))]);
        let found = Unsure::of(&secret(json!({"seen": "1"})), &secret(json!({"seen": "1", "hidden": "2"})), object());
        assert_eq!(found.inputs, secret(json!({"seen": "1"})));
        let found = Unsure::of(&Map::new(), &secret(json!({"seen": "1", "hidden": "2"})), object());
        assert_eq!((&found.inputs, &found.sent), (&secret(json!({"seen": "1"})), &secret(json!({"seen": "1"}))));
        let mut outputs = secret(json!({"other": "o"}));
        found.complete(&mut outputs);
        assert_eq!(outputs, secret(json!({"other": "o", "seen": "1"})));
    }
}
