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

/// For each element of `first` its partner in `second`, as far as one is found.
///
/// What is not known yet has no partner: it may turn out to be anything.
pub fn pair(
    first: &[&Value],
    second: &[&Value],
    budget: &Cell<usize>,
    eq: impl Fn(&Value, &Value) -> bool,
) -> Vec<Option<usize>> {
    let mut partners = vec![None; first.len()];
    let mut free: HashMap<u64, Vec<usize>> = HashMap::with_capacity(second.len());
    let known = |item: &&Value| !item.contains_unknown();
    for (index, item) in second.iter().enumerate().rev().filter(|(_, item)| known(item)) {
        free.entry(hash(item)).or_default().push(index);
    }
    for (partner, item) in partners.iter_mut().zip(first) {
        let candidates = free.get_mut(&hash(item));
        if let Some(candidates) = candidates
            && let Some(index) = candidates.pop_if(|index| eq(item, second[*index]))
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
    complete(&mut partners, (&left, &right), first, second, budget, &eq);
    let found = partners.iter().flatten().count();
    if found < first.len().min(second.len()) {
        // Where absence equals a default, an equal partner may have been the wrong one.
        let all_left: Vec<usize> = (0..first.len()).filter(|index| known(&first[*index])).collect();
        let all_right: Vec<usize> = (0..second.len()).filter(|index| known(&second[*index])).collect();
        let mut again = vec![None; first.len()];
        complete(&mut again, (&all_left, &all_right), first, second, budget, &eq);
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
    first: &[&Value],
    second: &[&Value],
    budget: &Cell<usize>,
    eq: impl Fn(&Value, &Value) -> bool,
) {
    let Some(rest) = budget.get().checked_sub(left.len().saturating_mul(right.len())) else { return };
    budget.set(rest);
    let fits: Vec<Vec<usize>> = left
        .iter()
        .map(|one| (0..right.len()).filter(|other| eq(first[*one], second[right[*other]])).collect())
        .collect();
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
