//! What schemas forbid, told about real types: the table `vectors/rules.tsv`, and that a type without violations costs
//! little.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use cfn::bundle::Bundle;
use provider::lifecycle::{CheckAnswer, CheckRequest, Facts, Settings, check_with};
use provider::validate::Schema;
use value::{Map, Urn};

#[path = "support/values.rs"]
#[allow(dead_code)] // shared with other tests, which use more of it
mod values;

fn checked(token: &str, news: Map, settings: &Settings) -> CheckAnswer {
    let resource = generated::resource(token).unwrap_or_else(|| panic!("{token}"));
    let schemas = Bundle::open(generated::RESOURCE_SCHEMAS_ZST).unwrap();
    let schema = Schema::parse(&schemas.read(resource.cfn_type()).unwrap().unwrap()).unwrap();
    let urn = Urn::new("dev", "test", None, token, "thing").unwrap();
    let request = CheckRequest { urn, olds: Map::new(), news, random_seed: vec![1; 32], naming: None };
    check_with(resource, request, settings, Facts { schema: Some(&schema), absent: None }).unwrap()
}

#[test]
fn schema_rules_are_told_as_the_references_of_the_services_have_them() {
    let rows = include_str!("vectors/rules.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        let [token, inputs, expected, _] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let news = values::members(serde_json::from_str(inputs).unwrap());
        let answer = checked(token, news.clone(), &Settings::default());
        assert!(answer.failures.is_empty(), "{row}: {:?}", answer.failures);
        if answer.warnings.join(" | ") != expected {
            wrong.push(format!("{token} {inputs}: {:?}", answer.warnings));
        }
        // The same in the same words, when they shall count.
        let strict = checked(token, news, &Settings { strict: true, ..Settings::default() });
        let reasons: Vec<_> = strict.failures.into_iter().map(|failure| failure.reason).collect();
        assert_eq!(reasons.join(" | "), expected, "{row}");
        assert!(strict.warnings.is_empty());
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 40);
}

#[test]
fn generated_names_are_nobodys_mistake() {
    // The logical name has a capital, which buckets must not have; Check lowers it where the schema says so, and says
    // nothing about the others.
    for token in ["aws-native:s3:Bucket", "aws-native:kinesis:Stream", "aws-native:sns:Topic"] {
        assert_eq!(checked(token, Map::new(), &Settings::default()).warnings, Vec::<String>::new(), "{token}");
    }
}

/// The name that Check makes for a resource of this logical name, and whether the schema of the type takes it.
fn named(resource: metadata::view::Resource, schema: &Schema, logical_name: &str) -> Option<(String, String, bool)> {
    let spec = resource.auto_name()?;
    let property = resource.properties().get(spec.property)?;
    let urn = Urn::new("dev", "test", None, resource.token(), logical_name).unwrap();
    let settings = Settings {
        auto_naming: Some(provider::lifecycle::AutoNamingSettings { auto_trim: true, random_suffix_min_length: 4 }),
        ..Settings::default()
    };
    let made = |schema| {
        let request = CheckRequest {
            urn: urn.clone(),
            olds: Map::new(),
            news: Map::new(),
            random_seed: vec![1; 32],
            naming: None,
        };
        let answer = check_with(resource, request, &settings, Facts { schema, absent: None }).unwrap();
        answer.inputs[spec.property].as_str().unwrap().to_owned()
    };
    let (name, published) = (made(Some(schema)), made(None));
    let taken = schema.characters(property.cfn_name()).is_none_or(|characters| characters.take(&name));
    Some((name, published, taken))
}

#[test]
fn c38_names_of_every_type_have_characters_that_it_takes() {
    let schemas = Bundle::open(generated::RESOURCE_SCHEMAS_ZST).unwrap();
    let (mut changed, mut refused, mut decided) = (0, Vec::new(), Vec::new());
    for resource in generated::resources() {
        let schema = Schema::parse(&schemas.read(resource.cfn_type()).unwrap().unwrap()).unwrap();
        // A name that every service takes in its form stays as published.
        let Some((name, published, taken)) = named(resource, &schema, "MyName") else { continue };
        if name != published {
            decided.push(format!("{} {name}", resource.cfn_type()));
        }
        // Where that one is refused, no spelling of another helps.
        for logical_name in ["my_name", "my.name", "my name", "My:Na/me", "mein_näme"] {
            let (name, published, fits) = named(resource, &schema, logical_name).unwrap();
            changed += usize::from(name != published);
            if taken && !fits {
                refused.push(format!("{} {name}", resource.cfn_type()));
            }
        }
    }
    // Patterns that metadata does not understand, and that refuse capitals.
    let expected = ["AWS::RedshiftServerless::Snapshot", "AWS::RedshiftServerless::Workgroup"];
    assert_eq!(decided, expected.map(|cfn_type| format!("{cfn_type} myname-5a8a508")));
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(changed > 1000, "{changed}");
}
