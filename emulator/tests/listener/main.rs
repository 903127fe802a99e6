//! Connections: HTTP/1.1 that stays open, HTTP/2 without TLS, TLS with both, and hosts of the service itself.
//!
//! Certificate and key beside this file were made for it, hold for `localhost` and protect nothing.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../support/mod.rs"]
mod support;

use axum::body::{Body, HttpBody};
use axum::http::{Request, Response};
use emulator::{Emulator, Options, SchemaSource, TlsFiles};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use serde_json::{Value, json};
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

fn files() -> TlsFiles {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listener");
    TlsFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") }
}

fn start(tls: Option<TlsFiles>) -> Emulator {
    let schema = json!({"typeName": "A::B::C", "properties": {}, "handlers": {}}).to_string();
    let builder = Emulator::builder().schemas(SchemaSource::Texts(vec![schema]));
    builder.options(Options { tls, ..Options::default() }).start_blocking().unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A call that every emulator answers.
fn call(uri: &str, host: &str) -> Request<Body> {
    let request = Request::builder().method("POST").uri(uri);
    let request = if uri.starts_with('/') { request.header("host", host) } else { request };
    request.header("x-amz-target", "CloudApiService.ListResourceRequests").body(Body::from("{}")).unwrap()
}

async fn body(answer: Response<Incoming>) -> Value {
    let (parts, mut body) = answer.into_parts();
    assert_eq!(parts.status, 200);
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        bytes.extend_from_slice(frame.unwrap().data_ref().unwrap());
    }
    serde_json::from_slice(&bytes).unwrap()
}

fn empty() -> Value {
    json!({"ResourceRequestStatusSummaries": []})
}

async fn tls(port: u16, protocol: &str) -> TlsStream<TcpStream> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(files().certificate).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(protocol.as_bytes()));
    stream
}

#[test]
fn a_connection_serves_many_calls() {
    let emulator = start(None);
    runtime().block_on(async {
        let stream = TcpStream::connect(("127.0.0.1", emulator.port())).await.unwrap();
        let (mut sender, connection) = http1::handshake::<_, Body>(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        for _ in 0..3 {
            assert_eq!(body(sender.send_request(call("/", "emulator")).await.unwrap()).await, empty());
        }
    });
}

#[test]
fn http_2_needs_no_tls() {
    let emulator = start(None);
    runtime().block_on(async {
        let stream = TcpStream::connect(("127.0.0.1", emulator.port())).await.unwrap();
        let (mut sender, connection) =
            http2::handshake::<_, _, Body>(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let calls: Vec<_> = (0..20).map(|_| sender.send_request(call("http://emulator/", ""))).collect();
        for call in calls {
            assert_eq!(body(call.await.unwrap()).await, empty());
        }
    });
}

#[test]
fn tls_serves_both_versions() {
    let emulator = start(Some(files()));
    assert_eq!(emulator.url(), format!("https://127.0.0.1:{}", emulator.port()));
    runtime().block_on(async {
        // A client that never ends its handshake holds up nobody.
        let _idle = TcpStream::connect(("127.0.0.1", emulator.port())).await.unwrap();
        let stream = tls(emulator.port(), "http/1.1").await;
        let (mut sender, connection) = http1::handshake::<_, Body>(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        assert_eq!(body(sender.send_request(call("/", "localhost")).await.unwrap()).await, empty());
        let stream = tls(emulator.port(), "h2").await;
        let (mut sender, connection) =
            http2::handshake::<_, _, Body>(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        assert_eq!(body(sender.send_request(call("https://localhost/", "")).await.unwrap()).await, empty());
    });
}

#[test]
fn certificates_that_cannot_be_used_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let none = PathBuf::from("none.pem");
    for (files, expected) in [
        (TlsFiles { certificate: none.clone(), ..files() }, "none.pem: "),
        (TlsFiles { certificate: empty.clone(), ..files() }, "there is no certificate in it"),
        (TlsFiles { key: none, ..files() }, "none.pem: "),
        (TlsFiles { key: empty, ..files() }, "empty.pem: "),
    ] {
        let builder = Emulator::builder().schemas(SchemaSource::Texts(vec!["{\"typeName\":\"A::B::C\"}".to_owned()]));
        let error = builder.options(Options { tls: Some(files), ..Options::default() }).start_blocking().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn hosts_of_the_service_choose_region_and_service() {
    let emulator = start(None);
    let created = |host: &str| {
        runtime().block_on(async {
            let stream = TcpStream::connect(("127.0.0.1", emulator.port())).await.unwrap();
            let (mut sender, connection) = http1::handshake::<_, Body>(TokioIo::new(stream)).await.unwrap();
            tokio::spawn(connection);
            let request =
                Request::builder().method("GET").uri("/?Action=DescribeAvailabilityZones").header("host", host);
            let answer = sender.send_request(request.body(Body::empty()).unwrap()).await.unwrap();
            let (_, mut body) = answer.into_parts();
            let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await.unwrap().unwrap();
            String::from_utf8_lossy(frame.data_ref().unwrap()).into_owned()
        })
    };
    assert!(created("ec2.ap-south-1.amazonaws.com").contains("<zoneName>ap-south-1a</zoneName>"));
    assert!(created("ec2.cn-north-1.amazonaws.com.cn").contains("<zoneId>cnn1-az1</zoneId>"));
    assert!(created("127.0.0.1").contains("<zoneName>us-east-1a</zoneName>"));
    assert!(created("sts.eu-west-1.amazonaws.com").contains("DescribeAvailabilityZones of sts"));
}
