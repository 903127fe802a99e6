//! The wire: one port for Cloud Control, STS and the emulator's own pages.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | which call a request is; nothing a request does ends the process |
//! | [`body`] | reading bodies, up to a limit |
//! | [`cloud_control`] | AWS JSON 1.0 in and out, the log |
//! | [`sts`] | AWS Query and XML |
//! | [`admin`] | `/_emu` |
//! | [`scope`] | account and region of a call |
//! | [`form`] | URL-encoded texts |

mod admin;
mod body;
mod cloud_control;
mod form;
mod scope;
mod sts;

use crate::core::Core;
use crate::faults::WireFault;
use crate::persist;
use crate::store::Needed;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use body::BodyError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// An answer before it is sent.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Vec<u8>,
    /// What must be durable before it may leave.
    pub(crate) needed: Needed,
    /// What happens to the connection instead, or beside it.
    pub(crate) wire: Option<WireFault>,
}

impl Answer {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status, content_type, headers: Vec::new(), body: body.into(), needed: Needed::default(), wire: None }
    }

    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Answer {
        Answer::new(status, "application/json", body.to_string())
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Answer {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }
}

/// Answers every request of the port.
pub(crate) fn router(core: Arc<Core>) -> axum::Router {
    axum::Router::new().fallback(move |request: Request<Body>| {
        let core = Arc::clone(&core);
        async move {
            let (parts, body) = request.into_parts();
            let body = body::read(body).await;
            let id = core.draw_uuid();
            let answer = catch_unwind(AssertUnwindSafe(|| answer(&core, &parts, body, &id))).unwrap_or_else(|_| {
                tracing::error!(request_id = %id, "a handler panicked; please report this");
                cloud_control::internal_failure(&id)
            });
            let answer = match persist::committed(&*core.backing, answer.needed).await {
                Ok(()) => answer,
                Err(reason) => cloud_control::unavailable(&reason),
            };
            respond(answer, &id)
        }
    })
}

fn answer(core: &Arc<Core>, parts: &Parts, body: Result<Vec<u8>, BodyError>, id: &str) -> Answer {
    let path = parts.uri.path();
    let body = match body {
        Ok(body) => body,
        Err(BodyError::TooLarge) => return cloud_control::too_large(body::LIMIT),
        Err(BodyError::Broken) => return cloud_control::aborted(),
    };
    if let Some(page) = path.strip_prefix("/_emu/") {
        return admin::answer(core, &parts.method, page, parts.uri.query().unwrap_or_default(), &body);
    }
    if parts.method == Method::GET && path == "/metrics" {
        return Answer::new(200, "text/plain; version=0.0.4", core.metrics.text());
    }
    let target = parts.headers.get("x-amz-target").and_then(|value| value.to_str().ok());
    if let Some(target) = target {
        return cloud_control::answer(core, parts, target, &body);
    }
    let service = scope::service(parts);
    let is_form = parts
        .headers
        .get("content-type")
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-form-urlencoded"));
    if parts.method == Method::POST && (is_form || service.as_deref() == Some("sts"))
        || form::get(parts.uri.query().unwrap_or_default(), "Action").is_some()
    {
        let form = String::from_utf8_lossy(&body);
        let form = if form.is_empty() { parts.uri.query().unwrap_or_default() } else { &form };
        return sts::answer(core, parts, service.as_deref(), form, id);
    }
    cloud_control::not_here(service.as_deref().unwrap_or("an unknown service"), &format!("{} {path}", parts.method))
}

fn respond(answer: Answer, id: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static(answer.content_type));
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert("x-amzn-requestid", id);
    }
    for (name, value) in answer.headers {
        headers.append(name, value);
    }
    response
}
