//! The wire: one port for Cloud Control, companion services and the emulator's own pages.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | a request on its way; nothing it does ends the process |
//! | [`body`] | reading bodies, up to a limit |
//! | [`caller`], [`host`] | who calls: account, region, key, service |
//! | [`signature`] | whether the caller is who it says |
//! | [`route`] | which call a request is |
//! | [`cloud_control`], [`aws_json`] | Cloud Control's calls and errors |
//! | [`admin`] | `/_emu` |
//! | [`answer`], [`xml`], [`form`] | answers, XML, URL-encoded texts |
//! | [`listener`], [`tls`], [`wire`] | connections, and what rules do to them |

mod admin;
mod answer;
mod aws_json;
pub(crate) mod body;
pub(crate) mod caller;
mod cloud_control;
pub(crate) mod form;
pub(crate) mod host;
pub(crate) mod listener;
mod route;
pub(crate) mod signature;
pub(crate) mod tls;
mod wire;
pub(crate) mod xml;

pub(crate) use answer::{Answer, Reply};
pub(crate) use caller::Caller;
pub(crate) use route::form_of;

use crate::admin::Admin;
use crate::api_error::{ApiError, Code};
use crate::core::Core;
use crate::options::AdminAccess;
use crate::persist;
use crate::services::{self, Asked};
use crate::store::Needed;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{Method, Request};
use body::BodyError;
use listener::Connection;
use route::Target;
use signature::Refusal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Answers every request of the port.
pub(crate) fn router(core: Arc<Core>) -> axum::Router {
    answering(core, reply)
}

/// Answers requests for the pages for tests, and no others.
pub(crate) fn pages(core: Arc<Core>) -> axum::Router {
    answering(core, |core, parts, body, _| match route::page(parts) {
        Some(target) => page(core, parts, body, &target),
        None => {
            Reply::Now(Answer::json(404, &serde_json::json!({"error": "only the pages for tests are on this port"})))
        }
    })
}

/// Answers a request that a part of the emulator makes.
pub(crate) async fn within(core: &Arc<Core>, parts: &Parts, body: Vec<u8>) -> Answer {
    let id = core.draw_uuid();
    answer(core, parts, Ok(body), &id, reply).await
}

/// How a request is answered: with its head, its body and its id.
type Answering = fn(&Arc<Core>, &Parts, &[u8], &str) -> Reply;

fn answering(core: Arc<Core>, reply: Answering) -> axum::Router {
    axum::Router::new().fallback(move |request: Request<Body>| {
        let core = Arc::clone(&core);
        async move {
            let (parts, body) = request.into_parts();
            let limit = body::limit(&parts);
            let body = body::read(body, limit).await;
            let id = core.draw_uuid();
            let answer = answer(&core, &parts, body.map_err(|error| (error, limit)), &id, reply).await;
            let connection = parts.extensions.get::<ConnectInfo<Connection>>().map(|info| info.0.clone());
            wire::respond(&core, answer, connection.unwrap_or_default(), &id).await
        }
    })
}

async fn answer(
    core: &Arc<Core>,
    parts: &Parts,
    body: Result<Vec<u8>, (BodyError, usize)>,
    id: &str,
    reply: Answering,
) -> Answer {
    let body = match body {
        Ok(body) => body,
        Err((BodyError::TooLarge, limit)) => return aws_json::too_large(limit),
        Err((BodyError::Broken, _)) => return aws_json::aborted(),
    };
    let reply = catch_unwind(AssertUnwindSafe(|| reply(core, parts, &body, id))).unwrap_or_else(|_| {
        tracing::error!(request_id = %id, "a handler panicked; please report this");
        Reply::Now(aws_json::internal_failure(id))
    });
    let answer = match reply {
        Reply::Now(answer) => answer,
        // On a task of its own, so that a panic is answered, and a function ends its work when its caller hangs up.
        Reply::Later(answer) => tokio::spawn(answer).await.unwrap_or_else(|error| {
            tracing::error!(request_id = %id, %error, "a handler did not end; please report this");
            aws_json::internal_failure(id)
        }),
    };
    match persist::committed(&*core.backing, answer.needed).await {
        Ok(()) => answer,
        Err(reason) => aws_json::unavailable(&reason),
    }
}

/// What has been changed so far.
fn everything(core: &Core) -> Needed {
    let txn = core.txn();
    txn.see_all();
    txn.finish()
}

