//! Accounts and credentials through the real AWS SDK.

use provider::config;
use provider::identity::{self, IdentityError};

use super::answers::configuration;
use super::server::{Answer, Server};

fn xml(status: u16, body: &str) -> Answer {
    Answer { content_type: "text/xml", ..Answer::json(status, body) }
}

const IDENTITY: &str = "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult>\
    <Arn>arn:aws:iam::111122223333:user/u</Arn><UserId>U</UserId><Account>111122223333</Account>\
    </GetCallerIdentityResult></GetCallerIdentityResponse>";

#[tokio::test]
async fn the_account_is_asked_for_once() {
    let server = Server::start(|_, _| xml(200, IDENTITY)).await;
    let session = identity::connect(&configuration(&server.url, &[])).await.unwrap();
    assert_eq!(session.known_account(), None);
    let (one, two) = tokio::join!(session.account(), session.account());
    assert_eq!((one.unwrap(), two.unwrap()), ("111122223333", "111122223333"));
    session.account().await.unwrap();
    assert_eq!(server.count("getcalleridentity"), 1);
    assert!(server.seen()[0].head.contains("user-agent: apn/1.1 (c7qiae2l6usvzoynupds6v7hf)"));
}

#[tokio::test]
async fn refused_credentials_say_what_to_do() {
    let server = Server::start(|_, _| {
        xml(
            403,
            "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>\
             ExpiredToken</Code><Message>The security token included in the request is expired</Message></Error>\
             <RequestId>r</RequestId></ErrorResponse>",
        )
    })
    .await;
    let session = identity::connect(&configuration(&server.url, &[])).await.unwrap();
    let error = session.account().await.unwrap_err();
    assert!(matches!(error, IdentityError::Account { credentials: true, .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "could not get AWS account ID: STS answered ExpiredToken: The security token included in the request is expired; \
         renew the credentials (for example `aws sso login`, or new keys), then run the command again"
    );
}

#[tokio::test]
async fn a_busy_sts_is_no_reason_to_renew_credentials() {
    let server = Server::start(|_, _| {
        xml(
            400,
            "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Code>Throttling</Code>\
             <Message>Rate exceeded</Message></Error></ErrorResponse>",
        )
    })
    .await;
    let session = identity::connect(&configuration(&server.url, &[])).await.unwrap();
    let error = session.account().await.unwrap_err();
    assert!(matches!(error, IdentityError::Account { credentials: false, .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "could not get AWS account ID: STS answered Throttling: Rate exceeded; run the command again in a while"
    );
}

#[tokio::test]
async fn an_assumed_role_signs_requests() {
    let server = Server::start(|target, _| {
        if target == "assumerole" {
            xml(
                200,
                "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials>\
                 <AccessKeyId>AKIDROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>\
                 <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>",
            )
        } else {
            xml(200, IDENTITY)
        }
    })
    .await;
    let role = r#"{"roleArn":"arn:aws:iam::111122223333:role/Deploy","sessionName":"ci","durationSeconds":1800,
        "externalId":"e","tags":{"team":"infra"},"transitiveTagKeys":["team"]}"#;
    let session = identity::connect(&configuration(&server.url, &[("assumeRole", role)])).await.unwrap();
    session.account().await.unwrap();
    session.account().await.unwrap();
    let seen = server.seen();
    assert_eq!((server.count("assumerole"), server.count("getcalleridentity")), (1, 1));
    assert!(seen[0].head.contains("credential=akidtest/"), "the role is fetched with the base credentials");
    for part in ["RoleSessionName=ci", "DurationSeconds=1800", "ExternalId=e", "Tags.member.1.Key=team"] {
        assert!(seen[0].body.contains(part), "{part} in {}", seen[0].body);
    }
    assert!(seen[1].head.contains("credential=akidrole/"), "{}", seen[1].head);
}

/// What STS answers to a call for a role: keys with this name.
fn role_credentials(call: &str, name: &str) -> Answer {
    xml(
        200,
        &format!(
            "<{call}Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><{call}Result><Credentials>\
             <AccessKeyId>AKID{name}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>\
             <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></{call}Result></{call}Response>"
        ),
    )
}

#[tokio::test]
async fn c46_roles_are_assumed_one_after_the_other() {
    let server = Server::start(|target, before| match target {
        "assumerole" => role_credentials("AssumeRole", ["one", "two"][before]),
        _ => xml(200, IDENTITY),
    })
    .await;
    let roles = r#"[{"roleArn":"arn:aws:iam::111122223333:role/one"},
        {"roleArn":"arn:aws:iam::111122223333:role/two","sourceIdentity":"ann"}]"#;
    let session = identity::connect(&configuration(&server.url, &[("assumeRole", roles)])).await.unwrap();
    session.account().await.unwrap();
    session.account().await.unwrap();
    let seen = server.seen();
    let signers = ["credential=akidtest/", "credential=akidone/", "credential=akidtwo/"];
    assert_eq!(seen.len(), signers.len());
    for (request, signer) in seen.iter().zip(signers) {
        assert!(request.head.contains(signer), "{signer}: {}", request.head);
    }
    assert!(!seen[0].body.contains("SourceIdentity") && seen[1].body.contains("SourceIdentity=ann"));
}

#[tokio::test]
async fn c46_a_web_identity_signs_requests() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "header.body.signature\n").unwrap();
    let role =
        |token: &str| format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/web","sessionName":"ci",{token}}}"#);
    for token in
        [format!(r#""webIdentityTokenFile":{file:?}"#), r#""webIdentityToken":"header.body.signature""#.to_owned()]
    {
        let server = Server::start(|target, _| match target {
            "assumerolewithwebidentity" => role_credentials("AssumeRoleWithWebIdentity", "web"),
            "assumerole" => role_credentials("AssumeRole", "two"),
            _ => xml(200, IDENTITY),
        })
        .await;
        let variables = [
            ("region", "eu-west-1"),
            ("profile", "absent"),
            ("assumeRoleWithWebIdentity", role(&token).as_str()),
            ("assumeRole", r#"{"roleArn":"arn:aws:iam::111122223333:role/two"}"#),
            ("endpoints", &format!(r#"{{"sts":"{}"}}"#, server.url)),
        ]
        .map(|(key, text)| (format!("aws-native:config:{key}"), text.to_owned()));
        let configuration = config::read(&value::Map::new(), &variables.into(), &|_| None).unwrap();
        let session = identity::connect(&configuration).await.unwrap();
        session.account().await.unwrap();
        let seen = server.seen();
        // The token is the proof: the first request has no signature.
        assert!(!seen[0].head.contains("credential="), "{}", seen[0].head);
        for part in ["WebIdentityToken=header.body.signature", "RoleSessionName=ci", "DurationSeconds=900"] {
            assert!(seen[0].body.contains(part), "{part} in {}", seen[0].body);
        }
        assert!(seen[1].head.contains("credential=akidweb/"), "{}", seen[1].head);
        assert!(seen[2].head.contains("credential=akidtwo/"), "{}", seen[2].head);
    }
}

#[tokio::test]
async fn c46_a_web_identity_that_is_none_says_what_to_do() {
    for (token, code, expected) in [
        (
            r#""webIdentityToken":"old""#,
            "ExpiredTokenException",
            "the role arn:aws:iam::111122223333:role/web cannot be assumed: STS answered ExpiredTokenException: no; get a new \
             web identity token, then run the command again",
        ),
        (
            r#""webIdentityToken":"x""#,
            "AccessDenied",
            "the role arn:aws:iam::111122223333:role/web cannot be assumed: STS answered AccessDenied: no; check the role's \
             trust policy: whom it trusts, and under which conditions",
        ),
        (
            r#""webIdentityToken":"a b""#,
            "none",
            "the web identity token is empty, or holds a space, a line break or another character that no AWS key has; get a \
             new web identity token, then run the command again",
        ),
        (
            r#""webIdentityTokenFile":"/nowhere/token""#,
            "none",
            "webIdentityTokenFile /nowhere/token cannot be read: No such file or directory (os error 2); check that the file is \
             there and may be read",
        ),
    ] {
        let server = Server::start(move |_, _| {
            xml(
                400,
                &format!(
                    "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Code>{code}</Code>\
                     <Message>no</Message></Error></ErrorResponse>"
                ),
            )
        })
        .await;
        let role = format!(r#"{{"roleArn":"arn:aws:iam::111122223333:role/web",{token}}}"#);
        let variables = [
            ("region", "eu-west-1"),
            ("assumeRoleWithWebIdentity", role.as_str()),
            ("endpoints", &format!(r#"{{"sts":"{}"}}"#, server.url)),
        ]
        .map(|(key, text)| (format!("aws-native:config:{key}"), text.to_owned()));
        let configuration = config::read(&value::Map::new(), &variables.into(), &|_| None).unwrap();
        let error = identity::connect(&configuration).await.unwrap().account().await.unwrap_err();
        assert_eq!(error.to_string(), format!("could not get AWS account ID: {expected}"));
    }
}

#[tokio::test]
async fn a_refused_role_is_named() {
    let server = Server::start(|_, _| {
        xml(
            403,
            "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Code>AccessDenied</Code>\
             <Message>not authorized</Message></Error></ErrorResponse>",
        )
    })
    .await;
    let role = r#"{"roleArn":"arn:aws:iam::111122223333:role/Deploy"}"#;
    let session = identity::connect(&configuration(&server.url, &[("assumeRole", role)])).await.unwrap();
    let error = session.account().await.unwrap_err().to_string();
    assert_eq!(
        error,
        "could not get AWS account ID: the role arn:aws:iam::111122223333:role/Deploy cannot be assumed: STS answered \
         AccessDenied: not authorized; check the role's trust policy and external id"
    );
}

#[tokio::test]
async fn c46_a_configured_profile_outranks_other_sources() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("credentials");
    std::fs::write(&file, "[p]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = s\n").unwrap();
    let server = Server::start(|_, _| xml(200, IDENTITY)).await;
    let variables = [
        ("region", "eu-west-1"),
        ("profile", "p"),
        ("sharedCredentialsFile", file.to_str().unwrap()),
        ("endpoints", &format!(r#"{{"sts":"{}"}}"#, server.url)),
    ]
    .map(|(key, text)| (format!("aws-native:config:{key}"), text.to_owned()));
    let configuration = config::read(&value::Map::new(), &variables.into(), &|_| None).unwrap();
    let session = identity::connect(&configuration).await.unwrap();
    session.account().await.unwrap();
    assert!(server.seen()[0].head.contains("credential=akidprofile/"), "{}", server.seen()[0].head);
}

/// Nothing is asked of anybody for a profile that is in no file, also where nobody asks for the account.
#[tokio::test]
async fn a_profile_that_is_nowhere_is_named_with_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("credentials");
    std::fs::write(&file, "[other]\naws_access_key_id = canary\n").unwrap();
    let variables = [
        ("region", "eu-west-1"),
        ("profile", "absent"),
        ("skipCredentialsValidation", "true"),
        ("sharedCredentialsFile", file.to_str().unwrap()),
        ("endpoints", r#"{"sts":"http://127.0.0.1:9"}"#),
    ]
    .map(|(key, text)| (format!("aws-native:config:{key}"), text.to_owned()));
    let configuration = config::read(&value::Map::new(), &variables.into(), &|_| None).unwrap();
    let error = identity::connect(&configuration).await.unwrap_err();
    assert!(matches!(error, IdentityError::Profile(_)), "{error:?}");
    let text = error.to_string();
    for part in [
        "could not load AWS config: there is no AWS profile `absent` (`aws-native:profile`): ",
        file.to_str().unwrap(),
        "; correct `aws-native:profile`, or make the profile with `aws configure`",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(!text.contains("canary"), "{text}");
}

/// The SDK has words for the first failure of a profile alone; every resource must hear the same.
#[tokio::test]
async fn every_question_for_credentials_of_a_profile_gets_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("credentials");
    let text = "[tool]\ncredential_process = sh -c 'echo canary >&2; exit 7'\n[half]\nrole_arn = \
        arn:aws:iam::111122223333:role/R\nsource_profile = nowhere\n[empty]\n[sso]\nsso_start_url = https://nobody.invalid/start\n\
        sso_region = eu-west-1\nsso_account_id = 111122223333\nsso_role_name = R\n";
    std::fs::write(&file, text).unwrap();
    for (profile, expected) in [
        (
            "tool",
            "could not get AWS account ID: the credential_process of the AWS profile `tool` (`aws-native:profile`) failed; run \
             the command that `aws configure get credential_process --profile tool` shows by hand, and see what it says",
        ),
        (
            "half",
            "could not get AWS account ID: the role of the AWS profile `half` (`aws-native:profile`) cannot be assumed: ",
        ),
        (
            "empty",
            "could not get AWS account ID: the AWS profile `empty` (`aws-native:profile`) has no credentials in ",
        ),
    ] {
        let variables = [
            ("region", "eu-west-1"),
            ("profile", profile),
            ("sharedCredentialsFile", file.to_str().unwrap()),
            ("endpoints", r#"{"sts":"http://127.0.0.1:9"}"#),
        ]
        .map(|(key, text)| (format!("aws-native:config:{key}"), text.to_owned()));
        let configuration = config::read(&value::Map::new(), &variables.into(), &|_| None).unwrap();
        let session = identity::connect(&configuration).await.unwrap();
        for _ in 0..2 {
            let error = session.account().await.unwrap_err();
            assert!(matches!(error, IdentityError::Account { credentials: true, .. }), "{error:?}");
            let text = error.to_string();
            assert!(text.starts_with(expected) && !text.contains("canary"), "{text}");
        }
    }
}
