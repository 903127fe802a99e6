//! Values that the service makes: names, ids, ARNs, endpoints, times, states.
//!
//! Deterministic: the same seed, scope, type, desired state and number of earlier equal creates give the same values.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | which values a model needs, and in which order they are made |
//! | [`rules`] | values that the data files describe |
//! | [`placeholders`] | filling in their templates |
//! | [`arns`] | the ARN of a resource |
//! | [`counts`], [`echoes`] | values that repeat what the caller gave |
//! | [`elements`] | draws that follow the elements of lists |
//! | [`generate`], [`objects`] | a value for a node of a schema |
//! | [`candidates`] | likely texts by property name |
//! | [`touch`](mod@touch) | what an update moves |
//! | [`context`] | where and when |
//! | [`sample`] | desired states that a schema accepts, small and large |
//!
//! What is known about single types is in [`crate::overrides`].

mod arns;
mod candidates;
pub(crate) mod context;
mod counts;
mod echoes;
mod elements;
pub(crate) mod generate;
mod objects;
mod placeholders;
mod rules;
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod touch;

use crate::entropy::Entropy;
use crate::model::identifier;
use crate::overrides::file::ValueRule;
use crate::schema::patterns::Patterns;
use crate::schema::{InstancePath, ResourceType};
use crate::validate::Validator;
use context::Context;
use generate::Generator;
use rules::{Made, by_common_rule, by_rule};
use serde_json::{Map, Value};

/// Adds everything to a model that the service would make, leaving what is there.
///
/// Identifiers that the caller may choose get a name when they are absent, and so do names that the ARN is made of.
/// Read-only values inside a member exist only where that member does. Lists, reasons and messages are left out: a
/// healthy resource has nothing to say.
pub(crate) fn complete(resource: &ResourceType, patterns: &Patterns, context: &Context<'_>, model: &mut Value) {
    let mut generator = generator(resource, patterns, context);
    for path in &resource.primary_identifier {
        if !resource.is_read_only(path) && path.get(model).is_none() {
            let entropy = context.entropy.within(path.pointer());
            let value = known(&generator, path, model)
                .or_else(|| generator.name(resource.node(path)?, &entropy))
                .or_else(|| generator.value(resource.node(path)?, path.short_name(), &entropy))
                .unwrap_or_else(|| Value::String(entropy.clone().lower(20)));
            path.set(model, value);
        }
    }
    name_by_template(&generator, model);
    name_by_arn(&generator, model);
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
    // Twice, since a template may be made of what another one makes.
    for _ in 0..2 {
        add_described(&generator, model);
    }
    for path in &resource.read_only {
        add(&generator, path, model, true);
    }
}

/// Moves what an update moves; see [`touch`](mod@touch).
pub(crate) fn touch(resource: &ResourceType, patterns: &Patterns, context: &Context<'_>, model: &mut Value) {
    let mut generator = generator(resource, patterns, context);
    generator.own_name = own_name(resource, context, model);
    touch::touch(&generator, model);
}

fn generator<'g>(resource: &'g ResourceType, patterns: &'g Patterns, context: &'g Context<'g>) -> Generator<'g> {
    Generator { resource, validator: Validator::new(resource, patterns), context, own_name: String::new(), full_to: 0 }
}

fn is_id(path: &InstancePath) -> bool {
    let name = path.short_name().to_ascii_lowercase();
    name.ends_with("id") || name.ends_with("identifier") || name.ends_with("name")
}

