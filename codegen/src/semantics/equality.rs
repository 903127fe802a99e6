//! `equality.yaml`: where two values that differ mean the same to the service.

use cfn::Node;
use cfn::schema::JsonType;
use metadata::model::EqualityHint;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::yaml::Located;

/// Inputs that are compared in a special way.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EqualityRule {
    /// How.
    pub hint: Hint,
    /// CloudFormation names of properties, exactly: whatever is called so at any depth, where the hint fits its type.
    #[serde(default)]
    pub names: Vec<Located<String>>,
    /// Single properties.
    #[serde(default)]
    pub paths: Vec<Located<TypePath>>,
    /// What the service does.
    pub reason: String,
    /// Where that can be looked up.
    pub link: String,
}

/// A property of one type.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypePath {
    /// CloudFormation type name.
    #[serde(rename = "type")]
    pub cfn_type: String,
    /// CloudFormation names down to the property, joined by `/`, with `*` for the elements of a list.
    pub path: String,
}

/// Why two different values may mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hint {
    /// The service takes a name or id and returns the ARN that ends in it, or the other way round.
    ArnOrId,
    /// Capitals do not count.
    CaseInsensitive,
    /// The text is a JSON document: its layout and the order of its members do not count.
    JsonDocument,
    /// An IAM policy document: order within it does not count, and one value is a list of that value.
    PolicyDocument,
    /// A dot at the end of a domain name does not count.
    TrailingDot,
    /// The service returns a number as text or the other way round.
    NumberAsText,
    /// The service completes a version: `8.0` stands for `8.0.35`.
    VersionPrefix,
}

impl Hint {
    /// As the metadata has it.
    pub(crate) fn model(self) -> EqualityHint {
        match self {
            Self::ArnOrId => EqualityHint::ArnOrId,
            Self::CaseInsensitive => EqualityHint::CaseInsensitive,
            Self::JsonDocument => EqualityHint::JsonDocument,
            Self::PolicyDocument => EqualityHint::PolicyDocument,
            Self::TrailingDot => EqualityHint::TrailingDot,
            Self::NumberAsText => EqualityHint::NumberAsText,
            Self::VersionPrefix => EqualityHint::VersionPrefix,
        }
    }

    /// Whether it can be about values of this schema.
    pub(crate) fn fits(self, node: &Node) -> bool {
        let has = |ty| node.types.contains(ty);
        match self {
            Self::ArnOrId | Self::CaseInsensitive | Self::TrailingDot | Self::VersionPrefix => has(JsonType::String),
            Self::JsonDocument | Self::PolicyDocument => {
                has(JsonType::String) || has(JsonType::Object) || node.types.is_empty()
            }
            Self::NumberAsText => has(JsonType::String) || has(JsonType::Number) || has(JsonType::Integer),
        }
    }
}

/// The hint for a property of a type: rule, position of the name or path within it, and the hint. Single properties come
/// before names.
pub(crate) fn rule(rules: &[Located<EqualityRule>], cfn_type: &str, path: &str) -> Option<(usize, usize, Hint)> {
    let is_it = |one: &Located<TypePath>| one.value.cfn_type == cfn_type && one.value.path == path;
    let single = rules.iter().enumerate().find_map(|(index, rule)| {
        let position = rule.value.paths.iter().position(is_it)?;
        Some((index, rule.value.names.len() + position, rule.value.hint))
    });
    let name = path.rsplit('/').find(|segment| *segment != "*").unwrap_or_default();
    single.or_else(|| {
        rules.iter().enumerate().find_map(|(index, rule)| {
            let position = rule.value.names.iter().position(|known| known.value == name)?;
            Some((index, position, rule.value.hint))
        })
    })
}
