//! [`Api`] over the AWS SDK: requests out, our own types and errors in.

use std::error::Error as StdError;
use std::time::Duration;

use aws_sdk_cloudcontrol::config::http::HttpResponse;
use aws_sdk_cloudcontrol::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_cloudcontrol::operation::RequestId;
use aws_sdk_cloudcontrol::types::{OperationStatus, ResourceRequestStatusFilter};
use aws_smithy_types::retry::RetryConfig;

use super::api::{Api, Mutation, RequestError};
use super::error::CloudErrorKind;
use super::event::Event;
use super::failure::NO_REASON;
use super::salvage;
use crate::advice::{CHECK_SIGNATURE, RENEW_CREDENTIALS};
use crate::identity::Lack;
use crate::identity::causes::causes;
use crate::identity::codes::Kind;
use crate::identity::http::{self, AnswerError};
use event::{begun, event_of, id_of};

pub(super) mod event;

/// Attempts for a request that nobody answered (refused connection, unknown host, a proxy's error page): enough to ride
/// out a hiccup, few enough that a wrong endpoint is reported within seconds.
const UNANSWERED_ATTEMPTS: u32 = 3;
/// Pause after the first unanswered attempt; doubled after each further one.
const UNANSWERED_PAUSE: Duration = Duration::from_millis(300);

/// Pages of a hundred requests under way that are looked at; beyond them nothing is adopted.
const PAGES_OF_REQUESTS: usize = 3;

/// Requests through the AWS SDK.
#[derive(Debug, Clone)]
pub struct SdkApi {
    client: aws_sdk_cloudcontrol::Client,
    role_arn: Option<String>,
}

impl SdkApi {
    /// Sends through `client`; `role_arn` goes with every resource operation.
    pub fn new(client: aws_sdk_cloudcontrol::Client, role_arn: Option<String>) -> Self {
        Self { client, role_arn }
    }
}

impl Api for SdkApi {
    async fn submit(&self, type_name: &str, mutation: Mutation<'_>, token: &str) -> Result<Event, RequestError> {
        let call = mutation.call();
        let client = &self.client;
        let role = || self.role_arn.clone();
        let answer = match mutation {
            Mutation::Create { desired } => {
                let request = client.create_resource().type_name(type_name).desired_state(desired);
                let request = request.client_token(token).set_role_arn(role());
                let answer = answered(call, || request.clone().send()).await;
                answer.map(|answer| (id_of(&answer), answer.progress_event))
            }
            Mutation::Update { identifier, patch } => {
                let request = client.update_resource().type_name(type_name).identifier(identifier);
                let request = request.patch_document(patch).client_token(token).set_role_arn(role());
                let answer = answered(call, || request.clone().send()).await;
                answer.map(|answer| (id_of(&answer), answer.progress_event))
            }
            Mutation::Delete { identifier } => {
                let request = client.delete_resource().type_name(type_name).identifier(identifier);
                let request = request.client_token(token).set_role_arn(role());
                let answer = answered(call, || request.clone().send()).await;
                answer.map(|answer| (id_of(&answer), answer.progress_event))
            }
        };
        match answer {
            Ok((request_id, event)) => event_of(call, event.map(begun), None, request_id),
            Err(unread) => unread.event(true),
        }
    }

    async fn status(&self, request_token: &str) -> Result<Event, RequestError> {
        const CALL: &str = "GetResourceRequestStatus";
        let request = self.client.get_resource_request_status().request_token(request_token);
        match answered(CALL, || request.clone().send()).await {
            Ok(answer) => {
                let request_id = id_of(&answer);
                event_of(CALL, answer.progress_event, answer.hooks_progress_event, request_id)
            }
            Err(unread) => unread.event(false),
        }
    }

