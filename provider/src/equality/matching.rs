//! Pairing the elements of two lists whose order carries no meaning.
//!
//! Elements that are plainly equal are paired by a hash, in time linear in their number. Only what is left is compared
//! each with each, within a budget, and paired as a maximum bipartite matching, since an element that says little can
//! fit several partners. Pairing equal elements first rarely costs a better matching; where it may have, all are matched
//! again.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use value::Value;

/// The comparisons of elements with elements that one whole comparison may make.
pub const BUDGET: usize = 65_536;

/// For each element of `first` its partner in `second`, as far as one is found; `eq` compares by their indexes.
///
/// What is not known yet has no partner: it may turn out to be anything.
pub fn pair(
    first: &[&Value],
    second: &[&Value],
    budget: &Cell<usize>,
    eq: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut partners = vec![None; first.len()];
    let mut free: HashMap<u64, Vec<usize>> = HashMap::with_capacity(second.len());
    let known = |item: &&Value| !item.contains_unknown();
    for (index, item) in second.iter().enumerate().rev().filter(|(_, item)| known(item)) {
        free.entry(hash(item)).or_default().push(index);
    }
    for (own, (partner, item)) in partners.iter_mut().zip(first).enumerate() {
        let candidates = free.get_mut(&hash(item));
        if let Some(candidates) = candidates
            && let Some(index) = candidates.pop_if(|index| eq(own, *index))
        {
            *partner = Some(index);
        }
    }
    let left: Vec<usize> =
        (0..first.len()).filter(|index| partners[*index].is_none() && known(&first[*index])).collect();
    let mut right: Vec<usize> = free.into_values().flatten().collect();
    right.sort_unstable();
    if left.is_empty() || right.is_empty() {
        return partners;
    }
    complete(&mut partners, (&left, &right), budget, &eq);
    let found = partners.iter().flatten().count();
    if found < first.len().min(second.len()) {
        // Where absence equals a default, an equal partner may have been the wrong one.
        let all_left: Vec<usize> = (0..first.len()).filter(|index| known(&first[*index])).collect();
        let all_right: Vec<usize> = (0..second.len()).filter(|index| known(&second[*index])).collect();
        let mut again = vec![None; first.len()];
        complete(&mut again, (&all_left, &all_right), budget, &eq);
        if again.iter().flatten().count() > found {
            return again;
        }
    }
    partners
}

/// Adds a maximum matching of what is left on both sides, if the budget allows it.
fn complete(
    partners: &mut [Option<usize>],
    (left, right): (&[usize], &[usize]),
    budget: &Cell<usize>,
    eq: impl Fn(usize, usize) -> bool,
) {
    let Some(rest) = budget.get().checked_sub(left.len().saturating_mul(right.len())) else { return };
    budget.set(rest);
    let fits: Vec<Vec<usize>> =
        left.iter().map(|one| (0..right.len()).filter(|other| eq(*one, right[*other])).collect()).collect();
    for (other, one) in maximum_matching(&fits, right.len()).into_iter().enumerate() {
        if let Some(one) = one {
            partners[left[one]] = Some(right[other]);
        }
    }
}

/// For each right-hand side its partner, by augmenting paths; `fits[l]` are the partners that `l` may have.
fn maximum_matching(fits: &[Vec<usize>], right: usize) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = vec![None; right];
    for start in 0..fits.len() {
        // The path under construction: a left-hand side and the next of its partners to try. An explicit stack, so that
        // long lists cannot overflow the thread's.
        let mut seen = vec![false; right];
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((left, next)) = path.last_mut() {
            let Some(candidate) = fits[*left].get(*next).copied() else {
                path.pop();
                continue;
            };
            *next += 1;
            if std::mem::replace(&mut seen[candidate], true) {
                continue;
            }
            match owners[candidate] {
                Some(owner) => path.push((owner, 0)),
                None => {
                    for (left, next) in path.drain(..) {
                        owners[fits[left][next - 1]] = Some(left);
                    }
                }
            }
        }
    }
    owners
}

