//! Arrays whose order means nothing, in another order than they were given.

use super::tags;
use crate::entropy::digest_text;
use crate::schema::ResourceType;
use serde_json::Value;
use std::cmp::Ordering;

/// The deepest level that is looked at; recursive definitions end here at the latest.
const DEPTH: usize = 16;

/// Orders arrays with `insertionOrder: false` by their content and the seed, and tags by their key. The same elements
/// always come in the same order; where that is the order in which they were given, it is turned by one, so that the
/// caller can see that order means nothing. An array that `before` has in the same place stays as it is.
pub(crate) fn apply(resource: &ResourceType, seed: u64, before: Option<&Value>, model: &mut Value) {
    let tags = tags::place(resource).map(|path| {
        let names = path.segments().iter().map(|segment| segment.name().unwrap_or("*").to_owned());
        names.collect()
    });
    let walk = Walk { resource, seed: seed.to_string(), tags };
    walk.at(&resource.schema, before, model, &mut Vec::new());
}

struct Walk<'w> {
    resource: &'w ResourceType,
    seed: String,
    /// Names from the root to the tags.
    tags: Option<Vec<String>>,
}

impl Walk<'_> {
    fn at(&self, node: &Value, before: Option<&Value>, value: &mut Value, place: &mut Vec<String>) {
        if place.len() > DEPTH {
            return;
        }
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if let Some(node) = self.resource.child(node, Some(name)) {
                        place.push(name.clone());
                        self.at(node, before.and_then(|before| before.get(name)), member, place);
                        place.pop();
                    }
                }
            }
            Value::Array(items) => {
                if before.and_then(Value::as_array) == Some(items) {
                    return;
                }
                if let Some(node) = self.resource.keyword(node, "items") {
                    place.push("*".to_owned());
                    items.iter_mut().for_each(|item| self.at(node, None, item, place));
                    place.pop();
                }
                if self.tags.as_ref() == Some(place) && items.iter().all(|item| item.get("Key").is_some()) {
                    items.sort_by(by_key);
                } else if self.resource.keyword(node, "insertionOrder") == Some(&Value::Bool(false)) {
                    self.shuffle(items);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn shuffle(&self, items: &mut [Value]) {
        let given = items.to_vec();
        items.sort_by_cached_key(|item| digest_text(&[&self.seed, &item.to_string()]));
        if items.len() > 1 && *items == *given {
            items.rotate_left(1);
        }
    }
}

fn by_key(left: &Value, right: &Value) -> Ordering {
    let key = |tag: &Value| tag.get("Key").and_then(Value::as_str).map(str::to_owned);
    key(left).cmp(&key(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn order_that_means_nothing_is_another_one_and_stays_so() {
        let text = json!({"type": "string"});
        let schema = json!({
            "properties": {
                "List": {"type": "array", "items": text},
                "Set": {"type": "array", "insertionOrder": false, "items": text},
                "Inner": {"$ref": "#/definitions/Inner"},
                "Tags": {"type": "array", "items": {"type": "object", "properties": {"Key": text, "Value": text}}},
            },
            "definitions": {"Inner": {"type": "object", "properties": {"Set": {"type": "array", "insertionOrder": false, "items": text}}}},
            "tagging": {"tagProperty": "/properties/Tags"},
        });
        let resource = ResourceType::new("A::B::C".to_owned(), schema);
        let ordered = |before: Option<&Value>, given: &Value| {
            let mut model = given.clone();
            apply(&resource, 1, before, &mut model);
            model
        };
        let given = json!({
            "List": ["a", "b", "c"], "Set": ["a", "b", "c"], "Inner": {"Set": ["x", "y"]},
            "Tags": [{"Key": "b", "Value": "1"}, {"Key": "a", "Value": "2"}],
        });
        let first = ordered(None, &given);
        assert_eq!(first["List"], given["List"]);
        assert_eq!(first["Tags"], json!([{"Key": "a", "Value": "2"}, {"Key": "b", "Value": "1"}]));
        assert_ne!(first["Set"], given["Set"]);
        assert_eq!(first["Inner"]["Set"], json!(["y", "x"]));
        let sorted = |value: &Value| {
            let mut items: Vec<String> = value.as_array().into_iter().flatten().map(Value::to_string).collect();
            items.sort();
            items
        };
        assert_eq!(sorted(&first["Set"]), sorted(&given["Set"]));
        assert_eq!(ordered(None, &given), first);
        // What was not changed is not turned again; every order but the canonical one leads to that.
        assert_eq!(ordered(Some(&first), &first), first);
        let orders: Vec<Value> = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]]
            .iter()
            .map(|set| ordered(None, &json!({"Set": set}))["Set"].clone())
            .collect();
        let most = orders.iter().filter(|order| **order == orders[0]).count();
        assert!(most >= 3 || orders.iter().filter(|order| **order == orders[1]).count() >= 3, "{orders:?}");
        assert_eq!(ordered(None, &json!({"Set": ["a"]})), json!({"Set": ["a"]}));
        assert_eq!(ordered(None, &json!({"Set": ["a", "a"]})), json!({"Set": ["a", "a"]}));
    }
}
