//! `explain`, run as people run it.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod checkout;

use checkout::{checkout, run};
use serde_json::Value;

#[test]
fn a_property_is_explained_for_people_and_as_json() {
    let checkout = checkout();
    let explain = |arguments: &[&str]| {
        let all: Vec<&str> = ["explain", "--source", "schemas"].iter().chain(arguments).copied().collect();
        run(checkout.path(), &all)
    };
    let (done, text, error) = explain(&["aws-native:some:Thing.awsId"]);
    assert!(done, "{error}");
    assert!(text.starts_with("aws-native:some:Thing.awsId  (property)\n  type    string\n  in AWS  Id\n"), "{text}");
    assert!(text.contains("a.json #/properties/Id\n"), "{text}");
    for ending in [".", "/", "#", "#/"] {
        let (done, text, error) = explain(&[&format!("AWS::Some::Thing{ending}")]);
        assert!(done && text.starts_with("aws-native:some:Thing  (resource)\n"), "{ending}: {text}{error}");
    }

    let (done, json, error) = explain(&["AWS::Some::Thing/properties/Id", "--json"]);
    assert!(done, "{error}");
    let facts: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&facts["subject"], &facts["name"][0]["rule"]),
        (&"aws-native:some:Thing.awsId".into(), &"aws-id".into())
    );
}

#[test]
fn unknown_names_get_suggestions() {
    let checkout = checkout();
    for (name, expected) in [
        (
            "aws-native:some:Thign",
            "there is no resource, function or type aws-native:some:Thign; did you mean aws-native:some:Thing",
        ),
        ("AWS::Some::Thign", "there is no resource, function or type AWS::Some::Thign; did you mean AWS::Some::Thing"),
        ("aws-native:some:Thing.nmae", "aws-native:some:Thing has no nmae; did you mean name?"),
        ("", "the name is empty; give a token or a CloudFormation type, for example AWS::S3::Bucket"),
        ("AWS::Some::Thing/properties/Nmae", "aws-native:some:Thing has no Nmae; did you mean name?"),
        (
            "AWS::Some::Thing/properties/Name/itmes",
            "comes from #/properties/Name/itmes; did you mean #/properties/Name, ",
        ),
        ("zebra", "there is no resource, function or type zebra; cf-schemas/inventory lists all names"),
        ("AWS::Some::Idea", "AWS::Some::Idea is left out: not provisionable"),
    ] {
        let (done, text, error) = run(checkout.path(), &["explain", "--source", "schemas", name]);
        assert!(!done && text.is_empty() && error.contains(expected), "{name}: {text}{error}");
    }
}
