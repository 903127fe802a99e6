//! Check, Diff, Create, Read, Update and Delete.

use std::sync::atomic::Ordering;

use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc::check_request::AutonamingOptions;
use protocol::pulumirpc::check_request::autonaming_options::Mode;
use tonic::Status;
use value::Map;

use super::configuration::check_failure;
use super::{Field, Provider, decode, diff, pb, status};
use crate::checkpoint;
use crate::journal::names::Draw;
use crate::lifecycle::{
    self, Absence, CheckRequest, CreateRequest, DeleteRequest, DiffRequest, EngineNaming, EngineNamingMode, Facts,
    Failure, ReadRequest, Settings, UpdateRequest,
};
use crate::subject::Subject;
use crate::tags;

impl Provider {
    pub(super) async fn check_resource(&self, request: pb::CheckRequest) -> Result<pb::CheckResponse, Status> {
        let urn = decode::urn(&request.urn)?;
        let resource = self.subject(urn.type_token(), "resource")?;
        let mut check = CheckRequest {
            urn,
            // Only a name is ever taken over from them.
            olds: match resource.auto_name() {
                Some(_) => decode::field(&request.olds, decode::RECORDED, "malformed old inputs")?,
                None => Map::new(),
            },
            news: decode::field(&request.news, decode::INPUTS, "malformed resource inputs")?,
            random_seed: request.random_seed.to_vec(),
            naming: request.autonaming.map(naming).transpose()?,
        };
        let configured = self.configured.get();
        let unconfigured = Settings::default();
        let settings = configured.as_ref().map_or(&unconfigured, |configured| &configured.configuration.settings);
        let draw = match (&configured, resource.auto_name()) {
            (Some(configured), Some(name)) => Some(Draw::begin(&configured.journal, name.property, &mut check)),
            _ => None,
        };
        let schema = self.schemas.get(resource.cfn_type());
        let region = configured.as_ref().map(|configured| configured.region.as_str());
        let offered_in = self.knowledge.elsewhere(*resource, region);
        let absent = region.zip(offered_in.as_deref()).map(|(region, offered_in)| Absence { region, offered_in });
        let facts = Facts { schema: schema.as_deref(), absent };
        let answer = lifecycle::check_with(resource, check, settings, facts)
            .map_err(|failure| status::failure(failure, &None, &[&request.news, &request.olds]))?;
        if let Some(draw) = draw {
            draw.end(&answer.inputs);
        }
        self.warn(&request.urn, &answer.warnings).await;
        let failures: Vec<_> = answer.failures.into_iter().map(check_failure).collect();
        let inputs = failures.is_empty().then(|| encode(&answer.inputs, EncodeOptions::KEEP));
        Ok(pb::CheckResponse { inputs, failures })
    }

    pub(super) async fn diff_resource(&self, request: pb::DiffRequest) -> Result<pb::DiffResponse, Status> {
        let urn = decode::urn(&request.urn)?;
        let resource = self.subject(urn.type_token(), "Resource")?;
        let Sides { olds, old_inputs, news } = Sides::read(&request.olds, &request.old_inputs, &request.news)?;
        let configured = self.configured.get();
        if let Some(configured) = &configured {
            configured.journal.settle(&request.urn, &request.id);
        }
        let diff = DiffRequest { id: request.id, urn, olds, news, old_inputs, ignore_changes: request.ignore_changes };
        let mut answer = lifecycle::diff(resource, &diff);
        if configured.is_some_and(|configured| !configured.configuration.settings.default_tags.is_empty()) {
            answer.warnings.extend(tags::defaults::replacement_warning(*resource, &answer.replaces));
        }
        answer
            .warnings
            .extend(std::mem::take(&mut answer.warnings_once).into_iter().filter(|text| self.once.is_new(text)));
        self.warn(&request.urn, &answer.warnings).await;
        Ok(diff::answer(&answer))
    }

    pub(super) async fn create_resource(&self, request: pb::CreateRequest) -> Result<pb::CreateResponse, Status> {
        let urn = decode::urn(&request.urn)?;
        let configured = self.configured()?;
        let resource = self.subject(urn.type_token(), "Resource")?;
        let create = CreateRequest {
            urn,
            properties: decode::field(&request.properties, decode::INPUTS, "malformed resource inputs")?,
            timeout: decode::timeout(request.timeout),
            reads_first: self.engine_reads_first.load(Ordering::Relaxed),
            preview: request.preview,
        };
        let _entry = (!request.preview).then(|| self.inflight.enter("Create", &request.urn));
        let answer = lifecycle::create(resource, create, &configured.cloud).await;
        let answer =
            answer.map_err(|failure| self.failed(failure, resource, &request.properties, &[&request.properties]))?;
        Ok(pb::CreateResponse {
            id: answer.id,
            properties: Some(encode(&answer.properties, EncodeOptions::SKIP_NULLS)),
            refresh_before_update: false,
        })
    }

