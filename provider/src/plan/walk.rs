//! The walk that finds changes.
//!
//! Three values are followed side by side: what the user wrote last time (`old`), what the user writes now (`new`), and
//! what the service was last seen to hold (`live`). The difference between the first two is the change; the third says
//! whether the service already has it.

use metadata::view::Property;
use value::{Map, Value};

use super::emit::Change;
use super::evidence::{Live, is_empty_list, is_unreadable, leaves_all, shows_what_is_fixed};
use super::{Plan, Recorded};
use crate::equality::rewrites::{Constants, Rewrites};
use crate::equality::written::{At, Step, Written};
use crate::equality::{Comparison, Hidden, Secrecy, arn, is_default};
use crate::marks::Mark;
use crate::place::{Object, Place, Shape};
use crate::subject::Subject;

/// The state of one walk.
pub(super) struct Walk<'a> {
    pub(super) path: Vec<Step<'a>>,
    pub(super) plan: Plan,
    /// Every declared value counts as the user's: there are no recorded inputs.
    pub(super) unrecorded: bool,
    pub(super) imported: bool,
    /// The tags property.
    pub(super) tags: Option<&'static str>,
    /// What the service makes of the recorded inputs, and of the new ones.
    rewrites: (&'a Rewrites<'a>, &'a Rewrites<'a>),
}

pub(super) fn plan(subject: Subject, recorded: Recorded<'_>, news: &Map) -> Plan {
    let empty = Map::new();
    let old = recorded.inputs.unwrap_or(&empty);
    let of_old = Rewrites::of(subject, old, Constants::Refused);
    let of_new = Rewrites::of(subject, news, Constants::Refused).sharing(&of_old);
    let mut walk = Walk {
        path: Vec::new(),
        plan: Plan::default(),
        unrecorded: recorded.inputs.is_none(),
        imported: recorded.imported || recorded.inputs.is_none(),
        tags: subject.tags().map(|tags| tags.property),
        rewrites: (&of_old, &of_new),
    };
    walk.declared(old, news, Object::of(subject), |name| Live::of(recorded.outputs.get(name)));
    let mut plan = walk.plan;
    plan.unreadable.extend(of_old.unreadable());
    plan.unreadable.extend(of_new.unreadable());
    plan.rules_ended = of_new.budget_has_ended();
    plan
}

impl<'a> Walk<'a> {
    /// Members of a declared object, in order of name.
    fn declared(&mut self, old: &'a Map, new: &'a Map, object: Object, live: impl Fn(&str) -> Live<'a>) {
        for name in keys(old, new) {
            let (property, place) = object.member(name);
            let (old, new) = (old.get(name), new.get(name));
            self.at(Step::Key(name), |walk| walk.value(old, new, live(name), place, property));
        }
    }

