//! Object types that contain themselves: the members that must be boxed so that a value has a size.

use std::collections::HashSet;

use metadata::model::{self, Type};

/// The pairs of containing and contained type, by index, whose members are boxed: one on every way round.
///
/// A list or a map holds its elements elsewhere anyway.
pub(super) fn boxed(types: &[model::ObjectType]) -> HashSet<(u32, u32)> {
    let contained: Vec<Vec<u32>> = types
        .iter()
        .map(|object| {
            let mut contained = Vec::new();
            for property in &object.properties {
                in_place(&property.ty, &mut contained);
            }
            contained
        })
        .collect();
    let mut boxed = HashSet::new();
    let mut state = vec![State::New; types.len()];
    for start in 0..types.len() {
        if state.get(start) == Some(&State::New) {
            walk(start, &contained, &mut state, &mut boxed);
        }
    }
    boxed
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the way from the start to where the walk is.
    Open,
    Done,
}

/// Walks depth first, with its own stack, since the way may be as long as there are types.
fn walk(start: usize, contained: &[Vec<u32>], state: &mut [State], boxed: &mut HashSet<(u32, u32)>) {
    let mut way = vec![(start, 0_usize)];
    state[start] = State::Open;
    while let Some((at, next)) = way.last_mut() {
        let Some(&target) = contained.get(*at).and_then(|list| list.get(*next)) else {
            state[*at] = State::Done;
            way.pop();
            continue;
        };
        *next += 1;
        match state.get(target as usize) {
            Some(State::Open) => {
                boxed.insert((u32::try_from(*at).unwrap_or(u32::MAX), target));
            }
            Some(State::New) => {
                state[target as usize] = State::Open;
                way.push((target as usize, 0));
            }
            Some(State::Done) | None => {}
        }
    }
}

/// The object types whose values lie within a value of this type.
fn in_place(ty: &Type, found: &mut Vec<u32>) {
    match ty {
        Type::Object(index) => found.push(*index),
        Type::Union(arms) => arms.iter().for_each(|arm| in_place(arm, found)),
        Type::Any
        | Type::Boolean
        | Type::Integer
        | Type::Number
        | Type::String
        | Type::Enum(_)
        | Type::Array(_)
        | Type::Map(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_member_of_every_circle_is_boxed() {
        let list = |ty: Type| Type::Array(Box::new(ty));
        check("no circle", &[&[Type::Object(1)], &[Type::String]], &[]);
        check("itself", &[&[Type::Object(0)]], &[(0, 0)]);
        check("by way of another", &[&[Type::Object(1)], &[Type::Object(0)]], &[(1, 0)]);
        check("through a list", &[&[list(Type::Object(1))], &[Type::Object(0)]], &[]);
        check("in a union", &[&[Type::Union(vec![Type::String, Type::Object(0)])]], &[(0, 0)]);
        check(
            "two circles",
            &[&[Type::Object(1), Type::Object(2)], &[Type::Object(0)], &[Type::Object(0)]],
            &[(1, 0), (2, 0)],
        );
        check("no such type", &[&[Type::Object(7)]], &[]);
    }

    #[track_caller]
    fn check(what: &str, types: &[&[Type]], expected: &[(u32, u32)]) {
        let types: Vec<_> = types
            .iter()
            .map(|members| model::ObjectType {
                token: String::new(),
                properties: members
                    .iter()
                    .map(|ty| model::Property { ty: ty.clone(), ..model::Property::default() })
                    .collect(),
            })
            .collect();
        assert_eq!(boxed(&types), expected.iter().copied().collect(), "{what}");
    }
}
