//! How long operations take: a class, a draw within its bounds, and the limit that the handler sets.

use super::plan::Submission;
use crate::core::Core;
use crate::entropy::Entropy;
use crate::options::Profile;
use crate::overrides::file::{Class, Latencies, TypeFacts};
use crate::schema::{Handler, ResourceType};
use crate::store::Kind;
use std::time::Duration;

/// How an operation proceeds. Everything is scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// How long the work takes.
    pub(crate) duration: Duration,
    /// The longest that a client is asked to wait between two looks.
    pub(crate) interval: Duration,
}

/// The least and the most of a class, and the longest pause between two looks, in seconds.
fn bounds(class: Class) -> (f64, f64, f64) {
    match class {
        Class::Instant => (0.0, 0.0, 1.0),
        Class::Fast => (0.2, 1.0, 1.0),
        Class::Normal => (1.0, 5.0, 2.0),
        Class::Slow => (10.0, 60.0, 5.0),
        Class::Glacial => (300.0, 1_800.0, 30.0),
    }
}

/// The handler that a request runs.
fn handler(operation: Kind) -> Handler {
    match operation {
        Kind::Create => Handler::Create,
        Kind::Update => Handler::Update,
        Kind::Delete => Handler::Delete,
    }
}

/// The class of an operation: what the profile says, else what is known about the type, else what its handler allows itself.
///
/// Handlers with the longest limits may still be quick, so nothing is glacial by its limit alone.
fn class(profile: &Profile, facts: &TypeFacts, resource: &ResourceType, operation: Kind) -> Class {
    let of = |latencies: Latencies| match operation {
        Kind::Create => latencies.create,
        Kind::Update => latencies.update,
        Kind::Delete => latencies.delete,
    };
    let known = profile.latency(&resource.name).and_then(of).or_else(|| of(facts.latency));
    let by_limit = || match resource.timeout(handler(operation)).as_secs() / 60 {
        0..=5 => Class::Fast,
        6..=120 => Class::Normal,
        _ => Class::Slow,
    };
    known.unwrap_or_else(by_limit)
}

/// Draws how an operation proceeds.
pub(crate) fn pace(core: &Core, submission: &Submission<'_>, mut entropy: Entropy) -> Pace {
    let facts = core.knowledge.of_type(&submission.resource.name);
    let (least, most, interval) =
        bounds(class(&core.options.profile, &facts, submission.resource, submission.operation));
    let scale = core.options.time_scale();
    Pace { duration: seconds(entropy.log_normal(least, most) * scale), interval: seconds(interval * scale) }
}

/// A duration of a class, scaled.
pub(crate) fn drawn(class: Class, scale: f64, mut entropy: Entropy) -> Duration {
    let (least, most, _) = bounds(class);
    seconds(entropy.log_normal(least, most) * scale)
}

/// The longest that an operation may take, scaled.
pub(crate) fn limit(core: &Core, resource: &ResourceType, operation: Kind) -> Duration {
    seconds(resource.timeout(handler(operation)).as_secs_f64() * core.options.time_scale())
}

/// A duration in whole milliseconds; nothing that cannot be one.
pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64((seconds * 1000.0).round() / 1000.0).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn classes_follow_data_and_limits() {
        let slow_create = TypeFacts {
            latency: crate::overrides::file::Latencies { create: Some(Class::Glacial), ..Default::default() },
            ..TypeFacts::default()
        };
        for (minutes, operation, facts, expected) in [
            (json!(null), Kind::Create, TypeFacts::default(), Class::Normal),
            (json!(2), Kind::Create, TypeFacts::default(), Class::Fast),
            (json!(5), Kind::Update, TypeFacts::default(), Class::Fast),
            (json!(6), Kind::Delete, TypeFacts::default(), Class::Normal),
            (json!(120), Kind::Delete, TypeFacts::default(), Class::Normal),
            (json!(2160), Kind::Delete, TypeFacts::default(), Class::Slow),
            (json!(2), Kind::Create, slow_create.clone(), Class::Glacial),
            (json!(2), Kind::Delete, slow_create, Class::Fast),
        ] {
            let handlers = ["create", "update", "delete"].map(|name| (name, json!({"timeoutInMinutes": minutes})));
            let schema = json!({"handlers": handlers.into_iter().collect::<std::collections::BTreeMap<_, _>>()});
            let resource = ResourceType::new("A::B::C".to_owned(), schema);
            assert_eq!(class(&Profile::default(), &facts, &resource, operation), expected, "{minutes} {operation:?}");
        }
        assert_eq!(seconds(-1.0), Duration::ZERO);
        assert_eq!(seconds(0.0015), Duration::from_millis(2));
    }
}
