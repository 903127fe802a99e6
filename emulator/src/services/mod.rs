//! Companion services on the same port: what programs call beside Cloud Control.
//!
//! A service is a row of [`SERVICES`]; routing, faults, metrics, errors in the form of its protocol and the answer to what
//! it does not serve follow from it.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the table, and how a call goes |
//! | [`error`] | errors in the forms of the protocols |
//! | [`sts`], [`session`] | who calls; keys for roles, and the sessions behind them |
//! | [`ssm`] | parameters |
//! | [`ec2`] | regions and their zones |
//! | [`iam`] | users and roles |
//! | [`cloudformation`] | types |
//! | [`s3`] | objects |
//! | [`lambda`] | functions that do what rules say |

mod cloudformation;
mod ec2;
pub(crate) mod error;
mod iam;
pub(crate) mod lambda;
mod s3;
pub(crate) mod session;
mod ssm;
mod sts;

use crate::core::Core;
use crate::entropy::digest;
use crate::faults::{self, Front, Subject, WireFault};
use crate::http::{Answer, Caller, Reply, form, form_of};
use crate::store::{Gathered, Txn};
use axum::http::Method;
use axum::http::request::Parts;
use error::{Form, ServiceError};
use std::sync::Arc;
use std::time::Instant;

/// A request that a service is asked to answer.
pub(crate) struct Asked<'r> {
    pub(crate) parts: &'r Parts,
    pub(crate) body: &'r [u8],
    pub(crate) caller: &'r Caller,
    /// The id of the request.
    pub(crate) id: &'r str,
}

/// One call of a service on its way.
pub(crate) struct ServiceCall<'r> {
    pub(crate) core: &'r Arc<Core>,
    pub(crate) asked: &'r Asked<'r>,
    pub(crate) operation: &'r str,
    gathered: &'r Gathered,
}

impl<'r> ServiceCall<'r> {
    /// The state. The answer waits for everything that was changed before.
    pub(crate) fn txn(&self) -> Txn<'r> {
        let txn = self.core.txn_of(self.gathered);
        // The data of services has no versions of its own.
        txn.see_all();
        txn
    }

    /// A member of a Query call.
    fn member(&self, name: &str) -> Option<String> {
        form::get(&self.form(), name).filter(|value| !value.is_empty())
    }

    /// The members of a Query call.
    fn form(&self) -> String {
        form_of(self.asked.parts, self.asked.body)
    }

    /// Seconds since 1970.
    fn seconds(&self) -> u64 {
        crate::date::seconds(self.core.now())
    }
}

/// Something that answers the calls of one AWS service.
pub(crate) trait Service: Send + Sync {
    /// The name that requests are signed for.
    fn name(&self) -> &'static str;

    /// What stands before the operation in `X-Amz-Target`, for services of the JSON protocols.
    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    /// The form of its errors.
    fn form(&self) -> Form;

    /// The operations that are served.
    fn operations(&self) -> &'static [&'static str];

    /// The operation that a request asks for; for one that is not served anything that tells what it was.
    fn operation(&self, asked: &Asked<'_>) -> String {
        let target = asked.parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let of_target = target.and_then(|target| target.split_once('.')).map(|(_, operation)| operation.to_owned());
        of_target.or_else(|| form::get(&form_of(asked.parts, asked.body), "Action")).unwrap_or_default()
    }

    /// Answers an operation that is served.
    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError>;
}

/// Every service.
static SERVICES: &[&dyn Service] =
    &[&sts::Sts, &iam::Iam, &ssm::Ssm, &ec2::Ec2, &cloudformation::CloudFormation, &s3::S3, &lambda::Lambda];

/// The service that requests signed for `name` go to.
pub(crate) fn named(name: &str) -> Option<&'static dyn Service> {
    SERVICES.iter().copied().find(|service| service.name() == name)
}

/// The service whose operations have this before them in `X-Amz-Target`.
pub(crate) fn with_target(prefix: &str) -> Option<&'static dyn Service> {
    SERVICES.iter().copied().find(|service| service.targets().contains(&prefix))
}

