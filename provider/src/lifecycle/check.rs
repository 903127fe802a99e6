//! Check: nulls go, a name and the default tags come, and what is left is validated. No call to AWS.
//!
//! The only effect is here: an engine that sends no seed gets names of the system's randomness. The rules below are
//! given the seed.

use value::{Map, Value};

use super::validate::Validation;
use super::{CheckAnswer, CheckRequest, Code, Failure, Settings};
use crate::autoname::Naming;
use crate::subject::Subject;
use crate::tags;

/// Validates and completes the inputs of a resource.
///
/// # Errors
///
/// No name could be generated, or what is given as tags holds none, so that default tags cannot be added.
pub fn check(subject: impl Into<Subject>, request: CheckRequest, settings: &Settings) -> Result<CheckAnswer, Failure> {
    let subject = subject.into();
    let CheckRequest { urn, olds, mut news, random_seed, naming } = request;
    remove_nulls(&mut news);
    if let Some(spec) = subject.auto_name() {
        let seed = if random_seed.is_empty() { drawn_seed() } else { random_seed };
        let naming = Naming {
            spec,
            logical_name: urn.name(),
            engine: naming.as_ref(),
            settings: settings.auto_naming,
            seed: &seed,
        };
        naming.apply(&olds, &mut news).map_err(|error| Failure::Refused {
            code: Code::InvalidArgument,
            message: format!("failed to apply auto-naming: {error}"),
        })?;
    }
    // Of the program's tags, before those of the configuration are among them.
    let mut warnings = tags::ignored::warnings(subject, &news);
    tags::defaults::merge(subject.resource, &settings.default_tags, &mut news)
        .map_err(|error| Failure::Refused { code: Code::InvalidArgument, message: error.to_string() })?;
    let Validation { mut failures, warnings: doubts } = Validation::of(subject.resource, &news);
    warnings.extend(doubts);
    failures.sort_by(|one, other| (&one.property, &one.reason).cmp(&(&other.property, &other.reason)));
    Ok(CheckAnswer { inputs: news, failures, warnings })
}

/// A seed of the system's randomness, 244 bits of it.
fn drawn_seed() -> Vec<u8> {
    [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].into_iter().flat_map(uuid::Uuid::into_bytes).collect()
}

/// Takes nulls out of objects and lists, at any depth and also inside secrets. What becomes empty stays: removing it
/// would change inputs that are recorded already.
fn remove_nulls(members: &mut Map) {
    members.retain(|_, value| {
        remove_inner_nulls(value);
        !is_nothing(value)
    });
}

fn remove_inner_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => remove_nulls(members),
        Value::Array(items) => items.retain_mut(|item| {
            remove_inner_nulls(item);
            !is_nothing(item)
        }),
        Value::Secret(inner) => remove_inner_nulls(inner),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Asset(_)
        | Value::Archive(_)
        | Value::Unknown(_)
        | Value::Output(_)
        | Value::Reference(_) => {}
    }
}

fn is_nothing(value: &Value) -> bool {
    value.unsecret().is_null()
}
