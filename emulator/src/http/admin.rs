//! The emulator's own pages under `/_emu`, for tests: each a method of [`Admin`] behind a URL.
//!
//! | page | what it does |
//! |---|---|
//! | `GET health`, `GET ready` | answers once the emulator serves; 503 once its state cannot be kept any more |
//! | `GET info` | version, seed, profile, switches |
//! | `GET schemas?details=on` | type names, skipped files and patterns; with details what each type is and what is wrong with it |
//! | `GET schemas/{type}` | a schema as it was read, with the report about it |
//! | `POST schemas/reload` | reads the schemas again; 422 when they cannot be, and what was served stays |
//! | `POST generate` | a desired state that the schema accepts: `{"type", "size"}`, the size `minimal` (the default) or `maximal` |
//! | `GET log?operation=&type=&since=` | every Cloud Control call in order, one a line with `Accept: application/x-ndjson`; `DELETE` forgets them |
//! | `GET rules`, `POST rules`, `DELETE rules[/{id}]` | rules of misbehavior with their counters; a rule or a list of them as JSON or YAML |
//! | `POST rules/replay` | entries of the log: puts rules in force that fire exactly what was decided |
//! | `POST requests/{token}/complete`, `fail`, `release` | drives one request by hand; `fail` takes `{"code", "message"}` |
//! | `GET requests?status=&type=` | the requests that were accepted, with their events |
//! | `GET resources?account=&region=&type=&identifier=` | resources with their whole models |
//! | `DELETE resources?type=T&identifier=I` | removes a resource behind its owner's back |
//! | `POST resources` | makes one that no request asked for: `{"account", "region", "type", "model"}`, generated without a model |
//! | `GET`, `PATCH`, `DELETE resources/{account}/{region}/{type}/{identifier}` | one of them; a patch with `?check=on` is held against the schema |
//! | `POST drift/random` | changes what an owner could: `{"type", "count", "seed"}`; says what it changed |
//! | `POST drift` | changes a resource behind its owner's back: `{"type", "identifier", "patch"}` |
//! | `PUT type-configuration/{type}` | sets the configuration of a private type; `DELETE` takes it away |
//! | `GET functions`, `PUT functions` | what functions of Lambda do: a list of rules |
//! | `POST clock/advance` | `{"seconds"}` |
//! | `GET snapshot?account=&region=`, `PUT` the same | everything of a scope, or of all, as one document and back |
//! | `POST reset?account=&region=` | forgets it |
//!
//! Write-only values are hidden (`***`) unless the options show them; only a snapshot, which is the state itself, is whole.
//! `account` and `region` choose a scope, in the query or the body; without them the first resource of that type and
//! identifier is meant. What a page does not know of a query, and a body that it does not read, it refuses ([`known`]).

mod known;
mod resources;
mod rules;
mod schemas;

use super::route::Target;
use super::{Answer, form};
use crate::admin::{Admin, AdminError, Check, Size, Which, WhichCalls, WhichRequests};
use crate::core::Core;
use crate::services::lambda::rule::FunctionRule;
use axum::http::Method;
use axum::http::request::Parts;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// One JSON document a line.
const LINES: &str = "application/x-ndjson";

/// Whether a request may have a page: with the token, where one is set. Whether the emulator lives is no secret.
pub(super) fn is_allowed(core: &Core, parts: &Parts, target: &Target) -> bool {
    let Some(token) = &core.options.admin_token else { return true };
    if says_it_lives(target) {
        return true;
    }
    let given = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer "));
    // A token without content would let everybody in who says so. Digests are compared, so that the time says nothing about how much of a token is right.
    given.is_some_and(|given| !given.is_empty() && crate::entropy::digest(&[given]) == crate::entropy::digest(&[token]))
}

/// Whether a page says no more than that the emulator lives.
pub(super) fn says_it_lives(target: &Target) -> bool {
    matches!(target, Target::Admin(page) if page == "health" || page == "ready")
}

/// Answers a request for `/_emu/{page}`.
pub(super) fn answer(core: &Arc<Core>, parts: &Parts, page: &str, body: &[u8]) -> Answer {
    let (method, query) = (&parts.method, parts.uri.query().unwrap_or_default());
    let asked = |name: &str| form::get(query, name).filter(|value| !value.is_empty());
    if let Err(error) = known::check(method.as_str(), page, query, body) {
        return failed(&error);
    }
    match (method.as_str(), page) {
        ("GET", "ready") => ready(core),
        ("GET", "log") => log(core, parts, asked).unwrap_or_else(|error| failed(&error)),
        _ => outcome(core, parts, page, body)
            .map_or_else(|error| failed(&error), |(status, value)| Answer::json(status, &value)),
    }
}

fn failed(error: &AdminError) -> Answer {
    Answer::json(error.status(), &json!({"error": error.to_string()}))
}

/// The calls so far, as a list or one a line.
fn log(core: &Arc<Core>, parts: &Parts, asked: impl Fn(&str) -> Option<String>) -> Result<Answer, AdminError> {
    let which = WhichCalls {
        operation: asked("operation").map(|text| known::operation(&text)).transpose()?,
        type_name: asked("type"),
        since: asked("since").map(|text| known::since(&text)).transpose()?.unwrap_or_default(),
    };
    let calls = Admin::for_pages(Arc::clone(core)).log(&which);
    let entries: Vec<Value> = calls.into_iter().map(|call| call.entry).collect();
    let accepted = parts.headers.get("accept").map(|accept| accept.as_bytes()).unwrap_or_default();
    Ok(match accepted.starts_with(LINES.as_bytes()) {
        true => Answer::new(200, LINES, entries.iter().map(|entry| format!("{entry}\n")).collect::<String>()),
        false => Answer::json(200, &Value::Array(entries)),
    })
}

