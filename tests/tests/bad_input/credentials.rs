//! Credentials that are missing, half there, or expired.

use serde_json::json;
use tests::cloud::Cloud;
use tests::endpoint::{Endpoint, Manner};
use tonic::Code;

use crate::asked::{AWS_JSON, Asked, BUCKET, assert_alive, assert_refused, configured, settings, started};

#[tokio::test]
async fn credentials_that_have_expired() {
    for (kind, status) in [("ExpiredTokenException", 400), ("ExpiredToken", 403), ("UnrecognizedClientException", 400)]
    {
        let body = json!({"__type": kind, "message": "the token is not good"}).to_string();
        let endpoint = Endpoint::start(Manner::Says(status, AWS_JSON, body)).unwrap();
        let mut provider = configured(endpoint.url()).await;
        for (call, status) in Asked::of(BUCKET, "b").at_the_cloud(&mut provider.client).await {
            assert!(status.as_ref().is_some_and(|status| status.details().is_empty()), "{call}: owns nothing");
            let parts = [kind, "the token is not good", "AWS::S3::Bucket", "renew the credentials"];
            assert_refused(&format!("{call}: {kind}"), status, Code::Unauthenticated, &parts);
        }
        assert_eq!(endpoint.requests(), 4, "{kind}: asked again");
        assert_alive(&mut provider).await;
    }
}

#[tokio::test]
async fn credentials_that_are_missing() {
    let none = [("AWS_ACCESS_KEY_ID", ""), ("AWS_SECRET_ACCESS_KEY", "")];
    let cloud = Cloud::start().unwrap();
    for (what, environment, extra, part) in [
        ("none", &none[..], json!({}), "no AWS credentials found"),
        ("half a pair", &none[1..], json!({}), "AWS_SECRET_ACCESS_KEY"),
        ("no such file", &none, json!({"sharedCredentialsFile": "/nonexistent/file"}), "/nonexistent/file"),
    ] {
        let mut all = settings(cloud.url());
        all.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let mut provider = started(environment).await;
        provider.configure(&all).await.unwrap();
        for (call, status) in Asked::of(BUCKET, "b").at_the_cloud(&mut provider.client).await {
            assert_refused(&format!("{call}: {what}"), status, Code::Unauthenticated, &[part, "AWS::S3::Bucket"]);
        }
        // Validation finds the same, at once.
        all["skipCredentialsValidation"] = json!("false");
        let mut provider = started(environment).await;
        let status = provider.configure(&all).await.err();
        assert_refused(&format!("Configure: {what}"), status, Code::Unauthenticated, &[part]);
        assert_alive(&mut provider).await;
    }
    // A profile that no file has can become nothing, so that it is refused also where nothing is validated.
    let mut all = settings(cloud.url());
    all["profile"] = json!("nobody");
    let mut provider = started(&none).await;
    let status = provider.configure(&all).await.err();
    assert_refused("Configure: no such profile", status, Code::Unauthenticated, &["nobody", "aws configure"]);
    assert_alive(&mut provider).await;
    assert!(cloud.requests().unwrap().is_empty());
}