    pub(super) fn at(&mut self, step: Step<'a>, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    /// One value that may be absent on either side.
    pub(super) fn value(
        &mut self,
        old: Option<&'a Value>,
        new: Option<&'a Value>,
        live: Live<'a>,
        place: Place,
        property: Option<Property>,
    ) {
        match place.sides(old, new) {
            (None, None) => {}
            (Some(old), Some(new)) => self.both(old, new, live, place),
            (None, Some(new)) => self.added(new, live, place, property),
            (Some(old), None) => self.removed(old, live, place, property),
        }
    }

    fn both(&mut self, old: &'a Value, new: &'a Value, live: Live<'a>, place: Place) {
        if old == new {
            return;
        }
        // A document may be the same in other parts, so that its parts say nothing.
        if place.is_document() && self.is_quiet(old, new, live, place) {
            return;
        }
        let marked_alike = old.is_secret() == new.is_secret();
        let (one, other) = (old.unsecret(), new.unsecret());
        match (one, other, place.shape(other)) {
            (Value::Object(one), Value::Object(other), Shape::Declared(object)) => {
                self.plan.record_only |= !marked_alike;
                self.declared(one, other, object, |name| live.member(name));
            }
            (Value::Object(one), Value::Object(other), Shape::Entries(entries)) => {
                self.plan.record_only |= !marked_alike;
                for key in keys(one, other).filter(|key| place.shows(key)) {
                    self.at(Step::Key(key), |walk| {
                        walk.value(one.get(key), other.get(key), live.member(key), entries.entry(key), None);
                    });
                }
            }
            (Value::Array(one), Value::Array(other), Shape::Items(element)) => {
                if self.is_same(old, new, place) {
                    return;
                }
                // Exactly: else a member that the user took out of an element would count as adopted.
                if let Live::Present(live) = live
                    && Comparison::exactly().unless_arns_changed(arn::is_dropped(old, new, live)).matches_at(
                        new,
                        live,
                        place,
                        At::live(self.written_now()),
                    )
                {
                    self.plan.record_only |= new.contains_secret();
                    return;
                }
                if place.tags.is_some() && other.is_empty() && matches!(live, Live::Absent) {
                    // Nothing is there to be removed, and an empty list of tags is never sent.
                    self.plan.record_only = true;
                    return;
                }
                self.plan.record_only |= !marked_alike;
                match place.is_set() {
                    true => self.sets(one, other, place, element),
                    false => self.lists(one, other, element),
                }
            }
            _ if self.is_quiet(old, new, live, place) => {}
            _ => self.emit(Change::Update, place, Some(old), Some(new)),
        }
    }

    /// Whether two values that are not equal are no change: they mean the same, or the service holds the new one already.
    /// What is then to be recorded is noted.
    fn is_quiet(&mut self, old: &Value, new: &Value, live: Live<'_>, place: Place) -> bool {
        if self.is_same(old, new, place) {
            return true;
        }
        let adopted = self.already_there(Some(old), new, live, place);
        self.plan.record_only |= adopted && new.contains_secret();
        adopted
    }

    /// Whether two values mean the same; a mark of secrecy that comes or goes is noted.
    fn is_same(&mut self, old: &Value, new: &Value, place: Place) -> bool {
        let same = |secrecy| Comparison::desired(secrecy).matches_at(old, new, place, self.written());
        let found = same(Secrecy::Ignored);
        self.plan.record_only |= found && !same(Secrecy::Counts);
        found
    }

    /// Where the walk stands in the recorded inputs and in the new ones.
    pub(super) fn written(&self) -> At<'_> {
        let (old, new) = self.rewrites;
        At { first: Written::at(old, &self.path), second: Written::at(new, &self.path) }
    }

