//! When two values mean the same to the service.
//!
//! Lists without a meaningful order compare as multisets, tags as a set, an absent member equals a null and its own
//! default. Where two values are not plainly equal, [`meaning`] asks the rules for what services rewrite, so that Diff, Read
//! and the patch follow together:
//!
//! | module | what is in it |
//! |---|---|
//! | [`meaning`] | the order in which the rules below are asked |
//! | [`leaf`] | the hints of the metadata: case, dots, versions; numbers and flags as text |
//! | [`document`], [`policy`] | JSON documents and policy documents, as text or as values |
//! | [`arn`] | names and ARNs of the same thing |
//! | [`printed`] | letter case of listed values, single precision, forms of times and addresses |
//! | [`rewrites`] | what the schema says that the service makes of a value, on inputs at a place ([`written`]) |
//! | [`matching`] | pairs of elements of lists without a meaningful order |
//! | [`defaults`] | what is the same as nothing |

pub mod arn;
pub mod defaults;
pub mod document;
pub mod leaf;
pub mod matching;
pub mod meaning;
pub mod policy;
pub mod printed;
pub mod rewrites;
pub mod written;

use std::cell::Cell;

use metadata::view::Property;
use value::{Map, Value};

use crate::place::{Entries, Object, Place, Shape, present};
use written::At;

pub use defaults::is_default;

/// What the second value of a comparison is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// Another desired value: it must say as much as the first.
    Desired,
    /// What the service holds: it may say more, and says nothing about values that it never returns.
    Live(Hidden),
    /// What the service holds, if it says as much as the first.
    Exactly,
}

impl Against {
    /// Whether the second value is the service's.
    pub fn is_live(self) -> bool {
        match self {
            Self::Live(_) | Self::Exactly => true,
            Self::Desired => false,
        }
    }
}

/// What to think of a value that the service does not return because it is write-only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// It is as the user wrote it.
    Assumed,
    /// It is absent.
    Missing,
}

/// Whether marks of secrecy count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// A secret equals only a secret.
    Counts,
    /// Only the values below the marks count.
    Ignored,
}

/// One comparison of whole trees; the budget for matching lists is shared by all of it.
#[derive(Debug)]
pub struct Comparison {
    against: Against,
    secrecy: Secrecy,
    /// Whether a name may stand for the ARN that ends in it.
    arns: bool,
    budget: Cell<usize>,
}

impl Comparison {
    /// A comparison of two desired values.
    pub fn desired(secrecy: Secrecy) -> Self {
        Self { against: Against::Desired, secrecy, arns: false, budget: Cell::new(matching::BUDGET) }
    }

    /// A comparison of a desired value with what the service holds; secrecy never counts there.
    pub fn live(hidden: Hidden) -> Self {
        Self {
            against: Against::Live(hidden),
            secrecy: Secrecy::Ignored,
            arns: true,
            budget: Cell::new(matching::BUDGET),
        }
    }

    /// A comparison of a desired value with what the service holds, which must say as much.
    pub fn exactly() -> Self {
        Self { against: Against::Exactly, ..Self::live(Hidden::Missing) }
    }

    /// Without the rules that let a name stand for an ARN, if `changed` says that the user went from one ARN to another:
    /// then a name says nothing about which of them it is.
    pub fn unless_arns_changed(self, changed: bool) -> Self {
        Self { arns: self.arns && !changed, ..self }
    }

    /// Whether `first`, which the user wrote, is met by `second`.
    ///
    /// An unknown is met by nothing but an equal unknown. Nothing is known of what is around the values; see
    /// [`Self::matches_at`].
    pub fn matches(&self, first: &Value, second: &Value, place: Place) -> bool {
        self.matches_at(first, second, place, At::NOWHERE)
    }

    /// [`Self::matches`] for values that stand somewhere, so that rules of the schema count that look around them.
    pub fn matches_at(&self, first: &Value, second: &Value, place: Place, at: At<'_>) -> bool {
        if self.secrecy == Secrecy::Counts && first.is_secret() != second.is_secret() {
            return false;
        }
        let (first, second) = (first.unsecret(), second.unsecret());
        self.parts_match(first, second, place, at) || self.mean_the_same(first, second, place, at)
    }

    fn parts_match(&self, first: &Value, second: &Value, place: Place, at: At<'_>) -> bool {
        match (first, second) {
            (Value::Object(one), Value::Object(other)) => match place.shape(first) {
                Shape::Declared(object) => self.declared_match(one, other, object, at),
                Shape::Entries(entries) => self.entries_match(one, other, place, entries, at),
                Shape::Items(_) | Shape::Leaf => false,
            },
            (Value::Array(one), Value::Array(other)) => match place.shape(first) {
                Shape::Items(element) => self.arrays_match(one, other, place, element, at),
                Shape::Declared(_) | Shape::Entries(_) | Shape::Leaf => false,
            },
            _ => value::equality::equal(first, second),
        }
    }

