//! CreateResource.

use super::Call;
use super::claim::{Claim, canonical};
use super::denied;
use super::forms::kept;
use super::members::Members;
use super::submit::{content, shown, submit};
use super::types::resource_type;
use crate::api_error::ApiError;
use crate::core::Core;
use crate::handler_error::{HandlerErrorCode, Matter};
use crate::life::plan::{self, Effect, HandlerRefusal, Submission};
use crate::model::{coerce, identifier, protection, record, tags};
use crate::options::{Coerce, Nulls, OnReadOnly, Told};
use crate::schema::{Handler, InstancePath, ResourceType};
use crate::store::Kind;
use crate::synthesize::context::Context;
use crate::validate::Validator;
use serde_json::Value;

pub(super) fn create(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let core = call.core;
    let resource = resource_type(call, members, Handler::Create)?;
    let claim = Claim::of(Kind::Create, members, &canonical(members.text("DesiredState")));
    if let Some(earlier) = claim.earlier(call, &call.txn())? {
        return Ok(earlier);
    }
    let Desired { model: desired, refusal } = desired_state(core, &resource, members.text("DesiredState"))?;
    let refusal = denied::refusal(call, members, &resource, Handler::Create).or(refusal);
    let is_named_by_caller = resource.primary_identifier.iter().all(|path| path.get(&desired).is_some());
    let kept = kept(core, call.scope, &resource, None, &desired);
    let digest = content(call, Kind::Create, &resource.name, "", &desired.to_string());
    loop {
        let occurrence = call.txn().occurrence(digest);
        let key = (core.options.seed, &desired, occurrence);
        let context = Context::new(&core.knowledge, call.scope, &resource.name, key, core.now());
        let mut model = kept.clone();
        if core.options.switches.system_tags {
            let token = plan::token(core.options.seed, call.scope, digest, occurrence);
            tags::add_own(&resource, &mut model, &token.to_string());
        }
        crate::synthesize::complete(&resource, &core.patterns, &context, &mut model);
        let made = record::of_model(&resource, &model).map_err(ApiError::validation)?;
        let shown = Some(shown(call, &resource, &model));
        let txn = call.txn();
        if txn.occurrence(digest) != occurrence {
            // An equal call was faster; what it made must not be made twice.
            continue;
        }
        if let Some(earlier) = claim.earlier(call, &txn)? {
            return Ok(earlier);
        }
        let shelf = core.shelf_key(call.scope, &resource.name);
        let everywhere = core.knowledge.is_unique_everywhere(&resource.name);
        if core.options.switches.already_exists == Told::Sync
            && let Some(identifier) = txn.clash(&shelf, &made, everywhere)
        {
            return Err(already_exists(core, &resource, &identifier));
        }
        let submission = Submission {
            scope: call.scope,
            shelf,
            resource: &resource,
            operation: Kind::Create,
            identifier: made.identifier.clone(),
            is_named_by_caller,
            shown,
            effect: Effect::Create { resource: made, everywhere },
            claim,
            digest,
            occurrence,
            refusal: refusal.clone(),
        };
        return submit(call, txn, submission);
    }
}

/// The answer of a call whose resource exists, where conflicts are told at once.
fn already_exists(core: &Core, resource: &ResourceType, identifier: &str) -> ApiError {
    let code = HandlerErrorCode::AlreadyExists;
    let reason = code.text(&Matter { type_name: &resource.name, identifier, action: Kind::Create.name() }, "");
    ApiError::of_handler(code, &resource.name, &reason, &core.draw_uuid())
}

/// A desired state that the service accepts.
struct Desired {
    model: Value,
    /// What its handler will answer.
    refusal: Option<HandlerRefusal>,
}

/// Reads and checks a desired state.
fn desired_state(core: &Core, resource: &ResourceType, text: &str) -> Result<Desired, ApiError> {
    let switches = &core.options.switches;
    let mut desired =
        crate::json::parse(text).map_err(|error| ApiError::validation(format!("DesiredState is {error}")))?;
    let given = protection::read_only_given(resource, &desired);
    if !given.is_empty() && switches.readonly_on_create == OnReadOnly::Reject {
        return Err(ApiError::validation(format!(
            "Invalid desired state: readOnlyProperties [{}] cannot be specified",
            given.join(", ")
        )));
    }
    let paths: Vec<InstancePath> = given.iter().filter_map(|pointer| InstancePath::parse(pointer)).collect();
    paths.iter().for_each(|path| path.remove(&mut desired));
    let mut refusal = None;
    if switches.nulls != Nulls::Reject {
        let with_nulls = desired.clone();
        crate::json::prune_nulls(&mut desired);
        if switches.nulls == Nulls::Crash && desired != with_nulls {
            refusal = Some(HandlerRefusal { code: HandlerErrorCode::InternalFailure, message: None });
        }
    }
    if switches.coerce == Coerce::Cfn {
        coerce::apply(resource, &mut desired);
    }
    Validator::new(resource, &core.patterns).model(&desired).map_err(ApiError::validation)?;
    identifier::settle_empty_parts(resource, &mut desired).map_err(ApiError::validation)?;
    if refusal.is_none() && tags::sets_reserved(resource, &Value::Null, &desired) {
        let message = Some(tags::REFUSAL.to_owned());
        refusal = Some(HandlerRefusal { code: HandlerErrorCode::InvalidRequest, message });
    }
    Ok(Desired { model: desired, refusal })
}
