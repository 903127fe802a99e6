//! SSM's parameters: strings, lists, secure strings, resources of Cloud Control, public parameters. AWS JSON 1.1.
//!
//! One version of a parameter is kept, the present one. Secure strings are not encrypted; without `WithDecryption` an
//! opaque text stands for their value.

mod found;
mod public;

use super::error::{Form, ServiceError};
use super::{Service, ServiceCall};
use crate::http::{Answer, Reply};
use crate::persist::Table;
use crate::store::{Cause, Txn};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use found::{Parameter, TYPE};
use serde_json::{Value, json};

/// The most names of one call, and parameters of one page.
const MOST: usize = 10;

/// The longest values of the two tiers.
const LONGEST_STANDARD: usize = 4_096;
const LONGEST_ADVANCED: usize = 8_192;

/// The Systems Manager.
pub(super) struct Ssm;

impl Service for Ssm {
    fn name(&self) -> &'static str {
        "ssm"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["AmazonSSM"]
    }

    fn form(&self) -> Form {
        Form::Json
    }

    fn operations(&self) -> &'static [&'static str] {
        &["GetParameter", "GetParameters", "GetParametersByPath", "PutParameter", "DeleteParameter"]
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let text = std::str::from_utf8(call.asked.body).map_err(|_| malformed("not UTF-8"))?;
        let request = crate::json::parse(text).map_err(|error| malformed(&error.to_string()))?;
        let result = match call.operation {
            "GetParameter" => get(call, &request)?,
            "GetParameters" => get_many(call, &request)?,
            "GetParametersByPath" => get_by_path(call, &request)?,
            "PutParameter" => put(call, &request)?,
            _ => delete(call, &request)?,
        };
        Ok(Reply::Now(Answer::new(200, "application/x-amz-json-1.1", result.to_string())))
    }
}

fn get(call: &ServiceCall<'_>, request: &Value) -> Result<Value, ServiceError> {
    let name = member(request, "Name").ok_or_else(|| missing("name"))?;
    let found = look(call, &call.txn(), name)?;
    Ok(json!({"Parameter": shown(call, &found, is_set(request, "WithDecryption"))}))
}

fn get_many(call: &ServiceCall<'_>, request: &Value) -> Result<Value, ServiceError> {
    let names = request.get("Names").and_then(Value::as_array).ok_or_else(|| missing("names"))?;
    if names.is_empty() || names.len() > MOST {
        return Err(ServiceError::validation(format!(
            "1 validation error detected: Value at 'names' failed to satisfy constraint: Member must have length less than \
             or equal to {MOST} and greater than or equal to 1"
        )));
    }
    let (mut found, mut invalid) = (Vec::new(), Vec::new());
    let txn = call.txn();
    for name in names {
        match name.as_str().map(|name| look(call, &txn, name)) {
            Some(Ok(parameter)) => found.push(shown(call, &parameter, is_set(request, "WithDecryption"))),
            _ => invalid.push(name.clone()),
        }
    }
    Ok(json!({"Parameters": found, "InvalidParameters": invalid}))
}

