//! Inputs as a schema sees them: members under CloudFormation names, with what is secret and what is not known yet.

use std::collections::BTreeMap;

use metadata::view::{Properties, Type};
use value::{Map, Value};

use super::path::Step;
use crate::union;

/// Values nested deeper than this are not looked at; schemas nest 13 levels deep.
const DEEPEST: usize = 100;

/// A value of the inputs. Not for printing: secrets are in the clear in it.
pub(super) struct Instance<'a> {
    pub shape: Shape<'a>,
    /// Inside a secret: nothing of it may be quoted, and what it lacks may be filled in elsewhere.
    pub secret: bool,
    /// The metadata says nothing about its kind.
    pub free: bool,
}

/// What kind of value it is.
pub(super) enum Shape<'a> {
    /// Not known yet, or not to be looked into.
    Open,
    Bool(bool),
    Number(f64),
    Text(&'a str),
    Items(Vec<Instance<'a>>),
    Members(Members<'a>),
}

/// The members of an object or map that are not null.
pub(super) struct Members<'a> {
    /// By CloudFormation name.
    entries: BTreeMap<&'a str, (Step<'a>, Instance<'a>)>,
    /// What is declared, where anything is.
    properties: Option<Properties>,
}

/// Whether a member is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Given,
    /// Not known yet, may be filled in, or comes from the service.
    Maybe,
    Absent,
}

impl<'a> Instance<'a> {
    /// The inputs of a resource.
    pub(super) fn root(inputs: &'a Map, properties: Properties) -> Self {
        Self { shape: Shape::Members(declared(inputs, properties, false, 0)), secret: false, free: false }
    }

    fn of(value: &'a Value, ty: Type, secret: bool, depth: usize) -> Self {
        let secret = secret || value.is_secret();
        let value = value.unsecret();
        let ty = match ty {
            Type::Union(arms) => union::choose(arms, value),
            other => other,
        };
        let free = matches!(ty, Type::Any);
        let shape = match (value, ty) {
            _ if depth > DEEPEST => Shape::Open,
            (Value::Bool(flag), _) => Shape::Bool(*flag),
            (Value::Number(number), _) => Shape::Number(*number),
            (Value::String(text), _) => Shape::Text(text),
            (Value::Array(items), ty) => {
                let element = match ty {
                    Type::Array(element) => element.get(),
                    _ => Type::Any,
                };
                Shape::Items(items.iter().map(|item| Self::of(item, element, secret, depth + 1)).collect())
            }
            (Value::Object(members), Type::Object(object)) if !object.properties().is_empty() => {
                Shape::Members(declared(members, object.properties(), secret, depth))
            }
            (Value::Object(members), ty) => {
                let element = match ty {
                    Type::Map(element) => element.get(),
                    _ => Type::Any,
                };
                let present = members.iter().filter(|(_, value)| !value.unsecret().is_null());
                let entries = present
                    .map(|(key, value)| (key.as_str(), (Step::Key(key), Self::of(value, element, secret, depth + 1))));
                Shape::Members(Members { entries: entries.collect(), properties: None })
            }
            _ => Shape::Open,
        };
        Self { shape, secret, free }
    }
}

fn declared(members: &Map, properties: Properties, secret: bool, depth: usize) -> Members<'_> {
    let present = members.iter().filter(|(_, value)| !value.unsecret().is_null());
    let entries = present.map(|(name, value)| match properties.get(name) {
        Some(property) => {
            let instance = Instance::of(value, property.ty(), secret, depth + 1);
            (property.cfn_name(), (Step::Member(name), instance))
        }
        None => (name.as_str(), (Step::Key(name), Instance::of(value, Type::Any, secret, depth + 1))),
    });
    Members { entries: entries.collect(), properties: Some(properties) }
}

impl<'a> Members<'a> {
    /// All members with their CloudFormation names, in order of those.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&'a str, Step<'a>, &Instance<'a>)> {
        self.entries.iter().map(|(name, (step, instance))| (*name, *step, instance))
    }

    /// The member with this CloudFormation name.
    pub(super) fn get(&self, name: &str) -> Option<&Instance<'a>> {
        self.entries.get(name).map(|(_, instance)| instance)
    }

    /// Whether the member with this CloudFormation name is there; `secret`: the object itself is.
    pub(super) fn presence(&self, name: &str, secret: bool) -> Presence {
        match self.get(name) {
            Some(Instance { shape: Shape::Open, .. }) => Presence::Maybe,
            Some(_) => Presence::Given,
            None if secret || self.is_output(name) => Presence::Maybe,
            None => Presence::Absent,
        }
    }

    fn is_output(&self, name: &str) -> bool {
        self.properties.and_then(|properties| properties.get_cfn(name)).is_some_and(|property| !property.input())
    }

    /// The member's name as programs write it.
    pub(super) fn sdk_name<'n>(&self, name: &'n str) -> &'n str {
        self.properties.and_then(|properties| properties.get_cfn(name)).map_or(name, |property| property.name())
    }
}
