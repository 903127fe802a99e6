//! The log of RPCs: a line for each, in the form of transcripts, without a secret.

use std::cell::RefCell;
use std::path::Path;

use metadata::model::Type;
use metadata::view::Resource;
use protocol::codec::{EncodeOptions, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tonic::Request;

use super::server::{Answer, Server};
use super::service::models;

const URN: &str = "urn:pulumi:dev::p::aws-native:test:Thing::q";
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

thread_local! {
    static FILE: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn find(token: &str) -> Option<Resource> {
    static THING: std::sync::OnceLock<Resource> = std::sync::OnceLock::new();
    let thing = THING.get_or_init(|| {
        models::resource(|model| {
            model.properties.push(models::prop("name", Type::String));
            model.properties.push(models::prop("password", Type::String));
            model.properties.push(models::prop("pins", models::list(Type::Integer)));
            model.properties.push(models::prop("policy", Type::Any));
            model.properties.push(models::output("arn", Type::String));
            model.primary_identifier = vec!["name".to_owned()];
            model.write_only = vec!["password".to_owned()];
        })
    });
    (token == "aws-native:test:Thing").then_some(*thing)
}

/// A provider that logs into `file`.
fn provider(file: &Path) -> Provider {
    FILE.set(Some(file.to_str().unwrap().to_owned()));
    let variables =
        |name: &str| (name == "PULUMI_AWS_NATIVE_RPC_LOG").then(|| FILE.with_borrow(Clone::clone)).flatten();
    let catalog = Catalog { resource: find, package_schema: b"" };
    Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), variables)
}

fn secret(inner: Json) -> Json {
    json!({SIGNATURE: SECRET, "value": inner})
}

fn structure(json: Json) -> Option<bytes::Bytes> {
    let value::Value::Object(map) = value::json::from_json(&json) else { return None };
    Some(encode(&map, EncodeOptions::KEEP))
}

fn configure(url: &str) -> Request<pb::ConfigureRequest> {
    let args = json!({
        "region": "us-east-1", "accessKey": "AKCANARY", "secretKey": secret(json!("sk-canary")), "token": "tk-canary",
        "skipCredentialsValidation": "true", "endpoints": [{"cloudcontrol": url}], "maxRetries": 2,
    });
    let variables = [("aws-native:config:secretKey", "sk-canary"), ("aws-native:config:token", "tk-canary")];
    #[allow(deprecated)] // older engines send nothing else
    Request::new(pb::ConfigureRequest {
        args: structure(args),
        variables: variables.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        ..Default::default()
    })
}

