//! Enum types: names of the types and of their members.

use super::{Registered, TypeBuilder, Typed};
use crate::package::{EnumType, EnumValue, Token, TypeDefinition, TypeSpec};
use crate::text;
use crate::trace::rules::Rule;
use cfn::Node;
use cfn::naming::{enum_member, lower_acronyms};
use metadata::model;
use serde_json::Value;
use std::collections::HashSet;

/// Type names that were taken when the type came into being. Columns: module, type name, published name, reason.
const TYPE_NAMES: &[(&str, &str, &str, &str)] = &[
    ("networkfirewall", "RuleGroupType", "RuleGroupTypeEnum", "RuleGroupType was the class of another property"),
    (
        "securityagent",
        "IntegrationProvider",
        "IntegrationProviderEnum",
        "the Go SDK has a wrapper IntegrationProviderInput for the enum, which is a definition's name already",
    ),
];

/// The same, decided by CloudFormation type and the name under construction.
const TYPE_NAMES_BY_TYPE: &[(&str, &str, &str, &str)] = &[
    (
        "AWS::QBusiness::Index",
        "Status",
        "QBusinessIndexStatus",
        "IndexStatus would collide with the definition of that name",
    ),
    (
        "AWS::ARCZonalShift::AutoshiftObserverNotificationStatus",
        "AutoshiftObserverNotificationStatus",
        "AutoshiftObserverNotificationStatusEnum",
        "the resource has the same name",
    ),
];

/// Values that a service knows and its schema does not. Columns: token, value, reason.
const MISSING_VALUES: &[(&str, &str, &str)] = &[(
    "aws-native:efs:FileSystemProtectionReplicationOverwriteProtection",
    "REPLICATING",
    "the service returns it, and published SDKs have it",
)];

/// Enums that two resources share with different lists, of which the longer one is published. Columns: token, reason.
const LONGER_LIST: &[(&str, &str)] =
    &[("aws-native:mediaconnect:FlowSourceProtocol", "the list of FlowSource is behind that of Flow")];

/// Enums of published SDKs that lack the values whose name an earlier value has. Columns: module, type name.
const FIRST_ONLY: &[(&str, &str)] = &[
    ("ec2", "Ec2FleetSpotOptionsRequestAllocationStrategy"),
    ("ec2", "SpotFleetRequestConfigDataExcessCapacityTerminationPolicy"),
    ("eks", "NodegroupCapacityType"),
    ("s3", "BucketNoncurrentVersionTransitionStorageClass"),
    ("s3", "BucketTransitionStorageClass"),
    ("ses", "ConfigurationSetEventDestinationDimensionConfigurationDimensionValueSource"),
];

impl TypeBuilder<'_> {
    /// The enum type of a node with string values.
    pub(super) fn enumeration(&mut self, parent: &str, node: &Node) -> Typed {
        let (name, rule) = self.enum_name(parent);
        self.note(rule);
        let token = self.token(&name);
        let mut texts: Vec<String> = node.enumeration.iter().map(value_text).collect();
        for (_, value, _) in MISSING_VALUES.iter().filter(|(of, ..)| *of == &*token) {
            if !texts.iter().any(|text| text == value) {
                texts.push((*value).to_owned());
            }
        }
        let view = model::Type::Enum(texts.clone());
        let definition = EnumType {
            description: text::shared(node.description.as_deref()),
            values: members(texts, publishes_first_only(&token)),
        };
        let token = self.register_enum(token, definition);
        Typed::new(TypeSpec::Ref(token), view)
    }

    /// The name of an enum type, with the rule that gave it.
    fn enum_name(&self, parent: &str) -> (String, Rule) {
        let type_name = self.schema.type_name.as_str();
        let by_type = TYPE_NAMES_BY_TYPE.iter().find(|(of, name, ..)| *of == type_name && *name == parent);
        if let Some((_, _, name, _)) = by_type {
            return ((*name).to_owned(), Rule::EnumException);
        }
        let resource = self.names.resource.as_str();
        let (name, rule) = if parent.starts_with(resource) {
            (lower_acronyms(parent).into_owned(), Rule::EnumHasPrefix)
        } else {
            // The joined name keeps its capitals: LocationS3 and S3StorageClass make LocationS3S3StorageClass.
            (format!("{resource}{parent}"), Rule::EnumPrefixed)
        };
        let by_module = TYPE_NAMES.iter().find(|(module, of, ..)| *module == self.names.module && *of == name);
        by_module.map_or((name, rule), |(_, _, name, _)| ((*name).to_owned(), Rule::EnumOfModule))
    }

    /// Registers under `token`, or under the next free name where another enum has the token with other members.
    fn register_enum(&mut self, token: Token, mut definition: EnumType) -> Token {
        let mut candidate = token.clone();
        let mut number = 1;
        while let Some(taken) = self.lookup(&candidate) {
            match taken {
                TypeDefinition::Enum(taken) if same_members(taken, &definition) => break,
                TypeDefinition::Enum(taken) if LONGER_LIST.iter().any(|(of, _)| *of == &*candidate) => {
                    if taken.values.len() > definition.values.len() {
                        definition = taken.clone();
                    }
                    break;
                }
                TypeDefinition::Enum(_) | TypeDefinition::Object(_) => {}
            }
            candidate = match number {
                1 => Token::from(format!("{token}Enum")),
                more => Token::from(format!("{token}Enum{more}")),
            };
            number += 1;
        }
        if candidate != token {
            self.renamed.push((token.to_string(), candidate.to_string()));
            self.note(Rule::EnumNameTaken);
        }
        let definition = TypeDefinition::Enum(definition);
        self.registered.insert(candidate.clone(), Registered { definition, inline: false });
        self.trace_registered(&candidate);
        candidate
    }
}

