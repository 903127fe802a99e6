//! The JSON forms of messages: the field names of `provider.proto`, only fields that are set, structs as JSON with the
//! envelopes of secrets, bytes as hexadecimal digits. `resource` has the messages of a resource's life, `provider` the others.

mod provider;
mod resource;

use protocol::codec::{DecodeOptions, SECRET_SIGNATURE, decode};
use serde_json::{Map as JsonMap, Value as Json, json};
use value::Value;
use value::json::SIGNATURE_KEY;

use super::super::Field;
use super::super::pb;

/// A message that has a JSON form.
pub(in super::super) trait Form {
    /// The message as JSON.
    fn form(&self) -> Json;
}

/// Builds a form; fields with their default value are left out.
#[derive(Default)]
pub(super) struct Fields(JsonMap<String, Json>);

impl Fields {
    fn text(self, name: &str, text: &str) -> Self {
        self.put(name, (!text.is_empty()).then(|| json!(text)))
    }

    fn flag(self, name: &str, flag: bool) -> Self {
        self.put(name, flag.then_some(Json::Bool(true)))
    }

    fn number(self, name: &str, number: impl Into<f64>) -> Self {
        let number = value::json::number(number.into()).filter(|number| number.as_f64() != Some(0.0));
        self.put(name, number.map(Json::Number))
    }

    fn texts(self, name: &str, texts: &[String]) -> Self {
        self.put(name, (!texts.is_empty()).then(|| json!(texts)))
    }

    fn bytes(self, name: &str, bytes: &[u8]) -> Self {
        let digits = || bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        self.put(name, (!bytes.is_empty()).then(|| json!(digits())))
    }

    fn structure(self, name: &str, field: &Field) -> Self {
        self.put(name, field.as_ref().map(|bytes| structure(bytes)))
    }

    fn put(mut self, name: &str, json: Option<Json>) -> Self {
        self.0.extend(json.map(|json| (name.to_owned(), json)));
        self
    }

    fn done(self) -> Json {
        Json::Object(self.0)
    }
}

/// A struct as JSON. What cannot be read is not shown: nobody knows what in it is secret.
fn structure(bytes: &[u8]) -> Json {
    match decode(bytes, DecodeOptions::KEEP) {
        Ok(members) => members.iter().map(|(name, value)| (name.clone(), enveloped(value))).collect(),
        Err(_) => json!(format!("({} bytes that are no struct)", bytes.len())),
    }
}

/// A value as it travels.
fn enveloped(value: &Value) -> Json {
    match value {
        Value::Secret(inner) => json!({ SIGNATURE_KEY: SECRET_SIGNATURE, "value": enveloped(inner) }),
        Value::Unknown(unknown) => json!(unknown.sentinel()),
        Value::Array(items) => items.iter().map(enveloped).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), enveloped(value))).collect(),
        // Outputs and references are values by now; files are left to their own form.
        plain => value::json::to_json(plain).unwrap_or_else(|_| json!(format!("({})", plain.type_name()))),
    }
}

fn failures(failures: &[pb::CheckFailure]) -> Option<Json> {
    let mut pairs: Vec<_> = failures.iter().map(|failure| [&failure.property, &failure.reason]).collect();
    pairs.sort();
    (!pairs.is_empty()).then(|| json!(pairs))
}

impl Form for () {
    fn form(&self) -> Json {
        json!({})
    }
}
