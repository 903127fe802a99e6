//! UpdateResource: the patch is applied to what a read shows, so write-only values that are not sent again are lost.

use super::Call;
use super::claim::{Claim, canonical};
use super::denied;
use super::forms::kept;
use super::get::find;
use super::members::Members;
use super::submit::{content, shown, submit};
use super::types::resource_type;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::faults;
use crate::handler_error::HandlerErrorCode;
use crate::life::plan::{Effect, HandlerRefusal, Submission};
use crate::model::protection::Refusal;
use crate::model::{coerce, conditional, patch, protection, read, record, tags};
use crate::options::{Coerce, Conditional};
use crate::overrides::file::TypeFacts;
use crate::schema::{Handler, ResourceType};
use crate::store::{Kind, NewResource, Resource};
use crate::synthesize::context::Context;
use crate::validate::Validator;
use serde_json::Value;

/// How often an update starts again because its resource changed while it was computed.
const ATTEMPTS: usize = 3;

pub(super) fn update(call: &Call<'_>, members: &Members<'_>) -> Result<Value, ApiError> {
    let core = call.core;
    let resource = resource_type(call, members, Handler::Update)?;
    let body = canonical(members.text("PatchDocument"));
    let claim = Claim::of(Kind::Update, members, &body);
    if let Some(earlier) = claim.earlier(call, &call.txn())? {
        return Ok(earlier);
    }
    // The first thing that an update does is to read.
    denied::check_reading(call, members, &resource, Handler::Read)?;
    let shelf = core.shelf_key(call.scope, &resource.name);
    for _ in 0..ATTEMPTS {
        let found = find(call, &call.txn(), &resource, &shelf, members.text("Identifier"))?.clone();
        let Patched { resource: updated, model, refusal } = patched(call, &resource, &found, members)?;
        let refusal = denied::refusal(call, members, &resource, Handler::Update).or(refusal);
        let txn = call.txn();
        if txn.resource(&shelf, &found.identifier).map(|resource| resource.version) != Some(found.version) {
            continue;
        }
        if let Some(earlier) = claim.earlier(call, &txn)? {
            return Ok(earlier);
        }
        let digest = content(call, Kind::Update, &resource.name, &found.identifier, &body);
        let submission = Submission {
            scope: call.scope,
            shelf,
            resource: &resource,
            operation: Kind::Update,
            identifier: found.identifier,
            is_named_by_caller: true,
            shown: Some(shown(call, &resource, &model)),
            effect: Effect::Update { resource: updated, before: found.model },
            claim,
            digest,
            occurrence: txn.occurrence(digest),
            refusal,
        };
        return submit(call, txn, submission);
    }
    Err(ApiError::new(
        Code::ConcurrentOperation,
        format!(
            "The resource of type '{}' with identifier '{}' changed while it was being read",
            resource.name,
            members.text("Identifier")
        ),
    ))
}

/// What a patch makes of a resource.
struct Patched {
    resource: NewResource,
    model: Value,
    /// What the handler will answer.
    refusal: Option<HandlerRefusal>,
}

/// Applies a patch to what a read shows of a resource.
fn patched(
    call: &Call<'_>,
    resource: &ResourceType,
    found: &Resource,
    members: &Members<'_>,
) -> Result<Patched, ApiError> {
    let core: &Core = call.core;
    let switches = &core.options.switches;
    let current = read::visible_text(resource, &found.model);
    let mut patched = patch::apply(members.text("PatchDocument"), &current).map_err(ApiError::validation)?;
    protection::check(resource, &current, &patched).map_err(|refusal| match refusal {
        Refusal::ReadOnly(text) => ApiError::validation(text),
        Refusal::CreateOnly(text) => ApiError::new(Code::NotUpdatable, text),
    })?;
    let stored = crate::json::stored(&found.model);
    if switches.writeonly_merge {
        keep_hidden(resource, &stored, &mut patched);
    }
    if switches.coerce == Coerce::Cfn {
        coerce::apply(resource, &mut patched);
    }
    Validator::new(resource, &core.patterns).model(&patched).map_err(ApiError::validation)?;
    let facts = core.knowledge.of_type(&resource.name);
    let refusal = refusal(&facts, switches.conditional, resource, &current, &patched);
    tags::keep_reserved(resource, &stored, &mut patched);
    let subject = call.subject(&resource.name, Some(&found.identifier), members.text("PatchDocument"));
    if let Some(pointer) = faults::refuses_readback(&mut call.txn(), &subject, &patched) {
        let place = pointer.strip_prefix("/properties").unwrap_or(&pointer);
        return Err(ApiError::validation(format!(
            "Model validation failed (#{place}: failed validation constraint for keyword [pattern])"
        )));
    }
    let mut model = kept(core, call.scope, resource, Some(&stored), &patched);
    let identity = Value::from(&*found.identifier);
    let context =
        Context::new(&core.knowledge, call.scope, &resource.name, (core.options.seed, &identity, 0), core.now());
    crate::synthesize::complete(resource, &core.patterns, &context, &mut model);
    crate::synthesize::touch(resource, &core.patterns, &context, &mut model);
    let updated = record::of_model(resource, &model).map_err(ApiError::validation)?;
    if updated.identifier != found.identifier {
        // No schema lets this through: identifier parts are read-only or create-only.
        return Err(ApiError::new(
            Code::NotUpdatable,
            format!("Invalid patch update: the identifier of {} cannot be updated", found.identifier),
        ));
    }
    Ok(Patched { resource: updated, model, refusal })
}

