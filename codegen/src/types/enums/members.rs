//! Names of the members of an enum.

use crate::names::Member;
use crate::package::EnumValue;
use crate::trace::rules::Rule;
use cfn::naming::enum_member;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The locked members of an enum by value.
pub(super) type Locked<'l> = BTreeMap<&'l str, &'l Member>;

/// The members of an enum.
pub(super) struct Members<'t> {
    pub(super) values: Vec<EnumValue>,
    /// By which rule each value has its name.
    pub(super) rules: Vec<(&'t str, Rule)>,
}

/// Named values in order, each value once. A locked value keeps its name. Of other values with one name the first has it,
/// and the rest take the next free number; where published SDKs have the enum without those, they stay left out.
pub(super) fn members<'t>(values: &'t [String], publishes_first_only: bool, locked: &Locked<'_>) -> Members<'t> {
    let mut known = HashSet::new();
    let values: Vec<&str> = values.iter().map(String::as_str).filter(|value| known.insert(*value)).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut names: Vec<Option<(String, Rule)>> = vec![None; values.len()];
    // What is published comes before what returns.
    for gone in [false, true] {
        for (name, value) in names.iter_mut().zip(&values) {
            let own = locked.get(value).filter(|member| member.gone == gone).map(|member| &member.text);
            let own = own.filter(|own| taken.insert((*own).clone()));
            *name = name.take().or_else(|| own.map(|own| (own.clone(), Rule::NameLocked)));
        }
    }
    taken.extend(locked.iter().filter(|(value, member)| is_reserved(value, member)).map(|(_, of)| of.text.clone()));
    // Plain names come first, so that a number never takes the name of another value.
    for (name, value) in names.iter_mut().zip(&values) {
        *name = name.take().or_else(|| Some(member_name(value)).filter(|(plain, _)| taken.insert(plain.clone())));
    }
    taken.extend(locked.values().map(|member| member.text.clone()));
    let mut members = Members { values: Vec::with_capacity(values.len()), rules: Vec::with_capacity(values.len()) };
    let mut next: HashMap<String, usize> = HashMap::new();
    for (name, value) in names.into_iter().zip(values) {
        let (name, rule) = match name {
            Some(name) => name,
            None if publishes_first_only => continue,
            None => (numbered(member_name(value).0, &mut next, &mut taken), Rule::MemberNumbered),
        };
        members.rules.push((value, rule));
        members.values.push(EnumValue { description: None, name, value: value.to_owned() });
    }
    members
}

