//! Tags: which are visible, and how two of them are the same tag.
//!
//! The seam for default tags: they are merged into the inputs by Check, once the provider's configuration has them.

use value::Value;

pub use rules::{TagRules, is_managed};

mod rules;

/// The key of a tag in a list of tags, whichever of the shapes in use it has; `None` when it is no known text.
pub fn key(tag: &Value) -> Option<&str> {
    let members = tag.unsecret().as_object()?;
    ["key", "Key", "tagKey"].iter().find_map(|name| members.get(*name)?.unsecret().as_str())
}
