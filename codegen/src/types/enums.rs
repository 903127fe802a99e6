//! Enum types: names of the types and of their members.

use super::{Registered, TypeBuilder, Typed};
use crate::error::LowerError;
use crate::names::Member;
use crate::package::{EnumType, EnumValue, Text, Token, TypeDefinition, TypeSpec};
use crate::text;
use crate::trace::rules::Rule;
use cfn::Node;
use cfn::naming::{enum_member, lower_acronyms};
use metadata::model;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

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

/// The locked members of an enum by value.
type Locked<'l> = BTreeMap<&'l str, &'l Member>;

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

/// The members of an enum.
struct Members<'t> {
    values: Vec<EnumValue>,
    /// By which rule each value has its name.
    rules: Vec<(&'t str, Rule)>,
}

/// Named values in order, each value once. A locked value keeps its name. Of other values with one name the first has it,
/// and the rest take the next free number; where published SDKs have the enum without those, they stay left out.
fn members<'t>(values: &'t [String], publishes_first_only: bool, locked: &Locked<'_>) -> Members<'t> {
    let mut known = HashSet::new();
    let values: Vec<&str> = values.iter().map(String::as_str).filter(|value| known.insert(*value)).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut names: Vec<Option<(String, Rule)>> = vec![None; values.len()];
    // What is published comes before what returns.
    for gone in [false, true] {
        for (name, value) in names.iter_mut().zip(&values) {
            let own = locked.get(value).filter(|member| member.gone == gone).map(|member| &member.text);
            let own = own.filter(|own| taken.insert((*own).clone()));
            *name = name.take().or_else(|| own.map(|own| (own.clone(), Rule::NameLocked)));
        }
    }
    taken.extend(locked.iter().filter(|(value, member)| is_reserved(value, member)).map(|(_, of)| of.text.clone()));
    // Plain names come first, so that a number never takes the name of another value.
    for (name, value) in names.iter_mut().zip(&values) {
        *name = name.take().or_else(|| Some(member_name(value)).filter(|(plain, _)| taken.insert(plain.clone())));
    }
    taken.extend(locked.values().map(|member| member.text.clone()));
    let mut members = Members { values: Vec::with_capacity(values.len()), rules: Vec::with_capacity(values.len()) };
    let mut next: HashMap<String, usize> = HashMap::new();
    for (name, value) in names.into_iter().zip(values) {
        let (name, rule) = match name {
            Some(name) => name,
            None if publishes_first_only => continue,
            None => (numbered(member_name(value).0, &mut next, &mut taken), Rule::MemberNumbered),
        };
        members.rules.push((value, rule));
        members.values.push(EnumValue { description: None, name, value: value.to_owned() });
    }
    members
}

/// By which rule each value has its locked name: the one that gives it without the lock as well, or else the lock.
fn rules_beside_lock<'t>(
    texts: &'t [String],
    publishes_first_only: bool,
    locked: &Members<'t>,
) -> Vec<(&'t str, Rule)> {
    let free = members(texts, publishes_first_only, &Locked::default());
    let names = free.values.iter().map(|value| value.name.as_str());
    let free: BTreeMap<&str, (&str, Rule)> =
        free.rules.iter().zip(names).map(|((value, rule), name)| (*value, (name, *rule))).collect();
    let named = locked.rules.iter().zip(&locked.values);
    let rule = |(value, found): (&(&'t str, Rule), &EnumValue)| match free.get(value.0) {
        Some((name, rule)) if *name == found.name => (value.0, *rule),
        _ => (value.0, Rule::NameLocked),
    };
    named.map(rule).collect()
}

/// Whether no other value may take the name of a locked one: it has gone, or the name does not follow from the value.
/// The plain name of a value that is absent from a list goes to another spelling of it, as published.
fn is_reserved(value: &str, member: &Member) -> bool {
    member.gone || member.text != member_name(value).0
}

/// The name of one value that no other value competes for, with the rule that gives it.
fn member_name(value: &str) -> (String, Rule) {
    let name = enum_member(value);
    match name.as_str() {
        "" if value.is_empty() => ("Empty".to_owned(), Rule::MemberEmpty),
        // SDK generators know a name for it, and published SDKs have that one.
        "" if value == "*" => (name, Rule::MemberStar),
        // No character of the value can stand in a name; its code points can.
        "" => {
            let code_points = value.chars().map(|character| format!("U{:04X}", u32::from(character))).collect();
            (code_points, Rule::MemberCodePoints)
        }
        // Go has wrapper types of these names for every enum.
        "Input" | "Output" => (format!("{name}Type"), Rule::MemberWrapper),
        _ => (name, Rule::MemberWords),
    }
}

/// The name with the next free number behind it; `next` has the number that comes next by name, all before it are taken.
fn numbered(name: String, next: &mut HashMap<String, usize>, taken: &mut HashSet<String>) -> String {
    let number = next.entry(name.clone()).or_insert(2);
    loop {
        let candidate = format!("{name}{number}");
        *number += 1;
        if taken.insert(candidate.clone()) {
            return candidate;
        }
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

    #[test]
    fn locked_values_keep_their_names() {
        for (values, locked, expected) in [
            // The name that a number gave stays when the value comes first now.
            (&["A", "a"][..], &[("a", "A", false), ("A", "A2", false)][..], &[("A2", "A"), ("A", "a")][..]),
            // A newcomer before them takes a number of its own.
            (
                &["á", "-a", "A", "a"],
                &[("a", "A", false), ("A", "A2", false)],
                &[("U00E1", "á"), ("A3", "-a"), ("A2", "A"), ("A", "a")],
            ),
            // What has gone keeps its name, also while it is away, and gets it back.
            (&["A"], &[("a", "A", true)], &[("A2", "A")]),
            (&["a", "A"], &[("a", "A", true)], &[("A", "a"), ("A2", "A")]),
            (&["b"], &[("a", "A", false), ("A", "A2", false)], &[("B", "b")]),
            (&["a2"], &[("a", "A", false), ("A", "A2", false)], &[("A22", "a2")]),
            // Another spelling of an absent value has the name, as published.
            (&["A"], &[("a", "A", false)], &[("A", "A")]),
            // Both spellings had it one after the other.
            (&["a", "A"], &[("a", "A", true), ("A", "A", false)], &[("A2", "a"), ("A", "A")]),
        ] {
            let locked: Vec<(&str, Member)> = locked
                .iter()
                .map(|(value, text, gone)| (*value, Member { text: (*text).to_owned(), gone: *gone }))
                .collect();
            let locked = locked.iter().map(|(value, member)| (*value, member)).collect();
            check_locked(values, false, &locked, expected);
        }
    }

    #[track_caller]
    fn check(values: &[&str], publishes_first_only: bool, expected: &[(&str, &str)]) {
        check_locked(values, publishes_first_only, &Locked::default(), expected);
    }

    #[track_caller]
    fn check_locked(values: &[&str], publishes_first_only: bool, locked: &Locked<'_>, expected: &[(&str, &str)]) {
        let texts: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        let members = members(&texts, publishes_first_only, locked);
        let found: Vec<_> = members.values.iter().map(|member| (member.name.as_str(), member.value.as_str())).collect();
        assert_eq!(found, expected, "{values:?}");
    }
}