/// By which rule each value has its locked name: the one that gives it without the lock as well, or else the lock.
pub(super) fn rules_beside_lock<'t>(
    texts: &'t [String],
    publishes_first_only: bool,
    locked: &Members<'t>,
) -> Vec<(&'t str, Rule)> {
    let free = members(texts, publishes_first_only, &Locked::default());
    let names = free.values.iter().map(|value| value.name.as_str());
    let free: BTreeMap<&str, (&str, Rule)> =
        free.rules.iter().zip(names).map(|((value, rule), name)| (*value, (name, *rule))).collect();
    let named = locked.rules.iter().zip(&locked.values);
    let rule = |(value, found): (&(&'t str, Rule), &EnumValue)| match free.get(value.0) {
        Some((name, rule)) if *name == found.name => (value.0, *rule),
        _ => (value.0, Rule::NameLocked),
    };
    named.map(rule).collect()
}

/// Whether no other value may take the name of a locked one: it has gone, or the name does not follow from the value.
/// The plain name of a value that is absent from a list goes to another spelling of it, as published.
fn is_reserved(value: &str, member: &Member) -> bool {
    member.gone || member.text != member_name(value).0
}

/// The name of one value that no other value competes for, with the rule that gives it.
fn member_name(value: &str) -> (String, Rule) {
    let name = enum_member(value);
    match name.as_str() {
        "" if value.is_empty() => ("Empty".to_owned(), Rule::MemberEmpty),
        // SDK generators know a name for it, and published SDKs have that one.
        "" if value == "*" => (name, Rule::MemberStar),
        // No character of the value can stand in a name; its code points can.
        "" => {
            let code_points = value.chars().map(|character| format!("U{:04X}", u32::from(character))).collect();
            (code_points, Rule::MemberCodePoints)
        }
        // Go has wrapper types of these names for every enum.
        "Input" | "Output" => (format!("{name}Type"), Rule::MemberWrapper),
        _ => (name, Rule::MemberWords),
    }
}

/// The name with the next free number behind it; `next` has the number that comes next by name, all before it are taken.
fn numbered(name: String, next: &mut HashMap<String, usize>, taken: &mut HashSet<String>) -> String {
    let number = next.entry(name.clone()).or_insert(2);
    loop {
        let candidate = format!("{name}{number}");
        *number += 1;
        if taken.insert(candidate.clone()) {
            return candidate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_distinct_names() {
        for (values, expected) in [
            (
                &["OMNI_VORE", "omni-vore", "HERBIVORE", "omniVore"][..],
                &[
                    ("OmniVore", "OMNI_VORE"),
                    ("OmniVore2", "omni-vore"),
                    ("Herbivore", "HERBIVORE"),
                    ("OmniVore3", "omniVore"),
                ][..],
            ),
            // A number never takes the name of a value that has it by itself.
            (&["a", "A", "a2"], &[("A", "a"), ("A3", "A"), ("A2", "a2")]),
            (&["a", "a"], &[("A", "a")]),
            (&["--", "ö"], &[("U002DU002D", "--"), ("U00F6", "ö")]),
            (
                &["Input", "InputAndOutput", "OUTPUT"],
                &[("InputType", "Input"), ("InputAndOutput", "InputAndOutput"), ("OutputType", "OUTPUT")],
            ),
            (&["", "A"], &[("Empty", ""), ("A", "A")]),
            (&["GET", "*"], &[("Get", "GET"), ("", "*")]),
        ] {
            check(values, false, expected);
        }
    }

    #[test]
    fn published_enums_keep_the_first_of_equal_names() {
        check(&["GLACIER", "Glacier", "x"], true, &[("Glacier", "GLACIER"), ("X", "x")]);
    }

    #[test]
    fn locked_values_keep_their_names() {
        for (values, locked, expected) in [
            // The name that a number gave stays when the value comes first now.
            (&["A", "a"][..], &[("a", "A", false), ("A", "A2", false)][..], &[("A2", "A"), ("A", "a")][..]),
            // A newcomer before them takes a number of its own.
            (
                &["á", "-a", "A", "a"],
                &[("a", "A", false), ("A", "A2", false)],
                &[("U00E1", "á"), ("A3", "-a"), ("A2", "A"), ("A", "a")],
            ),
            // What has gone keeps its name, also while it is away, and gets it back.
            (&["A"], &[("a", "A", true)], &[("A2", "A")]),
            (&["a", "A"], &[("a", "A", true)], &[("A", "a"), ("A2", "A")]),
            (&["b"], &[("a", "A", false), ("A", "A2", false)], &[("B", "b")]),
            (&["a2"], &[("a", "A", false), ("A", "A2", false)], &[("A22", "a2")]),
            // Another spelling of an absent value has the name, as published.
            (&["A"], &[("a", "A", false)], &[("A", "A")]),
            // Both spellings had it one after the other.
            (&["a", "A"], &[("a", "A", true), ("A", "A", false)], &[("A2", "a"), ("A", "A")]),
        ] {
            let locked: Vec<(&str, Member)> = locked
                .iter()
                .map(|(value, text, gone)| (*value, Member { text: (*text).to_owned(), gone: *gone }))
                .collect();
            let locked = locked.iter().map(|(value, member)| (*value, member)).collect();
            check_locked(values, false, &locked, expected);
        }
    }

    #[track_caller]
    fn check(values: &[&str], publishes_first_only: bool, expected: &[(&str, &str)]) {
        check_locked(values, publishes_first_only, &Locked::default(), expected);
    }

    #[track_caller]
    fn check_locked(values: &[&str], publishes_first_only: bool, locked: &Locked<'_>, expected: &[(&str, &str)]) {
        let texts: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        let members = members(&texts, publishes_first_only, locked);
        let found: Vec<_> = members.values.iter().map(|member| (member.name.as_str(), member.value.as_str())).collect();
        assert_eq!(found, expected, "{values:?}");
    }
}
