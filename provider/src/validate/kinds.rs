//! What the metadata says: required members, kinds and unknown names fail, at every depth.
//!
//! Lists of allowed values only warn, since services accept newer values than schemas know.

use metadata::view::{Properties, Property, Resource, StrList, Type};
use value::{Map, Value};

use super::Validation;
use super::path::{Path, Step};
use super::texts::{self, Shown};
use crate::convert::{EXACT, kind_name};
use crate::requests::CheckFailure;
use crate::suggest::closest;
use crate::union;

/// Whether a path through a union is walked: then required members are left to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Full,
    InUnion,
}

/// Validates by the metadata. `values`: whether lists of allowed values are looked at, too.
pub(super) fn validate(resource: Resource, inputs: &Map, values: bool) -> Validation {
    let mut validator = Validator { found: Validation::default(), path: Path::default(), secret: false, values };
    validator.members(inputs, resource.properties(), Strictness::Full);
    validator.found
}

struct Validator<'a> {
    found: Validation,
    path: Path<'a>,
    /// Whether the walk is inside a secret, of which nothing may be said.
    secret: bool,
    values: bool,
}

impl<'a> Validator<'a> {
    fn members(&mut self, members: &'a Map, properties: Properties, strictness: Strictness) {
        for (name, value) in members {
            match properties.get(name).filter(|property| property.input()) {
                Some(property) => self.at(Step::Member(name), |this| this.value(value, property.ty(), strictness)),
                None => self.at(Step::Key(name), |this| this.unknown_property(name, properties)),
            }
        }
        if strictness == Strictness::InUnion {
            return;
        }
        for property in properties.iter().filter(|property| property.input() && property.required()) {
            if members.get(property.name()).is_none_or(Value::is_null) {
                self.at(Step::Member(property.name()), |this| {
                    this.fail(|path| format!("missing required property {path}"))
                });
            }
        }
    }

    fn unknown_property(&mut self, name: &str, properties: Properties) {
        if properties.get(name).is_some() {
            self.fail(|path| format!("unknown property {path}: the service sets it, it is an output"));
            return;
        }
        let names = properties.iter().filter(|property| property.input()).map(Property::name);
        let suggestion = closest(name, names);
        self.fail(|path| match suggestion {
            Some(suggestion) => format!("unknown property {path}; did you mean {suggestion:?}?"),
            None => format!("unknown property {path}"),
        });
    }

    fn value(&mut self, value: &'a Value, ty: Type, strictness: Strictness) {
        if let Value::Secret(inner) = value {
            let outer = std::mem::replace(&mut self.secret, true);
            self.value(inner, ty, strictness);
            self.secret = outer;
            return;
        }
        if value.is_null() || value.is_unknown() {
            return;
        }
        match (ty, value) {
            (Type::Any, _)
            | (Type::Boolean, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_)) => {}
            (Type::Integer, Value::Number(number)) if number.fract() == 0.0 && number.abs() <= EXACT => {}
            (Type::Integer, Value::Number(number)) if number.fract() == 0.0 => {
                self.fail(|path| {
                    format!("{path} must be an integer of at most 2^53, beyond which it would not arrive exactly")
                });
            }
            (Type::Enum(allowed), Value::String(text)) => self.enumeration(text, allowed),
            (Type::Array(element), Value::Array(items)) => {
                let element = element.get();
                for (index, item) in items.iter().enumerate() {
                    self.at(Step::Index(index), |this| this.value(item, element, strictness));
                }
            }
            (Type::Map(element), Value::Object(members)) => {
                let element = element.get();
                for (key, member) in members {
                    self.at(Step::Key(key), |this| this.value(member, element, strictness));
                }
            }
            (Type::Object(object), Value::Object(members)) => {
                if !object.properties().is_empty() {
                    // A secret object may be filled in elsewhere: what it lacks is not told.
                    self.members(
                        members,
                        object.properties(),
                        if self.secret { Strictness::InUnion } else { strictness },
                    );
                }
            }
            (Type::Union(arms), _) => match union::choose(arms, value) {
                Type::Any if arms.iter().any(|arm| matches!(arm, Type::Any)) => {}
                Type::Any | Type::Union(_) => {
                    let kinds = alternatives(arms.iter());
                    self.fail(|path| format!("{path} must be {kinds}"));
                }
                arm => self.value(value, arm, Strictness::InUnion),
            },
            _ => self.fail(|path| format!("{path} must be {}", kind_name(ty))),
        }
    }

    fn enumeration(&mut self, text: &str, allowed: StrList) {
        if !self.values || allowed.is_empty() || allowed.contains(text) {
            return;
        }
        let value = if self.secret { Shown::Secret } else { Shown::Text(text) };
        let allowed = allowed.iter().map(|value| format!("{value:?}"));
        let reason = texts::not_among(&self.path.reason(), value, allowed);
        self.found.doubts.push(CheckFailure { property: self.path.property(), reason });
    }

    fn at(&mut self, step: Step<'a>, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    fn fail(&mut self, reason: impl FnOnce(&str) -> String) {
        let reason = reason(&self.path.reason());
        self.found.failures.push(CheckFailure { property: self.path.property(), reason });
    }
}

/// The kinds of a union's arms, each once, joined by "or".
fn alternatives(arms: impl Iterator<Item = Type>) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for arm in arms.map(kind_name) {
        if !kinds.contains(&arm) {
            kinds.push(arm);
        }
    }
    kinds.join(" or ")
}