fn publishes_first_only(token: &str) -> bool {
    FIRST_ONLY.iter().any(|(module, name)| token.strip_prefix("aws-native:") == Some(&format!("{module}:{name}")))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn same_members(a: &EnumType, b: &EnumType) -> bool {
    let names = |of: &EnumType| of.values.iter().map(|value| value.name.clone()).collect::<HashSet<_>>();
    a.values.len() == b.values.len() && names(a) == names(b)
}

/// Named values in order, each value once. Of values with one name the first has it, and the others take the next free
/// number; where published SDKs have the enum without those others, they stay left out.
fn members(values: Vec<String>, publishes_first_only: bool) -> Vec<EnumValue> {
    let mut known = HashSet::new();
    let values: Vec<String> = values.into_iter().filter(|value| known.insert(value.clone())).collect();
    let mut taken = HashSet::new();
    // Plain names come first, so that a number never takes the name of another value.
    let plain: Vec<(String, bool)> = values
        .iter()
        .map(|value| {
            let name = member_name(value);
            let is_free = taken.insert(name.clone());
            (name, is_free)
        })
        .collect();
    let mut members = Vec::with_capacity(values.len());
    for ((mut name, is_free), value) in plain.into_iter().zip(values) {
        if !is_free {
            if publishes_first_only {
                continue;
            }
            name = numbered(&name, &mut taken);
        }
        members.push(EnumValue { description: None, name, value });
    }
    members
}

/// The name of one value that no other value competes for.
fn member_name(value: &str) -> String {
    let name = enum_member(value);
    match name.as_str() {
        "" if value.is_empty() => "Empty".to_owned(),
        // SDK generators know a name for it, and published SDKs have that one.
        "" if value == "*" => name,
        // No character of the value can stand in a name; its code points can.
        "" => value.chars().map(|character| format!("U{:04X}", u32::from(character))).collect(),
        // Go has wrapper types of these names for every enum.
        "Input" | "Output" => format!("{name}Type"),
        _ => name,
    }
}

fn numbered(name: &str, taken: &mut HashSet<String>) -> String {
    let mut number = 2;
    loop {
        let candidate = format!("{name}{number}");
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_distinct_names() {
        for (values, expected) in [
            (
                &["OMNI_VORE", "omni-vore", "HERBIVORE", "omniVore"][..],
                &[
                    ("OmniVore", "OMNI_VORE"),
                    ("OmniVore2", "omni-vore"),
                    ("Herbivore", "HERBIVORE"),
                    ("OmniVore3", "omniVore"),
                ][..],
            ),
            // A number never takes the name of a value that has it by itself.
            (&["a", "A", "a2"], &[("A", "a"), ("A3", "A"), ("A2", "a2")]),
            (&["a", "a"], &[("A", "a")]),
            (&["--", "ö"], &[("U002DU002D", "--"), ("U00F6", "ö")]),
            (
                &["Input", "InputAndOutput", "OUTPUT"],
                &[("InputType", "Input"), ("InputAndOutput", "InputAndOutput"), ("OutputType", "OUTPUT")],
            ),
            (&["", "A"], &[("Empty", ""), ("A", "A")]),
            (&["GET", "*"], &[("Get", "GET"), ("", "*")]),
        ] {
            check(values, false, expected);
        }
    }

    #[test]
    fn published_enums_keep_the_first_of_equal_names() {
        check(&["GLACIER", "Glacier", "x"], true, &[("Glacier", "GLACIER"), ("X", "x")]);
        assert!(publishes_first_only("aws-native:s3:BucketTransitionStorageClass"));
        assert!(!publishes_first_only("aws-native:zoo:BucketTransitionStorageClass"));
    }

    #[track_caller]
    fn check(values: &[&str], publishes_first_only: bool, expected: &[(&str, &str)]) {
        let members = members(values.iter().map(|value| (*value).to_owned()).collect(), publishes_first_only);
        let found: Vec<_> = members.iter().map(|member| (member.name.as_str(), member.value.as_str())).collect();
        assert_eq!(found, expected, "{values:?}");
    }
}
