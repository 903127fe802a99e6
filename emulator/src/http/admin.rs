//! The emulator's own pages under `/_emu`, for tests: each a method of [`Admin`] behind a URL.
//!
//! | page | what it does |
//! |---|---|
//! | `GET health`, `GET ready` | answers once the emulator serves; 503 once its state cannot be kept any more |
//! | `GET schemas?details=on` | type names, skipped files and patterns; with details what each type is and what is wrong with it |
//! | `GET schemas/{type}` | a schema as it was read, with the report about it |
//! | `POST schemas/reload` | reads the schemas again; 422 when they cannot be, and what was served stays |
//! | `POST generate` | a desired state that the schema accepts: `{"type", "size"}`, the size `minimal` (the default) or `maximal` |
//! | `GET log?operation=&type=&since=` | every Cloud Control call in order; `DELETE` forgets them |
//! | `GET rules`, `POST rules`, `DELETE rules[/{id}]` | rules of misbehavior with their counters; a rule or a list of them as JSON or YAML |
//! | `POST rules/replay` | entries of the log: puts rules in force that fire exactly what was decided |
//! | `POST requests/{token}/complete`, `fail`, `release` | drives one request by hand; `fail` takes `{"code", "message"}` |
//! | `GET requests?status=&type=` | the requests that were accepted, with what was decided about them |
//! | `GET resources?account=&region=&type=&identifier=` | resources with their whole models |
//! | `DELETE resources?type=T&identifier=I` | removes a resource behind its owner's back |
//! | `POST drift` | changes a resource behind its owner's back: `{"type", "identifier", "patch"}` |
//! | `PUT type-configuration/{type}` | sets the configuration of a private type; `DELETE` takes it away |
//! | `GET functions`, `PUT functions` | what functions of Lambda do: a list of rules |
//! | `POST clock/advance` | `{"seconds"}` |
//! | `GET snapshot?account=&region=`, `PUT` the same | everything of a scope, or of all, as one document and back |
//! | `POST reset?account=&region=` | forgets it |
//!
//! These pages show write-only values and secrets as they were sent: seeing what a client sent is their purpose, and
//! the emulator listens on the loopback interface only. `account` and `region` choose a scope, in the query or the
//! body; without them the first resource of that type and identifier is meant.

mod rules;
mod schemas;

use super::{Answer, form};
use crate::admin::{Admin, AdminError, Check, Size, Which, WhichCalls, WhichRequests};
use crate::core::Core;
use crate::services::lambda::rule::FunctionRule;
use axum::http::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Answers a request for `/_emu/{page}`.
pub(super) fn answer(core: &Arc<Core>, method: &Method, page: &str, query: &str, body: &[u8]) -> Answer {
    let admin = Admin::new(Arc::clone(core));
    let asked = |name: &str| form::get(query, name).filter(|value| !value.is_empty());
    let mut status = 200;
    let outcome = match (method.as_str(), page) {
        ("GET", "health") => Ok(json!({"status": "ok"})),
        ("GET", "ready") => return ready(core),
        ("GET", "schemas") => Ok(schemas::list(&admin, core, asked)),
        ("POST", "schemas/reload") => schemas::reload(&admin),
        ("GET", page) if page.starts_with("schemas/") => schemas::one(&admin, page.trim_start_matches("schemas/")),
        ("POST", "generate") => generate(&admin, body),
        ("GET", "log") => {
            let since = asked("since").and_then(|since| since.parse().ok()).unwrap_or_default();
            let which = WhichCalls { operation: asked("operation"), type_name: asked("type"), since };
            Ok(admin.log(&which).into_iter().map(|call| call.entry).collect())
        }
        ("DELETE", "log") => {
            admin.forget_log();
            Ok(json!({}))
        }
        ("GET", "requests") => {
            let which = WhichRequests { status: asked("status"), type_name: asked("type") };
            Ok(admin.requests(&which).iter().map(|request| request.shown()).collect())
        }
        ("GET", "resources") => Ok(admin.resources(&which(asked)).iter().map(|resource| resource.shown()).collect()),
        ("DELETE", "resources") => remove(&admin, &which(asked)),
        ("POST", "drift") => drift(&admin, body),
        ("GET", "rules") => Ok(json!(admin.rules())),
        ("POST", "rules") => {
            status = 201;
            rules::add_rules(&admin, body)
        }
        ("POST", "rules/replay") => {
            status = 201;
            rules::replay(&admin, body)
        }
        ("DELETE", "rules") => Ok(json!({"removed": admin.remove_rules(None)})),
        ("DELETE", page) if page.starts_with("rules/") => rules::remove_rule(&admin, page),
        ("POST", page) if page.starts_with("requests/") => rules::drive(&admin, page, body),
        ("GET", "functions") => Ok(json!(admin.functions())),
        ("PUT", "functions") => set_functions(&admin, body),
        ("POST", "clock/advance") => advance(&admin, core, body),
        ("GET", "snapshot") => scope(asked).map(|scope| admin.export(borrowed(&scope))),
        ("PUT", "snapshot") => scope(asked).and_then(|scope| {
            let imported = admin.import(&read_body(body)?, borrowed(&scope))?;
            Ok(json!({"resources": imported.resources, "requests": imported.requests}))
        }),
        ("POST", "reset") => scope(asked).map(|scope| {
            admin.reset(borrowed(&scope));
            json!({})
        }),
        ("PUT" | "DELETE", page) if page.starts_with("type-configuration/") => configure(&admin, method, page, body),
        _ => Err(AdminError::NotFound { what: format!("{method} /_emu/{page}") }),
    };
    match outcome {
        Ok(value) => Answer::json(status, &value),
        Err(error) => Answer::json(error.status(), &json!({"error": error.to_string()})),
    }
}

