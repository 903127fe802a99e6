//! A provider over loopback.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "support/provider.rs"]
mod provider;

use std::io::{self, Cursor, Read};
use std::net::SocketAddr;

use protocol::MAX_MESSAGE_BYTES;
use protocol::engine::EngineClient;
use protocol::plugin::{Drained, GrpcService, listen, resource_provider, serve};
use protocol::pulumirpc::resource_provider_client::ResourceProviderClient;
use protocol::pulumirpc::resource_provider_server::ResourceProviderServer;
use protocol::pulumirpc::*;
use protocol::schema::{SchemaText, WithSchema};
use provider::TinyProvider;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;
use tonic::{Code, Status};

struct Running {
    client: ResourceProviderClient<Channel>,
    channel: Channel,
    shutdown: CancellationToken,
    server: JoinHandle<Drained>,
}

fn tiny(shutdown: CancellationToken) -> ResourceProviderServer<TinyProvider> {
    resource_provider(TinyProvider { engine: EngineClient::detached(), shutdown, schema: Vec::new })
}

async fn start<S: GrpcService>(service: impl FnOnce(CancellationToken) -> S) -> Running {
    let shutdown = CancellationToken::new();
    let listener = listen::bind(None).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(serve(listener, service(shutdown.clone()), shutdown.clone()));
    let channel = Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
    let client = ResourceProviderClient::new(channel.clone())
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    Running { client, channel, shutdown, server }
}

#[tokio::test]
async fn messages_beyond_the_usual_limit_pass() {
    let mut running = start(tiny).await;
    let inputs = bytes::Bytes::from(vec![b'x'; 20 * 1024 * 1024]);
    let request = CheckRequest { news: Some(inputs.clone()), ..CheckRequest::default() };
    let response = running.client.check(request).await.unwrap().into_inner();
    assert!(response.inputs == Some(inputs));
}

#[tokio::test]
async fn an_empty_struct_is_not_an_absent_one() {
    let mut running = start(tiny).await;
    for news in [None, Some(bytes::Bytes::new())] {
        let request = CheckRequest { news: news.clone(), ..CheckRequest::default() };
        assert_eq!(running.client.check(request).await.unwrap().into_inner().inputs, news);
    }
}

#[tokio::test]
async fn unknown_methods_are_unimplemented() {
    let running = start(tiny).await;
    for path in ["/pulumirpc.ResourceProvider/StreamInvoke", "/pulumirpc.ResourceProvider/", "/other.Service/Call"] {
        let mut client = tonic::client::Grpc::new(running.channel.clone());
        client.ready().await.unwrap();
        let codec = tonic_prost::ProstCodec::<(), ()>::default();
        let response = client.unary(tonic::Request::new(()), path.parse().unwrap(), codec).await;
        assert_eq!(response.unwrap_err().code(), Code::Unimplemented, "{path}");
    }
}

#[tokio::test]
async fn a_call_that_watches_for_shutdown_is_answered() {
    let running = start(tiny).await;
    let mut client = running.client.clone();
    let call = tokio::spawn(async move { client.read(ReadRequest::default()).await });
    // The answer to a second call shows that the first one has arrived.
    running.client.clone().get_plugin_info(()).await.unwrap();
    running.shutdown.cancel();
    assert_eq!(call.await.unwrap().unwrap_err().code(), Code::Cancelled);
    // The server waits for connections too; a client that is done closes its own.
    drop((running.client, running.channel));
    assert_eq!(running.server.await.unwrap(), Drained::Completely);
}

/// A provider with a schema of its own.
async fn with_schema(
    source: impl Fn(GetSchemaRequest) -> Result<SchemaText, Status> + Send + Sync + 'static,
) -> Running {
    start(|shutdown| WithSchema::new(tiny(shutdown), source)).await
}

#[tokio::test]
async fn a_schema_is_streamed() {
    for length in [0, 1, 127, 128, 64 * 1024, 11 * 1024 * 1024 + 7] {
        let text: Vec<u8> = (0..length).map(|position| b'a' + (position % 26) as u8).collect();
        let source = text.clone();
        let mut running = with_schema(move |_| Ok(SchemaText::new(source.len(), Cursor::new(source.clone())))).await;
        let response = running.client.get_schema(GetSchemaRequest::default()).await.unwrap().into_inner();
        assert!(response.schema == text, "{length} bytes");
        // Other calls reach the service inside.
        assert_eq!(running.client.get_plugin_info(()).await.unwrap().into_inner().version, "1.2.3");
    }
}

#[tokio::test]
async fn a_schema_request_is_read() {
    let mut running =
        with_schema(|request| Err(Status::invalid_argument(format!("unsupported schema version {}", request.version))))
            .await;
    let request = GetSchemaRequest { version: 7, ..GetSchemaRequest::default() };
    let status = running.client.get_schema(request).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "unsupported schema version 7"));
}

#[tokio::test]
async fn an_unreadable_schema_is_an_error() {
    let broken = || Cursor::new(vec![b'x'; 100_000]).chain(BrokenReader);
    let mut running = with_schema(move |_| Ok(SchemaText::new(200_000, broken()))).await;
    let status = running.client.get_schema(GetSchemaRequest::default()).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Internal, "failure loading schema"));
}

struct BrokenReader;

impl Read for BrokenReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

#[tokio::test]
async fn an_address_may_lack_its_port() {
    let listener = listen::bind(Some("127.0.0.1")).await.unwrap();
    assert_ne!(listener.local_addr().unwrap().port(), 0);
    let taken = listener.local_addr().unwrap().to_string();
    let error = listen::bind(Some(&taken)).await.unwrap_err().to_string();
    assert!(error.contains(&taken) && error.contains("PULUMI_PLUGIN_LISTEN_ADDRESS"), "{error}");
}

#[test]
fn the_port_line_is_the_port_and_nothing_else() {
    let mut stdout = Vec::new();
    listen::announce(SocketAddr::from(([127, 0, 0, 1], 54321)), &mut stdout).unwrap();
    assert_eq!(stdout, b"54321\n");
}
