//! The life cycle calls, asked of a real provider process, and what a good refusal looks like.

use protocol::pulumirpc as rpc;
use serde_json::{Value as Json, json};
use tests::binaries::built;
use tests::provider::{Client, Process, structure};
use tonic::{Code, Status};

pub const BUCKET: &str = "aws-native:s3:Bucket";
pub const PARAMETER: &str = "aws-native:ssm:Parameter";
pub const STAGE: &str = "aws-native:apigateway:Stage";
pub const CANARY: &str = "canary-value-51c07e";
pub const AWS_JSON: &str = "application/x-amz-json-1.0";

pub fn urn(token: &str) -> String {
    format!("urn:pulumi:dev::p::{token}::r")
}

pub fn secret(value: &Json) -> Json {
    json!({value::json::SIGNATURE_KEY: "1b47061264138c4ac30d75fd1eb44270", "value": value})
}

pub async fn started(environment: &[(&str, &str)]) -> Process {
    let binary = built("pulumi-resource-aws-native").unwrap();
    Process::start(&binary, &["-v=11", "-logtostderr"], environment).await.unwrap()
}

/// Configuration that sends everything to `url`; made-up keys come from the environment.
pub fn settings(url: &str) -> Json {
    json!({"region": "us-east-1", "skipCredentialsValidation": "true", "maxRetries": 2,
        "endpoints": [{"cloudcontrol": url, "sts": url}]})
}

pub async fn configured(url: &str) -> Process {
    let mut provider = started(&[]).await;
    provider.configure(&settings(url)).await.unwrap();
    provider
}

/// The same process answers as if nothing had been.
pub async fn assert_alive(provider: &mut Process) {
    let info = provider.client.get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
}

/// `status` has the code, and its text all of `parts`.
#[track_caller]
pub fn assert_refused(what: &str, status: Option<Status>, code: Code, parts: &[&str]) {
    let Some(status) = status else { panic!("{what}: accepted, expected {code:?}") };
    let text = status.message();
    assert_eq!(status.code(), code, "{what}: {text}");
    for part in parts {
        assert!(text.contains(part), "{what}: {part:?} is not in {text:?}");
    }
    assert!(text.len() < 8 * 1024, "{what}: a text of {} bytes", text.len());
}

/// What a life cycle call is asked with.
#[derive(Clone)]
pub struct Asked {
    pub urn: String,
    pub id: String,
    pub state: bytes::Bytes,
    pub inputs: bytes::Bytes,
    pub news: bytes::Bytes,
}

impl Asked {
    pub fn of(token: &str, id: &str) -> Self {
        let tagged = json!({"tags": [{"key": "a", "value": "b"}]});
        let [state, inputs] = [json!({}), json!({})].map(|json| structure(&json));
        Self { urn: urn(token), id: id.into(), state, inputs, news: structure(&tagged) }
    }

    pub async fn check(&self, client: &mut Client) -> Result<rpc::CheckResponse, Status> {
        let (olds, news) = (Some(self.inputs.clone()), Some(self.news.clone()));
        let request = rpc::CheckRequest { urn: self.urn.clone(), olds, news, ..Default::default() };
        client.check(request).await.map(tonic::Response::into_inner)
    }

    pub async fn diff(&self, client: &mut Client) -> Result<rpc::DiffResponse, Status> {
        let request = rpc::DiffRequest {
            id: self.id.clone(),
            urn: self.urn.clone(),
            olds: Some(self.state.clone()),
            old_inputs: Some(self.inputs.clone()),
            news: Some(self.news.clone()),
            ..Default::default()
        };
        client.diff(request).await.map(tonic::Response::into_inner)
    }

    pub async fn create(&self, client: &mut Client) -> Result<rpc::CreateResponse, Status> {
        let properties = Some(self.news.clone());
        let request = rpc::CreateRequest { urn: self.urn.clone(), properties, ..Default::default() };
        client.create(request).await.map(tonic::Response::into_inner)
    }

    pub async fn read(&self, client: &mut Client) -> Result<rpc::ReadResponse, Status> {
        let (properties, inputs) = (Some(self.state.clone()), Some(self.inputs.clone()));
        let (id, urn) = (self.id.clone(), self.urn.clone());
        let request = rpc::ReadRequest { id, urn, properties, inputs, ..Default::default() };
        client.read(request).await.map(tonic::Response::into_inner)
    }

    pub async fn update(&self, client: &mut Client) -> Result<rpc::UpdateResponse, Status> {
        let request = rpc::UpdateRequest {
            id: self.id.clone(),
            urn: self.urn.clone(),
            olds: Some(self.state.clone()),
            old_inputs: Some(self.inputs.clone()),
            news: Some(self.news.clone()),
            ..Default::default()
        };
        client.update(request).await.map(tonic::Response::into_inner)
    }

    pub async fn delete(&self, client: &mut Client) -> Result<(), Status> {
        let (properties, old_inputs) = (Some(self.state.clone()), Some(self.inputs.clone()));
        let (id, urn) = (self.id.clone(), self.urn.clone());
        let request = rpc::DeleteRequest { id, urn, properties, old_inputs, ..Default::default() };
        client.delete(request).await.map(tonic::Response::into_inner)
    }

    /// The refusals of the calls that go to the cloud.
    pub async fn at_the_cloud(&self, client: &mut Client) -> [(&'static str, Option<Status>); 4] {
        [
            ("Create", self.create(client).await.err()),
            ("Read", self.read(client).await.err()),
            ("Update", self.update(client).await.err()),
            ("Delete", self.delete(client).await.err()),
        ]
    }

    /// The refusals of all life cycle calls.
    pub async fn everywhere(&self, client: &mut Client) -> Vec<(&'static str, Option<Status>)> {
        let mut all = vec![("Check", self.check(client).await.err()), ("Diff", self.diff(client).await.err())];
        all.extend(self.at_the_cloud(client).await);
        all
    }
}
