//! A type that has something of everything, and its inputs.

use metadata::model::Type::{self, Any, Boolean, Integer, String as Text};
use metadata::view::Resource;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use value::{Map, Value};

use crate::models::*;
use crate::values::members;

pub(super) fn thing() -> Resource {
    use std::sync::OnceLock;
    static THING: OnceLock<Resource> = OnceLock::new();
    *THING.get_or_init(|| {
        resource(|model| {
            let leaf =
                object(model, [prop("text", Text), prop("hidden", Text), prop("count", Integer), prop("made", Text)]);
            let rule = object(model, [prop("id", Text), prop("leaf", leaf.clone()), prop("names", list(Text))]);
            let glue = object(model, [required("glue", Text)]);
            let redshift = object(model, [required("redshift", Text), prop("labels", map(Text))]);
            model.properties = vec![
                prop("thingName", Text),
                prop("text", Text),
                with_default("flag", Boolean, "false"),
                prop("password", Text),
                prop("nested", leaf),
                prop("rules", list(rule.clone())),
                prop("set", list(Text)),
                prop("ruleSet", list(rule)),
                prop("labels", map(Text)),
                prop("free", Any),
                prop("config", Type::Union(vec![glue, redshift])),
                output("arn", Text),
            ];
            tag_list(model);
            model.auto_name = Some(auto_name("thingName"));
            model.primary_identifier = paths(&["thingName"]);
            model.create_only = paths(&["thingName"]);
            model.read_only = paths(&["arn", "nested/made"]);
            model.write_only = paths(&["password", "nested/hidden"]);
            model.unordered = paths(&["set", "ruleSet", "ruleSet/*/names"]);
        })
    })
}

pub(super) fn text() -> impl Strategy<Value = Json> + Clone {
    prop::sample::select(vec!["a", "b", "c", "Key-1", "x/y~z", ""]).prop_map(|text| json!(text))
}

/// Members, each present or not.
fn optional(members: Vec<(&'static str, BoxedStrategy<Json>)>) -> BoxedStrategy<Json> {
    let parts: Vec<_> =
        members.into_iter().map(|(name, values)| option::of(values).prop_map(move |value| (name, value))).collect();
    parts
        .prop_map(|parts| {
            let present = parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            Json::Object(present.collect())
        })
        .boxed()
}

fn strings() -> BoxedStrategy<Json> {
    btree_map("[a-cK/]{1,2}", text(), 0..3).prop_map(|map| json!(map)).boxed()
}

fn leaf() -> BoxedStrategy<Json> {
    optional(vec![
        ("text", text().boxed()),
        ("hidden", text().boxed()),
        ("count", any::<i32>().prop_map(|count| json!(count)).boxed()),
    ])
}

fn rules(unique: bool) -> BoxedStrategy<Json> {
    let visible = optional(vec![("text", text().boxed()), ("count", (0..3).prop_map(|count| json!(count)).boxed())]);
    let rule = optional(vec![("leaf", visible), ("names", vec(text(), 0..3).prop_map(Json::from).boxed())]);
    vec(rule, 0..4)
        .prop_map(move |rules| {
            rules
                .into_iter()
                .enumerate()
                .map(|(index, mut rule)| {
                    if unique {
                        rule["id"] = json!(format!("r{index}"));
                    }
                    rule
                })
                .collect::<Vec<_>>()
                .into()
        })
        .boxed()
}

fn free() -> BoxedStrategy<Json> {
    let scalar = prop_oneof![text(), any::<bool>().prop_map(Json::from), (-5..5).prop_map(|number| json!(number))];
    scalar
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Json::from),
                btree_map("[a-cK-]{1,2}", inner, 0..3).prop_map(|map| json!(map)),
            ]
        })
        .boxed()
}

fn tags() -> BoxedStrategy<Json> {
    btree_map("[a-d]", text(), 0..4)
        .prop_map(|tags| {
            tags.into_iter().map(|(key, value)| json!({ "key": key, "value": value })).collect::<Vec<_>>().into()
        })
        .boxed()
}

pub(super) fn inputs() -> BoxedStrategy<Json> {
    let config = prop_oneof![
        text().prop_map(|glue| json!({ "glue": glue })),
        (text(), strings()).prop_map(|(redshift, labels)| json!({ "redshift": redshift, "labels": labels })),
    ];
    let all = optional(vec![
        ("text", text().boxed()),
        ("flag", any::<bool>().prop_map(Json::from).boxed()),
        ("password", text().boxed()),
        ("nested", leaf()),
        ("rules", rules(true)),
        ("set", vec(text(), 0..4).prop_map(Json::from).boxed()),
        ("ruleSet", rules(false)),
        ("labels", strings()),
        ("free", free()),
        ("config", config.boxed()),
        ("tags", tags()),
    ]);
    all.prop_map(|mut inputs| {
        inputs["thingName"] = json!("n");
        inputs
    })
    .boxed()
}

/// Marks some values secret, by a list of choices that is used round and round.
fn with_secrets(value: &mut Value, choices: &[bool], next: &mut usize) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| with_secrets(member, choices, next)),
        Value::Array(items) => items.iter_mut().for_each(|item| with_secrets(item, choices, next)),
        _ => {}
    }
    *next += 1;
    if choices[*next % choices.len()] {
        // Text that no other value has, so that it can be looked for.
        if let Value::String(text) = value {
            text.push_str("-canary");
            text.push_str(&next.to_string());
        }
        let plain = std::mem::take(value);
        *value = Value::secret(plain);
    }
}

pub(super) fn secret_inputs() -> BoxedStrategy<Map> {
    (inputs(), vec(prop::bool::weighted(0.15), 7..40))
        .prop_map(|(inputs, choices)| {
            let mut next = 0;
            let mut inputs = members(inputs);
            let names: Vec<String> = inputs.keys().filter(|name| *name != "thingName").cloned().collect();
            for name in names {
                with_secrets(inputs.get_mut(&name).unwrap(), &choices, &mut next);
            }
            inputs
        })
        .boxed()
}

/// Turns every list of text and every list of rules without a meaningful order around.
pub(super) fn permuted(inputs: &Map) -> Map {
    let mut inputs = inputs.clone();
    for name in ["set", "ruleSet", "tags"] {
        let value = match inputs.get_mut(name) {
            Some(Value::Secret(inner)) => inner,
            Some(value) => value,
            None => continue,
        };
        if let Value::Array(items) = value {
            items.reverse();
        }
    }
    inputs
}

/// Takes away what the service made, what is hidden, what equals its default, and containers without content, and puts
/// lists without a meaningful order in one order.
pub(super) fn normalize(model: &mut Json) {
    let members = model.as_object_mut().unwrap();
    members.remove("Arn");
    members.remove("Password");
    if members.get("Flag") == Some(&json!(false)) {
        members.remove("Flag");
    }
    if let Some(Json::Object(nested)) = members.get_mut("Nested") {
        nested.remove("Hidden");
        nested.remove("Made");
    }
    for name in ["Set", "RuleSet", "Tags"] {
        if let Some(Json::Array(items)) = members.get_mut(name) {
            for item in &mut *items {
                if let Some(Json::Array(names)) = item.get_mut("Names") {
                    names.sort_by_key(Json::to_string);
                }
            }
            items.sort_by_key(Json::to_string);
        }
    }
    members.retain(|_, member| match member {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => true,
    });
}