    async fn get(&self, type_name: &str, identifier: &str) -> Result<String, RequestError> {
        const CALL: &str = "GetResource";
        let request = self.client.get_resource().type_name(type_name).identifier(identifier);
        let request = request.set_role_arn(self.role_arn.clone());
        let answer = patiently(CALL, || request.clone().send()).await?;
        let description =
            answer.resource_description.ok_or_else(|| malformed(CALL, "received no ResourceDescription"))?;
        description.properties.ok_or_else(|| malformed(CALL, "received nil properties"))
    }

    async fn requests(&self) -> Result<Vec<Event>, RequestError> {
        const CALL: &str = "ListResourceRequests";
        let statuses = [OperationStatus::Pending, OperationStatus::InProgress, OperationStatus::CancelInProgress];
        let filter = ResourceRequestStatusFilter::builder().set_operation_statuses(Some(statuses.into())).build();
        let once = aws_sdk_cloudcontrol::config::Builder::new().retry_config(RetryConfig::disabled());
        let mut found = Vec::new();
        let mut next = None;
        for _ in 0..PAGES_OF_REQUESTS {
            let request = self.client.list_resource_requests().resource_request_status_filter(filter.clone());
            let request = request.max_results(100).set_next_token(next).customize().config_override(once.clone());
            let page = request.send().await.map_err(|error| request_error(CALL, error).0)?;
            let events = page.resource_request_status_summaries.unwrap_or_default();
            // An event without a status says nothing.
            found.extend(events.into_iter().filter_map(|event| event_of(CALL, Some(event), None, None).ok()));
            next = page.next_token.filter(|token| !token.is_empty());
            if next.is_none() {
                break;
            }
        }
        Ok(found)
    }

    async fn cancel(&self, request_token: &str) -> Result<(), RequestError> {
        let request = self.client.cancel_resource_request().request_token(request_token);
        request.send().await.map(drop).map_err(|error| request_error("CancelResourceRequest", error).0)
    }
}

/// Sends a request, and again when nobody answered. The client token is part of the request, so nothing happens twice.
async fn patiently<T, E, F>(call: &'static str, send: impl Fn() -> F) -> Result<T, RequestError>
where
    F: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    answered(call, send).await.map_err(|unread| unread.error)
}

/// An answer that is none to the SDK.
struct Unread {
    error: RequestError,
    /// The body of an answer that the service gave as a success.
    body: Option<Vec<u8>>,
}

impl Unread {
    /// The event in it as far as it can be read, else the error; `began` as in [`salvage::event`].
    fn event(self, began: bool) -> Result<Event, RequestError> {
        let Self { error, body } = self;
        match body.and_then(|body| salvage::event(&body, began)) {
            Some(event) => Ok(Event { request_id: error.request_id, ..event }),
            None => Err(error),
        }
    }
}

