//! What ends a plugin: signals, and an engine that is gone.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tonic::Code;

use super::PluginError;
use crate::engine;
use crate::health::HealthCheckRequest;
use crate::health::health_client::HealthClient;

/// How often a plugin asks whether its engine is still there.
pub const HEALTH_INTERVAL: Duration = Duration::from_secs(5 * 60);

/// How long the engine may take to answer.
const HEALTH_PATIENCE: Duration = Duration::from_secs(30);

/// Cancels `shutdown` when the process is told to end. Returns once the signals are being watched.
///
/// # Errors
///
/// [`PluginError::Signals`] when they cannot be.
#[cfg(unix)]
pub fn on_signals(shutdown: CancellationToken) -> Result<(), PluginError> {
    use tokio::signal::unix::{SignalKind, signal};

    let to_error = |source| PluginError::Signals { source };
    let mut interrupt = signal(SignalKind::interrupt()).map_err(to_error)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(to_error)?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        shutdown.cancel();
    });
    Ok(())
}

/// Cancels `shutdown` when the process is told to end. Returns once the signals are being watched.
///
/// # Errors
///
/// [`PluginError::Signals`] when they cannot be.
#[cfg(windows)]
pub fn on_signals(shutdown: CancellationToken) -> Result<(), PluginError> {
    use tokio::signal::windows::{ctrl_break, ctrl_c};

    let to_error = |source| PluginError::Signals { source };
    let mut interrupt = ctrl_c().map_err(to_error)?;
    // This is what the engine sends, since a plugin has a process group of its own.
    let mut terminate = ctrl_break().map_err(to_error)?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        shutdown.cancel();
    });
    Ok(())
}

/// Waits until the engine at `address` is gone, asking every `interval` and for the first time after one.
///
/// An engine that does not know the health service is there. Any other error means that it is not.
pub async fn engine_lost(address: &str, interval: Duration) {
    let Some(endpoint) = engine::endpoint(address) else {
        // Nobody can be asked, which is no reason to end.
        return std::future::pending().await;
    };
    let mut client = HealthClient::new(endpoint.timeout(HEALTH_PATIENCE).connect_lazy());
    loop {
        tokio::time::sleep(interval).await;
        match client.check(HealthCheckRequest::default()).await {
            Ok(_) => {}
            Err(status) if status.code() == Code::Unimplemented => {}
            Err(status) => {
                tracing::info!(code = ?status.code(), "the engine is gone");
                return;
            }
        }
    }
}
