//! The gRPC service of the provider: converts messages to requests of [`crate::lifecycle`] and back, and delegates.
//!
//! No rule about resources is decided here. What is here: which fields are decoded how ([`decode`]), which answers need
//! Configure first ([`configured`]), how failures become statuses ([`status`]), that no failure of ours ends the process
//! ([`shield`]), and the log of RPCs ([`record`]).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use protocol::engine::EngineClient;
use protocol::pulumirpc;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::cloud::client::Client;
use crate::cloud::notices::Once;
use crate::cloud::sdk::SdkApi;
use crate::cloud::tap::{self, Tapped};
use crate::subject::Subject;
use crate::tags::TagRules;
use crate::validate::Schemas;

pub use catalog::Catalog;
pub use inflight::InFlight;
pub use knowledge::Knowledge;
pub use shield::install_panic_hook;

mod catalog;
mod configuration;
mod configured;
mod decode;
mod diff;
pub mod functions;
mod inflight;
mod knowledge;
mod notices;
mod record;
mod resource;
pub mod schema;
mod service;
mod shield;
mod status;

/// The cloud of a configured provider.
pub type Cloud = Client<Tapped<SdkApi>>;

/// Reads one environment variable.
pub type ReadVariable = fn(&str) -> Option<String>;

/// The provider of one process.
pub struct Provider {
    catalog: Catalog,
    engine: EngineClient,
    /// The engine reads a resource before its next change, where an answer asks for it (`refresh_before_update`).
    engine_reads_first: AtomicBool,
    /// Cancelled by Cancel and by the end of the process; ends every wait, and is never re-armed.
    operations: CancellationToken,
    variables: ReadVariable,
    configured: configured::Slot,
    inflight: InFlight,
    recorder: record::Recorder,
    knowledge: Knowledge,
    schemas: Schemas,
    once: Arc<Once>,
}

impl Provider {
    /// A provider that is not configured yet.
    ///
    /// `shutdown` ends operations like Cancel does; `variables` reads the environment.
    pub fn new(catalog: Catalog, engine: EngineClient, shutdown: &CancellationToken, variables: ReadVariable) -> Self {
        Self {
            catalog,
            engine,
            engine_reads_first: AtomicBool::new(false),
            operations: shutdown.child_token(),
            variables,
            configured: configured::Slot::default(),
            inflight: InFlight::default(),
            recorder: record::Recorder::open(variables(record::VARIABLE)),
            knowledge: Knowledge::NONE,
            schemas: Schemas::new(Knowledge::NONE.schema),
            once: Arc::default(),
        }
    }

    /// The provider with what is known about types beyond the catalog.
    #[must_use]
    pub fn knowing(self, knowledge: Knowledge) -> Self {
        Self { knowledge, schemas: Schemas::new(knowledge.schema), ..self }
    }

    /// The operations that are running, for the last words of the process.
    pub fn inflight(&self) -> InFlight {
        self.inflight.clone()
    }

    /// Answers GetSchema chunk by chunk, for [`protocol::schema::WithSchema`].
    pub fn schema_source(
        &self,
    ) -> impl Fn(pb::GetSchemaRequest) -> Result<protocol::schema::SchemaText, Status> + Send + Sync + use<> {
        let (recorder, schema) = (self.recorder.clone(), self.catalog.package_schema);
        move |request| {
            let line = recorder.line("GetSchema", &request);
            let answer = schema::open(schema, &request);
            line.into_iter().for_each(|mut line| line.end(&answer, |_| serde_json::json!({"schema": "(streamed)"})));
            answer
        }
    }

    /// What Configure made.
    fn configured(&self) -> Result<Arc<configured::Configured>, Status> {
        self.configured.get().ok_or_else(|| {
            Status::failed_precondition(
                "provider is not configured: Configure must succeed before resources can be created, read, updated or \
                 deleted",
            )
        })
    }

    /// The type with this token as this provider treats it; `noun` is how the sentence for an unknown one begins.
    fn subject(&self, token: &str, noun: &str) -> Result<Subject, Status> {
        let resource = self.catalog.find(token, noun)?;
        let tags = self.configured.get().map_or(TagRules::AWS, |configured| configured.tags);
        Ok(Subject { resource, tags })
    }

    /// Shows warnings on a resource, as one message: each message waits for the engine. Cancel ends the wait.
    async fn warn(&self, urn: &str, warnings: &[String]) {
        let Some(text) = merge(warnings) else { return };
        tap::said("warning", &text);
        tokio::select! {
            biased;
            () = self.engine.warning(urn, &text) => {}
            () = self.operations.cancelled() => {}
        }
    }
}

/// The warnings of one call as one text, a line each; none for no warning. Beyond a dozen they are only counted.
fn merge(warnings: &[String]) -> Option<String> {
    const SHOWN: usize = 12;
    let left = warnings.len().saturating_sub(SHOWN);
    let mut text = warnings.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
    if left > 0 {
        text.push_str(&format!("\nand {left} more"));
    }
    (!text.is_empty()).then_some(text)
}

/// The version of the provider and of its package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The status of a method that this version does not have.
fn absent(method: &str, what: &str) -> Status {
    Status::unimplemented(format!(
        "{method} is not supported by version {VERSION} of the aws-native provider yet: {what}"
    ))
}

/// An absent struct of a request, as bytes.
type Field = Option<bytes::Bytes>;

/// Re-exported for the service.
use pulumirpc as pb;

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn warnings_become_one_message() {
        let warnings = |count: usize| (0..count).map(|index| format!("w{index}")).collect::<Vec<_>>();
        assert_eq!(merge(&[]), None);
        assert_eq!(merge(&warnings(1)).as_deref(), Some("w0"));
        assert_eq!(merge(&warnings(2)).as_deref(), Some("w0\nw1"));
        let text = merge(&warnings(1000)).unwrap_or_default();
        assert!(text.ends_with("\nw11\nand 988 more"), "{text}");
    }
}
