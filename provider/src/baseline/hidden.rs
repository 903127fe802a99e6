//! Write-only values, carried into outputs from the inputs.
//!
//! The service never returns them, and the outputs are where later operations and other resources look.

use value::{Map, Value};

use super::partners::{Guess, partners};
use crate::equality::written::Written;
use crate::marks::Mark;
use crate::place::{Object, Place, Shape};

/// Puts the write-only values of `inputs` into `live` where the service returned nothing; what it did return stays.
///
/// Elements of lists are paired by what can be read of them; a value without a clear partner is left out. A parent that
/// the service does not return comes back only if nothing but write-only values was given in it: else it was removed.
pub fn carry(inputs: &Map, live: &mut Map, object: Object) {
    if !object.marks().below(Mark::WriteOnly) {
        return;
    }
    for (name, value) in inputs {
        let place = object.member(name).1;
        let touched = place.hidden() || place.marks.below(Mark::WriteOnly);
        if !touched || value.is_null() {
            continue;
        }
        match live.get_mut(name).filter(|held| !held.is_null()) {
            Some(held) => carry_value(value, held, place),
            None => {
                if is_all_hidden(value, place) {
                    live.insert(name.clone(), value.clone());
                }
            }
        }
    }
}

fn carry_value(input: &Value, live: &mut Value, place: Place) {
    if place.hidden() {
        return;
    }
    if let Value::Secret(inner) = live {
        return carry_value(input, inner, place);
    }
    let input = input.unsecret();
    match (input, live, place.shape(input)) {
        (Value::Object(members), Value::Object(held), Shape::Declared(object)) => carry(members, held, object),
        (Value::Object(members), Value::Object(held), Shape::Entries(entries)) => {
            for (key, member) in members {
                if let Some(held) = held.get_mut(key) {
                    carry_value(member, held, entries.entry(key));
                }
            }
        }
        (Value::Array(items), Value::Array(held), Shape::Items(element)) => {
            for (index, partner) in
                partners(items, held, element, Guess::ByKey, Written::NOWHERE).into_iter().enumerate()
            {
                if let Some(held) = partner.and_then(|partner| held.get_mut(partner)) {
                    carry_value(&items[index], held, element);
                }
            }
        }
        _ => {}
    }
}

/// Whether a value is made of write-only values only.
fn is_all_hidden(value: &Value, place: Place) -> bool {
    if place.hidden() {
        return true;
    }
    if !place.marks.below(Mark::WriteOnly) {
        return false;
    }
    let mut parts = place.parts(value).peekable();
    parts.peek().is_some() && parts.all(|(part, place)| is_all_hidden(part, place))
}
