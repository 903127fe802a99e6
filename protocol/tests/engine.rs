//! Messages to the engine, and noticing that it is gone.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use protocol::engine::EngineClient;
use protocol::plugin::{listen, serve, shutdown::engine_lost};
use protocol::pulumirpc::engine_server::{Engine, EngineServer};
use protocol::pulumirpc::*;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

/// An engine that keeps the messages that it gets.
struct RecordingEngine {
    messages: mpsc::UnboundedSender<LogRequest>,
}

#[tonic::async_trait]
impl Engine for RecordingEngine {
    async fn log(&self, request: Request<LogRequest>) -> Result<Response<()>, Status> {
        self.messages.send(request.into_inner()).map_err(|_| Status::internal("nobody reads"))?;
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<GetRootResourceRequest>,
    ) -> Result<Response<GetRootResourceResponse>, Status> {
        Err(Status::unimplemented("GetRootResource"))
    }

    async fn set_root_resource(
        &self,
        _: Request<SetRootResourceRequest>,
    ) -> Result<Response<SetRootResourceResponse>, Status> {
        Err(Status::unimplemented("SetRootResource"))
    }

    async fn start_debugging(&self, _: Request<StartDebuggingRequest>) -> Result<Response<()>, Status> {
        Err(Status::unimplemented("StartDebugging"))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<RequirePulumiVersionRequest>,
    ) -> Result<Response<RequirePulumiVersionResponse>, Status> {
        Err(Status::unimplemented("RequirePulumiVersion"))
    }
}

async fn start() -> (String, mpsc::UnboundedReceiver<LogRequest>, CancellationToken) {
    let (sender, messages) = mpsc::unbounded_channel();
    let stop = CancellationToken::new();
    let listener = listen::bind(None).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = EngineServer::from_arc(Arc::new(RecordingEngine { messages: sender }));
    tokio::spawn(serve(listener, server, stop.clone()));
    (address, messages, stop)
}

/// An address at which nobody listens.
async fn dead_address() -> String {
    listen::bind(None).await.unwrap().local_addr().unwrap().to_string()
}

#[tokio::test]
async fn messages_arrive_in_order() {
    let (address, mut messages, _stop) = start().await;
    let client = EngineClient::attached(&address);
    client.warning("urn", "first é").await;
    client.status("urn", "second").await;
    let expect = |severity: LogSeverity, message: &str, ephemeral| LogRequest {
        severity: severity.into(),
        message: message.into(),
        urn: "urn".into(),
        stream_id: 0,
        ephemeral,
    };
    assert_eq!(messages.recv().await.unwrap(), expect(LogSeverity::Warning, "first é", false));
    assert_eq!(messages.recv().await.unwrap(), expect(LogSeverity::Info, "second", true));
}

#[tokio::test]
async fn trouble_with_the_engine_is_nobodys_problem() {
    EngineClient::detached().info("", "dropped").await;
    for address in [dead_address().await, "no address at all".into(), String::new(), "\u{0}".into()] {
        EngineClient::attached(&address).info("", "dropped").await;
    }
}

#[tokio::test]
async fn clones_follow_to_another_engine() {
    let client = EngineClient::attached(&dead_address().await);
    let clone = client.clone();
    clone.info("", "dropped").await;
    let (address, mut messages, _stop) = start().await;
    client.attach(&address);
    clone.info("", "arrives").await;
    assert_eq!(messages.recv().await.unwrap().message, "arrives");
    assert_eq!(clone.address(), Some(address));
}

#[tokio::test]
async fn an_engine_that_is_gone_is_noticed() {
    engine_lost(&dead_address().await, Duration::from_millis(1)).await;
}

#[tokio::test]
async fn an_engine_without_the_health_service_is_there() {
    let (address, _messages, _stop) = start().await;
    let lost = engine_lost(&address, Duration::from_millis(1));
    assert!(tokio::time::timeout(Duration::from_millis(200), lost).await.is_err());
}
