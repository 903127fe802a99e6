//! Desired states that a schema accepts, for tests that need one of every type.

use super::context::Context;
use super::generate::Generator;
use crate::admin::Size;
use crate::entropy::Entropy;
use crate::schema::patterns::Patterns;
use crate::schema::{InstancePath, ResourceType};
use crate::validate::Validator;
use serde_json::{Map, Value};

/// The levels of a maximal state that get members which may be absent. Lists and objects are a level each.
const FULL_TO: usize = 6;
/// The most members that are added to one object.
const MOST_MEMBERS: usize = 256;

/// A desired state that the schema accepts, `None` when none is found.
pub(crate) fn sample(resource: &ResourceType, patterns: &Patterns, context: &Context<'_>, size: Size) -> Option<Value> {
    let validator = Validator::new(resource, patterns);
    let own_name = context.entropy.within("own name").lower(12);
    let made = |full_to: usize| {
        let generator = Generator { resource, validator, context, own_name: own_name.clone(), full_to };
        let desired = generator.value(&resource.schema, context.kind, &context.entropy)?;
        settled(resource, &validator, desired)
    };
    // Where the schema asks at its root for a member that a nested object may leave out, the smallest state is a full one.
    let levels: &[usize] = match size {
        Size::Minimal => &[0, 2, 3],
        Size::Maximal => &[FULL_TO, 4, 2, 0],
    };
    levels.iter().find_map(|full_to| made(*full_to))
}

/// The state without what only the service may set; of members that do not go together as many as are accepted.
fn settled(resource: &ResourceType, validator: &Validator<'_>, mut desired: Value) -> Option<Value> {
    let nested = |path: &&InstancePath| path.segments().len() > 1;
    resource.read_only.iter().filter(nested).for_each(|path| path.remove(&mut desired));
    if validator.model(&desired).is_ok() {
        return Some(desired);
    }
    let names: Vec<String> = desired.as_object()?.keys().cloned().collect();
    names.iter().find_map(|name| {
        let mut without = desired.clone();
        without.as_object_mut()?.remove(name);
        validator.model(&without).is_ok().then_some(without)
    })
}

impl Generator<'_> {
    /// An object with as many members as the node accepts together.
    pub(super) fn full_object(&self, node: &Value, entropy: &Entropy, depth: usize) -> Option<Value> {
        let properties = self.resource.keyword(node, "properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            let free_form = || self.free_form(node, entropy, depth);
            return self
                .smallest_object(node, entropy, depth)
                .filter(|made| !crate::json::is_empty(made))
                .or_else(free_form);
        };
        let wanted = properties.keys().filter(|name| !self.is_deprecated(node, name)).take(MOST_MEMBERS);
        let mut more: Map<String, Value> = Map::new();
        for name in wanted {
            if let Some(made) = self.members(node, &[name.as_str()], entropy, depth) {
                more.extend(made);
            }
        }
        let all = Value::Object(more.clone());
        if self.validator.accepts(node, &all) {
            return Some(all);
        }
        let smallest = self.smallest_object(node, entropy, depth)?;
        Some(self.grown(node, smallest, more))
    }

    /// Adds members one by one, leaving out those that are refused beside the others.
    fn grown(&self, node: &Value, smallest: Value, more: Map<String, Value>) -> Value {
        let Value::Object(mut members) = smallest else { return smallest };
        for (name, value) in more {
            let before = members.insert(name.clone(), value);
            let whole = Value::Object(std::mem::take(&mut members));
            let is_accepted = self.validator.accepts(node, &whole);
            if let Value::Object(back) = whole {
                members = back;
            }
            match before {
                _ if is_accepted => {}
                Some(before) => {
                    members.insert(name, before);
                }
                None => {
                    members.remove(&name);
                }
            }
        }
        Value::Object(members)
    }

    fn is_deprecated(&self, node: &Value, name: &str) -> bool {
        let mut listed = crate::json::texts(self.resource.schema.get("deprecatedProperties"));
        std::ptr::eq(node, &self.resource.schema)
            && listed.any(|pointer| pointer.strip_prefix("/properties/") == Some(name))
    }
}
