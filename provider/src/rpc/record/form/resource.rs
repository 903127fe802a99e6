//! The forms of the messages of a resource's life.

use protocol::pulumirpc::check_request::autonaming_options::Mode;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use serde_json::{Map as JsonMap, Value as Json, json};

use super::super::super::pb;
use super::{Fields, Form, failures};

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
