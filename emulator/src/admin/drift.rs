//! Changes that nobody asked for: resources that appear, and properties that change at random.

use super::{Admin, AdminError, Check, ResourceView, Size, Which};
use crate::entropy::{Entropy, digest};
use crate::model::{protection, read, record};
use crate::operations::kept;
use crate::schema::{InstancePath, ResourceType};
use crate::scope::{self, Scope};
use crate::store::Cause;
use crate::synthesize::context::Context;
use crate::validate::Validator;
use serde::Serialize;
use serde_json::{Value, json};

/// Where a resource shall appear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The account.
    pub account: String,
    /// The region; any, or `-`, for types that exist once per account.
    pub region: String,
    /// The CloudFormation type.
    pub type_name: String,
}

/// One change at random.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drifted {
    /// The account.
    pub account: String,
    /// The region, empty for types that exist once per account.
    pub region: String,
    /// The CloudFormation type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The text of the primary identifier.
    pub identifier: String,
    /// `add`, `replace` or `remove`.
    pub op: &'static str,
    /// The JSON pointer of what changed.
    pub path: String,
    /// What stood there; null before an `add`.
    pub before: Value,
    /// What stands there now; null after a `remove`.
    pub after: Value,
}

/// How often a creation starts again because an equal one was faster.
const ATTEMPTS: usize = 3;

impl Admin {
    /// Makes a resource that no request asked for, of this model or of a generated one. What the service makes is added.
    ///
    /// # Errors
    ///
    /// [`AdminError`] for accounts and regions that no call could name, unknown types, models that the schema refuses, and identifiers that are taken.
    pub fn create(&self, place: &Place, model: Option<Value>) -> Result<ResourceView, AdminError> {
        let core = &self.core;
        let invalid = |reason: String| AdminError::Invalid { reason };
        let unknown = || AdminError::NotFound { what: format!("type {}", place.type_name) };
        let resource = core.library().get(&place.type_name).ok_or_else(unknown)?;
        // Types that exist once per account have no region.
        let is_regionless = place.region.is_empty() && core.knowledge.is_global(&place.type_name);
        let region = if is_regionless { &core.options.region } else { &place.region };
        scope::check(&place.account, region).map_err(invalid)?;
        let desired = model.map_or_else(|| self.generate(&place.type_name, Size::Minimal), Ok)?;
        Validator::new(&resource, &core.patterns).model(&desired).map_err(invalid)?;
        let is_global = core.knowledge.is_global(&place.type_name);
        let region = match place.region.as_str() {
            "" | "-" if is_global => &core.options.region,
            "" | "-" => return Err(invalid(format!("{} exists in a region; name one", place.type_name))),
            region => region,
        };
        let scope = Scope::new(place.account.clone(), region.to_owned());
        let key = core.shelf_key(&scope, &place.type_name);
        let content = digest(&["drift", &place.account, &place.region, &place.type_name, &desired.to_string()]);
        for _ in 0..ATTEMPTS {
            let occurrence = core.txn().occurrence(content);
            let drawn = (core.options.seed, &desired, occurrence);
            let context = Context::new(&core.knowledge, &scope, &place.type_name, drawn, core.now());
            let mut model = kept(core, &scope, &resource, None, &desired);
            crate::synthesize::complete(&resource, &core.patterns, &context, &mut model);
            let made = record::of_model(&resource, &model).map_err(invalid)?;
            let identifier = made.identifier.clone();
            let mut txn = core.txn();
            if txn.occurrence(content) != occurrence {
                continue;
            }
            let everywhere = core.knowledge.is_unique_everywhere(&place.type_name);
            if let Some(taken) = txn.clash(&key, &made, everywhere) {
                return Err(AdminError::Taken { reason: format!("{} {taken} exists already", place.type_name) });
            }
            txn.put_resource(&key, made, Cause::Admin);
            txn.count_occurrence(content);
            let stored = txn.resource(&key, &identifier).cloned().ok_or_else(unknown)?;
            drop(txn);
            return Ok(self.view(&key, stored));
        }
        Err(AdminError::Conflict { what: place.type_name.clone() })
    }

    /// Changes as many properties of the resources that are meant: values that an owner could set, within their schemas.
    /// What cannot be read is left alone, so that whoever compares can see every change. Gives fewer when there are no
    /// more properties. The same seed chooses the same changes of the same resources.
    pub fn drift(&self, which: &Which, count: usize, seed: u64) -> Vec<Drifted> {
        let mut proposals: Vec<(String, Drifted)> = Vec::new();
        for found in self.whole().resources(which) {
            self.propose(&found, seed, &mut proposals);
        }
        proposals.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut done: Vec<Drifted> = Vec::new();
        for (_, proposal) in proposals {
            if done.len() >= count {
                break;
            }
            // One change must not hide another.
            let overlaps = |other: &Drifted| {
                let above =
                    |a: &str, b: &str| b.strip_prefix(a).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                other.identifier == proposal.identifier
                    && other.type_name == proposal.type_name
                    && (other.account == proposal.account && other.region == proposal.region)
                    && (above(&other.path, &proposal.path) || above(&proposal.path, &other.path))
            };
            if !done.iter().any(overlaps) && self.try_drift(&proposal) {
                done.push(proposal);
            }
        }
        done
    }