/// Gives a patched model back the write-only values that the patch did not send again. Values inside array elements are
/// lost in any case, since elements have no identity.
fn keep_hidden(resource: &ResourceType, stored: &Value, patched: &mut Value) {
    for path in resource.write_only.iter().filter(|path| !path.has_each()) {
        if let Some(hidden) = path.get(stored)
            && path.get(patched).is_none()
        {
            path.set(patched, hidden.clone());
        }
    }
}

/// What the handler will answer to an update that the service lets through.
fn refusal(
    facts: &TypeFacts,
    mode: Conditional,
    resource: &ResourceType,
    current: &Value,
    patched: &Value,
) -> Option<HandlerRefusal> {
    let invalid = |message: String| HandlerRefusal { code: HandlerErrorCode::InvalidRequest, message: Some(message) };
    if tags::sets_reserved(resource, current, patched) {
        return Some(invalid(tags::REFUSAL.to_owned()));
    }
    if facts.refuses_empty_tags && tags::empties(resource, patched) {
        return Some(invalid("Invalid request provided: the list of tags must not be empty".to_owned()));
    }
    let refused = conditional::refused(resource, &facts.conditional, mode, current, patched);
    (!refused.is_empty()).then_some(HandlerRefusal { code: HandlerErrorCode::NotUpdatable, message: None })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use serde_json::json;

    /// What the handler answers to a change, given what is known about the type.
    fn answer(facts: &str, mode: Conditional, before: &Value, after: &Value) -> Option<(HandlerErrorCode, String)> {
        let facts: TypeFacts = crate::yaml::read("facts", facts).unwrap();
        let schema = json!({
            "properties": {"Tags": {"type": "array"}, "Version": {"type": "string"}},
            "tagging": {"tagProperty": "/properties/Tags"},
            "conditionalCreateOnlyProperties": ["/properties/Version"],
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        refusal(&facts, mode, &resource, before, after)
            .map(|refusal| (refusal.code, refusal.message.unwrap_or_default()))
    }

    #[test]
    fn empty_lists_of_tags_are_refused_where_that_is_known() {
        let (tagged, empty, none) = (json!({"Tags": [{"Key": "k", "Value": "v"}]}), json!({"Tags": []}), json!({}));
        let known = "refuses-empty-tags: true";
        let text = "Invalid request provided: the list of tags must not be empty".to_owned();
        let refused = Some((HandlerErrorCode::InvalidRequest, text));
        assert_eq!(answer("reason: nothing", Conditional::Accept, &tagged, &empty), None);
        assert_eq!(answer(known, Conditional::Accept, &tagged, &empty), refused);
        assert_eq!(answer(known, Conditional::Accept, &tagged, &none), None, "leaving the member out is the safe form");
        assert_eq!(answer(known, Conditional::Accept, &none, &tagged), None);
    }

    #[test]
    fn what_is_known_decides_about_conditional_changes() {
        let (old, new) = (json!({"Version": "8.0.9"}), json!({"Version": "8.0.10"}));
        let known = "conditional: [{ path: /properties/Version, rule: never-decreases }]";
        let refused = Some((HandlerErrorCode::NotUpdatable, String::new()));
        for (facts, mode, before, after, expected) in [
            (known, Conditional::Rule, &old, &new, None),
            (known, Conditional::Rule, &new, &old, refused.clone()),
            (known, Conditional::Accept, &new, &old, None),
            (known, Conditional::Reject, &old, &new, refused),
            ("reason: nothing", Conditional::Rule, &new, &old, None),
        ] {
            assert_eq!(answer(facts, mode, before, after), expected, "{facts} {mode:?} {before} {after}");
        }
    }
}
