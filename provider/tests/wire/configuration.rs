//! What Configure takes and refuses.

use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use serde_json::json;
use tonic::{Code, Request};

use super::server::{Answer, Server};
use super::service::{configure, plain, provider, refused, structure};

#[tokio::test]
async fn configurations() {
    let provider = provider();
    let news = |json| pb::CheckRequest { news: structure(json), ..Default::default() };
    let good = json!({"region": "eu-west-1", "version": "1.0.0"});
    let answer = provider.check_config(Request::new(news(good.clone()))).await.unwrap().into_inner();
    assert_eq!((plain(&answer.inputs), answer.failures.len()), (good, 0));
    let answer = provider.check_config(Request::new(news(json!({"regoin": "x"})))).await.unwrap().into_inner();
    assert_eq!(answer.failures[0].reason, "unknown configuration key \"regoin\"; did you mean \"region\"?");
    assert!(answer.inputs.is_none());

    let diff = pb::DiffRequest {
        olds: structure(json!({"region": "a", "profile": "p"})),
        news: structure(json!({"region": "b", "profile": "p"})),
        ..Default::default()
    };
    let diff = provider.diff_config(Request::new(diff)).await.unwrap().into_inner();
    assert_eq!((diff.replaces, diff.diffs), (vec!["region".to_owned()], vec!["region".to_owned()]));
    assert!(diff.has_detailed_diff);

    let (code, text) = refused(provider.configure(Request::new(Default::default())).await);
    assert_eq!(code, Code::InvalidArgument);
    assert!(text.starts_with("missing required configuration key \"aws-native:region\":The region where"), "{text}");

    let same = || configure("http://127.0.0.1:9", json!({}));
    provider.configure(same()).await.unwrap();
    provider.configure(same()).await.unwrap();
    let other = configure("http://127.0.0.1:9", json!({"region": "eu-west-1"}));
    assert_eq!(refused(provider.configure(other).await).0, Code::FailedPrecondition);
}

#[tokio::test]
async fn the_account_guard_holds_even_without_validation() {
    const IDENTITY: &str = "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">\
        <GetCallerIdentityResult><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>";
    let server = Server::start(|_, _| Answer { content_type: "text/xml", ..Answer::json(200, IDENTITY) }).await;
    let guarded = |lists| configure(&server.url, lists);
    let answer = provider().configure(guarded(json!({"forbiddenAccountIds": ["111122223333"]}))).await;
    assert_eq!(
        refused(answer),
        (
            Code::PermissionDenied,
            "forbidden account ID (111122223333): `aws-native:forbiddenAccountIds` has it; use credentials of another account, \
             or take it off the list"
                .to_owned()
        )
    );
    let answer = provider().configure(guarded(json!({"allowedAccountIds": "[\"1\"]"}))).await;
    assert_eq!(
        refused(answer).1,
        "account ID not allowed (111122223333): `aws-native:allowedAccountIds` does not have it; use credentials of an account on \
         the list, or add it"
    );
    provider().configure(guarded(json!({"allowedAccountIds": [], "forbiddenAccountIds": ["1"]}))).await.unwrap();
    assert_eq!(server.count("getcalleridentity"), 3);
    provider().configure(guarded(json!({}))).await.unwrap();
    assert_eq!(server.count("getcalleridentity"), 3);
}
