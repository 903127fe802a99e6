//! Known cases of failures, through the gRPC service and over real HTTP.

use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use serde_json::json;
use tonic::{Code, Request};

use super::server::{Answer, Server};
use super::service::{URN, configure, provider, structure};

fn create() -> Request<pb::CreateRequest> {
    let properties = structure(json!({"name": "orders"}));
    Request::new(pb::CreateRequest { urn: URN.to_owned(), properties, ..Default::default() })
}

#[tokio::test]
async fn c01_a_name_that_is_taken_owns_nothing() {
    let failed = r#"{"ProgressEvent":{"OperationStatus":"FAILED","RequestToken":"t","Identifier":"orders",
        "ErrorCode":"AlreadyExists","StatusMessage":"orders is taken"}}"#;
    let server = Server::start(move |_, _| Answer::json(200, failed)).await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let status = provider.create(create()).await.unwrap_err();
    assert_eq!(status.code(), Code::AlreadyExists);
    assert!(status.details().is_empty(), "nothing may get into the state");
    assert_eq!(server.count("getresource"), 0);
    let text = status.message();
    assert!(text.contains("\"AlreadyExists\": orders is taken") && text.contains("identifier: orders"), "{text}");
    assert!(text.contains("`pulumi import aws-native:test:Thing q 'orders'`"), "{text}");
}

#[tokio::test]
async fn c50_a_refusal_names_the_caller_when_it_is_known() {
    const IDENTITY: &str = "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">\
        <GetCallerIdentityResult><Account>111122223333</Account><Arn>arn:aws:iam::111122223333:user/u</Arn>\
        </GetCallerIdentityResult></GetCallerIdentityResponse>";
    let server = Server::start(|target, _| match target {
        "getcalleridentity" => Answer { content_type: "text/xml", ..Answer::json(200, IDENTITY) },
        _ => Answer::json(400, r#"{"__type":"AccessDeniedException","Message":"no"}"#),
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({"skipCredentialsValidation": "false"}))).await.unwrap();
    let status = provider.create(create()).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    let facts =
        "region: us-east-1, account: 111122223333, caller: arn:aws:iam::111122223333:user/u\n  next step: allow";
    assert!(status.message().contains(facts), "{}", status.message());
}

#[tokio::test]
async fn c50_a_denial_inside_an_operation_names_the_permissions_too() {
    let failed = r#"{"ProgressEvent":{"OperationStatus":"FAILED","RequestToken":"t-1","ErrorCode":"AccessDenied",
        "StatusMessage":"User is not authorized to perform: test:CreateThing"}}"#;
    let server = Server::start(move |_, _| Answer::json(200, failed)).await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let status = provider.create(create()).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    assert_eq!(
        status.message(),
        "creating resource: operation CREATE failed with \"AccessDenied\": User is not authorized to perform: \
         test:CreateThing\n  type: AWS::Test::Thing, request token: t-1, request id: id-1, region: us-east-1\n  next step: allow the caller \
         these IAM actions: cloudformation:CreateResource, cloudformation:GetResourceRequestStatus, \
         cloudformation:GetResource, test:CreateThing (other operations need cloudformation:UpdateResource, \
         cloudformation:DeleteResource, cloudformation:ListResources too)"
    );
}

/// A Cancel, as the engine sends it when somebody interrupts a run: what is still running is named, with the way to pick
/// it up, and the provider asks no more than to stop it and what is there. How long that takes is shown on a virtual clock.
#[tokio::test]
async fn c97_a_canceled_create_is_named_in_full() {
    let server = Server::start(|target, _| match target {
        "getresource" => Answer::json(400, r#"{"__type":"ResourceNotFoundException","Message":"not yet"}"#),
        _ => Answer::json(
            200,
            r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t-1","Identifier":"orders"}}"#,
        ),
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let cancel = async {
        while server.count("getresourcerequeststatus") == 0 {
            tokio::task::yield_now().await;
        }
        let polls = server.count("getresourcerequeststatus");
        provider.cancel(Request::new(())).await.unwrap();
        polls
    };
    let (answer, polls) = tokio::join!(provider.create(create()), cancel);
    let status = answer.unwrap_err();
    assert_eq!(
        status.message(),
        "creating resource: operation CREATE was canceled while it was running; it may still finish\n  type: \
         AWS::Test::Thing, identifier: orders, request token: t-1, region: us-east-1\n  next step: run the command again: \
         the state has the resource, and it is read before it is changed"
    );
    assert!(String::from_utf8_lossy(status.details()).contains("ErrorResourceInitFailed"));
    assert_eq!(server.count("createresource"), 1);
    assert_eq!(server.count("cancelresourcerequest"), 1);
    assert_eq!(server.count("getresourcerequeststatus"), polls, "nobody waits any more");
    assert!(provider.inflight().last_words().is_empty());
    // And nothing begins.
    let late = provider.create(create()).await.unwrap_err();
    assert!(late.message().contains("operation CREATE was canceled before it started"), "{}", late.message());
    assert_eq!(server.count("createresource"), 1);
}

#[tokio::test]
async fn c18_a_deadline_names_type_resource_request_and_status() {
    let server = Server::start(|target, _| {
        Answer::json(
            200,
            match target {
                "getresource" => r#"{"ResourceDescription":{"Properties":"{\"Name\":\"orders\"}"}}"#,
                _ => {
                    r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t-1","Identifier":"orders"}}"#
                }
            },
        )
    })
    .await;
    let provider = provider();
    provider.configure(configure(&server.url, json!({}))).await.unwrap();
    let request = pb::CreateRequest { timeout: 1.0, ..create().into_inner() };
    let status = provider.create(Request::new(request)).await.unwrap_err();
    let text = status.message();
    assert!(text.contains("did not finish within 1 s (last status IN_PROGRESS)"), "{text}");
    assert!(
        text.contains("type: AWS::Test::Thing, identifier: orders, request token: t-1, region: us-east-1"),
        "{text}"
    );
    assert_eq!(server.count("cancelresourcerequest"), 1);
    assert!(String::from_utf8_lossy(status.details()).contains("ErrorResourceInitFailed"));
}
