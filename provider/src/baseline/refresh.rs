//! Inputs of a refresh: what the user wrote, as the service holds it now.
//!
//! Objects with declared members never gain a member. Lists and free-form maps that the user wrote are owned whole: what
//! somebody else added to them shows. Where the service means the same as the user, the user's form and order stay.

use metadata::view::{Property, Type};
use value::{Map, Value};

use super::is_empty;
use super::partners::{Guess, owned, partners};
use super::projection::project_value;
use super::secrets::{loses_a_secret, mark_value};
use crate::equality::rewrites::{Constants, Rewrites};
use crate::equality::written::{At, Written};
use crate::equality::{Comparison, Hidden, is_default};
use crate::marks::{Mark, Rule};
use crate::place::{Object, Place, Shape, present};
use crate::subject::Subject;
use crate::union;

/// What a refresh compares. Not for printing: nothing says yet what of it is secret.
#[derive(Clone, Copy)]
struct Seen<'a> {
    /// What the service holds now.
    live: Option<&'a Value>,
    /// What it held when the state was recorded; `None` when that is not known to be anything.
    before: Option<&'a Value>,
}

/// Refreshed inputs.
#[derive(Debug)]
pub struct Refreshed {
    /// The inputs to record.
    pub inputs: Map,
    /// Rules of the schema that could not be read.
    pub unreadable: Vec<Rule>,
    /// Not every rule was asked: those before had cost too much.
    pub rules_ended: bool,
}

/// The inputs to record. `live` is what the service holds now, `before` the recorded outputs.
pub fn refresh(subject: impl Into<Subject>, inputs: &Map, live: &Map, before: &Map) -> Refreshed {
    let subject = subject.into();
    let seen = |name: &str| Seen { live: present(live.get(name)), before: present(before.get(name)) };
    // The program has not changed anything, so that whatever explains what the service holds may do so.
    let rewrites = Rewrites::of(subject, inputs, Constants::Allowed);
    let refreshed = members(inputs, Object::of(subject), Written::root(&rewrites), seen);
    Refreshed { inputs: refreshed, unreadable: rewrites.unreadable(), rules_ended: rewrites.budget_has_ended() }
}

fn members<'a>(inputs: &Map, object: Object, at: Written<'_>, seen: impl Fn(&str) -> Seen<'a>) -> Map {
    let mut refreshed = Map::new();
    for (name, input) in inputs {
        let (property, place) = object.member(name);
        if let Some(value) = value(input, seen(name), place, property, at.key(name)) {
            refreshed.insert(name.clone(), value);
        }
    }
    refreshed
}

/// The refreshed value; `None` when the service has lost it.
fn value(input: &Value, seen: Seen<'_>, place: Place, property: Option<Property>, at: Written<'_>) -> Option<Value> {
    if input.is_null() {
        return None;
    }
    // What the user gives although the service sets it stays the user's.
    if place.marks.covered(Mark::ReadOnly) {
        return Some(input.clone());
    }
    let Some(live) = seen.live else { return absent(input, seen, place, property, at) };
    if Comparison::live(Hidden::Assumed).matches_at(input, live, place, At::live(at)) {
        return Some(input.clone());
    }
    if input.is_secret() {
        // Inner marks would be lost with the outer one on, so they are followed below it.
        return differing(input.unsecret(), live, seen.before.map(Value::unsecret), place, at).map(Value::secret);
    }
    differing(input, live, seen.before.map(Value::unsecret), place, at)
}

fn absent(input: &Value, seen: Seen<'_>, place: Place, property: Option<Property>, at: Written<'_>) -> Option<Value> {
    let plain = input.unsecret();
    // Accepted but never returned, at creation neither: that it is absent says nothing.
    let never_seen = seen.before.is_none();
    if place.hidden() || is_empty(plain) || never_seen || is_default(input, place, property) {
        return Some(input.clone());
    }
    // The parent of write-only values may be invisible with them.
    if place.marks.below(Mark::WriteOnly)
        && let (Value::Object(inner), Shape::Declared(object)) = (plain, place.shape(plain))
    {
        let before = seen.before.map(Value::unsecret);
        let left = members(inner, object, at, |name| Seen {
            live: None,
            before: before.and_then(|before| present(before.get(name))),
        });
        let readable_stays = left.len() == inner.values().filter(|member| !member.is_null()).count();
        return (readable_stays && !left.is_empty()).then(|| input.clone());
    }
    None
}