/// What the data files say about a value, if they say that there is one.
fn known(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> Option<Value> {
    match by_rule(generator, path, model, |_| true) {
        Made::Value(value) => Some(value),
        Made::Unknown | Made::Absent | Made::Unfit => None,
    }
}

/// Names that are no identifier but that other values are made of have a template of their own.
fn name_by_template(generator: &Generator<'_>, model: &mut Value) {
    let facts = generator.context.knowledge.of_type(&generator.resource.name);
    let paths = facts.values.keys().filter_map(|pointer| InstancePath::parse(pointer));
    for path in paths.filter(|path| path.segments().len() == 1 && !path.has_each()) {
        if path.get(model).is_none()
            && !generator.resource.is_read_only(&path)
            && let Some(value) = known(generator, &path, model)
        {
            path.set(model, value);
        }
    }
}

/// A name that the ARN ends with is made by the service when the caller chose none.
fn name_by_arn(generator: &Generator<'_>, model: &mut Value) {
    let resource = generator.resource;
    let word = generator.context.knowledge.arn(&resource.name).and_then(|arn| arns::name_word(arn.text()));
    let (Some(word), Some(properties)) = (word, resource.schema.get("properties").and_then(Value::as_object)) else {
        return;
    };
    let names = [word.to_owned(), format!("{}Name", generator.context.kind), "Name".to_owned()];
    let property = names.iter().find_map(|name| properties.keys().find(|known| known.eq_ignore_ascii_case(name)));
    let Some(path) = property.and_then(|property| InstancePath::parse(&format!("/properties/{property}"))) else {
        return;
    };
    let is_hidden = resource.write_only.iter().any(|hidden| hidden.segments() == path.segments());
    if path.get(model).is_none()
        && !is_hidden
        && !resource.is_read_only(&path)
        && let Some(node) = resource.node(&path)
        && resource.keyword(node, "type").and_then(Value::as_str) == Some("string")
        && let Some(name) = generator.name(node, &generator.context.entropy.within(path.pointer()))
    {
        path.set(model, name);
    }
}

/// Values inside objects that the service makes as a whole: the schema lists the object, the data files its members.
fn add_described(generator: &Generator<'_>, model: &mut Value) {
    let facts = generator.context.knowledge.of_type(&generator.resource.name);
    for path in facts.values.keys().filter_map(|pointer| InstancePath::parse(pointer)) {
        let is_made = generator.resource.read_only.iter().any(|known| path.below(known.segments()).is_some());
        if is_made
            && path.get(model).is_none()
            && let Some(value) = known(generator, &path, model)
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

/// Adds the value of one read-only path; `is_last_round` when everything that it could be made of is there.
fn add(generator: &Generator<'_>, path: &InstancePath, model: &mut Value, is_last_round: bool) {
    let resource = generator.resource;
    let is_identifier = resource.primary_identifier.iter().any(|part| part.segments() == path.segments());
    if !path.has_each() && path.get(model).is_none() {
        match by_rule(generator, path, model, |_| true) {
            Made::Value(value) => {
                path.set(model, value);
                return;
            }
            // What the data files do not make for this model does not exist, but for an identifier.
            Made::Absent if !is_identifier => return,
            Made::Absent if !is_last_round => return,
            Made::Absent | Made::Unfit | Made::Unknown => {}
        }
        if let Some(arn) = arns::own(generator, path, model) {
            path.set(model, arn);
            return;
        }
    } else if !path.has_each() && vanishes(generator, path, model) {
        path.remove(model);
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
    let is_list = resource.keyword(node, "type").and_then(Value::as_str) == Some("array");
    if is_list && !resource.is_required(path) {
        return;
    }
    let is_inside_read_only = resource
        .read_only
        .iter()
        .any(|other| other.segments().len() < path.segments().len() && path.segments().starts_with(other.segments()));
    if is_inside_read_only {
        return;
    }
    let counted = counts::count(path.short_name(), model).map(Value::from);
    let counted = counted.filter(|count| generator.validator.accepts(node, count));
    let echoed = echoes::echo(resource, path, model).filter(|value| generator.validator.accepts(node, value));
    // What the caller gave says more than what a name means.
    let echoed = echoed.or_else(|| by_common_rule(generator, path, model).filter(|_| !path.has_each()));
    let draws = draws(generator, path, model);
    let last = path.short_name();
    elements::parents(resource, path, model, &draws, &mut |entropy, members: &mut Map<String, Value>| {
        if members.contains_key(last) {
            return;
        }
        let made = || generator.shallow(node, last, &entropy);
        if let Some(value) = counted.clone().or_else(|| echoed.clone()).or_else(made)
            && !crate::json::is_empty(&value)
        {
            members.insert(last.to_owned(), value);
        }
    });
}

/// The draws for a path: those of the create that made the resource, but those of the resource for elements, which an
/// update may bring along anew.
fn draws(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> Entropy {
    let context = generator.context;
    let identifier = identifier::of_model(generator.resource, model).filter(|_| path.has_each());
    match identifier {
        Some(identifier) => context.shared(&generator.resource.name).within(&identifier).within(path.pointer()),
        None => context.entropy.within(path.pointer()),
    }
}

/// Whether a value that is there does not exist any more, since the property that it depends on is gone.
fn vanishes(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> bool {
    let rule = generator.context.knowledge.value_rule(&generator.resource.name, path);
    let is_conditional = rule.is_some_and(|rule| match rule {
        ValueRule::One(template) => template.text().starts_with("{?"),
        ValueRule::Cases(_) => false,
    });
    is_conditional && matches!(by_rule(generator, path, model, |_| true), Made::Absent)
}

/// Names of values that only a resource in trouble has.
fn is_silent(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["reason", "message", "error", "failure", "failed", "deletiontime", "deletedat", "nexttoken"]
        .iter()
        .any(|word| name.contains(word))
}
