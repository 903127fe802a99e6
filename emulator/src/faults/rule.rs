//! A rule: when it fires, and what happens then. Read from profile files and from the pages for tests.

use super::action::Action;
use super::glob::Glob;
use super::span::Span;
use crate::operations::NAMES;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A rule of misbehavior.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it is called in logs; `rule-N` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The calls that it is about; all without it.
    #[serde(default)]
    pub when: Selector,
    /// What happens.
    pub then: Action,
}

impl Rule {
    /// A rule that fires whenever its action can.
    pub fn new(then: Action) -> Rule {
        Rule { id: None, when: Selector::default(), then }
    }

    /// Reads one rule, or a list of them, from YAML or JSON.
    ///
    /// # Errors
    ///
    /// What is wrong, with line and column.
    pub fn read(text: &str) -> Result<Vec<Rule>, String> {
        // YAML lacks some characters that JSON has; what is JSON is read as such.
        if let Ok(rules) = serde_json::from_str(text) {
            return Ok(rules);
        }
        if let Ok(rule) = serde_json::from_str(text) {
            return Ok(vec![rule]);
        }
        // A text that begins so can only be a list.
        if text.trim_start().starts_with(['-', '[']) {
            return crate::yaml::read("rules", text).map_err(|error| error.to_string());
        }
        crate::yaml::read::<Rule>("rule", text).map(|rule| vec![rule]).map_err(|error| error.to_string())
    }
}

/// Which calls a rule is about. Everything that is given must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Selector {
    /// An operation or a list of them: an API name, or create, update, delete, read, list, poll, any.
    pub operation: Operations,
    /// The type, with wildcards. Polls are about the type of their request.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<Glob>,
    /// The identifier, with wildcards. That of a create is known once it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<Glob>,
    /// The account, with wildcards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<Glob>,
    /// The region, with wildcards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Glob>,
    /// The content of the call, as the log shows it; what replayed rules have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Only this match, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<u64>,
    /// Only every so many matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Not the first so many matches.
    #[serde(skip_serializing_if = "is_zero")]
    pub after: u64,
    /// At most so often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// How probably, from 0 to 1; drawn from the seed and the content of the call.
    #[serde(deserialize_with = "share", skip_serializing_if = "is_one")]
    pub probability: f64,
    /// What nth, every, after and times count.
    #[serde(skip_serializing_if = "Per::is_rule")]
    pub per: Per,
    /// Not before this much of the emulator's time since the rule was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Span>,
    /// Not from this much of the emulator's time on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Span>,
}

impl Default for Selector {
    fn default() -> Selector {
        Selector {
            operation: Operations::default(),
            type_name: None,
            identifier: None,
            account: None,
            region: None,
            subject: None,
            nth: None,
            every: None,
            after: 0,
            times: None,
            probability: 1.0,
            per: Per::Rule,
            from: None,
            until: None,
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_one(share: &f64) -> bool {
    *share >= 1.0
}

pub(super) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(D::Error::custom("a number from 0 to 1 is wanted")) }
}

/// What a rule counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Its matches, in the order in which calls come.
    #[default]
    Rule,
    /// How often the same content was seen, whatever comes in between.
    Subject,
}

impl Per {
    fn is_rule(&self) -> bool {
        *self == Per::Rule
    }
}

/// A set of operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operations(Vec<Glob>);

/// Short names of operations.
const SHORT: [(&str, &str); 7] = [
    ("create", "CreateResource"),
    ("update", "UpdateResource"),
    ("delete", "DeleteResource"),
    ("read", "GetResource"),
    ("list", "ListResources"),
    ("poll", "GetResourceRequestStatus"),
    ("any", "*"),
];

impl Operations {
    /// The operations of these names, API names or short ones.
    ///
    /// # Errors
    ///
    /// The first name that is none.
    pub fn of(names: &[&str]) -> Result<Operations, String> {
        names.iter().map(|name| operation(name)).collect::<Result<Vec<Glob>, String>>().map(Operations)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|wanted| wanted.matches(name))
    }
}

impl Default for Operations {
    fn default() -> Operations {
        Operations(vec![Glob::new("*")])
    }
}

fn operation(name: &str) -> Result<Glob, String> {
    let full = SHORT.iter().find(|(short, _)| *short == name).map_or(name, |(_, full)| *full);
    if full == "*" || NAMES.contains(&full) {
        return Ok(Glob::new(full));
    }
    let short: Vec<&str> = SHORT.iter().map(|(short, _)| *short).collect();
    Err(format!("there is no operation {name}; there are {}, and {}", short.join(", "), NAMES.join(", ")))
}

/// The API name that a short name stands for, in small or capital letters; any other text is itself.
pub(crate) fn full_name(name: &str) -> &str {
    SHORT.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)).map_or(name, |(_, full)| *full)
}

/// The short name of an operation, where it has one.
pub(crate) fn short_name(full: &str) -> Option<&'static str> {
    SHORT.iter().find(|(_, name)| *name == full).map(|(short, _)| *short)
}

/// As rules are written.
fn short(glob: &Glob) -> &str {
    short_name(glob.as_str()).unwrap_or(glob.as_str())
}

impl Serialize for Operations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => serializer.serialize_str(short(one)),
            many => serializer.collect_seq(many.iter().map(short)),
        }
    }
}

impl<'de> Deserialize<'de> for Operations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Operations, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Operations;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an operation or a list of operations")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Operations, E> {
                operation(name).map(|glob| Operations(vec![glob])).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Operations, A::Error> {
                let mut globs = Vec::new();
                while let Some(name) = names.next_element::<String>()? {
                    globs.push(operation(&name).map_err(A::Error::custom)?);
                }
                Ok(Operations(globs))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

impl JsonSchema for Operations {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Operations".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = SHORT.iter().map(|(short, _)| *short).chain(NAMES).collect();
        json_schema!({"anyOf": [{"enum": names}, {"type": "array", "items": {"enum": names}}]})
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn rules_are_read_from_yaml_and_json_and_written_back() {
        let yaml = "id: x\nwhen: { operation: [create, DeleteResource], type: \"AWS::SQS::*\", probability: 0.5, from: 10s }\nthen: { fail: { code: NotStabilized } }";
        let rules = Rule::read(yaml).unwrap();
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(Rule::read(&json).unwrap(), rules, "{json}");
        assert!(rules[0].when.operation.contains("CreateResource"));
        assert!(!rules[0].when.operation.contains("GetResource"));
        assert_eq!(Rule::read("then: twice").unwrap(), [Rule::new(Action::Twice)]);
        let odd = Rule { id: Some("\u{fffe}\u{7f}\u{0}~".to_owned()), ..Rule::new(Action::Twice) };
        assert_eq!(Rule::read(&serde_json::to_string(&odd).unwrap()).unwrap(), [odd]);
    }

    #[test]
    fn what_is_wrong_with_a_rule_is_said_with_its_place() {
        for (text, expected) in [
            ("then: { fail: { code: Nope } }", "rule:1:"),
            ("when: { operation: creat }\nthen: twice", "there is no operation creat; there are create, update"),
            ("when: { probability: 2 }\nthen: twice", "a number from 0 to 1 is wanted"),
            ("when: { kind: x }\nthen: twice", "kind"),
            ("when: { from: 10 }\nthen: twice", "is no duration like 250ms"),
            ("- then: explode", "rules:1:"),
            ("{}", "then"),
        ] {
            let said = Rule::read(text).unwrap_err();
            assert!(said.contains(expected), "{text}: {said}");
        }
    }
}
