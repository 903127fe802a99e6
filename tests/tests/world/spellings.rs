//! Other spellings of a program's values: those that some rule is about, be it the schema's (`propertyTransform`) or one of
//! what is known about the service. Values that tests make up are seldom such that a rule makes something else of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use metadata::view::Resource;
use serde::Deserialize;
use serde_json::Value as Json;
use value::{Map, Value};

/// Programs beyond this number are not tried: no rule has so many cases.
const MOST: usize = 8;

/// The texts that a rule is tried with, beside the value in other letters.
type Cases = BTreeMap<String, Vec<Json>>;

#[derive(Deserialize)]
struct Transform {
    expression: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    on: Json,
}

#[derive(Deserialize)]
struct Forms {
    namespace: String,
    types: BTreeMap<String, TypeForms>,
}

#[derive(Deserialize)]
struct TypeForms {
    #[serde(default)]
    normalize: Vec<Normalize>,
}

#[derive(Deserialize)]
struct Normalize {
    path: String,
    to: Json,
}

/// What the vectors try each expression of the schemas on.
static CASES: LazyLock<Cases> = LazyLock::new(|| {
    let transforms: Vec<Transform> = read("vectors/transforms.yaml");
    let objects = |row: Transform| (plain(&row.expression), row.cases.into_iter().map(|case| case.on).collect());
    transforms.into_iter().map(objects).collect()
});

/// The forms in which services keep values, by type: paths and forms.
static FORMS: LazyLock<BTreeMap<String, Vec<Normalize>>> = LazyLock::new(|| {
    let folder = root().join("../emulator/data/forms");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let all = files.flat_map(|file| {
        let forms: Forms = read(file.to_str().unwrap());
        let namespace = forms.namespace;
        forms.types.into_iter().map(move |(name, forms)| (format!("AWS::{namespace}::{name}"), forms.normalize))
    });
    all.collect()
});

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> T {
    codegen::yaml::read(file, &std::fs::read_to_string(root().join(file)).unwrap()).unwrap()
}

fn plain(expression: &str) -> String {
    expression.replace("\\/", "/")
}

/// The programs that are the given one with other spellings where rules hold, as many as the rule with the most cases has.
pub fn respelled(resource: Resource, program: &Map) -> Vec<Map> {
    let mut found: Vec<(Vec<String>, Vec<Value>)> = Vec::new();
    for (path, expression) in resource.property_transforms() {
        let cases = provider::equality::rewrites::split::alternatives(expression);
        let cases = cases.iter().filter_map(|alternative| CASES.get(&plain(&alternative.text))).flatten();
        let steps: Vec<String> = path.split('/').map(str::to_owned).collect();
        let name = steps.iter().rfind(|step| *step != "*").cloned().unwrap_or_default();
        let values = cases.filter_map(|object| member(object, &cfn_name(&name))).map(value::json::from_json);
        found.push((steps.clone(), values.collect()));
    }
    for Normalize { path, to } in FORMS.get(resource.cfn_type()).into_iter().flatten() {
        let mut steps = path.trim_start_matches("/properties/").split('/').map(str::to_owned).collect::<Vec<_>>();
        let Some(property) = resource.properties().get_cfn(&steps[0]) else { continue };
        steps[0] = property.name().to_owned();
        found.push((steps, forms(to)));
    }
    let most = found.iter().map(|(_, values)| values.len() + 1).max().unwrap_or_default().min(MOST);
    let programs = (0..most).map(|index| {
        let mut program = Value::Object(program.clone());
        for (steps, values) in &found {
            let other = |value: &Value| match index.checked_rem(values.len() + 1)?.checked_sub(1) {
                Some(index) => values.get(index).cloned(),
                None => in_other_letters(value),
            };
            put(&mut program, steps, &other);
        }
        program.as_object().cloned().unwrap_or_default()
    });
    programs.filter(|other| other != program).collect()
}

/// Values that a service keeps in this form.
fn forms(to: &Json) -> Vec<Value> {
    let texts: &[&str] = match to.as_str() {
        Some("key-arn") => &["1234abcd-12ab-34cd-56ef-1234567890ab", "alias/mine"],
        Some("json-object") => &[r#"{"a":[1,"b"],"c":{"d":true}}"#],
        Some("trailing-dot") => &["a.example.com"],
        Some("no-trailing-dot") => &["a.example.com."],
        Some("no-trailing-slash") => &["a/b/"],
        Some("text") => return vec![Value::Number(7.0), Value::Bool(true)],
        _ => &[],
    };
    texts.iter().map(|text| Value::from(*text)).collect()
}

fn cfn_name(name: &str) -> String {
    name.to_lowercase()
}

/// The member of this name, whatever its letters, at any depth.
fn member<'j>(json: &'j Json, name: &str) -> Option<&'j Json> {
    let members = json.as_object()?;
    let own = members.iter().find(|(other, _)| other.to_lowercase() == name).map(|(_, member)| member);
    own.or_else(|| members.values().find_map(|inner| member(inner, name)))
}

/// Changes what is at these steps, in all elements.
fn put(value: &mut Value, steps: &[String], other: &impl Fn(&Value) -> Option<Value>) {
    match (steps.split_first(), value) {
        (None, value) => {
            if let Some(other) = other(value) {
                *value = other;
            }
        }
        (Some((step, rest)), Value::Array(items)) if step == "*" => {
            items.iter_mut().for_each(|item| put(item, rest, other));
        }
        (Some((step, rest)), Value::Object(members)) if step == "*" => {
            members.values_mut().for_each(|member| put(member, rest, other));
        }
        (Some((step, rest)), Value::Object(members)) => {
            if let Some(member) = members.get_mut(step) {
                put(member, rest, other);
            }
        }
        _ => {}
    }
}

/// A text with each letter in the other case.
fn in_other_letters(value: &Value) -> Option<Value> {
    let swapped = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    Some(value.as_str()?.chars().map(swapped).collect::<String>().into())
}
