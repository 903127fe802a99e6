//! The form of profile files, and how one extends another.

use super::Switches;
use super::profile::Profile;
use super::switches::SWITCHES;
use crate::faults::{Glob, Rule, Throttling};
use crate::overrides::file::Latencies;
use crate::services::lambda::rule::FunctionRule;
use crate::yaml::{self, YamlError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// How many files may extend one another.
const DEEPEST: usize = 8;

/// The built-in profiles.
const BUILT_IN: [(&str, &str); 4] = [
    ("test", include_str!("../../data/profiles/test.yaml")),
    ("fast", include_str!("../../data/profiles/fast.yaml")),
    ("realistic", include_str!("../../data/profiles/realistic.yaml")),
    ("chaos", include_str!("../../data/profiles/chaos.yaml")),
];

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("{path}: {reason}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The text is not a profile; the message begins with file, line and column.
    #[error("{0}")]
    Invalid(String),
    /// It extends something that is neither built in nor a file, or in a circle.
    #[error("{file}: {reason}")]
    Extends {
        /// The profile that extends.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<YamlError> for ProfileError {
    fn from(error: YamlError) -> ProfileError {
        ProfileError::Invalid(error.to_string())
    }
}

/// A profile as people write it. Everything is optional.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct ProfileFile {
    /// What it starts from: test, fast, realistic, chaos, or a file beside this one. Default test.
    extends: Option<String>,
    /// Decides every generated value and everything that goes wrong by chance. The flag wins.
    seed: Option<u64>,
    /// What durations are multiplied with; 0 is no waiting.
    #[schemars(range(min = 0.0, max = 1000.0))]
    time_scale: Option<f64>,
    /// How many looks a request needs before it may be finished.
    looks: Option<u32>,
    /// Switches by their names, as for flags.
    switches: Settings,
    /// How long operations take: by type, with wildcards, a class for each operation. The longest name that fits wins.
    latency: BTreeMap<Glob, Latencies>,
    /// How many calls each operation of an account and region serves.
    throttle: Option<Bucket>,
    /// What goes wrong, in the order in which rules are asked; before those of what the profile extends.
    rules: Vec<Rule>,
    /// What functions of Lambda do; before those of what the profile extends.
    functions: Vec<FunctionRule>,
}

/// How many calls are served.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Bucket {
    /// Calls a second, on average.
    rate: f64,
    /// Calls at once. Default the rate.
    #[serde(default)]
    burst: Option<f64>,
}

/// Switches that exist with values that they take.
#[derive(Debug, Default)]
struct Settings(Vec<(String, String)>);

/// A scalar as its text.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a number")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(if value { "on" } else { "off" }.to_owned()))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Settings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("switches with their values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
                let mut pairs = Vec::new();
                while let Some((name, Text(text))) = map.next_entry::<String, Text>()? {
                    Switches::default().set(&name, &text).map_err(A::Error::custom)?;
                    pairs.push((name, text));
                }
                Ok(Settings(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl JsonSchema for Settings {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Switches".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let property = |switch: &super::Switch| {
            let mut schema = json_schema!({"description": format!("{}.", switch.help)});
            if switch.values.is_empty() {
                schema.insert("type".to_owned(), vec!["string", "number"].into());
            } else {
                schema.insert("enum".to_owned(), switch.values.into());
            }
            (switch.name.to_owned(), schema.to_value())
        };
        let properties: serde_json::Map<String, serde_json::Value> = SWITCHES.iter().map(property).collect();
        json_schema!({"type": "object", "additionalProperties": false, "properties": properties})
    }
}

pub(super) fn built_in(name: &str) -> Option<Profile> {
    let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    // A test reads each of them.
    parse(name, text, None).ok()
}

pub(super) fn read(path: &Path) -> Result<Profile, ProfileError> {
    read_at(path, 1)
}

#[allow(clippy::disallowed_methods, reason = "profiles are files that people write")]
fn read_at(path: &Path, depth: usize) -> Result<Profile, ProfileError> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| ProfileError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&path.display().to_string(), &text, Some((folder, depth)))
}

/// Reads a profile; `place` is the folder of its file, and how many files have extended one another so far.
pub(super) fn parse(name: &str, text: &str, place: Option<(&Path, usize)>) -> Result<Profile, ProfileError> {
    let file: ProfileFile = yaml::read(name, text)?;
    let fails = |reason: String| ProfileError::Extends { file: name.to_owned(), reason };
    let is_built_in = place.is_none() && BUILT_IN.iter().any(|(known, _)| *known == name);
    let base = match file.extends.as_deref() {
        None if is_built_in => Profile { looks: 0, ..Profile::default() },
        None => Profile::test(),
        Some(base) => match (built_in(base), place) {
            (Some(profile), _) => profile,
            (None, Some((_, depth))) if depth >= DEEPEST => {
                return Err(fails(format!("more than {DEEPEST} profiles extend one another")));
            }
            (None, Some((folder, depth))) => read_at(&folder.join(base), depth + 1)?,
            (None, None) => {
                return Err(fails(format!("there is no profile {base}; there are {}", Profile::NAMES.join(", "))));
            }
        },
    };
    Ok(file.over(base, name))
}

