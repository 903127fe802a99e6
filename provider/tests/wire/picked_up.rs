//! A creation that was cut off, through the gRPC service: the next provider gives it the same name and finds it again.

use std::sync::{Mutex, OnceLock};

use metadata::view::Resource;
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::check_request::AutonamingOptions;
use protocol::pulumirpc::check_request::autonaming_options::Mode;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tonic::Request;

use super::server::{Answer, Server};
use super::service::{configure, models, plain, structure};

const URN: &str = "urn:pulumi:dev::p::aws-native:test:Thing::q";

/// Where the providers of these tests keep their journal.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().unwrap())
}

/// One test at a time: the folder is read when a provider is configured.
static TURN: Mutex<()> = Mutex::new(());

fn variable(name: &str) -> Option<String> {
    (name == "PULUMI_AWS_NATIVE_JOURNAL").then(|| folder().path().to_str().unwrap().to_owned())
}

fn find(token: &str) -> Option<Resource> {
    static THING: OnceLock<Resource> = OnceLock::new();
    let thing = THING.get_or_init(|| {
        models::resource(|model| {
            model.properties.push(models::prop("name", metadata::model::Type::String));
            model.primary_identifier = vec!["name".to_owned()];
            model.auto_name = Some(models::auto_name("name"));
        })
    });
    (token == "aws-native:test:Thing").then_some(*thing)
}

async fn provider(url: &str) -> Provider {
    let catalog = Catalog { resource: find, package_schema: b"" };
    let provider = Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), variable);
    provider.configure(configure(url, json!({}))).await.unwrap();
    provider
}

/// The name that Check gives to a resource that has none.
async fn name(provider: &Provider, olds: Json, news: Json, proposed: Option<(&str, Mode)>) -> String {
    let check = pb::CheckRequest {
        urn: URN.to_owned(),
        olds: structure(olds),
        news: structure(news),
        autonaming: proposed
            .map(|(name, mode)| AutonamingOptions { proposed_name: name.to_owned(), mode: mode.into() }),
        ..Default::default()
    };
    let inputs = plain(&provider.check(Request::new(check)).await.unwrap().into_inner().inputs);
    inputs["name"].as_str().unwrap().to_owned()
}

fn create(name: &str) -> Request<pb::CreateRequest> {
    let properties = structure(json!({"name": name}));
    Request::new(pb::CreateRequest { urn: URN.to_owned(), properties, ..Default::default() })
}

#[tokio::test]
#[allow(clippy::await_holding_lock, reason = "the tests of this file wait for each other")]
async fn a_generated_name_is_given_again_until_the_state_has_the_resource() {
    let _turn = TURN.lock();
    let server = Server::start(|target, _| {
        Answer::json(
            200,
            match target {
                "createresource" => {
                    r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","Identifier":"q","RequestToken":"t"}}"#
                }
                _ => r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\"}"}}"#,
            },
        )
    })
    .await;
    let none = || json!({});
    let first = provider(&server.url).await;
    let given = name(&first, none(), none(), None).await;
    first.create(create(&given)).await.unwrap();
    // The process is killed before anybody has written a state.
    drop(first);

    let second = provider(&server.url).await;
    assert_eq!(name(&second, none(), none(), None).await, given);
    assert_eq!(name(&second, none(), none(), Some(("proposal", Mode::Propose))).await, given);
    // What the program, the state or the engine demands comes first.
    assert_eq!(name(&second, none(), json!({"name": "mine"}), None).await, "mine");
    assert_eq!(name(&second, json!({"name": "old"}), none(), None).await, "old");
    assert_eq!(name(&second, none(), none(), Some(("demand", Mode::Enforce))).await, "demand");
    assert_eq!(name(&second, none(), none(), None).await, given);
    second.create(create(&given)).await.unwrap();
    let token = |index: usize| {
        let creates: Vec<_> = server.seen().into_iter().filter(|seen| seen.target == "createresource").collect();
        serde_json::from_str::<Json>(&creates[index].body).unwrap()["ClientToken"].clone()
    };
    assert_eq!(token(0), token(1));

    // A call that carries the identifier: the state has the resource.
    let diff = pb::DiffRequest {
        urn: URN.to_owned(),
        id: "q".to_owned(),
        olds: structure(json!({"name": given})),
        news: structure(json!({"name": given})),
        ..Default::default()
    };
    second.diff(Request::new(diff)).await.unwrap();
    assert_ne!(name(&second, none(), none(), None).await, given);

    // A run that ends as it should keeps nothing.
    let files = || std::fs::read_dir(folder().path()).unwrap().count();
    let other = name(&second, none(), none(), None).await;
    second.create(create(&other)).await.unwrap();
    assert_eq!(files(), 1);
    second.cancel(Request::new(())).await.unwrap();
    assert_eq!(files(), 0);
    assert_ne!(name(&provider(&server.url).await, none(), none(), None).await, other);
}

#[tokio::test]
#[allow(clippy::await_holding_lock, reason = "the tests of this file wait for each other")]
async fn a_refresh_that_finds_nothing_yet_does_not_forget_the_request() {
    let _turn = TURN.lock();
    let server = Server::start(|target, before| match (target, before) {
        // The first provider loses the request; the second one finds it done.
        ("createresource", 0) => Answer::json(
            200,
            r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","Identifier":"q","RequestToken":"t"}}"#,
        ),
        ("createresource", _) => {
            Answer::json(200, r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","Identifier":"q","RequestToken":"t"}}"#)
        }
        ("getresource", 0 | 1) => Answer::json(400, r#"{"__type":"ResourceNotFoundException"}"#),
        ("getresource", _) => Answer::json(200, r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\"}"}}"#),
        _ => Answer::json(400, r#"{"__type":"AccessDeniedException","Message":"no"}"#),
    })
    .await;
    let first = provider(&server.url).await;
    let status = first.create(create("q")).await.unwrap_err();
    let Some(protocol::status::Detail::InitFailed(detail)) = protocol::status::detail(&status) else {
        panic!("{status:?}")
    };
    assert!(detail.id == "q" && detail.refresh_before_update);
    first.cancel(Request::new(())).await.unwrap();
    drop(first);

    // The next run reads first, as it was told, and finds nothing yet; then it asks for the same request again.
    let second = provider(&server.url).await;
    let read = || {
        Request::new(pb::ReadRequest {
            urn: URN.to_owned(),
            id: "q".to_owned(),
            properties: detail.properties.clone(),
            inputs: detail.inputs.clone(),
            ..Default::default()
        })
    };
    assert_eq!(second.read(read()).await.unwrap().into_inner().id, "");
    second.create(create("q")).await.unwrap();
    let creates: Vec<_> = server.seen().into_iter().filter(|seen| seen.target == "createresource").collect();
    let token = |index: usize| serde_json::from_str::<Json>(&creates[index].body).unwrap()["ClientToken"].clone();
    assert_eq!((creates.len(), token(0)), (2, token(1)));
    // Found, and forgotten.
    assert_eq!(second.read(read()).await.unwrap().into_inner().id, "q");
    assert_eq!(std::fs::read_dir(folder().path()).unwrap().count(), 0);
}
