//! Requests to the provider.

use std::sync::OnceLock;

use prost::Message;
use protocol::codec::{EncodeOptions, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};
use value::Value;

use super::{feature, size, thing};
use crate::endpoint::{Endpoint, Manner};

/// A configured provider, and a service that says yes to everything.
struct Stage {
    runtime: Runtime,
    provider: Provider,
    _service: Endpoint,
}

const YES: &str = r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","RequestToken":"t","Identifier":"q"},
    "ResourceDescription":{"Identifier":"q","Properties":"{\"Name\":\"q\",\"Text\":\"t\",\"Rules\":[{\"Id\":\"1\"}]}"}}"#;

fn stage() -> Option<&'static Stage> {
    static STAGE: OnceLock<Option<Stage>> = OnceLock::new();
    STAGE
        .get_or_init(|| {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().ok()?;
            let service = Endpoint::start(Manner::Says(200, "application/x-amz-json-1.0", YES.to_owned())).ok()?;
            let catalog = Catalog { resource: thing::find, package_schema: b"" };
            let provider = Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None);
            let args = json!({
                "region": "us-east-1", "accessKey": "AK", "secretKey": "SK", "skipCredentialsValidation": "true",
                "endpoints": [{"cloudcontrol": service.url()}], "maxRetries": 1,
            });
            let Value::Object(args) = value::json::from_json(&args) else { return None };
            let configure =
                pb::ConfigureRequest { args: Some(encode(&args, EncodeOptions::KEEP)), ..Default::default() };
            runtime.block_on(provider.configure(Request::new(configure))).ok()?;
            Some(Stage { runtime, provider, _service: service })
        })
        .as_ref()
}

/// Takes the first byte for a method and the others for its request.
///
/// # Panics
///
/// The provider answers that it hit a bug of its own.
pub fn run(data: &[u8]) -> u64 {
    let (Some(stage), Some((method, message))) = (stage(), data.split_first()) else { return 0 };
    let answer = stage.runtime.block_on(send(&stage.provider, *method, message));
    let code = match answer {
        None => return feature((method % METHODS, "no message")),
        Some(Ok(())) => Code::Ok,
        Some(Err(status)) => {
            assert!(status.code() != Code::Internal, "{}", status.message());
            status.code()
        }
    };
    feature((method % METHODS, i32::from(code), size(message.len())))
}

/// How many methods there are.
const METHODS: u8 = 12;

/// Sends a message; none when the bytes are no message of the method.
async fn send(provider: &Provider, method: u8, message: &[u8]) -> Option<Result<(), Status>> {
    fn read<M: Message + Default>(message: &[u8]) -> Option<Request<M>> {
        M::decode(message).ok().map(Request::new)
    }
    Some(match method % METHODS {
        0 => provider.check(read(message)?).await.map(drop),
        1 => provider.diff(read(message)?).await.map(drop),
        2 => provider.create(read(message)?).await.map(drop),
        3 => provider.read(read(message)?).await.map(drop),
        4 => provider.update(read(message)?).await.map(drop),
        5 => provider.delete(read(message)?).await.map(drop),
        6 => provider.check_config(read(message)?).await.map(drop),
        7 => provider.diff_config(read(message)?).await.map(drop),
        8 => provider.invoke(read(message)?).await.map(drop),
        9 => provider.list(read(message)?).await.map(drop),
        10 => provider.construct(read(message)?).await.map(drop),
        // A configuration that is refused for what it holds, or for coming second.
        _ => provider.configure(read(message)?).await.map(drop),
    })
}
