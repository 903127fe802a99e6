//! What forbids a delete.

use crate::core::Core;
use crate::overrides::file::Protection;
use serde_json::Value;

/// The property that forbids deleting a resource with this model, if one does.
pub(super) fn in_force<'c>(core: &'c Core, type_name: &str, model: &str) -> Option<&'c Protection> {
    // Reading a model takes longer than everything else a transaction does, so it is read only if it could matter.
    let mut protections = core.knowledge.protections(type_name);
    let mut protections = protections.by_ref().filter(|protection| model.contains(&protection.property)).peekable();
    protections.peek()?;
    let model = crate::json::stored(model);
    // Of a list one element is enough.
    let is_on = |protection: &&Protection| match model.get(&protection.property) {
        Some(Value::Array(elements)) => elements.contains(&protection.is),
        value => value == Some(&protection.is),
    };
    protections.find(is_on)
}