fn get_by_path(call: &ServiceCall<'_>, request: &Value) -> Result<Value, ServiceError> {
    let path = member(request, "Path").ok_or_else(|| missing("path"))?;
    if !path.starts_with('/') {
        return Err(ServiceError::validation("The parameter path must begin with a slash (/)."));
    }
    if request.get("ParameterFilters").and_then(Value::as_array).is_some_and(|filters| !filters.is_empty()) {
        return Err(ServiceError::new(501, "NotImplemented", "the emulator does not serve ParameterFilters"));
    }
    let most = request.get("MaxResults").and_then(Value::as_u64).map_or(MOST, |most| (most as usize).clamp(1, MOST));
    let from = match member(request, "NextToken") {
        None => String::new(),
        Some(token) => {
            let name = STANDARD.decode(token).ok().and_then(|name| String::from_utf8(name).ok());
            name.ok_or_else(|| ServiceError::new(400, "InvalidNextToken", "The specified token isn't valid."))?
        }
    };
    let (scope, shelf) = (&call.asked.caller.scope, call.core.shelf_key(&call.asked.caller.scope, TYPE));
    let txn = call.txn();
    let names = found::below(&txn, scope, &shelf, path, is_set(request, "Recursive"));
    let mut rest = names.into_iter().filter(|name| *name > from);
    let page: Vec<String> = rest.by_ref().take(most).collect();
    let is_decrypted = is_set(request, "WithDecryption");
    let found = page.iter().filter_map(|name| look(call, &txn, name).ok());
    let found: Vec<Value> = found.map(|found| shown(call, &found, is_decrypted)).collect();
    let mut answer = json!({"Parameters": found});
    if let (Some(last), true, Some(answer)) = (page.last(), rest.next().is_some(), answer.as_object_mut()) {
        answer.insert("NextToken".to_owned(), json!(STANDARD.encode(last)));
    }
    Ok(answer)
}

fn put(call: &ServiceCall<'_>, request: &Value) -> Result<Value, ServiceError> {
    let name = member(request, "Name").ok_or_else(|| missing("name"))?;
    let value = member(request, "Value").ok_or_else(|| missing("value"))?;
    let first = name.trim_start_matches('/').to_ascii_lowercase();
    if first.starts_with("aws") || first.starts_with("ssm") {
        let text = "Parameter name: can't be prefixed with \"aws\" or \"ssm\" (case-insensitive).";
        return Err(ServiceError::validation(text));
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte);
    if name.is_empty() || name.len() > 2_048 || !name.bytes().all(is_part) {
        return Err(ServiceError::validation("Parameter name must be made of letters, digits, and the signs _.-/"));
    }
    let is_advanced = member(request, "Tier") == Some("Advanced");
    let longest = if is_advanced { LONGEST_ADVANCED } else { LONGEST_STANDARD };
    if value.is_empty() || value.len() > longest {
        return Err(ServiceError::validation(format!("The value must have from 1 to {longest} characters.")));
    }
    let (scope, shelf) = (&call.asked.caller.scope, call.core.shelf_key(&call.asked.caller.scope, TYPE));
    let mut txn = call.txn();
    let before = found::find(&txn, scope, &shelf, name);
    if before.is_some() && !is_set(request, "Overwrite") {
        let text =
            "The parameter already exists. To overwrite this value, set the overwrite option in the request to true.";
        return Err(ServiceError::new(400, "ParameterAlreadyExists", text));
    }
    let kind = member(request, "Type").or(before.as_ref().map(|before| before.kind.as_str()));
    let kind =
        kind.ok_or_else(|| ServiceError::validation("A parameter type is required when you create a parameter."))?;
    if !["String", "StringList", "SecureString"].contains(&kind) {
        return Err(ServiceError::new(400, "UnsupportedParameterType", format!("{kind} is no type of parameters.")));
    }
    let version = before.as_ref().map_or(1, |before| before.version + 1);
    let parameter = Parameter {
        kind: kind.to_owned(),
        value: value.to_owned(),
        data_type: member(request, "DataType").unwrap_or("text").to_owned(),
        version,
        modified: txn.now_ms(),
    };
    let record = serde_json::to_vec(&parameter).unwrap_or_default();
    txn.put_blob(Table::Parameters, &found::key(scope, name), Some(record));
    Ok(json!({"Version": version, "Tier": if is_advanced { "Advanced" } else { "Standard" }}))
}

