//! The patch document (RFC 6902) and its pointers (RFC 6901).

use std::collections::HashSet;

use serde_json::{Value as Json, json};

/// Operations in the making, with the pointer at which the walk stands.
#[derive(Debug, Default)]
pub struct Patch {
    operations: Vec<Json>,
    pointer: String,
    set: HashSet<String>,
}

impl Patch {
    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The document.
    pub fn into_json(self) -> Json {
        Json::Array(self.operations)
    }

    /// Runs `visit` one step further down.
    pub(super) fn at<T>(&mut self, step: &str, visit: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer.push('/');
        for character in step.chars() {
            match character {
                '~' => self.pointer.push_str("~0"),
                '/' => self.pointer.push_str("~1"),
                other => self.pointer.push(other),
            }
        }
        let result = visit(self);
        self.pointer.truncate(length);
        result
    }

    /// Sets the value here, whether or not the model has one.
    pub(super) fn add(&mut self, value: Json) {
        self.operations.push(json!({ "op": "add", "path": self.pointer, "value": value }));
        self.set.insert(self.pointer.clone());
    }

    /// Sets the value here, which the model has.
    pub(super) fn replace(&mut self, value: Json) {
        self.operations.push(json!({ "op": "replace", "path": self.pointer, "value": value }));
        self.set.insert(self.pointer.clone());
    }

    /// Takes the value here, which the model has, away.
    pub(super) fn remove(&mut self) {
        self.operations.push(json!({ "op": "remove", "path": self.pointer }));
    }

    /// Whether the value here has been set whole.
    pub(super) fn is_set(&self) -> bool {
        self.set.contains(&self.pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_escaped() {
        let mut patch = Patch::default();
        patch.at("Tags", |patch| patch.at("a/b~c", |patch| patch.replace("x".into())));
        patch.at("Other", Patch::remove);
        let expected = json!([
            { "op": "replace", "path": "/Tags/a~1b~0c", "value": "x" },
            { "op": "remove", "path": "/Other" },
        ]);
        assert_eq!(patch.into_json(), expected);
    }
}
