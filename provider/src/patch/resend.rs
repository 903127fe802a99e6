//! Write-only values that an update must send again.
//!
//! The service patches what it can read, so that every write-only value that is not in the patch is lost. They are sent
//! with `add`, since the model has nothing there; the ones that only creation may set are never sent.

use serde_json::Value as Json;
use value::{Map, Value};

use super::document::Patch;
use super::walk::Held;
use super::whole;
use crate::convert::{ConvertError, Select, value_to_cfn};
use crate::equality::written::Written;
use crate::marks::Mark;
use crate::place::{Object, Place, Shape, present};

/// Adds what is missing for the members of a declared object that the service holds.
pub(super) fn members(
    patch: &mut Patch,
    object: Object,
    new: &Map,
    held: Held<'_>,
    at: Written<'_>,
) -> Result<(), ConvertError> {
    if !object.marks().below(Mark::WriteOnly) {
        return Ok(());
    }
    for (name, wanted) in new {
        if let (Some(property), place) = object.member(name)
            && let Some(wanted) = present(Some(wanted))
        {
            let cfn_name = property.cfn_name();
            patch.at(cfn_name, |patch| value(patch, place, wanted, held.get(cfn_name, name), at.key(name)))?;
        }
    }
    Ok(())
}

fn value(
    patch: &mut Patch,
    place: Place,
    new: &Value,
    held: Option<(&Json, &Value)>,
    at: Written<'_>,
) -> Result<(), ConvertError> {
    if patch.is_set() || !is_hidden(new, place) {
        return Ok(());
    }
    let Some((model, live)) = held else {
        // The nearest ancestor that the model lacks goes whole.
        if let Some(json) = value_to_cfn(new, place, Select::Updatable)? {
            patch.add(json);
        }
        return Ok(());
    };
    if place.hidden() {
        // It can be read after all, so that the service does not lose it.
        return Ok(());
    }
    let new = new.unsecret();
    if whole::is_of_another_arm(place, live, new) {
        // Nothing of one arm belongs into another.
        return Ok(());
    }
    match (new, place.shape(new), Held::object(held)) {
        (Value::Object(wanted), Shape::Declared(object), Some(below)) => members(patch, object, wanted, below, at),
        (Value::Object(wanted), Shape::Entries(entries), Some(below)) => {
            for (key, wanted) in wanted {
                patch.at(key, |patch| value(patch, entries.entry(key), wanted, below.get(key, key), at.key(key)))?;
            }
            Ok(())
        }
        (Value::Array(_), Shape::Items(_), _) => {
            if let Some(json) = whole::merged(place, (Some(new), new), model, live, at)? {
                patch.add(json);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether the value holds something write-only that an update may send.
fn is_hidden(value: &Value, place: Place) -> bool {
    if place.marks.covered(Mark::CreateOnly) || place.marks.covered(Mark::ReadOnly) || value.is_null() {
        return false;
    }
    if place.hidden() {
        return true;
    }
    place.marks.below(Mark::WriteOnly) && place.parts(value).any(|(part, place)| is_hidden(part, place))
}
