//! Check: nulls go, a name and the default tags come, and what is left is validated. No call to AWS.
//!
//! The only effect is here: an engine that sends no seed gets names of the system's randomness. The rules below are
//! given the seed.

use value::{Map, Value};

use super::{CheckAnswer, CheckRequest, Code, Failure, Settings};
use crate::autoname::Naming;
use crate::subject::Subject;
use crate::validate::{Given, Schema, Validation};
use crate::{regions, tags};

/// What is known about a type beyond its metadata.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// Its schema.
    pub schema: Option<&'a Schema>,
    /// The provider's region, when that is known not to offer the type.
    pub absent: Option<Absence<'a>>,
}

/// A region that does not offer a type.
#[derive(Debug, Clone, Copy)]
pub struct Absence<'a> {
    /// The region.
    pub region: &'a str,
    /// The regions that do, in order.
    pub offered_in: &'a [&'a str],
}

/// [`check_with`] without any facts.
///
/// # Errors
///
/// Those of [`check_with`].
pub fn check(subject: impl Into<Subject>, request: CheckRequest, settings: &Settings) -> Result<CheckAnswer, Failure> {
    check_with(subject, request, settings, Facts::default())
}

/// Validates and completes the inputs of a resource.
///
/// # Errors
///
/// No name could be generated, or what is given as tags holds none, so that default tags cannot be added.
pub fn check_with(
    subject: impl Into<Subject>,
    request: CheckRequest,
    settings: &Settings,
    facts: Facts<'_>,
) -> Result<CheckAnswer, Failure> {
    let subject = subject.into();
    let CheckRequest { urn, olds, mut news, random_seed, naming } = request;
    remove_nulls(&mut news);
    let mut generated = None;
    if let Some(spec) = subject.auto_name() {
        generated = (!news.contains_key(spec.property)).then_some(spec.property);
        let seed = if random_seed.is_empty() { drawn_seed() } else { random_seed };
        let naming = Naming {
            spec,
            logical_name: urn.name(),
            engine: naming.as_ref(),
            settings: settings.auto_naming,
            seed: &seed,
            characters: facts
                .schema
                .zip(subject.properties().get(spec.property))
                .and_then(|(schema, property)| schema.characters(property.cfn_name())),
        };
        naming.apply(&olds, &mut news).map_err(|error| Failure::Refused {
            code: Code::InvalidArgument,
            message: format!("failed to apply auto-naming: {error}"),
        })?;
    }
    // Of the program's tags, before those of the configuration are among them.
    let mut warnings = tags::ignored::warnings(*subject, subject.tags, &news);
    tags::defaults::merge(subject.resource, &settings.default_tags, &mut news)
        .map_err(|error| Failure::Refused { code: Code::InvalidArgument, message: error.to_string() })?;
    let given = Given { schema: facts.schema, generated };
    let Validation { mut failures, doubts } = Validation::of(subject.resource, &news, given);
    match settings.strict {
        true => failures.extend(doubts),
        false => warnings.extend(doubts.into_iter().map(|doubt| doubt.reason)),
    }
    if let Some(Absence { region, offered_in }) = facts.absent {
        warnings.insert(0, regions::not_offered(subject.cfn_type(), region, offered_in));
    }
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
