//! Typed reads of configuration values, which arrive typed or as text.

use std::collections::BTreeMap;

use value::{Map, Value};

use super::ConfigError;

/// Reads keys of one object; `prefix` names it in errors.
pub(super) struct Reader<'a> {
    values: &'a Map,
    prefix: &'static str,
}

impl<'a> Reader<'a> {
    /// Reads top-level keys.
    pub(super) fn new(values: &'a Map) -> Self {
        Self { values, prefix: "" }
    }

    /// Reads the members of the compound value of `key`.
    pub(super) fn nested(values: &'a Map, key: &'static str) -> Self {
        Self { values, prefix: key }
    }

    /// All keys with their values.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value.unsecret()))
    }

    fn value(&self, key: &str) -> Result<Option<&'a Value>, ConfigError> {
        match self.values.get(key).map(Value::unsecret) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::Unknown(_)) => Err(ConfigError::Unknown { key: self.path(key) }),
            Some(value) => Ok(Some(value)),
        }
    }

    /// Whether the value of `key` is marked secret as a whole.
    pub(super) fn is_secret(&self, key: &str) -> bool {
        self.values.get(key).is_some_and(Value::is_secret)
    }

    fn path(&self, key: &str) -> String {
        if self.prefix.is_empty() { key.to_owned() } else { format!("{}.{key}", self.prefix) }
    }

    fn wrong(&self, key: &str, expected: &str, found: &Value) -> ConfigError {
        ConfigError::Shape { key: self.path(key), reason: format!("expected {expected}, got {}", kind(found)) }
    }

    /// The refusal of a number that is none or out of range.
    pub(super) fn bad_integer(&self, key: &str, text: String, reason: &str) -> ConfigError {
        ConfigError::Integer { key: self.path(key), text, reason: reason.to_owned() }
    }

    /// Text; numbers and flags are written out, as stack configuration would have them.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, ConfigError> {
        match self.value(key)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            Some(other) => Err(self.wrong(key, "text", other)),
        }
    }

    /// The ARN of an IAM role of this form. Files and commands end with a line break, which is in no ARN.
    pub(super) fn role_arn(
        &self,
        key: &str,
        form: impl Fn(&str) -> Result<(), String>,
    ) -> Result<Option<String>, ConfigError> {
        let Some(arn) = self.text(key)?.map(|arn| arn.trim().to_owned()).filter(|arn| !arn.is_empty()) else {
            return Ok(None);
        };
        form(&arn).map_err(|reason| {
            let shown = if self.is_secret(key) { "its value".to_owned() } else { format!("{arn:?}") };
            ConfigError::Form { key: self.path(key), reason: format!("{shown} {reason}") }
        })?;
        Ok(Some(arn))
    }

    /// Every member as text. Here an empty text is one, unlike for the keys of a configuration; null is none.
    pub(super) fn texts(&self) -> Result<BTreeMap<String, String>, ConfigError> {
        let mut texts = BTreeMap::new();
        for (key, value) in self.entries() {
            let text = match value {
                Value::String(text) => Some(text.clone()),
                _ => self.text(key)?,
            };
            texts.extend(text.map(|text| (key.to_owned(), text)));
        }
        Ok(texts)
    }

    /// A flag, typed or as text.
    pub(super) fn boolean(&self, key: &str) -> Result<Option<bool>, ConfigError> {
        match self.value(key)? {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) => match parse_boolean(text) {
                Some(flag) => Ok(Some(flag)),
                None => Err(ConfigError::Boolean { key: self.path(key), text: text.clone() }),
            },
            Some(other) => Err(self.wrong(key, "true or false", other)),
        }
    }

    /// A whole number, typed or as decimal text.
    pub(super) fn integer(&self, key: &str) -> Result<Option<i64>, ConfigError> {
        let not_whole = |text: String| self.bad_integer(key, text, "expected a whole number");
        match self.value(key)? {
            None => Ok(None),
            Some(Value::Number(number)) => {
                // Above 2^53 a double no longer says which whole number was meant.
                if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
                    #[allow(clippy::cast_possible_truncation)] // whole and within 2^53
                    Ok(Some(*number as i64))
                } else {
                    Err(not_whole(number.to_string()))
                }
            }
            Some(Value::String(text)) => text.trim().parse().map(Some).map_err(|_| not_whole(text.clone())),
            Some(other) => Err(self.wrong(key, "a whole number", other)),
        }
    }

    /// An object, typed or as JSON text.
    pub(super) fn object(&self, key: &str) -> Result<Option<Map>, ConfigError> {
        match self.compound(key, "an object")? {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.wrong(key, "an object", &other)),
        }
    }

    /// An object, or a list of objects without its nulls, typed or as JSON text.
    pub(super) fn objects(&self, key: &str) -> Result<Vec<Map>, ConfigError> {
        const EXPECTED: &str = "an object, or a list of such objects";
        let one = |value: &Value| match value.unsecret() {
            Value::Object(object) => Ok(object.clone()),
            Value::Unknown(_) => Err(ConfigError::Unknown { key: self.path(key) }),
            other => Err(self.wrong(key, EXPECTED, other)),
        };
        match self.compound(key, EXPECTED)? {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items.iter().filter(|item| !item.unsecret().is_null()).map(one).collect(),
            Some(other) => Ok(vec![one(&other)?]),
        }
    }

    /// A list of text, typed or as JSON text; numbers and flags are written out, as in [`Self::text`].
    pub(super) fn strings(&self, key: &str) -> Result<Option<Vec<String>>, ConfigError> {
        match self.compound(key, "a list of text")? {
            None => Ok(None),
            Some(Value::Array(items)) => items
                .iter()
                .filter(|item| !item.unsecret().is_null())
                .map(|item| match item.unsecret() {
                    Value::String(text) => Ok(text.clone()),
                    Value::Number(number) => Ok(number.to_string()),
                    Value::Bool(flag) => Ok(flag.to_string()),
                    Value::Unknown(_) => Err(ConfigError::Unknown { key: self.path(key) }),
                    other => Err(self.wrong(key, "a list of text", other)),
                })
                .collect::<Result<_, _>>()
                .map(Some),
            Some(other) => Err(self.wrong(key, "a list of text", &other)),
        }
    }

    /// A compound value; text is read as JSON. `expected` is what an error says that it should be.
    pub(super) fn compound(&self, key: &str, expected: &str) -> Result<Option<Value>, ConfigError> {
        match self.value(key)? {
            None => Ok(None),
            Some(Value::String(text)) => match serde_json::from_str::<serde_json::Value>(text) {
                Ok(serde_json::Value::Null) => Ok(None),
                Ok(json) => Ok(Some(value::json::from_json(&json))),
                Err(error) => {
                    let reason = no_json(text, expected, &error);
                    Err(ConfigError::Shape { key: self.path(key), reason })
                }
            },
            Some(value) => Ok(Some(value.clone())),
        }
    }
}