    /// Whether the members that the user wrote are met.
    fn declared_match(&self, first: &Map, second: &Map, object: Object, at: At<'_>) -> bool {
        let met = first.iter().filter(|(_, value)| !value.is_null()).all(|(name, value)| {
            let (property, place) = object.member(name);
            match present(second.get(name)) {
                Some(other) => self.matches_at(value, other, place, at.key(name)),
                None => self.absence_matches(value, place, property),
            }
        });
        met && match self.against {
            Against::Live(_) => true,
            Against::Desired | Against::Exactly => {
                second.iter().all(|(name, value)| value.is_null() || present(first.get(name)).is_some())
            }
        }
    }

    /// Whether nothing at all meets `value`.
    fn absence_matches(&self, value: &Value, place: Place, property: Option<Property>) -> bool {
        is_default(value, place, property)
            || match self.against {
                Against::Desired | Against::Exactly => false,
                Against::Live(hidden) => self.nothing_to_see(value, place, hidden),
            }
    }

    /// Whether the service returns nothing for `value` even if it holds it.
    fn nothing_to_see(&self, value: &Value, place: Place, hidden: Hidden) -> bool {
        if place.hidden() {
            return hidden == Hidden::Assumed;
        }
        let value = value.unsecret();
        match (value, place.shape(value)) {
            // Services return nothing for an empty container, but to give one can still be a change.
            (Value::Array(items), _) => items.is_empty() && hidden == Hidden::Assumed,
            (Value::String(text), _) => text.is_empty() && hidden == Hidden::Assumed,
            (Value::Object(members), _) if members.is_empty() => hidden == Hidden::Assumed,
            (Value::Object(members), Shape::Declared(object)) => {
                members.iter().filter(|(_, member)| !member.is_null()).all(|(name, member)| {
                    let (property, place) = object.member(name);
                    self.absence_matches(member, place, property)
                })
            }
            _ => false,
        }
    }

    fn entries_match(&self, first: &Map, second: &Map, place: Place, entries: Entries, at: At<'_>) -> bool {
        let visible = |key: &str, value: &Value| !value.is_null() && place.shows(key);
        let met = first.iter().filter(|(key, value)| visible(key, value)).all(|(key, value)| {
            let place = entries.entry(key);
            match (present(second.get(key)), self.against) {
                (Some(other), _) => self.matches_at(value, other, place, at.key(key)),
                (None, Against::Live(Hidden::Assumed)) => place.hidden(),
                (None, Against::Live(Hidden::Missing) | Against::Desired | Against::Exactly) => false,
            }
        });
        met && second.iter().all(|(key, value)| !visible(key, value) || present(first.get(key)).is_some())
    }

    fn arrays_match(&self, first: &[Value], second: &[Value], place: Place, element: Place, at: At<'_>) -> bool {
        if !place.is_set() {
            let mut pairs = first.iter().zip(second).enumerate();
            return first.len() == second.len()
                && pairs.all(|(index, (one, other))| self.matches_at(one, other, element, at.indexes(index, index)));
        }
        let (first, second) = (visible(first, place), visible(second, place));
        let mut pairs = first.iter().zip(&second);
        first.len() == second.len()
            && (pairs.all(|(one, other)| self.items_match(*one, *other, element, at))
                || self.pair(&first, &second, element, at).iter().all(Option::is_some))
    }

    fn items_match(&self, first: Item<'_>, second: Item<'_>, element: Place, at: At<'_>) -> bool {
        self.matches_at(first.1, second.1, element, at.indexes(first.0, second.0))
    }

    /// Pairs elements of two lists, which stand at `at`: for each of the first its partner in the second.
    pub fn pair(&self, first: &[Item<'_>], second: &[Item<'_>], element: Place, at: At<'_>) -> Vec<Option<usize>> {
        matching::pair(&values(first), &values(second), &self.budget, |one, other| {
            self.items_match(first[one], second[other], element, at)
        })
    }
}

fn values<'v>(items: &[Item<'v>]) -> Vec<&'v Value> {
    items.iter().map(|(_, item)| *item).collect()
}

/// An element with its index in the list.
pub type Item<'v> = (usize, &'v Value);

/// The elements of a list that take part in comparisons: in a list of tags not AWS's own.
pub fn visible(items: &[Value], place: Place) -> Vec<Item<'_>> {
    items.iter().enumerate().filter(|(_, item)| place.shows_item(item)).collect()
}