    pub(super) async fn read_resource(&self, request: pb::ReadRequest) -> Result<pb::ReadResponse, Status> {
        let urn = decode::urn(&request.urn)?;
        let configured = self.configured()?;
        let resource = self.subject(urn.type_token(), "Resource")?;
        let read = ReadRequest {
            id: request.id,
            urn,
            properties: decode::optional(&request.properties, decode::RECORDED, "malformed recorded state")?,
            inputs: decode::optional(&request.inputs, decode::RECORDED, "malformed recorded inputs")?,
            timeout: decode::timeout(request.timeout),
        };
        let _entry = self.inflight.enter("Read", &request.urn);
        let answer = lifecycle::read(resource, read, &configured.cloud).await;
        let answer = answer.map_err(|failure| {
            self.failed(failure, resource, &request.inputs, &[&request.inputs, &request.properties])
        })?;
        Ok(match answer {
            // Empty id and absent properties: gone for a refresh, not existing for an import. A creation that was cut off may
            // only be on its way, so that its entry stays: the engine asks to create what is not there.
            None => pb::ReadResponse::default(),
            Some(found) => {
                configured.journal.settle(&request.urn, &found.id);
                pb::ReadResponse {
                    id: found.id,
                    properties: Some(encode(&found.properties, EncodeOptions::SKIP_NULLS)),
                    inputs: Some(encode(&found.inputs, EncodeOptions::SKIP_NULLS)),
                    refresh_before_update: false,
                }
            }
        })
    }

    pub(super) async fn update_resource(&self, request: pb::UpdateRequest) -> Result<pb::UpdateResponse, Status> {
        let urn = decode::urn(&request.urn)?;
        let configured = self.configured()?;
        let resource = self.subject(urn.type_token(), "Resource")?;
        let Sides { olds, old_inputs, news } = Sides::read(&request.olds, &request.old_inputs, &request.news)?;
        configured.journal.settle(&request.urn, &request.id);
        let update = UpdateRequest {
            id: request.id,
            urn,
            olds,
            news,
            old_inputs,
            ignore_changes: request.ignore_changes,
            timeout: decode::timeout(request.timeout),
            reads_first: self.engine_reads_first.load(Ordering::Relaxed),
            preview: request.preview,
        };
        let _entry = (!request.preview).then(|| self.inflight.enter("Update", &request.urn));
        let answer = lifecycle::update(resource, update, &configured.cloud).await;
        let outputs = answer.map_err(|failure| {
            self.failed(failure, resource, &request.old_inputs, &[&request.news, &request.old_inputs, &request.olds])
        })?;
        Ok(pb::UpdateResponse {
            properties: Some(encode(&outputs, EncodeOptions::SKIP_NULLS)),
            refresh_before_update: false,
        })
    }

    pub(super) async fn delete_resource(&self, request: pb::DeleteRequest) -> Result<(), Status> {
        let urn = decode::urn(&request.urn)?;
        let configured = self.configured()?;
        let resource = self.subject(urn.type_token(), "Resource")?;
        // Deleting needs the identifier alone: state that does not parse must not keep a resource alive.
        let delete = DeleteRequest {
            id: request.id.clone(),
            urn,
            timeout: decode::timeout(request.timeout),
            secrets: status::all_secrets(&[&request.old_inputs, &request.properties]),
        };
        let _entry = self.inflight.enter("Delete", &request.urn);
        lifecycle::delete(resource, delete, &configured.cloud)
            .await
            .map_err(|failure| self.failed(failure, resource, &None, &[&request.old_inputs, &request.properties]))?;
        configured.journal.settle(&request.urn, &request.id);
        Ok(())
    }

    /// The status of a call to the cloud that failed; see [`status::failure`].
    fn failed(&self, failure: Failure, subject: Subject, request_inputs: &Field, request: &[&Field]) -> Status {
        status::failure(self.knowledge.naming_regions(failure, *subject), request_inputs, request)
    }
}

/// What Diff and Update compare.
struct Sides {
    olds: Map,
    /// The recorded inputs beside the state, which count only when the state has no checkpoint of its own.
    old_inputs: Option<Map>,
    news: Map,
}

impl Sides {
    fn read(olds: &Field, old_inputs: &Field, news: &Field) -> Result<Self, Status> {
        const MALFORMED_STATE: &str = "diff failed because malformed resource inputs";
        let olds = decode::field(olds, decode::INPUTS, MALFORMED_STATE)?;
        let news = decode::field(news, decode::INPUTS, "failed to parse inputs for update")?;
        let old_inputs = match checkpoint::inputs(&olds) {
            Some(_) => None,
            None => decode::optional(old_inputs, decode::INPUTS, MALFORMED_STATE)?,
        };
        Ok(Self { olds, old_inputs, news })
    }
}

/// The engine's naming options.
fn naming(options: AutonamingOptions) -> Result<EngineNaming, Status> {
    let mode = match Mode::try_from(options.mode) {
        Ok(Mode::Propose) => EngineNamingMode::Propose,
        Ok(Mode::Enforce) => EngineNamingMode::Enforce,
        Ok(Mode::Disable) => EngineNamingMode::Disable,
        Err(_) => return Err(Status::invalid_argument(format!("unknown autonaming mode {}", options.mode))),
    };
    Ok(EngineNaming { proposed: options.proposed_name, mode })
}
