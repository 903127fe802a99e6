//! The forms of the messages about the provider itself, its schema and configuration, and of calls of functions.

use serde_json::{Value as Json, json};

use super::super::super::pb;
use super::{Fields, Form, failures};

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

impl Form for pb::ConfigureErrorMissingKeys {
    fn form(&self) -> Json {
        let keys = self.missing_keys.iter();
        let keys: Vec<_> = keys.map(|key| json!({"name": key.name, "description": key.description})).collect();
        json!({ "missingKeys": keys })
    }
}
