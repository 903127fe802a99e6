//! What `encode` refuses, word for word.

use metadata::encode;
use metadata::model::{Property, Resource, Type};

#[test]
fn unsorted_names() {
    check(
        vec![property("b", "B", Type::Any), property("a", "A", Type::Any)],
        "AWS::S3::Bucket: properties of aws-native:s3:Bucket are not in strictly ascending order of SDK name at `a`",
    );
}

#[test]
fn repeated_sdk_name() {
    check(
        vec![property("a", "A", Type::Any), property("a", "B", Type::Any)],
        "AWS::S3::Bucket: properties of aws-native:s3:Bucket are not in strictly ascending order of SDK name at `a`",
    );
}

#[test]
fn repeated_cfn_name() {
    check(
        vec![property("a", "A", Type::Any), property("b", "A", Type::Any)],
        "AWS::S3::Bucket: two properties of aws-native:s3:Bucket have the CloudFormation name `A`",
    );
}

#[test]
fn object_type_that_is_not_there() {
    check(
        vec![property("a", "A", Type::Array(Box::new(Type::Object(3))))],
        "AWS::S3::Bucket: property `a` of aws-native:s3:Bucket refers to object type 3, but there are only 0",
    );
}

#[test]
fn endless_nesting() {
    let deep = (0..65).fold(Type::Any, |ty, _| Type::Array(Box::new(ty)));
    check(
        vec![property("a", "A", deep)],
        "AWS::S3::Bucket: the type of property `a` of aws-native:s3:Bucket nests deeper than 64 levels",
    );
}

#[track_caller]
fn check(properties: Vec<Property>, message: &str) {
    let resource = Resource {
        token: "aws-native:s3:Bucket".to_owned(),
        cfn_type: "AWS::S3::Bucket".to_owned(),
        properties,
        ..Resource::default()
    };
    assert_eq!(encode(&resource).map_err(|error| error.to_string()), Err(message.to_owned()));
}

fn property(name: &str, cfn_name: &str, ty: Type) -> Property {
    Property { name: name.to_owned(), cfn_name: cfn_name.to_owned(), ty, ..Property::default() }
}
