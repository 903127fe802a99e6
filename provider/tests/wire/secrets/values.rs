//! Types and values that are made up from seeds, with secrets in them that can be looked for.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use metadata::model::Type;
use metadata::view::Resource;
use serde_json::{Value as Json, json};
use value::{Map, Value};

use crate::numbers::Random;
use crate::random::{Case, NAME};
use crate::service::models;

/// How many types are made up.
const TYPES: u64 = 48;

/// How many secrets a service quotes at once.
const QUOTED: usize = 12;

/// Every secret text holds it, in every spelling.
pub(super) const CANARY: &str = "canary";

/// Secret numbers begin with it; so many digits are in no token by chance.
const PIN: u32 = 471_140_000;
/// The digits by which they are found.
pub(super) const PINS: &str = "47114";

/// Types made up from seeds, each with a name of its own.
pub(super) fn cases() -> &'static BTreeMap<String, Case> {
    static CASES: OnceLock<BTreeMap<String, Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let case = |seed| {
            let mut case = Case::new(seed);
            case.model.token = format!("aws-native:test:Thing{seed}");
            case.model.cfn_type = format!("AWS::Test::Thing{seed}");
            for ty in &mut case.model.types {
                ty.properties.sort_by(|one, other| one.name.cmp(&other.name));
            }
            case.resource = metadata::encode(&case.model).unwrap().leak().into();
            (case.model.cfn_type.clone(), case)
        };
        (0..TYPES).map(case).chain([plain()]).collect()
    })
}

/// A type without surprises, with a text that can be secret.
fn plain() -> (String, Case) {
    let mut made = None;
    let resource = models::resource(|model| {
        model.token = "aws-native:test:Plain".to_owned();
        model.cfn_type = PLAIN.to_owned();
        model.properties = vec![models::prop("alpha", Type::String), models::prop(NAME, Type::String)];
        made = Some(model.clone());
    });
    (PLAIN.to_owned(), Case { resource, model: made.unwrap() })
}

pub(super) const PLAIN: &str = "AWS::Test::Plain";

pub(super) fn find(token: &str) -> Option<Resource> {
    cases().values().map(|case| case.resource).find(|resource| resource.token() == token)
}

/// A schema that forbids whatever is there.
pub(super) fn schema(type_name: &str) -> Option<String> {
    let nothing = json!({
        "enum": ["none"], "pattern": "^none$", "maxLength": 0, "maximum": -1e9, "multipleOf": 3.7, "maxItems": 0,
        "uniqueItems": true, "maxProperties": 0, "patternProperties": {"^none$": {}}, "additionalProperties": false,
        "items": {"$ref": "#/definitions/Nothing"}, "not": {}, "oneOf": [{"required": ["One"]}, {"required": ["Two"]}],
    });
    let properties = cases().get(type_name)?.model.properties.iter();
    let properties: Json =
        properties.map(|property| (property.cfn_name.clone(), json!({"$ref": "#/definitions/Nothing"}))).collect();
    Some(json!({"typeName": type_name, "definitions": {"Nothing": nothing}, "properties": properties}).to_string())
}

/// Marks some values secret and makes them ones that can be looked for.
fn with_secrets(value: &mut Value, random: &mut Random, count: &mut u32) {
    if random.once_in(7) {
        canaries(value, random, count);
        *value = Value::secret(std::mem::take(value));
        return;
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| with_secrets(member, random, count)),
        Value::Array(items) => items.iter_mut().for_each(|item| with_secrets(item, random, count)),
        _ => {}
    }
}

fn canaries(value: &mut Value, random: &mut Random, count: &mut u32) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| canaries(member, random, count)),
        Value::Array(items) => items.iter_mut().for_each(|item| canaries(item, random, count)),
        Value::String(text) => {
            *count += 1;
            *text = match random.below(5) {
                0 => format!("{CANARY}-{count} \"quoted\" \\ back"),
                1 => format!("first {CANARY}-{count}\n\tsecond-{CANARY}-{count}\n"),
                2 => format!(r#"{{"Key-{count}": "{CANARY}-{count}-é", "List": ["{CANARY}/{count}<&>"]}}"#),
                3 => format!("ü{CANARY}+{count} %"),
                _ => format!("{text}{CANARY}{count}"),
            };
        }
        Value::Number(number) => {
            *count += 1;
            *number = f64::from(PIN + *count);
        }
        _ => {}
    }
}

pub(super) fn inputs(case: &Case, number: u64, count: &mut u32) -> Map {
    let Value::Object(mut inputs) = value::json::from_json(&case.inputs(number)) else {
        panic!("inputs are an object")
    };
    let mut random = Random::new(number);
    for (name, value) in &mut inputs {
        if name != NAME {
            with_secrets(value, &mut random, count);
        }
    }
    inputs
}

/// The secrets as a service may quote them.
pub(super) fn quoted(maps: &[&Map]) -> String {
    fn collect(value: &Value, secret: bool, found: &mut Vec<String>) {
        match value {
            Value::Secret(inner) => collect(inner, true, found),
            Value::Object(members) => members.values().for_each(|member| collect(member, secret, found)),
            Value::Array(items) => items.iter().for_each(|item| collect(item, secret, found)),
            Value::String(text) if secret => {
                let json = Json::from(text.as_str()).to_string();
                found.extend([text.clone(), Json::from(json.as_str()).to_string(), json]);
                let leaves = serde_json::from_str::<Json>(text).unwrap_or_default();
                found.extend(leaves["List"][0].as_str().map(str::to_owned));
            }
            Value::Number(number) if secret => found.push(number.to_string()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    maps.iter().for_each(|map| map.values().for_each(|value| collect(value, false, &mut found)));
    // Of many only some, since every word is looked for in every place.
    let step = found.len().div_ceil(QUOTED).max(1);
    format!("bad: {}", found.into_iter().step_by(step).collect::<Vec<_>>().join(" or "))
}

/// What stands in clear in a value: everything outside of marks of secrecy.
pub(super) fn clear(value: &Value, found: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                found.push_str(name);
                // The checkpoint is secret as a whole; marks inside it count.
                clear(if name == "__inputs" { member.unsecret() } else { member }, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| clear(item, found)),
        Value::String(text) => found.push_str(text),
        Value::Number(number) => found.push_str(&number.to_string()),
        _ => {}
    }
    found.push('\n');
}
