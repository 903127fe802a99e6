//! The patch document (RFC 6902) and its pointers (RFC 6901).

use std::collections::HashSet;
use std::fmt;

use serde_json::{Value as Json, json};

use crate::marks::Rule;

/// Operations in the making, with the pointer at which the walk stands.
///
/// `Debug` output names operations and paths and never holds a value: a patch is in clear what inputs have as secrets.
#[derive(Default)]
pub struct Patch {
    operations: Vec<Json>,
    pointer: String,
    set: HashSet<String>,
    /// Rules of the schema that could not be read, so that nothing was compared by them.
    pub(super) unreadable: Vec<Rule>,
}

impl Patch {
    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The operations, in order.
    pub fn operations(&self) -> &[Json] {
        &self.operations
    }

    /// Rules of the schema that could not be read, so that nothing was compared by them.
    pub fn unreadable(&self) -> &[Rule] {
        &self.unreadable
    }

    /// The operations, in order, without the walk that made them.
    pub fn into_operations(self) -> Vec<Json> {
        self.operations
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

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |operation: &Json, name: &str| operation[name].as_str().unwrap_or_default().to_owned();
        let operations = self.operations.iter().map(|operation| (text(operation, "op"), text(operation, "path")));
        f.debug_list().entries(operations).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_printed() {
        let mut patch = Patch::default();
        patch.at("Password", |patch| patch.add("canary".into()));
        let text = format!("{patch:?} {patch:#?}");
        assert!(text.contains("/Password") && !text.contains("canary"), "{text}");
    }

    #[test]
    fn what_was_set_is_known_by_its_path() {
        let mut patch = Patch::default();
        assert!(patch.is_empty());
        patch.at("A", |patch| patch.at("B", |patch| patch.add(json!(1))));
        patch.at("C", |patch| patch.replace(json!(2)));
        patch.at("D", Patch::remove);
        let mut check = |path: &[&str], expected: bool| {
            assert_eq!(is_set(&mut patch, path), expected, "{path:?}");
        };
        check(&[], false);
        check(&["A"], false);
        check(&["A", "B"], true);
        check(&["A", "B", "X"], false);
        check(&["C"], true);
        check(&["D"], false);
        assert!(!patch.is_empty());

        fn is_set(patch: &mut Patch, path: &[&str]) -> bool {
            match path.split_first() {
                Some((step, rest)) => patch.at(step, |patch| is_set(patch, rest)),
                None => patch.is_set(),
            }
        }
    }

    #[test]
    fn pointers_are_escaped() {
        let mut patch = Patch::default();
        patch.at("Tags", |patch| patch.at("a/b~c", |patch| patch.replace("x".into())));
        patch.at("Other", Patch::remove);
        let expected = json!([
            { "op": "replace", "path": "/Tags/a~1b~0c", "value": "x" },
            { "op": "remove", "path": "/Other" },
        ]);
        assert_eq!(Json::Array(patch.into_operations()), expected);
    }
}
