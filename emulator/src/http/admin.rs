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
use crate::model::patch;
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::{ShelfKey, Store};
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
    let store = core.store();
    let mut shelves: Vec<_> = store.shelves.iter().collect();
    shelves.sort_by_key(|(key, _)| *key);
    let all = shelves.into_iter().flat_map(|(key, shelf)| {
        shelf.after(0).map(move |(_, resource)| {
            json!({
                "account": key.account,
                "region": key.region,
                "type": key.type_name,
                "identifier": resource.identifier,
                "model": resource.model,
            })
        })
    });
    Value::Array(all.collect())
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

    fn find(&self, store: &Store) -> Result<ShelfKey, (u16, String)> {
        let is_meant = |key: &ShelfKey| {
            key.type_name == self.type_name
                && self.account.as_ref().is_none_or(|account| *account == key.account)
                && self.region.as_ref().is_none_or(|region| *region == key.region)
        };
        let mut shelves: Vec<_> = store
            .shelves
            .iter()
            .filter(|(key, shelf)| is_meant(key) && shelf.get(&self.identifier).is_some())
            .collect();
        shelves.sort_by_key(|(key, _)| *key);
        let missing = || (404, format!("there is no {} with identifier {}", self.type_name, self.identifier));
        shelves.first().map(|(key, _)| (*key).clone()).ok_or_else(missing)
    }
}

fn remove(core: &Core, query: &str) -> Result<Value, (u16, String)> {
    let target = Target::read(|name| form::get(query, name))?;
    let mut store = core.store();
    let key = target.find(&store)?;
    let removed = store.shelves.get_mut(&key).and_then(|shelf| shelf.remove(&target.identifier));
    Ok(json!({"identifier": target.identifier, "model": removed.map(|resource| resource.model)}))
}

fn generate(core: &Core, body: &[u8]) -> Result<Value, (u16, String)> {
    let body = read_body(body)?;
    let type_name = body.get("type").and_then(Value::as_str).ok_or_else(|| (400, "type is missing".to_owned()))?;
    let resource = core.library.get(type_name).ok_or_else(|| (404, format!("there is no type {type_name}")))?;
    let scope = Scope::new(core.options.account.clone(), core.options.region.clone());
    let context = Context::new(&core.tables, &scope, type_name, (core.options.seed, &Value::Null, 0), core.now());
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
    let mut store = core.store();
    let key = target.find(&store)?;
    let found = store.shelves.get_mut(&key).and_then(|shelf| shelf.get_mut(&target.identifier));
    let Some(resource) = found else { return Err((404, format!("there is no resource {}", target.identifier))) };
    resource.model = patch::apply(&document.to_string(), &resource.model).map_err(|reason| (400, reason))?;
    Ok(json!({"identifier": target.identifier, "model": resource.model}))
}
