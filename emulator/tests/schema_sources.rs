//! Where schemas come from: layers of roots, reports about them, regions, and reading them again.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Admin, Emulator, EmulatorError, Options, SchemaSource, Size, check_schemas};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::Client;

fn options(switches: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in switches {
        options.switches.set(name, value).unwrap();
    }
    options
}

fn start(source: SchemaSource, switches: &[(&str, &str)]) -> Result<Client, EmulatorError> {
    let emulator = Emulator::builder().schemas(source).options(options(switches)).start_blocking()?;
    Ok(Client { emulator, account: "123456789012", region: "eu-west-1" })
}

fn schema(type_name: &str, extra: Value) -> Value {
    let mut schema = json!({
        "typeName": type_name,
        "properties": {"Name": {"type": "string"}, "Note": {"type": "string"}},
        "additionalProperties": false,
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    schema.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    schema
}

fn write(folder: &Path, file: &str, text: impl ToString) -> PathBuf {
    let path = folder.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text.to_string()).unwrap();
    path
}

fn zipped(folder: &Path, file: &str, entries: &[(&str, Vec<u8>)]) -> PathBuf {
    use std::io::Write;
    let path = folder.join(file);
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        let plain = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file(*name, plain).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
    path
}

fn title(admin: &Admin, type_name: &str) -> Value {
    admin.schema(type_name).unwrap()["title"].clone()
}

#[test]
fn roots_lie_over_each_other_whatever_they_are() {
    let place = tempfile::tempdir().unwrap();
    let root = |name: &str| place.path().join(name);
    write(&root("first"), "deep/er/one.json", schema("Org::Own::One", json!({"title": "first"})));
    write(&root("first"), "two.json", schema("Org::Own::Two", json!({"title": "first"})));
    write(&root("first"), "notes.txt", "not looked at");
    std::fs::write(root("first").join("latin.json"), b"{\"typeName\": \"\xe9\"}").unwrap();
    let two = schema("Org::Own::Two", json!({"title": "zip"})).to_string().into_bytes();
    let zip = zipped(place.path(), "second.zip", &[("x/two.json", two), ("bad.json", b"{".to_vec())]);
    let three = write(place.path(), "three.json", schema("Org::Own::Two", json!({"title": "file"})));
    let layers = SchemaSource::of_paths(vec![root("first"), zip, three]);
    let client = start(layers.clone(), &[]).unwrap();
    let admin = client.emulator.admin();
    assert_eq!((title(&admin, "Org::Own::One"), title(&admin, "Org::Own::Two")), (json!("first"), json!("file")));
    let page = client.send("GET", "/_emu/schemas", "", "").json();
    assert_eq!(page["types"], json!(["Org::Own::One", "Org::Own::Two"]));
    assert_eq!(page["replacedTypes"], json!(["Org::Own::Two", "Org::Own::Two"]));
    let skipped = page["skippedFiles"].as_array().unwrap();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped[0]["reason"].as_str().unwrap().starts_with("it is not UTF-8"), "{skipped:?}");
    // Over what this build carries.
    let mine = schema("AWS::SQS::Queue", json!({"title": "mine"})).to_string();
    let layers = SchemaSource::Layers(vec![SchemaSource::Embedded, SchemaSource::Texts(vec![mine])]);
    let client = start(layers, &[]).unwrap();
    assert_eq!(title(&client.emulator.admin(), "AWS::SQS::Queue"), "mine");
    assert!(client.emulator.type_count() > 1_700);
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    let place = tempfile::tempdir().unwrap();
    let error = |source: SchemaSource| check_schemas(&source).unwrap_err().to_string();
    let path = |path: PathBuf| SchemaSource::Path(path);
    assert!(error(path(place.path().join("none"))).contains("none: "));
    let only = write(place.path(), "only.json", "{\"typeName\": 5}");
    let text = error(path(only));
    assert!(text.contains("no resource type schema in it; ") && text.contains("line 1 column 14"), "{text}");
    assert!(error(path(write(place.path(), "what", "plain text"))).contains("neither a folder, a .zip archive"));
    assert!(error(path(write(place.path(), "half.zip", "PK\u{3}\u{4}"))).contains("half.zip: "));
    let folder = place.path().join("twice");
    write(&folder, "a.json", schema("Org::Own::Cat", json!({})));
    write(&folder, "sub/b.json", schema("Org::Own::Cat", json!({})));
    let text = error(path(folder));
    assert!(text.starts_with("Org::Own::Cat is described twice in ") && text.contains("a.json and "), "{text}");
}

