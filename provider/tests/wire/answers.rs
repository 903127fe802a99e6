//! What comes back over HTTP, honest and hostile, through the real AWS SDK.

use std::sync::Arc;
use std::time::{Duration, Instant};

use provider::cloud::client::Client;
use provider::cloud::failure::Location;
use provider::cloud::sdk::SdkApi;
use provider::cloud::{CloudControl, CloudErrorKind, Operation};
use provider::config::{self, Configuration};
use provider::identity;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::server::{Answer, Server};

/// A configuration that reaches `url` and nothing else.
pub fn configuration(url: &str, more: &[(&str, &str)]) -> Configuration {
    let endpoints = json!({"cloudcontrol": url, "sts": url}).to_string();
    let keys = [
        ("region", "eu-west-1"),
        ("accessKey", "AKIDTEST"),
        ("secretKey", "canary-secret"),
        ("maxRetries", "2"),
        ("endpoints", endpoints.as_str()),
    ];
    let variables = keys.iter().chain(more).map(|(key, text)| (format!("aws-native:config:{key}"), (*text).to_owned()));
    config::read(&value::Map::new(), &variables.collect(), &|_| None).unwrap()
}

async fn client(configuration: &Configuration) -> Client<SdkApi> {
    struct Silent;
    impl provider::cloud::notices::Notices for Silent {
        fn show<'a>(
            &'a self,
            _: provider::cloud::notices::NoticeKind,
            _: &'a str,
            _: &'a str,
        ) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
            Box::pin(std::future::ready(()))
        }
    }
    let session = identity::connect(configuration).await.unwrap();
    let api = SdkApi::new(session.cloud_control, configuration.role_arn.clone());
    Client::new(api, Location::default(), Arc::new(Silent), CancellationToken::new(), configuration.attempts())
}

fn operation() -> Operation<'static> {
    Operation { urn: "", type_name: "AWS::SQS::Queue", deadline: Duration::from_secs(60), secrets: None }
}

