//! How to import a resource: the form of its identifier.

use cfn::{PropertyPath, ResourceSchema};

use super::describe::first_sentence;

/// The section `Import` of a resource's description; `None` for a type without an identifier.
pub(crate) fn section(schema: &ResourceSchema, token: &str) -> Option<String> {
    let parts: Vec<(&str, &PropertyPath)> =
        schema.primary_identifier.iter().map(|path| (part_name(path), path)).collect();
    let names = parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("|");
    let lead = match parts.as_slice() {
        [] => return None,
        [_] => "The identifier is:",
        _ => "The identifier has these parts, in this order, with `|` between them:",
    };
    let list: Vec<String> = parts.iter().map(|(name, path)| item(schema, name, path)).collect();
    Some(format!(
        "## Import\n\n```sh\n$ pulumi import {token} example \"{names}\"\n```\n\n{lead}\n\n{}",
        list.join("\n")
    ))
}

/// The CloudFormation name that a part of an identifier has.
fn part_name(path: &PropertyPath) -> &str {
    path.segments().iter().rev().find_map(|segment| segment.name()).unwrap_or_else(|| path.stripped())
}

fn item(schema: &ResourceSchema, name: &str, path: &PropertyPath) -> String {
    let description = schema.nodes_at(path).first().and_then(|node| node.description.as_deref());
    match description {
        Some(text) => format!("- `{name}`: {}", first_sentence(text)),
        None => format!("- `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::{Value, json};

    use super::*;

    fn import(type_name: &str, token: &str, identifier: &[&str]) -> String {
        let properties: serde_json::Map<String, Value> = identifier
            .iter()
            .map(|name| {
                ((*name).to_owned(), json!({"type": "string", "description": format!("The {name}. It is long.")}))
            })
            .collect();
        let pointers: Vec<String> = identifier.iter().map(|name| format!("/properties/{name}")).collect();
        let schema = json!({"typeName": type_name, "properties": properties, "primaryIdentifier": pointers});
        section(&ResourceSchema::from_value(schema).unwrap(), token).unwrap_or_default()
    }

    #[test]
    fn c66_docs_show_the_form_of_the_identifier() {
        for (type_name, token, identifier, expected) in [
            (
                "AWS::QuickSight::DataSet",
                "aws-native:quicksight:DataSet",
                &["AwsAccountId", "DataSetId"][..],
                "AwsAccountId|DataSetId",
            ),
            ("AWS::WAFv2::WebACL", "aws-native:wafv2:WebAcl", &["Name", "Id", "Scope"], "Name|Id|Scope"),
            (
                "AWS::SageMaker::App",
                "aws-native:sagemaker:App",
                &["AppName", "AppType", "DomainId", "UserProfileName"],
                "AppName|AppType|DomainId|UserProfileName",
            ),
            ("AWS::ECS::Service", "aws-native:ecs:Service", &["ServiceArn", "Cluster"], "ServiceArn|Cluster"),
        ] {
            let text = import(type_name, token, identifier);
            let command = format!("```sh\n$ pulumi import {token} example \"{expected}\"\n```\n");
            assert!(text.starts_with(&format!("## Import\n\n{command}")), "{text}");
            let items: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
            let named: Vec<String> = identifier.iter().map(|name| format!("- `{name}`: The {name}.")).collect();
            assert_eq!(items, named);
        }
        assert_eq!(import("AWS::Zoo::Cage", "aws-native:zoo:Cage", &[]), "");
    }
}
