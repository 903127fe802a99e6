//! Tags: which are visible, which every resource gets, and how two of them are the same tag.

use std::collections::BTreeMap;

use value::Value;

pub use rules::{TagRules, is_managed};

pub mod defaults;
pub mod ignored;
mod names;
mod rules;

/// The tags that every resource gets unless it has one with the same key: texts, secret or not.
pub type DefaultTags = BTreeMap<String, Value>;

/// The key of a tag in a list of tags, whichever of the shapes in use it has; `None` when it is no known text.
pub fn key(tag: &Value) -> Option<&str> {
    let members = tag.unsecret().as_object()?;
    names::ALL.iter().find_map(|name| members.get(*name)?.unsecret().as_str())
}