#[tokio::test]
async fn a_life_cycle_over_http() {
    let server = Server::start(|target, before| {
        Answer::json(
            200,
            match (target, before) {
                ("createresource", _) => {
                    r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t","Identifier":"q-1"}}"#
                }
                ("getresourcerequeststatus", 0) => {
                    r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t","RetryAfter":1.5}}"#
                }
                ("getresourcerequeststatus", _) => {
                    r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","Identifier":"q-1"}}"#
                }
                ("getresource", _) => {
                    r#"{"ResourceDescription":{"Identifier":"q-1","Properties":"{\"Delay\":30000000000}"}}"#
                }
                _ => "{}",
            },
        )
    })
    .await;
    let configuration = configuration(&server.url, &[("roleArn", "arn:aws:iam::123456789012:role/Deploy")]);
    let created =
        client(&configuration).await.create(&operation(), &json!({"Delay": 30_000_000_000_u64})).await.unwrap();
    assert_eq!((created.identifier.as_str(), created.model), ("q-1", json!({"Delay": 30_000_000_000_u64})));

    let seen = server.seen();
    let create: serde_json::Value = serde_json::from_str(&seen[0].body).unwrap();
    assert_eq!(create["DesiredState"], r#"{"Delay":30000000000}"#);
    assert_eq!(create["RoleArn"], "arn:aws:iam::123456789012:role/Deploy");
    assert!(create["ClientToken"].as_str().is_some_and(|token| token.len() == 36));
    for request in &seen {
        assert!(request.head.contains("\nuser-agent: apn/1.1 (c7qiae2l6usvzoynupds6v7hf)"), "{}", request.head);
        assert!(!request.head.contains("canary") && !request.body.contains("canary"));
    }
}

#[tokio::test]
async fn hostile_answers_are_named_and_not_repeated_for_ever() {
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_model =
        json!({"ResourceDescription": {"Properties": format!("{{\"a\":{}", "[".repeat(10_000))}}).to_string();
    let html = |status| Answer {
        content_type: "text/html; charset=utf-8",
        ..Answer::json(status, "<html>secret page</html>")
    };
    for (answer, most_requests, expected) in [
        (Answer::json(200, "{}"), 1, "GetResource failed: received no ResourceDescription"),
        (
            Answer::json(200, r#"{"ResourceDescription":null}"#),
            1,
            "GetResource failed: received no ResourceDescription",
        ),
        (
            Answer::json(200, r#"{"ResourceDescription":{"Properties":null}}"#),
            1,
            "GetResource failed: received nil properties",
        ),
        (
            Answer::json(200, r#"{"ResourceDescription":{"Prop"#),
            1,
            "GetResource failed: the answer (HTTP status 200) could not be read",
        ),
        (Answer::json(200, deep), 1, "GetResource failed: the answer is nested deeper than 512 levels"),
        (
            Answer::json(200, deep_model),
            1,
            "the answer to GetResource cannot be used: the resource's properties are nested deeper than 512 levels",
        ),
        (Answer::json(200, " ".repeat(17 * 1024 * 1024)), 1, "GetResource failed: the answer is larger than 16 MiB"),
        (
            html(200),
            1,
            "GetResource failed: the endpoint answered with a web page (HTTP status 200), which AWS never does",
        ),
        (
            html(404),
            1,
            "GetResource failed: the endpoint answered with a web page (HTTP status 404), which AWS never does",
        ),
        (
            html(502),
            3,
            "GetResource failed: the endpoint answered with a web page (HTTP status 502), which AWS never does",
        ),
        // A bare 404 is not "gone": only the service's own word is.
        (Answer::json(404, "{}"), 1, "GetResource failed: HTTP status 404 without an error code"),
    ] {
        let what = format!("{answer:?}").chars().take(80).collect::<String>();
        let server = Server::start(move |_, _| answer.clone()).await;
        let error = client(&configuration(&server.url, &[])).await.read(&operation(), "q-1").await.unwrap_err();
        assert_eq!(error.message.lines().next(), Some(expected), "{what}");
        assert_eq!(error.kind, CloudErrorKind::Malformed, "{what}");
        assert!(error.message.contains("AWS::SQS::Queue"), "{}", error.message);
        assert!(server.seen().len() <= most_requests, "{what}: {} requests", server.seen().len());
    }
}

#[tokio::test]
async fn service_errors_keep_code_message_and_request_id() {
    for (body, kind, expected) in [
        (
            r#"{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn is not authorized"}"#,
            CloudErrorKind::Service { code: "AccessDeniedException".to_owned() },
            "GetResource failed with \"AccessDeniedException\": User: arn is not authorized",
        ),
        (
            r#"{"__type":"ExpiredTokenException","message":"The security token included in the request is expired"}"#,
            CloudErrorKind::Credentials {
                next: "renew the credentials (for example `aws sso login`, or new keys), then run the command again"
                    .to_owned(),
            },
            "GetResource failed: ExpiredTokenException: The security token included in the request is expired",
        ),
        // New credentials do not help against a clock that is wrong.
        (
            r#"{"__type":"InvalidSignatureException","message":"Signature expired: is now earlier than"}"#,
            CloudErrorKind::Credentials {
                next: "check that the secret key belongs to the access key and that this machine's clock is right"
                    .to_owned(),
            },
            "GetResource failed: InvalidSignatureException: Signature expired: is now earlier than",
        ),
    ] {
        let server = Server::start(move |_, _| Answer::json(400, body)).await;
        let error = client(&configuration(&server.url, &[])).await.read(&operation(), "q-1").await.unwrap_err();
        assert_eq!(error.kind, kind);
        assert_eq!(error.message.lines().next(), Some(expected));
        assert!(
            error.message.contains("request id: id-1") && !error.message.contains("next step"),
            "{}",
            error.message
        );
    }
    let server =
        Server::start(|_, _| Answer::json(400, r#"{"__type":"ResourceNotFoundException","Message":"gone"}"#)).await;
    assert_eq!(client(&configuration(&server.url, &[])).await.read(&operation(), "q-1").await.unwrap(), None);
}

#[tokio::test]
async fn throttled_requests_are_repeated_with_their_token() {
    let server = Server::start(|target, before| match (target, before) {
        ("deleteresource", 0) => Answer::json(400, r#"{"__type":"ThrottlingException","Message":"Rate exceeded"}"#),
        _ => Answer::json(200, r#"{"ProgressEvent":{"OperationStatus":"SUCCESS"}}"#),
    })
    .await;
    client(&configuration(&server.url, &[])).await.delete(&operation(), "q-1").await.unwrap();
    let tokens =
        server.seen().iter().map(|seen| seen.body.split("ClientToken").nth(1).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(tokens.len(), 2);
    assert_eq!(tokens[0], tokens[1], "the same request must keep its token");
}

#[tokio::test]
async fn an_endpoint_that_nobody_listens_on_is_reported_within_seconds() {
    let started = Instant::now();
    // Port 9 of the loopback interface refuses; a host name under .invalid never resolves.
    for url in ["http://127.0.0.1:9", "http://cloudcontrol.invalid"] {
        let configuration = configuration(url, &[("maxRetries", "25")]);
        let error = client(&configuration).await.read(&operation(), "q-1").await.unwrap_err();
        assert_eq!(error.kind, CloudErrorKind::Unreachable, "{}", error.message);
        assert!(error.message.contains("no connection to the endpoint"), "{}", error.message);
    }
    assert!(started.elapsed() < Duration::from_secs(20), "took {:?}", started.elapsed());
}

const RUNNING: &str = r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","RequestToken":"t","Identifier":"q-1"}}"#;
const DONE: &str = r#"{"ProgressEvent":{"OperationStatus":"SUCCESS","RequestToken":"t","Identifier":"q-1"}}"#;
const MODEL: &str = r#"{"ResourceDescription":{"Identifier":"q-1","Properties":"{}"}}"#;

/// What a create comes to when these are the answers to CreateResource and to the first status call.
async fn created(first: Answer, polled: Answer) -> Result<String, String> {
    let server = Server::start(move |target, before| match (target, before) {
        ("createresource", _) => first.clone(),
        ("getresourcerequeststatus", 0) => polled.clone(),
        ("getresource", _) => Answer::json(200, MODEL),
        _ => Answer::json(200, DONE),
    })
    .await;
    let created = client(&configuration(&server.url, &[])).await.create(&operation(), &json!({})).await;
    created.map(|created| created.identifier).map_err(|failure| format!("{failure}"))
}

#[tokio::test]
async fn one_odd_poll_loses_no_operation() {
    let html = |status| Answer { content_type: "text/html", ..Answer::json(status, "<html>") };
    for polled in [
        Answer::json(429, ""),
        html(429),
        html(200),
        Answer::json(200, "null"),
        Answer::json(200, ""),
        Answer::json(404, ""),
        Answer::json(503, "upstream"),
        Answer { length: Some(1000), ..Answer::json(200, r#"{"ProgressEvent":{"Op"#) },
        Answer::json(400, r#"{"__type":"ThrottledException"}"#),
        Answer::json(200, r#"{"ProgressEvent":{"RequestToken":"t"}}"#),
    ] {
        let what = format!("{polled:?}");
        assert_eq!(created(Answer::json(200, RUNNING), polled).await, Ok("q-1".to_owned()), "{what}");
    }
}

#[tokio::test]
async fn one_odd_member_loses_no_operation() {
    for odd in [
        r#""RetryAfter":"2020-01-01T00:00:00Z""#,
        r#""RetryAfter":"soon""#,
        r#""RetryAfter":{}"#,
        r#""RetryAfter":-1e300"#,
        r#""EventTime":"2020-01-01T00:00:00Z""#,
        r#""ErrorCode":7"#,
        r#""StatusMessage":["words"]"#,
        r#""OperationStatus":7"#,
        r#""OperationStatus":null"#,
    ] {
        let body = match odd.contains("OperationStatus") {
            true => format!(r#"{{"ProgressEvent":{{"RequestToken":"t","Identifier":"q-1",{odd}}}}}"#),
            false => RUNNING.replace(r#""Identifier""#, &format!(r#"{odd},"Identifier""#)),
        };
        let done = Answer::json(200, DONE);
        assert_eq!(created(Answer::json(200, body), done).await, Ok("q-1".to_owned()), "{odd}");
    }
    let failed = r#"{"ProgressEvent":{"OperationStatus":"FAILED","RequestToken":"t","Identifier":"q-1",
        "ErrorCode":"AccessDenied","StatusMessage":"no"},"HooksProgressEvent":[{"HookStatus":7},null]}"#;
    let error = created(Answer::json(200, RUNNING), Answer::json(200, failed)).await.unwrap_err();
    assert!(error.starts_with("operation CREATE failed with \"AccessDenied\": no"), "{error}");
    // Also a failure that an event tells has the id of the request that told it.
    assert!(error.contains("request token: t, request id: id-1"), "{error}");
}
