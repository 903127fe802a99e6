//! Which element of a list is which, when one list is the user's and the other the service's.
//!
//! Services reorder lists and add members to their elements, so that positions say little. Elements are paired by what
//! can be read of them.

use std::collections::HashMap;

use metadata::view::{Property, Type};
use value::Value;

use crate::equality::written::{At, Written};
use crate::equality::{Comparison, Hidden, Item};
use crate::marks::Mark;
use crate::place::{Place, Shape, present};

/// Members that tell elements of a list apart, in the order in which they are tried.
const KEYS: [&str; 6] = ["key", "Key", "id", "name", "arn", "type"];

/// How members end that name something (`indexName`, `region`), and so tell elements apart where nothing better does.
const ENDS: [&str; 6] = ["name", "identifier", "id", "arn", "key", "region"];

/// The most pairs of elements that are compared by what only creation can set.
const MOST_PAIRS: usize = 65_536;

/// How far pairs may be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// Only elements that say the same, as far as both can be read.
    Never,
    /// Also elements that share what tells elements apart, or all that only creation can set.
    ByKey,
    /// Then also those that share what by its name may tell elements apart: enough for what a service added, too little for
    /// secrets to go by.
    ByName,
    /// Then also those at the same index.
    ByIndex,
}

/// For each element of `user` its partner in `live`; `user` stands at `at` in what the user wrote.
pub fn partners(user: &[Value], live: &[Value], element: Place, guess: Guess, at: Written<'_>) -> Vec<Option<usize>> {
    let comparison = Comparison::live(Hidden::Assumed);
    let mut found: Vec<Option<usize>> = user
        .iter()
        .enumerate()
        .map(|(index, own)| {
            let at = at.index(index);
            live.get(index).filter(|other| comparison.matches_at(own, other, element, At::live(at))).map(|_| index)
        })
        .collect();
    let in_place = found.iter().flatten().count();
    if in_place < user.len().min(live.len()) {
        // Those in place stay so, unless more find a partner otherwise.
        let mut rest = found.clone();
        let (own, other) = unpaired(&found, live.len());
        pair_rest(&comparison, (user, &own), (live, &other), (element, at), &mut rest);
        if rest.iter().flatten().count() < user.len().min(live.len()) {
            let mut all = vec![None; user.len()];
            let (own, other) = unpaired(&all, live.len());
            pair_rest(&comparison, (user, &own), (live, &other), (element, at), &mut all);
            if all.iter().flatten().count() > rest.iter().flatten().count() {
                rest = all;
            }
        }
        found = rest;
    }
    if guess != Guess::Never {
        for name in KEYS {
            pair_by_key(user, live, name, &mut found);
        }
        pair_by_creation(user, live, element, &mut found);
    }
    if matches!(guess, Guess::ByName | Guess::ByIndex) {
        for name in telling(user, element) {
            pair_by_key(user, live, name, &mut found);
        }
    }
    if guess == Guess::ByIndex {
        let (own, other) = unpaired(&found, live.len());
        for index in own.into_iter().filter(|index| other.binary_search(index).is_ok()) {
            found[index] = Some(index);
        }
    }
    found
}

/// Pairs the elements at the given indexes by what can be read of them.
fn pair_rest(
    comparison: &Comparison,
    (user, own): (&[Value], &[usize]),
    (live, other): (&[Value], &[usize]),
    (element, at): (Place, Written<'_>),
    found: &mut [Option<usize>],
) {
    let owns: Vec<Item<'_>> = own.iter().map(|index| (*index, &user[*index])).collect();
    let others: Vec<Item<'_>> = other.iter().map(|index| (*index, &live[*index])).collect();
    for (place, partner) in comparison.pair(&owns, &others, element, At::live(at)).into_iter().enumerate() {
        found[own[place]] = partner.map(|partner| other[partner]);
    }
}

/// Names of members that by their names may tell elements apart, if the schema requires them.
fn telling(user: &[Value], element: Place) -> Vec<&'static str> {
    let declared = user.iter().find_map(|item| match element.shape(item.unsecret()) {
        Shape::Declared(object) => Some(object.properties),
        Shape::Entries(_) | Shape::Items(_) | Shape::Leaf => None,
    });
    let is_telling = |property: &Property| {
        let name = property.name().to_ascii_lowercase();
        let is_text = matches!(property.ty(), Type::String | Type::Enum(_));
        // What may be left out does not name the element: a role or a key, which several may share.
        property.required() && is_text && ENDS.iter().any(|end| name.ends_with(end))
    };
    let properties = declared.into_iter().flat_map(|all| all.iter());
    properties.filter(is_telling).map(|property| property.name()).collect()
}

