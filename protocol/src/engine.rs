//! Messages to the user, by way of the engine.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use tonic::transport::{Channel, Endpoint};

use crate::pulumirpc::engine_client;
use crate::pulumirpc::{LogRequest, LogSeverity};

/// How long the engine may take over one message before it is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// The engine that a plugin belongs to.
///
/// Clones share the engine. It is connected to when the first message is sent, and any trouble with it is nobody's
/// problem: messages are dropped while there is no engine, or none that answers.
#[derive(Debug, Clone, Default)]
pub struct EngineClient {
    engine: Arc<RwLock<Option<Arc<Engine>>>>,
}

/// One engine address. The channel needs a running runtime, hence it is not made before it is used.
#[derive(Debug)]
struct Engine {
    address: String,
    channel: OnceLock<Option<Channel>>,
}

impl EngineClient {
    /// A client without an engine.
    pub fn detached() -> Self {
        Self::default()
    }

    /// A client of the engine at `address` (`host:port`).
    pub fn attached(address: &str) -> Self {
        let client = Self::detached();
        client.attach(address);
        client
    }

    /// Talks to the engine at `address` from now on.
    pub fn attach(&self, address: &str) {
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        if engine.as_ref().is_none_or(|engine| engine.address != address) {
            *engine = Some(Arc::new(Engine { address: address.to_owned(), channel: OnceLock::new() }));
        }
    }

    /// The address of the engine, if there is one.
    pub fn address(&self) -> Option<String> {
        self.current().map(|engine| engine.address.clone())
    }

    /// Sends a message about the resource `urn` (empty for none) and waits until the engine has it.
    ///
    /// An `ephemeral` message is shown in the status line only. Waiting keeps messages in order and before the answer
    /// that they belong to; it ends after five seconds at most.
    pub async fn log(&self, severity: LogSeverity, urn: &str, message: &str, ephemeral: bool) {
        let Some(channel) = self.current().and_then(|engine| engine.channel()) else {
            return;
        };
        let request = LogRequest {
            severity: severity.into(),
            message: message.to_owned(),
            urn: urn.to_owned(),
            stream_id: 0,
            ephemeral,
        };
        let mut client = engine_client::EngineClient::new(channel);
        match tokio::time::timeout(PATIENCE, client.log(request)).await {
            Ok(Ok(_)) => {}
            // The message itself is not repeated: it may be long.
            Ok(Err(status)) => tracing::debug!(code = ?status.code(), "the engine did not take a message"),
            Err(_) => tracing::debug!("the engine did not take a message in time"),
        }
    }

    /// Sends a message for people who look into a problem.
    pub async fn debug(&self, urn: &str, message: &str) {
        self.log(LogSeverity::Debug, urn, message, false).await;
    }

    /// Sends a message that the user should see.
    pub async fn info(&self, urn: &str, message: &str) {
        self.log(LogSeverity::Info, urn, message, false).await;
    }

    /// Sends a message that the user should act on.
    pub async fn warning(&self, urn: &str, message: &str) {
        self.log(LogSeverity::Warning, urn, message, false).await;
    }

    /// Shows what is going on in the status line of the resource.
    pub async fn status(&self, urn: &str, message: &str) {
        self.log(LogSeverity::Info, urn, message, true).await;
    }

    fn current(&self) -> Option<Arc<Engine>> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Engine {
    fn channel(&self) -> Option<Channel> {
        self.channel.get_or_init(|| endpoint(&self.address).map(|endpoint| endpoint.connect_lazy())).clone()
    }
}

/// The endpoint of an engine, or `None` when the address is none.
pub(crate) fn endpoint(address: &str) -> Option<Endpoint> {
    match Endpoint::from_shared(format!("http://{address}")) {
        Ok(endpoint) => Some(endpoint.connect_timeout(PATIENCE).tcp_nodelay(true)),
        Err(_) => {
            tracing::warn!(address, "the engine address is not host:port; messages to the engine are dropped");
            None
        }
    }
}