    /// Everything that could change about a resource, each with its place in the order that the seed makes.
    fn propose(&self, found: &ResourceView, seed: u64, proposals: &mut Vec<(String, Drifted)>) {
        let Some(resource) = self.core.library().get(&found.type_name) else { return };
        let visible = read::visible(&resource, &found.model);
        let key = [&seed.to_string(), &found.account, &found.region, &found.type_name, &found.identifier];
        let entropy = Entropy::new(&["drift", key[0], key[1], key[2], key[3], key[4]]);
        let mut propose = |op: &'static str, path: String, before: Value, after: Value| {
            let place = entropy.within(op).within(&path).hex(16);
            let FoundAt { account, region, type_name, identifier } = FoundAt::of(found);
            proposals.push((place, Drifted { account, region, type_name, identifier, op, path, before, after }));
        };
        let mut leaves = Vec::new();
        scalars(&visible, &mut String::new(), &mut leaves);
        for (pointer, value) in leaves {
            let listed = listed(&resource, &pointer);
            let others = if listed.is_empty() { others(&value, &entropy.within(&pointer)) } else { listed };
            for other in others.into_iter().filter(|other| *other != value) {
                propose("replace", pointer.clone(), value.clone(), other);
            }
        }
        let Some(members) = visible.as_object() else { return };
        for (name, value) in members {
            propose("remove", format!("/{}", cfn::escape_token(name)), value.clone(), Value::Null);
        }
        let sample = self.generate(&found.type_name, Size::Maximal).unwrap_or_default();
        for (name, value) in sample.as_object().into_iter().flatten() {
            let is_hidden = |path: &InstancePath| path.segments().first().and_then(cfn::Segment::name) == Some(name);
            if !members.contains_key(name) && !resource.write_only.iter().any(is_hidden) {
                propose("add", format!("/{}", cfn::escape_token(name)), Value::Null, value.clone());
            }
        }
    }

    /// Makes one change, if an owner could make it.
    fn try_drift(&self, proposal: &Drifted) -> bool {
        let which = Which {
            account: Some(proposal.account.clone()),
            region: Some(proposal.region.clone()),
            type_name: Some(proposal.type_name.clone()),
            identifier: Some(proposal.identifier.clone()),
        };
        let (resource, found) = (self.core.library().get(&proposal.type_name), self.whole().resources(&which).pop());
        let (Some(resource), Some(found)) = (resource, found) else { return false };
        let patch = match proposal.op {
            "remove" => json!([{"op": "remove", "path": proposal.path}]),
            op => json!([{"op": op, "path": proposal.path, "value": proposal.after}]),
        };
        let current = read::visible(&resource, &found.model);
        let Ok(patched) = crate::model::patch::apply(&patch.to_string(), &current) else { return false };
        protection::check(&resource, &current, &patched).is_ok() && self.change(&which, &patch, Check::On).is_ok()
    }
}

/// Where a resource was found.
struct FoundAt {
    account: String,
    region: String,
    type_name: String,
    identifier: String,
}

impl FoundAt {
    fn of(found: &ResourceView) -> FoundAt {
        FoundAt {
            account: found.account.clone(),
            region: found.region.clone(),
            type_name: found.type_name.clone(),
            identifier: found.identifier.clone(),
        }
    }
}

/// Every scalar of a document with its pointer.
fn scalars(value: &Value, at: &mut String, found: &mut Vec<(String, Value)>) {
    let mut within = |step: &str, value: &Value| {
        let length = at.len();
        at.push('/');
        at.push_str(step);
        scalars(value, at, found);
        at.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| within(&cfn::escape_token(name), value)),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| within(&index.to_string(), value));
        }
        scalar => found.push((at.clone(), scalar.clone())),
    }
}

/// The values that a schema lists for a place.
fn listed(resource: &ResourceType, pointer: &str) -> Vec<Value> {
    let step = |step: &str| if step.parse::<usize>().is_ok() { "*".to_owned() } else { step.to_owned() };
    let general: Vec<String> = pointer.split('/').skip(1).map(step).collect();
    let path = InstancePath::parse(&format!("/properties/{}", general.join("/")));
    let node = path.as_ref().and_then(|path| resource.node(path));
    let listed = node.and_then(|node| resource.keyword(node, "enum")).and_then(Value::as_array);
    listed.cloned().unwrap_or_default()
}

/// Other values of the kind of a scalar, the likeliest to be accepted first.
fn others(value: &Value, entropy: &Entropy) -> Vec<Value> {
    match value {
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => vec![json!(whole.saturating_add(1)), json!(whole.saturating_sub(1))],
            (None, Some(fraction)) => vec![json!(fraction / 2.0)],
            (None, None) => Vec::new(),
        },
        Value::String(text) => {
            let tail = entropy.within("tail").lower(4);
            let kept: String = text.chars().take(text.chars().count().saturating_sub(4)).collect();
            vec![json!(format!("{text}-{tail}")), json!(format!("{kept}{tail}"))]
        }
        Value::Null | Value::Array(_) | Value::Object(_) => Vec::new(),
    }
}
