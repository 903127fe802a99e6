//! List inputs, unordered arrays, transforms, generated names and getters, schema by schema.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::semantics::Semantics;
use common::{run, run_with, view};
use metadata::model;
use serde_json::{Value, json};

fn published(output: &codegen::Output, token: &str) -> Value {
    let document: Value = serde_json::from_slice(&codegen::metadata_json(output).unwrap()).unwrap();
    document["resources"][token].clone()
}

#[test]
fn list_inputs_come_from_the_handler_or_the_property() {
    let handler_schema = json!({
        "properties": {
            "ZooARN": {"type": "string", "description": "The zoo."},
            "Arn": {"$ref": "resource-schema.json#/properties/CageId"},
            "Kind": {"$ref": "resource-schema.json#/definitions/Kind"},
            "Size": {"format": "tiny"},
            "List": {"type": "array"}
        },
        "required": ["ZooARN", "CageId", "Left"]
    });
    let output = run([json!({
        "typeName": "AWS::Zoo::Cage",
        "definitions": {"Kind": {"type": ["integer", "string"], "description": "The kind."}},
        "properties": {
            "CageId": {"type": "string"}, "Size": {"type": "boolean"}, "Left": {"$ref": "#/definitions/Kind"}
        },
        "handlers": {"create": {}, "read": {}, "delete": {}, "list": {"handlerSchema": handler_schema}}
    })]);
    let facts = published(&output, "aws-native:zoo:Cage");
    let expected = json!({
        "type": "object",
        "properties": {
            "zooArn": {"type": "string", "description": "The zoo."},
            "cageId": {"type": "string", "description": "The ID of the cage."},
            "kind": {"type": "integer", "description": "The kind."},
            "left": {"type": "integer", "description": "The kind."},
            "size": {"type": "boolean"},
            "list": {"type": "array", "items": {"$ref": "pulumi.json#/Any"}}
        },
        "required": ["cageId", "left", "zooArn"]
    });
    assert_eq!(facts["listInputs"], expected);
    assert_eq!(facts["listIrreversibleNames"], json!({"zooArn": "ZooARN"}));
    assert_eq!(facts["listHandlerSchema"]["required"], json!(["ZooARN", "CageId", "Left"]));
    assert_eq!(facts["hasListHandler"], json!(true));
}

#[test]
fn unordered_arrays_are_found_at_any_depth() {
    let free = |items: Value| json!({"type": "array", "insertionOrder": false, "items": items});
    let output = run([json!({
        "typeName": "AWS::Zoo::Cage",
        "definitions": {
            "Rule": {"type": "object", "properties": {
                "Ports": free(json!({"type": "integer"})), "Next": {"$ref": "#/definitions/Rule"}}},
            "Both": {"oneOf": [free(json!({"type": "string"})), {"type": "array", "items": {"type": "string"}}]},
            "Same": {"oneOf": [free(json!({"type": "string"})), {"type": "string"}]}
        },
        "properties": {
            "Rules": free(json!({"$ref": "#/definitions/Rule"})),
            "Nested": {"type": "array", "items": free(json!({"type": "string"}))},
            "Ordered": {"type": "array", "insertionOrder": true, "items": {"type": "string"}},
            "Both": {"$ref": "#/definitions/Both"},
            "Same": {"$ref": "#/definitions/Same"},
            "Map": {"patternProperties": {".*": free(json!({"type": "string"}))}}
        }
    })]);
    let expected = ["nested/*", "rules", "rules/*/ports", "same"];
    assert_eq!(view(&output, "AWS::Zoo::Cage").unordered, expected);
    assert_eq!(published(&output, "aws-native:zoo:Cage")["unorderedCollections"], json!(expected));
}

#[test]
fn transforms_keep_their_text() {
    let output = run([json!({
        "typeName": "AWS::Zoo::Cage",
        "properties": {"Id": {"type": "string"}, "Rules": {"type": "array", "items": {"properties": {"IPProtocol": {}}}}},
        "propertyTransform": {
            "/properties/Rules/*/IPProtocol": "$lowercase(IPProtocol)",
            "/properties/Id": "$uppercase(Id)",
            "properties/Rules": "Rules",
            "/properties/Odd": 1
        }
    })]);
    let expected = [("awsId", "$uppercase(Id)"), ("rules", "Rules"), ("rules/*/ipProtocol", "$lowercase(IPProtocol)")];
    let expected = expected.map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(view(&output, "AWS::Zoo::Cage").property_transforms, expected);
    let published = published(&output, "aws-native:zoo:Cage");
    assert_eq!(
        published["propertyTransforms"],
        json!({"id": "$uppercase(Id)", "rules/*/ipProtocol": "$lowercase(IPProtocol)"})
    );
}

