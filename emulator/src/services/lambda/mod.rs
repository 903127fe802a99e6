//! Lambda: functions that do what rules say. They exist when Cloud Control made them, or when a rule names them.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the operations |
//! | [`rule`] | what rules say |
//! | [`behave`] | following them |
//! | [`outward`] | calls to programs on this machine, and to the emulator itself |

pub(crate) mod behave;
mod outward;
pub(crate) mod rule;

use super::error::{Form, ServiceError};
use super::{Asked, Service, ServiceCall};
use crate::date;
use crate::http::{Answer, Reply, form};
use crate::store::Needed;
use axum::http::Method;
use behave::{Invocation, Returned};
use rule::FunctionAction;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Before the name of a function in paths.
const PREFIX: &str = "/2015-03-31/functions/";

const TYPE: &str = "AWS::Lambda::Function";

/// The largest payload.
const LARGEST: usize = 6 << 20;

/// How many invocations may run at once, as by default for an account.
pub(crate) const MOST_INVOCATIONS: usize = 1_000;

/// Lambda.
pub(super) struct Lambda;

impl Service for Lambda {
    fn name(&self) -> &'static str {
        "lambda"
    }

    fn form(&self) -> Form {
        Form::Rest
    }

    fn operations(&self) -> &'static [&'static str] {
        &["Invoke", "GetFunction", "GetFunctionConfiguration"]
    }

    fn operation(&self, asked: &Asked<'_>) -> String {
        let path = asked.parts.uri.path();
        let last = path.strip_prefix(PREFIX).map(|rest| rest.split_once('/').map_or("", |(_, last)| last));
        match (&asked.parts.method, last) {
            (&Method::POST, Some("invocations")) => "Invoke".to_owned(),
            (&Method::GET, Some("")) => "GetFunction".to_owned(),
            (&Method::GET, Some("configuration")) => "GetFunctionConfiguration".to_owned(),
            (method, _) => format!("{method} {path}"),
        }
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let function = Function::find(call)?;
        match call.operation {
            "GetFunction" => {
                let is_image = function.model.get("PackageType").and_then(Value::as_str) == Some("Image");
                let code = json!({"RepositoryType": if is_image { "ECR" } else { "S3" }});
                let body = json!({"Configuration": function.configuration(), "Code": code});
                Ok(Reply::Now(Answer::json(200, &body)))
            }
            "GetFunctionConfiguration" => Ok(Reply::Now(Answer::json(200, &function.configuration()))),
            _ => invoke(call, &function),
        }
    }
}

fn invoke(call: &ServiceCall<'_>, function: &Function) -> Result<Reply, ServiceError> {
    let header = |name: &str| call.asked.parts.headers.get(name).and_then(|value| value.to_str().ok());
    let kind = header("x-amz-invocation-type").unwrap_or("RequestResponse");
    let payload = call.asked.body;
    if payload.len() > LARGEST {
        let text = format!(
            "{} byte payload is too large for the {kind} invocation type (limit {LARGEST} bytes)",
            payload.len()
        );
        return Err(ServiceError::new(413, "RequestTooLargeException", text));
    }
    let is_json = payload.is_empty() || std::str::from_utf8(payload).is_ok_and(|text| crate::json::parse(text).is_ok());
    if !is_json {
        let text = "Could not parse request body into json: the payload is not JSON";
        return Err(ServiceError::new(400, "InvalidRequestContentException", text));
    }
    if !["RequestResponse", "Event", "DryRun"].contains(&kind) {
        let text = format!(
            "1 validation error detected: Value '{kind}' at 'invocationType' failed to satisfy constraint: Member must \
             satisfy enum value set: [Event, RequestResponse, DryRun]"
        );
        return Err(ServiceError::validation(text));
    }
    if kind == "DryRun" {
        return Ok(Reply::Now(Answer::new(204, "application/json", Vec::new())));
    }
    let mut txn = call.txn();
    let action = behave::next(&mut txn, &function.name);
    drop(txn);
    if action == Some(FunctionAction::NotReady) {
        let text = "The function is inactive and its VPC connection is no longer available. Wait for the VPC connection to \
                    reestablish and try again.";
        return Err(ServiceError::new(502, "ResourceNotReadyException", text));
    }
    let core = Arc::clone(call.core);
    let invocation = Invocation { arn: function.arn.clone(), id: call.asked.id.to_owned(), payload: payload.to_vec() };
    let Ok(permit) = Arc::clone(&core.invocations).try_acquire_owned() else {
        let text = format!("Rate Exceeded: {MOST_INVOCATIONS} invocations run already");
        return Err(ServiceError::new(429, "TooManyRequestsException", text));
    };
    if kind == "Event" {
        tokio::spawn(async move {
            let returned = behave::follow(&core, action, invocation).await;
            if returned.is_error {
                let payload = String::from_utf8_lossy(&returned.payload).into_owned();
                tracing::warn!(payload, "a function that nobody waits for ended with an error");
            }
            drop(permit);
        });
        return Ok(Reply::Now(Answer::new(202, "application/json", Vec::new())));
    }
    let needed = call.gathered.needed();
    Ok(Reply::Later(Box::pin(async move {
        let answer = returned(behave::follow(&core, action, invocation).await, needed);
        drop(permit);
        answer
    })))
}

