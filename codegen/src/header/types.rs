//! The hand-written types.

use super::properties;
use crate::data::Region;
use crate::package::{
    DefaultValue, EnumType, EnumValue, ObjectType, Properties, Text, Token, TypeDefinition, TypeSpec,
};
use crate::tags::{CREATE_ONLY_TAG, TAG};

/// All of them by token.
pub(super) fn all(regions: &[Region]) -> Vec<(Token, TypeDefinition)> {
    let mut types = settings();
    types.push(object("aws-native:index:AutoNaming", "How a name is generated.", auto_naming_rule()));
    types.push(tag(TAG, "A tag.", false));
    types.push(tag(CREATE_ONLY_TAG, "A tag that cannot be changed after creation.", true));
    types.push((Token::from("aws-native:index:Region"), TypeDefinition::Enum(region_enum(regions))));
    types
}

fn object(token: &str, description: &str, properties: Properties) -> (Token, TypeDefinition) {
    let description = Some(Text::from(description));
    (Token::from(token), TypeDefinition::Object(ObjectType { description, properties, ..ObjectType::default() }))
}

fn tag(token: &str, description: &str, create_only: bool) -> (Token, TypeDefinition) {
    let mut members = properties(&[("key", TypeSpec::String, "The key."), ("value", TypeSpec::String, "The value.")]);
    members.iter_mut().for_each(|(_, property)| property.replace_on_changes = create_only);
    let required = members.keys().cloned().collect();
    let description = Some(Text::from(description));
    let tag = ObjectType { description, properties: members, required, ..ObjectType::default() };
    (Token::from(token), TypeDefinition::Object(tag))
}

fn auto_naming_rule() -> Properties {
    properties(&[
        ("maxLength", TypeSpec::Integer, "The longest allowed name."),
        ("minLength", TypeSpec::Integer, "The shortest allowed name."),
        ("propertyName", TypeSpec::String, "The property that gets the name."),
    ])
}

/// The types of settings: each once as a configuration variable and once as an input of the provider.
fn settings() -> Vec<(Token, TypeDefinition)> {
    let strings = || TypeSpec::array(TypeSpec::String);
    let mut auto_naming = properties(&[
        ("autoTrim", TypeSpec::Boolean, "Whether names that are too long are shortened."),
        ("randomSuffixMinLength", TypeSpec::Integer, "The shortest allowed random suffix."),
    ]);
    if let Some(length) = auto_naming.get_mut("randomSuffixMinLength") {
        length.extras_mut().default = Some(DefaultValue::Integer(1));
    }
    let pairs = [
        (
            ["aws-native:config:AssumeRole", "aws-native:index:ProviderAssumeRole"],
            "A role to assume for temporary credentials.",
            properties(&[
                ("durationSeconds", TypeSpec::Integer, "How long a session lasts, in seconds."),
                ("externalId", TypeSpec::String, "The external ID that the role asks for."),
                ("policy", TypeSpec::String, "A policy in JSON that restricts the session further."),
                ("policyArns", strings(), "ARNs of managed policies that restrict the session further."),
                ("roleArn", TypeSpec::String, "The ARN of the role."),
                ("sessionName", TypeSpec::String, "The name of the session."),
                ("tags", TypeSpec::map(TypeSpec::String), "Tags of the session."),
                ("transitiveTagKeys", strings(), "Keys of the tags that further sessions inherit."),
            ]),
        ),
        (
            ["aws-native:config:DefaultTags", "aws-native:index:ProviderDefaultTags"],
            "Tags for all resources that can have tags.",
            properties(&[("tags", TypeSpec::map(TypeSpec::String), "The tags.")]),
        ),
        (
            ["aws-native:config:Endpoints", "aws-native:index:ProviderEndpoint"],
            "Endpoints to use in place of the usual ones.",
            properties(&[
                ("cloudcontrol", TypeSpec::String, "The endpoint of Cloud Control."),
                ("cloudformation", TypeSpec::String, "The endpoint of CloudFormation."),
                ("ec2", TypeSpec::String, "The endpoint of EC2."),
                ("ssm", TypeSpec::String, "The endpoint of Systems Manager."),
                ("sts", TypeSpec::String, "The endpoint of STS."),
            ]),
        ),
        (
            ["aws-native:config:IgnoreTags", "aws-native:index:ProviderIgnoreTags"],
            "Tags to leave alone.",
            properties(&[
                ("keyPrefixes", strings(), "Prefixes of the keys to leave alone."),
                ("keys", strings(), "Keys to leave alone."),
            ]),
        ),
        (
            ["aws-native:config:AutoNaming", "aws-native:index:ProviderAutoNaming"],
            "How names of resources are generated.",
            auto_naming,
        ),
    ];
    let mut types = Vec::with_capacity(2 * pairs.len());
    for (tokens, description, mut members) in pairs {
        // Meant for the provider's types alone, but published on both.
        members.iter_mut().for_each(|(_, property)| property.extras_mut().python_map_case = Some(false));
        types.extend(tokens.map(|token| object(token, description, members.clone())));
    }
    types
}

fn region_enum(regions: &[Region]) -> EnumType {
    let mut values: Vec<_> = regions
        .iter()
        .map(|region| EnumValue {
            description: Some(region.description.clone()),
            name: region.name.split('-').map(capitalized).collect(),
            value: region.name.clone(),
        })
        .collect();
    values.sort_by(|a, b| a.name.cmp(&b.name));
    EnumType { description: Some(Text::from("A region of AWS.")), values }
}

fn capitalized(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_named_by_their_sections() {
        let region = |name: &str| Region { name: name.to_owned(), description: String::new() };
        let regions = region_enum(&[region("us-gov-west-1"), region("eusc-de-east-1")]);
        let names: Vec<_> = regions.values.iter().map(|value| value.name.as_str()).collect();
        assert_eq!(names, ["EuscDeEast1", "UsGovWest1"]);
    }
}
