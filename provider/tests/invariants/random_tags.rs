//! Invariant 1 with default tags and ignored ones: every style of tags, and tags of every kind, secret and unknown ones
//! too, made up from seeds.

use std::collections::{BTreeMap, BTreeSet};

use metadata::model::Type::{Any, Boolean, String as Text};
use metadata::model::{Tags, TagsStyle, Type};
use metadata::view::Resource;
use provider::lifecycle::{CheckAnswer, CheckRequest, Code, Failure, Settings, check};
use provider::subject::Subject;
use provider::tags::TagRules;
use value::{Map, Unknown, Urn, Value};

use crate::life::same;
use crate::models::{list, map, object, prop, resource};
use crate::numbers::Random;

/// How many values of each style are tried.
const VALUES: u64 = 500;

/// Every style, and whether default tags go in.
const STYLES: [(TagsStyle, bool); 8] = [
    (TagsStyle::Unknown, false),
    (TagsStyle::Untyped, false),
    (TagsStyle::StringMap, true),
    (TagsStyle::KeyValueArray, true),
    (TagsStyle::KeyValueArrayCreateOnly, true),
    (TagsStyle::KeyValueArrayWithExtraProperties, true),
    (TagsStyle::KeyValueArrayWithAlternateType, true),
    (TagsStyle::NestedKeyValueArrayWithResourceType, false),
];

/// Keys of tags; some are default tags' too, some are ignored, some both.
const KEYS: [&str; 6] = ["env", "team", "owner", "cost:center", "", "x/y"];

/// A part of every secret text.
const CANARY: &str = "canary";

fn tagged(style: TagsStyle) -> Resource {
    resource(|model| {
        let pair = object(model, [prop("key", Text), prop("value", Text)]);
        let ty = match style {
            TagsStyle::StringMap => map(Text),
            TagsStyle::KeyValueArray | TagsStyle::KeyValueArrayCreateOnly => list(pair),
            TagsStyle::KeyValueArrayWithAlternateType => {
                let other = object(model, [prop("tagKey", Text), prop("tagValue", Text)]);
                list(Type::Union(vec![pair, other]))
            }
            TagsStyle::KeyValueArrayWithExtraProperties => {
                list(object(model, [prop("key", Text), prop("value", Text), prop("propagateAtLaunch", Boolean)]))
            }
            TagsStyle::NestedKeyValueArrayWithResourceType => {
                let nested = list(pair);
                list(object(model, [prop("resourceType", Text), prop("tags", nested)]))
            }
            TagsStyle::Untyped | TagsStyle::Unknown => Any,
        };
        model.properties = vec![prop("name", Text), prop("tags", ty)];
        model.tags = Some(Tags { property: "tags".to_owned(), style, updatable: true });
    })
}

/// What a program may give as tags: nothing, tags, or something else.
struct Maker {
    random: Random,
    style: TagsStyle,
}

impl Maker {
    fn tags(&mut self) -> Option<Value> {
        let tags = match self.random.below(12) {
            0 => return None,
            1 => Value::Null,
            2 => Value::Unknown(Unknown::String),
            3 => self.wrong(),
            _ if self.style == TagsStyle::StringMap => {
                let keys: Vec<&str> = KEYS.into_iter().filter(|_| self.random.once_in(3)).collect();
                Value::object(keys.into_iter().map(|key| (key, self.text("v"))).collect::<Vec<_>>())
            }
            _ => (0..self.random.below(5)).map(|_| self.tag()).collect(),
        };
        Some(self.perhaps_secret(tags, 6))
    }

    fn tag(&mut self) -> Value {
        let tag = match self.random.below(24) {
            0 => Value::Unknown(Unknown::String),
            1 => Value::Null,
            2 => self.wrong(),
            _ => {
                let alternate = self.style == TagsStyle::KeyValueArrayWithAlternateType && self.random.once_in(2);
                let names = if alternate { ("tagKey", "tagValue") } else { ("key", "value") };
                let key = *self.random.pick(&KEYS);
                let key = match self.random.below(12) {
                    0 => Value::Unknown(Unknown::String),
                    1 => Value::secret(key),
                    _ => Value::from(key),
                };
                Value::object([(names.0, key), (names.1, self.text("v"))])
            }
        };
        self.perhaps_secret(tag, 12)
    }

    /// What is no tag, and no set of tags.
    fn wrong(&mut self) -> Value {
        let text = self.text("wrong");
        self.random
            .pick(&[text, Value::Bool(true), Value::Number(7.0), Value::object([("value", "x".into())]), Value::Null])
            .clone()
    }

    fn text(&mut self, text: &str) -> Value {
        match self.random.below(8) {
            0 => Value::secret(format!("{text}-{CANARY}")),
            1 => Value::Unknown(Unknown::String),
            _ => Value::from(text),
        }
    }

    fn perhaps_secret(&mut self, value: Value, once_in: usize) -> Value {
        if self.random.once_in(once_in) { Value::secret(value) } else { value }
    }
}

/// The texts outside of marks of secrecy.
fn clear(value: &Value, found: &mut String) {
    match value {
        Value::String(text) => found.push_str(text),
        Value::Object(members) => members.values().for_each(|member| clear(member, found)),
        Value::Array(items) => items.iter().for_each(|item| clear(item, found)),
        _ => {}
    }
}