/// Answers a request for a page, from those who may.
fn page(core: &Arc<Core>, parts: &Parts, body: &[u8], target: &Target) -> Reply {
    if !admin::is_allowed(core, parts, target) {
        let refusal = serde_json::json!({"error": "this page needs the header Authorization: Bearer TOKEN"});
        return Reply::Now(Answer::json(401, &refusal).with_header("www-authenticate", "Bearer"));
    }
    Reply::Now(match target {
        Target::Admin(page) => {
            let answer = admin::answer(core, parts, page, body);
            Answer { needed: if parts.method == Method::GET { answer.needed } else { everything(core) }, ..answer }
        }
        _ => Answer::new(200, "text/plain; version=0.0.4", Admin::new(Arc::clone(core)).metrics()),
    })
}

fn reply(core: &Arc<Core>, parts: &Parts, body: &[u8], id: &str) -> Reply {
    let caller = caller::of(core, parts);
    let target = route::route(parts, &caller, body);
    if is_signed(&target, parts, body)
        && let Err(refusal) = signature::check(core, parts, body)
    {
        return Reply::Now(refused(&target, &refusal, id));
    }
    Reply::Now(match target {
        Target::CloudControl(operation) => cloud_control::answer(core, &caller, &operation, body),
        Target::Service(service) => {
            return services::serve(core, service, &Asked { parts, body, caller: &caller, id });
        }
        target @ (Target::Admin(_) | Target::Metrics) => match core.options.admin {
            // Whoever waits for the emulator knows no other port.
            _ if admin::says_it_lives(&target) => return page(core, parts, body, &target),
            AdminAccess::SamePort => return page(core, parts, body, &target),
            AdminAccess::Off => Answer::json(404, &serde_json::json!({"error": "the pages for tests are off"})),
            AdminAccess::Port(_) => {
                Answer::json(404, &serde_json::json!({"error": "the pages for tests are on another port"}))
            }
        },
        Target::Nobody { service, operation, is_query } => {
            core.metrics
                .count_of_callers("emulator_unserved_total", &[("service", &service), ("operation", &operation)]);
            if is_query {
                let served = services::served();
                let text = format!("the emulator does not serve {operation} of {service}; it serves {served}");
                xml::error(501, "https://aws.amazon.com/", "NotImplemented", &text, id)
            } else {
                aws_json::not_here(&service, &operation)
            }
        }
    })
}

/// Whether a call is one that callers sign. Whoever asks for a role with a web identity has no key yet.
fn is_signed(target: &Target, parts: &Parts, body: &[u8]) -> bool {
    match target {
        Target::Admin(_) | Target::Metrics => false,
        Target::Service(service) if service.name() == "sts" => {
            form::get(&form_of(parts, body), "Action").as_deref() != Some("AssumeRoleWithWebIdentity")
        }
        Target::CloudControl(_) | Target::Service(_) | Target::Nobody { .. } => true,
    }
}

/// The answer to a call whose signature is not what it must be, in the form of the service that was called.
fn refused(target: &Target, refusal: &Refusal, id: &str) -> Answer {
    if let Target::Service(service) = target {
        let form = service.form();
        return form.error(&form.refusal(refusal), id);
    }
    let error = services::error::of_json(refusal);
    let code = Code::parse(&error.code).unwrap_or(Code::InvalidSignature);
    aws_json::failure(&ApiError::new(code, error.message))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise, and one is made")]

    use super::*;
    use crate::options::Options;
    use crate::schema::library::SchemaSource;
    use std::io::{Read, Write};

    #[test]
    fn a_handler_that_panics_answers_and_the_next_call_is_served() {
        let schemas = SchemaSource::Texts(vec![r#"{"typeName":"A::B::C"}"#.to_owned()]);
        let core = Arc::new(Core::new(&schemas, Options::default()).unwrap());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let router = answering(core, |core, parts, body, id| match parts.uri.path() {
                "/panic" => {
                    // The state is held meanwhile, as in the worst case.
                    let _txn = core.txn();
                    panic!("on purpose")
                }
                _ => reply(core, parts, body, id),
            });
            tokio::spawn(async move { axum::serve(listener, router).await });
            address
        });
        let ask = |path: &str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        for _ in 0..2 {
            let answer = ask("/panic");
            assert!(answer.starts_with("HTTP/1.1 500") && answer.contains("#InternalFailure"), "{answer}");
        }
        assert!(ask("/_emu/resources").starts_with("HTTP/1.1 200"));
    }
}
