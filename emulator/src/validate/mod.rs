//! Instances against schemas, with the outcomes and texts of the service.
//!
//! The service validates with a Java engine (everit, draft 7, strict types): all violations are collected, patterns
//! *find*, `5.0` is no integer, unknown formats are ignored, and the texts are what clients match on. A general
//! validator has other texts, another order and another idea of combinations, so that every error would have to be
//! translated back from its data; the keywords in use are few enough that a validator of our own is the smaller thing.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the walk: types, combinations, references |
//! | [`object`], [`scalar`] | keywords of objects and arrays, of strings and numbers |
//! | [`linter`] | keywords that only template linters know |
//! | [`violations`] | the texts |
//! | `corpus`, `figures`, `vectors` | tests: another validator's verdicts, durations, texts |

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod figures;
mod linter;
mod object;
mod scalar;
#[cfg(test)]
mod vectors;
pub(crate) mod violations;

use crate::schema::ResourceType;
use crate::schema::patterns::Patterns;
use serde_json::Value;
use violations::{Place, Violations};

/// References and combinations followed without a step into the instance; recursive definitions never need as many.
const STALL_LIMIT: usize = 48;

/// Checks instances of one type.
#[derive(Clone, Copy)]
pub(crate) struct Validator<'t> {
    resource: &'t ResourceType,
    patterns: &'t Patterns,
    /// Whether a required member that only the service can supply may be absent.
    excuses_read_only: bool,
}

impl<'t> Validator<'t> {
    pub(crate) fn new(resource: &'t ResourceType, patterns: &'t Patterns) -> Validator<'t> {
        Validator { resource, patterns, excuses_read_only: true }
    }

    /// Checks a whole model; `Err` has the text of the service.
    pub(crate) fn model(&self, model: &Value) -> Result<(), String> {
        let mut found = Violations::default();
        if model.is_object() {
            self.check(&self.resource.schema, model, &mut Place::root(), 0, &mut found);
        } else {
            found.add(&Place::root(), format_args!("expected type: JSONObject, found: {}", scalar::found_type(model)));
        }
        found.into_result()
    }

    /// Whether a value satisfies one node of the schema.
    pub(crate) fn accepts(&self, node: &Value, value: &Value) -> bool {
        self.is_valid(node, value, &mut Place::root(), 0)
    }

    /// The violations of a document against a schema that may refer to this type's schema, `None` without any.
    pub(crate) fn against(&self, schema: &Value, document: &Value) -> Option<String> {
        let mut found = Violations::default();
        let strict = Validator { excuses_read_only: false, ..*self };
        strict.check(schema, document, &mut Place::root(), 0, &mut found);
        found.text()
    }

    fn is_valid(&self, schema: &Value, value: &Value, place: &mut Place, stall: usize) -> bool {
        let mut found = Violations::default();
        self.check(schema, value, place, stall, &mut found);
        found.is_empty()
    }

    /// Adds every violation of `value` against `schema`.
    fn check(&self, schema: &Value, value: &Value, place: &mut Place, stall: usize, found: &mut Violations) {
        if stall > STALL_LIMIT {
            return;
        }
        let Some(keywords) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                found.keyword(place, "false");
            }
            return;
        };
        if let Some(target) = self.resource.reference(schema) {
            self.check(target, value, place, stall + 1, found);
        }
        self.check_type(keywords.get("type"), value, place, found);
        match value {
            Value::Object(members) => self.check_object(keywords, members, place, found),
            Value::Array(items) => self.check_array(keywords, items, place, found),
            Value::String(text) => scalar::check_string(keywords, text, self.patterns, place, found),
            Value::Number(number) => scalar::check_number(keywords, number, place, found),
            Value::Null | Value::Bool(_) => {}
        }
        let one_of = |allowed: &Value| {
            allowed.as_array().is_some_and(|all| all.iter().any(|one| crate::json::equal(one, value)))
        };
        if keywords.get("enum").is_some_and(|allowed| !one_of(allowed)) {
            found.keyword(place, "enum");
        }
        if keywords.get("const").is_some_and(|only| !crate::json::equal(only, value)) {
            found.keyword(place, "const");
        }
        self.check_combinations(keywords, value, place, stall, found);
    }

    fn check_type(&self, allowed: Option<&Value>, value: &Value, place: &Place, found: &mut Violations) {
        match allowed {
            Some(Value::String(expected)) if !scalar::is_type(expected, value) => {
                found.wrong_type(place, expected, value)
            }
            Some(Value::Array(expected)) => {
                let expected: Vec<&str> = expected.iter().filter_map(Value::as_str).collect();
                if !expected.iter().any(|expected| scalar::is_type(expected, value)) {
                    found.none_of(place, expected.len());
                    expected.iter().for_each(|expected| found.wrong_type(place, expected, value));
                }
            }
            _ => {}
        }
    }

    fn check_combinations(
        &self,
        keywords: &serde_json::Map<String, Value>,
        value: &Value,
        place: &mut Place,
        stall: usize,
        found: &mut Violations,
    ) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(branches) = keywords.get(keyword).and_then(Value::as_array) else { continue };
            let mut failures = Violations::default();
            let mut matching = 0;
            for branch in branches {
                let before = failures.len();
                self.check(branch, value, place, stall + 1, &mut failures);
                matching += usize::from(failures.len() == before);
            }
            match keyword {
                "allOf" if matching < branches.len() => found.some_of(place, matching, branches.len()),
                "anyOf" if matching == 0 => found.none_of(place, branches.len()),
                "oneOf" if matching == 0 => found.not_one_of(place, matching),
                "oneOf" if matching > 1 => {
                    found.not_one_of(place, matching);
                    continue;
                }
                _ => continue,
            }
            found.append(failures);
        }
        if let Some(excluded) = keywords.get("not")
            && self.is_valid(excluded, value, place, stall + 1)
        {
            found.keyword(place, "not");
        }
        if let Some(condition) = keywords.get("if") {
            let branch = if self.is_valid(condition, value, place, stall + 1) { "then" } else { "else" };
            if let Some(branch) = keywords.get(branch) {
                self.check(branch, value, place, stall + 1, found);
            }
        }
    }
}
