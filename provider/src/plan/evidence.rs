//! What the service shows of a value, and what its silence proves.
//!
//! A member that is not in the state may be held all the same: by the schema a read never returns it. The walk asks here
//! before it takes an absence for a change.

use metadata::view::Property;
use value::Value;

use crate::equality::is_default;
use crate::marks::Mark;
use crate::place::{Place, Shape, present};

/// What the service holds at a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Live<'a> {
    /// Not known: inside lists, where positions say nothing, and where the service has another form.
    Unknown,
    /// Nothing.
    Absent,
    /// This.
    Present(&'a Value),
}

impl<'a> Live<'a> {
    pub(super) fn of(value: Option<&'a Value>) -> Self {
        present(value).map_or(Self::Absent, Self::Present)
    }

    pub(super) fn member(self, name: &str) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Absent => Self::Absent,
            Self::Present(value) => match value.unsecret() {
                Value::Object(members) => Self::of(members.get(name)),
                // Another form of the same, as a document's text is.
                _ => Self::Unknown,
            },
        }
    }
}

/// Whether no read can ever return the value and no update can change it: all of it is write-only, and create-only or of
/// a type that has no updates.
pub(super) fn is_unreadable(value: &Value, place: Place) -> bool {
    let is_fixed = place.marks.covered(Mark::CreateOnly) || !place.marks.updatable();
    if place.hidden() && is_fixed {
        return true;
    }
    let hides = place.hidden() || place.marks.below(Mark::WriteOnly);
    if !hides || !(is_fixed || place.marks.below(Mark::CreateOnly)) {
        return false;
    }
    let mut parts = place.parts(value).peekable();
    parts.peek().is_some() && parts.all(|(part, place)| is_unreadable(part, place))
}

/// Whether the value holds anything that no update can change and that a read would have shown.
pub(super) fn shows_what_is_fixed(value: &Value, place: Place) -> bool {
    if place.hidden() || value.unsecret().is_null() {
        return false;
    }
    let is_fixed = place.marks.covered(Mark::CreateOnly) || !place.marks.updatable();
    let mut parts = place.parts(value).peekable();
    match parts.peek() {
        Some(_) => parts.any(|(part, place)| shows_what_is_fixed(part, place)),
        None => is_fixed,
    }
}

pub(super) fn is_empty_list(value: &Value) -> bool {
    value.unsecret().as_array().is_some_and(<[_]>::is_empty)
}

/// Whether the service holds an object of which nothing was the user's, so that it stays as it is when the user no longer
/// gives one.
pub(super) fn leaves_all(old: &Value, live: &Value, place: Place) -> bool {
    let old = old.unsecret();
    let (Value::Object(own), Value::Object(held)) = (old, live.unsecret()) else { return false };
    !held.is_empty()
        && match place.shape(old) {
            Shape::Declared(object) => own.iter().filter(|(_, member)| !member.is_null()).all(|(name, member)| {
                let (property, place) = object.member(name);
                let stays = |held| leaves_all(member, held, place);
                let is_set_by_service = place.marks.covered(Mark::ReadOnly);
                !property.is_some_and(Property::required)
                    && (is_set_by_service
                        || is_default(member, place, property)
                        || present(held.get(name)).is_none_or(stays))
            }),
            Shape::Entries(_) => own.keys().all(|key| !held.contains_key(key)),
            Shape::Items(_) | Shape::Leaf => false,
        }
}
