//! Asking a running emulator for a page, over HTTP/1.1, with or without TLS.

use super::trust;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use clap::Args;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::path::PathBuf;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// Which emulator is meant.
#[derive(Debug, Args)]
pub(crate) struct Remote {
    /// Where the emulator is, as its ready line says.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_URL")]
    url: String,
    /// The token of its pages, if it wants one.
    #[arg(long, value_name = "TOKEN", env = "CLOUDCONTROL_EMULATOR_ADMIN_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// For an https URL: the certificate of the emulator, or of who signed it, a PEM file.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_TLS_CA")]
    tls_ca: Option<PathBuf>,
}

/// A request for a page: method, page, body.
pub(super) type Asked = (Method, String, String);

/// Asks for a page; the elements of a list come on lines of their own.
///
/// # Errors
///
/// That the emulator cannot be reached, or what it said.
pub(super) fn ask(remote: &Remote, asked: Asked) -> Result<String, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let (status, text) = runtime.block_on(send(remote, asked))?;
    let answer: Value = serde_json::from_str(&text).map_err(|_| format!("{} is no emulator: {status}", remote.url))?;
    if status >= 400 {
        return Err(answer.get("error").and_then(Value::as_str).unwrap_or(&text).to_owned());
    }
    Ok(match &answer {
        Value::Array(lines) => lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    })
}

/// A connection with or without TLS.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

async fn send(remote: &Remote, (method, page, body): Asked) -> Result<(u16, String), String> {
    let url = &remote.url;
    let fails = |error: &dyn std::fmt::Display| format!("{url} cannot be reached: {error}");
    let (scheme, authority) = url.split_once("://").unwrap_or(("", url));
    let authority = authority.trim_end_matches('/');
    let connector = match (scheme, &remote.tls_ca) {
        ("http", _) => None,
        ("https", Some(file)) => Some(trust::connector(file)?),
        ("https", None) => {
            return Err(format!("{url}: give --tls-ca FILE, the certificate that the emulator serves as --tls-cert"));
        }
        _ => return Err(format!("{url}: http://HOST:PORT or https://HOST:PORT is wanted")),
    };
    let stream = TcpStream::connect(authority).await.map_err(|error| fails(&error))?;
    let stream: Box<dyn Stream> = match connector {
        None => Box::new(stream),
        Some(connector) => {
            let name = trust::server_name(authority).ok_or_else(|| format!("{url}: https://HOST:PORT is wanted"))?;
            Box::new(connector.connect(name, stream).await.map_err(|error| fails(&error))?)
        }
    };
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| fails(&error))?;
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(format!("/_emu/{page}")).header("host", authority);
    if let Some(token) = &remote.token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::from(body)).map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(|error| fails(&error))?;
    let status = answer.status().as_u16();
    let bytes = to_bytes(Body::new(answer.into_body()), usize::MAX).await.map_err(|error| fails(&error))?;
    Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
}
