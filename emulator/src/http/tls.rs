//! TLS: certificate and key of a server, and the streams that it makes of connections.

use crate::error::EmulatorError;
use crate::options::TlsFiles;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// Reads certificate and key.
///
/// # Errors
///
/// [`EmulatorError::Options`] when a file cannot be read or both do not go together.
pub(crate) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, EmulatorError> {
    let wrong = |path: &Path, reason: &dyn std::fmt::Display| EmulatorError::Options {
        reason: format!("{}: {reason}", path.display()),
    };
    let (file, key_file) = (&files.certificate, &files.key);
    let certificates: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(file).map_err(|error| wrong(file, &error))?.collect();
    let certificates = certificates.map_err(|error| wrong(file, &error))?;
    if certificates.is_empty() {
        return Err(wrong(file, &"there is no certificate in it"));
    }
    let key = PrivateKeyDer::from_pem_file(key_file).map_err(|error| wrong(key_file, &error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(certificates, key));
    let mut config = config.map_err(|error| wrong(file, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// A connection, plain or not. The handshake is done by whoever reads or writes first, so that a client that never ends
/// it holds up nobody else.
pub(crate) enum Wire {
    Plain(TcpStream),
    Shaking(Box<Accept<TcpStream>>),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(crate) fn new(socket: TcpStream, acceptor: Option<&TlsAcceptor>) -> Wire {
        match acceptor {
            None => Wire::Plain(socket),
            Some(acceptor) => Wire::Shaking(Box::new(acceptor.accept(socket))),
        }
    }

    /// The connection below.
    pub(crate) fn socket(&self) -> Option<&TcpStream> {
        match self {
            Wire::Plain(socket) => Some(socket),
            Wire::Shaking(accept) => accept.get_ref(),
            Wire::Tls(stream) => Some(stream.get_ref().0),
        }
    }

    /// Ends the handshake.
    fn poll_shaken(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Wire::Shaking(accept) = self {
            let stream = ready!(Pin::new(&mut **accept).poll(context))?;
            *self = Wire::Tls(Box::new(stream));
        }
        Poll::Ready(Ok(()))
    }
}

/// Does the same with either stream, after the handshake.
macro_rules! with {
    ($self:ident, $context:ident, $stream:ident => $do:expr) => {{
        ready!($self.poll_shaken($context))?;
        match &mut *$self {
            Wire::Plain($stream) => $do,
            Wire::Tls($stream) => $do,
            Wire::Shaking(_) => Poll::Pending,
        }
    }};
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        with!(self, context, stream => Pin::new(stream).poll_read(context, buffer))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        with!(self, context, stream => Pin::new(stream).poll_write(context, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        with!(self, context, stream => Pin::new(stream).poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        with!(self, context, stream => Pin::new(stream).poll_shutdown(context))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        with!(self, context, stream => Pin::new(stream).poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Wire::Plain(socket) => socket.is_write_vectored(),
            Wire::Tls(stream) => stream.is_write_vectored(),
            Wire::Shaking(_) => false,
        }
    }
}
