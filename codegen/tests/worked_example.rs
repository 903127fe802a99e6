//! One resource that exercises most rules, fact by fact.
#![allow(clippy::unwrap_used)] // A test that cannot find what it asks for has failed.

mod common;

use codegen::package::{EnumType, TypeDefinition};
use common::{members, run, short, view, zoo_types};
use metadata::model::{TagsStyle, Type};
use serde_json::{Value, json};

fn animal() -> Value {
    json!({
        "typeName": "AWS::Zoo::DBAnimal",
        "definitions": {
            "Tag": {"type": "object", "required": ["Key", "Value"],
                "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}},
            "Diet": {"type": "object", "required": ["Mode"], "properties": {
                "MealARNs": {"type": "array", "items": {"type": "string"}},
                "Mode": {"type": "string", "enum": ["OMNI_VORE", "omni-vore", "HERBIVORE"]}}},
            "DBAnimalStatus": {"type": "string", "enum": ["ALIVE", "RETIRED"]},
            "Habitat": {"type": "object", "oneOf": [
                {"properties": {"Cage": {"type": "string"}}, "required": ["Cage"]},
                {"properties": {"Field": {"type": "integer"}}, "required": ["Field"]}]},
            "Labels": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "string"}},
                "additionalProperties": false},
            "Raw": {"type": ["object", "string"]}
        },
        "properties": {
            "Id": {"type": "string"},
            "AnimalName": {"type": "string", "minLength": 2, "maxLength": 30},
            "KeeperARN": {"type": "string"},
            "Diet": {"$ref": "#/definitions/Diet"},
            "Status": {"$ref": "#/definitions/DBAnimalStatus"},
            "Habitat": {"$ref": "#/definitions/Habitat"},
            "Labels": {"$ref": "#/definitions/Labels"},
            "Extra": {"$ref": "#/definitions/Raw"},
            "Notes": {"type": "object"},
            "Born": {"type": "string", "format": "date-time"},
            "Size": {"type": "object", "properties": {"Kg": {"type": "number"}}, "required": ["Kg"]},
            "Weight": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}}
        },
        "required": ["AnimalName", "Diet"],
        "readOnlyProperties": ["/properties/Id", "/properties/Status"],
        "createOnlyProperties": ["/properties/KeeperARN", "/properties/Diet/Mode"],
        "writeOnlyProperties": ["/properties/Notes"],
        "primaryIdentifier": ["/properties/Id"],
        "tagging": {"taggable": true, "tagProperty": "/properties/Tags"},
        "handlers": {"create": {}, "read": {}, "delete": {}, "list": {}}
    })
}

#[test]
fn outputs_and_inputs() {
    let output = run([animal()]);
    let resource = &output.package.resources["aws-native:zoo:DbAnimal"];
    let outputs: Vec<_> = resource
        .properties
        .iter()
        .map(|(name, property)| {
            let required = if resource.required.contains(name) { "!" } else { "" };
            let replace = if property.replace_on_changes { "*" } else { "" };
            format!("{name}{required}{replace} {}", short(&property.ty))
        })
        .collect();
    let expected = [
        "animalName! string",
        "awsId! string",
        "born string",
        "diet! ref DbAnimalDiet",
        "extra ref DbAnimalRaw",
        "habitat ref DbAnimalHabitat",
        "keeperArn* string",
        "labels {string}",
        "notes any",
        "size ref SizeProperties",
        "status! ref DbAnimalDbAnimalStatus",
        "tags [ref aws-native:index:Tag]",
        "weight (integer|string)",
    ];
    assert_eq!(outputs, expected);
    let inputs: Vec<_> = resource.inputs.keys().map(String::as_str).collect();
    let expected =
        ["animalName", "born", "diet", "extra", "habitat", "keeperArn", "labels", "notes", "size", "tags", "weight"];
    assert_eq!(inputs, expected);
    assert_eq!(resource.required_inputs, ["diet"]);
    assert!(resource.inputs.values().all(|input| !input.replace_on_changes));
    assert_eq!(serde_json::to_value(&resource.list_inputs).unwrap(), json!({"type": "object"}));
}

