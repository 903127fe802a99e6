//! Which call a request is: by its target header, else by the service that signed it or whose host it was sent to, else
//! by a Query action, else by its path.

use super::Caller;
use super::form;
use crate::services::{self, Service};
use axum::http::Method;
use axum::http::request::Parts;

/// Who answers a request.
pub(crate) enum Target {
    /// Cloud Control, and the name of the operation.
    CloudControl(String),
    Service(&'static dyn Service),
    /// A page under `/_emu/`.
    Admin(String),
    Metrics,
    Nobody {
        service: String,
        operation: String,
        /// Whether the caller expects XML.
        is_query: bool,
    },
}

/// Finds who answers.
pub(crate) fn route(parts: &Parts, caller: &Caller, body: &[u8]) -> Target {
    let path = parts.uri.path();
    if let Some(page) = page(parts) {
        return page;
    }
    let target = parts.headers.get("x-amz-target").and_then(|value| value.to_str().ok());
    if let Some(target) = target {
        return by_target(target);
    }
    let action = action(parts, body);
    let known = match (caller.service.as_deref(), &action) {
        (Some(service), _) => services::named(service),
        (None, Some(action)) => {
            services::with_action(&form::get(&form_of(parts, body), "Version").unwrap_or_default(), action)
        }
        (None, None) => services::with_path(&parts.method, path),
    };
    let service = || caller.service.as_deref().unwrap_or("an unknown service").to_owned();
    match (known, action) {
        (Some(service), _) => Target::Service(service),
        (None, Some(operation)) => Target::Nobody { service: service(), operation, is_query: true },
        (None, None) => {
            Target::Nobody { service: service(), operation: format!("{} {path}", parts.method), is_query: false }
        }
    }
}

/// The page for tests that a request is for, if it is for one.
pub(crate) fn page(parts: &Parts) -> Option<Target> {
    let path = parts.uri.path();
    let page = path.strip_prefix("/_emu/").map(|page| Target::Admin(page.to_owned()));
    page.or_else(|| (parts.method == Method::GET && path == "/metrics").then_some(Target::Metrics))
}

fn by_target(target: &str) -> Target {
    let (prefix, operation) = target.split_once('.').unwrap_or((target, ""));
    match (prefix, services::with_target(prefix)) {
        ("CloudApiService", _) => Target::CloudControl(operation.to_owned()),
        (_, Some(service)) => Target::Service(service),
        (_, None) => Target::Nobody { service: prefix.to_owned(), operation: operation.to_owned(), is_query: false },
    }
}

/// The form of a Query call: its body, else its query.
pub(crate) fn form_of(parts: &Parts, body: &[u8]) -> String {
    let kind = parts.headers.get("content-type").map(|kind| kind.as_bytes()).unwrap_or_default();
    if parts.method == Method::POST && kind.starts_with(b"application/x-www-form-urlencoded") {
        String::from_utf8_lossy(body).into_owned()
    } else {
        parts.uri.query().unwrap_or_default().to_owned()
    }
}

/// The action of a Query call, in the body or in the query; empty when a form has none.
fn action(parts: &Parts, body: &[u8]) -> Option<String> {
    let kind = parts.headers.get("content-type").map(|kind| kind.as_bytes()).unwrap_or_default();
    let is_form = parts.method == Method::POST && kind.starts_with(b"application/x-www-form-urlencoded");
    let found = form::get(parts.uri.query().unwrap_or_default(), "Action");
    found.or_else(|| is_form.then(|| form::get(&String::from_utf8_lossy(body), "Action").unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::http::caller::Principal;
    use crate::scope::Scope;
    use axum::http::Request;

    #[test]
    fn requests_find_who_answers() {
        let form = ("content-type", "application/x-www-form-urlencoded; charset=utf-8");
        let none = ("a", "b");
        for (method, uri, header, service, body, expected) in [
            ("POST", "/", ("x-amz-target", "CloudApiService.GetResource"), Some("ssm"), "", "cloud GetResource"),
            ("POST", "/", ("x-amz-target", "CloudApiService"), None, "", "cloud "),
            ("POST", "/", ("x-amz-target", "AmazonSSM.GetParameter"), None, "", "service ssm"),
            ("POST", "/", ("x-amz-target", "Unknown.Call"), None, "", "nobody Unknown Call json"),
            ("POST", "/", form, Some("sts"), "Action=GetCallerIdentity", "service sts"),
            ("POST", "/", form, None, "Action=GetCallerIdentity", "service sts"),
            ("POST", "/", form, None, "Action=Unknown&Version=2016-11-15", "service ec2"),
            ("POST", "/", form, None, "Action=DescribeAvailabilityZones", "service ec2"),
            ("GET", "/?Action=GetCallerIdentity", none, None, "", "service sts"),
            ("POST", "/", none, Some("sts"), "", "service sts"),
            ("POST", "/", form, Some("unknown"), "Action=Do", "nobody unknown Do query"),
            ("POST", "/", form, None, "Action=Do", "nobody an unknown service Do query"),
            ("POST", "/", none, Some("unknown"), "{}", "nobody unknown POST / json"),
            ("POST", "/", none, None, "{}", "nobody an unknown service POST / json"),
            ("GET", "/", none, None, "", "nobody an unknown service GET / json"),
            ("GET", "/2015-03-31/functions/f", none, None, "", "service lambda"),
            ("GET", "/2015-03-31/functions/f", none, Some("s3"), "", "service s3"),
            ("PUT", "/bucket/key", none, None, "", "service s3"),
            ("GET", "/_emu/log", ("x-amz-target", "CloudApiService.GetResource"), None, "", "admin log"),
            ("GET", "/metrics", none, None, "", "metrics"),
        ] {
            let request = Request::builder().method(method).uri(uri).header(header.0, header.1).body(()).unwrap();
            let (parts, ()) = request.into_parts();
            let scope = Scope::new("123456789012", "eu-west-1");
            let principal = Principal::of_account(&scope);
            let caller = Caller { scope, service: service.map(Box::from), principal };
            let found = match route(&parts, &caller, body.as_bytes()) {
                Target::CloudControl(operation) => format!("cloud {operation}"),
                Target::Service(service) => format!("service {}", service.name()),
                Target::Admin(page) => format!("admin {page}"),
                Target::Metrics => "metrics".to_owned(),
                Target::Nobody { service, operation, is_query } => {
                    format!("nobody {service} {operation} {}", if is_query { "query" } else { "json" })
                }
            };
            assert_eq!(found, expected, "{method} {uri} {header:?} {service:?}");
        }
    }
}
