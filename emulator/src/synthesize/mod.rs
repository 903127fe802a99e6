//! Values that the service makes: names, ids, ARNs, endpoints, times, states.
//!
//! Deterministic: the same seed, scope, type, desired state and number of earlier equal creates give the same values.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | which values a model needs, and in which order they are made |
//! | [`generate`] | a value for a node of a schema |
//! | [`candidates`] | likely texts by property name |
//! | [`context`] | templates, times |
//! | [`sample`] | desired states that a schema accepts, small and large |
//!
//! What is known about single types is in [`crate::overrides`].

mod candidates;
pub(crate) mod context;
pub(crate) mod generate;
pub(crate) mod sample;

use crate::schema::patterns::Patterns;
use crate::schema::{InstancePath, ResourceType};
use crate::validate::Validator;
use context::Context;
use generate::Generator;
use serde_json::{Map, Value};

/// Adds everything to a model that the service would make, leaving what is there.
///
/// Identifiers that the caller may choose get a name when they are absent. Read-only values inside a member exist only
/// where that member does. Empty arrays, reasons and messages are left out: a healthy resource has nothing to say.
pub(crate) fn complete(resource: &ResourceType, patterns: &Patterns, context: &Context<'_>, model: &mut Value) {
    let validator = Validator::new(resource, patterns);
    let mut generator = Generator { resource, validator, context, own_name: String::new(), full_to: 0 };
    for path in &resource.primary_identifier {
        if !resource.is_read_only(path) && path.get(model).is_none() {
            let entropy = context.entropy.within(path.pointer());
            let value = from_template(&generator, path, model)
                .or_else(|| generator.name(resource.node(path)?, &entropy))
                .or_else(|| generator.value(resource.node(path)?, path.short_name(), &entropy))
                .unwrap_or_else(|| Value::String(entropy.clone().lower(20)));
            path.set(model, value);
        }
    }
    name_by_template(&generator, model);
    generator.own_name = own_name(resource, context, model);
    // Ids first, since ARNs and endpoints are made of them; what has a template after what it is made of.
    let is_arn = |path: &InstancePath| path.short_name().to_ascii_lowercase().ends_with("arn");
    for path in resource.read_only.iter().filter(|path| path.segments().len() == 1 && !is_arn(path) && is_id(path)) {
        add(&generator, path, model, false);
        generator.own_name = own_name(resource, context, model);
    }
    for path in resource.read_only.iter().filter(|path| path.segments().len() == 1 && is_arn(path)) {
        add(&generator, path, model, false);
    }
    for path in &resource.read_only {
        add(&generator, path, model, true);
    }
}

/// Moves times of change and counters of an updated model.
pub(crate) fn touch(resource: &ResourceType, context: &Context<'_>, model: &mut Value) {
    const CHANGED: [&str; 6] =
        ["updatedat", "lastupdated", "lastmodified", "lastupdatedtime", "lastmodifiedtime", "updatetime"];
    for path in resource.read_only.iter().filter(|path| path.segments().len() == 1) {
        let name = path.short_name().to_ascii_lowercase();
        let is_date_time =
            path.get(model).and_then(Value::as_str).is_some_and(|text| text.contains('T') && text.ends_with('Z'));
        if is_date_time && CHANGED.iter().any(|changed| name.starts_with(changed)) {
            path.set(model, Value::String(context.time_text()));
        }
    }
}

fn is_id(path: &InstancePath) -> bool {
    let name = path.short_name().to_ascii_lowercase();
    name.ends_with("id") || name.ends_with("identifier") || name.ends_with("name")
}

/// Names that are no identifier but that other values are made of have a template of their own.
fn name_by_template(generator: &Generator<'_>, model: &mut Value) {
    let Some(properties) = generator.resource.schema.get("properties").and_then(Value::as_object) else { return };
    for name in properties.keys() {
        let pointer = format!("/properties/{name}");
        let Some(path) = InstancePath::parse(&pointer) else { continue };
        if path.get(model).is_none()
            && !generator.resource.is_read_only(&path)
            && let Some(value) = from_template(generator, &path, model)
        {
            path.set(model, value);
        }
    }
}

/// What the resource is called: the identifier part that says most, else a property named like the type.
fn own_name(resource: &ResourceType, context: &Context<'_>, model: &Value) -> String {
    let text = |value: Option<&Value>| {
        value.and_then(Value::as_str).filter(|text| !text.is_empty() && !text.starts_with("arn:")).map(str::to_owned)
    };
    let of_kind = [format!("{}Name", context.kind), "Name".to_owned(), format!("{}Id", context.kind), "Id".to_owned()];
    text(
        resource
            .primary_identifier
            .iter()
            .rev()
            .find_map(|path| text(path.get(model)).map(|_| path))
            .and_then(|path| path.get(model)),
    )
    .or_else(|| of_kind.iter().find_map(|name| text(model.get(name))))
    .unwrap_or_else(|| context.entropy.within("own name").lower(12))
}

fn from_template(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> Option<Value> {
    let template = generator.context.knowledge.template(&generator.resource.name, path.pointer())?;
    let mut entropy = generator.context.entropy.within(path.pointer());
    let text = Value::String(generator.context.fill(template, model, &mut entropy)?);
    let is_fitting = generator.resource.node(path).is_none_or(|node| generator.validator.accepts(node, &text));
    is_fitting.then_some(text)
}

/// Adds the value of one read-only path; `is_last_round` when everything that it could be made of is there.
fn add(generator: &Generator<'_>, path: &InstancePath, model: &mut Value, is_last_round: bool) {
    let resource = generator.resource;
    let is_identifier = resource.primary_identifier.iter().any(|part| part.segments() == path.segments());
    if let Some(template) = generator.context.knowledge.template(&resource.name, path.pointer()) {
        // A template decides alone: what it does not make for this model does not exist.
        match (path.get(model), from_template(generator, path, model)) {
            (None, Some(value)) => {
                path.set(model, value);
            }
            (None, None) if is_identifier && is_last_round => {
                path.set(model, Value::String(generator.context.entropy.within(path.pointer()).lower(20)));
            }
            (Some(_), None) if template.starts_with("{?") => path.remove(model),
            (None | Some(_), _) => {}
        }
        return;
    }
    if is_identifier && path.get(model).is_none() {
        let entropy = generator.context.entropy.within(path.pointer());
        let made = resource.node(path).and_then(|node| generator.value(node, path.short_name(), &entropy));
        path.set(model, made.unwrap_or_else(|| Value::String(entropy.clone().lower(20))));
        return;
    }
    if is_silent(path.short_name()) {
        return;
    }
    let Some(node) = resource.node(path) else { return };
    let is_inside_read_only = resource
        .read_only
        .iter()
        .any(|other| other.segments().len() < path.segments().len() && path.segments().starts_with(other.segments()));
    if is_inside_read_only {
        return;
    }
    path.parents(model, &mut |at, last, members: &mut Map<String, Value>| {
        if members.contains_key(last) {
            return;
        }
        let entropy = generator.context.entropy.within(&format!("{at}/{last}"));
        if let Some(value) = generator.shallow(node, last, &entropy)
            && !crate::json::is_empty(&value)
        {
            members.insert(last.to_owned(), value);
        }
    });
}

/// Names of values that only a resource in trouble has.
fn is_silent(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["reason", "message", "error", "failure", "failed", "deletiontime", "deletedat", "nexttoken"]
        .iter()
        .any(|word| name.contains(word))
}
