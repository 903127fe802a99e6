//! The pages about schemas: what is served, what is wrong with it, and reading it again.

use crate::admin::{Admin, AdminError};
use crate::core::Core;
use serde_json::{Value, json};

/// Type names, skipped files and patterns; with details a report for each type, which reads all of them.
pub(super) fn list(admin: &Admin, core: &Core, details: bool) -> Value {
    let library = core.library();
    let skipped: Vec<Value> =
        library.skipped().iter().map(|(file, reason)| json!({"file": file, "reason": reason})).collect();
    let served: Vec<&str> = library.type_names().collect();
    let mut answer = json!({
        "types": served,
        "skippedFiles": skipped,
        "replacedTypes": library.replaced(),
        "skippedPatterns": core.patterns.skipped(),
        "patternsGivenUp": core.patterns.given_up(),
    });
    if details {
        let details: serde_json::Map<String, Value> = served
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), serde_json::to_value(admin.type_report(name)?).ok()?)))
            .collect();
        answer["details"] = Value::Object(details);
    }
    answer
}

/// The schema of one type, and the report about it.
pub(super) fn one(admin: &Admin, type_name: &str) -> Result<Value, AdminError> {
    let unknown = || AdminError::NotFound { what: format!("type {type_name}") };
    let report = admin.type_report(type_name).ok_or_else(unknown)?;
    Ok(json!({"type": type_name, "report": report, "schema": admin.schema(type_name)}))
}

/// Reads the schemas again.
pub(super) fn reload(admin: &Admin) -> Result<Value, AdminError> {
    let report = admin.reload().map_err(|error| AdminError::Impossible { reason: error.to_string() })?;
    Ok(json!({"types": report.types, "provisionable": report.provisionable, "warnings": report.warnings}))
}
