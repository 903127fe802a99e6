//! What the emulator asks of signatures, over HTTP.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "support/sigv4.rs"]
mod sigv4;
mod support;

use emulator::{Auth, Clock, Credential, Credentials, Emulator, Options, SchemaSource, Switches};
use serde_json::json;
use sigv4::Signer;
use std::time::{Duration, SystemTime};
use support::{Answer, Client};

const SIGNER: Signer<'static> =
    Signer { key: "AKIDEXAMPLE", secret: "secret", token: None, region: "eu-west-1", time: "20270115T080000Z" };
const TARGET: &str = "x-amz-target: CloudApiService.ListResourceRequests\r\n";

fn start(auth: Auth) -> Client {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let known = |account: &str| Credential { account: Some(account.to_owned()), secret: Some("secret".to_owned()) };
    let credentials =
        Credentials::default().with("AKIDEXAMPLE", known("111111111111")).with("AKIDOTHER", Credential::default());
    let switches = Switches { auth, s3_auto_bucket: true, ..Switches::default() };
    Client::start(&[json!({"typeName": "A::B::C"})], Options { clock, credentials, switches, ..Options::default() })
}

/// The code of an answer of Cloud Control, and its status.
fn code(answer: &Answer) -> String {
    if answer.status == 200 {
        return "ok".to_owned();
    }
    let error = answer.json();
    format!("{} {}", answer.status, error["__type"].as_str().unwrap().rsplit('#').next().unwrap())
}

fn list(client: &Client, headers: &str) -> Answer {
    client.send("POST", "/", &format!("{TARGET}{headers}"), "{}")
}

#[test]
fn signatures_are_ignored_demanded_or_held_to_their_secret() {
    let right = SIGNER.headers("POST", "/", "emulator", "cloudcontrolapi", "{}");
    let wrong = right.replace("Signature=", "Signature=0");
    let half = "authorization: AWS4-HMAC-SHA256 Credential=K\r\nx-amz-date: 20270115T080000Z\r\n";
    let other = |signer: Signer<'_>| signer.headers("POST", "/", "emulator", "cloudcontrolapi", "{}");
    let late = other(Signer { time: "20270115T075459Z", ..SIGNER });
    let early = other(Signer { time: "20270115T080501Z", ..SIGNER });
    let edge = other(Signer { time: "20270115T075500Z", ..SIGNER });
    let stranger = other(Signer { key: "AKIDNOBODY", ..SIGNER });
    let without = other(Signer { key: "AKIDOTHER", ..SIGNER });
    let body = SIGNER.headers("POST", "/", "emulator", "cloudcontrolapi", "{ }");
    for (headers, accepted, required, verified) in [
        ("", "ok", "403 MissingAuthenticationToken", "403 MissingAuthenticationToken"),
        (half, "ok", "400 IncompleteSignature", "400 IncompleteSignature"),
        (&right, "ok", "ok", "ok"),
        (&edge, "ok", "ok", "ok"),
        (&wrong, "ok", "ok", "403 InvalidSignatureException"),
        (&body, "ok", "ok", "403 InvalidSignatureException"),
        (&late, "ok", "ok", "403 InvalidSignatureException"),
        (&early, "ok", "ok", "403 InvalidSignatureException"),
        (&stranger, "ok", "ok", "403 UnrecognizedClientException"),
        (&without, "ok", "ok", "403 UnrecognizedClientException"),
    ] {
        for (auth, expected) in [(Auth::Accept, accepted), (Auth::Require, required), (Auth::Verify, verified)] {
            assert_eq!(code(&list(&start(auth), headers)), expected, "{auth:?} {headers}");
        }
    }
    let expired = list(&start(Auth::Verify), &late).json()["Message"].as_str().unwrap().to_owned();
    let text = "Signature expired: 20270115T075459Z is now earlier than 20270115T075500Z (20270115T080000Z - 5 min.)";
    assert_eq!(expired, text);
    assert_eq!(start(Auth::Verify).send("GET", "/_emu/health", "", "").status, 200, "the own pages need no signature");
}

