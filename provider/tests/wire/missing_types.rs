//! A type that is not there: in this region, in this version, or in Cloud Control at all.

use std::sync::OnceLock;

use metadata::view::Resource;
use protocol::codec::{EncodeOptions, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Knowledge, Provider};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request};

use super::server::{Answer, Server};
use super::service::models;

fn find(token: &str) -> Option<Resource> {
    static THING: OnceLock<Resource> = OnceLock::new();
    let thing = THING.get_or_init(|| {
        models::resource(|model| {
            model.properties.push(models::prop("name", metadata::model::Type::String));
            model.primary_identifier = vec!["name".to_owned()];
        })
    });
    (token == "aws-native:test:Thing").then_some(*thing)
}

fn structure(json: Json) -> Option<bytes::Bytes> {
    let value::Value::Object(map) = value::json::from_json(&json) else { return None };
    Some(encode(&map, EncodeOptions::KEEP))
}

fn urn(token: &str) -> String {
    format!("urn:pulumi:dev::p::{token}::q")
}

#[tokio::test]
async fn c51_three_reasons_why_a_type_is_missing() {
    let server = Server::start(|_, _| {
        Answer::json(
            400,
            r#"{"__type":"TypeNotFoundException","Message":"The type 'AWS::Test::Thing' cannot be found"}"#,
        )
    })
    .await;
    let knowledge = Knowledge {
        offered: |_, region| Some(region == "us-west-2"),
        regions: |_| Some(vec!["us-west-2"]),
        ..Knowledge::NONE
    };
    let catalog = Catalog { resource: find, package_schema: b"" };
    let provider = Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None);
    let provider = provider.knowing(knowledge);
    let args = json!({
        "region": "us-east-2", "accessKey": "AK", "secretKey": "SK", "skipCredentialsValidation": "true",
        "endpoints": { "cloudcontrol": server.url },
    });
    let configure = pb::ConfigureRequest { args: structure(args), ..Default::default() };
    provider.configure(Request::new(configure)).await.unwrap();

    // (a) The region does not offer it.
    let create = pb::CreateRequest {
        urn: urn("aws-native:test:Thing"),
        properties: structure(json!({ "name": "q" })),
        ..Default::default()
    };
    let status = provider.create(Request::new(create)).await.unwrap_err();
    assert!(
        status.message().ends_with(
            "next step: AWS::Test::Thing is not offered in this region, or is a third-party type that is not activated \
             there: use another region (us-west-2), or activate the type"
        ),
        "{}",
        status.message()
    );

    let missing = async |token: &str| {
        let check = pb::CheckRequest { urn: urn(token), news: structure(json!({})), ..Default::default() };
        let status = provider.check(Request::new(check)).await.unwrap_err();
        assert_eq!(status.code(), Code::NotFound);
        status.message().to_owned()
    };
    // (b) This version does not have it.
    let text = missing("aws-native:test:Newer").await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        text,
        format!(
            "resource type aws-native:test:Newer not found: version {version} of the aws-native plugin does not have it; \
             check the spelling, or use the plugin version that belongs to the SDK"
        )
    );
    // (c) Cloud Control does not have it.
    assert_eq!(
        missing("aws-native:codebuild:Project").await,
        "resource type aws-native:codebuild:Project not found: Cloud Control does not manage AWS::CodeBuild::Project (no \
         create, read, delete handler); use aws:codebuild:Project of the aws provider"
    );
    assert_eq!(
        missing("aws-native:dax:Cluster").await,
        "resource type aws-native:dax:Cluster not found: Cloud Control does not manage AWS::DAX::Cluster (no create, read, \
         delete handler); use a provider that has the service's own API"
    );
}
