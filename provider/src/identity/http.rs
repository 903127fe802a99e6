//! The HTTP client under the AWS SDK: TLS, proxies, and a guard against answers that no AWS service gives.

use std::error::Error as StdError;

use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::{Builder, Connector, tls};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::interceptors::context::InterceptorContext;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::retries::classifiers::{ClassifyRetry, RetryAction, RetryClassifierPriority};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;

use super::causes::{causes, root};
use crate::config;
use crate::nesting::{MAX_DEPTH, depth};

/// Largest body that is read; models are limited to 256 Ki characters by the service.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// Why an answer was not even looked into.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The body goes on and on.
    #[error("the answer is larger than 16 MiB")]
    TooLarge,
    /// The body's JSON is nested too deep.
    #[error("the answer is nested deeper than 512 levels")]
    TooDeep,
    /// A web page, as proxies and wrong endpoints send it.
    #[error("the endpoint answered with a web page (HTTP status {status}), which AWS never does")]
    Html {
        /// HTTP status.
        status: u16,
    },
}

/// The request never left.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach {endpoint}")]
struct ConnectError {
    /// Scheme, host and port that were tried.
    endpoint: String,
    source: ConnectorError,
}

/// Scheme, host and port of a request's URI; users, passwords, paths and queries may carry more than a text should show.
fn endpoint(uri: &str) -> String {
    let after_scheme = uri.find("://").map_or(0, |at| at + 3);
    let end = uri[after_scheme..].find(['/', '?', '#']).map_or(uri.len(), |at| after_scheme + at);
    config::shown_url(&uri[..end])
}

/// The client: rustls with the system's root certificates, proxies from the environment. Certificates are read with the
/// first connection, not here.
pub fn client() -> SharedHttpClient {
    let inner = Builder::new().build_with_connector_fn(|settings, components| {
        let mut builder = Connector::builder()
            .proxy_config(ProxyConfig::from_env())
            .tls_provider(tls::Provider::Rustls(tls::rustls_provider::CryptoMode::Ring));
        builder.set_connector_settings(settings.cloned());
        builder.set_sleep_impl(components.and_then(RuntimeComponents::sleep_impl));
        builder.build()
    });
    SharedHttpClient::new(Guarded(inner))
}

/// Checks every answer before the SDK sees it.
#[derive(Debug)]
struct Guarded(SharedHttpClient);

impl HttpClient for Guarded {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(GuardedConnector(self.0.http_connector(settings, components)))
    }
}

#[derive(Debug)]
struct GuardedConnector(SharedHttpConnector);

impl HttpConnector for GuardedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let endpoint = endpoint(request.uri());
        let answer = self.0.call(request);
        HttpConnectorFuture::new(async move {
            match answer.await {
                Ok(answer) => guard(answer).await,
                Err(error) if never_connected(&error) => {
                    Err(ConnectorError::io(ConnectError { endpoint, source: error }.into()))
                }
                Err(error) => Err(error),
            }
        })
    }
}

/// Reads the body within its limit. The services used here answer with small documents, so nothing is lost by that.
async fn guard(mut answer: HttpResponse) -> Result<HttpResponse, ConnectorError> {
    let refuse = |error: AnswerError| ConnectorError::other(error.into(), None);
    if answer.headers().get("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        return Err(refuse(AnswerError::Html { status: answer.status().as_u16() }));
    }
    let mut stream = ByteStream::new(std::mem::replace(answer.body_mut(), SdkBody::taken()));
    let mut body = Vec::new();
    while let Some(chunk) = stream.try_next().await.map_err(|error| ConnectorError::io(error.into()))? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(refuse(AnswerError::TooLarge));
        }
        body.extend_from_slice(&chunk);
    }
    if matches!(body.first(), Some(b'{' | b'[')) && depth(&body) > MAX_DEPTH {
        return Err(refuse(AnswerError::TooDeep));
    }
    *answer.body_mut() = SdkBody::from(body);
    Ok(answer)
}

/// Whether the request never left: refused, unknown host, no route, TLS refused, or a connection that took too long.
pub fn never_connected(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|cause| {
        if let Some(io) = cause.downcast_ref::<std::io::Error>()
            && matches!(
                io.kind(),
                std::io::ErrorKind::ConnectionRefused
                    | std::io::ErrorKind::HostUnreachable
                    | std::io::ErrorKind::NetworkUnreachable
            )
        {
            return true;
        }
        let text = cause.to_string();
        ["dns error", "tcp connect error", "invalid peer certificate", "connect timeout"]
            .iter()
            .any(|words| text.contains(words))
    })
}

/// What happened to a request that got no answer, with the endpoint when it is known.
pub fn unanswered(error: &(dyn StdError + 'static)) -> String {
    // The last cause says what happened; the ones before it only say where.
    let root = root(error);
    match causes(error).find_map(|cause| cause.downcast_ref::<ConnectError>()) {
        Some(ConnectError { endpoint, .. }) => format!("no connection to the endpoint {endpoint}: {root}"),
        None if never_connected(error) => format!("no connection to the endpoint: {root}"),
        None => root,
    }
}

/// Keeps the SDK from repeating requests that never left: with 25 attempts a wrong endpoint would take minutes to be
/// reported. The client repeats them itself, a few times within seconds.
#[derive(Debug)]
pub struct ConnectionClassifier;

impl ClassifyRetry for ConnectionClassifier {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        match context.output_or_error() {
            Some(Err(error)) if error.as_connector_error().is_some_and(|error| never_connected(error)) => {
                RetryAction::RetryForbidden
            }
            _ => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "NeverConnected"
    }

    fn priority(&self) -> RetryClassifierPriority {
        RetryClassifierPriority::run_after(RetryClassifierPriority::transient_error_classifier())
    }
}

#[cfg(test)]
mod tests {
    use super::endpoint;

    #[test]
    fn endpoints_are_shown_without_what_is_secret_in_them() {
        for (uri, expected) in [
            ("https://host:8/path?query", "https://host:8"),
            ("http://user:canary@host:8/", "http://…@host:8"),
            ("http://canary@host", "http://…@host"),
            ("http://host/a@b", "http://host"),
            ("host", "host"),
        ] {
            assert_eq!(endpoint(uri), expected, "{uri}");
        }
    }
}