#[test]
fn sessions_are_good_until_they_end() {
    let client = start(Auth::Verify);
    let form =
        "Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A222222222222%3Arole%2Fr&RoleSessionName=me&DurationSeconds=900";
    let kind = "content-type: application/x-www-form-urlencoded\r\n";
    let headers = SIGNER.headers("POST", "/", "emulator", "sts", form);
    let assumed = client.send("POST", "/", &format!("{kind}{headers}"), form).text;
    let text = |name: &str| {
        let (_, rest) = assumed.split_once(&format!("<{name}>")).unwrap();
        rest.split('<').next().unwrap().to_owned()
    };
    let (key, secret, token) = (text("AccessKeyId"), text("SecretAccessKey"), text("SessionToken"));
    let session = Signer { key: &key, secret: &secret, token: Some(&token), ..SIGNER };
    let call = |signer: &Signer<'_>| list(&client, &signer.headers("POST", "/", "emulator", "cloudcontrolapi", "{}"));
    assert_eq!(code(&call(&session)), "ok");
    assert_eq!(code(&call(&Signer { token: Some("another"), ..session })), "403 UnrecognizedClientException");
    assert_eq!(code(&call(&Signer { token: None, ..session })), "403 UnrecognizedClientException");
    assert_eq!(code(&call(&Signer { secret: "another", ..session })), "403 InvalidSignatureException");
    client.emulator.admin().advance(Duration::from_secs(900));
    let late = Signer { time: "20270115T081500Z", ..session };
    assert_eq!(code(&call(&late)), "403 ExpiredTokenException");
    // In the form of STS the same error has another name.
    let form = "Action=GetCallerIdentity";
    let headers = late.headers("POST", "/", "emulator", "sts", form);
    let refused = client.send("POST", "/", &format!("{kind}{headers}"), form);
    assert!(refused.status == 403 && refused.text.contains("<Code>ExpiredToken</Code>"), "{}", refused.text);
}

#[test]
fn presigned_urls_are_good_for_as_long_as_they_say() {
    let client = start(Auth::Verify);
    let host = "emulator";
    let put = SIGNER.presigned("PUT", "/bucket/key", host, "s3", 600);
    let get = SIGNER.presigned("GET", "/bucket/key", host, "s3", 1_200);
    assert_eq!(client.send("PUT", &put, "", "content").status, 200);
    assert_eq!(client.send("GET", &get, "", "").text, "content");
    let code = |answer: Answer| {
        let (_, rest) = answer.text.split_once("<Code>").unwrap();
        format!("{} {}", answer.status, rest.split('<').next().unwrap())
    };
    assert_eq!(code(client.send("GET", &put, "", "")), "403 SignatureDoesNotMatch", "it is good for a PUT only");
    assert_eq!(code(client.send("GET", &get.replace("/key", "/other"), "", "")), "403 SignatureDoesNotMatch");
    assert_eq!(code(client.send("GET", "/bucket/key", "", "")), "403 AccessDenied");
    client.emulator.admin().advance(Duration::from_secs(601));
    assert_eq!(code(client.send("PUT", &put, "", "again")), "403 AccessDenied");
    assert_eq!(client.send("GET", &get, "", "").text, "content");
}

#[test]
fn keys_of_the_file_act_in_their_account() {
    let client = start(Auth::Verify);
    let form = "Action=GetCallerIdentity";
    let kind = "content-type: application/x-www-form-urlencoded\r\n";
    let headers = SIGNER.headers("POST", "/", "emulator", "sts", form);
    let who = client.send("POST", "/", &format!("{kind}{headers}"), form).text;
    assert!(who.contains("<Account>111111111111</Account>"), "{who}");
}

#[test]
fn the_command_says_what_is_wrong_with_the_file_of_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    std::fs::write(&file, "AKID: { password: x }\n").unwrap();
    let none = folder.path().join("none.yaml");
    for (file, expected) in [(&file, "keys.yaml:1:9: "), (&none, "none.yaml: ")] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
        let output = command.args(["--auth", "verify", "--credentials"]).arg(file).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--credentials ") && said.contains(expected), "{said}");
    }
}

#[test]
fn signatures_cannot_be_verified_without_secrets() {
    let switches = Switches { auth: Auth::Verify, ..Switches::default() };
    let builder = Emulator::builder().schemas(SchemaSource::Texts(vec!["{\"typeName\":\"A::B::C\"}".to_owned()]));
    let error = builder.options(Options { switches, ..Options::default() }).start_blocking().unwrap_err();
    assert_eq!(error.to_string(), "auth=verify needs keys with their secrets: give --credentials FILE");
    assert_eq!(error.exit_code(), 2);
}
