//! The emulator's own pages under `/_emu`, for tests.
//!
//! | page | what it does |
//! |---|---|
//! | `GET health` | answers once the emulator serves |
//! | `GET schemas` | type names, skipped files and patterns |
//! | `POST generate` | a minimal desired state that the schema accepts: `{"type"}` |
//! | `GET requests` | every Cloud Control call in order, as a JSON array; `DELETE` forgets them |
//! | `GET resources` | every resource with its whole model |
//! | `DELETE resources?type=T&identifier=I` | removes a resource behind its owner's back |
//! | `POST drift` | changes a resource behind its owner's back: `{"type", "identifier", "patch"}` |
//!
//! These pages show write-only values and secrets as they were sent: seeing what a client sent is their purpose, and
//! the emulator listens on the loopback interface only. `account` and `region` choose a scope, in the query or the
//! body; without them the first resource of that type and identifier is meant.

use super::{Answer, form};
use crate::core::Core;
use crate::model::{patch, record};
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::{Cause, ShelfKey, Txn};
use crate::synthesize::context::Context;
use axum::http::Method;
use serde_json::{Value, json};

/// Answers a request for `/_emu/{page}`.
pub(super) fn answer(core: &Core, method: &Method, page: &str, query: &str, body: &[u8]) -> Answer {
    let outcome = match (method.as_str(), page) {
        ("GET", "health") => Ok(json!({"status": "ok"})),
        ("GET", "schemas") => Ok(schemas(core)),
        ("POST", "generate") => generate(core, body),
        ("GET", "requests") => Ok(Value::Array(core.journal.all())),
        ("DELETE", "requests") => {
            core.journal.clear();
            Ok(json!({}))
        }
        ("GET", "resources") => Ok(resources(core)),
        ("DELETE", "resources") => remove(core, query),
        ("POST", "drift") => drift(core, body),
        _ => Err((404, format!("there is no {method} /_emu/{page}"))),
    };
    match outcome {
        Ok(value) => Answer::json(200, &value),
        Err((status, message)) => Answer::json(status, &json!({"error": message})),
    }
}

fn schemas(core: &Core) -> Value {
    let skipped: Vec<Value> =
        core.library.skipped().iter().map(|(file, reason)| json!({"file": file, "reason": reason})).collect();
    let served: Vec<&str> = core.library.type_names().collect();
    json!({"types": served, "skippedFiles": skipped, "skippedPatterns": core.patterns.skipped()})
}

fn resources(core: &Core) -> Value {
    let txn = core.txn();
    let mut all = Vec::new();
    for (key, shelf) in txn.shelves() {
        all.extend(
            shelf.map(|resource| (key.clone(), resource.sequence, resource.identifier.clone(), resource.model.clone())),
        );
    }
    drop(txn);
    all.sort();
    let shown = all.into_iter().map(|(key, _, identifier, model)| {
        json!({
            "account": &*key.account,
            "region": &*key.region,
            "type": &*key.type_name,
            "identifier": identifier,
            "model": crate::json::stored(&model),
        })
    });
    Value::Array(shown.collect())
}

/// What a page is about: a resource, in a scope if one was named.
struct Target {
    type_name: String,
    identifier: String,
    account: Option<String>,
    region: Option<String>,
}

impl Target {
    fn read(member: impl Fn(&str) -> Option<String>) -> Result<Target, (u16, String)> {
        let needed = |name: &str| member(name).ok_or_else(|| (400, format!("{name} is missing")));
        Ok(Target {
            type_name: needed("type")?,
            identifier: needed("identifier")?,
            account: member("account"),
            region: member("region"),
        })
    }

    fn find(&self, txn: &Txn<'_>) -> Result<ShelfKey, (u16, String)> {
        let is_meant = |key: &ShelfKey| {
            key.type_name == *self.type_name
                && self.account.as_ref().is_none_or(|account| key.account == **account)
                && self.region.as_ref().is_none_or(|region| key.region == **region)
        };
        let shelves = txn.shelves().map(|(key, _)| key).filter(|key| is_meant(key));
        let mut found: Vec<&ShelfKey> = shelves.filter(|key| txn.resource(key, &self.identifier).is_some()).collect();
        found.sort();
        let missing = || (404, format!("there is no {} with identifier {}", self.type_name, self.identifier));
        found.first().map(|key| (*key).clone()).ok_or_else(missing)
    }
}

fn remove(core: &Core, query: &str) -> Result<Value, (u16, String)> {
    let target = Target::read(|name| form::get(query, name))?;
    let mut txn = core.txn();
    let key = target.find(&txn)?;
    let removed = txn.remove_resource(&key, &target.identifier, Cause::Admin);
    let model = removed.map(|resource| crate::json::stored(&resource.model));
    Ok(json!({"identifier": target.identifier, "model": model}))
}

fn generate(core: &Core, body: &[u8]) -> Result<Value, (u16, String)> {
    let body = read_body(body)?;
    let type_name = body.get("type").and_then(Value::as_str).ok_or_else(|| (400, "type is missing".to_owned()))?;
    let resource = core.library.get(type_name).ok_or_else(|| (404, format!("there is no type {type_name}")))?;
    let scope = Scope::new(core.options.account.clone(), core.options.region.clone());
    let context = Context::new(&core.knowledge, &scope, type_name, (core.options.seed, &Value::Null, 0), core.now());
    let sample = crate::synthesize::sample(&resource, &core.patterns, &context);
    let desired =
        sample.ok_or_else(|| (422, format!("no desired state was found that the schema of {type_name} accepts")))?;
    let handlers: Vec<&str> = [Handler::Create, Handler::Read, Handler::Update, Handler::Delete, Handler::List]
        .into_iter()
        .filter(|handler| resource.has(*handler))
        .map(Handler::action)
        .collect();
    Ok(json!({"type": type_name, "desiredState": desired, "handlers": handlers}))
}

fn read_body(body: &[u8]) -> Result<Value, (u16, String)> {
    let text = std::str::from_utf8(body).map_err(|_| (400, "the body is not UTF-8".to_owned()))?;
    crate::json::parse(text).map_err(|error| (400, format!("the body is {error}")))
}

fn drift(core: &Core, body: &[u8]) -> Result<Value, (u16, String)> {
    let body = read_body(body)?;
    let target = Target::read(|name| body.get(name)?.as_str().map(str::to_owned))?;
    let document = body.get("patch").ok_or_else(|| (400, "patch is missing".to_owned()))?;
    let (key, found) = {
        let txn = core.txn();
        let key = target.find(&txn)?;
        let found = txn.resource(&key, &target.identifier).cloned();
        (key, found)
    };
    let missing = || (404, format!("there is no resource {}", target.identifier));
    let found = found.ok_or_else(missing)?;
    let resource = core.library.get(&key.type_name).ok_or_else(missing)?;
    let model = crate::json::stored(&found.model);
    let model = patch::apply(&document.to_string(), &model).map_err(|reason| (400, reason))?;
    let mut changed = record::of_model(&resource, &model).map_err(|reason| (400, reason))?;
    if changed.identifier != found.identifier {
        return Err((400, format!("the patch changes the identifier of {}", found.identifier)));
    }
    changed.haunted = found.haunted;
    core.txn().put_resource(&key, changed, Cause::Admin);
    Ok(json!({"identifier": target.identifier, "model": model}))
}
