//! The walk that decides the operations.

use metadata::view::Property;
use serde_json::Value as Json;
use value::{Map, Value};

use super::document::Patch;
use super::whole;
use crate::convert::{ConvertError, Select, value_to_cfn};
use crate::equality::written::{At, Written};
use crate::equality::{Comparison, Hidden, Secrecy, arn, is_default};
use crate::marks::Mark;
use crate::place::{Object, Place, Shape, present};

/// An object that the service holds, in both forms. Not for printing: nothing in it is marked secret.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub model: &'a Json,
    pub live: &'a Map,
}

impl<'a> Held<'a> {
    /// What the service holds under a member or key.
    pub fn get(self, cfn_name: &str, sdk_name: &str) -> Option<(&'a Json, &'a Value)> {
        let model = self.model.get(cfn_name).filter(|model| !model.is_null())?;
        Some((model, self.live.get(sdk_name)?))
    }

    /// The object below, if both forms have one.
    pub fn object(found: Option<(&'a Json, &'a Value)>) -> Option<Self> {
        let (model, live) = found?;
        Some(Self { model, live: live.as_object().filter(|_| model.is_object())? })
    }
}

/// Operations for the members of a declared object that the service holds.
pub(super) fn members(
    patch: &mut Patch,
    object: Object,
    (old, new): (&Map, &Map),
    held: Held<'_>,
    at: At<'_>,
) -> Result<(), ConvertError> {
    for property in object.properties.iter() {
        let (name, cfn_name) = (property.name(), property.cfn_name());
        let (old, new) = (present(old.get(name)), present(new.get(name)));
        if old.is_some() || new.is_some() {
            let place = object.place(property);
            let held = held.get(cfn_name, name);
            patch
                .at(cfn_name, |patch| value(patch, place, Some(property), (old, new), held, at.key(name)))
                .map_err(|error| error.under(name))?;
        }
    }
    Ok(())
}

type Found<'a> = Option<(&'a Json, &'a Value)>;

fn value(
    patch: &mut Patch,
    place: Place,
    property: Option<Property>,
    (old, new): (Option<&Value>, Option<&Value>),
    held: Found<'_>,
    at: At<'_>,
) -> Result<(), ConvertError> {
    if place.marks.covered(Mark::CreateOnly) {
        return Ok(());
    }
    match place.sides(old, new) {
        // What the service sets itself goes back to the service when the user gives it no more.
        (Some(_), None) if place.marks.covered(Mark::ReadOnly) => Ok(()),
        (None, None) => Ok(()),
        (Some(old), Some(new)) if Comparison::desired(Secrecy::Ignored).matches_at(old, new, place, at) => Ok(()),
        (old, Some(new)) => set(patch, place, (old, new), held, at),
        (Some(old), None) => remove(patch, place, property, old, held, at),
    }
}

fn set(
    patch: &mut Patch,
    place: Place,
    (old, new): (Option<&Value>, &Value),
    held: Found<'_>,
    at: At<'_>,
) -> Result<(), ConvertError> {
    let Some((model, live)) = held else {
        if old.is_some_and(|old| says_less(old, new, place, at)) {
            // The service has lost all of it, and what is taken out needs no sending.
            return Ok(());
        }
        match value_to_cfn(&place.visible(new), place, Select::Updatable)? {
            Some(json) if !(place.tags.is_some() && is_empty(&json)) => patch.add(json),
            _ => {}
        }
        return Ok(());
    };
    let (old, new) = (old.map(Value::unsecret), new.unsecret());
    if is_there(place, (old, new), live, at.second) {
        return Ok(());
    }
    // As in the plan, what is given for the first time may be what the service does anyway.
    if old.is_none() && Comparison::live(Hidden::Missing).matches_at(new, live, place, At::live(at.second)) {
        return Ok(());
    }
    if whole::same_arm(place, old, new)
        && !whole::is_of_another_arm(place, live, new)
        && !is_new_document(place, old, new)
        && let Value::Object(wanted) = new
        && let Some(below) = Held::object(held)
    {
        let none = Map::new();
        let old = old.and_then(Value::as_object).unwrap_or(&none);
        match place.shape(new) {
            Shape::Declared(object) => return members(patch, object, (old, wanted), below, at),
            Shape::Entries(entries) => {
                let keys = old.keys().chain(wanted.keys().filter(|key| !old.contains_key(*key)));
                for key in keys.filter(|key| place.shows(key)) {
                    let pair = (present(old.get(key)), present(wanted.get(key)));
                    let held = below.get(key, key);
                    patch
                        .at(key, |patch| value(patch, entries.entry(key), None, pair, held, at.key(key)))
                        .map_err(|error| error.under(key))?;
                }
                return Ok(());
            }
            Shape::Items(_) | Shape::Leaf => {}
        }
    }
    if let Some(json) = whole::merged(place, (old, new), model, live, at.second)?
        && !same_json(&json, model, place)
    {
        match place.hidden() {
            true => patch.add(json),
            // Some types refuse an empty list of tags.
            false if place.tags.is_some() && is_empty(&json) => patch.remove(),
            false => patch.replace(json),
        }
    }
    Ok(())
}

