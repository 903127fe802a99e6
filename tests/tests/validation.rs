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