/// The value where the service holds something else than the user wrote; secrets are taken off the input.
fn differing(input: &Value, live: &Value, before: Option<&Value>, place: Place, at: Written<'_>) -> Option<Value> {
    let live = live.unsecret();
    if let Type::Union(arms) = place.ty
        && union::exclude_each_other(arms, input, live)
    {
        // Somebody chose another arm, of which nothing was the user's.
        return replaced(input, live, place);
    }
    Some(match (input, live, place.shape(input)) {
        (Value::Object(inner), Value::Object(held), Shape::Declared(object)) => {
            let refreshed = members(inner, object, at, |name| Seen {
                live: present(held.get(name)),
                before: before.and_then(|before| present(before.get(name))),
            });
            Value::Object(refreshed)
        }
        (Value::Object(inner), Value::Object(held), Shape::Entries(entries)) => {
            let visible = |key: &str| place.shows(key);
            // A secret that is gone may be among the strangers, under another key.
            let lost_a_secret = loses_a_secret(inner, held);
            let mut refreshed = Map::new();
            for (key, member) in held.iter().filter(|(key, member)| visible(key) && !member.is_null()) {
                let place = entries.entry(key);
                let member = match inner.get(key) {
                    Some(own) => {
                        let before = before.and_then(|before| present(before.get(key)));
                        value(own, Seen { live: Some(member), before }, place, None, at.key(key))
                    }
                    None => project_value(member, place).map(|stranger| match lost_a_secret {
                        true => Value::secret(stranger),
                        false => stranger,
                    }),
                };
                if let Some(member) = member {
                    refreshed.insert(key.clone(), member);
                }
            }
            for (key, own) in inner.iter().filter(|(key, _)| !held.contains_key(*key)) {
                if entries.entry(key).hidden() {
                    refreshed.insert(key.clone(), own.clone());
                }
            }
            Value::Object(refreshed)
        }
        (Value::Array(items), Value::Array(held), Shape::Items(element)) => {
            list(items, held, before.and_then(Value::as_array).unwrap_or_default(), (place, element), at)
        }
        _ => return replaced(input, live, place),
    })
}

/// What the service holds in place of an input of another form.
fn replaced(input: &Value, live: &Value, place: Place) -> Option<Value> {
    // What comes back although it is write-only is the user's like any other.
    let mut held = if place.hidden() { live.clone() } else { project_value(live, place)? };
    mark_value(input, &mut held, place);
    Some(held)
}

/// The service's elements, each as the user wrote it where the user did, in the user's order where order is free.
fn list(items: &[Value], held: &[Value], before: &[Value], (place, element): (Place, Place), at: Written<'_>) -> Value {
    let held = owned(held, place);
    let earlier = partners(items, before, element, Guess::ByIndex, at);
    let found = partners(items, &held, element, Guess::ByIndex, at);
    let mut origins: Vec<Option<usize>> = vec![None; held.len()];
    for (own, partner) in found.iter().enumerate() {
        if let Some(partner) = partner {
            origins[*partner] = Some(own);
        }
    }
    let mut order: Vec<usize> = (0..held.len()).collect();
    if place.is_set() {
        // The user's own first, as the user ordered them; strangers after them, as they come.
        order.sort_by_key(|index| (origins[*index].unwrap_or(usize::MAX), *index));
    }
    let lost_a_secret = loses_a_secret_element(items, &held, element, at);
    let refreshed = order.into_iter().map(|index| {
        let refreshed = match origins[index] {
            Some(own) => {
                let seen = Seen { live: Some(&held[index]), before: earlier[own].map(|earlier| &before[earlier]) };
                value(&items[own], seen, element, None, at.index(own))
            }
            None => project_value(&held[index], element),
        };
        let refreshed = refreshed.unwrap_or_else(|| Value::Object(Map::new()));
        // What held a secret may be any other element, changed beyond recognition.
        match lost_a_secret && !refreshed.contains_secret() {
            true => Value::secret(refreshed),
            false => refreshed,
        }
    });
    refreshed.collect()
}

/// Whether an element with a secret cannot be followed. An equal index is a guess that secrets do not go by: elements
/// may have changed places and contents.
fn loses_a_secret_element(items: &[Value], held: &[Value], element: Place, at: Written<'_>) -> bool {
    items.iter().any(Value::contains_secret) && {
        let followed = partners(items, held, element, Guess::ByKey, at);
        followed.iter().zip(items).any(|(partner, item)| partner.is_none() && item.contains_secret())
    }
}
