//! The gRPC service of the provider: converts messages to requests of [`crate::lifecycle`] and back, and delegates.
//!
//! No rule about resources is decided here. What is here: which fields are decoded how ([`decode`]), which answers need
//! Configure first ([`configured`]), how failures become statuses ([`status`]), and that no failure of ours ends the
//! process ([`shield`]).

use std::sync::Arc;

use protocol::engine::EngineClient;
use protocol::pulumirpc;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::cloud::client::Client;
use crate::cloud::sdk::SdkApi;

pub use catalog::Catalog;
pub use inflight::InFlight;
pub use shield::install_panic_hook;

mod catalog;
mod configuration;
mod configured;
mod decode;
mod diff;
mod inflight;
mod notices;
mod resource;
pub mod schema;
mod service;
mod shield;
mod status;

/// The cloud of a configured provider.
pub type Cloud = Client<SdkApi>;

/// Reads one environment variable.
pub type ReadVariable = fn(&str) -> Option<String>;

/// The provider of one process.
pub struct Provider {
    catalog: Catalog,
    engine: EngineClient,
    /// Cancelled by Cancel and by the end of the process; ends every wait, and is never re-armed.
    operations: CancellationToken,
    variables: ReadVariable,
    configured: configured::Slot,
    inflight: InFlight,
}

impl Provider {
    /// A provider that is not configured yet.
    ///
    /// `shutdown` ends operations like Cancel does; `variables` reads the environment.
    pub fn new(catalog: Catalog, engine: EngineClient, shutdown: &CancellationToken, variables: ReadVariable) -> Self {
        Self {
            catalog,
            engine,
            operations: shutdown.child_token(),
            variables,
            configured: configured::Slot::default(),
            inflight: InFlight::default(),
        }
    }

    /// The operations that are running, for the last words of the process.
    pub fn inflight(&self) -> InFlight {
        self.inflight.clone()
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

    /// Shows warnings on a resource, in order.
    async fn warn(&self, urn: &str, warnings: &[String]) {
        for warning in warnings {
            self.engine.warning(urn, warning).await;
        }
    }
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
