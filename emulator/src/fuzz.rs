//! What fuzzing runs: one function for each kind of input that comes from outside, each with a property beside "nothing
//! panics and nothing takes long". Tests feed them with made-up and with recorded inputs.

use crate::admin::{Admin, Size};
use crate::core::Core;
use crate::faults::Rule;
use crate::model::{identifier, patch};
use crate::operations::{self, Call, NAMES};
use crate::options::{Options, Profile};
use crate::schema::ResourceType;
use crate::schema::library::SchemaSource;
use crate::scope::Scope;
use crate::store::Gathered;
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::{Arc, LazyLock};

/// A type with a bit of everything.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = json!({"type": "string", "maxLength": 64});
    json!({
        "typeName": "Test::Fuzz::Thing",
        "properties": {
            "Name": text, "Part": text, "Arn": text, "Secret": text,
            "Count": {"type": "integer"},
            "List": {"type": "array", "items": {"type": "object", "properties": {"Key": text}}},
            "Free": {"type": "object"},
        },
        "primaryIdentifier": ["/properties/Name", "/properties/Part"],
        "additionalIdentifiers": [["/properties/Arn"]],
        "readOnlyProperties": ["/properties/Arn"],
        "createOnlyProperties": ["/properties/Name", "/properties/Part"],
        "writeOnlyProperties": ["/properties/Secret"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    })
});

fn resource() -> ResourceType {
    ResourceType::new("Test::Fuzz::Thing".to_owned(), SCHEMA.clone())
}

/// An emulator that serves one type; `None` when a schema cannot be served, which is an answer too.
fn core(schema: String) -> Option<Core> {
    Core::new(&SchemaSource::Texts(vec![schema]), Options::default()).ok()
}

fn call(core: &Core, operation: &str, body: &Value) -> Result<Value, String> {
    let scope = Scope::new("123456789012", "eu-west-1");
    let (gathered, wire) = (Gathered::default(), Cell::new(None));
    let principal = "arn:aws:iam::123456789012:root";
    let call = Call { core, scope: &scope, operation, gathered: &gathered, principal, wire: &wire };
    operations::call(&call, body).map_err(|error| error.to_string())
}

/// A request body for every operation: each is answered, refusals with a text.
pub fn request_body(text: &str) {
    let Some(core) = core(SCHEMA.to_string()) else { return };
    let Ok(body) = crate::json::parse(text) else { return };
    for operation in NAMES {
        match call(&core, operation, &body) {
            Ok(answer) => assert!(answer.is_object(), "{operation} answers with an object"),
            Err(error) => assert!(!error.is_empty(), "{operation} says why"),
        }
    }
    // Whatever was made can be found again.
    let txn = core.txn();
    let made: Vec<String> =
        txn.shelves().flat_map(|(_, shelf)| shelf.map(|resource| resource.identifier.to_string())).collect();
    drop(txn);
    for identifier in made {
        let asked = json!({"TypeName": "Test::Fuzz::Thing", "Identifier": identifier});
        let found = call(&core, "GetResource", &asked);
        // Texts that no member of a request may have are the only ones that cannot be asked for.
        assert!(found.as_ref().err().is_none_or(|error| error.starts_with("ValidationException")), "{found:?}");
    }
}

/// A patch document on a model: it applies or says why not; one of replacements applied again changes nothing.
pub fn patch_document(text: &str) {
    let model = json!({"Name": "n", "Count": 1, "List": [{"Key": "a"}, {"Key": "b"}], "Free": {"a": {"b": null}}});
    match patch::apply(text, &model) {
        Err(reason) => assert!(reason.starts_with("Invalid patch update: "), "{reason}"),
        Ok(patched) => {
            let operations = crate::json::parse(text).unwrap_or_default();
            let is_replacement = |operation: &Value| {
                let path = operation.get("path").and_then(Value::as_str).unwrap_or_default();
                operation.get("op").and_then(Value::as_str) == Some("replace") && patch::steps(path).len() == 1
            };
            if operations.as_array().is_some_and(|operations| operations.iter().all(is_replacement)) {
                assert_eq!(patch::apply(text, &patched).as_ref(), Ok(&patched), "replacing again changes nothing");
            }
        }
    }
    let mut shown = crate::json::parse(text).unwrap_or_default();
    crate::mask::document(Some(&resource()), &mut shown);
}

/// An identifier: it is understood or refused; the text of a model's identifier leads back to the same text.
pub fn identifier(text: &str) {
    let resource = resource();
    let known = |_: &str| Some(json!({"Name": "n", "Part": text}));
    if let Err(reason) = identifier::parse(&resource, text, known) {
        assert!(!reason.is_empty());
    }
    let model = json!({"Name": text, "Part": text});
    if let Some(own) = identifier::of_model(&resource, &model) {
        let parsed = identifier::parse(&resource, &own, |known| (known == own).then(|| model.clone()));
        let is_own = matches!(&parsed, Ok(identifier::Asked::Primary(found)) if *found == own);
        // An identifier that looks like JSON or has the separator in it is ambiguous by design.
        assert!(
            is_own || own.trim_start().starts_with('{') || text.contains('|') || text.is_empty(),
            "{own}: {parsed:?}"
        );
    }
}

/// A schema file: it is served or left out, and what it describes can be asked for.
pub fn schema_file(text: &str) {
    let Some(core) = core(text.to_owned()).map(Arc::new) else { return };
    let names: Vec<String> = core.library().type_names().map(str::to_owned).collect();
    for name in names {
        for desired in ["{}", "{\"Name\": \"n\"}"] {
            let body = json!({"TypeName": name, "Identifier": "n", "DesiredState": desired, "PatchDocument": "[]"});
            for operation in ["CreateResource", "GetResource", "UpdateResource", "ListResources", "DeleteResource"] {
                let _ = call(&core, operation, &body);
            }
        }
        let _ = Admin::new(Arc::clone(&core)).generate(&name, Size::Minimal);
    }
}

/// A log to replay: rules or a reason.
pub fn log_file(text: &str) {
    let entries: Vec<Value> = text.lines().filter_map(|line| crate::json::parse(line).ok()).collect();
    if let Ok(rules) = crate::faults::replay::of_log(&entries) {
        for rule in rules {
            let text = serde_json::to_string(&rule).unwrap_or_default();
            assert_eq!(Rule::read(&text).ok(), Some(vec![rule]), "rules are read as they are written");
        }
    }
}

/// A profile or a rule: it is read or refused with its place; what is read is written and read again.
pub fn profile_file(text: &str) {
    if let Err(error) = Profile::parse("profile", text) {
        assert!(error.to_string().starts_with("profile:"), "{error}");
    }
    if let Ok(rules) = Rule::read(text) {
        let again = serde_json::to_string(&rules).unwrap_or_default();
        assert_eq!(Rule::read(&again).ok(), Some(rules), "{again}");
    }
}
