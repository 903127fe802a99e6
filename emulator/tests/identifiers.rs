//! Identifiers of several parts, for every published type that has one: as text, as JSON by short names and by pointers,
//! with too few and too many parts, and in another order.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Size, Which};
use serde_json::{Map, Value, json};
use support::{Client, published};

/// How many types have identifiers of several parts.
const COMPOSITES: usize = 326;

#[test]
fn identifiers_of_several_parts_are_understood_in_every_form() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let parts = |schema: &Value| schema["primaryIdentifier"].as_array().map_or(0, Vec::len);
    let composites: Vec<&Value> =
        schemas.iter().filter(|schema| schema["handlers"].get("create").is_some() && parts(schema) > 1).collect();
    assert_eq!(composites.len(), COMPOSITES);
    let problems: Vec<String> = composites.iter().filter_map(|schema| ask(&client, schema).err()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn ask(client: &Client, schema: &Value) -> Result<(), String> {
    let type_name = schema["typeName"].as_str().unwrap();
    let admin = client.emulator.admin();
    let desired = admin.generate(type_name, Size::Minimal).map_err(|error| format!("{type_name}: {error}"))?;
    let event = client.create(type_name, &desired);
    let identifier = event["Identifier"].as_str().ok_or_else(|| format!("{type_name}: {event}"))?.to_owned();
    let model = admin.resources(&Which::one(type_name, &identifier))[0].model.clone();
    let pointers: Vec<&str> =
        schema["primaryIdentifier"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let values: Vec<&Value> =
        pointers.iter().map(|at| model.pointer(at.trim_start_matches("/properties")).unwrap()).collect();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let texts: Vec<String> = values.iter().map(|value| text(value)).collect();
    let same = |what: &str, found: &str, expected: &str| {
        if found == expected { Ok(()) } else { Err(format!("{type_name} {what}: {found:?} is not {expected:?}")) }
    };
    same("text", &identifier, &texts.join("|"))?;

    // Types without a read handler understand identifiers when they delete.
    let can_read = schema["handlers"].get("read").is_some();
    let operation = if can_read { "GetResource" } else { "DeleteResource" };
    let asked = |identifier: &str| json!({"TypeName": type_name, "Identifier": identifier});
    let few = texts.first().cloned().unwrap_or_default();
    let many = format!("{identifier}|surplus");
    for wrong in [few.as_str(), many.as_str()] {
        // A part that holds separators itself may have the right number of them.
        if wrong.split('|').count() == pointers.len() {
            continue;
        }
        let list = pointers.join(", ");
        let expected = format!("ValidationException: Identifier {wrong} is not valid for identifier [{list}]");
        same("arity", &client.refused(operation, &asked(wrong)), &expected)?;
    }
    let turned: Vec<&str> = texts.iter().rev().map(String::as_str).collect();
    let turned = turned.join("|");
    if turned != identifier && can_read {
        let refusal = client.refused(operation, &asked(&turned));
        let expected = format!("Resource of type '{type_name}' with identifier '{turned}' was not found.");
        if !refusal.starts_with("ResourceNotFoundException") || !refusal.contains(&expected) {
            return Err(format!("{type_name} order: {refusal}"));
        }
    }
    if can_read {
        let short = |pointer: &str| pointer.rsplit('/').next().unwrap_or_default().to_owned();
        let names: [Vec<String>; 2] =
            [pointers.iter().map(|at| short(at)).collect(), pointers.iter().map(|at| (*at).to_owned()).collect()];
        for names in names {
            let members: Map<String, Value> =
                names.into_iter().zip(values.iter().map(|value| (*value).clone())).collect();
            let answer = client.call(operation, &asked(&Value::Object(members).to_string())).json();
            same("JSON", answer["ResourceDescription"]["Identifier"].as_str().unwrap_or_default(), &identifier)?;
        }
    }
    Ok(())
}
