//! Pages about resources: looking at them, and changing them behind their owners' backs.

use super::{form, invalid, read_body, which};
use crate::admin::{Admin, AdminError, Check, Place, ResourceView, Which};
use serde_json::{Value, json};

/// A page that is about one resource needs its type and identifier.
fn named(which: &Which) -> Result<&Which, AdminError> {
    which.type_name.as_ref().ok_or_else(|| invalid("type is missing"))?;
    which.identifier.as_ref().ok_or_else(|| invalid("identifier is missing"))?;
    Ok(which)
}

pub(super) fn remove(admin: &Admin, which: &Which) -> Result<Value, AdminError> {
    let removed = admin.remove(named(which)?)?;
    Ok(json!({"identifier": removed.identifier, "model": removed.model}))
}

/// The short form of a change: `{"type", "identifier", "patch"}`.
pub(super) fn change(admin: &Admin, check: Check, body: &[u8]) -> Result<Value, AdminError> {
    let body = read_body(body)?;
    let which = which(|name| body.get(name)?.as_str().map(str::to_owned));
    let patch = body.get("patch").ok_or_else(|| invalid("patch is missing"))?;
    let changed = admin.change(named(&which)?, patch, check)?;
    Ok(json!({"identifier": changed.identifier, "model": changed.model}))
}

/// A resource in a path: `resources/{account}/{region}/{type}/{identifier}`, every step encoded, `-` or any region for global types.
pub(super) fn at_path(admin: &Admin, method: &str, page: &str, check: Check, body: &[u8]) -> Result<Value, AdminError> {
    let steps: Vec<String> = page.split('/').skip(1).map(form::decode_percent).collect();
    let shown = |view: ResourceView| view.shown();
    match (method, steps.as_slice()) {
        ("POST", [account, at, type_name]) => {
            let model = if body.is_empty() { None } else { Some(read_body(body)?) };
            let place = Place { account: account.clone(), region: at.clone(), type_name: type_name.clone() };
            admin.create(&place, model).map(shown)
        }
        (_, [account, at, type_name, identifier]) => {
            let which = Which {
                account: Some(account.clone()),
                region: Some(at.clone()),
                type_name: Some(type_name.clone()),
                identifier: Some(identifier.clone()),
            };
            match method {
                "PATCH" => admin.change(&which, &read_body(body)?, check).map(shown),
                "DELETE" => admin.remove(&which).map(shown),
                "GET" => {
                    let missing = || AdminError::NotFound { what: format!("{type_name} with identifier {identifier}") };
                    admin.resources(&which).pop().ok_or_else(missing).map(shown)
                }
                _ => Err(AdminError::NotFound { what: format!("{method} /_emu/{page}") }),
            }
        }
        _ => Err(AdminError::NotFound { what: format!("{method} /_emu/{page}") }),
    }
}

/// `{"account", "region", "type", "model"?}`.
pub(super) fn create(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let body = read_body(body)?;
    let text = |name: &'static str| {
        let value = body.get(name).and_then(Value::as_str).map(str::to_owned);
        value.ok_or_else(|| AdminError::Invalid { reason: format!("{name} is missing") })
    };
    let place = Place { account: text("account")?, region: text("region")?, type_name: text("type")? };
    admin.create(&place, body.get("model").cloned()).map(|view| view.shown())
}

/// `{"account"?, "region"?, "type"?, "identifier"?, "count"?, "seed"?}`.
pub(super) fn random(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let body = if body.is_empty() { json!({}) } else { read_body(body)? };
    let number = |name: &'static str, default: u64| match body.get(name) {
        None => Ok(default),
        Some(value) => {
            value.as_u64().ok_or_else(|| AdminError::Invalid { reason: format!("{name} is no whole number") })
        }
    };
    let which = which(|name| body.get(name)?.as_str().map(str::to_owned));
    let count = usize::try_from(number("count", 1)?).unwrap_or(usize::MAX);
    Ok(json!(admin.drift(&which, count, number("seed", 1)?)))
}
