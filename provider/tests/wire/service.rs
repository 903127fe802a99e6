//! The gRPC service: what it answers before and after Configure, and to malformed requests.

use std::sync::OnceLock;

use metadata::view::Resource;
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};

use super::server::{Answer, Server};

/// The limit after a cancellation is a second, held on a virtual clock elsewhere; here the machine may be slow. Without it these
/// calls would last minutes.
const PROMPT: std::time::Duration = std::time::Duration::from_secs(10);

#[path = "../support/models.rs"]
#[allow(dead_code, unused_imports)] // shared with other tests, which use more of it
pub(super) mod models;

pub const URN: &str = "urn:pulumi:dev::p::aws-native:test:Thing::q";

fn find(token: &str) -> Option<Resource> {
    static THING: OnceLock<Resource> = OnceLock::new();
    let thing = THING.get_or_init(|| {
        models::resource(|model| {
            model.properties.push(models::prop("name", metadata::model::Type::String));
            model.properties.push(models::output("arn", metadata::model::Type::String));
            let size = metadata::model::Type::Enum(vec!["S".to_owned(), "L".to_owned()]);
            model.properties.push(models::prop("sizes", models::list(size)));
            model.primary_identifier = vec!["name".to_owned()];
            model.handlers.create = Some(metadata::model::Handler {
                timeout_minutes: None,
                permissions: vec!["test:CreateThing".to_owned()],
            });
        })
    });
    (token == "aws-native:test:Thing").then_some(*thing)
}

pub fn provider() -> Provider {
    let catalog = Catalog { resource: find, package_schema: b"" };
    Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None)
}

pub fn structure(json: serde_json::Value) -> Option<bytes::Bytes> {
    let value::Value::Object(map) = value::json::from_json(&json) else { return None };
    Some(encode(&map, EncodeOptions::KEEP))
}

pub fn plain(bytes: &Option<bytes::Bytes>) -> serde_json::Value {
    let map = decode(bytes.as_ref().unwrap(), DecodeOptions::KEEP).unwrap();
    value::json::map_to_json(&map).unwrap()
}

pub fn configure(url: &str, more: serde_json::Value) -> Request<pb::ConfigureRequest> {
    let mut args = json!({
        "region": "us-east-1", "accessKey": "AK", "secretKey": "SK", "skipCredentialsValidation": "true",
        "endpoints": [{"cloudcontrol": url}, {"STS": url}], "maxRetries": 2,
    });
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    Request::new(pb::ConfigureRequest { args: structure(args), ..Default::default() })
}

pub(super) fn refused<T>(answer: Result<T, Status>) -> (Code, String) {
    let status = answer.err().unwrap();
    (status.code(), status.message().to_owned())
}

#[tokio::test]
async fn handshake_and_plugin_info() {
    let provider = provider();
    let flags = provider.handshake(Request::new(Default::default())).await.unwrap().into_inner();
    assert!(flags.accept_secrets && flags.accept_resources && flags.supports_autonaming_configuration);
    assert!(!flags.accept_outputs);
    let info = provider.get_plugin_info(Request::new(())).await.unwrap().into_inner();
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn c89_before_configure() {
    let provider = provider();
    let urn = || URN.to_owned();
    let create = pb::CreateRequest { urn: urn(), properties: structure(json!({})), ..Default::default() };
    let read = pb::ReadRequest { urn: urn(), id: "q".to_owned(), ..Default::default() };
    let update = pb::UpdateRequest { urn: urn(), id: "q".to_owned(), ..Default::default() };
    let delete = pb::DeleteRequest { urn: urn(), id: "q".to_owned(), ..Default::default() };
    for (code, text) in [
        refused(provider.create(Request::new(create)).await),
        refused(provider.read(Request::new(read)).await),
        refused(provider.update(Request::new(update)).await),
        refused(provider.delete(Request::new(delete)).await),
        refused(provider.invoke(Request::new(Default::default())).await),
        refused(provider.list(Request::new(Default::default())).await),
    ] {
        assert_eq!(code, Code::FailedPrecondition, "{text}");
        assert!(text.starts_with("provider is not configured"), "{text}");
    }
    assert_eq!(refused(provider.construct(Request::new(Default::default())).await).0, Code::Unimplemented);
    assert_eq!(refused(provider.call(Request::new(Default::default())).await).1, "Call is not yet implemented");
    provider.get_mapping(Request::new(Default::default())).await.unwrap();
    let check = pb::CheckRequest { urn: urn(), news: structure(json!({"name": "q"})), ..Default::default() };
    assert_eq!(plain(&provider.check(Request::new(check)).await.unwrap().into_inner().inputs), json!({"name": "q"}));
}

#[tokio::test]
async fn malformed_requests_are_refused_and_the_process_lives_on() {
    let provider = provider();
    let check = |urn: &str, news: Option<bytes::Bytes>| {
        provider.check(Request::new(pb::CheckRequest { urn: urn.to_owned(), news, ..Default::default() }))
    };
    let token = |token: &str| URN.replace("aws-native:test:Thing", token);
    assert_eq!(refused(check("nonsense", None).await).0, Code::InvalidArgument);
    let (code, text) = refused(check(&token("aws-native:test:Nothing"), None).await);
    assert_eq!(code, Code::NotFound);
    assert!(text.starts_with("resource type aws-native:test:Nothing not found"), "{text}");
    let (code, text) = refused(check(&token("aws-native:index:ExtensionResource"), None).await);
    assert_eq!(code, Code::Unimplemented);
    assert!(text.starts_with("aws-native:index:ExtensionResource is not supported by version"), "{text}");

    for bytes in [nested(100_000), vec![0xff; 100]] {
        let (code, text) = refused(check(URN, Some(bytes.into())).await);
        assert_eq!(code, Code::InvalidArgument, "{text}");
        assert!(text.starts_with("malformed resource inputs: "), "{text}");
    }
    assert_eq!(
        refused(provider.get_schema(Request::new(pb::GetSchemaRequest { version: 1, ..Default::default() })).await).1,
        "unsupported schema version 1"
    );
}

/// A struct with one member that is nested `levels` deep, written from back to front.
fn nested(levels: usize) -> Vec<u8> {
    let mut reversed = Vec::new();
    for _ in 0..levels {
        // Value.struct_value, the entry's value, Struct.fields.
        for tag in [5 << 3 | 2, 2 << 3 | 2, 1 << 3 | 2] {
            let mut length = vec![];
            let mut rest = reversed.len();
            while rest >= 0x80 {
                length.push((rest & 0x7f) as u8 | 0x80);
                rest >>= 7;
            }
            length.push(rest as u8);
            reversed.extend(length.into_iter().rev());
            reversed.push(tag);
        }
    }
    reversed.reverse();
    reversed
}

#[tokio::test]
async fn a_resource_lives_and_dies() {
    let server = Server::start(|target, _| {
        Answer::json(
            200,
            match target {
                "createresource" => r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","Identifier":"q"}}"#,
                "getresource" => r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\",\"Arn\":\"arn:q\"}"}}"#,
                _ => r#"{"ProgressEvent":{"OperationStatus":"SUCCESS"}}"#,
            },
        )
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    let created = provider.create(Request::new(create)).await.unwrap().into_inner();
    assert_eq!(created.id, "q");
    let outputs = plain(&created.properties);
    assert_eq!((&outputs["name"], &outputs["arn"]), (&json!("q"), &json!("arn:q")));
    assert!(!outputs["__inputs"].is_null());
    let delete = pb::DeleteRequest { urn: URN.to_owned(), id: "q".to_owned(), ..Default::default() };
    provider.delete(Request::new(delete)).await.unwrap();
    assert!(provider.inflight().names().is_empty());
    assert_eq!(server.count("deleteresource"), 1);
}

#[tokio::test]
async fn a_half_made_resource_is_in_the_detail() {
    let server = Server::start(|target, _| {
        Answer::json(
            200,
            match target {
                "getresource" => r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\",\"Arn\":\"x\"}"}}"#,
                _ => {
                    r#"{"ProgressEvent":{"OperationStatus":"FAILED","RequestToken":"t","Identifier":"q",
                        "ErrorCode":"NotStabilized","StatusMessage":"slow"}}"#
                }
            },
        )
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    let status = provider.create(Request::new(create)).await.unwrap_err();
    assert!(status.message().contains("operation CREATE failed with \"NotStabilized\": slow"), "{}", status.message());
    let details = String::from_utf8_lossy(status.details()).into_owned();
    assert!(details.contains("pulumirpc.ErrorResourceInitFailed"), "{details}");
}

