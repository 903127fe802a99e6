//! What people read in SDKs and on documentation pages, over every resource of the package.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;

use generated::{PACKAGE_SCHEMA_ZST, resources};
use serde_json::{Map, Value};

fn package() -> Value {
    serde_json::from_slice(&zstd::stream::decode_all(PACKAGE_SCHEMA_ZST).unwrap()).unwrap()
}

fn description(value: &Value) -> &str {
    value["description"].as_str().unwrap_or_default()
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

#[test]
fn c82_docs_every_property_has_text_without_typographic_quotes() {
    let package = package();
    let tokens: Vec<&str> = resources().map(|resource| resource.token()).collect();
    let mut texts: Vec<(String, &str)> = Vec::new();
    for token in &tokens {
        let resource = &package["resources"][token];
        texts.push(((*token).to_owned(), description(resource)));
        for members in ["inputProperties", "properties"] {
            let properties = object(&resource[members]);
            texts.extend(properties.map(|(name, property)| (format!("{token}.{name}"), description(property))));
        }
    }
    for (token, ty) in
        object(&package["types"]).filter(|(token, _)| !token.contains(":index:") && !token.contains(":config:"))
    {
        texts.extend(
            object(&ty["properties"]).map(|(name, property)| (format!("{token}.{name}"), description(property))),
        );
    }
    let bad = |text: &str| {
        text.is_empty()
            || text.contains(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{2028}', '\u{a0}'])
            || text.contains("*/")
            || text.contains("\"\"\"")
            || text.contains("<p>")
            || text.contains("\n\n\n")
            || text.lines().any(|line| line.ends_with(' '))
    };
    let bad: Vec<&String> = texts.iter().filter(|(_, text)| bad(text)).map(|(place, _)| place).collect();
    assert!(bad.is_empty(), "{} of {}: {:?}", bad.len(), texts.len(), &bad[..bad.len().min(20)]);
}

#[test]
fn c66_docs_show_how_every_resource_is_imported() {
    let package = package();
    for (token, identifier) in [
        ("aws-native:quicksight:DataSet", "AwsAccountId|DataSetId"),
        ("aws-native:wafv2:WebAcl", "Name|Id|Scope"),
        ("aws-native:sagemaker:App", "AppName|AppType|DomainId|UserProfileName"),
        ("aws-native:ecs:Service", "ServiceArn|Cluster"),
    ] {
        let text = description(&package["resources"][token]);
        let command = format!("## Import\n\n```sh\n$ pulumi import {token} example \"{identifier}\"\n```\n");
        assert!(text.contains(&command), "{token}: {text}");
    }
    let without = resources()
        .filter(|resource| !resource.primary_identifier().is_empty())
        .filter(|resource| !description(&package["resources"][resource.token()]).contains("\n```sh\n$ pulumi import "));
    assert_eq!(without.map(|resource| resource.token()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn c82_docs_show_an_example_of_every_resource() {
    let package = package();
    for resource in resources() {
        let text = description(&package["resources"][resource.token()]);
        let head = format!("```yaml\nresources:\n  example:\n    type: {}\n", resource.token());
        assert!(text.contains("{{% examples %}}\n## Example Usage\n") && text.contains(&head), "{}", resource.token());
        for input in package["resources"][resource.token()]["requiredInputs"].as_array().into_iter().flatten() {
            let line = format!("\n      {}:", input.as_str().unwrap());
            assert!(text.contains(&line), "{}: {line} is missing", resource.token());
        }
    }
}

#[test]
fn c25_docs_keep_the_case_of_policy_keys() {
    let package = package();
    let role = description(&package["resources"]["aws-native:iam:Role"]);
    assert!(role.contains("      assumeRolePolicyDocument:\n        Statement:\n          - Action: "), "{role}");
    assert!(role.contains("        Version: \"2012-10-17\"\n"), "{role}");
}

/// Holds where the pinned documentation was there; without it the schemas' own texts are all that there is.
#[test]
fn nineteen_of_twenty_properties_are_described() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("report/descriptions.json");
    let report: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let least = if report["source"].as_str().unwrap().starts_with('@') { 95 } else { 60 };
    for what in ["inputs", "nested"] {
        let total = report[what]["total"].as_u64().unwrap();
        let undescribed = report[what]["undescribed"].as_array().unwrap().len() as u64;
        assert!((total - undescribed) * 100 >= total * least, "{what}: {undescribed} of {total} have no description");
    }
}
