//! Marks of secrecy, carried into values that echo secret inputs.

use value::{Map, Value};

use super::partners::{Guess, partners};
use crate::checkpoint;
use crate::equality::written::Written;
use crate::place::{Object, Place, Shape, present};

/// Marks in `live` whatever is secret in `inputs`, at the same path, once.
///
/// Elements of lists are paired by what can be read of them. Where a secret cannot be followed, because the service
/// answers in another shape or an element has no clear partner, the whole is marked: better too much than in clear. A
/// secret that is gone from its key may be under another one, so that all keys that the inputs do not have are marked.
/// Of members, which the schema names, only those count that it does not know: the others have a meaning of their own.
pub fn mark(inputs: &Map, live: &mut Map, object: Object) {
    for (name, input) in inputs {
        if let Some(held) = live.get_mut(name) {
            mark_value(input, held, object.member(name).1);
        }
    }
    mark_strangers(inputs, live, |name| object.properties.get(name).is_none());
}

/// Marks what `inputs` do not have and `may_move` allows, if a secret of theirs is not where it was.
fn mark_strangers(inputs: &Map, live: &mut Map, may_move: impl Fn(&str) -> bool) {
    if loses_a_secret(inputs, live) {
        let strangers = live.iter_mut().filter(|(key, _)| present(inputs.get(*key)).is_none() && may_move(key));
        strangers.filter(|(_, held)| !held.is_null()).for_each(|(_, held)| wrap(held));
    }
}

/// Whether the inputs have a secret under a key that `live` does not have.
pub(super) fn loses_a_secret(inputs: &Map, live: &Map) -> bool {
    // Recorded outputs have a checkpoint, which the service never has.
    let mut inputs = inputs.iter().filter(|(key, _)| *key != checkpoint::INPUTS);
    inputs.any(|(key, input)| present(live.get(key)).is_none() && input.contains_secret())
}

/// [`mark`] for one value.
pub fn mark_value(input: &Value, live: &mut Value, place: Place) {
    if live.is_null() || !input.contains_secret() {
        return;
    }
    if let Value::Secret(inner) = live {
        return mark_value(input.unsecret(), inner, place);
    }
    if input.is_secret() {
        wrap(live);
        return;
    }
    match (input, &mut *live, place.shape(input)) {
        (Value::Object(members), Value::Object(held), Shape::Declared(object)) => mark(members, held, object),
        (Value::Object(members), Value::Object(held), Shape::Entries(entries)) => {
            for (key, member) in members {
                if let Some(held) = held.get_mut(key) {
                    mark_value(member, held, entries.entry(key));
                }
            }
            mark_strangers(members, held, |key| place.shows(key));
        }
        (Value::Array(items), Value::Array(held), Shape::Items(element)) => {
            let found = partners(items, held, element, Guess::ByKey, Written::NOWHERE);
            let all = found.iter().zip(items).all(|(partner, item)| partner.is_some() || !item.contains_secret());
            if !all {
                return wrap(live);
            }
            for (partner, item) in found.into_iter().zip(items) {
                if let Some(held) = partner.and_then(|partner| held.get_mut(partner)) {
                    mark_value(item, held, element);
                }
            }
        }
        _ => wrap(live),
    }
}

fn wrap(value: &mut Value) {
    let mut plain = std::mem::take(value);
    strip(&mut plain);
    *value = Value::secret(plain);
}

/// Takes inner marks away: the outer one covers them.
fn strip(value: &mut Value) {
    if value.is_secret() {
        *value = std::mem::take(value).into_unsecret();
    }
    value.each_child_mut(strip);
}
