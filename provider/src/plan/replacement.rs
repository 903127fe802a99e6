//! Which of the two resources of a replacement must go first.

use metadata::model::ReplacementStrategy;
use metadata::view::Resource;
use value::{Map, Urn, Value};

use crate::autoname;
use crate::place::lookup;

/// Whether the old resource must be gone before the new one can come.
///
/// That is so where the schema says it, and where the new resource would have the old one's identifier because the
/// program fixes all of it. A generated name is drawn anew for a replacement, and a part that the service makes differs
/// anyway.
pub fn deletes_first(resource: Resource, urn: &Urn, olds: &Map, news: &Map) -> bool {
    if resource.replacement_strategy() == Some(ReplacementStrategy::DeleteThenCreate) {
        return true;
    }
    let parts = resource.primary_identifier();
    !parts.is_empty() && parts.iter().all(|part| stays(part, urn, olds, news))
}

fn stays(part: &str, urn: &Urn, olds: &Map, news: &Map) -> bool {
    let Some(new) = lookup(news, part).map(Value::unsecret) else { return false };
    if new.is_unknown() || new.as_str().is_some_and(|name| autoname::looks_generated(urn.name(), name)) {
        return false;
    }
    lookup(olds, part).is_some_and(|old| value::equality::equal_ignoring_secrets(old, new))
}