    /// Where the walk stands in the new inputs.
    fn written_now(&self) -> Written<'_> {
        self.written().second
    }

    /// Whether the service already holds what the user writes now, so that adopting it costs nothing.
    fn already_there(&self, old: Option<&Value>, new: &Value, live: Live<'_>, place: Place) -> bool {
        match live {
            Live::Unknown | Live::Absent => false,
            Live::Present(live) => {
                let arns_changed = old.is_some_and(|old| arn::is_dropped(old, new, live));
                // A document exactly: else a member that the user took out of it would count as adopted.
                let comparison = match place.is_document() {
                    true => Comparison::exactly(),
                    false => Comparison::live(Hidden::Missing),
                };
                let comparison = comparison.unless_arns_changed(arns_changed);
                comparison.matches_at(new, live, place, At::live(self.written_now()))
            }
        }
    }

    fn lists(&mut self, old: &'a [Value], new: &'a [Value], element: Place) {
        for index in 0..old.len().max(new.len()) {
            self.at(Step::Index(index), |walk| {
                walk.value(old.get(index), new.get(index), Live::Unknown, element, None);
            });
        }
    }

    fn added(&mut self, new: &'a Value, live: Live<'a>, place: Place, property: Option<Property>) {
        let imported = self.imported || property.is_some_and(Property::required);
        let is_invisible = match live {
            Live::Absent => true,
            // Whatever an element holds, it does not show such a member; an element itself would be seen.
            Live::Unknown => property.is_some(),
            Live::Present(_) => false,
        };
        if imported && is_invisible {
            if is_unreadable(new, place) {
                // Nothing says that it differs. What is required was given at creation, whatever the state says.
                self.plan.record_only = true;
                return;
            }
            if place.touches(new, Mark::WriteOnly) && !shows_what_is_fixed(new, place) {
                // Nothing says that what is fixed in it differs, and the rest can be sent.
                self.emit_as(Change::Add, place, false, [None, Some(new)]);
                return;
            }
        }
        let is_fixed = place.marks.covered(Mark::CreateOnly) || !place.marks.updatable();
        let says_nothing = is_default(new, place, property) || is_empty_list(new);
        if is_fixed && matches!(live, Live::Absent) && property.is_some() && says_nothing {
            // Nothing was said at creation, so that it is what is said now.
            self.plan.record_only |= new.contains_secret();
            return;
        }
        if is_invisible && place.tags.is_some() && new.unsecret().as_array().is_some_and(<[_]>::is_empty) {
            // An empty list of tags is never sent.
            self.plan.record_only = true;
            return;
        }
        if let Live::Present(held) = live {
            if self.already_there(None, new, live, place) {
                self.plan.record_only |= new.contains_secret();
                return;
            }
            let (value, held) = (new.unsecret(), held.unsecret());
            match (value, held, place.shape(value)) {
                (Value::Object(members), Value::Object(_), Shape::Declared(object)) => {
                    for (name, member) in members {
                        let (property, place) = object.member(name);
                        self.at(Step::Key(name), |walk| {
                            walk.value(None, Some(member), live.member(name), place, property);
                        });
                    }
                    return;
                }
                (Value::Object(members), Value::Object(_), Shape::Entries(entries)) if !place.is_document() => {
                    for (key, member) in members.iter().filter(|(key, _)| place.shows(key)) {
                        self.at(Step::Key(key), |walk| {
                            walk.value(None, Some(member), live.member(key), entries.entry(key), None);
                        });
                    }
                    return;
                }
                _ => {}
            }
            if self.unrecorded {
                self.emit(Change::Update, place, None, Some(new));
                return;
            }
        }
        self.emit(Change::Add, place, None, Some(new));
    }

    fn removed(&mut self, old: &'a Value, live: Live<'a>, place: Place, property: Option<Property>) {
        // What nothing is said of takes its default; an element or an entry is gone, whatever it held.
        if property.is_some() && is_default(old, place, property) {
            return;
        }
        // What was empty says nothing, so that nothing goes.
        if property.is_some() && is_empty_list(old) && matches!(live, Live::Present(live) if is_empty_list(live)) {
            return;
        }
        let is_element = matches!(self.path.last(), Some(Step::Index(_)));
        if place.marks.covered(Mark::ReadOnly) && !place.marks.covered(Mark::CreateOnly) && !is_element {
            // The service goes on setting it: there is nothing to remove, but to forget.
            self.plan.record_only = true;
            return;
        }
        if matches!(live, Live::Absent) && !place.hidden() && !place.marks.below(Mark::WriteOnly) {
            // It is gone already, or was never returned: there is nothing to remove, but to forget.
            self.plan.record_only = true;
            return;
        }
        if let Live::Present(live) = live
            && property.is_some()
            && leaves_all(old, live, place)
        {
            self.plan.record_only = true;
            return;
        }
        self.emit(Change::Delete, place, Some(old), None);
    }
}

/// The names of two objects, each once, in order.
fn keys<'a>(one: &'a Map, other: &'a Map) -> impl Iterator<Item = &'a str> {
    let (mut one, mut other) = (one.keys().peekable(), other.keys().peekable());
    std::iter::from_fn(move || match (one.peek(), other.peek()) {
        (Some(left), Some(right)) if left == right => {
            other.next();
            one.next()
        }
        (Some(left), Some(right)) if left < right => one.next(),
        (Some(_), None) => one.next(),
        (_, Some(_)) => other.next(),
        (None, None) => None,
    })
    .map(String::as_str)
}
