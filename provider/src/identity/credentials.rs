//! Credentials beyond the SDK's default chain: explicit keys, an explicit profile, an assumed role.

use std::error::Error as StdError;
use std::time::{Duration, SystemTime};

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};
use aws_sdk_sts::error::ProvideErrorMetadata;
use aws_sdk_sts::types::{PolicyDescriptorType, Tag};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::os_shim_internal::{Env, Fs};
use aws_types::region::Region;
use uuid::Uuid;

use super::account::{TRY_AGAIN, USE_ANOTHER_REGION};
use super::causes::causes;
use super::codes::Kind;
use super::http::{never_connected, unanswered};
use super::lack::{Lack, Places};
use crate::advice::{CHECK_NETWORK, CHECK_SIGNATURE, RENEW_CREDENTIALS};
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

/// How long the sources of credentials may take; programs and browsers of SSO need some of it. Shorter than
/// [`super::CREDENTIALS_TIMEOUT`], so that it is told which source it was.
const PATIENCE: Duration = Duration::from_secs(28);

/// Credentials from the SDK's own sources, with two things said better: why there are none, and what no header can carry.
#[derive(Debug)]
struct Sources {
    places: Places,
    inner: SharedCredentialsProvider,
}

/// `inner` with the words of [`Sources`].
pub(super) fn named(configuration: &Configuration, inner: SharedCredentialsProvider) -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(Sources { places: places(configuration), inner })
}

/// Where the configuration says that credentials are.
pub(super) fn places(configuration: &Configuration) -> Places {
    let profile = match &configuration.credentials {
        Credentials::Profile(name) => Some(name.clone()),
        Credentials::Default | Credentials::Static { .. } => None,
    };
    Places {
        profile,
        file: configuration.shared_credentials_file.clone(),
        files: profile_files(configuration),
        env: Env::real(),
        fs: Fs::real(),
    }
}

impl Sources {
    async fn provide(&self) -> Result<aws_credential_types::Credentials, CredentialsError> {
        let found = match tokio::time::timeout(PATIENCE, self.inner.provide_credentials()).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => return Err(CredentialsError::not_loaded(self.places.lack(Some(&error)).await)),
            Err(_) => return Err(CredentialsError::not_loaded(self.places.lack(None).await)),
        };
        let texts = [Some(found.access_key_id()), Some(found.secret_access_key()), found.session_token()];
        let all_sendable = texts.into_iter().flatten().all(sendable);
        match all_sendable {
            true => Ok(found),
            false => Err(CredentialsError::invalid_configuration(Lack {
                what: format!("the AWS credentials cannot be used: a key {NOT_SENDABLE}"),
                next: "give the key alone".to_owned(),
            })),
        }
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
            Some(service) => CredentialsError::provider_error(role_refused(
                &role.role_arn,
                service.code().unwrap_or("Unknown"),
                service.message().unwrap_or("no reason given"),
            )),
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
fn role_refused(role: &str, code: &str, message: &str) -> Lack {
    let next = match Kind::of(code) {
        Kind::Credentials => RENEW_CREDENTIALS,
        Kind::Signature => CHECK_SIGNATURE,
        Kind::Throttled => TRY_AGAIN,
        Kind::Denied => "check the role's trust policy and external id",
        Kind::RegionDisabled => USE_ANOTHER_REGION,
        Kind::Other => "check the values of assumeRole",
    };
    Lack { what: format!("the role {role} cannot be assumed: STS answered {code}: {message}"), next: next.to_owned() }
}

/// What is told of an error that comes from looking for credentials, or `None` when it comes from elsewhere.
pub fn explain(error: &(dyn StdError + 'static)) -> Option<Lack> {
    let found = causes(error).find_map(|cause| cause.downcast_ref::<CredentialsError>())?;
    if let Some(lack) = causes(error).find_map(|cause| cause.downcast_ref::<Lack>()) {
        return Some(lack.clone());
    }
    Some(match found {
        CredentialsError::ProviderTimedOut(_) => Lack {
            what: "the source of AWS credentials did not answer in time".to_owned(),
            next: "check that it is reachable, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".to_owned(),
        },
        // The role's own request, since everything else is told by the sources.
        other if never_connected(other) => Lack {
            what: format!("STS cannot be asked for the role of assumeRole: {}", unanswered(other)),
            next: CHECK_NETWORK.to_owned(),
        },
        other => Lack::other(other),
    })
}
