//! Enum types: names of the types, and what several places with one name publish. Names of members are in [`members`].

mod members;

use self::members::{Locked, members, rules_beside_lock};
use super::{Registered, TypeBuilder, Typed};
use crate::error::LowerError;
use crate::package::{EnumType, EnumValue, Text, Token, TypeDefinition, TypeSpec};
use crate::text;
use crate::trace::rules::Rule;
use cfn::Node;
use cfn::naming::lower_acronyms;
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
    pub(super) fn enumeration(&mut self, parent: &str, node: &Node) -> Result<Typed, LowerError> {
        let (name, rule) = self.enum_name(parent);
        self.check_name(&name, None)?;
        self.note(rule);
        let token = self.token(&name);
        let mut texts: Vec<String> = node.enumeration.iter().map(value_text).collect();
        for (_, value, _) in MISSING_VALUES.iter().filter(|(of, ..)| *of == &*token) {
            if !texts.iter().any(|text| text == value) {
                texts.push((*value).to_owned());
            }
        }
        let description = text::shared(node.description.as_deref());
        let token = self.register_enum(&name, token, &texts, description);
        Ok(Typed::new(TypeSpec::Ref(token), model::Type::Enum(texts)))
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

    /// Registers under the locked token, or else under `wanted`, which is the token of `name`, or the next free one where
    /// another enum has that with other members or it is another resource's.
    fn register_enum(&mut self, name: &str, wanted: Token, texts: &[String], description: Option<Text>) -> Token {
        let first_only = publishes_first_only(&wanted);
        let own = self.resolver.enums(self.names, name);
        let (rules, (token, definition)) = match own.as_slice() {
            [] => {
                let members = members(texts, first_only, &Locked::default());
                let definition = EnumType { description, values: members.values };
                (members.rules, self.unlocked_enum(name, &wanted, definition))
            }
            [first, others @ ..] => {
                let own = match others {
                    [] => first,
                    _ => self.most_alike(&own, &members(texts, first_only, &Locked::default()).values).unwrap_or(first),
                };
                let token = if *own == name { wanted.clone() } else { self.token(own) };
                let locked = self.resolver.members(&self.names.module, own).collect();
                let members = members(texts, first_only, &locked);
                let rules = match &self.trace {
                    Some(_) => rules_beside_lock(texts, first_only, &members),
                    None => Vec::new(),
                };
                let definition = EnumType { description, values: members.values };
                let definition = match self.lookup(&token) {
                    Some(TypeDefinition::Enum(taken)) => together(&token, taken, definition),
                    Some(TypeDefinition::Object(_)) | None => definition,
                };
                (rules, (token, definition))
            }
        };
        self.claim(&wanted, &token, Rule::EnumNameTaken);
        let definition = TypeDefinition::Enum(definition);
        self.registered.insert(token.clone(), Registered { definition, inline: false });
        self.trace_registered(&token);
        self.trace_values(rules);
        token
    }

    /// The published rule for an enum that the lock does not know, which leaves what the lock has alone.
    fn unlocked_enum(&self, name: &str, wanted: &Token, mut definition: EnumType) -> (Token, EnumType) {
        let (mut candidate, mut token) = (name.to_owned(), wanted.clone());
        let mut number = 1;
        loop {
            if !self.resolver.is_locked(&self.names.module, &candidate) {
                match self.lookup(&token) {
                    None => break,
                    Some(TypeDefinition::Enum(taken)) if same_members(&taken.values, &definition.values) => break,
                    Some(TypeDefinition::Enum(taken)) if publishes_longer_list(&token) => {
                        definition = longer(taken, definition);
                        break;
                    }
                    Some(TypeDefinition::Enum(_) | TypeDefinition::Object(_)) => {}
                }
            }
            candidate = match number {
                1 => format!("{name}Enum"),
                more => format!("{name}Enum{more}"),
            };
            token = self.token(&candidate);
            number += 1;
        }
        (token, definition)
    }

    /// Of several enums that the resource has under one wanted name, the one with the same members, or else with most of
    /// them; the first by name of those that are equally alike.
    fn most_alike<'l>(&self, own: &'l [&'l str], values: &[EnumValue]) -> Option<&'l &'l str> {
        let names: HashSet<&str> = values.iter().map(|value| value.name.as_str()).collect();
        let likeness = |own: &str| {
            let live = self.resolver.members(&self.names.module, own).filter(|(_, member)| !member.gone);
            let live: HashSet<&str> = live.map(|(_, member)| member.text.as_str()).collect();
            (live == names, live.intersection(&names).count())
        };
        own.iter().rev().max_by_key(|own| likeness(own))
    }
}

fn publishes_longer_list(token: &str) -> bool {
    LONGER_LIST.iter().any(|(of, _)| *of == token)
}

fn longer(taken: &EnumType, definition: EnumType) -> EnumType {
    if taken.values.len() > definition.values.len() { taken.clone() } else { definition }
}

/// What is published where several resources have one locked enum. None of them ever moves, so where their lists differ
/// it has the values of all.
fn together(token: &str, taken: &EnumType, definition: EnumType) -> EnumType {
    if same_members(&taken.values, &definition.values) {
        return definition;
    }
    if publishes_longer_list(token) {
        return longer(taken, definition);
    }
    let of_both = definition.values.iter().map(|value| value.name.as_str()).collect::<HashSet<_>>();
    let mut values: Vec<EnumValue> = Vec::with_capacity(taken.values.len());
    values.extend(taken.values.iter().filter(|value| !of_both.contains(value.name.as_str())).cloned());
    values.extend(definition.values);
    EnumType { description: definition.description, values }
}

fn publishes_first_only(token: &str) -> bool {
    FIRST_ONLY.iter().any(|(module, name)| token.strip_prefix("aws-native:") == Some(&format!("{module}:{name}")))
}

/// A value of an enum as text; one that is none as JSON writes it.
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn same_members(a: &[EnumValue], b: &[EnumValue]) -> bool {
    fn names(of: &[EnumValue]) -> HashSet<&str> {
        of.iter().map(|value| value.name.as_str()).collect()
    }
    a.len() == b.len() && names(a) == names(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_published_enums_keep_the_first_of_equal_names() {
        assert!(publishes_first_only("aws-native:s3:BucketTransitionStorageClass"));
        assert!(!publishes_first_only("aws-native:zoo:BucketTransitionStorageClass"));
    }
}
