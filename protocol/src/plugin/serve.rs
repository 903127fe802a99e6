//! Serving until shutdown.
//!
//! Connections go from hyper straight to the service. The server of tonic's transport puts a stack of layers between
//! them, for balancing, limits and peer addresses, none of which a plugin has a use for: they were 8 % of the
//! instructions of an empty call. A deadline of the caller's needs no layer either, since it resets the call's stream, and
//! that drops the handler.

use std::convert::Infallible;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::{Service, http};

use crate::MAX_MESSAGE_BYTES;
use crate::pulumirpc::resource_provider_server::{ResourceProvider, ResourceProviderServer};

/// How long calls may go on after shutdown was asked for. The engine kills a plugin after five seconds, and a process
/// should be gone within three.
pub const GRACE: Duration = Duration::from_millis(2500);

/// How long nothing is accepted after accepting failed, most likely for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

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
pub async fn serve(listener: TcpListener, service: impl GrpcService, shutdown: CancellationToken) -> Drained {
    let mut connections = http2::Builder::new(TokioExecutor::new());
    // The engine runs as many calls at once as the user allows it, and has no use for the date.
    connections.timer(TokioTimer::new()).max_concurrent_streams(None).auto_date_header(false);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!(%error, "a connection was not accepted");
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // Without this, an answer of two segments can wait for an acknowledgment that the peer delays by 40 ms. A
        // connection on which it fails is broken, as serving it will find out.
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        let service = service_fn(move |request: http::Request<_>| service.clone().call(request.map(Body::new)));
        let connection = open.watch(connections.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    // Who connects from now on is refused rather than left waiting.
    drop(listener);
    match timeout(GRACE, open.shutdown()).await {
        Ok(()) => Drained::Completely,
        Err(_) => Drained::Partly,
    }
}