/// Both sources by key. Marks of secrecy stay: what is read from them may go into inputs.
pub(super) fn merge(args: &Map, variables: &BTreeMap<String, String>) -> Map {
    let mut values = Map::new();
    for (name, text) in variables {
        let key = name.strip_prefix("aws-native:config:").or_else(|| name.strip_prefix("aws-native:")).unwrap_or(name);
        values.insert(key.to_owned(), Value::String(text.clone()));
    }
    for (key, value) in args {
        if !value.unsecret().is_null() {
            values.insert(key.clone(), value.clone());
        }
    }
    values
}

/// The spellings of flags that Pulumi's own tools accept.
pub(super) fn parse_boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// What is said of text that should be JSON. It is not quoted: some keys hold secrets.
fn no_json(text: &str, expected: &str, error: &serde_json::Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    match text.trim_start().starts_with(['[', '{']) {
        true if error.is_eof() => format!("expected {expected}, got JSON text that ends too early"),
        true => format!("expected {expected}, got JSON text with a mistake at {place}"),
        false => format!("expected {expected}, got other text: write it as JSON, or set its parts with `--path`"),
    }
}

fn kind(value: &Value) -> &'static str {
    match value.unsecret() {
        Value::Null => "null",
        Value::Bool(_) => "a flag",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
        _ => "something else",
    }
}
