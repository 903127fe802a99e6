//! Answers before they are sent.

use crate::faults::WireFault;
use crate::store::Needed;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use std::pin::Pin;

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

/// An answer, or one that takes waiting for something else.
pub(crate) enum Reply {
    Now(Answer),
    Later(Pin<Box<dyn Future<Output = Answer> + Send>>),
}

impl Answer {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status, content_type, headers: Vec::new(), body: body.into(), needed: Needed::default(), wire: None }
    }

    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Answer {
        Answer::new(status, "application/json", body.to_string())
    }

    /// Adds a header, unless the value cannot stand in one.
    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Answer {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }

    /// Adds a header whose name comes from a caller, or replaces the content type; nothing when it cannot be one.
    pub(crate) fn with_named_header(mut self, name: &str, value: &str) -> Answer {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            self.headers.push((name, value));
        }
        self
    }

    /// The response, with the id of its request.
    pub(super) fn respond(self, id: &str) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert("content-type", HeaderValue::from_static(self.content_type));
        if let Ok(id) = HeaderValue::from_str(id) {
            headers.insert("x-amzn-requestid", id);
        }
        for (name, value) in self.headers {
            if name == CONTENT_TYPE {
                headers.insert(name, value);
            } else {
                headers.append(name, value);
            }
        }
        response
    }
}
