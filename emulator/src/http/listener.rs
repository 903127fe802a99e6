//! Connections, each with a handle that can end it in ways that no answer can.

use super::tls::Wire;
use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A TCP listener whose connections have handles, and TLS if there is an acceptor.
pub(crate) struct Listener {
    pub(crate) listener: TcpListener,
    pub(crate) tls: Option<TlsAcceptor>,
}

impl axum::serve::Listener for Listener {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        let (socket, address) = axum::serve::Listener::accept(&mut self.listener).await;
        // Answers are one write each; waiting for more would only delay them.
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        (Stream { socket: Wire::new(socket, self.tls.as_ref()), connection: Connection::default() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The handle of one connection. Requests find it as `ConnectInfo<Connection>`; clones are the same connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connection(Arc<Mutex<Orders>>);

#[derive(Debug, Default)]
struct Orders {
    end: Option<End>,
    /// Whoever waits to read or write.
    waiting: Vec<Waker>,
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// With a reset: the peer learns that the connection broke.
    Reset,
    /// In order, but at once, whatever was still to be said.
    Close,
}

impl Connection {
    /// Breaks the connection: the peer gets a TCP reset, and nothing of what was not sent yet.
    pub(crate) fn reset(&self) {
        self.order(End::Reset);
    }

    /// Ends the connection at once and in order, in the middle of an answer if need be.
    pub(crate) fn close(&self) {
        self.order(End::Close);
    }

    fn order(&self, end: End) {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        orders.end.get_or_insert(end);
        orders.waiting.drain(..).for_each(Waker::wake);
    }

    /// What was ordered; otherwise who is polling will be woken when something is.
    fn ordered(&self, context: &Context<'_>) -> Option<End> {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.end.is_none() && !orders.waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            orders.waiting.push(context.waker().clone());
        }
        orders.end
    }
}

impl Connected<IncomingStream<'_, Listener>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Connection {
        stream.io().connection.clone()
    }
}

/// A connection that follows the orders of its handle.
pub(crate) struct Stream {
    socket: Wire,
    connection: Connection,
}

impl Stream {
    /// The error that ends the connection, if one was ordered.
    fn ended(&self, context: &Context<'_>) -> io::Result<()> {
        match self.connection.ordered(context) {
            None => Ok(()),
            Some(End::Reset) => {
                // Without this the peer would see an orderly end.
                self.socket.socket().map_or(Ok(()), |socket| socket.set_zero_linger())?;
                Err(ErrorKind::ConnectionReset.into())
            }
            Some(End::Close) => Err(ErrorKind::ConnectionAborted.into()),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.ended(context)?;
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.ended(context)?;
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.ended(context)?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A connection that shall break is not ended in order by the server either.
        self.ended(context)?;
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.ended(context)?;
        Pin::new(&mut self.socket).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use axum::extract::ConnectInfo;
    use std::io::{Read, Write};

    /// What a client reads when the server orders `end` before it answers.
    fn met(end: fn(&Connection)) -> io::Result<usize> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = runtime.block_on(async {
            let listener = Listener { listener: TcpListener::bind("127.0.0.1:0").await.unwrap(), tls: None };
            let address = listener.listener.local_addr().unwrap();
            let router =
                axum::Router::new().fallback(move |ConnectInfo(connection): ConnectInfo<Connection>| async move {
                    end(&connection);
                    std::future::pending::<()>().await;
                });
            let service = router.into_make_service_with_connect_info::<Connection>();
            tokio::spawn(async move { axum::serve(listener, service).await });
            address
        });
        let mut client = std::net::TcpStream::connect(address).unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        client.read(&mut [0; 64])
    }

    #[test]
    fn handlers_can_break_their_connection_or_end_it() {
        assert_eq!(met(Connection::reset).map_err(|error| error.kind()), Err(ErrorKind::ConnectionReset));
        assert_eq!(met(Connection::close).map_err(|error| error.kind()), Ok(0));
    }
}