#[test]
fn every_type_has_a_report_and_strictness_lets_no_warning_pass() {
    let broken = schema(
        "Org::Own::Broken",
        json!({
            "properties": {"Name": {"type": "string", "pattern": "("}, "Ref": {"$ref": "#/definitions/None"}, "pattern": {"type": "string"}},
            "readOnlyProperties": ["/properties/Missing", "/definitions/X/Y"],
            "propertyTransform": {"/properties/Name": "$lowercase(", "/properties/Ref": "Ref"},
        }),
    );
    let sound = schema("Org::Own::Sound", json!({"propertyTransform": {"/properties/Note": "$lowercase(Note)"}}));
    let texts = SchemaSource::Texts(vec![broken.to_string(), sound.to_string()]);
    let client = start(texts.clone(), &[]).unwrap();
    let details = client.send("GET", "/_emu/schemas?details=on", "", "").json()["details"].clone();
    let sound = &details["Org::Own::Sound"];
    assert_eq!(sound["handlers"], json!(["CREATE", "READ", "UPDATE", "DELETE", "LIST"]));
    assert_eq!((&sound["identifier"], &sound["transforms"]), (&json!(["/properties/Name"]), &json!(1)));
    assert_eq!(sound["pointerProblems"], json!([]));
    let broken = &details["Org::Own::Broken"];
    assert_eq!(
        broken["pointerProblems"],
        json!([
            "readOnlyProperties: /properties/Missing names no property",
            "readOnlyProperties: /definitions/X/Y says nothing about a model",
            "/properties/Ref/$ref leads nowhere: \"#/definitions/None\"",
        ])
    );
    assert_eq!(broken["patternProblems"], json!(["/properties/Name/pattern is not checked, it does not compile: ("]));
    assert_eq!(
        broken["transformProblems"],
        json!(["propertyTransform of /properties/Name cannot be read: the expression ends too early"])
    );
    let one = client.send("GET", "/_emu/schemas/Org::Own::Sound", "", "").json();
    assert_eq!((&one["report"], &one["schema"]["typeName"]), (sound, &json!("Org::Own::Sound")));
    assert_eq!(client.send("GET", "/_emu/schemas/Org::Own::None", "", "").status, 404);
    // Problems are no reason not to serve, unless they are to be one.
    assert_eq!(client.create("Org::Own::Broken", &json!({"Name": "n"}))["OperationStatus"], "SUCCESS");
    let refused = start(texts, &[("strict-schemas", "on")]).err().unwrap();
    assert_eq!(refused.exit_code(), 5);
    assert!(refused.to_string().contains("Org::Own::Broken: readOnlyProperties: /properties/Missing"), "{refused}");
    let clean = SchemaSource::Texts(vec![schema("Org::Own::Cat", json!({})).to_string()]);
    assert!(start(clean, &[("strict-schemas", "on")]).is_ok());
}

#[test]
fn the_schemas_of_this_build_have_few_problems() {
    let Ok(report) = check_schemas(&SchemaSource::Embedded) else { return };
    let of = |part: &str| report.warnings.iter().filter(|warning| warning.contains(part)).count();
    assert_eq!(of("propertyTransform of"), 0);
    assert!(of("does not compile") <= 5, "{report}");
    assert!(report.warnings.len() < 200, "{report}");
}

#[test]
fn regions_that_are_not_listed_and_types_that_a_region_lacks_are_unknown() {
    let place = tempfile::tempdir().unwrap();
    let table = write(
        place.path(),
        "types.yaml",
        "eu-west-1: [Org::Own::Here]\nus-east-1: [Org::Own::Here, Org::Own::There]\n",
    );
    let texts = SchemaSource::Texts(
        ["Here", "There"].map(|kind| schema(&format!("Org::Own::{kind}"), json!({})).to_string()).to_vec(),
    );
    let table = table.to_str().unwrap();
    let mut client = start(texts.clone(), &[("regions", "eu-west-1,us-east-1"), ("region-types", table)]).unwrap();
    let list = |client: &Client, kind: &str| {
        let answer = client.call("ListResources", &json!({"TypeName": format!("Org::Own::{kind}")}));
        (answer.status, answer.json()["Message"].as_str().unwrap_or_default().to_owned())
    };
    let missing = (400, "The type 'Org::Own::There' cannot be found.".to_owned());
    assert_eq!((list(&client, "Here").0, list(&client, "There")), (200, missing));
    client.region = "us-east-1";
    assert_eq!(list(&client, "There").0, 200);
    client.region = "eu-central-1";
    let refusal = client.refused("ListResources", &json!({"TypeName": "Org::Own::Here"}));
    assert_eq!(refusal, "UnrecognizedClientException: The security token included in the request is invalid.");
    assert!(start(texts, &[("region-types", "/no/such/table")]).is_err());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cf-schemas/download/providers");
    if Path::new(folder).is_dir() {
        let client = start(SchemaSource::Embedded, &[("region-types", folder)]).unwrap();
        assert_eq!(client.call("ListResources", &json!({"TypeName": "AWS::SQS::Queue"})).status, 200);
    }
}