#[test]
fn nested_types() {
    let output = run([animal()]);
    let expected = [
        "DbAnimalDbAnimalStatus",
        "DbAnimalDiet",
        "DbAnimalDietMode",
        "DbAnimalHabitat",
        "DbAnimalRaw",
        "DbAnimalTag",
        "SizeProperties",
    ];
    assert_eq!(zoo_types(&output), expected);
    assert_eq!(members(&output, "DbAnimalDiet"), ["mealArns [string]", "mode!* ref DbAnimalDietMode"]);
    assert_eq!(members(&output, "DbAnimalHabitat"), ["cage string", "field integer"]);
    assert_eq!(members(&output, "DbAnimalRaw"), [""; 0]);
    assert_eq!(members(&output, "SizeProperties"), ["kg! number"]);
    let TypeDefinition::Enum(EnumType { values, .. }) = &output.package.types["aws-native:zoo:DbAnimalDietMode"] else {
        unreachable!("a string enum is an enum type")
    };
    let values: Vec<_> = values.iter().map(|value| (value.name.as_str(), value.value.as_str())).collect();
    assert_eq!(values, [("OmniVore", "OMNI_VORE"), ("OmniVore2", "omni-vore"), ("Herbivore", "HERBIVORE")]);
}

#[test]
fn getter() {
    let output = run([animal()]);
    let getter = &output.package.functions["aws-native:zoo:getDbAnimal"];
    let inputs = getter.inputs.as_ref().unwrap();
    assert_eq!(inputs.properties.keys().collect::<Vec<_>>(), ["id"]);
    assert_eq!(inputs.required, ["id"]);
    let outputs: Vec<_> = getter.outputs.properties.keys().map(String::as_str).collect();
    let expected =
        ["animalName", "born", "diet", "extra", "habitat", "id", "labels", "size", "status", "tags", "weight"];
    assert_eq!(outputs, expected);
    assert!(getter.outputs.required.is_empty());
}

#[test]
fn published_metadata() {
    let output = run([animal()]);
    let document: Value = serde_json::from_slice(&codegen::metadata_json(&output).unwrap()).unwrap();
    let mut resource = document["resources"]["aws-native:zoo:DbAnimal"].clone();
    let members = resource.as_object_mut().unwrap();
    members.retain(|key, _| key != "inputs" && key != "outputs");
    let expected = json!({
        "cf": "AWS::Zoo::DBAnimal",
        "createOnly": ["diet/mode", "keeperArn"],
        "readOnly": ["id", "status"],
        "writeOnly": ["notes"],
        "required": ["diet"],
        "primaryIdentifier": ["id"],
        "irreversibleNames": {"awsId": "Id", "keeperArn": "KeeperARN"},
        "tagsProperty": "tags",
        "tagsStyle": "keyValueArray",
        "autoNamingSpec": {"sdkName": "animalName", "minLength": 2, "maxLength": 30},
        "hasListHandler": true,
        "listInputs": {"type": "object"}
    });
    assert_eq!(resource, expected);
    assert_eq!(document["types"]["aws-native:zoo:DbAnimalDiet"]["irreversibleNames"], json!({"mealArns": "MealARNs"}));
    assert_eq!(document["types"]["aws-native:zoo:DbAnimalDietMode"], json!({"type": "string"}));
    assert_eq!(document["functions"]["aws-native:zoo:getDbAnimal"], json!({"cf": "AWS::Zoo::DBAnimal", "ids": ["id"]}));
}

#[test]
fn the_providers_own_view() {
    let output = run([animal()]);
    let view = view(&output, "AWS::Zoo::DBAnimal");
    assert_eq!(view.create_only, ["diet/mode", "keeperArn"]);
    assert_eq!(view.read_only, ["awsId", "status"]);
    assert_eq!(view.primary_identifier, ["awsId"]);
    assert_eq!(view.unordered, ["tags"], "the order of tags never matters");
    let tags = view.tags.as_ref().unwrap();
    assert_eq!((tags.property.as_str(), tags.style, tags.updatable), ("tags", TagsStyle::KeyValueArray, true));
    let get = |name: &str| view.properties.iter().find(|property| property.name == name).unwrap();
    assert_eq!((get("awsId").cfn_name.as_str(), get("awsId").input), ("Id", false));
    assert!(get("diet").required && !get("animalName").required);
    let Type::Object(diet) = get("diet").ty else { unreachable!("diet is an object") };
    let diet = &view.types[diet as usize];
    assert_eq!(diet.properties[0].cfn_name, "MealARNs");
    let all_values = ["OMNI_VORE", "omni-vore", "HERBIVORE"].map(str::to_owned).to_vec();
    assert_eq!(diet.properties[1].ty, Type::Enum(all_values), "every value in the order of the schema");
    assert!(diet.properties[1].required);
    let getter = view.getter.as_ref().unwrap();
    assert_eq!((getter.token.as_str(), &getter.ids), ("aws-native:zoo:getDbAnimal", &vec!["id".to_owned()]));
    assert!(view.handlers.list.is_some() && view.handlers.update.is_none());
}
