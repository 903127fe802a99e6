//! Values that replace what the service holds as one: lists, and values of another kind.
//!
//! What is not the user's to change goes along: AWS's own tags, members that the service added to elements, and leaves
//! that only creation may set, with the value that they have.

use metadata::view::Type;
use serde_json::{Map as JsonMap, Value as Json};
use value::{Map, Value};

use crate::baseline::partners::{Guess, partners};
use crate::convert::to_cfn::empty_like;
use crate::convert::{ConvertError, Select, value_to_cfn};
use crate::equality::written::Written;
use crate::marks::Mark;
use crate::place::{Entries, Object, Place, Shape, present};
use crate::union;

/// The new value in CloudFormation's form, with what must be carried along from `model`; `None` when nothing of it may
/// be sent.
///
/// `old` is what the user wrote last time, so that a member that the user took out is not carried along.
pub(super) fn merged(
    place: Place,
    (old, new): (Option<&Value>, &Value),
    model: &Json,
    live: &Value,
    at: Written<'_>,
) -> Result<Option<Json>, ConvertError> {
    if place.marks.covered(Mark::CreateOnly) {
        return Ok(Some(model.clone()));
    }
    let (old, new) = (old.map(Value::unsecret), new.unsecret());
    if !same_arm(place, old, new) || is_of_another_arm(place, live, new) {
        return value_to_cfn(new, place, Select::Updatable);
    }
    match (new, model, live, place.shape(new)) {
        (Value::Object(wanted), Json::Object(model), Value::Object(live), Shape::Declared(object)) => {
            let none = Map::new();
            let old = old.and_then(Value::as_object).unwrap_or(&none);
            members(object, (old, wanted), model, live, at).map(|members| Some(Json::Object(members)))
        }
        (Value::Object(wanted), Json::Object(model), Value::Object(live), Shape::Entries(entries))
            if matches!(place.ty, Type::Map(_)) =>
        {
            let none = Map::new();
            let old = old.and_then(Value::as_object).unwrap_or(&none);
            self::entries(entries, (old, wanted), model, live, at).map(|entries| Some(Json::Object(entries)))
        }
        (Value::Array(items), Json::Array(model), Value::Array(live), Shape::Items(element)) => {
            let old = old.and_then(Value::as_array).unwrap_or_default();
            list((place, element), (old, items), model, live, at).map(|items| Some(Json::Array(items)))
        }
        _ => value_to_cfn(new, place, Select::Updatable),
    }
}

/// Whether old and new value are of the same arm, where the type is a union; if not, nothing of the old one may stay.
pub(super) fn same_arm(place: Place, old: Option<&Value>, new: &Value) -> bool {
    let (Type::Union(arms), Some(old)) = (place.ty, old) else { return true };
    match (union::choose(arms, old), union::choose(arms, new)) {
        (Type::Object(one), Type::Object(other)) => one.index() == other.index(),
        _ => true,
    }
}

/// Whether the service holds another arm than the one that is wanted: somebody chose it since. Nothing of it may stay.
pub(super) fn is_of_another_arm(place: Place, live: &Value, new: &Value) -> bool {
    matches!(place.ty, Type::Union(arms) if union::exclude_each_other(arms, live, new))
}

fn members(
    object: Object,
    (old, new): (&Map, &Map),
    model: &JsonMap<String, Json>,
    live: &Map,
    at: Written<'_>,
) -> Result<JsonMap<String, Json>, ConvertError> {
    let mut merged = JsonMap::new();
    for (cfn_name, held) in model {
        let own = object.properties.get_cfn(cfn_name).is_some_and(|property| {
            let marks = object.place(property).marks;
            let given = present(new.get(property.name())).is_some();
            let was_given = present(old.get(property.name())).is_some();
            !marks.covered(Mark::CreateOnly) && (given || (was_given && !marks.covered(Mark::ReadOnly)))
        });
        if !own {
            merged.insert(cfn_name.clone(), held.clone());
        }
    }
    for (name, value) in new {
        let (Some(property), place) = object.member(name) else { continue };
        let cfn_name = property.cfn_name();
        if value.is_null() || merged.contains_key(cfn_name) {
            continue;
        }
        let held = model.get(cfn_name).zip(live.get(name));
        if let Some(json) = with_what_is_held(place, (old.get(name), value), held, at.key(name))? {
            merged.insert(cfn_name.to_owned(), json);
        }
    }
    Ok(merged)
}

/// A map that the user owns as a whole; what the service added to an entry goes along.
fn entries(
    entries: Entries,
    (old, new): (&Map, &Map),
    model: &JsonMap<String, Json>,
    live: &Map,
    at: Written<'_>,
) -> Result<JsonMap<String, Json>, ConvertError> {
    let mut merged = JsonMap::new();
    for (key, value) in new.iter().filter(|(_, value)| !value.is_null()) {
        let place = entries.entry(key);
        let held = model.get(key).zip(live.get(key));
        if let Some(json) = with_what_is_held(place, (old.get(key), value), held, at.key(key))? {
            merged.insert(key.clone(), json);
        }
    }
    Ok(merged)
}

/// [`merged`] where the service holds something, else the new value alone.
fn with_what_is_held(
    place: Place,
    (old, new): (Option<&Value>, &Value),
    held: Option<(&Json, &Value)>,
    at: Written<'_>,
) -> Result<Option<Json>, ConvertError> {
    match held {
        Some((model, live)) => merged(place, (old, new), model, live, at),
        None => value_to_cfn(new, place, Select::Updatable),
    }
}

fn list(
    (place, element): (Place, Place),
    (old, new): (&[Value], &[Value]),
    model: &[Json],
    live: &[Value],
    at: Written<'_>,
) -> Result<Vec<Json>, ConvertError> {
    let visible: Vec<&Value> = new.iter().filter(|item| place.shows_item(item)).collect();
    let wanted: Vec<Value> = visible.into_iter().cloned().collect();
    let guess = if place.is_set() { Guess::ByName } else { Guess::ByIndex };
    // Where elements are left out, the indexes are no longer the user's; nothing is rewritten in tags.
    let at = if wanted.len() == new.len() { at } else { Written::NOWHERE };
    let of_live = partners(&wanted, live, element, guess, at);
    let of_old = partners(&wanted, old, element, guess, Written::NOWHERE);
    // What the user wrote for the very element that is there now says what of it is the user's.
    let written = partners(old, live, element, guess, Written::NOWHERE);
    let was = |index: usize, partner: usize| written.iter().position(|live| *live == Some(partner)).or(of_old[index]);
    let mut merged = Vec::with_capacity(wanted.len());
    for (index, item) in wanted.iter().enumerate() {
        let held = of_live[index].and_then(|partner| Some((partner, model.get(partner)?, live.get(partner)?)));
        let json = match held {
            Some((partner, model, live)) => {
                let earlier = was(index, partner).and_then(|at| old.get(at));
                self::merged(element, (earlier, item), model, live, at.index(index))?
            }
            None => value_to_cfn(item, element, Select::Updatable)?,
        };
        merged.push(json.unwrap_or_else(|| empty_like(item)));
    }
    merged.extend(model.iter().filter(|item| !place.shows_json(item)).cloned());
    Ok(merged)
}
