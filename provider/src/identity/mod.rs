//! Who we are at AWS: credentials, region, account, and the clients that use them.
//!
//! [`connect`] turns a [`Configuration`] into a [`Session`]. Nothing is looked up at start-up; the first Configure pays.

use std::time::Duration;

use aws_config::BehaviorVersion;
use aws_config::identity::IdentityCache;
use aws_config::profile::ProfileFileRegionProvider;
use aws_config::retry::RetryConfig;
use aws_config::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_config::timeout::TimeoutConfig;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_cloudcontrol::config::retry::RetryPartition;
use aws_smithy_runtime::client::retries::TokenBucket;
use aws_types::SdkConfig;
use aws_types::region::Region;
use tokio::sync::OnceCell;

use crate::config::{ConfigError, Configuration};

use account::Caller;
pub use account::IdentityError;
pub use lack::Lack;

mod account;
pub(crate) mod causes;
pub(crate) mod codes;
pub mod credentials;
pub mod http;
mod lack;
mod roles;
mod user_agent;

/// How long the whole chain of credential sources may take; programs and browsers of SSO need some of it.
const CREDENTIALS_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one request may take; reads and updates run a handler of up to 30 s inside.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(75);
/// The longest pause between attempts of one request.
const MAX_BACKOFF: Duration = Duration::from_secs(20);

/// A connection to AWS as configured.
#[derive(Debug)]
pub struct Session {
    /// The region that everything happens in.
    pub region: String,
    /// The Cloud Control client.
    pub cloud_control: aws_sdk_cloudcontrol::Client,
    sts: aws_sdk_sts::Client,
    caller: OnceCell<Caller>,
}

/// Resolves region and credentials and builds the clients; no request is sent.
///
/// # Errors
///
/// [`IdentityError::Profile`] when the configured profile is in no file, [`IdentityError::Config`] when no region is known.
pub async fn connect(configuration: &Configuration) -> Result<Session, IdentityError> {
    // Nothing can work without it, so that it is told before the first resource, also where nobody asks for the account.
    if let Some(lack) = credentials::places(configuration).without_profile().await {
        return Err(IdentityError::Profile(lack));
    }
    let http_client = http::client();
    let files = credentials::profile_files(configuration);
    let region = match &configuration.region {
        Some(region) => region.clone(),
        None => profile_region(configuration, files.clone()).await.ok_or(ConfigError::MissingRegion)?,
    };
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .http_client(http_client.clone())
        .region(Region::new(region.clone()))
        .retry_config(retry_config(configuration))
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .operation_attempt_timeout(ATTEMPT_TIMEOUT)
                .build(),
        )
        // Answers are small and every attempt has its limit, so that nothing is gained by watching each stream.
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .identity_cache(IdentityCache::lazy().load_timeout(CREDENTIALS_TIMEOUT).build());
    if let Some(files) = files {
        loader = loader.profile_files(files);
    }
    if let crate::config::Credentials::Profile(name) = &configuration.credentials {
        loader = loader.profile_name(name);
    }
    if let Some(provider) = credentials::explicit(configuration, &http_client, &region) {
        loader = loader.credentials_provider(provider);
    }
    let mut shared = loader.load().await;
    if let crate::config::Credentials::WebIdentity(identity) = &configuration.credentials {
        let provider = roles::WebIdentityRole::new(sts_client(&shared, configuration), identity.clone());
        shared = with_credentials(shared, SharedCredentialsProvider::new(provider));
    } else if let Some(sources) = shared.credentials_provider() {
        shared = with_credentials(shared, credentials::named(configuration, sources));
    }
    for role in &configuration.assume_roles {
        let provider = roles::AssumedRole::new(sts_client(&shared, configuration), role.clone());
        shared = with_credentials(shared, SharedCredentialsProvider::new(provider));
    }
    Ok(Session {
        region,
        cloud_control: cloud_control_client(&shared, configuration),
        sts: sts_client(&shared, configuration),
        caller: OnceCell::new(),
    })
}

fn with_credentials(shared: SdkConfig, provider: SharedCredentialsProvider) -> SdkConfig {
    shared.into_builder().credentials_provider(provider).build()
}

/// The region of the configured profile, else of `AWS_PROFILE`, else of the default profile.
async fn profile_region(
    configuration: &Configuration,
    files: Option<aws_runtime::env_config::file::EnvConfigFiles>,
) -> Option<String> {
    use aws_config::meta::region::ProvideRegion as _;
    let mut builder = ProfileFileRegionProvider::builder();
    if let crate::config::Credentials::Profile(name) = &configuration.credentials {
        builder = builder.profile_name(name);
    }
    if let Some(files) = files {
        builder = builder.profile_files(files);
    }
    builder.build().region().await.map(|region| region.to_string()).filter(|region| !region.is_empty())
}

/// Standard mode: jittered exponential pauses. Adaptive mode would make all requests of the client wait for the slowest
/// rate that it ever learned; after a single throttled request that is 20 s (measured), for everyone.
fn retry_config(configuration: &Configuration) -> RetryConfig {
    RetryConfig::standard().with_max_attempts(configuration.attempts()).with_max_backoff(MAX_BACKOFF)
}

/// Without `maxRetryRateTokens` retries are limited by attempts only: a bucket would make parallel operations fail each
/// other when AWS throttles all of them.
fn token_bucket(configuration: &Configuration) -> TokenBucket {
    match configuration.retry_rate_tokens {
        Some(tokens) => TokenBucket::builder()
            .capacity(usize::try_from(tokens).unwrap_or(usize::MAX))
            .retry_cost(5)
            .timeout_retry_cost(10)
            .build(),
        None => TokenBucket::unlimited(),
    }
}

fn cloud_control_client(shared: &SdkConfig, configuration: &Configuration) -> aws_sdk_cloudcontrol::Client {
    let mut builder = aws_sdk_cloudcontrol::config::Builder::from(shared)
        .interceptor(user_agent::UserAgent)
        .retry_classifier(http::ConnectionClassifier)
        .retry_partition(
            RetryPartition::custom("aws-native-cloudcontrol").token_bucket(token_bucket(configuration)).build(),
        );
    if let Some(url) = configuration.endpoints.get("cloudcontrol") {
        builder = builder.endpoint_url(url);
    }
    aws_sdk_cloudcontrol::Client::from_conf(builder.build())
}

fn sts_client(shared: &SdkConfig, configuration: &Configuration) -> aws_sdk_sts::Client {
    let mut builder = aws_sdk_sts::config::Builder::from(shared)
        .interceptor(user_agent::UserAgent)
        .retry_classifier(http::ConnectionClassifier)
        .retry_partition(RetryPartition::custom("aws-native-sts").token_bucket(token_bucket(configuration)).build());
    if let Some(url) = configuration.endpoints.get("sts") {
        builder = builder.endpoint_url(url);
    }
    aws_sdk_sts::Client::from_conf(builder.build())
}
