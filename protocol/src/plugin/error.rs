//! Why a plugin cannot run.

use std::io;

/// Why a plugin cannot run.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// The port could not be bound.
    #[error("cannot listen on {address}: {source}; check PULUMI_PLUGIN_LISTEN_ADDRESS")]
    Listen {
        /// The address that was tried.
        address: String,
        /// Why not.
        source: io::Error,
    },
    /// The port could not be announced.
    #[error("cannot print the port on stdout: {source}")]
    Announce {
        /// Why not.
        source: io::Error,
    },
    /// The process cannot be told to stop.
    #[error("cannot handle signals: {source}")]
    Signals {
        /// Why not.
        source: io::Error,
    },
    /// The runtime could not be started.
    #[error("cannot start the runtime: {source}")]
    Runtime {
        /// Why not.
        source: io::Error,
    },
}
