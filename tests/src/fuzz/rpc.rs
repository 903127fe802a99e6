//! Requests to the provider.

use std::sync::OnceLock;

use prost::Message;
use protocol::codec::{EncodeOptions, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::convert::from_cfn;
use provider::rpc::{Catalog, Knowledge, Provider};
use serde_json::{Value as Json, json};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};
use value::{Map, Value};

use super::{documents, feature, size, thing};
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
            let provider = provider.knowing(Knowledge { schema: thing::schema, ..Knowledge::NONE });
            let args = json!({
                "defaultTags": {"tags": {"env": "dev", "owner": "us"}},
                "ignoreTags": {"keys": ["owner"], "keyPrefixes": ["cost:"]},
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

/// Takes the first byte for a method and the others for its request, or for the documents that one is made of.
///
/// # Panics
///
/// The provider answers that it hit a bug of its own.
pub fn run(data: &[u8]) -> u64 {
    let (Some(stage), Some((method, message))) = (stage(), data.split_first()) else { return 0 };
    let answer = stage.runtime.block_on(send(&stage.provider, *method, message));
    let (code, told) = match answer {
        None => return feature((method % METHODS, "no message")),
        Some(Ok(told)) => (Code::Ok, told),
        Some(Err(status)) => {
            assert!(status.code() != Code::Internal, "{}", status.message());
            (status.code(), 0)
        }
    };
    feature((method % METHODS, i32::from(code), told, size(message.len())))
}

/// How many methods there are.
const METHODS: u8 = 15;

/// Sends a message, and says how much is in the answer; none when the bytes are no message of the method.
async fn send(provider: &Provider, method: u8, message: &[u8]) -> Option<Result<u32, Status>> {
    fn read<M: Message + Default>(message: &[u8]) -> Option<Request<M>> {
        M::decode(message).ok().map(Request::new)
    }
    Some(match method % METHODS {
        0 => provider.check(read(message)?).await.map(|_| 0),
        1 => provider.diff(read(message)?).await.map(|_| 0),
        2 => provider.create(read(message)?).await.map(|_| 0),
        3 => provider.read(read(message)?).await.map(|_| 0),
        4 => provider.update(read(message)?).await.map(|_| 0),
        5 => provider.delete(read(message)?).await.map(|_| 0),
        6 => provider.check_config(read(message)?).await.map(|_| 0),
        7 => provider.diff_config(read(message)?).await.map(|_| 0),
        8 => provider.invoke(read(message)?).await.map(|_| 0),
        9 => provider.list(read(message)?).await.map(|_| 0),
        10 => provider.construct(read(message)?).await.map(|_| 0),
        // Changed bytes are seldom a message. Changed documents are, and have the texts that rules look at.
        12 => provider
            .check(Request::new(Sides::of(message)?.check()))
            .await
            .map(|answer| size(answer.get_ref().failures.len())),
        13 => provider.diff(Request::new(Sides::of(message)?.diff())).await.map(|answer| paths(answer.get_ref())),
        14 => provider.update(Request::new(Sides::of(message)?.update())).await.map(|_| 0),
        // A configuration that is refused for what it holds, or for coming second.
        _ => provider.configure(read(message)?).await.map(|_| 0),
    })
}

/// How many paths a diff names, and how many of them replace, roughly.
fn paths(answer: &pb::DiffResponse) -> u32 {
    size(answer.detailed_diff.len()) * 100 + size(answer.replaces.len())
}

/// What a diff is made of: inputs, new inputs and what the service holds, a document each; the last two may be absent.
struct Sides {
    old: Map,
    new: Map,
    live: Map,
}

impl Sides {
    fn of(message: &[u8]) -> Option<Self> {
        let mut documents = documents(message).into_iter();
        let old = members(&documents.next()?);
        let new = documents.next().map_or_else(|| old.clone(), |new| members(&new));
        let resource = thing::find(thing::TOKEN)?;
        let live = documents.next().and_then(|model| from_cfn(&model, resource.properties()).ok());
        Some(Self { live: live.unwrap_or_else(|| old.clone()), old, new })
    }

    /// The recorded state.
    fn state(&self) -> Option<bytes::Bytes> {
        let mut state = self.live.clone();
        state.insert("__inputs".to_owned(), Value::secret(Value::Object(self.old.clone())));
        fields(&state)
    }

    fn check(&self) -> pb::CheckRequest {
        let random_seed = vec![7; 32].into();
        pb::CheckRequest {
            urn: URN.into(),
            olds: fields(&self.old),
            news: fields(&self.new),
            random_seed,
            ..Default::default()
        }
    }

    fn diff(&self) -> pb::DiffRequest {
        pb::DiffRequest {
            urn: URN.into(),
            id: "q".into(),
            olds: self.state(),
            news: fields(&self.new),
            ..Default::default()
        }
    }

    fn update(&self) -> pb::UpdateRequest {
        pb::UpdateRequest {
            urn: URN.into(),
            id: "q".into(),
            olds: self.state(),
            news: fields(&self.new),
            ..Default::default()
        }
    }
}

const URN: &str = "urn:pulumi:dev::p::aws-native:test:Thing::q";

fn fields(members: &Map) -> Option<bytes::Bytes> {
    Some(encode(members, EncodeOptions::KEEP))
}

fn members(document: &Json) -> Map {
    match value::json::from_json(document) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
