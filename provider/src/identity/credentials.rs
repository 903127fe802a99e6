//! Credentials beyond the SDK's default chain: explicit keys, an explicit profile, an assumed role.

use std::error::Error as StdError;
use std::time::SystemTime;

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};
use aws_sdk_sts::error::ProvideErrorMetadata;
use aws_sdk_sts::types::{PolicyDescriptorType, Tag};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::region::Region;
use uuid::Uuid;

use super::account::{CHECK_SIGNATURE, TRY_AGAIN, USE_ANOTHER_REGION};
use super::causes::{causes, root};
use super::codes::Kind;
use crate::advice::RENEW_CREDENTIALS;
use crate::config::{AssumeRole, Configuration, Credentials, NOT_SENDABLE, sendable};

/// Shared files when the configuration replaces the credentials file; `None` leaves the usual ones.
pub(super) fn profile_files(configuration: &Configuration) -> Option<EnvConfigFiles> {
    let path = configuration.shared_credentials_file.as_ref()?;
    Some(
        EnvConfigFiles::builder()
            .include_default_config_file(true)
            .with_file(EnvConfigFileKind::Credentials, path)
            .build(),
    )
}

/// The provider for credentials that the configuration itself names; `None` leaves the default chain.
pub(super) fn explicit(
    configuration: &Configuration,
    http_client: &SharedHttpClient,
    region: &str,
) -> Option<SharedCredentialsProvider> {
    match &configuration.credentials {
        Credentials::Default => None,
        Credentials::Static { access_key, secret_key, token } => {
            Some(SharedCredentialsProvider::new(aws_credential_types::Credentials::new(
                access_key.expose(),
                secret_key.expose(),
                token.as_ref().map(|token| token.expose().to_owned()),
                None,
                "provider configuration",
            )))
        }
        Credentials::Profile(name) => {
            let provider_config = ProviderConfig::without_region()
                .with_region(Some(Region::new(region.to_owned())))
                .with_http_client(http_client.clone());
            let mut builder = ProfileFileCredentialsProvider::builder().configure(&provider_config).profile_name(name);
            if let Some(files) = profile_files(configuration) {
                builder = builder.profile_files(files);
            }
            Some(SharedCredentialsProvider::new(builder.build()))
        }
    }
}

/// Credentials from the SDK's own sources, with two things said better: where the configuration told it to look, and what
/// no header can carry.
#[derive(Debug)]
struct Sources {
    profile: Option<String>,
    file: Option<String>,
    inner: SharedCredentialsProvider,
}

/// `inner` with the words of [`Sources`].
pub(super) fn named(configuration: &Configuration, inner: SharedCredentialsProvider) -> SharedCredentialsProvider {
    let profile = match &configuration.credentials {
        Credentials::Profile(name) => Some(name.clone()),
        Credentials::Default | Credentials::Static { .. } => None,
    };
    let file = configuration.shared_credentials_file.clone();
    SharedCredentialsProvider::new(Sources { profile, file, inner })
}

impl Sources {
    async fn provide(&self) -> Result<aws_credential_types::Credentials, CredentialsError> {
        let found = match self.inner.provide_credentials().await {
            Ok(found) => found,
            Err(error) => {
                let unreadable = self.unreadable();
                // A file that is there but empty is one of many sources; a profile was meant.
                if self.profile.is_none() && unreadable.is_none() {
                    return Err(error);
                }
                return Err(CredentialsError::not_loaded(NothingThere {
                    profile: self.profile.clone(),
                    file: self.file.clone(),
                    reason: unreadable.unwrap_or_else(|| root(&error)),
                }));
            }
        };
        let texts = [Some(found.access_key_id()), Some(found.secret_access_key()), found.session_token()];
        let all_sendable = texts.into_iter().flatten().all(sendable);
        match all_sendable {
            true => Ok(found),
            false => Err(CredentialsError::invalid_configuration(format!("a key {NOT_SENDABLE}"))),
        }
    }

    /// Why the configured file cannot be read; the SDK says so only once.
    fn unreadable(&self) -> Option<String> {
        std::fs::File::open(self.file.as_ref()?).err().map(|error| error.to_string())
    }
}

impl ProvideCredentials for Sources {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(self.provide())
    }
}

/// There are no credentials where the configuration says that they are.
#[derive(Debug, thiserror::Error)]
#[error("no AWS credentials in {}: {reason}; check `aws-native:profile` and `aws-native:sharedCredentialsFile`", self.place())]
struct NothingThere {
    profile: Option<String>,
    file: Option<String>,
    reason: String,
}

