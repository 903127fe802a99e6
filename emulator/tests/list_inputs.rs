//! Lists that must be told something: the text without it, and what it narrows.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use serde_json::{Map, Value, json};
use support::published;

#[test]
fn lists_name_what_they_miss_and_filter_by_what_they_get() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let (mut asked, mut filtered, mut kept) = (0, 0, Vec::new());
    for schema in &schemas {
        let type_name = schema["typeName"].as_str().unwrap();
        let Some(required) = schema["handlers"]["list"]["handlerSchema"]["required"].as_array() else { continue };
        let names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        if names.is_empty() {
            continue;
        }
        asked += 1;
        let refusal = client.refused("ListResources", &json!({"TypeName": type_name}));
        let start = format!(
            "InvalidRequestException: Missing or invalid ResourceModel property in {type_name} list handler request input.Required property: ("
        );
        assert!(refusal.starts_with(&start), "{refusal}");
        for name in &names {
            assert!(refusal.contains(&format!("#: required key [{name}] not found")), "{name}: {refusal}");
        }
        if let [name] = names.as_slice()
            && !refusal.contains('\n')
        {
            assert_eq!(refusal, format!("{start}#: required key [{name}] not found)"));
        }

        let sample =
            client.send("POST", "/_emu/generate", "", &json!({"type": type_name}).to_string()).json()["desiredState"]
                .clone();
        let body = json!({"TypeName": type_name, "DesiredState": sample.to_string()});
        let first = client.call("CreateResource", &body);
        if first.status != 200 || client.finish(&first)["OperationStatus"] != "SUCCESS" {
            continue;
        }
        let model = client
            .send("GET", &format!("/_emu/resources?type={}", type_name.replace(':', "%3A")), "", "")
            .json()[0]["model"]
            .clone();
        let own: Option<Map<String, Value>> =
            names.iter().map(|name| Some(((*name).to_owned(), model.get(*name)?.clone()))).collect();
        // Inputs that are no properties narrow nothing.
        let Some(own) = own.filter(|own| own.values().all(Value::is_string)) else { continue };
        let count = |wanted: &Map<String, Value>| {
            let body = json!({"TypeName": type_name, "ResourceModel": Value::Object(wanted.clone()).to_string()});
            let answer = client.call("ListResources", &body);
            (answer.status == 200).then(|| answer.json()["ResourceDescriptions"].as_array().unwrap().len())
        };
        // The input may have a stricter form than the property that the service makes.
        let Some(found) = count(&own) else { continue };
        assert_eq!(found, 1, "{type_name}: {own:?}");
        filtered += 1;
        // Another value that the schema of the input still accepts; where a pattern forbids it there is nothing to see.
        let mut other = own.clone();
        if let Some(Value::String(text)) = other.values_mut().next() {
            let last = text.pop().unwrap_or('x');
            text.push(if last == 'b' { 'c' } else { 'b' });
        }
        match count(&other) {
            Some(found) => assert_eq!(found, 0, "{type_name}: {other:?}"),
            None => kept.push(type_name),
        }
    }
    assert_eq!(asked, 385);
    assert!(filtered > 300, "only {filtered} lists were narrowed");
    assert!(kept.len() < 60, "{} lists refused the other value: {kept:?}", kept.len());
}
