//! Lists that must be told something: the text without it, and what it narrows.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod support;

use emulator::{Options, Size, Which};
use serde_json::{Map, Value, json};
use support::{Client, published};

const EITHER: &str = "Test::List::Either";

/// How many of the lists with inputs must be narrowed by each of them. The others are listed with the reason.
const MUST_NARROW: usize = 370;

/// The text of a list without its inputs.
fn refusal(type_name: &str, problems: &str) -> String {
    format!(
        "InvalidRequestException: Missing or invalid ResourceModel property in {type_name} list handler request \
         input.Required property: ({problems})"
    )
}

/// Values of the same form as one, so that whatever is asked of the one is true of most of the others.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => {
            let swap = |character: char| match character {
                'a'..='z' => Some(if character == 'b' { 'c' } else { 'b' }),
                'A'..='Z' => Some(if character == 'B' { 'C' } else { 'B' }),
                '0'..='9' => Some(if character == '1' { '2' } else { '1' }),
                _ => None,
            };
            let at = |index: usize| -> Option<Value> {
                let mut characters: Vec<char> = text.chars().collect();
                characters[index] = swap(characters[index])?;
                Some(Value::String(characters.into_iter().collect()))
            };
            (0..text.chars().count()).rev().filter_map(at).collect()
        }
        Value::Number(number) => number.as_i64().into_iter().flat_map(|n| [json!(n + 1), json!(n - 1)]).collect(),
        _ => Vec::new(),
    }
}

/// The values that the schema of a property lists, but for one.
fn listed_values(schema: &Value, name: &str, value: &Value) -> Vec<Value> {
    let mut node = &schema["properties"][name];
    if let Some(definition) = node["$ref"].as_str().and_then(|to| schema.pointer(to.trim_start_matches('#'))) {
        node = definition;
    }
    node["enum"].as_array().into_iter().flatten().filter(|other| *other != value).cloned().collect()
}

#[test]
fn lists_name_what_they_miss_and_filter_by_what_they_get() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let admin = client.emulator.admin();
    let (mut asked, mut filtered) = (0, 0);
    // Why some lists could not be narrowed: by type.
    let (mut no_property, mut only_value, mut stricter) = (Vec::new(), Vec::new(), Vec::new());
    for schema in &schemas {
        let type_name = schema["typeName"].as_str().unwrap();
        let Some(required) = schema["handlers"]["list"]["handlerSchema"]["required"].as_array() else { continue };
        let names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        if names.is_empty() {
            continue;
        }
        asked += 1;
        let lines: Vec<String> = names.iter().map(|name| format!("#: required key [{name}] not found")).collect();
        let expected = refusal(type_name, &lines.join("\n"));
        for body in [json!({"TypeName": type_name}), json!({"TypeName": type_name, "ResourceModel": "{}"})] {
            assert_eq!(client.refused("ListResources", &body), expected);
        }

        let sample = admin.generate(type_name, Size::Maximal).unwrap();
        let event = client.create(type_name, &sample);
        assert_eq!(event["OperationStatus"], "SUCCESS", "{type_name}: {event}");
        let identifier = event["Identifier"].as_str().unwrap();
        let model = admin.resources(&Which::one(type_name, identifier))[0].model.clone();
        let is_listed = |wanted: &Map<String, Value>| {
            let body = json!({"TypeName": type_name, "ResourceModel": Value::Object(wanted.clone()).to_string()});
            let answer = client.call("ListResources", &body);
            let found = |all: Value| {
                all["ResourceDescriptions"].as_array().unwrap().iter().any(|one| one["Identifier"] == identifier)
            };
            (answer.status == 200).then(|| found(answer.json()))
        };
        let own: Option<Map<String, Value>> =
            names.iter().map(|name| Some(((*name).to_owned(), model.get(*name)?.clone()))).collect();
        let Some(own) = own else {
            no_property.push(type_name);
            continue;
        };
        let Some(is_found) = is_listed(&own) else {
            stricter.push(type_name);
            continue;
        };
        assert!(is_found, "{type_name}: {own:?}");
        let mut is_narrowed = true;
        for (name, value) in &own {
            // Another value that the schema of the input still accepts.
            let seen = others(value).into_iter().chain(listed_values(schema, name, value)).find_map(|other| {
                let mut changed = own.clone();
                changed.insert(name.clone(), other);
                is_listed(&changed)
            });
            match seen {
                Some(is_listed) => assert!(!is_listed, "{type_name}: another {name} than {value} finds the same"),
                None => is_narrowed = false,
            }
        }
        if is_narrowed { filtered += 1 } else { only_value.push(type_name) }
    }
    eprintln!("{filtered} of {asked} lists narrowed by each of their inputs");
    eprintln!("inputs that the resource does not have: {no_property:?}");
    eprintln!("inputs of a stricter form than the property: {stricter:?}");
    eprintln!("no other value has the form of the input: {only_value:?}");
    assert_eq!(asked, 385);
    assert_eq!(filtered + no_property.len() + only_value.len() + stricter.len(), asked);
    assert!(filtered >= MUST_NARROW, "only {filtered} lists were narrowed: {no_property:?} {only_value:?}");
}

