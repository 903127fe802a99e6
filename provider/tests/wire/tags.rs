//! Default and ignored tags over the wire: from the provider's configuration to the answers of Check and Diff.

use std::sync::OnceLock;

use metadata::view::Resource;
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};

use super::service::models;

const URN: &str = "urn:pulumi:dev::p::aws-native:test:Thing::q";

fn find(token: &str) -> Option<Resource> {
    static THING: OnceLock<Resource> = OnceLock::new();
    let thing = THING.get_or_init(|| {
        models::resource(|model| {
            model.properties.push(models::prop("name", metadata::model::Type::String));
            models::tag_list(model);
        })
    });
    (token == "aws-native:test:Thing").then_some(*thing)
}

fn structure(json: Json) -> Option<bytes::Bytes> {
    let value::Value::Object(map) = value::json::from_json(&json) else { return None };
    Some(encode(&map, EncodeOptions::KEEP))
}

fn plain(bytes: &Option<bytes::Bytes>) -> Json {
    value::json::map_to_json(&decode(bytes.as_ref().unwrap(), DecodeOptions::KEEP).unwrap()).unwrap()
}

/// A provider with these keys as typed arguments, or as the text of stack configuration.
async fn configured(keys: Json, as_text: bool) -> Result<Provider, Status> {
    let catalog = Catalog { resource: find, package_schema: b"" };
    let provider = Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None);
    let mut args =
        json!({ "region": "us-east-1", "accessKey": "AK", "secretKey": "SK", "skipCredentialsValidation": "true" });
    let mut request = pb::ConfigureRequest::default();
    for (key, value) in keys.as_object().unwrap() {
        match as_text {
            #[allow(deprecated)] // what older engines send
            true => {
                request.variables.insert(format!("aws-native:config:{key}"), value.to_string());
            }
            false => args[key] = value.clone(),
        }
    }
    request.args = structure(args);
    provider.configure(Request::new(request)).await?;
    Ok(provider)
}

#[tokio::test]
async fn configured_tags_reach_check_and_diff() {
    let keys = json!({ "defaultTags": { "tags": { "env": "dev" } }, "ignoreTags": { "keyPrefixes": ["team:"] } });
    for as_text in [true, false] {
        let provider = configured(keys.clone(), as_text).await.unwrap();
        let news = structure(json!({ "name": "q", "tags": [{ "key": "a", "value": "1" }] }));
        let check = pb::CheckRequest { urn: URN.to_owned(), news, ..Default::default() };
        let checked = provider.check(Request::new(check)).await.unwrap().into_inner().inputs;
        let merged = json!([{ "key": "a", "value": "1" }, { "key": "env", "value": "dev" }]);
        assert_eq!(plain(&checked)["tags"], merged);

        let changes = async |tags: Json| {
            let news = structure(json!({ "name": "q", "tags": tags }));
            let olds = checked.clone();
            let request = pb::DiffRequest {
                id: "q".to_owned(),
                urn: URN.to_owned(),
                olds: olds.clone(),
                old_inputs: olds,
                news,
                ..Default::default()
            };
            provider.diff(Request::new(request)).await.unwrap().into_inner().changes
        };
        let mut more = merged.as_array().unwrap().clone();
        more.push(json!({ "key": "team:x", "value": "1" }));
        assert_eq!(changes(Json::Array(more.clone())).await, i32::from(DiffChanges::DiffNone));
        more.push(json!({ "key": "x", "value": "1" }));
        assert_eq!(changes(Json::Array(more)).await, i32::from(DiffChanges::DiffSome));
    }
}

#[tokio::test]
async fn what_holds_no_tags_is_the_callers_mistake() {
    let provider = configured(json!({ "defaultTags": { "env": "dev" } }), true).await.unwrap();
    let news = structure(json!({ "tags": "x" }));
    let check = pb::CheckRequest { urn: URN.to_owned(), news, ..Default::default() };
    let status = provider.check(Request::new(check)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "expected tags to be an array but found string");

    let refused = configured(json!({ "ignoreTags": { "keys": "x" } }), true).await.err().unwrap();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let refused = configured(json!({ "defaultTags": { "aws:x": "1" } }), false).await.err().unwrap();
    assert_eq!(refused.message(), "defaultTags: aws:x: keys that begin with aws: belong to AWS");
}

#[tokio::test]
async fn secret_default_tags_stay_secret_on_their_way_into_inputs() {
    let secret = json!({ value::json::SIGNATURE_KEY: protocol::codec::SECRET_SIGNATURE, "value": "canary" });
    let provider = configured(json!({ "defaultTags": { "tags": { "env": secret } } }), false).await.unwrap();
    let check = pb::CheckRequest { urn: URN.to_owned(), news: structure(json!({})), ..Default::default() };
    let inputs = provider.check(Request::new(check)).await.unwrap().into_inner().inputs.unwrap();
    let tags = decode(&inputs, DecodeOptions::KEEP).unwrap();
    let expected =
        value::Map::from([("key".to_owned(), "env".into()), ("value".to_owned(), value::Value::secret("canary"))]);
    assert_eq!(tags["tags"], value::Value::Array(vec![value::Value::Object(expected)]));
}
