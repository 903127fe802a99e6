//! The port of a plugin, and the line on stdout that announces it.

use std::io::Write;
use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::PluginError;

/// The environment variable that names another address to listen on.
pub const ADDRESS_VARIABLE: &str = "PULUMI_PLUGIN_LISTEN_ADDRESS";

/// The loopback interface, with a port that the system chooses. The engine dials IPv4.
const DEFAULT_ADDRESS: &str = "127.0.0.1:0";

/// Binds `address`, or a free port of the loopback interface when there is none.
///
/// An address is `host:port`, or a host alone, which leaves the port to the system.
///
/// # Errors
///
/// [`PluginError::Listen`] when the address cannot be bound.
pub async fn bind(address: Option<&str>) -> Result<TcpListener, PluginError> {
    let address = address.filter(|address| !address.is_empty()).unwrap_or(DEFAULT_ADDRESS);
    let has_port = address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let full = if has_port { address.to_owned() } else { format!("{address}:0") };
    TcpListener::bind(&full).await.map_err(|source| PluginError::Listen { address: address.to_owned(), source })
}

/// Tells the engine the port, which must be the first thing on stdout.
///
/// # Errors
///
/// [`PluginError::Announce`] when stdout cannot be written to.
pub fn announce(address: SocketAddr, mut stdout: impl Write) -> Result<(), PluginError> {
    // One write: the engine reads up to the newline.
    let line = format!("{}\n", address.port());
    stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()).map_err(|source| PluginError::Announce { source })
}
