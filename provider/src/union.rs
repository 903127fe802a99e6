//! Which arm of a union a value is of.
//!
//! An arm of another kind is out. Of the others the one wins that leaves the fewest members unrecognized, where a member
//! counts for more the nearer to the top it is, then the one that misses the fewest required members, then the one that
//! recognizes most; the first of equals. Published SDKs send no tag that would say it.

use metadata::view::{Properties, Type, TypeList};
use serde_json::Value as Json;
use value::Value;

/// How deep a value is looked into. Arms differ near the top, and nested unions would multiply the work.
const LOOK_AHEAD: usize = 4;

/// The arm for an SDK value, which may be secret at any depth. [`Type::Any`] when no arm has its kind.
pub fn choose(arms: TypeList, value: &Value) -> Type {
    best(arms, value)
}

/// The arm for a model of the service.
pub fn choose_cfn(arms: TypeList, model: &Json) -> Type {
    best(arms, model)
}

/// Whether two objects are of arms that exclude each other: each has a member that the other's arm does not know.
pub fn exclude_each_other(arms: TypeList, one: &Value, other: &Value) -> bool {
    let (one, other) = (one.unsecret(), other.unsecret());
    let (Type::Object(of_one), Type::Object(of_other)) = (choose(arms, one), choose(arms, other)) else { return false };
    let is_stranger = |value: &Value, properties: Properties| {
        let members = value.as_object().into_iter().flatten();
        members.filter(|(_, member)| !member.is_null()).any(|(name, _)| properties.get(name).is_none())
    };
    of_one.index() != of_other.index()
        && is_stranger(one, of_other.properties())
        && is_stranger(other, of_one.properties())
}

/// Lower is better, field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Score {
    /// Weighted by depth: a slip deep down must not speak for an arm that does not know what is at the top.
    unrecognized: u32,
    missing: u32,
    /// Counted downwards, so that more is better.
    recognized: i32,
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.unrecognized = self.unrecognized.saturating_add(other.unrecognized);
        self.missing = self.missing.saturating_add(other.missing);
        self.recognized = self.recognized.saturating_add(other.recognized);
    }
}

const RECOGNIZED: Score = Score { unrecognized: 0, missing: 0, recognized: -1 };
const MISSING: Score = Score { unrecognized: 0, missing: 1, recognized: 0 };

/// What SDK values and models have in common.
trait Tree: Sized {
    fn kind(&self) -> Kind<'_, Self>;
    fn property(properties: Properties, name: &str) -> Option<metadata::view::Property>;
    fn member(&self, property: metadata::view::Property) -> Option<&Self>;
}

enum Kind<'a, T> {
    /// Unknown or null: fits everywhere.
    Open,
    Bool,
    Whole,
    Number,
    Text(&'a str),
    Items(&'a [T]),
    Members(Box<dyn Iterator<Item = (&'a str, &'a T)> + 'a>),
    Other,
}

impl Tree for Value {
    fn kind(&self) -> Kind<'_, Self> {
        match self.unsecret() {
            Self::Null | Self::Unknown(_) | Self::Output(_) | Self::Secret(_) => Kind::Open,
            Self::Bool(_) => Kind::Bool,
            Self::Number(number) if number.fract() == 0.0 => Kind::Whole,
            Self::Number(_) => Kind::Number,
            Self::String(text) => Kind::Text(text),
            Self::Array(items) => Kind::Items(items),
            Self::Object(members) => Kind::Members(Box::new(members.iter().map(|(key, value)| (key.as_str(), value)))),
            Self::Asset(_) | Self::Archive(_) | Self::Reference(_) => Kind::Other,
        }
    }

    fn property(properties: Properties, name: &str) -> Option<metadata::view::Property> {
        properties.get(name)
    }

    fn member(&self, property: metadata::view::Property) -> Option<&Self> {
        self.unsecret().get(property.name()).filter(|value| !value.is_null())
    }
}

impl Tree for Json {
    fn kind(&self) -> Kind<'_, Self> {
        match self {
            Self::Null => Kind::Open,
            Self::Bool(_) => Kind::Bool,
            Self::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => Kind::Whole,
            Self::Number(_) => Kind::Number,
            Self::String(text) => Kind::Text(text),
            Self::Array(items) => Kind::Items(items),
            Self::Object(members) => Kind::Members(Box::new(members.iter().map(|(key, value)| (key.as_str(), value)))),
        }
    }

    fn property(properties: Properties, name: &str) -> Option<metadata::view::Property> {
        properties.get_cfn(name)
    }

    fn member(&self, property: metadata::view::Property) -> Option<&Self> {
        self.get(property.cfn_name()).filter(|value| !value.is_null())
    }
}

fn best<T: Tree>(arms: TypeList, value: &T) -> Type {
    ranked(arms, value, LOOK_AHEAD).map_or(Type::Any, |(_, arm)| arm)
}

fn ranked<T: Tree>(arms: TypeList, value: &T, depth: usize) -> Option<(Score, Type)> {
    let mut best: Option<(Score, Type)> = None;
    for arm in arms.iter() {
        if let Some(score) = score(arm, value, depth)
            && best.is_none_or(|(found, _)| score < found)
        {
            best = Some((score, arm));
        }
    }
    match best {
        // A union may be an arm of a union.
        Some((score, Type::Union(inner))) if depth > 0 => ranked(inner, value, depth - 1).or(Some((score, Type::Any))),
        other => other,
    }
}

/// How well the value fits the type; `None` = it is of another kind.
fn score<T: Tree>(ty: Type, value: &T, depth: usize) -> Option<Score> {
    if depth == 0 {
        return Some(Score::default());
    }
    match (ty, value.kind()) {
        (_, Kind::Open)
        | (Type::Any, _)
        | (Type::Boolean, Kind::Bool)
        | (Type::Integer | Type::Number, Kind::Whole)
        | (Type::Number, Kind::Number)
        | (Type::String, Kind::Text(_)) => Some(Score::default()),
        (Type::Enum(values), Kind::Text(text)) => {
            Some(if values.contains(text) { RECOGNIZED } else { Score::default() })
        }
        (Type::Union(arms), _) => ranked(arms, value, depth - 1).map(|(score, _)| score),
        (Type::Array(element), Kind::Items(items)) => {
            let element = element.get();
            Some(sum(depth, items.iter().map(|item| score(element, item, depth - 1))))
        }
        (Type::Map(element), Kind::Members(members)) => {
            let element = element.get();
            Some(sum(depth, members.map(|(_, member)| score(element, member, depth - 1))))
        }
        (Type::Object(object), Kind::Members(members)) => {
            let properties = object.properties();
            if properties.is_empty() {
                return Some(Score::default());
            }
            let members = members.map(|(name, member)| match T::property(properties, name) {
                None => None,
                Some(property) => score(property.ty(), member, depth - 1).map(|mut inner| {
                    inner += RECOGNIZED;
                    inner
                }),
            });
            let mut total = sum(depth, members);
            for property in properties.iter() {
                if property.required() && value.member(property).is_none() {
                    total += MISSING;
                }
            }
            Some(total)
        }
        _ => None,
    }
}

/// The sum of the scores of parts; a part of another kind counts as unrecognized. `depth` is what is left of the look
/// ahead.
fn sum(depth: usize, parts: impl Iterator<Item = Option<Score>>) -> Score {
    let unrecognized = Score { unrecognized: 1 << (2 * depth), ..Score::default() };
    let mut total = Score::default();
    for part in parts {
        total += part.unwrap_or(unrecognized);
    }
    total
}
