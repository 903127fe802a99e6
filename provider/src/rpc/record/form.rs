//! The JSON forms of messages: the field names of `provider.proto`, only fields that are set, structs as JSON with the
//! envelopes of secrets, bytes as hexadecimal digits.

use protocol::codec::{DecodeOptions, SECRET_SIGNATURE, decode};
use protocol::pulumirpc::check_request::autonaming_options::Mode;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use serde_json::{Map as JsonMap, Value as Json, json};
use value::Value;
use value::json::SIGNATURE_KEY;

use super::super::{Field, pb};

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

impl Form for pb::ProviderHandshakeRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("engine_address", &self.engine_address)
            .text("root_directory", self.root_directory.as_deref().unwrap_or_default())
            .text("program_directory", self.program_directory.as_deref().unwrap_or_default())
            .flag("configure_with_urn", self.configure_with_urn)
            .flag("supports_views", self.supports_views)
            .flag("supports_refresh_before_update", self.supports_refresh_before_update)
            .flag("invoke_with_preview", self.invoke_with_preview)
            .done()
    }
}

impl Form for pb::ProviderHandshakeResponse {
    fn form(&self) -> Json {
        Fields::default()
            .flag("accept_secrets", self.accept_secrets)
            .flag("accept_resources", self.accept_resources)
            .flag("accept_outputs", self.accept_outputs)
            .flag("supports_autonaming_configuration", self.supports_autonaming_configuration)
            .done()
    }
}

impl Form for pb::PluginAttach {
    fn form(&self) -> Json {
        Fields::default().text("address", &self.address).done()
    }
}

impl Form for pb::PluginInfo {
    fn form(&self) -> Json {
        Fields::default().text("version", &self.version).done()
    }
}

impl Form for pb::GetSchemaRequest {
    fn form(&self) -> Json {
        Fields::default()
            .number("version", self.version)
            .text("subpackage_name", &self.subpackage_name)
            .text("subpackage_version", &self.subpackage_version)
            .done()
    }
}

impl Form for pb::GetSchemaResponse {
    fn form(&self) -> Json {
        // Some thirty megabytes that are the same every time.
        Fields::default().text("schema", &format!("({} bytes)", self.schema.len())).done()
    }
}

impl Form for pb::ConfigureRequest {
    fn form(&self) -> Json {
        #[allow(deprecated)] // older engines send nothing else
        let variables = (!self.variables.is_empty()).then(|| json!(self.variables));
        Fields::default()
            .put("variables", variables)
            .structure("args", &self.args)
            .flag("acceptSecrets", self.accept_secrets)
            .flag("acceptResources", self.accept_resources)
            .flag("sends_old_inputs", self.sends_old_inputs)
            .flag("sends_old_inputs_to_delete", self.sends_old_inputs_to_delete)
            .text("id", self.id.as_deref().unwrap_or_default())
            .text("urn", self.urn.as_deref().unwrap_or_default())
            .text("name", self.name.as_deref().unwrap_or_default())
            .text("type", self.r#type.as_deref().unwrap_or_default())
            .done()
    }
}

impl Form for pb::ConfigureResponse {
    fn form(&self) -> Json {
        Fields::default()
            .flag("acceptSecrets", self.accept_secrets)
            .flag("supportsPreview", self.supports_preview)
            .flag("acceptResources", self.accept_resources)
            .flag("acceptOutputs", self.accept_outputs)
            .flag("supports_autonaming_configuration", self.supports_autonaming_configuration)
            .done()
    }
}

impl Form for pb::CheckRequest {
    fn form(&self) -> Json {
        let autonaming = self.autonaming.as_ref().map(|options| {
            let mode = Mode::try_from(options.mode).unwrap_or_default();
            let mode = (mode != Mode::Propose).then(|| json!(mode.as_str_name()));
            Fields::default().text("proposed_name", &options.proposed_name).put("mode", mode).done()
        });
        Fields::default()
            .text("urn", &self.urn)
            .structure("olds", &self.olds)
            .structure("news", &self.news)
            .bytes("randomSeed", &self.random_seed)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .put("autonaming", autonaming)
            .structure("old_outputs", &self.old_outputs)
            .done()
    }
}

impl Form for pb::CheckResponse {
    fn form(&self) -> Json {
        Fields::default().structure("inputs", &self.inputs).put("failures", failures(&self.failures)).done()
    }
}

impl Form for pb::DiffRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .text("urn", &self.urn)
            .structure("olds", &self.olds)
            .structure("news", &self.news)
            .texts("ignoreChanges", &self.ignore_changes)
            .structure("old_inputs", &self.old_inputs)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .done()
    }
}