/// A hash that is the same for equal values, whatever is secret and however lists are ordered.
pub fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value.unsecret() {
        Value::Null => {}
        Value::Bool(flag) => (1, flag).hash(&mut hasher),
        Value::Number(number) => (2, (number + 0.0).to_bits()).hash(&mut hasher),
        Value::String(text) => (3, text).hash(&mut hasher),
        // Added up, so that the order has no part in it: nested lists may be unordered too.
        Value::Array(items) => (4, items.iter().map(hash).fold(0, u64::wrapping_add)).hash(&mut hasher),
        Value::Object(members) => {
            5.hash(&mut hasher);
            for (key, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                (key, hash(member)).hash(&mut hasher);
            }
        }
        Value::Unknown(_) | Value::Output(_) => 6.hash(&mut hasher),
        Value::Asset(_) | Value::Archive(_) | Value::Reference(_) | Value::Secret(_) => 7.hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use value::{Map, Unknown};

    use super::*;

    /// Text equals itself, a list whatever it lists.
    fn eq(one: &Value, other: &Value) -> bool {
        one == other || one.as_array().is_some_and(|allowed| allowed.contains(other))
    }

    #[test]
    fn elements_are_paired_wherever_they_are() {
        check(json!([]), json!([]), &[]);
        check(json!(["a"]), json!([]), &[None]);
        check(json!(["a", "b"]), json!(["b", "a"]), &[Some(1), Some(0)]);
        check(json!(["a", "b", "c"]), json!(["c", "x", "a"]), &[Some(2), None, Some(0)]);
        // Each partner once, first come first served.
        check(json!(["a", "a", "a"]), json!(["a", "a"]), &[Some(0), Some(1), None]);
        // One that fits many gives way to one that fits only there.
        check(json!([["x", "y"], ["x"]]), json!(["x", "y"]), &[Some(1), Some(0)]);
        check(json!([["x", "y"], ["y", "z"], ["x"]]), json!(["x", "y", "z"]), &[Some(1), Some(2), Some(0)]);
        // Plainly equal ones too, if more are paired thereby.
        check(json!([["x", "y"], "x"]), json!([["x", "y"], "x"]), &[Some(0), Some(1)]);
        check(json!(["x", ["x"]]), json!(["x", "y"]), &[Some(0), None]);

        #[track_caller]
        fn check(first: Json, second: Json, expected: &[Option<usize>]) {
            let list = |json: &Json| value::json::from_json(json).as_array().map(<[Value]>::to_vec).unwrap_or_default();
            assert_eq!(paired(&list(&first), &list(&second), BUDGET), expected, "{first} {second}");
        }
    }

    #[test]
    fn what_is_not_known_yet_has_no_partner() {
        let unknown: Value = Unknown::String.into();
        let list = [unknown];
        assert_eq!(paired(&list, &list, BUDGET), [None]);
    }

    #[test]
    fn beyond_the_budget_only_equal_elements_are_paired() {
        let any = Value::from(vec!["x".into(), "y".into()]);
        let (first, second) = ([any, "a".into()], ["a".into(), "y".into()]);
        assert_eq!(paired(&first, &second, 1), [Some(1), Some(0)]);
        assert_eq!(paired(&first, &second, 0), [None, Some(0)]);
    }

    #[test]
    fn equal_values_have_equal_hashes() {
        let same = |one: Value, other: Value| assert_eq!(hash(&one), hash(&other), "{one:?} {other:?}");
        same(Value::secret("x"), "x".into());
        same(0.0.into(), (-0.0).into());
        same(Value::object([("a", Value::Null)]), Map::new().into());
        same(vec![1.into(), 2.into()].into(), vec![2.into(), 1.into()].into());
        let other = |one: Value, other: Value| assert_ne!(hash(&one), hash(&other), "{one:?} {other:?}");
        other("1".into(), 1.into());
        other(Value::object([("a", "b".into())]), Value::object([("b", "a".into())]));
        other(Vec::new().into(), Value::Null);
    }

    fn paired(first: &[Value], second: &[Value], budget: usize) -> Vec<Option<usize>> {
        let (first, second): (Vec<&Value>, Vec<&Value>) = (first.iter().collect(), second.iter().collect());
        pair(&first, &second, &Cell::new(budget), |one, other| eq(first[one], second[other]))
    }
}
