//! What an update must not touch: values that the service makes and values that can be given at creation only.

use crate::schema::{InstancePath, ResourceType};
use serde_json::Value;

/// Why an update is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A read-only value changed or vanished.
    ReadOnly(String),
    /// A create-only value changed or vanished.
    CreateOnly(String),
}

/// Compares a model with its patched form; read-only values first, paths in schema order.
pub(crate) fn check(resource: &ResourceType, current: &Value, patched: &Value) -> Result<(), Refusal> {
    let text = |list: &str, paths: Vec<&InstancePath>| {
        let pointers: Vec<&str> = paths.iter().map(|path| path.pointer()).collect();
        format!("Invalid patch update: {list} [{}] cannot be updated", pointers.join(", "))
    };
    let read_only = touched(&resource.read_only, current, patched);
    if !read_only.is_empty() {
        return Err(Refusal::ReadOnly(text("readOnlyProperties", read_only)));
    }
    let create_only = touched(&resource.create_only, current, patched);
    if !create_only.is_empty() {
        return Err(Refusal::CreateOnly(text("createOnlyProperties", create_only)));
    }
    Ok(())
}

/// The read-only paths that a desired state sets; those that can be given at creation all the same are left out.
pub(crate) fn read_only_given<'t>(resource: &'t ResourceType, desired: &Value) -> Vec<&'t str> {
    let is_create_only =
        |path: &InstancePath| resource.create_only.iter().any(|other| other.segments() == path.segments());
    let given = resource.read_only.iter().filter(|path| !is_create_only(path) && !path.find(desired).is_empty());
    given.map(InstancePath::pointer).collect()
}

fn touched<'t>(paths: &'t [InstancePath], current: &Value, patched: &Value) -> Vec<&'t InstancePath> {
    paths.iter().filter(|path| is_touched(path, current, patched)).collect()
}

/// Whether an update changes what is at a path.
///
/// Inside array elements and map entries only values that were not there before count: elements come and go, and a
/// whole array is written without the values that the service keeps beside its elements.
fn is_touched(path: &InstancePath, current: &Value, patched: &Value) -> bool {
    let before = path.find(current);
    let after = path.find(patched);
    let is_inside_elements = path.has_each() || before.iter().chain(&after).any(|(at, _)| has_index(at));
    if is_inside_elements {
        return after.iter().any(|(_, value)| !before.iter().any(|(_, known)| crate::json::equal(known, value)));
    }
    before.len() != after.len() || before.iter().zip(&after).any(|((_, a), (_, b))| !crate::json::equal(a, b))
}

fn has_index(at: &str) -> bool {
    at.split('/').any(|step| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn updates_respect_property_classes() {
        let resource = ResourceType::new(
            "T::T::T".to_owned(),
            json!({
                "readOnlyProperties": ["/properties/Arn", "/properties/Net/Vpc", "/properties/Rules/*/Id"],
                "createOnlyProperties": ["/properties/Name", "/properties/Net/Family", "/properties/Rules/*/Kind", "/properties/Seed"],
            }),
        );
        let current = json!({"Arn": "a", "Name": "n", "Size": 1, "Net": {"Vpc": "v", "Family": "4", "Open": true}, "Rules": [{"Id": "1", "Kind": "x", "V": 1}]});
        let read_only = |paths: &str| {
            Err(Refusal::ReadOnly(format!("Invalid patch update: readOnlyProperties [{paths}] cannot be updated")))
        };
        let create_only = |paths: &str| {
            Err(Refusal::CreateOnly(format!("Invalid patch update: createOnlyProperties [{paths}] cannot be updated")))
        };
        for (change, expected) in [
            (json!({"Size": 2}), Ok(())),
            (json!({"Arn": "b", "Name": "m"}), read_only("/properties/Arn")),
            (json!({"Arn": null}), read_only("/properties/Arn")),
            (
                json!({"Net": {"Family": "6", "Open": false, "Vpc": "v"}, "Name": "m"}),
                create_only("/properties/Name, /properties/Net/Family"),
            ),
            // Writing the parent without its children counts as changing them.
            (json!({"Net": {"Open": false}}), read_only("/properties/Net/Vpc")),
            (json!({"Net": {"Open": false, "Vpc": "v"}}), create_only("/properties/Net/Family")),
            // A create-only value that cannot be read counts as changed when it is sent again.
            (json!({"Seed": "s"}), create_only("/properties/Seed")),
            (json!({"Rules": [{"Kind": "x", "V": 2}]}), Ok(())),
            (json!({"Rules": []}), Ok(())),
            (json!({"Rules": [{"Kind": "y"}]}), create_only("/properties/Rules/*/Kind")),
            (json!({"Rules": [{"Id": "2"}]}), read_only("/properties/Rules/*/Id")),
        ] {
            let mut patched = current.clone();
            json_patch::merge(
                &mut patched,
                &json!({"Net": change.get("Net").map(|_| Value::Null).unwrap_or(current["Net"].clone())}),
            );
            json_patch::merge(&mut patched, &change);
            assert_eq!(check(&resource, &current, &patched), expected, "{change}");
        }
    }

    #[test]
    fn read_only_values_are_found_in_a_desired_state() {
        let resource = ResourceType::new(
            "T::T::T".to_owned(),
            json!({"readOnlyProperties": ["/properties/Arn", "/properties/Name"], "createOnlyProperties": ["/properties/Name"]}),
        );
        assert_eq!(read_only_given(&resource, &json!({"Name": "n"})), Vec::<&str>::new());
        assert_eq!(read_only_given(&resource, &json!({"Name": "n", "Arn": "a"})), ["/properties/Arn"]);
    }
}
