//! What forbids a delete.

use crate::core::Core;
use serde_json::Value;

/// The property that forbids deleting a resource with this model, if one does.
pub(super) fn in_force(core: &Core, _type_name: &str, model: &str) -> Option<String> {
    // Reading a model takes longer than everything else a transaction does, so it is read only if it could matter.
    let mut names = core.deletion_protection().filter(|name| model.contains(*name)).peekable();
    names.peek()?;
    let model = crate::json::stored(model);
    names.find(|name| model.get(*name) == Some(&Value::Bool(true))).map(str::to_owned)
}
