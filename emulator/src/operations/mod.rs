//! The operations of Cloud Control: a request body in, a response body or an error out.
//!
//! The order of checks is that of the service: shape, type, handler, client token, then what the operation itself
//! demands, then concurrency; nothing is visible to others before a request is accepted.
//!
//! | module | what is in it |
//! |---|---|
//! | [`members`] | request members and their constraints |
//! | [`submit`] | what create, update and delete share |
//! | [`create`], [`update`], [`delete`] | the operations that change something |
//! | [`read`] | GetResource and ListResources |
//! | [`requests`] | status, list and cancellation of requests |

mod create;
mod delete;
pub(crate) mod members;
mod read;
mod requests;
mod submit;
mod update;

use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::scope::Scope;
use members::Members;
use serde_json::Value;

/// Answers one call.
pub(crate) fn call(core: &Core, operation: &str, scope: &Scope, body: &Value) -> Result<Value, ApiError> {
    let members = |name| Members::check(name, body);
    match operation {
        "CreateResource" => create::call(core, scope, &members(operation)?),
        "GetResource" => read::get(core, scope, &members(operation)?),
        "UpdateResource" => update::call(core, scope, &members(operation)?),
        "DeleteResource" => delete::call(core, scope, &members(operation)?),
        "ListResources" => read::list(core, scope, &members(operation)?),
        "GetResourceRequestStatus" => requests::status(core, scope, &members(operation)?),
        "ListResourceRequests" => requests::list(core, scope, &members(operation)?),
        "CancelResourceRequest" => requests::cancel(core, scope, &members(operation)?),
        _ => Err(ApiError::new(Code::UnknownOperation, format!("CloudApiService has no operation {operation}"))),
    }
}
