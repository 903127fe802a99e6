//! The objects around a value, as the expressions of a schema name them.
//!
//! Expressions are written for the object that holds the value or for one around it, up to the resource, and name
//! members as CloudFormation does.

use std::borrow::Cow;

use serde_json::{Map as JsonMap, Value as Json};
use value::{Map, Value};

use super::split::Alternative;
use super::unknowns::Unknowns;
use crate::equality::written::Step;
use crate::place::{Object, Place, Shape};

/// A value that the user wrote, with what is around it.
pub struct Leaf {
    /// The name of the nearest declared member that leads to it, which is what expressions call it.
    pub name: String,
    /// The steps to it in the document.
    steps: Vec<String>,
    /// The objects around it, the outermost first.
    around: Vec<Around>,
}

struct Around {
    /// How many steps lead to it.
    depth: usize,
    /// The members of it that are not known yet, or not entirely.
    unknown: Vec<String>,
}

/// The members of an object that an expression reads, as it spells them.
pub struct Context {
    /// By name.
    pub members: JsonMap<String, Json>,
    /// The steps from the object to the leaf.
    steps: Vec<String>,
}

impl Context {
    /// Puts another value in the leaf's place.
    pub fn put(&mut self, value: &Json) {
        let Some((first, rest)) = self.steps.split_first() else { return };
        let mut found = self.members.get_mut(first);
        for step in rest {
            found = found.and_then(|found| member(found, step));
        }
        if let Some(found) = found {
            *found = value.clone();
        }
    }
}

fn member<'j>(json: &'j mut Json, step: &str) -> Option<&'j mut Json> {
    match json {
        Json::Object(members) => members.get_mut(step),
        Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    }
}

impl Leaf {
    /// The value that `steps` lead to from the root of inputs.
    pub fn find(desired: &Map, object: Object, unknowns: &Unknowns, steps: &[Step<'_>]) -> Option<Self> {
        let mut leaf = Self { name: String::new(), steps: Vec::new(), around: Vec::new() };
        let mut shape = Shape::Declared(object);
        let mut value: Option<&Value> = None;
        for step in steps {
            let members = match value {
                None => Some(desired),
                Some(value) => value.as_object(),
            };
            let place = leaf.enter(step, shape, members, unknowns)?;
            let next = match step {
                Step::Key(key) => members?.get(*key)?,
                Step::Index(index) => value?.as_array()?.get(*index)?,
            };
            let next = next.unsecret();
            shape = place.shape(next);
            value = Some(next);
        }
        value.is_some().then_some(leaf)
    }

    /// Notes one step; the place that it leads to.
    fn enter(&mut self, step: &Step<'_>, shape: Shape, members: Option<&Map>, unknowns: &Unknowns) -> Option<Place> {
        let depth = self.steps.len();
        match (step, shape) {
            (Step::Key(key), Shape::Declared(object)) => {
                let (property, place) = object.member(key);
                let name = property?.cfn_name();
                let named = |name: &String| object.properties.get(name).map(|property| property.cfn_name().to_owned());
                self.around
                    .push(Around { depth, unknown: unknowns.among(members?).iter().filter_map(named).collect() });
                self.steps.push(name.to_owned());
                self.name = name.to_owned();
                Some(place)
            }
            (Step::Key(key), Shape::Entries(entries)) => {
                self.around.push(Around { depth, unknown: unknowns.among(members?).to_vec() });
                self.steps.push((*key).to_owned());
                Some(entries.entry(key))
            }
            (Step::Index(index), Shape::Items(element)) => {
                self.steps.push(index.to_string());
                Some(element)
            }
            (Step::Key(_), Shape::Items(_) | Shape::Leaf)
            | (Step::Index(_), Shape::Declared(_) | Shape::Entries(_) | Shape::Leaf) => None,
        }
    }

    /// The leaf's path, to tell leaves apart.
    pub fn pointer(&self) -> String {
        self.steps.join("\u{1f}")
    }

    /// The leaf's value in the document.
    pub fn value<'d>(&self, document: &'d Json) -> Option<&'d Json> {
        walk(document, &self.steps)
    }

    /// The objects on which an expression may be evaluated, the nearest first: those of which it reads the member that
    /// leads to the leaf, or any if it does not read the leaf at all. None if it reads what is not known yet.
    pub fn contexts(&self, document: &Json, alternative: &Alternative<'_>) -> Vec<Context> {
        let reads_leaf = alternative.reads(&self.name);
        let mut contexts = Vec::new();
        for around in self.around.iter().rev() {
            if around.unknown.iter().any(|name| alternative.reads(name)) {
                return Vec::new();
            }
            let Some(Json::Object(members)) = walk(document, &self.steps[..around.depth]) else { continue };
            if reads_leaf && !alternative.reads(&self.steps[around.depth]) {
                continue;
            }
            let read =
                |(name, member): (&String, &Json)| Some((alternative.spelling(name)?.to_owned(), member.clone()));
            let members = members.iter().filter_map(read).collect();
            let mut steps = self.steps[around.depth..].to_vec();
            if let Some((first, spelling)) = steps.first_mut().and_then(|first| {
                let spelling = alternative.spelling(first)?;
                Some((first, spelling))
            }) {
                *first = spelling.to_owned();
            }
            contexts.push(Context { members, steps });
        }
        contexts
    }
}

fn walk<'j>(json: &'j Json, steps: &[String]) -> Option<&'j Json> {
    steps.iter().try_fold(json, |json, step| match json {
        Json::Object(members) => members.get(step),
        Json::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The value without what is not known yet; lists keep their length.
pub fn known(value: &Value) -> Cow<'_, Value> {
    if !value.contains_unknown() {
        return Cow::Borrowed(value);
    }
    Cow::Owned(match value.unsecret() {
        Value::Object(members) => {
            let known = members.iter().filter(|(_, member)| !member.unsecret().is_unknown());
            known.map(|(name, member)| (name.clone(), self::known(member).into_owned())).collect()
        }
        Value::Array(items) => items.iter().map(|item| known(item).into_owned()).collect(),
        _ => Value::Null,
    })
}
