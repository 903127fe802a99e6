//! Every record of the generated crate reads back as the model it was made of, and is found by all its names.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;

use generated::{resource, resource_by_cfn, resources};
use metadata::model::Property;
use metadata::view::{Properties, Resource};

#[test]
fn records_survive_decoding_and_encoding() {
    for view in resources() {
        let encoded = metadata::encode(&view.to_model()).unwrap();
        assert_eq!(encoded.strings, view.record().strings(), "{}", view.token());
        assert_eq!(encoded.words, view.record().words(), "{}", view.token());
    }
}

#[test]
fn resources_are_found_by_both_names() {
    for view in resources() {
        let is_it = |found: Option<Resource>| found.is_some_and(|found| std::ptr::eq(found.record(), view.record()));
        assert!(is_it(resource(view.token())), "{}", view.token());
        assert!(is_it(resource_by_cfn(view.cfn_type())), "{}", view.cfn_type());
        assert!(resource(view.cfn_type()).is_none());
        assert!(resource_by_cfn(view.token()).is_none());
    }
    for absent in ["", "aws-native:s3:Bucke", "AWS::S3::Buckets", "pulumi:providers:aws-native"] {
        assert!(resource(absent).is_none() && resource_by_cfn(absent).is_none(), "{absent:?}");
    }
}

#[test]
fn properties_are_found_by_both_names() {
    for view in resources() {
        let model = view.to_model();
        check_lookups(view.token(), &model.properties, view.properties());
        assert_eq!(model.types.len(), view.object_types().len());
        for (ty, view) in model.types.iter().zip(view.object_types().iter()) {
            assert_eq!(ty.token, view.token());
            check_lookups(view.token(), &ty.properties, view.properties());
        }
    }
}

#[track_caller]
fn check_lookups(owner: &str, model: &[Property], view: Properties) {
    assert_eq!(model.len(), view.len(), "{owner}");
    for property in model {
        let by_name = view.get(&property.name).unwrap();
        let by_cfn_name = view.get_cfn(&property.cfn_name).unwrap();
        for found in [by_name, by_cfn_name] {
            assert_eq!((found.name(), found.cfn_name()), (&*property.name, &*property.cfn_name), "{owner}");
            assert_eq!((found.input(), found.required()), (property.input, property.required), "{owner}");
            assert_eq!(found.default(), property.default.as_deref(), "{owner}");
        }
        assert!(view.get(&format!("{}X", property.name)).is_none_or(|found| found.name() != property.name), "{owner}");
    }
}

#[test]
fn order_is_that_of_tokens() {
    let tokens: Vec<&str> = resources().map(Resource::token).collect();
    assert!(tokens.is_sorted());
    assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), tokens.len());
}
