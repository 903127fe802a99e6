//! Validation of inputs against the schema: hard failures and warnings.
//!
//! Required members, kinds and unknown names fail, at every depth. Lists of allowed values only warn, since services
//! accept newer values than schemas know. Secrets are looked through; what is not known yet passes.

use metadata::view::{Properties, Resource, StrList, Type};
use value::{Map, PropertyPath, Segment, Value};

use super::CheckFailure;
use crate::convert::{EXACT, kind_name, union};
use crate::suggest::closest;

/// What validation found; failures in no particular order.
#[derive(Debug, Default)]
pub struct Validation {
    /// What is wrong.
    pub failures: Vec<CheckFailure>,
    /// What is worth a warning.
    pub warnings: Vec<String>,
}

/// Whether a path through a union is walked: then required members are left to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Full,
    InUnion,
}

impl Validation {
    /// Validates the inputs of a resource.
    pub fn of(resource: Resource, inputs: &Map) -> Self {
        let mut validator = Validator { found: Self::default(), path: Vec::new(), secret: false };
        validator.members(inputs, resource.properties(), Strictness::Full);
        validator.found
    }
}

struct Validator<'a> {
    found: Validation,
    path: Vec<Step<'a>>,
    /// Whether the walk is inside a secret, of which nothing may be said.
    secret: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    /// A declared member.
    Member(&'a str),
    /// A key of a map, or a name that the schema does not know.
    Key(&'a str),
    Index(usize),
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
        let names = properties.iter().filter(|property| property.input()).map(metadata::view::Property::name);
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
        /// More values than that help nobody in a message.
        const SHOWN: usize = 12;
        if allowed.is_empty() || allowed.contains(text) {
            return;
        }
        let path = self.reason_path();
        let value = if self.secret { "its value".to_owned() } else { format!("{text:?}") };
        let more = if allowed.len() > SHOWN { ", …" } else { "" };
        let allowed = allowed.iter().take(SHOWN).map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ");
        self.found.warnings.push(format!("{path}: {value} is not among the values in the schema: {allowed}{more}"));
    }

    fn at(&mut self, step: Step<'a>, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    fn fail(&mut self, reason: impl FnOnce(&str) -> String) {
        let path = self.reason_path();
        let property = self.property_path();
        self.found.failures.push(CheckFailure { property, reason: reason(&path) });
    }

    /// The path as reasons spell it: `/` before a declared member, `.` before a key.
    fn reason_path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            let between = match step {
                _ if path.is_empty() => "",
                Step::Member(_) => "/",
                Step::Key(_) => ".",
                Step::Index(_) => "",
            };
            path.push_str(between);
            match step {
                Step::Member(name) | Step::Key(name) => path.push_str(name),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    /// The path in Pulumi's syntax.
    fn property_path(&self) -> String {
        let segments = self.path.iter().map(|step| match step {
            Step::Member(name) | Step::Key(name) => Segment::Key((*name).to_owned()),
            Step::Index(index) => Segment::Index(*index),
        });
        segments.collect::<PropertyPath>().to_string()
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

#[cfg(test)]
mod tests;