impl Form for pb::DiffResponse {
    fn form(&self) -> Json {
        let detailed = self.detailed_diff.iter().map(|(path, diff)| {
            let kind = Kind::try_from(diff.kind).unwrap_or_default();
            let kind = (kind != Kind::Add).then(|| json!(kind.as_str_name()));
            (path.clone(), Fields::default().put("kind", kind).flag("inputDiff", diff.input_diff).done())
        });
        let detailed: JsonMap<String, Json> = detailed.collect();
        Fields::default()
            .texts("replaces", &self.replaces)
            .texts("stables", &self.stables)
            .flag("deleteBeforeReplace", self.delete_before_replace)
            .put("changes", Some(json!(DiffChanges::try_from(self.changes).unwrap_or_default().as_str_name())))
            .texts("diffs", &self.diffs)
            .put("detailedDiff", (!detailed.is_empty()).then_some(Json::Object(detailed)))
            .flag("hasDetailedDiff", self.has_detailed_diff)
            .done()
    }
}

impl Form for pb::CreateRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("urn", &self.urn)
            .structure("properties", &self.properties)
            .number("timeout", self.timeout)
            .flag("preview", self.preview)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .done()
    }
}

impl Form for pb::CreateResponse {
    fn form(&self) -> Json {
        Fields::default().text("id", &self.id).structure("properties", &self.properties).done()
    }
}

impl Form for pb::ReadRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .text("urn", &self.urn)
            .structure("properties", &self.properties)
            .structure("inputs", &self.inputs)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .number("timeout", self.timeout)
            .done()
    }
}

impl Form for pb::ReadResponse {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .structure("properties", &self.properties)
            .structure("inputs", &self.inputs)
            .done()
    }
}

impl Form for pb::UpdateRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .text("urn", &self.urn)
            .structure("olds", &self.olds)
            .structure("news", &self.news)
            .number("timeout", self.timeout)
            .texts("ignoreChanges", &self.ignore_changes)
            .flag("preview", self.preview)
            .structure("old_inputs", &self.old_inputs)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .done()
    }
}

impl Form for pb::UpdateResponse {
    fn form(&self) -> Json {
        Fields::default().structure("properties", &self.properties).done()
    }
}

impl Form for pb::DeleteRequest {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .text("urn", &self.urn)
            .structure("properties", &self.properties)
            .number("timeout", self.timeout)
            .structure("old_inputs", &self.old_inputs)
            .text("name", &self.name)
            .text("type", &self.r#type)
            .done()
    }
}

impl Form for pb::InvokeRequest {
    fn form(&self) -> Json {
        Fields::default().text("tok", &self.tok).structure("args", &self.args).flag("preview", self.preview).done()
    }
}

impl Form for pb::InvokeResponse {
    fn form(&self) -> Json {
        Fields::default().structure("return", &self.r#return).put("failures", failures(&self.failures)).done()
    }
}

impl Form for pb::ListRequest {
    fn form(&self) -> Json {
        #[allow(clippy::cast_precision_loss)] // a log of page sizes
        let count = |number: i64| number as f64;
        Fields::default()
            .text("token", &self.token)
            .structure("query", &self.query)
            .number("limit", count(self.limit))
            .number("page_size", count(self.page_size))
            .text("continuation_token", &self.continuation_token)
            .done()
    }
}

impl Form for pb::CallRequest {
    fn form(&self) -> Json {
        Fields::default().text("tok", &self.tok).structure("args", &self.args).done()
    }
}

impl Form for pb::CallResponse {
    fn form(&self) -> Json {
        Fields::default().structure("return", &self.r#return).put("failures", failures(&self.failures)).done()
    }
}

impl Form for pb::ConstructRequest {
    fn form(&self) -> Json {
        Fields::default().text("type", &self.r#type).text("name", &self.name).structure("inputs", &self.inputs).done()
    }
}

impl Form for pb::ConstructResponse {
    fn form(&self) -> Json {
        Fields::default().text("urn", &self.urn).structure("state", &self.state).done()
    }
}

impl Form for pb::ParameterizeRequest {
    fn form(&self) -> Json {
        json!({})
    }
}

impl Form for pb::ParameterizeResponse {
    fn form(&self) -> Json {
        Fields::default().text("name", &self.name).text("version", &self.version).done()
    }
}

impl Form for pb::GetMappingRequest {
    fn form(&self) -> Json {
        Fields::default().text("key", &self.key).text("provider", &self.provider).done()
    }
}

impl Form for pb::GetMappingResponse {
    fn form(&self) -> Json {
        Fields::default().text("provider", &self.provider).bytes("data", &self.data).done()
    }
}

impl Form for pb::GetMappingsRequest {
    fn form(&self) -> Json {
        Fields::default().text("key", &self.key).done()
    }
}

impl Form for pb::GetMappingsResponse {
    fn form(&self) -> Json {
        Fields::default().texts("providers", &self.providers).done()
    }
}

impl Form for pb::ErrorResourceInitFailed {
    fn form(&self) -> Json {
        Fields::default()
            .text("id", &self.id)
            .structure("properties", &self.properties)
            .texts("reasons", &self.reasons)
            .structure("inputs", &self.inputs)
            .done()
    }
}

impl Form for pb::ConfigureErrorMissingKeys {
    fn form(&self) -> Json {
        let keys = self.missing_keys.iter();
        let keys: Vec<_> = keys.map(|key| json!({"name": key.name, "description": key.description})).collect();
        json!({ "missingKeys": keys })
    }
}