/// The Query service whose interface is of this version, else the one that has the action.
pub(crate) fn with_action(version: &str, action: &str) -> Option<&'static dyn Service> {
    let of_version = |service: &&&dyn Service| !version.is_empty() && service.form().version() == Some(version);
    let has_action =
        |service: &&&dyn Service| service.form().version().is_some() && service.operations().contains(&action);
    SERVICES.iter().find(of_version).or_else(|| SERVICES.iter().find(has_action)).copied()
}

/// The service that a request without signature, target and action goes to.
pub(crate) fn with_path(method: &Method, path: &str) -> Option<&'static dyn Service> {
    if path.starts_with("/2015-03-31/functions") {
        return named("lambda");
    }
    let is_object = path.len() > 1 && [Method::GET, Method::HEAD, Method::PUT, Method::DELETE].contains(method);
    is_object.then(|| named("s3")).flatten()
}

/// What is served, for the text of what is not.
pub(crate) fn served() -> String {
    let names: Vec<String> =
        SERVICES.iter().map(|service| format!("{} ({})", service.name(), service.operations().join(", "))).collect();
    format!("Cloud Control, {}", names.join(", "))
}

/// Answers a call of a service.
pub(crate) fn serve(core: &Arc<Core>, service: &dyn Service, asked: &Asked<'_>) -> Reply {
    let began = Instant::now();
    let operation = service.operation(asked);
    let gathered = Gathered::default();
    let call = ServiceCall { core, asked, operation: &operation, gathered: &gathered };
    let is_served = service.operations().contains(&&*operation);
    let (wire, outcome) = if is_served { execute(&call, service) } else { (None, Err(unserved(&call, service))) };
    let code = outcome.as_ref().err().map_or("", |error| &*error.code);
    let known = if is_served { &*operation } else { "unknown" };
    tracing::debug!(service = service.name(), operation, code, "answered");
    let of = [("service", service.name()), ("operation", known)];
    core.metrics.count("emulator_calls_total", &[of[0], of[1], ("code", code)]);
    core.metrics.observe("emulator_call_seconds", &of, began.elapsed());
    let needed = gathered.needed();
    match outcome {
        Ok(Reply::Now(answer)) => Reply::Now(Answer { needed, wire, ..answer }),
        Ok(Reply::Later(answer)) => Reply::Later(Box::pin(async move { Answer { wire, ..answer.await } })),
        Err(error) => Reply::Now(Answer { needed, wire, ..service.form().error(&error, asked.id) }),
    }
}

/// The error for an operation that is not served; it is counted.
fn unserved(call: &ServiceCall<'_>, service: &dyn Service) -> ServiceError {
    let (name, operation) = (service.name(), call.operation);
    call.core.metrics.count_of_callers("emulator_unserved_total", &[("service", name), ("operation", operation)]);
    let served = service.operations().join(", ");
    let text = format!("the emulator does not serve {operation} of {name}; of this service it serves {served}");
    ServiceError::new(501, "NotImplemented", text)
}

/// Does what the rules make of a call; to them it is `sts:AssumeRole`.
fn execute(call: &ServiceCall<'_>, service: &dyn Service) -> (Option<WireFault>, Result<Reply, ServiceError>) {
    let operation = format!("{}:{}", service.name(), call.operation);
    let body = String::from_utf8_lossy(call.asked.body);
    let query = call.asked.parts.uri.path_and_query().map(|path| path.as_str()).unwrap_or_default();
    let subject = Subject {
        operation: &operation,
        type_name: "",
        scope: &call.asked.caller.scope,
        identifier: None,
        digest: digest(&[&operation, query, &body]),
        now: call.core.now(),
    };
    let mut txn = call.core.txn_of(call.gathered);
    let wire = faults::on_the_wire(&mut txn, &subject);
    let front = faults::front(&mut txn, &subject);
    drop(txn);
    let outcome = match (wire, front) {
        (_, Front::Error(error, status)) => {
            Err(ServiceError::new(status, service.form().code(error.code), error.message))
        }
        // The connection breaks before the call takes effect; nobody will read this answer.
        (Some(WireFault::Reset), Front::Pass) => Ok(Reply::Now(Answer::new(200, "text/plain", Vec::new()))),
        (Some(WireFault::Twice), Front::Pass) => {
            // The first answer is lost, as after a duplicated delivery.
            let _ = service.answer(call);
            service.answer(call)
        }
        (_, Front::Pass) => service.answer(call),
    };
    (wire, outcome)
}
