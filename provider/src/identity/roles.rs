//! Credentials of roles: assumed with other credentials, or had for a token of another party.

use std::time::SystemTime;

use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};
use aws_sdk_sts::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sts::types::{PolicyDescriptorType, Tag};
use uuid::Uuid;

use super::account::{TRY_AGAIN, USE_ANOTHER_REGION};
use super::codes::Kind;
use super::lack::Lack;
use crate::advice::{CHECK_SIGNATURE, RENEW_CREDENTIALS};
use crate::config::{AssumeRole, NOT_SENDABLE, WebIdentity, WebToken, sendable};

/// Credentials of a role, fetched with the base credentials. The SDK's identity cache renews them before they expire.
#[derive(Debug)]
pub(super) struct AssumedRole {
    sts: aws_sdk_sts::Client,
    role: AssumeRole,
}

/// Credentials of a role, fetched for a token.
#[derive(Debug)]
pub(super) struct WebIdentityRole {
    sts: aws_sdk_sts::Client,
    identity: WebIdentity,
}

impl AssumedRole {
    pub(super) fn new(sts: aws_sdk_sts::Client, role: AssumeRole) -> Self {
        Self { sts, role }
    }

    async fn assume(&self) -> Result<aws_credential_types::Credentials, CredentialsError> {
        let role = &self.role;
        let mut request = self
            .sts
            .assume_role()
            .role_arn(&role.role_arn)
            .role_session_name(session_name(role.session_name.as_ref()))
            .duration_seconds(i32::try_from(role.duration.as_secs()).unwrap_or(i32::MAX))
            .set_external_id(role.external_id.as_ref().map(|id| id.expose().to_owned()))
            .set_policy(role.policy.clone())
            .set_source_identity(role.source_identity.clone());
        for arn in &role.policy_arns {
            request = request.policy_arns(PolicyDescriptorType::builder().arn(arn).build());
        }
        for (key, value) in &role.tags {
            let tag = Tag::builder().key(key).value(value).build().map_err(CredentialsError::invalid_configuration)?;
            request = request.tags(tag);
        }
        for key in &role.transitive_tag_keys {
            request = request.transitive_tag_keys(key);
        }
        let answer = request.send().await.map_err(|error| refusal(&role.role_arn, Way::Credentials, error))?;
        credentials(answer.credentials, "assumeRole")
    }
}

impl WebIdentityRole {
    pub(super) fn new(sts: aws_sdk_sts::Client, identity: WebIdentity) -> Self {
        Self { sts, identity }
    }

    async fn assume(&self) -> Result<aws_credential_types::Credentials, CredentialsError> {
        let identity = &self.identity;
        let mut request = self
            .sts
            .assume_role_with_web_identity()
            .role_arn(&identity.role_arn)
            .role_session_name(session_name(identity.session_name.as_ref()))
            .duration_seconds(i32::try_from(identity.duration.as_secs()).unwrap_or(i32::MAX))
            .web_identity_token(self.token().await?)
            .set_policy(identity.policy.clone());
        for arn in &identity.policy_arns {
            request = request.policy_arns(PolicyDescriptorType::builder().arn(arn).build());
        }
        let answer = request.send().await.map_err(|error| refusal(&identity.role_arn, Way::Token, error))?;
        credentials(answer.credentials, "assumeRoleWithWebIdentity")
    }

    async fn token(&self) -> Result<String, CredentialsError> {
        let token = match &self.identity.token {
            WebToken::Text(token) => token.expose().to_owned(),
            WebToken::File(path) => {
                let read = {
                    let path = path.clone();
                    tokio::task::spawn_blocking(move || std::fs::read_to_string(path)).await
                };
                let text = read.map_err(CredentialsError::unhandled)?.map_err(|error| {
                    CredentialsError::invalid_configuration(Lack {
                        what: format!("webIdentityTokenFile {path} cannot be read: {error}"),
                        next: "check that the file is there and may be read".to_owned(),
                    })
                })?;
                text.trim().to_owned()
            }
        };
        match sendable(&token) && !token.is_empty() {
            true => Ok(token),
            false => Err(CredentialsError::invalid_configuration(Lack {
                what: format!("the web identity token is empty, or {NOT_SENDABLE}"),
                next: NEW_TOKEN.to_owned(),
            })),
        }
    }
}

impl ProvideCredentials for AssumedRole {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(self.assume())
    }
}

impl ProvideCredentials for WebIdentityRole {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(self.assume())
    }
}

fn session_name(configured: Option<&String>) -> String {
    configured.cloned().unwrap_or_else(|| format!("aws-native-{}", Uuid::new_v4().simple()))
}

fn credentials(
    answer: Option<aws_sdk_sts::types::Credentials>,
    source: &'static str,
) -> Result<aws_credential_types::Credentials, CredentialsError> {
    let credentials =
        answer.ok_or_else(|| CredentialsError::unhandled(format!("STS gave no credentials for {source}")))?;
    let expiry = SystemTime::try_from(credentials.expiration).ok();
    Ok(aws_credential_types::Credentials::new(
        credentials.access_key_id,
        credentials.secret_access_key,
        Some(credentials.session_token),
        expiry,
        source,
    ))
}

fn refusal<E, R>(role: &str, way: Way, error: SdkError<E, R>) -> CredentialsError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    match error.as_service_error() {
        Some(service) => {
            let (code, message) = (service.code().unwrap_or("Unknown"), service.message().unwrap_or("no reason given"));
            CredentialsError::provider_error(Lack {
                what: format!("the role {role} cannot be assumed: STS answered {code}: {message}"),
                next: next_step(code, way).to_owned(),
            })
        }
        None => CredentialsError::provider_error(error),
    }
}

/// By what a role is had.
#[derive(Debug, Clone, Copy)]
enum Way {
    Credentials,
    Token,
}

/// What to do when a token cannot be used.
const NEW_TOKEN: &str = "get a new web identity token, then run the command again";

/// What to do when STS refuses to hand out a role with `code`.
fn next_step(code: &str, way: Way) -> &'static str {
    match (Kind::of(code), way) {
        (Kind::Throttled, _) => TRY_AGAIN,
        (Kind::RegionDisabled, _) => USE_ANOTHER_REGION,
        (Kind::Credentials, Way::Credentials) => RENEW_CREDENTIALS,
        (Kind::Signature, Way::Credentials) => CHECK_SIGNATURE,
        (Kind::Denied, Way::Credentials) => "check the role's trust policy and external id",
        (Kind::Other, Way::Credentials) => "check the values of assumeRole",
        (Kind::Credentials | Kind::Signature, Way::Token) => NEW_TOKEN,
        (Kind::Denied, Way::Token) => "check the role's trust policy: whom it trusts, and under which conditions",
        (Kind::Other, Way::Token) => "check the web identity token and the values of assumeRoleWithWebIdentity",
    }
}