fn delete(call: &ServiceCall<'_>, request: &Value) -> Result<Value, ServiceError> {
    let name = member(request, "Name").ok_or_else(|| missing("name"))?;
    let (scope, shelf) = (&call.asked.caller.scope, call.core.shelf_key(&call.asked.caller.scope, TYPE));
    let mut txn = call.txn();
    let key = found::key(scope, name);
    let is_put = txn.blob(Table::Parameters, &key).is_some();
    // A resource goes with its parameter, behind the back of whoever made it.
    let is_made = txn.remove_resource(&shelf, name, Cause::Service).is_some();
    if is_put {
        txn.put_blob(Table::Parameters, &key, None);
    }
    if is_put || is_made { Ok(json!({})) } else { Err(not_found(name)) }
}

/// A parameter and the name that it is shown by.
struct Named {
    name: String,
    parameter: Parameter,
}

/// The parameter that a caller names: by its name or ARN, with a version after a colon or without.
fn look(call: &ServiceCall<'_>, txn: &Txn<'_>, asked: &str) -> Result<Named, ServiceError> {
    let scope = &call.asked.caller.scope;
    let shelf = call.core.shelf_key(scope, TYPE);
    let (name, selector) = match asked.splitn(6, ':').collect::<Vec<_>>().as_slice() {
        ["arn", _, "ssm", _, _, rest] => {
            let (name, selector) = rest.split_once(':').map_or((*rest, None), |(name, rest)| (name, Some(rest)));
            (name.strip_prefix("parameter").unwrap_or(name).to_owned(), selector)
        }
        _ => match asked.split_once(':') {
            Some((name, selector)) => (name.to_owned(), Some(selector)),
            None => (asked.to_owned(), None),
        },
    };
    // The slash before a bare name in an ARN is not part of the name.
    let bare = name.strip_prefix('/').filter(|_| asked.starts_with("arn:"));
    let found = found::find(txn, scope, &shelf, &name).map(|found| (name.clone(), found));
    let found = found.or_else(|| Some((bare?.to_owned(), found::find(txn, scope, &shelf, bare?)?)));
    let (name, parameter) = found.ok_or_else(|| not_found(asked))?;
    if selector.is_some_and(|selector| selector != parameter.version.to_string()) {
        let text = format!("Systems Manager could not find version {} of {name}.", selector.unwrap_or_default());
        return Err(ServiceError::new(400, "ParameterVersionNotFound", text));
    }
    Ok(Named { name, parameter })
}

/// A parameter as answers show it.
fn shown(call: &ServiceCall<'_>, named: &Named, is_decrypted: bool) -> Value {
    let scope = &call.asked.caller.scope;
    let Named { name, parameter } = named;
    // Public parameters belong to no account.
    let account = if name.starts_with("/aws/service/") { "" } else { &*scope.account };
    let slash = if name.starts_with('/') { "" } else { "/" };
    let is_hidden = parameter.kind == "SecureString" && !is_decrypted;
    let value = if is_hidden {
        let digest = crate::entropy::digest_text(&["secure", name, &parameter.value]);
        STANDARD.encode(digest)
    } else {
        parameter.value.clone()
    };
    json!({
        "Name": name,
        "Type": parameter.kind,
        "Value": value,
        "Version": parameter.version,
        "LastModifiedDate": parameter.modified as f64 / 1000.0,
        "ARN": format!("arn:{}:ssm:{}:{account}:parameter{slash}{name}", scope.partition(), scope.region),
        "DataType": parameter.data_type,
    })
}

fn member<'v>(request: &'v Value, name: &str) -> Option<&'v str> {
    request.get(name).and_then(Value::as_str)
}

fn is_set(request: &Value, name: &str) -> bool {
    request.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn missing(name: &str) -> ServiceError {
    ServiceError::validation(format!(
        "1 validation error detected: Value null at '{name}' failed to satisfy constraint: Member must not be null"
    ))
}

fn malformed(reason: &str) -> ServiceError {
    ServiceError::new(400, "SerializationException", format!("the request body is {reason}"))
}

fn not_found(name: &str) -> ServiceError {
    ServiceError::new(400, "ParameterNotFound", format!("Parameter {name} not found."))
}
