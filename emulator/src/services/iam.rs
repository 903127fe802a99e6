//! IAM, as far as programs ask it whose account they are in: users and roles, those that Cloud Control made and the
//! caller itself.

use super::error::{Form, ServiceError};
use super::{Service, ServiceCall};
use crate::date;
use crate::http::{Reply, form, xml};
use serde_json::Value;

const NAMESPACE: &str = "https://iam.amazonaws.com/doc/2010-05-08/";

/// Identity and Access Management.
pub(super) struct Iam;

impl Service for Iam {
    fn name(&self) -> &'static str {
        "iam"
    }

    fn form(&self) -> Form {
        Form::Query { namespace: NAMESPACE, version: "2010-05-08" }
    }

    fn operations(&self) -> &'static [&'static str] {
        &["GetUser", "GetRole"]
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let result = match (call.operation, call.member("UserName")) {
            ("GetUser", None) => caller(call)?,
            ("GetUser", Some(name)) => found(call, "User", &name)?,
            _ => {
                let name = call.member("RoleName").ok_or_else(|| {
                    let text = "1 validation error detected: Value null at 'roleName' failed to satisfy constraint: Member \
                                must not be null";
                    ServiceError::new(400, "ValidationError", text)
                })?;
                found(call, "Role", &name)?
            }
        };
        Ok(Reply::Now(xml::result(call.operation, NAMESPACE, &result, call.asked.id)))
    }
}

/// The user that calls.
fn caller(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let principal = &call.asked.caller.principal;
    let Some((_, name)) = principal.arn.split_once(":user/") else {
        let text = "Must specify userName when calling with non-User credentials";
        return Err(ServiceError::new(400, "ValidationError", text));
    };
    Ok(format!(
        "<User><Path>/</Path><UserName>{name}</UserName><UserId>{}</UserId><Arn>{}</Arn><CreateDate>{}</CreateDate></User>",
        principal.user_id,
        principal.arn,
        date::iso(call.seconds())
    ))
}

/// The user or the role of a name.
fn found(call: &ServiceCall<'_>, kind: &str, name: &str) -> Result<String, ServiceError> {
    let shelf = call.core.shelf_key(&call.asked.caller.scope, &format!("AWS::IAM::{kind}"));
    let txn = call.txn();
    let found = txn.resource(&shelf, name).map(|found| (found.model.clone(), found.created / 1000));
    drop(txn);
    let (model, created) = found.ok_or_else(|| {
        let text = format!("The {} with name {name} cannot be found.", kind.to_ascii_lowercase());
        ServiceError::new(404, "NoSuchEntity", text)
    })?;
    let model = crate::json::stored(&model);
    let text = |member: &str| match model.get(member) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(value @ Value::Object(_)) => Some(value.to_string()),
        _ => None,
    };
    let element = |name: &str, value: Option<String>| {
        value.map_or_else(String::new, |value| format!("<{name}>{}</{name}>", xml::escape(&value)))
    };
    let path = text("Path").unwrap_or_else(|| "/".to_owned());
    let policy = text("AssumeRolePolicyDocument").map(|policy| form::encode(&policy, b""));
    Ok(format!(
        "<{kind}>{}{}{}{}<CreateDate>{}</CreateDate>{}{}</{kind}>",
        element("Path", Some(path)),
        element(&format!("{kind}Name"), Some(name.to_owned())),
        element(&format!("{kind}Id"), text(&format!("{kind}Id"))),
        element("Arn", text("Arn")),
        date::iso(created),
        element("AssumeRolePolicyDocument", policy),
        element("Description", text("Description")),
    ))
}
