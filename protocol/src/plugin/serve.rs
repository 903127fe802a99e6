//! Serving until shutdown.

use std::convert::Infallible;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use super::PluginError;
use crate::MAX_MESSAGE_BYTES;
use crate::pulumirpc::resource_provider_server::{ResourceProvider, ResourceProviderServer};

/// How long calls may go on after shutdown was asked for. The engine kills a plugin after five seconds, and a process
/// should be gone within three.
pub const GRACE: Duration = Duration::from_millis(2500);

/// How serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    /// Every call was answered.
    Completely,
    /// Calls were still running after [`GRACE`].
    Partly,
}

/// What can be served: a generated server, or one with layers around it. It answers unknown paths itself, which all
/// generated servers do.
pub trait GrpcService:
    Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> GrpcService for S where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// The service of a resource provider, with the message limits of the protocol.
pub fn resource_provider<P: ResourceProvider>(provider: P) -> ResourceProviderServer<P> {
    ResourceProviderServer::new(provider)
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// Serves `service` until `shutdown` is cancelled, then takes no more calls and waits up to [`GRACE`] for those that run.
///
/// What waits for something should watch `shutdown` too, so that it ends by itself.
///
/// # Errors
///
/// [`PluginError::Serve`] when the server fails.
pub async fn serve(
    listener: TcpListener,
    service: impl GrpcService,
    shutdown: CancellationToken,
) -> Result<Drained, PluginError> {
    // Without this, an answer of two segments can wait for an acknowledgment that the peer delays by 40 ms.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let stopping = shutdown.clone();
    let server =
        Server::builder().serve_with_incoming_shutdown(service, incoming, async move { stopping.cancelled().await });
    let too_late = async {
        shutdown.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = server => Ok(served.map(|()| Drained::Completely)?),
        () = too_late => Ok(Drained::Partly),
    }
}