#[test]
fn names_know_their_limits() {
    const LIMITS: &str = "
- { type: 'AWS::IAM::Role', property: RoleName, min: 1, max: 64, published: [lengths], link: l }
- { type: 'AWS::SQS::Queue', property: QueueName, max: 80, suffix: { when: fifoQueue, text: .fifo }, published: [suffix], link: l }
- { type: 'AWS::SNS::Topic', property: TopicName, suffix: { when: fifoTopic, text: .fifo }, link: l }
- { type: 'AWS::RDS::DBProxy', property: DBProxyName, separator: dash, link: l }
";
    let of = |type_name: &str, properties: Value| {
        let output = run_with(
            semantics(LIMITS, NO_SETS, "[]"),
            [json!({"typeName": type_name, "properties": properties,
                "definitions": {"Short": {"type": "string", "maxLength": 9}}})],
        );
        let token =
            output.package.resources.keys().find(|token| !token.contains("index") && !token.contains("Emulator"));
        let published = published(&output, token.unwrap())["autoNamingSpec"].clone();
        (published, view(&output, type_name).auto_name.clone())
    };
    // A limit that the schema does not state.
    let (published, own) = of("AWS::IAM::Role", json!({"RoleName": {"type": "string"}}));
    assert_eq!(published, json!({"sdkName": "roleName", "minLength": 1, "maxLength": 64}));
    assert_eq!(own.map(|rule| (rule.min_length, rule.max_length)), Some((1, 64)));
    // A suffix that the published metadata knows, with a limit that it does not know, and one that only the provider knows.
    let fifo =
        |field: &str| Some(model::SuffixRule { field: field.to_owned(), equals: true, suffix: ".fifo".to_owned() });
    let (published, own) = of("AWS::SQS::Queue", json!({"QueueName": {"type": "string"}}));
    assert_eq!(published["namingTriviaSpec"]["trivia"], json!({"suffix": ".fifo"}));
    assert_eq!(published["maxLength"], Value::Null);
    let own = own.unwrap();
    assert_eq!((own.max_length, own.suffix_rule), (80, fifo("fifoQueue")));
    let (published, own) = of("AWS::SNS::Topic", json!({"TopicName": {"type": "string"}}));
    assert_eq!(published, json!({"sdkName": "topicName"}));
    assert_eq!(own.and_then(|rule| rule.suffix_rule), fifo("fifoTopic"));
    // A limit behind a reference.
    let (published, own) = of("AWS::Zoo::Cage", json!({"Name": {"$ref": "#/definitions/Short"}}));
    assert_eq!(published, json!({"sdkName": "name"}));
    assert_eq!(own.map(|rule| rule.max_length), Some(9));
    // Limits in a pattern.
    let (published, own) = of("AWS::Zoo::Cage", json!({"Name": {"type": "string", "pattern": "^[a-z0-9_]{3,40}$"}}));
    assert_eq!(published, json!({"sdkName": "name"}));
    let own = own.unwrap();
    assert_eq!((own.min_length, own.max_length), (3, 40));
    assert_eq!(own.form, model::NameForm { lower_case: true, separator: model::Separator::Underscore });
    // Letters in a pattern without anchors; its lengths may be those of a part.
    let (_, own) = of("AWS::Zoo::Cage", json!({"Name": {"type": "string", "pattern": "[a-z][a-z0-9-]{1,9}"}}));
    let own = own.unwrap();
    assert_eq!((own.min_length, own.max_length), (0, 0));
    assert_eq!(own.form, model::NameForm { lower_case: true, separator: model::Separator::Dash });
    // A service that takes dashes although the pattern has none.
    let (_, own) = of("AWS::RDS::DBProxy", json!({"DBProxyName": {"type": "string", "pattern": "[0-z]*"}}));
    assert_eq!(own.map(|rule| rule.form), Some(model::NameForm::default()));
    // Enums and read-only properties take no generated name.
    let (published, own) = of("AWS::Zoo::Cage", json!({"Name": {"type": "string", "enum": ["a"]}}));
    assert_eq!((published, own), (Value::Null, None));
}

