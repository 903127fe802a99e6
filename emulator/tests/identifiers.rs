//! Identifiers of several parts, of every published type that has one: as text, as JSON, with another number of parts, in
//! another order.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Size, Which};
use serde_json::{Map, Value, json};
use support::published;

#[test]
fn composite_identifiers_of_every_type_are_understood_in_every_form() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let admin = client.emulator.admin();
    let (mut composite, mut asked, mut wrong) = (0, 0, Vec::new());
    for schema in &schemas {
        let type_name = schema["typeName"].as_str().unwrap();
        let pointers: Vec<&str> =
            schema["primaryIdentifier"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if pointers.len() < 2 {
            continue;
        }
        composite += 1;
        if ["create", "read"].iter().any(|name| schema["handlers"].get(name).is_none()) {
            continue;
        }
        let refused =
            |identifier: &str| client.refused("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}));
        for short in ["one", &vec!["one"; pointers.len() - 1].join("|")] {
            let expected = format!(
                "ValidationException: Identifier {short} is not valid for identifier [{}]",
                pointers.join(", ")
            );
            assert_eq!(refused(short), expected);
        }

        let event = client.create(type_name, &admin.generate(type_name, Size::Minimal).unwrap());
        assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name}: {event}");
        let identifier = event["Identifier"].as_str().unwrap();
        let model = admin.resources(&Which::one(type_name, identifier))[0].model.clone();
        let values: Vec<&Value> =
            pointers.iter().map(|pointer| model.pointer(pointer.trim_start_matches("/properties")).unwrap()).collect();
        let texts: Vec<String> =
            values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
        assert_eq!(identifier, texts.join("|"), "{type_name}: parts in the order of the schema");
        let object = |name: &dyn Fn(&str) -> String| -> Value {
            // In the other order: members of an object have none.
            let members = pointers.iter().zip(&values).rev().map(|(pointer, value)| (name(pointer), (*value).clone()));
            Value::Object(members.collect::<Map<_, _>>())
        };
        let short = object(&|pointer| pointer.rsplit('/').next().unwrap().to_owned());
        let long = object(&str::to_owned);
        for form in [identifier.to_owned(), short.to_string(), long.to_string()] {
            let answer = client.call("GetResource", &json!({"TypeName": type_name, "Identifier": form}));
            if answer.status != 200 || answer.json()["ResourceDescription"]["Identifier"] != identifier {
                wrong.push(format!("{type_name} {form}: {}", answer.text));
            }
        }
        let mut reversed = texts.clone();
        reversed.reverse();
        if reversed != texts {
            let refusal = refused(&reversed.join("|"));
            if !refusal.starts_with("ResourceNotFoundException: ") {
                wrong.push(format!("{type_name} in reverse: {refusal}"));
            }
        }
        asked += 1;
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((composite, asked), (326, 326));
}
