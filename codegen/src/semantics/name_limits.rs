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
    /// What joins the parts of a generated name: where a dash is refused, or where it is taken against the schema's pattern.
    pub separator: Option<Separator>,
    /// An ending that another property demands.
    pub suffix: Option<Suffix>,
    /// What of this the published metadata has too; it never gains anything.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Which lengths the pinned schemas state by now. They stay for older schemas, of which the published metadata must come
    /// out as well (`docs/parity.md`).
    #[serde(default)]
    pub stated: Vec<Length>,
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
    /// `-`, which the schema's pattern leaves out and the service takes.
    Dash,
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

/// One of the two lengths of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// `min`.
    Min,
    /// `max`.
    Max,
}

impl Length {
    fn part(self) -> &'static str {
        match self {
            Length::Min => "min",
            Length::Max => "max",
        }
    }
}

impl NameLimit {
    /// Says of `idle`, the parts that change nothing, and of `stated` what is wrong with each.
    pub(crate) fn faults(&self, idle: &[&'static str]) -> Vec<String> {
        let stated: Vec<_> = self.stated.iter().map(|length| length.part()).collect();
        let idle_parts = idle.iter().filter(|part| !stated.contains(part));
        let idle_parts = idle_parts.map(|part| format!("{part} of {} is what the schema says already", self.cfn_type));
        let unstated = stated.iter().filter(|part| !idle.contains(part));
        let unstated = unstated.map(|part| format!("the schema of {} does not state {part}", self.cfn_type));
        idle_parts.chain(unstated).collect()
    }

    /// Adds to `name` what the published metadata has of this entry; lengths of the schema win. Returns the parts that
    /// change it.
    pub(crate) fn publish(&self, name: &mut AutoName) -> Vec<&'static str> {
        let mut effective = Vec::new();
        if self.published.contains(&Published::Lengths) {
            let lengths = [("min", &mut name.min_length, self.min), ("max", &mut name.max_length, self.max)];
            for (part, stated, known) in lengths {
                if let (0, Some(known @ 1..)) = (*stated, known) {
                    *stated = known;
                    effective.push(part);
                }
            }
        }
        if self.published.contains(&Published::Suffix) {
            name.suffix_rule = self.suffix.as_ref().map(Suffix::rule);
        }
        effective
    }

    /// Makes `name`, which has what the schema says, what this entry says; returns the parts that change nothing.
    pub(crate) fn complete(&self, name: &mut AutoName) -> Vec<&'static str> {
        let mut idle = Vec::new();
        if let Some(min) = self.min {
            set(&mut name.min_length, min, "min", &mut idle);
        }
        if let Some(max) = self.max {
            set(&mut name.max_length, max, "max", &mut idle);
        }
        if let Some(Letters::Lower) = self.letters {
            set(&mut name.form.lower_case, true, "letters", &mut idle);
        }
        if let Some(separator) = self.separator {
            let separator = match separator {
                Separator::Dash => model::Separator::Dash,
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