/// Lists that ask for one of several inputs.
#[test]
fn lists_ask_for_one_of_several_inputs() {
    let client = Client::start(
        &[json!({
            "typeName": EITHER,
            "properties": {"Name": {"type": "string"}, "Zone": {"type": "string"}, "ZoneName": {"type": "string"}},
            "primaryIdentifier": ["/properties/Name"],
            "handlers": {"create": {}, "read": {}, "delete": {}, "list": {"handlerSchema": {
                "properties": {
                    "Zone": {"$ref": "resource-schema.json#/properties/Zone"},
                    "ZoneName": {"$ref": "resource-schema.json#/properties/ZoneName"},
                },
                "oneOf": [{"required": ["Zone"]}, {"required": ["ZoneName"]}],
            }}},
        })],
        Options::default(),
    );
    client.create(EITHER, &json!({"Name": "a", "Zone": "z1", "ZoneName": "one"}));
    client.create(EITHER, &json!({"Name": "b", "Zone": "z2", "ZoneName": "two"}));
    let list = |inputs: Value| json!({"TypeName": EITHER, "ResourceModel": inputs.to_string()});
    let neither = client.refused("ListResources", &list(json!({})));
    let lines = "#: 0 subschemas matched instead of one\n#: required key [Zone] not found\n#: required key [ZoneName] not found";
    assert_eq!(neither, refusal(EITHER, lines));
    let both = client.refused("ListResources", &list(json!({"Zone": "z1", "ZoneName": "one"})));
    assert_eq!(both, refusal(EITHER, "#: 2 subschemas matched instead of one"));
    for (inputs, expected) in [(json!({"Zone": "z1"}), "a"), (json!({"ZoneName": "two"}), "b")] {
        let found = client.call("ListResources", &list(inputs)).json();
        assert_eq!(found["ResourceDescriptions"].as_array().unwrap().len(), 1);
        assert_eq!(found["ResourceDescriptions"][0]["Identifier"], expected);
    }
    let wrong = client.refused("ListResources", &list(json!({"Zone": 1})));
    assert_eq!(wrong, refusal(EITHER, "#/Zone: expected type: String, found: Integer"));
}

