//! STS: identities, roles and sessions.

use super::{element, start, start_in};
use emulator::{Clock, Options, Switches};
use std::time::{Duration, SystemTime};

const ROLE: &str = "RoleArn=arn%3Aaws%3Aiam%3A%3A222222222222%3Arole%2Fpath%2Fdeploy&RoleSessionName=me%40home";

#[test]
fn keys_of_a_role_act_in_its_account_and_are_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let client = start_in(folder.path(), Switches::default());
    let own = client.query("sts", "111111111111", "Action=GetCallerIdentity&Version=2011-06-15").text;
    assert_eq!(element(&own, "Account").as_deref(), Some("111111111111"));
    let form = format!("Action=AssumeRole&{ROLE}&DurationSeconds=900&Tags.member.1.Key=a&Tags.member.1.Value=b");
    let assumed = client.query("sts", "111111111111", &form);
    assert_eq!(assumed.status, 200, "{}", assumed.text);
    let arn = "arn:aws:sts::222222222222:assumed-role/deploy/me@home";
    assert_eq!(element(&assumed.text, "Arn").as_deref(), Some(arn));
    let role_id = element(&assumed.text, "AssumedRoleId").unwrap();
    assert!(role_id.starts_with("AROA") && role_id.ends_with(":me@home"), "{role_id}");
    let key = element(&assumed.text, "AccessKeyId").unwrap();
    assert!(key.starts_with("ASIA") && key.len() == 20, "{key}");
    let second = client.query("sts", "111111111111", &form);
    assert_ne!(element(&second.text, "AccessKeyId").as_deref(), Some(&*key), "every session has its own key");
    client.emulator.stop();

    let client = start_in(folder.path(), Switches::default());
    let who = client.query("sts", &key, "Action=GetCallerIdentity").text;
    assert_eq!(element(&who, "Arn").as_deref(), Some(arn));
    assert_eq!(element(&who, "Account").as_deref(), Some("222222222222"));
    assert_eq!(element(&who, "UserId"), Some(role_id));
    let token = client.query("sts", &key, "Action=GetSessionToken").text;
    let of_session = element(&token, "AccessKeyId").unwrap();
    let who = client.query("sts", &of_session, "Action=GetCallerIdentity").text;
    assert_eq!(element(&who, "Arn").as_deref(), Some(arn));
}

#[test]
fn roles_that_cloud_control_made_have_their_own_ids() {
    let mut client = start(Options::default());
    client.account = "222222222222";
    let created = client.create("AWS::IAM::Role", &serde_json::json!({"RoleName": "deploy"}));
    assert_eq!(created["OperationStatus"], "SUCCESS", "{created}");
    let id = client.read("AWS::IAM::Role", "deploy")["RoleId"].as_str().unwrap().to_owned();
    let assumed = client.query("sts", "111111111111", &format!("Action=AssumeRole&{ROLE}"));
    assert_eq!(element(&assumed.text, "AssumedRoleId"), Some(format!("{id}:me@home")));
}

#[test]
fn web_identities_get_a_session_and_are_named_in_the_answer() {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let client = start(Options { clock, ..Options::default() });
    // {"sub":"repo:me","aud":["sts.amazonaws.com"],"iss":"https://tokens.example.com"}
    let claims =
        "eyJzdWIiOiJyZXBvOm1lIiwiYXVkIjpbInN0cy5hbWF6b25hd3MuY29tIl0sImlzcyI6Imh0dHBzOi8vdG9rZW5zLmV4YW1wbGUuY29tIn0";
    let form = format!("Action=AssumeRoleWithWebIdentity&Version=2011-06-15&{ROLE}&WebIdentityToken=e30.{claims}.x");
    let kind = "content-type: application/x-www-form-urlencoded\r\n";
    let answer = client.send("POST", "/", kind, &form);
    assert_eq!(answer.status, 200, "{}", answer.text);
    for (name, expected) in [
        ("SubjectFromWebIdentityToken", "repo:me"),
        ("Audience", "sts.amazonaws.com"),
        ("Provider", "tokens.example.com"),
        ("Expiration", "2027-01-15T09:00:00Z"),
    ] {
        assert_eq!(element(&answer.text, name).as_deref(), Some(expected));
    }
}

#[test]
fn what_cannot_be_assumed_is_refused() {
    let client = start(Options::default());
    for (form, code, message) in [
        ("RoleSessionName=me", "ValidationError", "Value null at 'roleArn' failed"),
        ("RoleArn=arn%3Aaws%3Aiam%3A%3A222222222222%3Arole%2Fa", "ValidationError", "Value null at 'roleSessionName'"),
        ("RoleArn=deploy&RoleSessionName=me", "ValidationError", "deploy is invalid"),
        (
            &format!("{ROLE}&DurationSeconds=899"),
            "ValidationError",
            "Member must have value greater than or equal to 900",
        ),
        (&format!("{ROLE}&DurationSeconds=43201"), "ValidationError", "less than or equal to 43200"),
        (&format!("{ROLE}&DurationSeconds=x"), "MalformedInput", "no whole number"),
    ] {
        let answer = client.query("sts", "111111111111", &format!("Action=AssumeRole&{form}"));
        assert_eq!((answer.status, element(&answer.text, "Code").as_deref()), (400, Some(code)), "{form}");
        assert!(answer.text.contains(message), "{form}: {}", answer.text);
    }
    let form = format!("Action=AssumeRoleWithWebIdentity&{ROLE}&WebIdentityToken=none");
    let answer = client.query("sts", "1", &form);
    assert_eq!(element(&answer.text, "Code").as_deref(), Some("InvalidIdentityToken"));
}
