//! CheckConfig, DiffConfig and Configure.

use std::sync::Arc;

use tonic::Status;

use super::configured::Configured;
use super::notices::EngineNotices;
use super::{Cloud, Provider, decode, diff, pb, status};
use crate::cloud::failure::Location;
use crate::cloud::sdk::SdkApi;
use crate::cloud::tap::Tapped;
use crate::config::{self, Configuration};
use crate::identity;
use crate::journal::{self, Journal, Place};

impl Provider {
    pub(super) async fn check_config(&self, request: &pb::CheckRequest) -> Result<pb::CheckResponse, Status> {
        let news =
            decode::field(&request.news, decode::CONFIGURATION, "checkConfig failed because of malformed inputs")?;
        let failures: Vec<_> = config::check::failures(&news).into_iter().map(check_failure).collect();
        self.warn(&request.urn, &config::warnings(&news)).await;
        // The inputs go back as they came, so that what this version does not know survives.
        let inputs = failures.is_empty().then(|| request.news.clone().unwrap_or_default());
        Ok(pb::CheckResponse { inputs, failures })
    }

    pub(super) fn diff_config(&self, request: &pb::DiffRequest) -> Result<pb::DiffResponse, Status> {
        let olds = decode::field(&request.olds, decode::CONFIGURATION, "diffConfig failed because of malformed state")?;
        let news = decode::field(
            &request.news,
            decode::NEW_CONFIGURATION,
            "diffConfig failed because of malformed resource inputs",
        )?;
        Ok(diff::configuration(&config::diff(&olds, &news)))
    }

    pub(super) async fn set_configuration(
        &self,
        request: pb::ConfigureRequest,
    ) -> Result<pb::ConfigureResponse, Status> {
        let args = decode::field(&request.args, decode::ARGUMENTS, "malformed provider configuration")?;
        #[allow(deprecated)] // older engines send nothing else
        let variables = request.variables.iter().map(|(key, text)| (key.clone(), text.clone())).collect();
        let configuration =
            config::read(&args, &variables, &self.variables).map_err(|error| status::configuration(&error))?;

        // A preview does not know the id of a provider that is not in the state; then nothing that was begun is its own.
        let unknown = value::Unknown::String.sentinel();
        let provider = request.id.filter(|id| !id.is_empty()).map(|id| if id == unknown { String::new() } else { id });
        let _configuring = self.configured.configuring.lock().await;
        match self.configured.get() {
            None => self.configured.set(self.configure_with(configuration, provider).await?),
            Some(current) if current.configuration == configuration => current.journal.reopen(provider),
            Some(_) => {
                return Err(Status::failed_precondition(
                    "the provider is configured already, with other values; start another provider process for these",
                ));
            }
        }
        if let (Some(configured), Some(urn)) = (self.configured.get(), &request.urn) {
            configured.journal.saw(urn);
        }
        Ok(pb::ConfigureResponse {
            accept_secrets: true,
            supports_preview: true,
            accept_resources: true,
            accept_outputs: false,
            supports_autonaming_configuration: true,
        })
    }

    async fn configure_with(
        &self,
        configuration: Configuration,
        provider: Option<String>,
    ) -> Result<Configured, Status> {
        let session = identity::connect(&configuration).await.map_err(|error| status::identity(&error))?;
        // A list of accounts is a promise: it is kept even when validation is skipped, as SDKs do by default.
        if configuration.guard.is_active() || !configuration.skip_credentials_validation {
            let account = tokio::select! {
                () = self.operations.cancelled() => return Err(Status::cancelled("Configure was canceled")),
                account = session.account() => account.map_err(|error| status::identity(&error))?,
            };
            configuration.guard.admit(account).map_err(|error| status::configuration(&error))?;
        }
        let region = session.region.clone();
        let location = Location {
            region: Some(session.region.clone()),
            account: session.known_account().map(str::to_owned),
            caller: session.known_caller().map(str::to_owned),
        };
        let cloud = Cloud::new(
            Tapped(SdkApi::new(session.cloud_control, configuration.role_arn.clone())),
            location,
            Arc::new(EngineNotices(self.engine.clone(), self.inflight.clone())),
            self.operations.clone(),
            configuration.attempts(),
        );
        // One configuration per process: what is leaked is bounded.
        let tags = configuration.settings.ignore_tags.leaked();
        let journal = Arc::new(self.open_journal(&configuration, &session.region, provider).await);
        self.inflight.set_journal(journal.clone());
        let cloud = cloud.with_journal(journal.clone()).saying_once(self.once.clone());
        let cloud = cloud.verifying_deletes(configuration.settings.verify_deletes);
        Ok(Configured { configuration, cloud, region, tags, journal })
    }

    /// The journal of creations that belongs to the program, the region and the endpoint.
    async fn open_journal(&self, configuration: &Configuration, region: &str, provider: Option<String>) -> Journal {
        let folder = journal::place::folder(&self.variables);
        let configured = configuration.endpoints.get("cloudcontrol").map(str::to_owned);
        let place = Place {
            // The engine starts plugins in the folder of the program; what Handshake names is the plugin's own folder.
            program: std::env::current_dir().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
            backend: (self.variables)("PULUMI_BACKEND_URL").unwrap_or_default(),
            region: region.to_owned(),
            endpoint: configured
                .or_else(|| (self.variables)("AWS_ENDPOINT_URL_CLOUDCONTROL"))
                .or_else(|| (self.variables)("AWS_ENDPOINT_URL"))
                .unwrap_or_default(),
            provider,
        };
        let open = move || Journal::open(folder, &place, crate::clock::now);
        tokio::task::spawn_blocking(open).await.unwrap_or_else(|_| Journal::off())
    }
}

/// A check failure as a message.
pub(super) fn check_failure(failure: crate::lifecycle::CheckFailure) -> pb::CheckFailure {
    pb::CheckFailure { property: failure.property, reason: failure.reason }
}
