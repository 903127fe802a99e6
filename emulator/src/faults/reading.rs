//! Reads that do not show what there is.

use super::action::{Action, Case};
use super::rules::ask;
use super::stage::Stage;
use super::{ReadForm, Reading, Subject};
use crate::model::read;
use crate::schema::{InstancePath, ResourceType};
use crate::store::{Resource, Txn};
use serde_json::Value;

/// Asked for every resource that a get or a list is about to show.
pub(crate) fn reading(txn: &mut Txn<'_>, subject: &Subject<'_>, resource: &Resource) -> Reading {
    if let Some(reading) = haunted(txn, subject, resource) {
        return reading;
    }
    let fired = ask(txn, Stage::Reading, subject);
    let forms = fired.into_iter().filter_map(|fired| match fired.then {
        Action::Sparse => Some(ReadForm::Sparse),
        Action::Reorder => Some(ReadForm::Reorder),
        Action::Recase(recase) => Some(ReadForm::Recase { paths: recase.paths, to_upper: recase.to == Case::Upper }),
        _ => None,
    });
    let forms: Vec<ReadForm> = forms.collect();
    if forms.is_empty() { Reading::AsIs } else { Reading::With(forms) }
}

/// What an earlier request has left in the way of reads.
fn haunted(txn: &mut Txn<'_>, subject: &Subject<'_>, resource: &Resource) -> Option<Reading> {
    let haunt = resource.haunted.as_deref()?;
    let now = txn.now_ms();
    let is_get = subject.operation == "GetResource";
    let is_hidden =
        if is_get { now < haunt.missing_until || haunt.missing_reads > 0 } else { now < haunt.unlisted_until };
    let reading = match is_hidden {
        true => Reading::Missing,
        false if now < haunt.stale_until => Reading::Text(haunt.stale.clone()?),
        false => return None,
    };
    if let Some(rule) = &haunt.rule {
        txn.fired(rule);
    }
    if is_get && haunt.missing_reads > 0 {
        let shelf = txn.core().shelf_key(subject.scope, subject.type_name);
        txn.haunt(&shelf, &resource.identifier, |haunt| haunt.missing_reads -= 1);
    }
    Some(reading)
}

/// Asked by an update: the pointer of a value of the patched model that the service returns but does not take back.
pub(crate) fn refuses_readback(txn: &mut Txn<'_>, subject: &Subject<'_>, patched: &Value) -> Option<String> {
    let fired = ask(txn, Stage::Readback, subject).pop()?;
    let Action::RejectReadback(readback) = fired.then else { return None };
    let path = InstancePath::parse(&readback.path)?;
    (!path.find(patched).is_empty()).then_some(readback.path)
}

/// A visible model in other forms.
pub(crate) fn in_form(resource: &ResourceType, mut visible: Value, forms: &[ReadForm]) -> Value {
    for form in forms {
        match form {
            ReadForm::Sparse => visible = read::identifier_only(resource, &visible),
            ReadForm::Reorder => reorder(resource, &mut visible),
            ReadForm::Recase { paths, to_upper } => recase(&mut visible, paths, *to_upper),
        }
    }
    visible
}

fn recase(visible: &mut Value, paths: &[String], to_upper: bool) {
    for path in paths.iter().filter_map(|path| InstancePath::parse(path)) {
        let found: Vec<String> = path.find(visible).into_iter().map(|(pointer, _)| pointer).collect();
        for pointer in found {
            if let Some(Value::String(text)) = visible.pointer_mut(&pointer) {
                *text = if to_upper { text.to_uppercase() } else { text.to_lowercase() };
            }
        }
    }
}

/// Turns the arrays around that the schema gives no order to.
fn reorder(resource: &ResourceType, visible: &mut Value) {
    let Some(properties) = resource.schema.get("properties").and_then(Value::as_object) else { return };
    for (name, schema) in properties {
        if schema.get("insertionOrder") == Some(&Value::Bool(false))
            && let Some(Value::Array(elements)) = visible.get_mut(name)
        {
            elements.reverse();
        }
    }
}
