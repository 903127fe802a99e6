//! The form of a namespace file: what is known about a service and its types beyond the schemas.
//!
//! Every entry of a type rests on a public observation, named in `reason` and, where there is a page, in `link`. Unknown
//! keys are errors.

#![allow(dead_code, reason = "reasons and links are for those who read the files")]

use super::template::Template;
use crate::options::Detail;
use schemars::JsonSchema;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What is known about one service.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ServiceFacts {
    /// The second part of the type names.
    pub(crate) namespace: String,
    /// The service segment of ARNs; the namespace in lower case without it.
    pub(crate) arn: Option<String>,
    /// How the service spells names that it makes.
    #[serde(default)]
    pub(crate) names: Names,
    /// Whether resources exist once per account and ARNs carry no region.
    #[serde(default)]
    pub(crate) global: bool,
    #[serde(default)]
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) link: Option<String>,
    #[serde(default)]
    pub(crate) ids: Ids,
    /// Values that the service makes for any of its types, by the name of the property.
    #[serde(default)]
    pub(crate) values: BTreeMap<String, ValueRule>,
    /// The ARN of a resource by the last part of its type name, as the service authorization reference prints it:
    /// placeholders other than partition, region and account are that page's words for a name or an id.
    #[serde(default)]
    pub(crate) arns: BTreeMap<String, Template>,
    /// By the last part of the type name.
    #[serde(default, deserialize_with = "shared")]
    #[schemars(with = "BTreeMap<String, TypeFacts>")]
    pub(crate) types: BTreeMap<String, Arc<TypeFacts>>,
}

fn shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Arc<TypeFacts>>, D::Error> {
    let types = BTreeMap::<String, TypeFacts>::deserialize(deserializer)?;
    Ok(types.into_iter().map(|(kind, facts)| (kind, Arc::new(facts))).collect())
}

/// How a service spells names that it makes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Names {
    /// Any case.
    #[default]
    Mixed,
    Lower,
}

/// Prefixes of ids that are followed by seventeen hexadecimal digits.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ids {
    #[serde(default)]
    pub(crate) reason: Option<String>,
    /// By the name of the property.
    #[serde(default)]
    pub(crate) properties: BTreeMap<String, String>,
    /// By the last part of the type name.
    #[serde(default)]
    pub(crate) types: BTreeMap<String, String>,
}

/// What is known about one type.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct TypeFacts {
    pub(crate) reason: Option<String>,
    pub(crate) link: Option<String>,
    /// Values that the service makes, by pointer.
    pub(crate) values: BTreeMap<String, ValueRule>,
    /// Values that the service fills in where the caller gave none.
    pub(crate) defaults: Vec<DefaultRule>,
    /// Forms in which the service keeps what it is given.
    pub(crate) normalize: Vec<Normalize>,
    pub(crate) latency: Latencies,
    /// What lists show.
    pub(crate) list: Option<Detail>,
    /// What events show.
    pub(crate) event: Option<Detail>,
    /// Pointers of values that the service takes and does not keep.
    pub(crate) drops: Vec<String>,
    /// Whether a resource exists once per account, whatever its service does.
    pub(crate) global: bool,
    /// Whether names are unique over all accounts and regions.
    pub(crate) everywhere: bool,
    /// What forbids a delete.
    pub(crate) protection: Vec<Protection>,
    /// Properties that can be changed under conditions only.
    pub(crate) conditional: Vec<ConditionalChange>,
    /// Inputs of lists that are no properties, with the property that each stands for.
    pub(crate) list_inputs: BTreeMap<String, String>,
    /// Whether an update with an empty list of tags fails.
    pub(crate) refuses_empty_tags: bool,
    /// Types of resources that go with this one.
    pub(crate) deletes_with: Vec<String>,
    /// Properties that name another resource by a bare identifier.
    pub(crate) plain_identifiers: Vec<String>,
}

/// What a value that the service makes looks like: one template, or several of which the first that applies is used.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum ValueRule {
    One(Template),
    Cases(Vec<ValueCase>),
}

/// One of several templates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValueCase {
    pub(crate) value: Template,
    /// Under which condition; always without it.
    #[serde(default)]
    pub(crate) when: Option<When>,
}

impl<'de> Deserialize<'de> for ValueRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ValueRule, D::Error> {
        deserializer.deserialize_any(ValueRuleVisitor)
    }
}

struct ValueRuleVisitor;

impl<'de> Visitor<'de> for ValueRuleVisitor {
    type Value = ValueRule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a template or a list of templates with conditions")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ValueRule, E> {
        Template::parse(text).map(ValueRule::One).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ValueRule, A::Error> {
        let mut cases = Vec::new();
        while let Some(case) = items.next_element()? {
            cases.push(case);
        }
        Ok(ValueRule::Cases(cases))
    }
}

/// A value that the service fills in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DefaultRule {
    pub(crate) path: String,
    pub(crate) value: Value,
    /// Under which condition; always without it.
    #[serde(default)]
    pub(crate) when: Option<When>,
    #[serde(default)]
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) link: Option<String>,
}

/// A condition on another property; one of the three is given.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) is: Option<Value>,
    #[serde(default)]
    pub(crate) absent: bool,
    #[serde(default)]
    pub(crate) present: bool,
}

/// The form in which the service keeps a value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Normalize {
    pub(crate) path: String,
    pub(crate) to: Form,
}

/// A form of a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    Lower,
    Upper,
    NoTrailingSlash,
    NoTrailingDot,
    TrailingDot,
    JsonObject,
    JsonText,
    Text,
    /// A bare name becomes an ARN; `{value}` in the template is the name.
    Arn(Template),
    /// A key's id, or an alias, becomes the ARN of the key.
    KeyArn,
}

/// How long operations take, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Latencies {
    /// Creates.
    pub create: Option<Class>,
    /// Updates.
    pub update: Option<Class>,
    /// Deletes.
    pub delete: Option<Class>,
}

/// A class of durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No time.
    Instant,
    /// 0.2 to 1 second.
    Fast,
    /// 1 to 5 seconds.
    Normal,
    /// 10 to 60 seconds.
    Slow,
    /// 5 to 30 minutes.
    Glacial,
}

/// A value that forbids a delete.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Protection {
    pub(crate) property: String,
    pub(crate) is: Value,
}

/// A property that can be changed under a condition only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionalChange {
    pub(crate) path: String,
    pub(crate) rule: ChangeRule,
}

/// Which changes are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChangeRule {
    Never,
    NeverDecreases,
    NeverIncreases,
}

/// What holds for every type.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommonFacts {
    pub(crate) reason: String,
    pub(crate) protection: Vec<Protection>,
    /// Values of other services' resources, by the name of the property.
    pub(crate) values: BTreeMap<String, ValueRule>,
}