/// [`patiently`], with the body of what could not be read.
async fn answered<T, E, F>(call: &'static str, send: impl Fn() -> F) -> Result<T, Unread>
where
    F: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    let mut pause = UNANSWERED_PAUSE;
    let mut attempt = 1;
    loop {
        let error = match send().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let answer = error.raw_response().filter(|answer| answer.status().is_success());
        let body = answer.and_then(|answer| answer.body().bytes()).map(<[u8]>::to_vec);
        let (error, unanswered) = request_error(call, error);
        if !unanswered || attempt >= UNANSWERED_ATTEMPTS {
            return Err(Unread { error, body });
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
        attempt += 1;
    }
}

fn malformed(call: &'static str, message: &str) -> RequestError {
    RequestError {
        kind: CloudErrorKind::Malformed,
        call,
        message: message.to_owned(),
        request_id: None,
        transient: false,
        request_token: None,
    }
}

/// Our view of an SDK error, and whether nobody answered at all.
fn request_error<E>(call: &'static str, error: SdkError<E, HttpResponse>) -> (RequestError, bool)
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    let request_id = error.request_id().map(str::to_owned);
    let request_token = error.raw_response().and_then(|answer| named_request(answer.body().bytes()?));
    let (kind, message, transient, unanswered) = match &error {
        SdkError::ServiceError(context) => {
            let status = context.raw().status().as_u16();
            let message = context.err().message().unwrap_or(NO_REASON).to_owned();
            match context.err().code().map(code_name) {
                Some(code) => match Kind::of(code) {
                    kind @ (Kind::Credentials | Kind::Signature) => {
                        let next = if kind == Kind::Signature { CHECK_SIGNATURE } else { RENEW_CREDENTIALS };
                        let kind = CloudErrorKind::Credentials { next: next.to_owned() };
                        (kind, format!("{code}: {message}"), false, false)
                    }
                    kind @ (Kind::Throttled | Kind::Denied | Kind::RegionDisabled | Kind::Other) => {
                        let transient = status >= 500 || kind == Kind::Throttled;
                        (CloudErrorKind::Service { code: code.to_owned() }, message, transient, false)
                    }
                },
                None if status < 300 => (CloudErrorKind::Malformed, unreadable(status), false, false),
                None => (
                    CloudErrorKind::Malformed,
                    format!("HTTP status {status} without an error code"),
                    is_passing(status),
                    // The SDK repeats those of servers by itself, but not this one of proxies.
                    status == TOO_MANY_REQUESTS,
                ),
            }
        }
        SdkError::ResponseError(context) => {
            (CloudErrorKind::Malformed, unreadable(context.raw().status().as_u16()), false, false)
        }
        SdkError::TimeoutError(_) => (CloudErrorKind::Unreachable, "no answer in time".to_owned(), true, false),
        other => undelivered(other),
    };
    (RequestError { kind, call, message, request_id, transient, request_token }, unanswered)
}

/// The request that the body of a refusal names. Its shape is not in the API's model, so that the SDK leaves it out.
fn named_request(body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        #[serde(rename = "RequestToken")]
        request_token: Option<String>,
    }
    serde_json::from_slice::<Body>(body).ok()?.request_token.filter(|token| !token.is_empty())
}

/// The status by which proxies and gateways say that there is too much at once.
const TOO_MANY_REQUESTS: u16 = 429;

/// Whether an answer with this status and no code of AWS may be another one a little later.
fn is_passing(status: u16) -> bool {
    status >= 500 || status == TOO_MANY_REQUESTS
}

fn unreadable(status: u16) -> String {
    format!("the answer (HTTP status {status}) could not be read")
}

/// Errors from before there was an answer of AWS: credentials, connections, proxies.
fn undelivered(error: &(dyn StdError + 'static)) -> (CloudErrorKind, String, bool, bool) {
    if let Some(Lack { what, next }) = crate::identity::credentials::explain(error) {
        return (CloudErrorKind::Credentials { next }, what, false, false);
    }
    if let Some(answer) = causes(error).find_map(|cause| cause.downcast_ref::<AnswerError>()) {
        let passing = matches!(answer, AnswerError::Html { status } if is_passing(*status));
        return (CloudErrorKind::Malformed, answer.to_string(), passing, passing);
    }
    (CloudErrorKind::Unreachable, http::unanswered(error), true, http::never_connected(error))
}

/// An error code without namespace and without what some services append after a colon.
fn code_name(code: &str) -> &str {
    let code = code.rsplit('#').next().unwrap_or(code);
    code.split(':').next().unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lose_their_namespace() {
        for (code, expected) in [
            ("com.amazon.coral.service#AccessDeniedException", "AccessDeniedException"),
            ("ValidationException:http://x/", "ValidationException"),
            ("Throttling", "Throttling"),
            ("", ""),
        ] {
            assert_eq!(code_name(code), expected, "{code}");
        }
    }

    #[test]
    fn a_refusal_may_name_a_request() {
        for (body, expected) in [
            (r#"{"__type":"ClientTokenConflictException","RequestToken":"r-1"}"#, Some("r-1")),
            (r#"{"RequestToken":""}"#, None),
            (r#"{"RequestToken":7}"#, None),
            (r#"{"Message":"no"}"#, None),
            ("<html>", None),
        ] {
            assert_eq!(named_request(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }
}
