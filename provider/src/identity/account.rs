//! The account that the credentials belong to.

use std::time::Duration;

use aws_sdk_sts::error::ProvideErrorMetadata;

use super::Session;
use crate::config::ConfigError;

/// How long STS may take in all, retries included: whoever waits for Configure must not wait for minutes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Why there is no usable identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The configuration does not allow one.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// STS could not say who we are.
    #[error("could not get AWS account ID: {message}")]
    Account {
        /// What happened and what to do.
        message: String,
        /// Credentials are the reason, as opposed to the way to STS.
        credentials: bool,
    },
}

impl Session {
    /// The account, asked for once and remembered; callers that come meanwhile wait for the same answer.
    ///
    /// # Errors
    ///
    /// [`IdentityError::Account`]; a later call asks again.
    pub async fn account(&self) -> Result<&str, IdentityError> {
        self.account.get_or_try_init(|| self.ask_account()).await.map(String::as_str)
    }

    /// The account, when it is known already.
    pub fn known_account(&self) -> Option<&str> {
        self.account.get().map(String::as_str)
    }

    async fn ask_account(&self) -> Result<String, IdentityError> {
        let answer = match tokio::time::timeout(TIMEOUT, self.sts.get_caller_identity().send()).await {
            Ok(answer) => answer,
            Err(_) => {
                return Err(IdentityError::Account {
                    message: format!(
                        "STS did not answer within {} s; check the network and the endpoint",
                        TIMEOUT.as_secs()
                    ),
                    credentials: false,
                });
            }
        };
        match answer {
            Ok(identity) => identity
                .account
                .filter(|account| !account.is_empty())
                .ok_or(IdentityError::Account { message: "nil account".to_owned(), credentials: false }),
            Err(error) => Err(explain(&error)),
        }
    }
}

fn explain<E>(error: &aws_sdk_sts::error::SdkError<E, aws_sdk_sts::config::http::HttpResponse>) -> IdentityError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if let Some(service) = error.as_service_error() {
        let code = service.code().unwrap_or("Unknown");
        let message = service.message().unwrap_or("no reason given");
        return IdentityError::Account {
            message: format!(
                "STS answered {code}: {message}; renew the credentials (for example `aws sso login`, or new keys), then run \
                 the command again"
            ),
            credentials: true,
        };
    }
    if let Some(message) = super::credentials::explain(error) {
        return IdentityError::Account { message, credentials: true };
    }
    let root = super::causes::root(error);
    IdentityError::Account {
        message: format!(
            "no usable answer from STS: {root}; check the network, the region's name and the configured endpoints \
             (`aws-native:endpoints`, `AWS_ENDPOINT_URL`), or set skipCredentialsValidation"
        ),
        credentials: false,
    }
}
