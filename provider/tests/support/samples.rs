//! Samples of a resource type that use all of its members.

use std::collections::HashSet;

use metadata::view::{Properties, Property, Resource, Type};
use value::{Map, Value};

/// Unions have at most this many arms; every sample takes one arm of each.
const ARMS: usize = 32;
/// Objects are nested this deep at most: a guard against types that require themselves.
const DEEPEST: usize = 24;

/// One sample for each arm that a union of the type has, at least one.
pub fn samples_of(resource: Resource, wanted: fn(Property) -> bool) -> impl Iterator<Item = Map> {
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
