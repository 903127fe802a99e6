//! What was found wrong, in the words of the service.
//!
//! Values never appear in a text: they may be secrets.

use super::scalar::found_type;
use serde_json::Value;

/// Where in the instance a check is.
#[derive(Debug, Default)]
pub(crate) struct Place {
    steps: Vec<String>,
}

impl Place {
    pub(crate) fn root() -> Place {
        Place::default()
    }

    pub(crate) fn steps(&self) -> &[String] {
        &self.steps
    }

    /// Runs `check` one step further in.
    pub(crate) fn within<R>(&mut self, step: impl Into<String>, check: impl FnOnce(&mut Place) -> R) -> R {
        self.steps.push(step.into());
        let result = check(self);
        self.steps.pop();
        result
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("#")?;
        self.steps.iter().try_for_each(|step| write!(f, "/{}", cfn::escape_token(step)))
    }
}

/// More violations than these are counted, not described: the text is cut at 2,048 characters anyway.
const DESCRIBED: usize = 64;

/// The violations of one check, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    lines: Vec<String>,
    count: usize,
}

impl Violations {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn add(&mut self, place: &Place, what: std::fmt::Arguments<'_>) {
        self.count += 1;
        if self.lines.len() < DESCRIBED {
            self.lines.push(format!("{place}: {what}"));
        }
    }

    pub(crate) fn append(&mut self, other: Violations) {
        self.count += other.count;
        self.lines.extend(other.lines);
        self.lines.truncate(DESCRIBED);
    }

    pub(crate) fn keyword(&mut self, place: &Place, keyword: &str) {
        self.add(place, format_args!("failed validation constraint for keyword [{keyword}]"));
    }

    pub(crate) fn wrong_type(&mut self, place: &Place, expected: &str, value: &Value) {
        let expected = match expected {
            "string" => "String",
            "integer" => "Integer",
            "number" => "Number",
            "boolean" => "Boolean",
            "array" => "JSONArray",
            "object" => "JSONObject",
            "null" => "Null",
            other => other,
        };
        self.add(place, format_args!("expected type: {expected}, found: {}", found_type(value)));
    }

    pub(crate) fn some_of(&mut self, place: &Place, matching: usize, all: usize) {
        self.add(place, format_args!("only {matching} subschema matches out of {all}"));
    }

    pub(crate) fn none_of(&mut self, place: &Place, all: usize) {
        self.add(place, format_args!("no subschema matched out of the total {all} subschemas"));
    }

    pub(crate) fn not_one_of(&mut self, place: &Place, matching: usize) {
        self.add(place, format_args!("{matching} subschemas matched instead of one"));
    }

    /// The texts on lines of their own, `None` without any.
    pub(crate) fn text(&self) -> Option<String> {
        (self.count > 0).then(|| self.lines.join("\n"))
    }

    /// The wrapped text of a failed model validation.
    pub(crate) fn into_result(self) -> Result<(), String> {
        self.text().map_or(Ok(()), |text| Err(format!("Model validation failed ({text})")))
    }
}
