//! Credentials beyond the SDK's default chain: explicit keys, an explicit profile.

use std::error::Error as StdError;
use std::time::Duration;

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::os_shim_internal::{Env, Fs};
use aws_types::region::Region;

use super::causes::causes;
use super::http::{never_connected, unanswered};
use super::lack::{Lack, Places};
use crate::advice::CHECK_NETWORK;
use crate::config::{Configuration, Credentials, NOT_SENDABLE, sendable};

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
        // A web identity needs a client of STS, which comes later.
        Credentials::Default | Credentials::WebIdentity(_) => None,
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
        Credentials::Default | Credentials::Static { .. } | Credentials::WebIdentity(_) => None,
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
            what: format!("STS cannot be asked for the configured role: {}", unanswered(other)),
            next: CHECK_NETWORK.to_owned(),
        },
        other => Lack::other(other),
    })
}
