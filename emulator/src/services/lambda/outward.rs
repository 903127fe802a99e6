//! Calls from functions to this machine: to programs beside the emulator, and to the emulator itself.

use crate::core::Core;
use crate::http::{self, host};
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, Uri};
use hyper_util::rt::TokioIo;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

/// How long a program may take for its answer, by the real clock; the longest that a function may run.
const LONGEST: Duration = Duration::from_secs(900);

/// The largest answer.
const LARGEST: usize = 6 << 20;

/// Why a function is not forwarded to a function.
pub(super) const LOOP: &str =
    "forward: the functions of this emulator are no program; a rule of its own for the function says what it does";

/// Where on this machine a call goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    uri: Uri,
    /// The address without its port.
    address: IpAddr,
    port: u16,
}

/// As [`plain`].
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&plain(&self.uri))
    }
}

/// An answer.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Place {
    /// A URL of this machine.
    ///
    /// # Errors
    ///
    /// That it is none.
    pub(super) fn parse(url: &str) -> Result<Place, String> {
        let wanted = "http://127.0.0.1:PORT/PATH is wanted; the emulator calls this machine only";
        let uri: Uri = url.parse().map_err(|_| format!("the URL cannot be read: {wanted}"))?;
        let wrong = || format!("{}: {wanted}", plain(&uri));
        if uri.scheme_str() != Some("http") {
            return Err(wrong());
        }
        let address = loopback(uri.host().unwrap_or_default()).ok_or_else(wrong)?;
        let has_port =
            uri.authority().is_some_and(|authority| !authority.as_str().ends_with(uri.host().unwrap_or_default()));
        let port = if has_port { uri.port_u16().filter(|port| *port > 0).ok_or_else(wrong)? } else { 80 };
        Ok(Place { port, address, uri })
    }

    /// Whether a call there is an invocation of a function of the emulator on this port.
    pub(super) fn is_function_of(&self, own: Option<u16>) -> bool {
        own == Some(self.port) && self.uri.path().starts_with(super::PREFIX)
    }
}

/// A URL as texts may have it: without the query, which is as good as a password in a presigned one, and without a user.
fn plain(uri: &Uri) -> String {
    let Some(scheme) = uri.scheme_str() else { return "a URL without a scheme".to_owned() };
    let port = uri.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{}{port}{}", uri.host().unwrap_or_default(), uri.path())
}

/// The loopback address that a host name stands for.
fn loopback(host: &str) -> Option<IpAddr> {
    if host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost") {
        return Some(Ipv4Addr::LOCALHOST.into());
    }
    let address: IpAddr = host.trim_start_matches('[').trim_end_matches(']').parse().ok()?;
    address.is_loopback().then_some(address)
}