impl NothingThere {
    fn place(&self) -> String {
        let profile = self.profile.as_ref().map(|name| format!("the profile `{name}`"));
        let file = self.file.as_ref().map(|file| format!("the credentials file {file}"));
        [profile, file].into_iter().flatten().collect::<Vec<_>>().join(" of ")
    }
}

/// Credentials of a role, fetched with the base credentials. The SDK's identity cache renews them before they expire.
#[derive(Debug)]
pub(super) struct AssumedRole {
    sts: aws_sdk_sts::Client,
    role: AssumeRole,
}

impl AssumedRole {
    pub(super) fn new(sts: aws_sdk_sts::Client, role: AssumeRole) -> Self {
        Self { sts, role }
    }

    async fn assume(&self) -> Result<aws_credential_types::Credentials, CredentialsError> {
        let role = &self.role;
        let session_name =
            role.session_name.clone().unwrap_or_else(|| format!("aws-native-{}", Uuid::new_v4().simple()));
        let mut request = self
            .sts
            .assume_role()
            .role_arn(&role.role_arn)
            .role_session_name(session_name)
            .duration_seconds(i32::try_from(role.duration.as_secs()).unwrap_or(i32::MAX))
            .set_external_id(role.external_id.as_ref().map(|id| id.expose().to_owned()))
            .set_policy(role.policy.clone());
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
        let answer = request.send().await.map_err(|error| match error.as_service_error() {
            Some(service) => CredentialsError::provider_error(RoleRefused {
                role: role.role_arn.clone(),
                code: service.code().unwrap_or("Unknown").to_owned(),
                message: service.message().unwrap_or("no reason given").to_owned(),
            }),
            None => CredentialsError::provider_error(error),
        })?;
        let credentials =
            answer.credentials.ok_or_else(|| CredentialsError::unhandled("AssumeRole gave no credentials"))?;
        let expiry = SystemTime::try_from(credentials.expiration).ok();
        Ok(aws_credential_types::Credentials::new(
            credentials.access_key_id,
            credentials.secret_access_key,
            Some(credentials.session_token),
            expiry,
            "assumeRole",
        ))
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

/// STS refused to hand out the role.
#[derive(Debug, thiserror::Error)]
#[error(
    "the role {role} cannot be assumed: STS answered {code}: {message}; {}",
    self.next_step()
)]
struct RoleRefused {
    role: String,
    code: String,
    message: String,
}

impl RoleRefused {
    fn next_step(&self) -> &'static str {
        match Kind::of(&self.code) {
            Kind::Credentials => RENEW_CREDENTIALS,
            Kind::Signature => CHECK_SIGNATURE,
            Kind::Throttled => TRY_AGAIN,
            Kind::Denied => "check the role's trust policy and external id",
            Kind::RegionDisabled => USE_ANOTHER_REGION,
            Kind::Other => "check the values of assumeRole",
        }
    }
}

/// The text for an error that comes from looking for credentials, or `None` when it comes from elsewhere.
pub fn explain(error: &(dyn StdError + 'static)) -> Option<String> {
    let found = causes(error).find_map(|cause| cause.downcast_ref::<CredentialsError>())?;
    if let Some(refused) = causes(error).find_map(|cause| cause.downcast_ref::<RoleRefused>()) {
        return Some(refused.to_string());
    }
    if let Some(nothing) = causes(error).find_map(|cause| cause.downcast_ref::<NothingThere>()) {
        return Some(nothing.to_string());
    }
    Some(match found {
        CredentialsError::CredentialsNotLoaded(_) => NOTHING_FOUND.to_owned(),
        CredentialsError::ProviderTimedOut(_) => {
            "the source of AWS credentials did not answer in time; check that it is reachable, or set AWS_ACCESS_KEY_ID and \
             AWS_SECRET_ACCESS_KEY"
                .to_owned()
        }
        // Instance metadata is the last source; off EC2 it fails in many ways, which all mean that nothing was found.
        other if causes(other).any(|cause| cause.to_string().contains("IMDS")) => NOTHING_FOUND.to_owned(),
        other => format!("the AWS credentials cannot be used: {}", root(other)),
    })
}

const NOTHING_FOUND: &str = "no AWS credentials found; tried, in this order: accessKey and secretKey of the configuration, the configured profile, \
     AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the shared files (AWS_PROFILE or default), web identity \
     (AWS_WEB_IDENTITY_TOKEN_FILE), the container endpoint and EC2 instance metadata; set one of them, for example with \
     `aws configure` or `aws sso login`";
