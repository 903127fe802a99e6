//! The operations of Cloud Control: a request body in, a response body or an error out.
//!
//! The order of checks is that of the service: shape, rules of misbehavior, type, handler, client token, then what the
//! operation itself demands, then concurrency; nothing is visible to others before a request is accepted. No work is done
//! while the state is open: what rests on it is computed outside and checked again at acceptance.
//!
//! | module | what is in it |
//! |---|---|
//! | [`members`] | request members and their constraints |
//! | [`claim`] | client tokens |
//! | [`submit`] | what create, update and delete share at their end |
//! | [`create`], [`update`], [`delete`] | the operations that change something |
//! | [`get`], [`list`] | the operations that show something |
//! | [`forms`] | what the service fills in, and the form in which it keeps values |
//! | [`page`] | tokens of pages |
//! | [`requests`] | status, list and cancellation of requests |
//! | [`types`] | which type a call is about |
//! | [`roles`] | what a role in a request changes |
//! | [`denied`] | what callers and handlers are kept from |

pub(crate) mod claim;
mod create;
mod delete;
mod denied;
mod forms;
mod get;
mod list;
pub(crate) mod members;
mod page;
mod requests;
mod roles;
mod submit;
pub(crate) mod types;
mod update;

pub(crate) use forms::kept;

use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::faults::{self, Front, WireFault};
use crate::scope::Scope;
use crate::store::{Gathered, Txn};
use members::Members;
use serde_json::Value;
use std::cell::Cell;

/// One call on its way.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) core: &'c Core,
    pub(crate) scope: &'c Scope,
    /// The API name.
    pub(crate) operation: &'c str,
    pub(crate) gathered: &'c Gathered,
    /// The ARN of who calls.
    pub(crate) principal: &'c str,
    /// What shall happen to the connection.
    pub(crate) wire: &'c Cell<Option<WireFault>>,
}

impl<'c> Call<'c> {
    /// The state, as this call sees it.
    pub(crate) fn txn(&self) -> Txn<'c> {
        self.core.txn_of(self.gathered)
    }
}

/// The API names of all operations.
pub(crate) const NAMES: [&str; 8] = [
    "CreateResource",
    "GetResource",
    "UpdateResource",
    "DeleteResource",
    "ListResources",
    "GetResourceRequestStatus",
    "ListResourceRequests",
    "CancelResourceRequest",
];

/// Answers one call.
pub(crate) fn call(call: &Call<'_>, body: &Value) -> Result<Value, ApiError> {
    let execute = match call.operation {
        "CreateResource" => create::create,
        "GetResource" => get::get,
        "UpdateResource" => update::update,
        "DeleteResource" => delete::delete,
        "ListResources" => list::list,
        "GetResourceRequestStatus" => requests::status,
        "ListResourceRequests" => requests::list,
        "CancelResourceRequest" => requests::cancel_request,
        _ => {
            let text = format!("CloudApiService has no operation {}", call.operation);
            return Err(ApiError::new(Code::UnknownOperation, text));
        }
    };
    let members = Members::check(call.operation, body)?;
    if !call.core.regions.exists(&call.scope.region) {
        // What the service says where a region is not enabled for the account.
        let text = "The security token included in the request is invalid.";
        return Err(ApiError::new(Code::UnrecognizedClient, text));
    }
    denied::check_call(call)?;
    let acting = roles::acting_scope(call.scope, &members, call.core.options.switches.role_switches_account);
    let call = &Call { scope: acting.as_ref().unwrap_or(call.scope), ..*call };
    match misbehave(call, &members) {
        (_, Front::Error(error, status)) => Err(error.with_status(status)),
        // The connection breaks before the call takes effect; nobody will read this answer.
        (Some(WireFault::Reset), Front::Pass) => Ok(Value::Null),
        (Some(WireFault::Twice), Front::Pass) => {
            // The first answer is lost, as after a duplicated delivery.
            let _ = execute(call, &members);
            execute(call, &members)
        }
        (_, Front::Pass) => execute(call, &members),
    }
}

/// What the rules make of a call before it is executed.
fn misbehave(call: &Call<'_>, members: &Members<'_>) -> (Option<WireFault>, Front) {
    let body = ["DesiredState", "PatchDocument", "RequestToken", "ResourceModel"].map(|name| members.text(name));
    let mut txn = call.txn();
    // A call about a request is about what that is about.
    let request = members.optional("RequestToken").and_then(|token| txn.request(token));
    let request = request.map(|request| (request.shelf.type_name.clone(), request.identifier.clone()));
    let (type_name, identifier) = match &request {
        Some((type_name, identifier)) => (&**type_name, Some(&**identifier)),
        None => (members.text("TypeName"), members.optional("Identifier")),
    };
    let subject = call.subject(type_name, identifier, &body.concat());
    let wire = faults::on_the_wire(&mut txn, &subject);
    call.wire.set(wire);
    (wire, faults::front(&mut txn, &subject))
}
