//! Objects inside lists: what the service makes for an element follows the element, not its place.

use crate::entropy::{Entropy, digest_text};
use crate::schema::{InstancePath, ResourceType};
use cfn::Segment;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Called with draws for one object, and the object.
type Visit<'f> = dyn FnMut(Entropy, &mut Map<String, Value>) + 'f;

/// Calls `visit` for every object that could have the last member of a path.
///
/// The draws of an element are those of its digest without the values that the service makes, so that another order
/// keeps them; equal elements are told apart by how many came before.
pub(super) fn parents(
    resource: &ResourceType,
    path: &InstancePath,
    model: &mut Value,
    draws: &Entropy,
    visit: &mut Visit<'_>,
) {
    let walk = Walk { resource, path };
    let Some((Segment::Name(_), way)) = path.segments().split_last() else { return };
    walk.at(model, 0, way.len(), draws.clone(), visit);
}

struct Walk<'w> {
    resource: &'w ResourceType,
    path: &'w InstancePath,
}

impl Walk<'_> {
    /// `done` steps lead to `value`; the object is reached after `until` of them.
    fn at(&self, value: &mut Value, done: usize, until: usize, draws: Entropy, visit: &mut Visit<'_>) {
        let step = if done < until { self.path.segments().get(done) } else { None };
        match (value, step) {
            (Value::Object(members), None) => visit(draws, members),
            (Value::Object(members), Some(Segment::Name(name))) => {
                if let Some(member) = members.get_mut(name) {
                    self.at(member, done + 1, until, draws.within(name), visit);
                }
            }
            (Value::Object(members), Some(Segment::Each)) => {
                for (key, member) in members {
                    self.at(member, done + 1, until, draws.within(key), visit);
                }
            }
            // A path may leave out the `*` before the members of elements.
            (Value::Array(items), step) => {
                let done = done + usize::from(matches!(step, Some(Segment::Each)));
                let mut earlier: HashMap<String, usize> = HashMap::new();
                for item in items {
                    let digest = self.digest(item, done);
                    let count = earlier.entry(digest.clone()).and_modify(|count| *count += 1).or_default();
                    let draws = draws.within(&digest).within(&count.to_string());
                    self.at(item, done, until, draws, visit);
                }
            }
            (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
        }
    }

    /// What an element is without the values that the service makes.
    fn digest(&self, item: &Value, done: usize) -> String {
        let way = self.path.segments().get(..done).unwrap_or_default();
        let mut own = item.clone();
        for below in self.resource.read_only.iter().filter_map(|path| path.below(way)) {
            below.remove(&mut own);
        }
        digest_text(&[&own.to_string()])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use serde_json::json;

    fn filled(mut model: Value) -> Value {
        let schema = json!({"readOnlyProperties": ["/properties/Rules/*/Id", "/properties/Rules/*/Parts/*/No"]});
        let resource = ResourceType::new("A::B::C".to_owned(), schema);
        for path in resource.read_only.clone() {
            parents(&resource, &path, &mut model, &Entropy::new(&["e"]), &mut |mut draws, members| {
                members.entry(path.short_name().to_owned()).or_insert_with(|| Value::from(draws.hex(8)));
            });
        }
        model
    }

    #[test]
    fn values_follow_their_elements() {
        let first = filled(json!({"Rules": [{"A": 1}, {"A": 2, "Parts": [{"P": 1}, {"P": 1}]}]}));
        let other = filled(json!({"Rules": [{"A": 2, "Parts": [{"P": 1}, {"P": 1}]}, {"A": 1}]}));
        assert_eq!(first["Rules"][0], other["Rules"][1]);
        assert_eq!(first["Rules"][1], other["Rules"][0]);
        assert_ne!(first["Rules"][0]["Id"], first["Rules"][1]["Id"]);
        let parts = &first["Rules"][1]["Parts"];
        assert_ne!(parts[0]["No"], parts[1]["No"], "equal elements are different things");
        assert_eq!(filled(json!({"Rules": "none"})), json!({"Rules": "none"}));
    }
}
