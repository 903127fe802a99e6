//! The provider's validation of inputs over everything that is published: examples pass in silence, and what breaks a rule
//! is told.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use cfn::bundle::Bundle;
use provider::lifecycle::{CheckRequest, Facts, Settings, check_with};
use provider::validate::Schema;
use serde_json::Value as Json;
use value::{Map, Urn, Value};

/// Types whose published example breaks its schema: in these, what satisfies the schema is more than an example says.
/// The generator has them in `report/examples.json`.
const BROKEN: [&str; 5] = [
    "aws-native:billingconductor:BillingGroup",
    "aws-native:codepipeline:Pipeline",
    "aws-native:evidently:Experiment",
    "aws-native:lambda:ResourcePolicy",
    "aws-native:msk:Replicator",
];

/// Types whose published example breaks a rule of the linter's schemas that the generator of examples does not know:
/// `enumCaseInsensitive`, and for the domain a condition.
const LINTED: [&str; 11] = [
    "aws-native:amazonmq:Configuration",
    "aws-native:batch:ComputeEnvironment",
    "aws-native:batch:JobDefinition",
    "aws-native:batch:QuotaShare",
    "aws-native:batch:ServiceEnvironment",
    "aws-native:cognito:UserPoolDomain",
    "aws-native:ec2:IpamPool",
    "aws-native:ec2:TrafficMirrorFilterRule",
    "aws-native:elasticloadbalancing:LoadBalancer",
    "aws-native:route53resolver:ResolverEndpoint",
    "aws-native:route53resolver:ResolverRule",
];

/// The inputs of the published example of every resource type, by token.
fn examples() -> BTreeMap<String, Map> {
    let package = zstd::decode_all(generated::PACKAGE_SCHEMA_ZST).unwrap();
    let package: Json = serde_json::from_slice(&package).unwrap();
    let mut examples = BTreeMap::new();
    for (token, resource) in package["resources"].as_object().unwrap() {
        let description = resource["description"].as_str().unwrap_or_default();
        let Some((_, rest)) = description.split_once("```yaml\n") else { continue };
        let (text, _) = rest.split_once("```").unwrap();
        let program: Json = codegen::yaml::read(token, text).unwrap();
        let inputs = &program["resources"]["example"]["properties"];
        let inputs = match value::json::from_json(inputs) {
            Value::Object(inputs) => inputs,
            _ => Map::new(),
        };
        examples.insert(token.clone(), inputs);
    }
    examples
}

/// What Check says to these inputs: failures and warnings.
fn said(token: &str, news: Map) -> Vec<String> {
    let resource = generated::resource(token).unwrap();
    let schemas = Bundle::open(generated::RESOURCE_SCHEMAS_ZST).unwrap();
    let schema = Schema::parse(&schemas.read(resource.cfn_type()).unwrap().unwrap()).unwrap();
    let request = CheckRequest {
        urn: Urn::new("dev", "test", None, token, "thing").unwrap(),
        olds: Map::new(),
        news,
        random_seed: vec![1; 32],
        naming: None,
    };
    let facts = Facts { schema: Some(&schema), absent: None };
    let answer = check_with(resource, request, &Settings::default(), facts).unwrap();
    answer.failures.into_iter().map(|failure| failure.reason).chain(answer.warnings).collect()
}

