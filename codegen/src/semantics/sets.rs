//! `sets.yaml`: lists of identities, whose order and duplicates carry no meaning although the schema does not say so.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::yaml::Located;

/// Which lists of texts are sets.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRules {
    /// Rules by the property's name.
    pub rules: Vec<Located<SetRule>>,
    /// Lists that a rule would take for sets.
    #[serde(default)]
    pub exceptions: Vec<Located<SetException>>,
}

/// Lists of texts that are called so are sets, at any depth.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRule {
    /// CloudFormation names of properties, exactly.
    pub names: Vec<Located<String>>,
    /// Why order means nothing.
    pub reason: String,
    /// Where that can be looked up.
    pub link: String,
}

/// A list that is none although it is called like one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetException {
    /// CloudFormation type name.
    #[serde(rename = "type")]
    pub cfn_type: String,
    /// CloudFormation names down to the list, joined by `/`, with `*` for the elements of a list.
    pub path: String,
    /// What its order means.
    pub reason: String,
    /// Where that can be looked up.
    pub link: String,
}

impl SetRules {
    /// The rule, and the name within it, that takes a list at `path` for a set.
    pub(crate) fn rule(&self, path: &str) -> Option<(usize, usize)> {
        let name = path.rsplit('/').find(|segment| *segment != "*")?;
        self.rules.iter().enumerate().find_map(|(index, rule)| {
            let position = rule.value.names.iter().position(|known| known.value == name)?;
            Some((index, position))
        })
    }

    /// The exception for that list.
    pub(crate) fn exception(&self, cfn_type: &str, path: &str) -> Option<usize> {
        let is_it =
            |exception: &Located<SetException>| exception.value.cfn_type == cfn_type && exception.value.path == path;
        self.exceptions.iter().position(is_it)
    }
}