/// Pairs what has the same text in the member `name`, if it is the only one on either side.
fn pair_by_key(user: &[Value], live: &[Value], name: &str, found: &mut [Option<usize>]) {
    let (own, other) = unpaired(found, live.len());
    let (owns, others) = (by_key(user, &own, name), by_key(live, &other, name));
    for (key, indexes) in owns {
        if let ([own], Some([other])) = (indexes.as_slice(), others.get(key).map(Vec::as_slice)) {
            found[*own] = Some(*other);
        }
    }
}

/// Pairs what has the same leaves that only creation can set, if it is the only one: an element keeps them for life.
fn pair_by_creation(user: &[Value], live: &[Value], element: Place, found: &mut [Option<usize>]) {
    if !element.marks.below(Mark::CreateOnly) {
        return;
    }
    let (own, mut other) = unpaired(found, live.len());
    if own.len().saturating_mul(other.len()) > MOST_PAIRS {
        return;
    }
    for index in own {
        let mut alike = other.iter().filter(|at| made_alike(&user[index], &live[**at], element) == Some(true)).copied();
        if let (Some(only), None) = (alike.next(), alike.next()) {
            found[index] = Some(only);
            other.retain(|at| *at != only);
        }
    }
}

/// Whether the service holds every leaf that the user wrote and that only creation can set; `None` when there is none that
/// a read shows.
fn made_alike(own: &Value, live: &Value, place: Place) -> Option<bool> {
    if place.hidden() {
        return None;
    }
    if place.marks.covered(Mark::CreateOnly) {
        return Some(Comparison::live(Hidden::Assumed).matches(own, live, place));
    }
    let (Value::Object(members), Value::Object(held), Shape::Declared(object)) =
        (own.unsecret(), live.unsecret(), place.shape(own.unsecret()))
    else {
        return None;
    };
    let mut found = None;
    for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
        let (_, place) = object.member(name);
        let alike = match present(held.get(name)) {
            Some(held) => made_alike(member, held, place),
            None => (place.marks.covered(Mark::CreateOnly) && !place.hidden()).then_some(false),
        };
        match alike {
            Some(false) => return Some(false),
            Some(true) => found = Some(true),
            None => {}
        }
    }
    found
}

/// The elements at `indexes` by the text in the member `name`.
fn by_key<'v>(items: &'v [Value], indexes: &[usize], name: &str) -> HashMap<&'v str, Vec<usize>> {
    let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
    for index in indexes {
        let key = items[*index].unsecret().get(name).and_then(|key| key.unsecret().as_str());
        if let Some(key) = key {
            found.entry(key).or_default().push(*index);
        }
    }
    found
}

/// The indexes without a partner, on both sides, in ascending order.
fn unpaired(found: &[Option<usize>], live: usize) -> (Vec<usize>, Vec<usize>) {
    let own = (0..found.len()).filter(|index| found[*index].is_none()).collect();
    let mut taken = vec![false; live];
    found.iter().flatten().for_each(|index| taken[*index] = true);
    (own, (0..live).filter(|index| !taken[*index]).collect())
}

/// The elements of a list as the service returns it that the user can own: all but AWS's own tags.
pub fn owned(live: &[Value], place: Place) -> Vec<Value> {
    live.iter().filter(|item| place.shows_item(item)).cloned().collect()
}
