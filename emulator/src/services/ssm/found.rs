//! Where parameters come from: `PutParameter`, resources of Cloud Control, and the public ones.

use super::public;
use crate::persist::Table;
use crate::scope::Scope;
use crate::store::{Resource, ShelfKey, Txn};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// The type whose resources are parameters too.
pub(super) const TYPE: &str = "AWS::SSM::Parameter";

/// A parameter, as `PutParameter` keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Parameter {
    /// `String`, `StringList` or `SecureString`.
    pub(super) kind: String,
    pub(super) value: String,
    pub(super) data_type: String,
    pub(super) version: u64,
    /// Milliseconds of the emulator's clock.
    pub(super) modified: u64,
}

/// The key of a parameter that was put.
pub(super) fn key(scope: &Scope, name: &str) -> String {
    format!("{}\0{}\0{name}", scope.account, scope.region)
}

/// The parameter of a name. Of one that was put and a resource, the one that changed last is meant.
pub(super) fn find(txn: &Txn<'_>, scope: &Scope, shelf: &ShelfKey, name: &str) -> Option<Parameter> {
    let put = txn.blob(Table::Parameters, &key(scope, name)).and_then(|record| serde_json::from_slice(record).ok());
    let made = txn.resource(shelf, name).map(of_resource);
    match (put, made) {
        (Some(put), Some(made)) => Some(newer(put, made)),
        (put, made) => put.or(made).or_else(|| find_public(txn, scope, name)),
    }
}

fn newer(put: Parameter, made: Parameter) -> Parameter {
    if made.modified > put.modified { made } else { put }
}

fn find_public(txn: &Txn<'_>, scope: &Scope, name: &str) -> Option<Parameter> {
    let value = public::value(&txn.core().knowledge.regions, scope, txn.core().options.seed, name)?;
    let kind = "String".to_owned();
    Some(Parameter { kind, value, data_type: "text".to_owned(), version: 1, modified: 0 })
}

/// A resource as a parameter. How often a resource was changed is not kept: its version is 1, or 2 once it was changed.
fn of_resource(resource: &Resource) -> Parameter {
    let model = crate::json::stored(&resource.model);
    let text = |name: &str| model.get(name).and_then(Value::as_str).map(str::to_owned);
    Parameter {
        kind: text("Type").unwrap_or_else(|| "String".to_owned()),
        value: text("Value").unwrap_or_default(),
        data_type: text("DataType").unwrap_or_else(|| "text".to_owned()),
        version: if resource.changed > resource.created { 2 } else { 1 },
        modified: resource.changed,
    }
}

/// The names below a path, in order; without `is_recursive` only those directly below it.
pub(super) fn below(
    txn: &Txn<'_>,
    scope: &Scope,
    shelf: &ShelfKey,
    path: &str,
    is_recursive: bool,
) -> BTreeSet<String> {
    let prefix = key(scope, "");
    let put = txn.blobs(Table::Parameters, &prefix).filter_map(|(key, _)| Some(key.get(prefix.len()..)?.to_owned()));
    let made = txn.after(shelf, 0, None).map(|resource| resource.identifier.to_string());
    let public = if path.starts_with("/aws/service") {
        public::below(&txn.core().knowledge.regions, scope, path)
    } else {
        Vec::new()
    };
    let folder = format!("{}/", path.trim_end_matches('/'));
    let is_below = |name: &String| {
        name.strip_prefix(&folder).is_some_and(|rest| !rest.is_empty() && (is_recursive || !rest.contains('/')))
    };
    put.chain(made).chain(public).filter(is_below).collect()
}
