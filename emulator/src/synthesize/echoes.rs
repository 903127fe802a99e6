//! Values that the service repeats: an id that the caller named inside another property shows at the root as well.

use crate::schema::{InstancePath, ResourceType};
use serde_json::Value;

/// How deep the caller's values are looked into.
const DEPTH: usize = 4;

/// The one value that the caller gave under the name of a read-only property of the root, for ids of other resources:
/// `VpcId`, `SubnetId`. `Id` and `Name` alone say too little, and several different values say nothing.
pub(super) fn echo(resource: &ResourceType, path: &InstancePath, model: &Value) -> Option<Value> {
    let name = path.short_name();
    let is_reference = name.len() > 2 && name.ends_with("Id");
    if path.segments().len() != 1 || !is_reference {
        return None;
    }
    let kind = resource.name.rsplit("::").next().unwrap_or_default();
    if name.strip_suffix("Id").is_some_and(|stem| stem.eq_ignore_ascii_case(kind)) {
        return None;
    }
    let mut found = Vec::new();
    collect(model, name, 0, &mut found);
    found.dedup();
    match found.as_slice() {
        [one] => Some((*one).clone()),
        _ => None,
    }
}

fn collect<'m>(value: &'m Value, name: &str, depth: usize, found: &mut Vec<&'m Value>) {
    if depth > DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            for (known, member) in members {
                if known == name && member.is_string() {
                    found.push(member);
                }
                collect(member, name, depth + 1, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, depth + 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use serde_json::json;

    #[test]
    fn ids_of_others_are_repeated() {
        let resource = ResourceType::new("A::B::Cluster".to_owned(), json!({}));
        let model = json!({"Network": {"VpcId": "vpc-1", "SubnetIds": ["s"]}, "Items": [{"HostId": "a"}, {"HostId": "b"}],
            "Nested": {"ClusterId": "c"}});
        let check = |pointer: &str| echo(&resource, &InstancePath::parse(pointer).unwrap(), &model);
        assert_eq!(check("/properties/VpcId"), Some(json!("vpc-1")));
        assert_eq!(check("/properties/HostId"), None, "two values say nothing");
        assert_eq!(check("/properties/ClusterId"), None, "that is its own id");
        assert_eq!(check("/properties/OtherId"), None);
    }
}
