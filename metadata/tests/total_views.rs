//! Views of words and texts that no generator wrote: they may say nonsense, but they end, and they never panic.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use metadata::encode;
use metadata::model::{AutoName, EqualityHint, ObjectType, Property, Resource, Type};
use metadata::view::{self, Properties, Record};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn arbitrary_records(strings in "\\PC{0,20}", words in vec(word(), 0..80)) {
        walk(&strings, words);
    }

    #[test]
    fn damaged_records(place in any::<prop::sample::Index>(), word in word(), cut in any::<prop::sample::Index>()) {
        let encoded = encode(&sample()).unwrap();
        let mut words = encoded.words;
        let place = place.index(words.len());
        words[place] = word;
        walk(&encoded.strings, words.clone());
        words.truncate(cut.index(words.len()));
        walk(&encoded.strings, words);
    }
}

#[test]
fn a_type_without_end() {
    // A union at offset 23 whose two arms are that same union.
    let mut words = vec![0; 22];
    words[3] = 26;
    let own = 23 << 4 | 9;
    words.extend([0, 2, own, own, 1 << 1, 0, 0, own, 0]);
    walk("", words);
}

/// Small offsets, which often hit something, and any other word.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![0_u32..100, (0_u32..100, 0_u32..16).prop_map(|(payload, tag)| payload << 4 | tag), any::<u32>()]
}

/// Reads everything that a view offers.
fn walk(strings: &str, words: Vec<u32>) {
    let record: &'static Record = Box::leak(Box::new(Record::new(strings.to_owned().leak(), words.leak())));
    let view = view::Resource::from(record);
    let model = view.to_model();
    let _ = (encode(&model), format!("{view:?} {record:?} {:?}", view.object_types()));
    look_up(view.properties());
    view.object_types().iter().for_each(|ty| look_up(ty.properties()));
}

fn look_up(properties: Properties) {
    for property in properties.iter() {
        let _ = properties.get(property.name());
        let _ = properties.get_cfn(property.cfn_name());
        let _ = format!("{property:?} {:?}", property.ty());
    }
    let _ = (properties.get("name"), properties.get_cfn("Name"), properties.iter().next_back());
}

fn sample() -> Resource {
    let property = |name: &str, cfn_name: &str, ty: Type| Property {
        name: name.to_owned(),
        cfn_name: cfn_name.to_owned(),
        ty,
        default: Some("1".to_owned()),
        ..Property::default()
    };
    Resource {
        token: "aws-native:s3:Bucket".to_owned(),
        cfn_type: "AWS::S3::Bucket".to_owned(),
        properties: vec![
            property("arn", "Arn", Type::Union(vec![Type::String, Type::Enum(vec!["a".to_owned()])])),
            property("awsId", "Id", Type::Array(Box::new(Type::Object(0)))),
            property("zone", "AZone", Type::Map(Box::new(Type::Integer))),
        ],
        types: vec![ObjectType {
            token: "aws-native:s3:BucketRule".to_owned(),
            properties: vec![property("rule", "Rule", Type::Object(0))],
        }],
        create_only: vec!["arn".to_owned()],
        property_transforms: vec![("arn".to_owned(), "$lowercase(arn)".to_owned())],
        equality: vec![("arn".to_owned(), EqualityHint::ArnOrId)],
        auto_name: Some(AutoName {
            property: "arn".to_owned(),
            min_length: 1,
            max_length: 9,
            suffix_rule: None,
            form: Default::default(),
        }),
        ..Resource::default()
    }
}