/// Whether an object with free keys replaces something of which nobody knows which keys were the user's: a text, which may
/// have been the same document or another one, or, where a document is owned as one, what the service made up.
fn is_new_document(place: Place, old: Option<&Value>, new: &Value) -> bool {
    let is_free = matches!(place.shape(new), Shape::Entries(_));
    is_free && old.map_or(place.is_document(), |old| old.as_object().is_none())
}

/// Whether the service holds a value that is sent as one already, in whatever form it has for it.
fn is_there(place: Place, (old, new): (Option<&Value>, &Value), live: &Value, at: Written<'_>) -> bool {
    let comparison = match new {
        _ if place.is_document() => Comparison::exactly(),
        Value::Object(_) if live.as_object().is_some() => return false,
        Value::Object(_) | Value::Array(_) => Comparison::exactly(),
        _ => Comparison::live(Hidden::Missing),
    };
    let arns_changed = old.is_some_and(|old| arn::is_dropped(old, new, live));
    comparison.unless_arns_changed(arns_changed).matches_at(new, live, place, At::live(at))
}

/// Whether `new` is but a part of `old`, an object that a read returns.
fn says_less(old: &Value, new: &Value, place: Place, at: At<'_>) -> bool {
    let (Value::Object(old), Value::Object(wanted)) = (old.unsecret(), new.unsecret()) else { return false };
    if place.hidden() || place.marks.below(Mark::WriteOnly) {
        return false;
    }
    let shape = place.shape(new.unsecret());
    wanted.iter().filter(|(_, member)| !member.is_null()).all(|(name, member)| {
        let place = match shape {
            Shape::Declared(object) => object.member(name).1,
            Shape::Entries(entries) => entries.entry(name),
            Shape::Items(_) | Shape::Leaf => return false,
        };
        let at = at.key(name);
        present(old.get(name)).is_some_and(|old| {
            Comparison::desired(Secrecy::Ignored).matches_at(old, member, place, at)
                || says_less(old, member, place, at)
        })
    })
}

/// Takes away what was the user's, as far as the service has it.
fn remove(
    patch: &mut Patch,
    place: Place,
    property: Option<Property>,
    old: &Value,
    held: Found<'_>,
    at: At<'_>,
) -> Result<(), ConvertError> {
    let Some((model, live)) = held else { return Ok(()) };
    if property.is_none() {
        // An entry is the user's as a whole.
        patch.remove();
        return Ok(());
    }
    if is_default(old, place, property) || (is_empty(model) && old.unsecret().as_array().is_some_and(<[_]>::is_empty)) {
        return Ok(());
    }
    let old = old.unsecret();
    if let Json::Array(items) = model
        && items.iter().any(|item| !place.shows_json(item))
    {
        let managed = items.iter().filter(|item| !place.shows_json(item)).cloned().collect();
        patch.replace(Json::Array(managed));
        return Ok(());
    }
    if let (Value::Object(own), Some(below)) = (old, Held::object(held)) {
        match place.shape(old) {
            Shape::Declared(object) if !goes_whole(own, object, below, live, place) => {
                return members(patch, object, (own, &Map::new()), below, at);
            }
            Shape::Entries(entries) if below.live.keys().any(|key| !own.contains_key(key) || !place.shows(key)) => {
                for key in own.keys().filter(|key| place.shows(key)) {
                    let held = below.get(key, key);
                    let pair = (present(own.get(key)), None);
                    patch
                        .at(key, |patch| value(patch, entries.entry(key), None, pair, held, at.key(key)))
                        .map_err(|error| error.under(key))?;
                }
                return Ok(());
            }
            Shape::Declared(_) | Shape::Entries(_) | Shape::Items(_) | Shape::Leaf => {}
        }
    }
    patch.remove();
    Ok(())
}

/// Whether an object that the user no longer wants is to be removed as one.
///
/// Not if that would take away what the service forbids to touch. Else, if all in it was the user's, or if what would be
/// left could not stand alone.
fn goes_whole(own: &Map, object: Object, held: Held<'_>, live: &Value, place: Place) -> bool {
    if place.touches(live, Mark::CreateOnly) || place.touches(live, Mark::ReadOnly) {
        return false;
    }
    members_are_own(own, held.live)
        || object.properties.iter().any(|property| property.required() && own.contains_key(property.name()))
}

/// Whether all that the service holds was the user's; lists are as a whole.
fn members_are_own(own: &Map, live: &Map) -> bool {
    live.iter().all(|(name, held)| match (own.get(name).map(Value::unsecret), held) {
        (None, _) => false,
        (Some(Value::Object(own)), Value::Object(held)) => members_are_own(own, held),
        (Some(_), _) => true,
    })
}

fn is_empty(json: &Json) -> bool {
    json.as_array().is_some_and(Vec::is_empty)
}

/// Whether nothing would change.
fn same_json(wanted: &Json, model: &Json, place: Place) -> bool {
    let sorted = |items: &[Json]| {
        let mut texts: Vec<String> = items.iter().map(Json::to_string).collect();
        texts.sort_unstable();
        texts
    };
    match (wanted, model) {
        (Json::Array(wanted), Json::Array(model)) if place.is_set() && wanted.len() == model.len() => {
            sorted(wanted) == sorted(model)
        }
        (wanted, model) => wanted == model,
    }
}
