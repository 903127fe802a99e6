//! The keywords of objects and arrays.

use super::violations::{Place, Violations};
use super::{Validator, linter, scalar};
use serde_json::{Map, Value};
use std::collections::HashSet;

impl Validator<'_> {
    pub(super) fn check_object(
        &self,
        keywords: &Map<String, Value>,
        members: &Map<String, Value>,
        place: &mut Place,
        found: &mut Violations,
    ) {
        for name in crate::json::texts(keywords.get("required")) {
            if !members.contains_key(name) && !self.is_made_by_the_service(place, name) {
                found.add(place, format_args!("required key [{name}] not found"));
            }
        }
        let size = members.len() as u64;
        if let Some(least) = scalar::bound(keywords, "minProperties").filter(|least| size < *least) {
            found.add(place, format_args!("minimum size: [{least}], found: [{size}]"));
        }
        if let Some(most) = scalar::bound(keywords, "maxProperties").filter(|most| size > *most) {
            found.add(place, format_args!("maximum size: [{most}], found: [{size}]"));
        }
        self.check_dependencies(keywords, members, place, found);
        if self.resource.is_linted {
            linter::check(keywords, members, place, found);
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        let by_pattern = keywords.get("patternProperties").and_then(Value::as_object);
        let is_known = |key: &str| {
            properties.is_some_and(|properties| properties.contains_key(key))
                || by_pattern.is_some_and(|all| all.keys().any(|pattern| self.patterns.is_found(pattern, key)))
        };
        match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) => {
                for key in members.keys().filter(|key| !is_known(key)) {
                    found.add(place, format_args!("extraneous key [{key}] is not permitted"));
                }
            }
            Some(schema @ Value::Object(_)) => {
                for (key, member) in members.iter().filter(|(key, _)| !is_known(key)) {
                    place.within(key, |place| self.check(schema, member, place, 0, found));
                }
            }
            _ => {}
        }
        for (pattern, schema) in by_pattern.into_iter().flatten() {
            for (key, member) in members.iter().filter(|(key, _)| self.patterns.is_found(pattern, key)) {
                place.within(key, |place| self.check(schema, member, place, 0, found));
            }
        }
        for (name, schema) in properties.into_iter().flatten() {
            if let Some(member) = members.get(name) {
                place.within(name, |place| self.check(schema, member, place, 0, found));
            }
        }
    }

    /// A member that only the service can supply cannot be asked of the caller, whatever `required` says.
    fn is_made_by_the_service(&self, place: &Place, name: &str) -> bool {
        if !self.excuses_read_only {
            return false;
        }
        let mut steps = place.steps().to_vec();
        steps.push(name.to_owned());
        self.resource.read_only.iter().any(|path| path.matches(&steps))
    }

    fn check_dependencies(
        &self,
        keywords: &Map<String, Value>,
        members: &Map<String, Value>,
        place: &mut Place,
        found: &mut Violations,
    ) {
        let dependencies = keywords.get("dependencies").and_then(Value::as_object).into_iter().flatten();
        for (_, needed) in dependencies.filter(|(key, _)| members.contains_key(*key)) {
            match needed {
                Value::Array(names) => {
                    for name in names.iter().filter_map(Value::as_str).filter(|name| !members.contains_key(*name)) {
                        found.add(place, format_args!("property [{name}] is required"));
                    }
                }
                schema => self.check(schema, &Value::Object(members.clone()), place, 1, found),
            }
        }
    }

    pub(super) fn check_array(
        &self,
        keywords: &Map<String, Value>,
        items: &[Value],
        place: &mut Place,
        found: &mut Violations,
    ) {
        let count = items.len() as u64;
        if let Some(least) = scalar::bound(keywords, "minItems").filter(|least| count < *least) {
            found.add(place, format_args!("expected minimum item count: {least}, found: {count}"));
        }
        if let Some(most) = scalar::bound(keywords, "maxItems").filter(|most| count > *most) {
            found.add(place, format_args!("expected maximum item count: {most}, found: {count}"));
        }
        if keywords.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            if !items.iter().all(|item| seen.insert(item.to_string())) {
                found.add(place, format_args!("array items are not unique"));
            }
        }
        match keywords.get("items") {
            Some(Value::Array(each)) => {
                for (index, (schema, item)) in each.iter().zip(items).enumerate() {
                    place.within(index.to_string(), |place| self.check(schema, item, place, 0, found));
                }
            }
            Some(schema) => {
                for (index, item) in items.iter().enumerate() {
                    place.within(index.to_string(), |place| self.check(schema, item, place, 0, found));
                }
            }
            None => {}
        }
    }
}
