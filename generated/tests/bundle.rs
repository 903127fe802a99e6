//! The schema files belong to the same set of types as the records.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;

use cfn::bundle::Bundle;
use generated::{PACKAGE_SCHEMA_ZST, RESOURCE_SCHEMAS_ZST, resources};
use metadata::view::Resource;
use serde_json::Value;

#[test]
fn every_type_has_its_schema() {
    let bundle = Bundle::open(RESOURCE_SCHEMAS_ZST).unwrap();
    let expected: BTreeSet<&str> = resources().map(Resource::cfn_type).collect();
    assert_eq!(bundle.type_names().collect::<BTreeSet<_>>(), expected);
    for type_name in expected {
        let schema: Value = serde_json::from_str(&bundle.read(type_name).unwrap().unwrap()).unwrap();
        assert_eq!(schema["typeName"], type_name);
    }
}

#[test]
fn every_resource_stands_in_the_package_schema() {
    let text = zstd::stream::decode_all(PACKAGE_SCHEMA_ZST).unwrap();
    let size = zstd::zstd_safe::get_frame_content_size(PACKAGE_SCHEMA_ZST).unwrap();
    assert_eq!(size, Some(text.len() as u64));
    let package: Value = serde_json::from_slice(&text).unwrap();
    for resource in resources() {
        let published = &package["resources"][resource.token()];
        let inputs = published["inputProperties"].as_object().map_or(0, |inputs| inputs.len());
        let ours = resource.properties().iter().filter(|property| property.input()).count();
        assert_eq!(inputs, ours, "{}", resource.token());
    }
}