#[test]
fn schemas_are_read_again_and_what_runs_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let file = write(place.path(), "one.json", schema("Org::Own::One", json!({})));
    let client = start(SchemaSource::Path(place.path().to_owned()), &[]).unwrap();
    let event = client.begin("Org::Own::One", &json!({"Name": "n", "Note": "old"}));
    std::fs::remove_file(&file).unwrap();
    let reload = || client.send("POST", "/_emu/schemas/reload", "", "");
    let refused = reload();
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("no resource type schema in it"));
    assert_eq!(client.call("ListResources", &json!({"TypeName": "Org::Own::One"})).status, 200);
    write(place.path(), "two.json", schema("Org::Own::Two", json!({})));
    assert_eq!(reload().json()["types"], 1);
    // The request ends as it was accepted, though its type is gone.
    assert_eq!(client.look(&event)["OperationStatus"], "IN_PROGRESS");
    assert_eq!(client.look(&event)["OperationStatus"], "SUCCESS");
    let refusal = client.refused("GetResource", &json!({"TypeName": "Org::Own::One", "Identifier": "n"}));
    assert_eq!(refusal, "TypeNotFoundException: The type 'Org::Own::One' cannot be found.");
    assert_eq!(client.create("Org::Own::Two", &json!({"Name": "n"}))["OperationStatus"], "SUCCESS");
    write(place.path(), "one.json", schema("Org::Own::One", json!({"properties": {"Name": {"type": "string"}}})));
    assert_eq!(reload().json()["types"], 2);
    assert_eq!(client.read("Org::Own::One", "n")["Note"], "old");
    let refusal =
        client.refused("CreateResource", &json!({"TypeName": "Org::Own::One", "DesiredState": "{\"Note\":\"x\"}"}));
    assert!(refusal.contains("extraneous key [Note] is not permitted"), "{refusal}");
}

#[test]
fn linter_keywords_are_enforced_where_they_are_wanted() {
    let text = schema("Org::Own::Cat", json!({"requiredOr": ["Note"]})).to_string();
    let desired = json!({"TypeName": "Org::Own::Cat", "DesiredState": "{\"Name\":\"n\"}"});
    let client = start(SchemaSource::Texts(vec![text.clone()]), &[("linter-keywords", "on")]).unwrap();
    let refusal = client.refused("CreateResource", &desired);
    assert!(refusal.ends_with("(#: failed validation constraint for keyword [requiredOr])"), "{refusal}");
    let client = start(SchemaSource::Texts(vec![text]), &[]).unwrap();
    assert_eq!(client.call("CreateResource", &desired).status, 200);
}

#[test]
fn arrays_without_order_are_read_in_another_one_on_demand() {
    let list = json!({"type": "array", "insertionOrder": false, "items": {"type": "string"}});
    let text = schema("Org::Own::Cat", json!({"properties": {"Name": {"type": "string"}, "Set": list}})).to_string();
    let client = start(SchemaSource::Texts(vec![text]), &[("reorder", "on")]).unwrap();
    client.create("Org::Own::Cat", &json!({"Name": "n", "Set": ["a", "b", "c"]}));
    let first = client.read("Org::Own::Cat", "n")["Set"].clone();
    assert_ne!(first, json!(["a", "b", "c"]));
    assert_eq!(client.read("Org::Own::Cat", "n")["Set"], first);
    // A patch is about what a read shows.
    client.finish(&client.update("Org::Own::Cat", "n", &json!([{"op": "test", "path": "/Set/0", "value": first[0]}])));
    assert_eq!(client.read("Org::Own::Cat", "n")["Set"], first);
    client.finish(&client.update("Org::Own::Cat", "n", &json!([{"op": "remove", "path": "/Set/0"}])));
    let left = client.read("Org::Own::Cat", "n")["Set"].clone();
    assert!(left.as_array().unwrap().len() == 2 && !left.as_array().unwrap().contains(&first[0]), "{left}");
}

/// Names of definitions that a node refers to, however deep in it.
fn references<'s>(node: &'s Value, found: &mut Vec<&'s str>) {
    match node {
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/definitions/"));
            found.extend(name);
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Whether a definition can hold itself.
fn is_recursive(schema: &Value) -> bool {
    let definitions = schema["definitions"].as_object().into_iter().flatten();
    let is_in_itself = |name: &str| {
        let (mut waiting, mut seen) = (vec![name], std::collections::BTreeSet::new());
        while let Some(next) = waiting.pop() {
            let mut found = Vec::new();
            references(&schema["definitions"][next], &mut found);
            if found.contains(&name) {
                return true;
            }
            waiting.extend(found.into_iter().filter(|found| seen.insert(*found)));
        }
        false
    };
    definitions.into_iter().any(|(name, _)| is_in_itself(name))
}

#[test]
fn recursive_types_are_served_to_their_ends() {
    let everything =
        [("defaults", "full"), ("transforms", "on"), ("reorder", "on"), ("coerce", "cfn"), ("linter-keywords", "on")];
    let Ok(client) = start(SchemaSource::Embedded, &everything) else { return };
    let admin = client.emulator.admin();
    let types = client.send("GET", "/_emu/schemas", "", "").json()["types"].clone();
    let mut seen = 0;
    for type_name in types.as_array().unwrap().iter().filter_map(Value::as_str) {
        if !is_recursive(&admin.schema(type_name).unwrap()) || admin.handlers(type_name).is_empty() {
            continue;
        }
        seen += 1;
        let desired = admin.generate(type_name, Size::Maximal).unwrap();
        let event = client.create(type_name, &desired);
        assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name}: {event}");
    }
    assert!(seen >= 20, "{seen}");
}