fn ready(core: &Core) -> Answer {
    let failed = core.backing.durable().borrow().failed.clone();
    match failed {
        None => Answer::json(200, &json!({"ready": true})),
        Some(reason) => Answer::json(503, &json!({"ready": false, "reason": &*reason})),
    }
}

fn which(asked: impl Fn(&str) -> Option<String>) -> Which {
    let [account, region, type_name, identifier] = ["account", "region", "type", "identifier"].map(asked);
    Which { account, region, type_name, identifier }
}

/// The account and region that a page is about; both or none are named.
fn scope(asked: impl Fn(&str) -> Option<String>) -> Result<Option<(String, String)>, AdminError> {
    match (asked("account"), asked("region")) {
        (None, None) => Ok(None),
        (Some(account), Some(region)) => Ok(Some((account, region))),
        _ => Err(AdminError::Invalid { reason: "account and region go together".to_owned() }),
    }
}

fn borrowed(scope: &Option<(String, String)>) -> Option<(&str, &str)> {
    scope.as_ref().map(|(account, region)| (account.as_str(), region.as_str()))
}

/// A page that is about one resource needs its type and identifier.
fn named(which: &Which) -> Result<&Which, AdminError> {
    let missing = |name: &str| AdminError::Invalid { reason: format!("{name} is missing") };
    which.type_name.as_ref().ok_or_else(|| missing("type"))?;
    which.identifier.as_ref().ok_or_else(|| missing("identifier"))?;
    Ok(which)
}

fn remove(admin: &Admin, which: &Which) -> Result<Value, AdminError> {
    let removed = admin.remove(named(which)?)?;
    Ok(json!({"identifier": removed.identifier, "model": removed.model}))
}

fn drift(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let body = read_body(body)?;
    let which = which(|name| body.get(name)?.as_str().map(str::to_owned));
    let patch = body.get("patch").ok_or_else(|| AdminError::Invalid { reason: "patch is missing".to_owned() })?;
    let changed = admin.change(named(&which)?, patch, Check::Off)?;
    Ok(json!({"identifier": changed.identifier, "model": changed.model}))
}

fn generate(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let body = read_body(body)?;
    let type_name = body.get("type").and_then(Value::as_str);
    let type_name = type_name.ok_or_else(|| AdminError::Invalid { reason: "type is missing".to_owned() })?;
    let size = match body.get("size").map(Value::as_str) {
        None | Some(Some("minimal")) => Size::Minimal,
        Some(Some("maximal")) => Size::Maximal,
        Some(_) => return Err(AdminError::Invalid { reason: "size must be minimal or maximal".to_owned() }),
    };
    let desired = admin.generate(type_name, size)?;
    Ok(json!({"type": type_name, "desiredState": desired, "handlers": admin.handlers(type_name)}))
}

fn invalid(reason: &str) -> AdminError {
    AdminError::Invalid { reason: reason.to_owned() }
}

fn configure(admin: &Admin, method: &Method, page: &str, body: &[u8]) -> Result<Value, AdminError> {
    let type_name = page.rsplit('/').next().unwrap_or_default();
    let configuration = if *method == Method::PUT { Some(read_body(body)?) } else { None };
    admin.configure_type(type_name, configuration.as_ref())?;
    Ok(json!({"type": type_name, "isSet": configuration.is_some()}))
}

fn set_functions(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let rules: Vec<FunctionRule> = serde_json::from_value(read_body(body)?)
        .map_err(|error| AdminError::Invalid { reason: format!("the rules cannot be read: {error}") })?;
    admin.set_functions(&rules)?;
    Ok(json!({"rules": rules.len()}))
}

fn advance(admin: &Admin, core: &Core, body: &[u8]) -> Result<Value, AdminError> {
    let seconds = read_body(body)?.get("seconds").and_then(Value::as_f64);
    let by = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let invalid = || AdminError::Invalid { reason: "seconds must be a number of seconds, not below 0".to_owned() };
    admin.advance(by.ok_or_else(invalid)?);
    Ok(json!({"now": crate::life::event::timestamp(core.now())}))
}

fn read_body(body: &[u8]) -> Result<Value, AdminError> {
    let invalid = |what: String| AdminError::Invalid { reason: format!("the body is {what}") };
    let text = std::str::from_utf8(body).map_err(|_| invalid("not UTF-8".to_owned()))?;
    crate::json::parse(text).map_err(|error| invalid(error.to_string()))
}
