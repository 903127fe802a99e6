//! Pages about rules of misbehavior, and about requests driven by hand.

use super::{form, invalid, read_body};
use crate::admin::{Admin, AdminError, Drive};
use crate::faults::{Rule, RuleId};
use crate::handler_error::HandlerErrorCode;
use serde_json::{Value, json};

pub(super) fn add_rules(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let text = std::str::from_utf8(body).map_err(|_| invalid("the body is not UTF-8"))?;
    if text.trim().is_empty() {
        return Err(invalid("a rule or a list of rules is wanted, as JSON or YAML"));
    }
    let rules = Rule::read(text).map_err(|reason| AdminError::Invalid { reason })?;
    let warnings = admin.vain_rules(&rules);
    let ids = admin.add_rules(rules)?;
    Ok(if warnings.is_empty() { json!({"ids": ids}) } else { json!({"ids": ids, "warnings": warnings}) })
}

/// Entries of a call log, as an array or one a line.
pub(super) fn replay(admin: &Admin, body: &[u8]) -> Result<Value, AdminError> {
    let wanted = || invalid("a list of entries of the log is wanted, or one entry a line");
    let text = std::str::from_utf8(body).map_err(|_| wanted())?;
    let entries = match crate::json::parse(text) {
        Ok(Value::Array(entries)) => entries,
        Ok(_) if text.lines().count() < 2 && !text.contains("operation") => return Err(wanted()),
        Ok(_) | Err(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(crate::json::parse).collect::<Result<_, _>>().map_err(|_| wanted())?
        }
    };
    Ok(json!({"ids": admin.replay(&entries)?}))
}

pub(super) fn remove_rule(admin: &Admin, page: &str) -> Result<Value, AdminError> {
    let id = form::decode_percent(page.strip_prefix("rules/").unwrap_or_default());
    match admin.remove_rules(Some(&RuleId::new(&id))) {
        0 => Err(AdminError::NotFound { what: format!("rule {id}") }),
        removed => Ok(json!({"removed": removed})),
    }
}

/// `requests/{token}/complete`, `fail` or `release`.
pub(super) fn drive(admin: &Admin, page: &str, body: &[u8]) -> Result<Value, AdminError> {
    let mut parts = page.split('/').skip(1);
    let (token, how) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let how = match how {
        "complete" => Drive::Complete,
        "release" => Drive::Release,
        "fail" => {
            let body = read_body(body)?;
            let text = |name: &str| body.get(name).and_then(Value::as_str);
            let code = text("code").and_then(HandlerErrorCode::parse);
            let code = code.ok_or_else(|| {
                let codes: Vec<&str> = HandlerErrorCode::ALL.iter().map(|code| code.name()).collect();
                invalid(&format!("code must be a handler error code: one of {}", codes.join(", ")))
            })?;
            Drive::Fail(code, text("message").map(str::to_owned))
        }
        _ => return Err(AdminError::NotFound { what: format!("POST /_emu/{page}") }),
    };
    admin.drive(token, &how).map(|request| request.shown())
}
