//! Rules that hold for every generated resource type, shown on a sample of each that uses all of its members.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::collections::{BTreeMap, HashSet};

use cfn::bundle::Bundle;
use metadata::model::TagsStyle;
use metadata::view::{Property, Resource};
use provider::convert::{from_cfn, to_cfn};
use provider::lifecycle::{CheckRequest, DiffRequest, Settings, check, diff};
use provider::place::Object;
use provider::rpc::functions;
use value::{Map, Urn, Value};

#[path = "support/samples.rs"]
mod samples;
use samples::samples_of;

#[test]
fn invariant_5_conversion_there_and_back_is_the_identity_for_every_type() {
    let mut samples = 0;
    for resource in generated::resources() {
        for sample in samples_of(resource, |_| true) {
            let model =
                to_cfn(&sample, Object::of(resource)).unwrap_or_else(|error| panic!("{}: {error}", resource.token()));
            let back = from_cfn(&model, resource.properties()).unwrap();
            assert_same(resource, &sample, &back);
            samples += 1;
        }
    }
    assert!(samples > generated::resources().len(), "unions give more than one sample");
}

#[test]
fn every_function_of_the_package_has_a_way_out_that_fits_it() {
    #[derive(serde::Deserialize)]
    struct Package {
        functions: BTreeMap<String, serde::de::IgnoredAny>,
    }
    let package: Package = serde_json::from_slice(&zstd::decode_all(generated::PACKAGE_SCHEMA_ZST).unwrap()).unwrap();
    let mut getters = 0;
    for token in package.functions.keys() {
        let way = functions::instead(token, generated::resource).unwrap_or_else(|| panic!("{token} has no way out"));
        let is_getter = way.starts_with("read the resource with the `get` method of aws-native:");
        assert_ne!(is_getter, token.starts_with("aws-native:index:"), "{token}: {way}");
        getters += usize::from(is_getter);
    }
    assert!(getters > 1000, "{getters}");
    assert_eq!(functions::instead("aws-native:s3:getNothing", generated::resource), None);
}

#[test]
fn members_go_under_the_names_of_the_schema() {
    let schemas = Bundle::open(generated::RESOURCE_SCHEMAS_ZST).unwrap();
    for resource in generated::resources() {
        let schema: serde_json::Value =
            serde_json::from_str(&schemas.read(resource.cfn_type()).unwrap().unwrap()).unwrap();
        let names: HashSet<&str> = names(&schema).collect();
        let members = resource.object_types().iter().flat_map(|object| object.properties().iter());
        for property in resource.properties().iter().chain(members) {
            let name = property.cfn_name();
            assert!(names.contains(name), "{}: the schema has no member {name}", resource.token());
        }
    }
}

#[test]
fn c39_default_tags_fit_every_type() {
    let defaults = [("team", "a"), ("env", "b")].map(|(key, value)| (key.to_owned(), value.into()));
    let settings = Settings { default_tags: defaults.into(), ..Settings::default() };
    let mut tagged = 0;
    for resource in generated::resources() {
        let urn = Urn::new("dev", "test", None, resource.token(), "thing").unwrap();
        let request = |news: Map| CheckRequest {
            urn: urn.clone(),
            olds: Map::new(),
            news,
            random_seed: vec![1; 32],
            naming: None,
        };
        let Some(tags) = resource.tags() else { continue };
        let answer = check(resource, request(Map::new()), &settings).unwrap();
        let about_tags = answer.failures.iter().filter(|failure| failure.property.starts_with(tags.property));
        assert_eq!(about_tags.count(), 0, "{}: {:?}", resource.token(), answer.failures);
        let count = match answer.inputs.get(tags.property) {
            Some(Value::Array(tags)) => tags.len(),
            Some(Value::Object(tags)) => tags.len(),
            _ => continue,
        };
        assert_eq!(count, 2, "{}", resource.token());
        tagged += 1;
        // Checked once more, they stay as they are.
        assert_eq!(check(resource, request(answer.inputs.clone()), &settings).unwrap().inputs, answer.inputs);
    }
    assert!(tagged > 1_200, "{tagged}");
}

/// Whether the schema says so or not.
#[test]
fn c24_tags_are_a_set_in_every_type() {
    let mut tagged = 0;
    for resource in generated::resources() {
        let Some(tags) = resource.tags().filter(|tags| tags.style != TagsStyle::StringMap) else { continue };
        let Some(sample) = samples_of(resource, Property::input).next() else { continue };
        let Some(Value::Array(one)) = sample.get(tags.property) else { continue };
        let tag = |key: &str| {
            let mut tag = one.first()?.clone();
            let name = ["key", "tagKey"].into_iter().find(|name| tag.get(name).is_some())?;
            tag.as_object_mut()?.insert(name.to_owned(), key.into());
            Some(tag)
        };
        let (Some(a), Some(z)) = (tag("A"), tag("Z")) else { continue };
        let inputs = |order: [&Value; 2]| {
            let mut inputs = sample.clone();
            inputs.insert(tags.property.to_owned(), order.into_iter().cloned().collect());
            inputs
        };
        let (old, news) = (inputs([&z, &a]), inputs([&a, &z]));
        let request = DiffRequest {
            id: "id".to_owned(),
            urn: Urn::new("dev", "test", None, resource.token(), "thing").unwrap(),
            olds: [("__inputs".to_owned(), Value::secret(Value::Object(old)))].into(),
            news,
            old_inputs: None,
            ignore_changes: Vec::new(),
        };
        let answer = diff(resource, &request);
        assert!(answer.detailed.is_empty() && answer.replaces.is_empty(), "{}: {answer:?}", resource.token());
        tagged += 1;
    }
    assert!(tagged > 800, "{tagged}");
}

#[test]
fn check_accepts_whatever_the_schema_allows() {
    for resource in generated::resources() {
        let urn = Urn::new("dev", "test", None, resource.token(), "thing").unwrap();
        for news in samples_of(resource, Property::input) {
            let request =
                CheckRequest { urn: urn.clone(), olds: Map::new(), news, random_seed: vec![1; 32], naming: None };
            let answer = check(resource, request, &Settings::default()).unwrap();
            let failures: Vec<_> = answer.failures.iter().map(|failure| &failure.reason).collect();
            assert!(failures.is_empty(), "{}: {failures:?}", resource.token());
        }
    }
}

/// Every name of a member that the schema declares, at any depth.
fn names(schema: &serde_json::Value) -> Box<dyn Iterator<Item = &str> + '_> {
    use serde_json::Value::{Array, Object};
    match schema {
        Object(members) => {
            let declared = members.get("properties").and_then(serde_json::Value::as_object);
            let declared = declared.into_iter().flat_map(|declared| declared.keys().map(String::as_str));
            Box::new(declared.chain(members.values().flat_map(names)))
        }
        Array(items) => Box::new(items.iter().flat_map(names)),
        _ => Box::new(std::iter::empty()),
    }
}

#[track_caller]
fn assert_same(resource: Resource, sample: &Map, back: &Map) {
    if sample == back {
        return;
    }
    let names = sample.keys().chain(back.keys());
    let name = names.into_iter().find(|name| sample.get(*name) != back.get(*name)).unwrap();
    panic!("{} {name}:\n{:?}\ncame back as\n{:?}", resource.token(), sample.get(name), back.get(name));
}