/// Status and document of a page that is one document.
fn outcome(core: &Arc<Core>, parts: &Parts, page: &str, body: &[u8]) -> Result<(u16, Value), AdminError> {
    let admin = Admin::for_pages(Arc::clone(core));
    let (method, query) = (&parts.method, parts.uri.query().unwrap_or_default());
    let asked = |name: &str| form::get(query, name).filter(|value| !value.is_empty());
    let is_on = |name: &str| known::is_on(name, asked(name).as_deref());
    let check = || is_on("check").map(|is_on| if is_on { Check::On } else { Check::Off });
    let mut status = 200;
    let value = match (method.as_str(), page) {
        ("GET", "health") => Ok(json!({"status": "ok"})),
        ("GET", "info") => Ok(info(core)),
        ("GET", "schemas") => is_on("details").map(|details| schemas::list(&admin, core, details)),
        ("POST", "schemas/reload") => schemas::reload(&admin),
        ("GET", page) if page.starts_with("schemas/") => schemas::one(&admin, page.trim_start_matches("schemas/")),
        ("POST", "generate") => generate(&admin, body),
        ("DELETE", "log") => {
            admin.forget_log();
            Ok(json!({}))
        }
        ("GET", "requests") => {
            let of_status = asked("status").map(|text| known::status(&text)).transpose()?;
            let which = WhichRequests { status: of_status, type_name: asked("type") };
            Ok(admin.requests(&which).iter().map(|request| request.shown()).collect())
        }
        ("GET", "resources") => Ok(admin.resources(&which(asked)).iter().map(|resource| resource.shown()).collect()),
        ("DELETE", "resources") => resources::remove(&admin, &which(asked)),
        ("POST", "resources") => {
            status = 201;
            resources::create(&admin, body)
        }
        (method, page) if page.starts_with("resources/") => {
            status = if method == "POST" { 201 } else { 200 };
            resources::at_path(&admin, method, page, check()?, body)
        }
        ("POST", "drift") => resources::change(&admin, check()?, body),
        ("POST", "drift/random") => resources::random(&admin, body),
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
        ("GET", "snapshot") => scope(query).map(|scope| admin.export(borrowed(&scope))),
        ("PUT", "snapshot") => scope(query).and_then(|scope| {
            let imported = admin.import(&read_body(body)?, borrowed(&scope))?;
            Ok(json!({"resources": imported.resources, "requests": imported.requests}))
        }),
        ("POST", "reset") => scope(query).map(|scope| {
            admin.reset(borrowed(&scope));
            json!({})
        }),
        ("PUT" | "DELETE", page) if page.starts_with("type-configuration/") => configure(&admin, method, page, body),
        _ => Err(AdminError::NotFound { what: format!("{method} /_emu/{page}") }),
    };
    value.map(|value| (status, value))
}

fn ready(core: &Core) -> Answer {
    let failed = core.backing.durable().borrow().failed.clone();
    match failed {
        None => Answer::json(200, &json!({"ready": true})),
        Some(reason) => Answer::json(503, &json!({"ready": false, "reason": &*reason})),
    }
}

/// What this emulator is.
fn info(core: &Core) -> Value {
    let options = &core.options;
    let switches: serde_json::Map<String, Value> =
        options.switches.all().map(|(name, text)| (name.to_owned(), Value::from(text))).collect();
    let library = core.library();
    let mut names: Vec<&str> = library.type_names().collect();
    names.sort_unstable();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seed": options.seed,
        "profile": options.profile.name,
        "timeScale": options.time_scale(),
        "switches": switches,
        "schemas": {"types": names.len(), "digest": crate::entropy::digest(&names).to_string()},
        "account": options.account,
        "region": options.region,
        "now": crate::life::event::timestamp(core.now()),
    })
}

fn which(asked: impl Fn(&str) -> Option<String>) -> Which {
    let [account, region, type_name, identifier] = ["account", "region", "type", "identifier"].map(asked);
    Which { account, region, type_name, identifier }
}

/// The account and region that a page is about; both or none are named. An empty one may be a variable that nobody set, and
/// must not mean everything.
fn scope(query: &str) -> Result<Option<(String, String)>, AdminError> {
    match (form::get(query, "account"), form::get(query, "region")) {
        (Some(text), _) | (_, Some(text)) if text.is_empty() => Err(invalid("account and region must not be empty")),
        (None, None) => Ok(None),
        (Some(account), Some(region)) => Ok(Some((account, region))),
        _ => Err(AdminError::Invalid { reason: "account and region go together".to_owned() }),
    }
}

fn borrowed(scope: &Option<(String, String)>) -> Option<(&str, &str)> {
    scope.as_ref().map(|(account, region)| (account.as_str(), region.as_str()))
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
    if body.trim_ascii().is_empty() {
        return Err(invalid("a JSON body is wanted"));
    }
    let invalid = |what: String| AdminError::Invalid { reason: format!("a JSON body is wanted; this one is {what}") };
    let text = std::str::from_utf8(body).map_err(|_| invalid("not UTF-8".to_owned()))?;
    crate::json::parse(text).map_err(|error| invalid(error.to_string()))
}
