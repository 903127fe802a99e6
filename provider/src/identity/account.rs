//! The account that the credentials belong to.

use std::time::Duration;

use aws_sdk_sts::error::ProvideErrorMetadata;

use super::Session;
use super::codes::Kind;
use super::http::{never_connected, unanswered};
use super::lack::Lack;
use crate::advice::{CHECK_NETWORK, CHECK_SIGNATURE, RENEW_CREDENTIALS};
use crate::config::ConfigError;

/// How long STS may take in all, retries included: whoever waits for Configure must not wait for minutes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Why there is no usable identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The configuration does not allow one.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The configuration names a profile that is not there.
    #[error("could not load AWS config: {0}")]
    Profile(Lack),
    /// STS could not say who we are.
    #[error("could not get AWS account ID: {message}")]
    Account {
        /// What happened and what to do.
        message: String,
        /// Credentials are the reason, as opposed to the way to STS.
        credentials: bool,
    },
}

/// Whom the credentials belong to.
#[derive(Debug)]
pub(super) struct Caller {
    account: String,
    arn: Option<String>,
}

impl Session {
    /// The account, asked for once and remembered; callers that come meanwhile wait for the same answer.
    ///
    /// # Errors
    ///
    /// [`IdentityError::Account`]; a later call asks again.
    pub async fn account(&self) -> Result<&str, IdentityError> {
        self.caller.get_or_try_init(|| self.ask_caller()).await.map(|caller| caller.account.as_str())
    }

    /// The account, when it is known already.
    pub fn known_account(&self) -> Option<&str> {
        self.caller.get().map(|caller| caller.account.as_str())
    }

    /// The ARN of whom the credentials belong to, when it is known already.
    pub fn known_caller(&self) -> Option<&str> {
        self.caller.get().and_then(|caller| caller.arn.as_deref())
    }

    async fn ask_caller(&self) -> Result<Caller, IdentityError> {
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
                .map(|account| Caller { account, arn: identity.arn.filter(|arn| !arn.is_empty()) })
                .ok_or(IdentityError::Account { message: "nil account".to_owned(), credentials: false }),
            Err(error) => Err(explain(&error)),
        }
    }
}

/// What to do about STS's error, and whether credentials are the reason. `failed`: the fault is on STS's side.
fn next_step(code: &str, failed: bool) -> (&'static str, bool) {
    match Kind::of(code) {
        Kind::Throttled => (TRY_AGAIN, false),
        _ if failed => (TRY_AGAIN, false),
        Kind::Credentials => (RENEW_CREDENTIALS, true),
        Kind::Signature => (CHECK_SIGNATURE, true),
        Kind::Denied => (
            "a policy forbids sts:GetCallerIdentity to these credentials: allow it, or set skipCredentialsValidation and \
             no lists of accounts",
            true,
        ),
        Kind::RegionDisabled => (USE_ANOTHER_REGION, false),
        Kind::Other => ("check the credentials and the endpoint of STS", true),
    }
}

/// What to do when STS is busy.
pub(super) const TRY_AGAIN: &str = "run the command again in a while";
/// What to do when STS is switched off.
pub(super) const USE_ANOTHER_REGION: &str =
    "activate STS for this region in the account's settings, or use another region";

fn explain<E>(error: &aws_sdk_sts::error::SdkError<E, aws_sdk_sts::config::http::HttpResponse>) -> IdentityError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if let Some(service) = error.as_service_error() {
        let code = service.code().unwrap_or("Unknown");
        let message = service.message().unwrap_or("no reason given");
        let failed = error.raw_response().is_some_and(|answer| answer.status().is_server_error());
        let (next, credentials) = next_step(code, failed);
        return IdentityError::Account { message: format!("STS answered {code}: {message}; {next}"), credentials };
    }
    if let Some(lack) = super::credentials::explain(error) {
        return IdentityError::Account { message: lack.to_string(), credentials: true };
    }
    // Where nobody listens, going on without the account would only move the failure to every resource.
    let way_out = if never_connected(error) { "" } else { ", or set skipCredentialsValidation" };
    IdentityError::Account {
        message: format!("no usable answer from STS: {}; {CHECK_NETWORK}{way_out}", unanswered(error)),
        credentials: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_credentials_are_renewed() {
        for (code, failed, next, credentials) in [
            ("ExpiredToken", false, RENEW_CREDENTIALS, true),
            ("InvalidClientTokenId", false, RENEW_CREDENTIALS, true),
            ("SignatureDoesNotMatch", false, CHECK_SIGNATURE, true),
            ("Throttling", false, TRY_AGAIN, false),
            ("InternalFailure", true, TRY_AGAIN, false),
            ("RegionDisabledException", false, USE_ANOTHER_REGION, false),
            ("Unknown", false, "check the credentials and the endpoint of STS", true),
        ] {
            assert_eq!(next_step(code, failed), (next, credentials), "{code}");
        }
        assert!(next_step("AccessDenied", false).0.contains("sts:GetCallerIdentity"));
    }
}