#[test]
fn idle_limits_of_names_are_noticed() {
    let unused = |entry: &str, properties: Value| {
        let limits = format!("- {{ type: 'AWS::Zoo::Cage', property: Name, {entry}, link: l }}");
        let definitions = json!({"Long": {"type": "string", "maxLength": 64}});
        let schema = json!({"typeName": "AWS::Zoo::Cage", "properties": properties, "definitions": definitions});
        let unused = run_with(semantics(&limits, NO_SETS, "[]"), [schema]).unused;
        unused.into_iter().map(|unused| unused.what).collect::<Vec<_>>().join("; ")
    };
    let silent = || json!({"Name": {"type": "string"}});
    let stating = || json!({"Name": {"type": "string", "minLength": 1, "maxLength": 64}});
    let referring = || json!({"Name": {"$ref": "#/definitions/Long"}});
    let already = |parts: &[&str]| {
        let parts: Vec<_> =
            parts.iter().map(|part| format!("{part} of AWS::Zoo::Cage is what the schema says already")).collect();
        parts.join("; ")
    };
    assert_eq!(unused("min: 1, max: 64", silent()), "");
    assert_eq!(unused("min: 1, max: 64", stating()), already(&["max", "min"]));
    assert_eq!(unused("min: 1, max: 63", stating()), already(&["min"]));
    assert_eq!(unused("separator: dash", silent()), already(&["separator"]));
    // What is published needs an effect as well, there or at run time.
    assert_eq!(unused("min: 1, max: 64, published: [lengths]", stating()), already(&["max", "min"]));
    assert_eq!(unused("max: 64, published: [lengths]", silent()), "");
    assert_eq!(unused("max: 64, published: [lengths]", referring()), "");
    assert_eq!(unused("max: 64", referring()), already(&["max"]));
    // Lengths that older schemas leave out are allowed where the schema states them, and nowhere else.
    assert_eq!(unused("min: 1, max: 64, published: [lengths], stated: [min, max]", stating()), "");
    assert_eq!(unused("max: 64, stated: [max]", silent()), "the schema of AWS::Zoo::Cage does not state max");
}

/// No rule about sets.
const NO_SETS: &str = "rules: []";

/// Semantics from the texts of the three files.
fn semantics(name_limits: &str, sets: &str, equality: &str) -> Semantics {
    Semantics::parse([("names.yaml", name_limits), ("sets.yaml", sets), ("equality.yaml", equality)]).unwrap()
}

#[test]
fn sets_are_unordered_for_the_provider_alone() {
    const SETS: &str = "
rules:
  - { names: [SubnetIds, GroupIds], reason: r, link: l }
exceptions:
  - { type: 'AWS::Zoo::Cage', path: Gate/GroupIds, reason: r, link: l }
";
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let output = run_with(
        semantics("[]", SETS, "[]"),
        [json!({"typeName": "AWS::Zoo::Cage", "properties": {
            "SubnetIds": texts,
            "OtherIds": texts,
            "Gate": {"type": "object", "properties": {"GroupIds": texts, "SubnetIds": texts}},
            "Doors": {"type": "array", "items": {"type": "object", "properties": {
                "SubnetIds": {"type": "array", "items": {"type": "integer"}}}}},
        }})],
    );
    assert_eq!(view(&output, "AWS::Zoo::Cage").unordered, ["gate/subnetIds", "subnetIds"]);
    assert_eq!(published(&output, "aws-native:zoo:Cage")["unorderedCollections"], Value::Null);
    let unused: Vec<String> = output.unused.iter().map(ToString::to_string).collect();
    assert_eq!(
        unused,
        [
            "sets.yaml:3:26: no schema has a list of texts GroupIds that it does not call unordered; correct the entry or remove it"
        ]
    );
}