/// The answer to who waited for a function.
fn returned(returned: Returned, needed: Needed) -> Answer {
    let answer =
        Answer::new(200, "application/json", returned.payload).with_header("x-amz-executed-version", "$LATEST");
    let answer = if returned.is_error { answer.with_header("x-amz-function-error", "Unhandled") } else { answer };
    Answer { needed, ..answer }
}

/// A function that exists.
struct Function {
    name: String,
    arn: String,
    /// Its resource, unless only a rule makes it exist.
    model: Map<String, Value>,
    /// Seconds since 1970.
    modified: u64,
}

impl Function {
    fn find(call: &ServiceCall<'_>) -> Result<Function, ServiceError> {
        let rest = call.asked.parts.uri.path().strip_prefix(PREFIX).unwrap_or_default();
        let asked = form::decode_percent(rest.split('/').next().unwrap_or_default());
        let name = plain_name(&asked);
        let scope = &call.asked.caller.scope;
        let arn = format!("arn:{}:lambda:{}:{}:function:{name}", scope.partition(), scope.region, scope.account);
        let txn = call.txn();
        let shelf = call.core.shelf_key(scope, TYPE);
        let found = txn.resource(&shelf, name).map(|found| (found.model.clone(), found.changed / 1000));
        let is_ruled = behave::rules(&txn).iter().any(|rule| rule.is_exact() && rule.is_about(name));
        drop(txn);
        let name = name.to_owned();
        match found {
            Some((model, modified)) => {
                let model = crate::json::stored(&model).as_object().cloned().unwrap_or_default();
                Ok(Function { name, arn, model, modified })
            }
            None if is_ruled => Ok(Function { name, arn, model: Map::new(), modified: call.seconds() }),
            None => Err(ServiceError::new(404, "ResourceNotFoundException", format!("Function not found: {arn}"))),
        }
    }

    /// Its configuration: what its resource says, and that it can be invoked.
    fn configuration(&self) -> Value {
        const MEMBERS: [&str; 9] = [
            "Runtime",
            "Role",
            "Handler",
            "Description",
            "Timeout",
            "MemorySize",
            "PackageType",
            "Architectures",
            "Layers",
        ];
        let mut shown = json!({
            "FunctionName": self.name,
            "FunctionArn": self.arn,
            "Version": "$LATEST",
            "State": "Active",
            "LastUpdateStatus": "Successful",
            "LastModified": date::iso(self.modified).replace('Z', ".000+0000"),
        });
        if let Some(shown) = shown.as_object_mut() {
            let given = MEMBERS.iter().filter_map(|name| Some(((*name).to_owned(), self.model.get(*name)?.clone())));
            shown.extend(given);
        }
        shown
    }
}

/// The name in what may be a name, an ARN or a part of one, with a qualifier or without.
fn plain_name(asked: &str) -> &str {
    let after = asked.split_once("function:").map_or(asked, |(_, after)| after);
    after.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_in_many_ways() {
        for asked in [
            "orders",
            "orders:3",
            "123456789012:function:orders",
            "arn:aws:lambda:eu-west-1:123456789012:function:orders",
            "arn:aws:lambda:eu-west-1:123456789012:function:orders:prod",
        ] {
            assert_eq!(plain_name(asked), "orders", "{asked}");
        }
    }
}
