//! The wire: one port for Cloud Control, companion services and the emulator's own pages.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | a request on its way; nothing it does ends the process |
//! | [`body`] | reading bodies, up to a limit |
//! | [`caller`] | who calls: account, region, key, service |
//! | [`route`] | which call a request is |
//! | [`cloud_control`], [`aws_json`] | Cloud Control's calls and errors |
//! | [`admin`] | `/_emu` |
//! | [`answer`], [`xml`], [`form`] | answers, XML, URL-encoded texts |
//! | [`listener`], [`wire`] | connections, and what rules do to them |

mod admin;
mod answer;
mod aws_json;
mod body;
mod caller;
mod cloud_control;
pub(crate) mod form;
pub(crate) mod listener;
mod route;
mod wire;
pub(crate) mod xml;

pub(crate) use answer::{Answer, Reply};
pub(crate) use caller::Caller;

use crate::core::Core;
use crate::options::AdminAccess;
use crate::persist;
use crate::services::{Asked, SERVED};
use crate::store::Needed;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{Method, Request};
use body::BodyError;
use listener::Connection;
use route::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Answers every request of the port.
pub(crate) fn router(core: Arc<Core>) -> axum::Router {
    axum::Router::new().fallback(move |request: Request<Body>| {
        let core = Arc::clone(&core);
        async move {
            let (parts, body) = request.into_parts();
            let body = body::read(body).await;
            let id = core.draw_uuid();
            let reply = catch_unwind(AssertUnwindSafe(|| reply(&core, &parts, body, &id))).unwrap_or_else(|_| {
                tracing::error!(request_id = %id, "a handler panicked; please report this");
                Reply::Now(aws_json::internal_failure(&id))
            });
            let answer = match reply {
                Reply::Now(answer) => answer,
                Reply::Later(answer) => answer.await,
            };
            let answer = match persist::committed(&*core.backing, answer.needed).await {
                Ok(()) => answer,
                Err(reason) => aws_json::unavailable(&reason),
            };
            let connection = parts.extensions.get::<ConnectInfo<Connection>>().map(|info| info.0.clone());
            wire::respond(&core, answer, connection.unwrap_or_default(), &id).await
        }
    })
}

/// What has been changed so far.
fn everything(core: &Core) -> Needed {
    let txn = core.txn();
    txn.see_all();
    txn.finish()
}

fn reply(core: &Arc<Core>, parts: &Parts, body: Result<Vec<u8>, BodyError>, id: &str) -> Reply {
    let body = match body {
        Ok(body) => body,
        Err(BodyError::TooLarge) => return Reply::Now(aws_json::too_large(body::LIMIT)),
        Err(BodyError::Broken) => return Reply::Now(aws_json::aborted()),
    };
    let caller = caller::of(core, parts);
    Reply::Now(match route::route(parts, &caller, &body) {
        Target::CloudControl(operation) => cloud_control::answer(core, &caller, &operation, &body),
        Target::Service(service) => {
            return service.answer(core, Asked { parts, body: &body, caller: &caller, id });
        }
        Target::Admin(_) | Target::Metrics if core.options.admin == AdminAccess::Off => {
            Answer::json(404, &serde_json::json!({"error": "the pages for tests are off"}))
        }
        Target::Admin(page) => {
            let answer = admin::answer(core, &parts.method, &page, parts.uri.query().unwrap_or_default(), &body);
            Answer { needed: if parts.method == Method::GET { answer.needed } else { everything(core) }, ..answer }
        }
        Target::Metrics => Answer::new(200, "text/plain; version=0.0.4", core.metrics.text()),
        Target::Nobody { service, operation, is_query } => {
            core.metrics.count("emulator_unserved_total", &[("service", &service), ("operation", &operation)]);
            if is_query {
                let text = format!("the emulator does not serve {operation} of {service}; it serves {SERVED}");
                xml::error(501, "https://aws.amazon.com/", "NotImplemented", &text, id)
            } else {
                aws_json::not_here(&service, &operation)
            }
        }
    })
}
