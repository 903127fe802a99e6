//! Tags: which are the user's, and how two of them are the same tag.
//!
//! The seam for default tags: they are merged into the inputs by Check, once the provider's configuration has them.

use value::Value;

/// Whether a tag belongs to AWS. Such tags are invisible: never in inputs, never in a difference, never removed.
pub fn is_managed(key: &str) -> bool {
    key.starts_with("aws:")
}

/// The key of a tag in a list of tags, whichever of the shapes in use it has; `None` when it is no known text.
pub fn key(tag: &Value) -> Option<&str> {
    let members = tag.unsecret().as_object()?;
    ["key", "Key", "tagKey"].iter().find_map(|name| members.get(*name)?.unsecret().as_str())
}

/// Whether an element of a list of tags is invisible: AWS's own, or an empty object, which the Go provider's refresh
/// left where AWS's own had been.
pub fn is_invisible(tag: &Value) -> bool {
    match key(tag) {
        Some(key) => is_managed(key),
        None => tag.unsecret().as_object().is_some_and(|members| members.values().all(Value::is_null)),
    }
}

/// [`is_invisible`] for a tag as the service returns it.
pub fn is_managed_json(tag: &serde_json::Value) -> bool {
    let key = ["Key", "key", "TagKey"].iter().find_map(|name| tag.get(*name)?.as_str());
    key.is_some_and(is_managed)
}