fn lines(file: &Path) -> Vec<Json> {
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn inputs() -> Json {
    json!({
        "name": "q",
        "password": secret(json!("pw-canary \"quoted\"")),
        "pins": secret(json!([47_110_815, 7])),
        "policy": {"Statement": secret(json!([{"Sid": "sid-canary"}])), "Version": secret(json!("v1"))},
    })
}

#[tokio::test]
async fn a_line_tells_what_went_in_and_out() {
    let server = Server::start(|target, _| {
        Answer::json(
            200,
            match target {
                "createresource" => r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t"}}"#,
                "getresource" => r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\",\"Arn\":\"arn:q\"}"}}"#,
                _ => r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","RequestToken":"t","Identifier":"q"}}"#,
            },
        )
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rpc.jsonl");
    let provider = provider(&file);
    provider.configure(configure(&server.url)).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    provider.create(Request::new(create)).await.unwrap();
    provider
        .check(Request::new(pb::CheckRequest { urn: "nonsense".to_owned(), ..Default::default() }))
        .await
        .unwrap_err();

    let lines = lines(&file);
    let methods: Vec<&Json> = lines.iter().map(|line| &line["rpc"]).collect();
    assert_eq!(methods, ["Configure", "Create", "Check"]);
    assert_eq!(lines[2]["res"]["error"]["code"], "INVALID_ARGUMENT");
    let mut create = lines[1].clone();
    assert!(create["aws"][0]["ClientToken"].take().as_str().is_some_and(|token| token.len() == 36));
    let event = |status: &str| json!({"ProgressEvent": {"OperationStatus": status, "RequestToken": "t"}});
    let mut done = event("SUCCESS");
    done["ProgressEvent"]["Identifier"] = json!("q");
    assert_eq!(
        create,
        json!({
            "id": "log/2/Create", "conf": null, "rpc": "Create",
            "req": {"urn": URN, "properties": {"name": "q"}},
            "res": {"ok": {"id": "q", "properties": {
                "arn": "arn:q", "name": "q", "__inputs": secret(json!({"name": "q"})),
            }}},
            "aws": [
                {
                    "op": "CreateResource", "TypeName": "AWS::Test::Thing", "ClientToken": null,
                    "DesiredState": {"Name": "q"}, "answer": event("IN_PROGRESS"),
                },
                {"op": "GetResourceRequestStatus", "RequestToken": "t", "answer": done},
                {
                    "op": "GetResource", "TypeName": "AWS::Test::Thing", "Identifier": "q",
                    "answer": {"ResourceDescription": {"Properties": {"Name": "q", "Arn": "arn:q"}}},
                },
            ],
        })
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn invariant_6_no_secret_reaches_the_log() {
    // The service repeats the secrets: in its words, in its model, in a hook.
    let server = Server::start(|target, before| match (target, before) {
        ("createresource", _) => Answer::json(
            200,
            r#"{"ProgressEvent":{"OperationStatus":"FAILED","RequestToken":"t","Identifier":"q","ErrorCode":"NotStabilized",
                "StatusMessage":"pw-canary \"quoted\" is bad, 47110815 too"}}"#,
        ),
        ("getresource", _) => Answer::json(
            200,
            r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\",\"Policy\":{\"Statement\":[{\"Sid\":\"sid-canary\"}]},\"Pins\":[47110815,7]}"}}"#,
        ),
        _ => Answer::json(400, r#"{"__type":"ValidationException","Message":"sid-canary, tk-canary and sk-canary"}"#),
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rpc.jsonl");
    let provider = provider(&file);
    provider.configure(configure(&server.url)).await.unwrap();
    let urn = || URN.to_owned();
    let check = pb::CheckRequest { urn: urn(), news: structure(inputs()), ..Default::default() };
    provider.check(Request::new(check)).await.unwrap();
    let create = pb::CreateRequest { urn: urn(), properties: structure(inputs()), ..Default::default() };
    provider.create(Request::new(create)).await.unwrap_err();
    let state = json!({"name": "q", "arn": "a", "__inputs": secret(inputs())});
    let mut news = inputs();
    news["password"] = secret(json!("pw2-canary"));
    let diff = pb::DiffRequest {
        urn: urn(),
        id: "q".to_owned(),
        olds: structure(state.clone()),
        news: structure(news.clone()),
        ..Default::default()
    };
    provider.diff(Request::new(diff)).await.unwrap();
    let read =
        pb::ReadRequest { urn: urn(), id: "q".to_owned(), properties: structure(state.clone()), ..Default::default() };
    provider.read(Request::new(read)).await.unwrap();
    let update = pb::UpdateRequest {
        urn: urn(),
        id: "q".to_owned(),
        olds: structure(state),
        news: structure(news),
        ..Default::default()
    };
    provider.update(Request::new(update)).await.unwrap_err();
    // Nobody knows what is secret in a struct that cannot be read.
    let malformed =
        pb::CreateRequest { urn: urn(), properties: Some((&b"\x0a\x7fbad-canary"[..]).into()), ..Default::default() };
    provider.create(Request::new(malformed)).await.unwrap_err();

    let text = std::fs::read_to_string(&file).unwrap();
    let lines = lines(&file);
    assert_eq!(lines.len(), 7);
    for canary in ["canary", "CANARY", "47110815", "\"v1\""] {
        let line = text.lines().find(|line| line.contains(canary)).unwrap_or_default();
        assert!(line.is_empty(), "{canary} in {line}");
    }
    // What is equal stays equal: the check's secrets are those of the create, of its request to the cloud and of the state.
    let password = &lines[1]["req"]["news"]["password"]["value"];
    assert!(password.as_str().is_some_and(|text| text.starts_with("[secret ")), "{password}");
    assert_eq!(&lines[2]["aws"][0]["DesiredState"]["Password"], password);
    assert_eq!(&lines[3]["req"]["olds"]["__inputs"]["value"]["password"]["value"], password);
    assert_ne!(&lines[3]["req"]["news"]["password"]["value"], password);
    let reasons = &lines[2]["res"]["error"]["detail"][0]["pulumirpc.ErrorResourceInitFailed"]["reasons"];
    assert!(
        reasons.to_string().contains(password.as_str().unwrap()) || reasons.to_string().contains("[secret]"),
        "{reasons}"
    );
}

#[tokio::test]
async fn an_rpc_whose_caller_went_away_has_its_line() {
    let server = Server::start(|_, _| {
        Answer::json(200, r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t","Identifier":"q"}}"#)
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rpc.jsonl");
    let provider = provider(&file);
    provider.configure(configure(&server.url)).await.unwrap();
    let create =
        pb::CreateRequest { urn: URN.to_owned(), properties: structure(json!({"name": "q"})), ..Default::default() };
    let asked = async {
        while server.count("getresourcerequeststatus") == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = provider.create(Request::new(create)) => panic!("the create ended"),
        () = asked => {}
    }
    let line = lines(&file).pop().unwrap();
    assert_eq!((&line["rpc"], &line["res"]), (&json!("Create"), &json!({"dropped": true})));
    assert_eq!(line["aws"][0]["answer"]["ProgressEvent"]["Identifier"], "q");
}

#[tokio::test]
async fn a_log_that_cannot_be_written_disturbs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let provider = provider(&folder.path().join("no/such/folder/rpc.jsonl"));
    provider.get_plugin_info(Request::new(())).await.unwrap();
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[tokio::test]
async fn credentials_stay_out_of_the_checks_of_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rpc.jsonl");
    let provider = provider(&file);
    let urn = || "urn:pulumi:dev::p::pulumi:providers:aws-native::default".to_owned();
    let keys = |mark: &str| {
        json!({"region": "us-east-1", "accessKey": format!("AK{mark}-canary"), "secretKey": format!("sk{mark}-canary"),
            "token": format!("tk{mark}-canary"),
            "assumeRole": format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/x","externalId":"e{mark}-canary"}}"#),
            "assumeRoleWithWebIdentity": {"roleArn": "arn:aws:iam::111122223333:role/x", "webIdentityToken": format!("w{mark}-canary")}})
    };
    let check =
        pb::CheckRequest { urn: urn(), olds: structure(keys("1")), news: structure(keys("2")), ..Default::default() };
    provider.check_config(Request::new(check)).await.unwrap();
    let diff = pb::DiffRequest {
        urn: urn(),
        olds: structure(keys("3")),
        news: structure(keys("4")),
        old_inputs: structure(keys("5")),
        ..Default::default()
    };
    provider.diff_config(Request::new(diff)).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.lines().count() == 2 && !text.contains("canary"), "{text}");
}
