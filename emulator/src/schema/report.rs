//! What was found in a set of schemas: how many types can be served, and what was wrong.

use super::library::{Library, SchemaSource};
use super::{Handler, resource_type::ResourceType};
use crate::error::EmulatorError;
use serde_json::Value;
use std::fmt;

/// The outcome of reading every schema of a source.
#[derive(Debug, Default)]
pub struct SchemaReport {
    /// Types described.
    pub types: usize,
    /// Types that can be created, read or not.
    pub provisionable: usize,
    /// What is wrong, one line each: files, types, pointers and patterns.
    pub warnings: Vec<String>,
}

impl SchemaReport {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.warnings.is_empty()
    }
}

impl fmt::Display for SchemaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} types, {} of them provisionable, {} warnings",
            self.types,
            self.provisionable,
            self.warnings.len()
        )?;
        self.warnings.iter().try_for_each(|warning| write!(f, "\n{warning}"))
    }
}

/// Reads every schema of a source to the end.
///
/// # Errors
///
/// [`EmulatorError`] when the source itself cannot be read.
pub fn check_schemas(source: &SchemaSource) -> Result<SchemaReport, EmulatorError> {
    let library = Library::load(source)?;
    let mut report = SchemaReport::default();
    report
        .warnings
        .extend(library.skipped().iter().map(|(file, reason)| format!("{file}: no resource schema: {reason}")));
    for type_name in library.type_names() {
        report.types += 1;
        let Some(resource) = library.get(type_name) else {
            report.warnings.push(format!("{type_name}: the schema cannot be read"));
            continue;
        };
        report.provisionable += usize::from(resource.has(Handler::Create));
        check_identifier(&resource, &mut report.warnings);
        let mut patterns = Vec::new();
        collect_patterns(&resource.schema, &mut patterns);
        for pattern in patterns {
            if cfn::java_pattern::compile(pattern).is_none() {
                report.warnings.push(format!("{type_name}: pattern is not checked, it does not compile: {pattern}"));
            }
        }
    }
    Ok(report)
}

fn check_identifier(resource: &ResourceType, warnings: &mut Vec<String>) {
    if resource.has(Handler::Create) && resource.primary_identifier.is_empty() {
        warnings.push(format!("{}: it has handlers but no primaryIdentifier, so it is not served", resource.name));
    }
    for path in &resource.primary_identifier {
        if resource.node(path).is_none() {
            warnings.push(format!("{}: identifier {} names no property", resource.name, path.pointer()));
        }
    }
}

/// Collects the patterns of a schema. Recursion follows the document, which is at most as deep as the reader allows.
fn collect_patterns<'v>(value: &'v Value, patterns: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(pattern)) = members.get("pattern") {
                patterns.push(pattern);
            }
            members.values().for_each(|member| collect_patterns(member, patterns));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_patterns(item, patterns)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