#[test]
fn published_examples_pass_in_silence() {
    let examples = examples();
    let mut silent = 0;
    let mut wrong = Vec::new();
    for (token, inputs) in examples {
        if generated::resource(&token).is_none() {
            continue;
        }
        let said = said(&token, inputs);
        match (said.is_empty(), BROKEN.contains(&token.as_str()) || LINTED.contains(&token.as_str())) {
            (true, false) => silent += 1,
            (false, true) => {}
            (true, true) => wrong.push(format!("{token}: says nothing any more; take it from the list")),
            (false, false) => wrong.push(format!("{token}: {said:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(silent + BROKEN.len() + LINTED.len(), generated::resources().len());
}

/// `tests/vectors/verdicts.jsonl`: models of many types, and whether another validator accepts them. It leaves out patterns,
/// whose dialects differ, and does not know the linter's keywords.
#[test]
fn another_validator_says_the_same() {
    /// Where what the linter adds is broken.
    const LINTED: [&str; 1] = ["AWS::ServiceDiscovery::Service"];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/verdicts.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut agreed = (0, 0);
    for line in text.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let Some(resource) = generated::resource_by_cfn(row["type"].as_str().unwrap_or_default()) else { continue };
        let Some(model) = row["model"].as_object() else { continue };
        // What only the service sets is no input, and nulls are dropped before anything is looked at.
        let properties = resource.properties();
        let is_output = |name: &str| properties.get_cfn(name).is_some_and(|property| !property.input());
        // A name that is generated is never missing.
        let is_unnamed = resource.auto_name().is_some_and(|auto_name| {
            properties.get(auto_name.property).is_none_or(|property| !model.contains_key(property.cfn_name()))
        });
        let is_linted = LINTED.contains(&resource.cfn_type());
        if model.keys().any(|name| is_output(name)) || line.contains(":null") || is_linted || is_unnamed {
            continue;
        }
        let mut said = match provider::convert::from_cfn(&row["model"], properties) {
            Ok(inputs) => said(resource.token(), inputs),
            Err(error) => vec![error.to_string()],
        };
        said.retain(|text| !text.contains(" does not match the pattern ") || text.contains(": the key "));
        match (said.is_empty(), row["valid"] == Json::Bool(true)) {
            (true, true) => agreed.0 += 1,
            (false, false) => agreed.1 += 1,
            _ => wrong.push(format!("{} {}: {said:?}\n   {}", row["valid"], resource.cfn_type(), row["model"])),
        }
    }
    assert!(wrong.is_empty(), "{agreed:?}, {} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(agreed.0 > 70 && agreed.1 > 200, "{agreed:?}");
}

/// A row of `tests/vectors/everit.yaml`: no texts mean that the instance is valid.
#[derive(serde::Deserialize)]
struct Row {
    about: String,
    schema: Json,
    instance: String,
    #[serde(default)]
    texts: Vec<String>,
}

/// `tests/vectors/everit.yaml`, from the draft of JSON Schema: whether a value fits.
#[test]
fn the_draft_says_the_same() {
    /// Numbers of programs have no spelling, and the whole of the inputs is always an object.
    const MEANINGLESS: [&str; 2] = ["a written fraction makes no integer", "a root that is no object"];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/everit.yaml");
    let rows: Vec<Row> = codegen::yaml::read("everit.yaml", &std::fs::read_to_string(path).unwrap()).unwrap();
    let resource = generated::resource("aws-native:iam:Role").unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        // Nulls are dropped before anything is looked at, and formats are not looked at.
        if MEANINGLESS.contains(&row.about.as_str())
            || row.instance.contains("null")
            || row.schema.to_string().contains("\"format\"")
        {
            continue;
        }
        // Under a property of free form, as the only alternative, so that all that fitting means is asked.
        let mut schema = serde_json::json!({ "properties": { "AssumeRolePolicyDocument": { "anyOf": [row.schema] } } });
        if let Some(definitions) = row.schema.get("definitions") {
            schema["definitions"] = definitions.clone();
        }
        let schema = Schema::parse(&schema.to_string()).unwrap();
        let instance: Json = serde_json::from_str(&row.instance).unwrap();
        let news = Map::from([
            ("assumeRolePolicyDocument".to_owned(), value::json::from_json(&instance)),
            ("roleName".to_owned(), "r".into()),
        ]);
        let request = CheckRequest {
            urn: Urn::new("dev", "test", None, resource.token(), "thing").unwrap(),
            olds: Map::new(),
            news,
            random_seed: vec![1; 32],
            naming: None,
        };
        let facts = Facts { schema: Some(&schema), absent: None };
        let answer = check_with(resource, request, &Settings::default(), facts).unwrap();
        count += 1;
        if answer.warnings.is_empty() != row.texts.is_empty() {
            wrong.push(format!("{}: {:?}, not {:?}", row.about, answer.warnings, row.texts));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 50);
}
