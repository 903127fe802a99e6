//! Values that the data files describe.

use super::generate::Generator;
use crate::overrides::file::{ValueRule, When};
use crate::overrides::template::Template;
use crate::schema::InstancePath;
use serde_json::Value;

/// What the data files say about a value.
pub(super) enum Made {
    /// Nothing.
    Unknown,
    /// This is it.
    Value(Value),
    /// It does not exist for this model.
    Absent,
    /// The schema refuses what they say.
    Unfit,
}

/// The value of a path by what is known about its type, else about its service; only of templates that are `wanted`.
pub(super) fn by_rule(
    generator: &Generator<'_>,
    path: &InstancePath,
    model: &Value,
    wanted: impl Fn(&str) -> bool,
) -> Made {
    match generator.context.knowledge.value_rule(&generator.resource.name, path) {
        Some(rule) => of_rule(generator, rule, path, model, wanted),
        None => Made::Unknown,
    }
}

/// The value of a path by what its name means in every service.
pub(super) fn by_common_rule(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> Option<Value> {
    let rule = generator.context.knowledge.common_rule(path.short_name())?;
    match of_rule(generator, rule, path, model, |_| true) {
        Made::Value(value) => Some(value),
        Made::Unknown | Made::Absent | Made::Unfit => None,
    }
}

fn of_rule(
    generator: &Generator<'_>,
    rule: &ValueRule,
    path: &InstancePath,
    model: &Value,
    wanted: impl Fn(&str) -> bool,
) -> Made {
    let templates: Vec<&Template> = match rule {
        ValueRule::One(template) => vec![template],
        ValueRule::Cases(cases) => {
            let applies = |when: &Option<When>| when.as_ref().is_none_or(|when| holds(when, model));
            cases.iter().filter(|case| applies(&case.when)).map(|case| &case.value).collect()
        }
    };
    let mut entropy = generator.context.entropy.within(path.pointer());
    let mut templates = templates.into_iter().map(Template::text).filter(|text| wanted(text));
    let Some(text) = templates.find_map(|text| generator.context.fill(text, model, &mut entropy)) else {
        return Made::Absent;
    };
    match fitting(generator, path, text) {
        Some(value) => Made::Value(value),
        None => Made::Unfit,
    }
}

/// The text, or the number, flag, list or object that it writes, whichever the schema accepts.
fn fitting(generator: &Generator<'_>, path: &InstancePath, text: String) -> Option<Value> {
    let Some(node) = generator.resource.node(path) else { return Some(Value::String(text)) };
    let written = serde_json::from_str(&text).ok().filter(|value: &Value| !value.is_null());
    [Some(Value::String(text)), written].into_iter().flatten().find(|value| generator.validator.accepts(node, value))
}

/// Whether a condition on another property holds; a list of values means any of them.
fn holds(when: &When, model: &Value) -> bool {
    let Some(path) = InstancePath::parse(&when.path) else { return false };
    let value = path.get(model);
    let is = |wanted: &Value| match wanted {
        Value::Array(any) => value.is_some_and(|value| any.contains(value)),
        one => value == Some(one),
    };
    when.is.as_ref().is_none_or(is) && !(when.absent && value.is_some()) && !(when.present && value.is_none())
}
