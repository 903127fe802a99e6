//! What was found in a set of schemas: how many types can be served, what each of them is, and what was wrong.

use super::library::{Library, SchemaSource};
use super::{Handler, InstancePath, resource_type::ResourceType};
use crate::error::EmulatorError;
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// The outcome of reading every schema of a source.
#[derive(Debug, Default, Clone, Serialize)]
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
            "{}, {} of them provisionable, {}",
            counted(self.types, "type"),
            self.provisionable,
            counted(self.warnings.len(), "warning")
        )?;
        self.warnings.iter().try_for_each(|warning| write!(f, "\n{warning}"))
    }
}

/// A number of things.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Reads every schema of a source to the end.
///
/// # Errors
///
/// [`EmulatorError`] when the source itself cannot be read.
pub fn check_schemas(source: &SchemaSource) -> Result<SchemaReport, EmulatorError> {
    Ok(of_library(&Library::load(source)?))
}

/// What one schema is. Problems are named by the pointer of the place.
#[derive(Debug, Default, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeReport {
    /// The file, or the root, that the schema is from.
    pub origin: String,
    /// The handlers, as the service names them.
    pub handlers: Vec<&'static str>,
    /// The pointers of the primary identifier.
    pub identifier: Vec<String>,
    /// Pointers in lists of properties, and references, that lead nowhere.
    pub pointer_problems: Vec<String>,
    /// Regular expressions in it.
    pub patterns: usize,
    /// Those that do not compile; nothing is held against them.
    pub pattern_problems: Vec<String>,
    /// Properties that the service keeps in another form.
    pub transforms: usize,
    /// Those whose expression cannot be read; the value stays as it is given.
    pub transform_problems: Vec<String>,
    /// Anything else: why the type cannot be served.
    pub problems: Vec<String>,
}

impl TypeReport {
    fn warnings(&self, type_name: &str) -> impl Iterator<Item = String> {
        let all = [&self.problems, &self.pointer_problems, &self.pattern_problems, &self.transform_problems];
        all.into_iter().flatten().map(move |problem| format!("{type_name}: {problem}")).collect::<Vec<_>>().into_iter()
    }
}

/// The report about everything in a library. Schemas are read for it and not kept.
pub(crate) fn of_library(library: &Library) -> SchemaReport {
    let skipped = library.skipped().iter().map(|(file, reason)| format!("{file}: no resource schema: {reason}"));
    let mut report = SchemaReport { warnings: skipped.collect(), ..SchemaReport::default() };
    for type_name in library.type_names() {
        let of_type = of_type(library, type_name);
        report.types += 1;
        report.provisionable += usize::from(of_type.handlers.contains(&Handler::Create.action()));
        report.warnings.extend(of_type.warnings(type_name));
    }
    report
}

/// The report about one type of a library.
pub(crate) fn of_type(library: &Library, type_name: &str) -> TypeReport {
    let origin = library.origin(type_name).unwrap_or_default();
    match library.read(type_name) {
        Ok(resource) => TypeReport { origin, ..of_resource(&resource) },
        Err(reason) => TypeReport { origin, problems: vec![reason], ..TypeReport::default() },
    }
}

fn of_resource(resource: &ResourceType) -> TypeReport {
    let all = [Handler::Create, Handler::Read, Handler::Update, Handler::Delete, Handler::List];
    let mut report = TypeReport {
        handlers: all.into_iter().filter(|handler| resource.has(*handler)).map(Handler::action).collect(),
        identifier: resource.primary_identifier.iter().map(|path| path.pointer().to_owned()).collect(),
        transforms: resource.transforms().len(),
        ..TypeReport::default()
    };
    if resource.has(Handler::Create) && resource.primary_identifier.is_empty() {
        report.problems.push("it has handlers but no primaryIdentifier, so it is not served".to_owned());
    }
    if resource.schema.get("properties").is_some_and(|properties| !properties.is_object()) {
        report.problems.push("/properties is no object".to_owned());
    }
    check_pointers(resource, &mut report);
    walk(resource, &resource.schema, &mut String::new(), &mut report);
    let problems = resource.transforms().problems();
    report
        .transform_problems
        .extend(problems.map(|(pointer, reason)| format!("propertyTransform of {pointer} cannot be read: {reason}")));
    report
}

/// Lists of properties, by keyword.
const LISTS: [&str; 7] = [
    "primaryIdentifier",
    "readOnlyProperties",
    "createOnlyProperties",
    "writeOnlyProperties",
    "conditionalCreateOnlyProperties",
    "deprecatedProperties",
    "nonPublicProperties",
];

fn check_pointers(resource: &ResourceType, report: &mut TypeReport) {
    let single = LISTS.iter().map(|list| (*list, resource.schema.get(list)));
    let additional = resource.schema.get("additionalIdentifiers").and_then(Value::as_array);
    let additional = additional.into_iter().flatten().map(|list| ("additionalIdentifiers", Some(list)));
    for (list, pointers) in single.chain(additional) {
        let Some(pointers) = pointers else { continue };
        let Some(pointers) = pointers.as_array() else {
            report.pointer_problems.push(format!("/{list} is no list"));
            continue;
        };
        for pointer in pointers {
            match pointer.as_str() {
                None => report.pointer_problems.push(format!("/{list} holds what is no text")),
                Some(pointer) => report.pointer_problems.extend(problem(resource, list, pointer)),
            }
        }
    }
    let transformed = resource.schema.get("propertyTransform").and_then(Value::as_object).into_iter().flatten();
    report
        .pointer_problems
        .extend(transformed.filter_map(|(pointer, _)| problem(resource, "propertyTransform", pointer)));
}

fn problem(resource: &ResourceType, list: &str, pointer: &str) -> Option<String> {
    match InstancePath::parse(pointer) {
        None => Some(format!("{list}: {pointer} says nothing about a model")),
        Some(path) if resource.leads_somewhere(&path) => None,
        Some(_) => Some(format!("{list}: {pointer} names no property")),
    }
}

/// Looks at every node of a schema. Recursion follows the document, which is at most as deep as the reader allows.
fn walk(resource: &ResourceType, value: &Value, at: &mut String, report: &mut TypeReport) {
    let length = at.len();
    match value {
        Value::Object(members) => {
            // `pattern` and `$ref` are the names of properties too.
            if !at.ends_with("/properties") {
                if let Some(Value::String(pattern)) = members.get("pattern") {
                    report.patterns += 1;
                    if cfn::java_pattern::compile(pattern).is_none() {
                        let text = format!("{at}/pattern is not checked, it does not compile: {pattern}");
                        report.pattern_problems.push(text);
                    }
                }
                if members
                    .get("$ref")
                    .is_some_and(|reference| reference.is_string() && resource.reference(value).is_none())
                {
                    report
                        .pointer_problems
                        .push(format!("{at}/$ref leads nowhere: {}", members.get("$ref").unwrap_or(&Value::Null)));
                }
            }
            for (name, member) in members {
                at.push('/');
                at.push_str(&cfn::escape_token(name));
                walk(resource, member, at, report);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push('/');
                at.push_str(&index.to_string());
                walk(resource, item, at, report);
                at.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
