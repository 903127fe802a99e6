//! What is told when there are no credentials.

use super::*;

const CONFIG: &str = "[default]\nregion = eu-west-1\n[profile dev]\nsso_session = corp\nsso_account_id = 1\n\
    sso_role_name = r\n[sso-session corp]\nsso_start_url = https://x\nsso_region = eu-west-1\n[profile tool]\n\
    credential_process = tool --password canary\n[profile deploy]\nrole_arn = arn:aws:iam::111122223333:role/D\n\
    source_profile = nope\n[profile login]\nlogin_session = arn:aws:iam::111122223333:user/u\n";

async fn lack(configured: Option<&str>, variables: &[(&str, &str)], config: &str) -> String {
    lack_by("canary", configured, variables, config).await
}

async fn lack_by(error: &'static str, configured: Option<&str>, variables: &[(&str, &str)], config: &str) -> String {
    let variables: Vec<_> = [("HOME", "/h")].iter().chain(variables).copied().collect();
    let places = Places {
        profile: configured.map(str::to_owned),
        file: None,
        files: None,
        env: Env::from_slice(&variables),
        fs: Fs::from_slice(&[("/h/.aws/config", config)]),
    };
    places.lack(Some(&CredentialsError::unhandled(error))).await.to_string()
}

#[tokio::test]
async fn profile_and_files_are_named() {
    const FILES: &str = "/h/.aws/config and /h/.aws/credentials";
    for (configured, variables, expected) in [
        (
            Some("devv"),
            &[][..],
            format!(
                "there is no AWS profile `devv` (`aws-native:profile`): {FILES} have the profiles default, deploy, dev, \
                 login, tool; did you mean `dev`? Correct `aws-native:profile`, or make the profile with `aws \
                 configure`"
            ),
        ),
        (
            None,
            &[("AWS_PROFILE", "zzzzzz")],
            format!(
                "there is no AWS profile `zzzzzz` (`AWS_PROFILE`): {FILES} have the profiles default, deploy, dev, \
                 login, tool, and no other source has credentials; correct `AWS_PROFILE`, or make the profile with \
                 `aws configure`"
            ),
        ),
        (
            Some("default"),
            &[("AWS_SHARED_CREDENTIALS_FILE", "/c"), ("AWS_CONFIG_FILE", "/h/.aws/config")],
            "the AWS profile `default` (`aws-native:profile`) has no credentials in /h/.aws/config and /c; give it some \
             with `aws configure --profile default` or `aws configure sso --profile default`"
                .to_owned(),
        ),
        (
            Some("tool"),
            &[],
            "the credential_process of the AWS profile `tool` (`aws-native:profile`) failed; run the command that `aws \
             configure get credential_process --profile tool` shows by hand, and see what it says"
                .to_owned(),
        ),
        (
            Some("login"),
            &[],
            "the AWS profile `login` (`aws-native:profile`) has a login_session, which this version of the provider \
             cannot use; put its credentials into the environment with `eval \"$(aws configure export-credentials \
             --profile login --format env)\"`, or use another profile"
                .to_owned(),
        ),
        (
            None,
            &[("AWS_ACCESS_KEY_ID", "canary")],
            "AWS_ACCESS_KEY_ID is set in the environment, AWS_SECRET_ACCESS_KEY is not; set AWS_SECRET_ACCESS_KEY too, \
             or remove AWS_ACCESS_KEY_ID"
                .to_owned(),
        ),
    ] {
        let told = lack(configured, variables, CONFIG).await;
        assert_eq!(told, expected, "{configured:?} {variables:?}");
        assert!(!told.contains("canary"), "{told}");
    }
    assert_eq!(
        lack(Some("dev"), &[], "").await,
        format!(
            "there is no AWS profile `dev` (`aws-native:profile`): {FILES} have no profiles at all; correct \
             `aws-native:profile`, or make the profile with `aws configure`"
        )
    );
    for (error, expected) in [
        (
            "the SSO token has expired and cannot be refreshed",
            "the AWS profile `dev` (`AWS_PROFILE`) has no SSO session that counts: it has ended, or was never begun; run \
             `aws sso login --profile dev`, then the command again",
        ),
        (
            "ForbiddenException: No access",
            "the SSO role of the AWS profile `dev` (`AWS_PROFILE`) cannot be used: ForbiddenException: No access; check \
             sso_account_id, sso_role_name and sso_region of the profile, and that the role is assigned to you",
        ),
    ] {
        assert_eq!(lack_by(error, None, &[("AWS_PROFILE", "dev")], CONFIG).await, expected);
    }
    let role = lack(Some("deploy"), &[], CONFIG).await;
    assert!(
        role.starts_with("the role of the AWS profile `deploy` (`aws-native:profile`) cannot be assumed: "),
        "{role}"
    );
    assert!(lack(None, &[], CONFIG).await.starts_with("no AWS credentials found; tried, in this order: "));
    for (variables, expected) in [
        (
            [("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"), ("AWS_ROLE_ARN", "arn:r")],
            "the web identity of AWS_WEB_IDENTITY_TOKEN_FILE cannot be used: ",
        ),
        (
            [("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://x"), ("X", "x")],
            "the endpoint for credentials of this container gave none: ",
        ),
    ] {
        let told = lack(None, &variables, "").await;
        assert!(told.starts_with(expected), "{told}");
    }
}

#[tokio::test]
async fn a_role_is_judged_by_what_has_its_credentials() {
    let behind = |source: &str| {
        format!("{CONFIG}[profile via]\nrole_arn = arn:aws:iam::111122223333:role/V\nsource_profile = {source}\n")
    };
    // What the program printed stands in the SDK's error.
    assert_eq!(
        lack(Some("via"), &[], &behind("tool")).await,
        "the role of the AWS profile `via` (`aws-native:profile`) cannot be assumed with the credential_process of `tool`; run \
         `aws sts get-caller-identity --profile tool` to see whether the program gives credentials; if so, check role_arn of \
         the profile and the trust policy of the role"
    );
    let ended = lack_by("Session token not found or invalid", Some("via"), &[], &behind("dev")).await;
    assert!(
        ended.contains("the profile `dev` behind the role") && ended.contains("aws sso login --profile dev"),
        "{ended}"
    );
    // Circles end.
    assert!(lack(Some("via"), &[], &behind("via")).await.contains("cannot be assumed"));
}
