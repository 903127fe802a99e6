//! The hand-written resources.

use super::{properties, reference};
use crate::package::{ResourceSpec, Text, TypeSpec};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The token of the hand-written resource that stands in a service's module.
pub(crate) const CUSTOM_RESOURCE: &str = "aws-native:cloudformation:CustomResourceEmulator";

const EXTENSION_RESOURCE: &str = "aws-native:index:ExtensionResource";

/// Both of them by token.
pub(super) fn all() -> BTreeMap<String, ResourceSpec> {
    [(EXTENSION_RESOURCE.to_owned(), extension_resource()), (CUSTOM_RESOURCE.to_owned(), custom_resource_emulator())]
        .into_iter()
        .collect()
}

/// Inputs for an example of each, which no schema describes.
pub(crate) fn examples() -> [(&'static str, Value); 2] {
    [
        (EXTENSION_RESOURCE, json!({"type": "Example::Service::Thing", "properties": {"Name": "example"}})),
        (
            CUSTOM_RESOURCE,
            json!({
                "bucketKeyPrefix": "answers/",
                "bucketName": "example-bucket",
                "customResourceProperties": {"Name": "example"},
                "resourceType": "Custom::Thing",
                "serviceToken": "arn:aws:lambda:us-east-1:123456789012:function:example",
            }),
        ),
    ]
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn extension_resource() -> ResourceSpec {
    let open = || TypeSpec::map(TypeSpec::Any);
    let strings = || TypeSpec::array(TypeSpec::String);
    let mut inputs = properties(&[
        ("autoNaming", reference("aws-native:index:AutoNaming"), "How a name is generated; by default none is."),
        ("createOnly", strings(), "Names of the properties that cannot be changed after creation."),
        (
            "properties",
            open(),
            "The resource's properties, with the capitals that Cloud Control expects; they are sent as they are.",
        ),
        ("tagsProperty", TypeSpec::String, "The property that takes the tags. Default: `Tags`."),
        ("tagsStyle", TypeSpec::String, "The shape of the tags: `stringMap`, `keyValueArrayUpperCase` or `none`."),
        ("type", TypeSpec::String, "The CloudFormation type name."),
        ("writeOnly", strings(), "Names of the properties that cannot be read back."),
    ]);
    if let Some(ty) = inputs.get_mut("type") {
        ty.replace_on_changes = true;
    }
    ResourceSpec {
        description: Some(Text::from(
            "A resource of a type that is registered with CloudFormation in your account and not part of this package.",
        )),
        inputs,
        required_inputs: names(&["type", "properties"]),
        properties: properties(&[("outputs", open(), "What the type returns.")]),
        required: names(&["outputs"]),
        ..ResourceSpec::default()
    }
}

fn custom_resource_emulator() -> ResourceSpec {
    let open = || TypeSpec::map(TypeSpec::Any);
    let string = || TypeSpec::String;
    ResourceSpec {
        description: Some(Text::from(
            "Runs a CloudFormation custom resource that is backed by a Lambda function, without a stack. The function \
             gets the events that CloudFormation would send and answers through an object in an S3 bucket.",
        )),
        inputs: properties(&[
            ("bucketKeyPrefix", string(), "Prefix of the keys of the function's answers."),
            ("bucketName", string(), "The bucket for the function's answers."),
            ("customResourceProperties", open(), "The properties that the function gets."),
            ("resourceType", string(), "The type name that the function gets, for example `Custom::Thing`."),
            ("serviceToken", string(), "The ARN of the function. It cannot be changed after creation."),
            ("stackId", string(), "The stack ID that the function gets. By default one is made up."),
        ]),
        required_inputs: names(&[
            "bucketName",
            "bucketKeyPrefix",
            "serviceToken",
            "customResourceProperties",
            "resourceType",
        ]),
        properties: properties(&[
            ("bucket", string(), "The bucket for the function's answers."),
            ("data", open(), "What the function returned."),
            ("noEcho", TypeSpec::Boolean, "Whether the function asked to hide what it returned."),
            ("physicalResourceId", string(), "The identifier that the function returned."),
            ("resourceType", string(), "The type name that the function gets."),
            ("serviceToken", string(), "The ARN of the function."),
            ("stackId", string(), "The stack ID that the function gets."),
        ]),
        required: names(&["physicalResourceId", "data", "stackId", "serviceToken", "bucket", "resourceType", "noEcho"]),
        ..ResourceSpec::default()
    }
}