#[tokio::test]
async fn invariant_9_cancel_ends_what_runs() {
    let server = Server::start(|_, _| {
        Answer::json(200, r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t","Identifier":"q"}}"#)
    })
    .await;
    let provider = std::sync::Arc::new(provider());
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    let running = tokio::spawn({
        let provider = provider.clone();
        async move { provider.create(Request::new(create)).await }
    });
    while server.count("getresourcerequeststatus") == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(provider.inflight().names(), [format!("Create of {URN}")]);
    let canceled = std::time::Instant::now();
    provider.cancel(Request::new(())).await.unwrap();
    provider.cancel(Request::new(())).await.unwrap();
    let status = running.await.unwrap().unwrap_err();
    assert!(canceled.elapsed() < PROMPT, "took {:?}", canceled.elapsed());
    // The identifier is not lost.
    assert!(String::from_utf8_lossy(status.details()).contains("ErrorResourceInitFailed"), "{status:?}");
    assert_eq!(server.count("cancelresourcerequest"), 1);
}

#[tokio::test]
async fn c50_a_refusal_names_the_permissions_once() {
    let server = Server::start(|_, _| {
        Answer::json(400, r#"{"__type":"AccessDeniedException","Message":"User is not authorized"}"#)
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    assert_eq!(
        refused(provider.create(Request::new(create)).await).1,
        "creating resource: CreateResource failed with \"AccessDeniedException\": User is not authorized\n  type: \
         AWS::Test::Thing, request id: id-1, region: us-east-1\n  next step: allow the caller these IAM actions: \
         cloudformation:CreateResource, cloudformation:GetResourceRequestStatus, cloudformation:GetResource, \
         test:CreateThing (other operations need cloudformation:UpdateResource, cloudformation:DeleteResource, \
         cloudformation:ListResources too)"
    );
}

#[tokio::test]
async fn cancel_ends_the_wait_for_an_engine_that_takes_no_warning() {
    // Connections are accepted by the system and never answered by anybody.
    let engine = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = engine.local_addr().unwrap().to_string();
    let catalog = Catalog { resource: find, package_schema: b"" };
    let provider = Provider::new(catalog, EngineClient::attached(&address), &CancellationToken::new(), |_| None);
    let provider = std::sync::Arc::new(provider);
    let news = structure(json!({"name": "q", "sizes": ["a", "b", "c", "d"]}));
    let check = pb::CheckRequest { urn: URN.to_owned(), news, ..Default::default() };
    let running = tokio::spawn({
        let provider = provider.clone();
        async move { provider.check(Request::new(check)).await }
    });
    engine.accept().await.unwrap();
    let canceled = std::time::Instant::now();
    provider.cancel(Request::new(())).await.unwrap();
    assert!(running.await.unwrap().unwrap().into_inner().failures.is_empty());
    assert!(canceled.elapsed() < PROMPT, "took {:?}", canceled.elapsed());
}
