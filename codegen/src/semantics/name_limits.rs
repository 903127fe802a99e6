//! `name-limits.yaml`: real limits of names where the schema is silent or wrong.

use metadata::model::{self, AutoName};
use schemars::JsonSchema;
use serde::Deserialize;

/// The limits of one type's names. What is left out is as the schema says.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NameLimit {
    /// CloudFormation type name.
    #[serde(rename = "type")]
    pub cfn_type: String,
    /// CloudFormation name of the property that gets a generated name.
    pub property: String,
    /// Shortest allowed name, in characters.
    pub min: Option<u32>,
    /// Longest allowed name, in characters.
    pub max: Option<u32>,
    /// `lower` where the service refuses capitals.
    pub letters: Option<Letters>,
    /// What joins the parts of a generated name where a dash is refused.
    pub separator: Option<Separator>,
    /// An ending that another property demands.
    pub suffix: Option<Suffix>,
    /// What of this the published metadata has too; it never gains anything.
    #[serde(default)]
    pub published: Vec<Published>,
    /// The page of the service's documentation that states the limit.
    pub link: String,
    /// What else a reader should know.
    pub note: Option<String>,
}

/// Which letters a service allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Letters {
    /// No capitals.
    Lower,
}

/// What joins the parts of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Separator {
    /// `_`.
    Underscore,
    /// Nothing.
    Nothing,
}

/// An ending that names must have when another property is true. It counts towards the longest name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suffix {
    /// SDK name of the other property.
    pub when: String,
    /// The ending.
    pub text: String,
}

/// A part of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Published {
    /// `min` and `max`.
    Lengths,
    /// `suffix`.
    Suffix,
}

impl NameLimit {
    /// Adds to `name` what the published metadata has of this entry; lengths of the schema win.
    pub(crate) fn publish(&self, name: &mut AutoName) {
        if self.published.contains(&Published::Lengths) {
            for (stated, known) in [(&mut name.min_length, self.min), (&mut name.max_length, self.max)] {
                if *stated == 0 {
                    *stated = known.unwrap_or(0);
                }
            }
        }
        if self.published.contains(&Published::Suffix) {
            name.suffix_rule = self.suffix.as_ref().map(Suffix::rule);
        }
    }

    /// Makes `name`, which has what the schema says, what this entry says; returns the parts that change nothing.
    pub(crate) fn complete(&self, name: &mut AutoName) -> Vec<&'static str> {
        let mut idle = Vec::new();
        // What is published has its effect there.
        let lengths_are_published = self.published.contains(&Published::Lengths);
        if let Some(min) = self.min {
            set(&mut name.min_length, min, "min", &mut idle);
        }
        if let Some(max) = self.max {
            set(&mut name.max_length, max, "max", &mut idle);
        }
        if lengths_are_published {
            idle.clear();
        }
        if let Some(Letters::Lower) = self.letters {
            set(&mut name.form.lower_case, true, "letters", &mut idle);
        }
        if let Some(separator) = self.separator {
            let separator = match separator {
                Separator::Underscore => model::Separator::Underscore,
                Separator::Nothing => model::Separator::Nothing,
            };
            set(&mut name.form.separator, separator, "separator", &mut idle);
        }
        if let Some(suffix) = &self.suffix {
            name.suffix_rule = Some(suffix.rule());
        }
        idle
    }
}

fn set<T: PartialEq>(place: &mut T, value: T, part: &'static str, idle: &mut Vec<&'static str>) {
    if *place == value {
        idle.push(part);
    }
    *place = value;
}

impl Suffix {
    fn rule(&self) -> model::SuffixRule {
        model::SuffixRule { field: self.when.clone(), equals: true, suffix: self.text.clone() }
    }
}