/// The keys of a set of tags, as far as they are known.
fn keys(tags: &Value) -> BTreeSet<String> {
    match tags.unsecret() {
        Value::Object(members) => members.keys().cloned().collect(),
        Value::Array(items) => {
            let key = |tag: &Value| {
                let names = ["key", "tagKey"].iter();
                names.clone().find_map(|name| tag.unsecret().get(name)?.unsecret().as_str().map(str::to_owned))
            };
            items.iter().filter_map(key).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Whether nobody can know yet which tags there are.
fn is_open(tags: &Value) -> bool {
    let tags = tags.unsecret();
    tags.is_unknown() || tags.as_array().is_some_and(|tags| tags.iter().any(|tag| tag.unsecret().is_unknown()))
}

/// What the program wrote, as Check keeps it: without nulls.
fn kept(tags: &Value) -> Value {
    match tags {
        Value::Secret(inner) => Value::secret(kept(inner)),
        Value::Array(items) => items.iter().filter(|item| !item.unsecret().is_null()).map(kept).collect(),
        other => other.clone(),
    }
}

/// That the tags which the program wrote stand first and unchanged, and that only `added` came.
fn extended(before: &Value, after: &Value, added: &BTreeSet<String>) -> Result<(), String> {
    same("still secret", after.is_secret(), before.is_secret())?;
    match (kept(before).unsecret(), after.unsecret()) {
        (Value::Array(before), Value::Array(after)) => {
            same("own tags", &after[..before.len()], &before[..])?;
            let rest = keys(&after[before.len()..].iter().cloned().collect());
            same("added tags", &rest, added)
        }
        (Value::Object(before), Value::Object(after)) => {
            let own: Map = after.iter().filter(|(key, _)| before.contains_key(*key)).map(owned).collect();
            same("own tags", &own, before)?;
            let rest: BTreeSet<_> = after.keys().filter(|key| !before.contains_key(*key)).cloned().collect();
            same("added tags", &rest, added)
        }
        (Value::Null, after) => same("added tags", &keys(after), added),
        (before, after) => Err(format!("{before:?} became {after:?}")),
    }
}

fn owned((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}

#[test]
fn invariant_1_check_is_idempotent_with_default_and_ignored_tags() {
    let defaults =
        BTreeMap::from([("env", "dev"), ("owner", "us"), ("zone", "")].map(|(key, value)| (key.into(), value.into())));
    let rules: &'static TagRules = TagRules::new(vec!["owner".into()], vec!["cost:".into()]).leaked();
    let settings = Settings { default_tags: defaults, ignore_tags: rules.clone(), ..Settings::default() };
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for ((style, takes), seed) in STYLES.into_iter().flat_map(|style| (0..VALUES).map(move |seed| (style, seed))) {
        let subject = Subject { resource: tagged(style), tags: rules };
        let ask = |news: Map| -> Result<CheckAnswer, Failure> {
            let urn = Urn::new("dev", "test", None, "aws-native:test:Thing", "thing").unwrap();
            check(
                subject,
                CheckRequest { urn, olds: Map::new(), news, random_seed: vec![1; 32], naming: None },
                &settings,
            )
        };
        let given = Maker { random: Random::new(seed), style }.tags();
        let inputs: Map = given.iter().map(|tags| ("tags".to_owned(), tags.clone())).collect();
        let shown = || format!("{style:?}, seed {seed}: {given:?}");
        let answer = match ask(inputs) {
            Ok(answer) => answer,
            Err(Failure::Refused { code: Code::InvalidArgument, message }) => {
                assert!(takes && message.starts_with("expected tags to be "), "{message}: {}", shown());
                assert!(!message.contains(CANARY), "{message}");
                *met.entry("refused").or_default() += 1;
                continue;
            }
            Err(other) => panic!("{other:?}: {}", shown()),
        };
        let show = || -> Result<(), String> {
            let tags = answer.inputs.get("tags").cloned().unwrap_or_default();
            let before = given.clone().unwrap_or_default();
            // Nulls are taken out before tags are looked at, marks around them too.
            let before = if before.unsecret().is_null() { Value::Null } else { before };
            let missing: BTreeSet<String> =
                settings.default_tags.keys().filter(|key| !keys(&before).contains(*key)).cloned().collect();
            let wanted = if takes && !is_open(&before) { missing } else { BTreeSet::new() };
            match is_open(&before) || !takes {
                true => same("tags that are left alone", &tags, &kept(&before))?,
                false => extended(&before, &tags, &wanted)?,
            }
            let mut found = String::new();
            clear(&tags, &mut found);
            answer.warnings.iter().for_each(|warning| found.push_str(warning));
            answer.failures.iter().for_each(|failure| found.push_str(&failure.reason));
            same("secrets in clear", found.contains(CANARY), false)?;
            if answer.failures.is_empty() {
                let again = ask(answer.inputs.clone()).map_err(|failure| format!("{failure:?}"))?;
                same("checked again", &again.inputs, &answer.inputs)?;
                same("failures of the second", again.failures.len(), 0)?;
            }
            Ok(())
        };
        show().unwrap_or_else(|problem| panic!("{problem}: {}", shown()));
        for (what, there) in [
            ("tags that were added", takes && given.as_ref().is_some_and(|tags| !is_open(tags))),
            ("tags that nobody knows yet", given.as_ref().is_some_and(is_open)),
            ("secret tags", given.as_ref().is_some_and(Value::contains_secret)),
            ("tags that are ignored", answer.warnings.iter().any(|warning| warning.contains("ignored by ignoreTags"))),
        ] {
            *met.entry(what).or_default() += usize::from(there);
        }
    }
    assert!(met.len() == 5 && met.values().all(|count| *count > 100), "{met:?}");
}
