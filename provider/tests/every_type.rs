//! Rules that hold for every generated resource type, shown on a sample of each that uses all of its members.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::collections::HashSet;

use cfn::bundle::Bundle;
use metadata::view::{Properties, Property, Resource, Type};
use provider::convert::{from_cfn, to_cfn};
use provider::lifecycle::{CheckRequest, Settings, check};
use provider::place::Object;
use value::{Map, Urn, Value};

/// Unions have at most this many arms; every sample takes one arm of each.
const ARMS: usize = 32;
/// Objects are nested this deep at most: a guard against types that require themselves.
const DEEPEST: usize = 24;

#[test]
fn invariant_5_conversion_there_and_back_is_the_identity_for_every_type() {
    let mut samples = 0;
    for resource in generated::resources() {
        for sample in samples_of(resource, |_| true) {
            let model =
                to_cfn(&sample, Object::of(resource)).unwrap_or_else(|error| panic!("{}: {error}", resource.token()));
            let back = from_cfn(&model, resource.properties()).unwrap();
            assert_same(resource, &sample, &back);
            samples += 1;
        }
    }
    assert!(samples > generated::resources().len(), "unions give more than one sample");
}

#[test]
fn members_go_under_the_names_of_the_schema() {
    let schemas = Bundle::open(generated::RESOURCE_SCHEMAS_ZST).unwrap();
    for resource in generated::resources() {
        let schema: serde_json::Value =
            serde_json::from_str(&schemas.read(resource.cfn_type()).unwrap().unwrap()).unwrap();
        let names: HashSet<&str> = names(&schema).collect();
        let members = resource.object_types().iter().flat_map(|object| object.properties().iter());
        for property in resource.properties().iter().chain(members) {
            let name = property.cfn_name();
            assert!(names.contains(name), "{}: the schema has no member {name}", resource.token());
        }
    }
}

#[test]
fn check_accepts_whatever_the_schema_allows() {
    for resource in generated::resources() {
        let urn = Urn::new("dev", "test", None, resource.token(), "thing").unwrap();
        for news in samples_of(resource, Property::input) {
            let request =
                CheckRequest { urn: urn.clone(), olds: Map::new(), news, random_seed: vec![1; 32], naming: None };
            let answer = check(resource, request, &Settings::default()).unwrap();
            let failures: Vec<_> = answer.failures.iter().map(|failure| &failure.reason).collect();
            assert!(failures.is_empty(), "{}: {failures:?}", resource.token());
        }
    }
}

/// Every name of a member that the schema declares, at any depth.
fn names(schema: &serde_json::Value) -> Box<dyn Iterator<Item = &str> + '_> {
    use serde_json::Value::{Array, Object};
    match schema {
        Object(members) => {
            let declared = members.get("properties").and_then(serde_json::Value::as_object);
            let declared = declared.into_iter().flat_map(|declared| declared.keys().map(String::as_str));
            Box::new(declared.chain(members.values().flat_map(names)))
        }
        Array(items) => Box::new(items.iter().flat_map(names)),
        _ => Box::new(std::iter::empty()),
    }
}

/// One sample for each arm that a union of the type has, at least one.
fn samples_of(resource: Resource, wanted: fn(Property) -> bool) -> impl Iterator<Item = Map> {
    let mut arms = 1;
    let mut arm = 0;
    std::iter::from_fn(move || {
        if arm == arms {
            return None;
        }
        let mut sampler = Sampler { arm, arms: 1, met: HashSet::new(), wanted, depth: 0 };
        let sample = sampler.members(resource.properties(), wanted);
        // Another arm may lead to unions with more or fewer arms.
        arms = arms.max(sampler.arms);
        assert!(arms <= ARMS, "{}: a union with {arms} arms", resource.token());
        arm += 1;
        Some(sample)
    })
}

struct Sampler {
    /// Which arm to take of every union; unions with fewer arms start again.
    arm: usize,
    /// The most arms that a union had.
    arms: usize,
    /// Object types whose members were all given already. From then on they get what they require: giving all again
    /// would multiply the size of a sample, for types that contain themselves without end.
    met: HashSet<usize>,
    wanted: fn(Property) -> bool,
    depth: usize,
}

impl Sampler {
    fn members(&mut self, properties: Properties, wanted: impl Fn(Property) -> bool) -> Map {
        let chosen = properties.iter().filter(|property| wanted(*property));
        chosen
            .filter_map(|property| Some((property.name().to_owned(), self.value(property.name(), property.ty())?)))
            .collect()
    }

    /// A value of the type; `None` below the deepest level.
    fn value(&mut self, name: &str, ty: Type) -> Option<Value> {
        Some(match ty {
            Type::Any => Value::object([("UPPERKey", Value::object([("n", 1.0.into()), ("aB", true.into())]))]),
            Type::Boolean => true.into(),
            Type::Integer => 9_007_199_254_740_992.0.into(),
            Type::Number => 1.5.into(),
            Type::String => format!("{name}-v").into(),
            Type::Enum(values) => values.iter().next().unwrap_or("text").into(),
            Type::Array(element) => Value::Array(vec![self.value(name, element.get())?]),
            Type::Map(element) => Value::object([("Key-1/a~b", self.value(name, element.get())?)]),
            Type::Object(object) if object.properties().is_empty() => Value::object([("UPPERKey", "v".into())]),
            Type::Object(object) => {
                if self.depth == DEEPEST {
                    return None;
                }
                self.depth += 1;
                let (first, wanted) = (self.met.insert(object.index()), self.wanted);
                let members =
                    self.members(object.properties(), |member| wanted(member) && (first || member.required()));
                self.depth -= 1;
                Value::Object(members)
            }
            Type::Union(arms) => {
                self.arms = self.arms.max(arms.len());
                let arm = arms.iter().cycle().nth(self.arm)?;
                self.value(name, arm)?
            }
        })
    }
}

#[track_caller]
fn assert_same(resource: Resource, sample: &Map, back: &Map) {
    if sample == back {
        return;
    }
    let names = sample.keys().chain(back.keys());
    let name = names.into_iter().find(|name| sample.get(*name) != back.get(*name)).unwrap();
    panic!("{} {name}:\n{:?}\ncame back as\n{:?}", resource.token(), sample.get(name), back.get(name));
}