/// The seven types of the published schemas whose lists ask for one of several inputs, and the six with inputs that are no
/// properties.
#[test]
fn published_lists_take_either_input_and_inputs_that_are_no_properties() {
    let Some((client, schemas)) = published() else {
        eprintln!("skipped: the published schemas are not there; run make generate");
        return;
    };
    let admin = client.emulator.admin();
    let mut either = Vec::new();
    let mut mapped = Vec::new();
    for schema in &schemas {
        let type_name = schema["typeName"].as_str().unwrap();
        let inputs = &schema["handlers"]["list"]["handlerSchema"];
        let choices: Vec<&Value> = ["oneOf", "anyOf"].iter().filter_map(|word| inputs.get(word)).collect();
        let strange: Vec<&String> = inputs["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .filter(|name| schema["properties"].get(name.as_str()).is_none())
            .collect();
        if choices.is_empty() && strange.is_empty() {
            continue;
        }
        let event = client.create(type_name, &admin.generate(type_name, Size::Maximal).unwrap());
        let identifier = event["Identifier"].as_str().unwrap_or_else(|| panic!("{type_name}: {event}"));
        let model = admin.resources(&Which::one(type_name, identifier))[0].model.clone();
        let is_listed = |inputs: &Value| {
            let answer =
                client.call("ListResources", &json!({"TypeName": type_name, "ResourceModel": inputs.to_string()}));
            assert_eq!(answer.status, 200, "{type_name} {inputs}: {}", answer.text);
            answer.json()["ResourceDescriptions"].as_array().unwrap().iter().any(|one| one["Identifier"] == identifier)
        };
        for choice in choices.iter().flat_map(|choices| choices.as_array().unwrap()) {
            let names: Vec<&str> = choice["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            if let Some(own) = names
                .iter()
                .map(|name| Some(((*name).to_owned(), model.get(*name)?.clone())))
                .collect::<Option<Map<_, _>>>()
            {
                assert!(is_listed(&Value::Object(own.clone())), "{type_name}: {own:?}");
                either.push(format!("{type_name} {}", names.join("+")));
            }
        }
        let required = inputs["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let required: Map<String, Value> =
            required.filter_map(|name| Some((name.to_owned(), model.get(name)?.clone()))).collect();
        for name in strange {
            let own = MAPPED.iter().find(|(mapped, input, _)| *mapped == type_name && input == name);
            let (_, _, property) = own.unwrap_or_else(|| panic!("{type_name} {name} is not in the table"));
            let own = model[property].clone();
            let other = if own.is_string() { json!(format!("{}x", own.as_str().unwrap())) } else { json!(987_654) };
            let is_array = inputs["properties"][name]["type"] == "array";
            for (value, expected) in [(own, true), (other, false)] {
                let mut inputs = required.clone();
                inputs.insert(name.clone(), if is_array { json!([value]) } else { value });
                // The form of an ARN may forbid the other value.
                let body = json!({"TypeName": type_name, "ResourceModel": Value::Object(inputs.clone()).to_string()});
                if client.call("ListResources", &body).status == 200 {
                    assert_eq!(is_listed(&Value::Object(inputs.clone())), expected, "{type_name}: {inputs:?}");
                    mapped.push((type_name, expected));
                }
            }
        }
    }
    assert!(either.len() >= 10, "{either:?}");
    assert!(mapped.len() >= 12, "{mapped:?}");
}

/// Inputs that are no properties and what they stand for: the schemas of the inputs refer to it, or it has the same name but
/// for a prefix.
const MAPPED: [(&str, &str, &str); 7] = [
    ("AWS::ElasticLoadBalancingV2::Listener", "ListenerArns", "ListenerArn"),
    ("AWS::ElasticLoadBalancingV2::ListenerRule", "RuleArns", "RuleArn"),
    ("AWS::ElasticLoadBalancingV2::TrustStore", "Names", "Name"),
    ("AWS::ElasticLoadBalancingV2::TrustStore", "TrustStoreArns", "TrustStoreArn"),
    ("AWS::ElasticLoadBalancingV2::TrustStoreRevocation", "RevocationIds", "RevocationId"),
    ("AWS::MediaLive::Multiplexprogram", "Arn", "MultiplexId"),
    (
        "AWS::Notifications::ManagedNotificationAdditionalChannelAssociation",
        "NotificationConfigurationArn",
        "ManagedNotificationConfigurationArn",
    ),
];
