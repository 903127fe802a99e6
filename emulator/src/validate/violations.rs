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

/// The keywords behind the lines of a failed validation, for counting.
const BEHIND: [(&str, &str); 16] = [
    ("expected type: ", "type"),
    ("required key [", "required"),
    ("extraneous key [", "additionalProperties"),
    ("expected minLength: ", "minLength"),
    ("expected maxLength: ", "maxLength"),
    ("expected minimum item count: ", "minItems"),
    ("expected maximum item count: ", "maxItems"),
    ("array items are not unique", "uniqueItems"),
    ("minimum size: ", "minProperties"),
    ("maximum size: ", "maxProperties"),
    ("property [", "dependencies"),
    ("only ", "allOf"),
    ("no subschema matched", "anyOf"),
    ("subschemas matched instead of one", "oneOf"),
    ("failed validation constraint for keyword [pattern]", "pattern"),
    ("failed validation constraint for keyword [", "other"),
];

/// The keywords that a message is about; none for a message of another kind.
pub(crate) fn keywords(message: &str) -> Vec<&'static str> {
    let Some((_, lines)) = message.split_once("Model validation failed (") else { return Vec::new() };
    let keyword = |line: &str| {
        let (_, what) = line.split_once(": ")?;
        BEHIND.iter().find(|(text, _)| what.contains(text)).map(|(_, keyword)| *keyword)
    };
    lines.lines().filter_map(keyword).collect()
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

#[cfg(test)]
mod tests {
    use super::keywords;

    #[test]
    fn messages_say_which_keywords_failed() {
        let message = "Model validation failed (#/A: expected type: String, found: Integer\n#: required key [property [x]] not found\n\
                       #/B: failed validation constraint for keyword [pattern]\n#/C: failed validation constraint for keyword [enum])";
        assert_eq!(keywords(message), ["type", "required", "pattern", "other"]);
        assert_eq!(keywords("The type 'X' cannot be found."), [] as [&str; 0]);
    }
}