#[test]
fn hints_of_equality_fit_types_and_inputs() {
    const EQUALITY: &str = "
- { hint: arn-or-id, names: [KeyId, Absent], reason: r, link: l }
- { hint: number-as-text, paths: [{ type: 'AWS::Zoo::Cage', path: Gates/*/KeyId }], reason: r, link: l }
";
    let output = run_with(
        semantics("[]", NO_SETS, EQUALITY),
        [json!({"typeName": "AWS::Zoo::Cage", "properties": {
            "KeyId": {"type": "string"},
            "Gates": {"type": "array", "items": {"type": "object", "properties": {"KeyId": {"type": "string"}}}},
            "Lock": {"type": "object", "properties": {"KeyId": {"type": "object"}}},
            "Seen": {"type": "object", "properties": {"KeyId": {"type": "string"}, "Mode": {"$ref": "#/definitions/Mode"}}},
            "Modes": {"type": "array", "items": {"$ref": "#/definitions/Mode"}},
        }, "definitions": {"Mode": {"type": "string", "enumCaseInsensitive": ["on", "off"]}},
        "readOnlyProperties": ["/properties/Seen"]})],
    );
    let expected = [
        ("gates/*/keyId".to_owned(), model::EqualityHint::NumberAsText),
        ("keyId".to_owned(), model::EqualityHint::ArnOrId),
        // What the schema lists in any letter case.
        ("modes/*".to_owned(), model::EqualityHint::CaseInsensitive),
    ];
    assert_eq!(view(&output, "AWS::Zoo::Cage").equality, expected);
    let unused: Vec<String> = output.unused.iter().map(ToString::to_string).collect();
    assert_eq!(
        unused,
        ["equality.yaml:2:37: no schema has an input Absent to which the hint fits; correct the entry or remove it"]
    );
}

#[test]
fn entries_that_say_what_the_schema_says_are_found() {
    let limits = "- { type: 'AWS::Zoo::Cage', property: Name, min: 2, max: 9, link: l }\n";
    let limits = format!("{limits}- {{ type: 'AWS::Zoo::Gate', property: Name, max: 9, link: l }}\n");
    let output = run_with(
        semantics(&limits, NO_SETS, "[]"),
        [json!({"typeName": "AWS::Zoo::Cage", "properties": {"Name": {"type": "string", "maxLength": 9}}})],
    );
    let unused: Vec<String> = output.unused.iter().map(ToString::to_string).collect();
    assert_eq!(
        unused,
        [
            "names.yaml:1:3: max of AWS::Zoo::Cage is what the schema says already; correct the entry or remove it",
            "names.yaml:2:3: no schema generates names for Name of AWS::Zoo::Gate; correct the entry or remove it",
        ]
    );
}

#[test]
fn getters_need_a_top_level_identifier_and_something_to_return() {
    let with = |identifier: Value, create_only: Value| {
        let output = run([json!({
            "typeName": "AWS::Zoo::Cage",
            "properties": {"Id": {"type": "string"}, "In": {"properties": {"Id": {"type": "string"}}}},
            "primaryIdentifier": identifier,
            "createOnlyProperties": create_only
        })]);
        let getter = output.package.functions.get("aws-native:zoo:getCage");
        getter.map(|getter| getter.outputs.properties.keys().cloned().collect::<Vec<_>>())
    };
    assert_eq!(with(json!(["/properties/Id"]), json!([])), Some(vec!["id".to_owned(), "in".to_owned()]));
    assert_eq!(with(json!(["/properties/Id"]), json!(["/properties/Id"])), Some(vec!["in".to_owned()]));
    assert_eq!(with(json!(["/properties/In/Id"]), json!([])), None);
    assert_eq!(with(json!(["/properties/Id"]), json!(["/properties/Id", "/properties/In"])), None);
}

#[test]
fn handlers_and_conditions_reach_the_provider() {
    let output = run([json!({
        "typeName": "AWS::Zoo::Cage",
        "definitions": {"Size": {"type": "integer", "default": 7}},
        "properties": {
            "Mode": {"type": "string", "default": "calm"}, "Size": {"$ref": "#/definitions/Size"},
            "Opts": {"properties": {"On": {"type": "boolean", "default": false}}, "default": {}}
        },
        "handlers": {
            "create": {"permissions": ["zoo:Create"], "timeoutInMinutes": 5}, "read": {}, "delete": {}, "update": {}
        },
        "conditionalCreateOnlyProperties": ["/properties/Mode"],
        "replacementStrategy": "delete_then_create",
        "tagging": {"taggable": true, "tagProperty": "/properties/Labels/*/Tags", "tagUpdatable": false}
    })]);
    let view = view(&output, "AWS::Zoo::Cage");
    let create = model::Handler { timeout_minutes: Some(5), permissions: vec!["zoo:Create".to_owned()] };
    assert_eq!(view.handlers.create, Some(create));
    assert!(view.handlers.list.is_none() && view.handlers.update.is_some());
    assert_eq!(view.conditional_create_only, ["mode"]);
    assert_eq!(view.replacement_strategy, Some(model::ReplacementStrategy::DeleteThenCreate));
    let tags = view.tags.as_ref().unwrap();
    assert_eq!((tags.style, tags.updatable), (model::TagsStyle::Unknown, false));
    let default =
        |name: &str| view.properties.iter().find(|property| property.name == name).unwrap().default.as_deref();
    assert_eq!((default("mode"), default("size"), default("opts")), (Some("\"calm\""), Some("7"), None));
    assert_eq!(view.types[0].properties[0].default.as_deref(), Some("false"));
}

#[test]
fn a_resource_without_inputs_has_an_empty_object_of_them() {
    let output = run([json!({
        "typeName": "AWS::Zoo::Cage", "properties": {"Id": {"type": "string"}},
        "readOnlyProperties": ["/properties/Id"], "primaryIdentifier": ["/properties/Id"]
    })]);
    assert_eq!(published(&output, "aws-native:zoo:Cage")["inputs"], json!({}));
}