/// Sends a request to a program on this machine.
///
/// # Errors
///
/// Why there is no answer.
pub(super) async fn call(
    place: &Place,
    method: Method,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Result<Heard, String> {
    let said = |error: &dyn std::fmt::Display| format!("{place}: {error}");
    let work = async {
        let stream = TcpStream::connect((place.address, place.port)).await.map_err(|error| said(&error))?;
        let connection = hyper::client::conn::http1::handshake::<_, Body>(TokioIo::new(stream)).await;
        let (mut sender, connection) = connection.map_err(|error| said(&error))?;
        let path = place.uri.path_and_query().map_or("/", |path| path.as_str());
        let authority = place.uri.authority().map_or("", |authority| authority.as_str());
        let mut request = Request::builder().method(method).uri(path).header("host", authority);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_empty() {
            // The client leaves it out of an empty body, and some servers wait for one or refuse what has none.
            request = request.header("content-length", "0");
        }
        let request = request.body(Body::from(body)).map_err(|error| said(&error))?;
        let answer = async {
            let answer = sender.send_request(request).await.map_err(|error| said(&error))?;
            let (parts, body) = answer.into_parts();
            let body = http::body::read_within(Body::new(body), LARGEST, LARGEST * 2).await;
            let body = body.map_err(|_| said(&"the answer broke off or is too large"))?;
            Ok(Heard { status: parts.status.as_u16(), headers: parts.headers, body })
        };
        tokio::pin!(answer);
        // The connection does its part for as long as the answer is awaited, and ends with it.
        tokio::select! {
            answer = &mut answer => answer,
            ended = connection => match ended {
                Ok(()) => answer.await,
                Err(error) => Err(said(&error)),
            },
        }
    };
    tokio::time::timeout(LONGEST, work).await.map_err(|_| said(&"no answer came in time"))?
}

/// Sends a body to a URL by PUT: to the emulator itself when the URL is its own or one of S3, else to this machine.
///
/// # Errors
///
/// Why it did not arrive.
pub(super) async fn put(core: &Arc<Core>, url: &str, body: Vec<u8>) -> Result<(), String> {
    let uri: Uri = url.parse().map_err(|_| "what stands there is no URL".to_owned())?;
    let shown = plain(&uri);
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let is_own = loopback(uri.host().unwrap_or_default()).is_some() && uri.port_u16() == core.port();
    let (status, text) = if is_own || host::parse(authority).service.as_deref() == Some("s3") {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let request = Request::builder().method(Method::PUT).uri(path).header("host", authority).body(());
        let (parts, ()) = request.map_err(|error| format!("{shown}: {error}"))?.into_parts();
        let answer = http::within(core, &parts, body).await;
        (answer.status, answer.body)
    } else {
        let answer = call(&Place::parse(url)?, Method::PUT, &[("content-type", "")], body).await?;
        (answer.status, answer.body)
    };
    if (200..300).contains(&status) {
        return Ok(());
    }
    Err(format!("PUT {shown} was answered with {status}: {}", String::from_utf8_lossy(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_on_this_machine() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("127.1.2.3", true),
            ("[::1]", true),
            ("localhost", true),
            ("bucket.LOCALHOST", true),
            ("10.0.0.1", false),
            ("example.com", false),
            ("", false),
        ] {
            assert_eq!(loopback(host).is_some(), expected, "{host}");
        }
        for url in ["http://localhost:99999/", "http://localhost:0/", "http://localhost:/", "http://127.0.0.1:x/"] {
            assert!(Place::parse(url).is_err(), "{url}");
        }
        let is_own = |url: &str| Place::parse(url).map(|place| place.is_function_of(Some(90)));
        assert_eq!(is_own("http://localhost:90/2015-03-31/functions/f/invocations"), Ok(true));
        assert_eq!(is_own("http://localhost:91/2015-03-31/functions/f/invocations"), Ok(false));
        assert_eq!(is_own("http://localhost:90/other"), Ok(false));
        assert_eq!(Place::parse("http://localhost/").map(|place| place.port), Ok(80));
        assert_eq!(Place::parse("http://[::1]:90/a?b").map(|place| place.port), Ok(90));
    }

    #[tokio::test]
    async fn texts_have_no_secrets_of_urls() {
        let wanted = "http://127.0.0.1:PORT/PATH is wanted; the emulator calls this machine only";
        for (url, expected) in [
            ("https://h.example.com/x?X-Amz-Signature=canary", format!("https://h.example.com/x: {wanted}")),
            ("http://me:canary@h.example.com:90/x", format!("http://h.example.com:90/x: {wanted}")),
            ("/x?X-Amz-Signature=canary", format!("a URL without a scheme: {wanted}")),
            ("http://h.example.com/ x?X-Amz-Signature=canary", format!("the URL cannot be read: {wanted}")),
        ] {
            assert_eq!(Place::parse(url).map(drop), Err(expected), "{url}");
        }
        // Nothing listens there any more.
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).map_or(1, |at| at.port());
        let place = Place::parse(&format!("http://127.0.0.1:{port}/x?X-Amz-Signature=canary"));
        let said = match place {
            Ok(place) => call(&place, Method::PUT, &[], Vec::new()).await.map(drop),
            Err(reason) => Err(reason),
        };
        let said = said.err().unwrap_or_default();
        assert!(said.starts_with(&format!("http://127.0.0.1:{port}/x: ")) && !said.contains("canary"), "{said}");
    }
}