impl ProfileFile {
    fn over(self, base: Profile, name: &str) -> Profile {
        let mut profile = base;
        profile.name = name.to_owned();
        profile.seed = self.seed.or(profile.seed);
        profile.time_scale = self.time_scale.unwrap_or(profile.time_scale).max(0.0);
        profile.looks = self.looks.unwrap_or(profile.looks);
        profile.switches.extend(self.switches.0);
        if let Some(Bucket { rate, burst }) = self.throttle {
            profile.switches.push((
                "throttle".to_owned(),
                format!("{rate}/{}", burst.unwrap_or_else(|| Throttling::usual_burst(rate))),
            ));
        }
        profile.latency.extend(self.latency);
        profile.rules.splice(0..0, self.rules);
        profile.functions.splice(0..0, self.functions);
        profile
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::overrides::file::Class;

    #[test]
    fn built_in_profiles_can_be_read() {
        for (name, text) in BUILT_IN {
            let profile = parse(name, text, None).unwrap_or_else(|error| panic!("{error}"));
            profile.apply(&mut Switches::default()).unwrap();
            assert!(Profile::NAMES.contains(&name));
        }
    }

    #[test]
    fn a_profile_stands_over_what_it_extends() {
        let text = "extends: chaos\nseed: 7\ntime-scale: 0.5\nswitches: { system-tags: off, page-size: 3 }\nthrottle: { rate: 5 }\nlatency: { 'AWS::*': { create: slow }, 'AWS::RDS::*': { create: glacial } }\nrules: [{ id: own, then: twice }]\nfunctions: [{ name: f, then: not-ready }]\n";
        let profile = Profile::parse("mine", text).unwrap();
        assert_eq!((profile.name.as_str(), profile.seed, profile.time_scale), ("mine", Some(7), 0.5));
        assert_eq!((profile.rules.len(), profile.rules[0].id.as_deref()), (6, Some("own")));
        assert_eq!(profile.functions.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(), ["f"]);
        let mut switches = Switches::default();
        profile.apply(&mut switches).unwrap();
        assert!(!switches.system_tags);
        assert_eq!((switches.page_size, switches.throttle.map(|throttle| throttle.burst)), (3, Some(5.0)));
        let class = |name: &str| profile.latency(name).and_then(|latencies| latencies.create);
        assert_eq!(class("AWS::RDS::DBInstance"), Some(Class::Glacial));
        assert_eq!((class("AWS::SQS::Queue"), class("Own::A::B")), (Some(Class::Slow), None));
    }

    #[test]
    fn files_extend_files_and_no_circle() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("base.yaml", "looks: 5");
        write("mine.yaml", "extends: base.yaml\nseed: 3");
        write("circle.yaml", "extends: circle.yaml");
        let profile = Profile::read(&folder.path().join("mine.yaml")).unwrap();
        assert_eq!((profile.looks, profile.seed), (5, Some(3)));
        let said = Profile::read(&folder.path().join("circle.yaml")).unwrap_err().to_string();
        assert!(said.ends_with("more than 8 profiles extend one another"), "{said}");
        let said = Profile::read(&folder.path().join("none.yaml")).unwrap_err().to_string();
        assert!(said.contains("none.yaml: "), "{said}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("looks: 1\nlook: 2\n", "p.yaml:2:1: "),
            ("looks: 1\nrules:\n  - id: x\n    then: { fail: { cod: x } }\n", "p.yaml:4:"),
            ("looks: 1\nrules:\n  - id: x\n    then: { fail: { code: Nothing } }\n", "p.yaml:4:"),
            ("looks: 1\nrules:\n  - when: { operation: creat }\n    then: twice\n", "p.yaml:3:"),
            ("switches:\n  page-size: 3\n  coerce: much\n", "p.yaml:"),
            ("switches:\n  none: 3\n", "there is no switch none"),
            ("latency: { 'AWS::*': { create: slowly } }\n", "p.yaml:1:"),
            ("extends: none\n", "p.yaml: there is no profile none; there are test, fast, realistic, chaos"),
        ] {
            let said = Profile::parse("p.yaml", text).unwrap_err().to_string();
            assert!(said.contains(expected), "{text}: {said}");
        }
    }
}
