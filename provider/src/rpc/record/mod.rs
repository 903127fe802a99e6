//! The log of RPCs: one JSON line for each, written when it ends.
//!
//! `PULUMI_AWS_NATIVE_RPC_LOG` names the file (`-` is stderr). A line has what goes in, what comes out and what happens
//! in between, in the form that transcripts have (`docs/transcripts.md`):
//!
//! | member | what it is |
//! |---|---|
//! | `id` | `log/N/METHOD`, N counts from 1 in each process |
//! | `conf` | null: the configuration came with a `Configure` of this log |
//! | `rpc`, `req` | the method and the request ([`form`]) |
//! | `res` | `{"ok": response}`, `{"error": {code, text, detail?}}`, or `{"dropped": true}` when the caller went away |
//! | `aws` | requests to Cloud Control in order, each with its `answer` or `error` |
//! | `log` | messages to the engine: severity and text |
//!
//! Secrets are replaced ([`hide`]). The file is only for its owner to read; lines of several processes do not mix.

use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::status::Detail;
use serde_json::{Value as Json, json};
use tonic::{Code, Status};

use self::hide::Known;
use crate::cloud::tap::{self, Observed};

pub(super) use form::Form;

mod form;
mod hide;

/// The variable that names the file.
pub(super) const VARIABLE: &str = "PULUMI_AWS_NATIVE_RPC_LOG";

/// Keys of the configuration whose values are secret, marked or not.
const CREDENTIALS: [&str; 3] = ["accessKey", "secretKey", "token"];

/// The fields of requests that hold a configuration: those of Configure, CheckConfig and DiffConfig.
const CONFIGURATIONS: [&str; 5] = ["args", "variables", "news", "olds", "old_inputs"];

/// Where lines go; nothing is done without one.
#[derive(Clone, Default)]
pub(super) struct Recorder(Option<Arc<Log>>);

struct Log {
    sink: Sink,
    next: AtomicU64,
    known: Mutex<Known>,
}

enum Sink {
    Stderr,
    File(File),
}

impl Recorder {
    /// The log that `path` names. A file that cannot be opened is said once, and nothing is logged.
    pub(super) fn open(path: Option<String>) -> Self {
        let sink = match path.as_deref() {
            None | Some("") => return Self::default(),
            Some("-") => Sink::Stderr,
            Some(path) => match append(path) {
                Ok(file) => Sink::File(file),
                Err(error) => {
                    tracing::warn!(path, %error, "{VARIABLE} names a file that cannot be written; no RPC is logged");
                    return Self::default();
                }
            },
        };
        Self(Some(Arc::new(Log { sink, next: AtomicU64::new(1), known: Mutex::default() })))
    }

    /// The line about a request; none without a log.
    pub(super) fn line(&self, method: &'static str, request: &impl Form) -> Option<Line> {
        let log = self.0.clone()?;
        let request = shown(|| request.form());
        Some(Line { log, method, request, observed: Observed::default(), result: None })
    }
}

/// Runs the handler of a request, and ends the line about it. `form` is for responses without one of their own.
pub(super) async fn around<R>(
    line: Option<Line>,
    handler: impl Future<Output = Result<R, Status>>,
    form: impl FnOnce(&R) -> Json,
) -> Result<R, Status> {
    let Some(mut line) = line else { return handler.await };
    let answer = tap::observing(line.observed.clone(), handler).await;
    line.end(&answer, form);
    answer
}

fn append(path: &str) -> std::io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A line that is written when it is dropped, whether its RPC ended or its caller went away.
pub(super) struct Line {
    log: Arc<Log>,
    method: &'static str,
    request: Json,
    observed: Observed,
    result: Option<Json>,
}

impl Line {
    /// Notes the answer; the line is written when it is dropped.
    pub(super) fn end<R>(&mut self, answer: &Result<R, Status>, form: impl FnOnce(&R) -> Json) {
        self.result = Some(shown(|| match answer {
            Ok(response) => json!({ "ok": form(response) }),
            Err(status) => json!({ "error": failure(status) }),
        }));
    }
}

impl Drop for Line {
    /// A bug in the log costs its line, and neither the call nor, where a bug is unwinding already, the process.
    fn drop(&mut self) {
        let _ = catch_unwind(AssertUnwindSafe(|| self.write()));
    }
}

/// The form of a message; a bug in it must not cost the call.
fn shown(form: impl FnOnce() -> Json) -> Json {
    catch_unwind(AssertUnwindSafe(form)).unwrap_or_else(|_| json!("(cannot be shown: a bug in the log)"))
}

impl Line {
    fn write(&mut self) {
        let seen = self.observed.seen();
        let number = self.log.next.fetch_add(1, Ordering::Relaxed);
        let mut line = json!({
            "id": format!("log/{number}/{}", self.method),
            "conf": null,
            "rpc": self.method,
        });
        let mut put = |name: &str, json: Json| line[name] = json;
        put("req", std::mem::take(&mut self.request));
        put("res", self.result.take().unwrap_or_else(|| json!({"dropped": true})));
        if !seen.calls.is_empty() {
            put("aws", Json::Array(seen.calls));
        }
        if !seen.said.is_empty() {
            put("log", json!(seen.said));
        }
        self.log.write(line, matches!(self.method, "CheckConfig" | "DiffConfig" | "Configure"));
    }
}

impl Log {
    fn write(&self, mut line: Json, configuration: bool) {
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if configuration {
                credentials(&line["req"], &mut known);
            }
            known.learn(&line);
            for part in ["req", "res", "aws", "log"] {
                if let Some(part) = line.get_mut(part) {
                    known.hide(part);
                }
            }
        }
        let mut text = line.to_string();
        text.push('\n');
        // A log that cannot be written must not fail what it tells of.
        let _ = match &self.sink {
            Sink::Stderr => std::io::stderr().lock().write_all(text.as_bytes()),
            Sink::File(file) => (&*file).write_all(text.as_bytes()),
        };
    }
}

/// Remembers the credentials of a configuration, wherever it holds them.
fn credentials(request: &Json, known: &mut Known) {
    for key in CREDENTIALS {
        let variable = format!("aws-native:config:{key}");
        for field in CONFIGURATIONS {
            for name in [key, variable.as_str()] {
                if let Some(text) = request[field][name].as_str() {
                    known.learn_text(text);
                }
            }
        }
    }
    // Some keep what a trust policy asks for like a password.
    for (key, member) in [("assumeRole", "externalId"), ("assumeRoleWithWebIdentity", "webIdentityToken")] {
        for field in CONFIGURATIONS {
            for name in [key, &format!("aws-native:config:{key}")] {
                let role = &request[field][name];
                let parsed = role.as_str().and_then(|text| serde_json::from_str::<Json>(text).ok());
                let role = parsed.as_ref().unwrap_or(role);
                let roles = role.as_array().map_or(std::slice::from_ref(role), Vec::as_slice);
                for text in roles.iter().filter_map(|role| role[member].as_str()) {
                    known.learn_text(text);
                    // It is used without the line break at the end of a file.
                    known.learn_text(text.trim());
                }
            }
        }
    }
}

/// A status as JSON.
fn failure(status: &Status) -> Json {
    let mut error = json!({"code": name(status.code()), "text": status.message()});
    match protocol::status::detail(status) {
        Some(Detail::InitFailed(detail)) => {
            error["detail"] = json!([{"pulumirpc.ErrorResourceInitFailed": detail.form()}]);
        }
        Some(Detail::MissingKeys(detail)) => {
            error["detail"] = json!([{"pulumirpc.ConfigureErrorMissingKeys": detail.form()}]);
        }
        None => {}
    }
    error
}

/// The name of a code as gRPC spells it.
fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Odd;

    impl Form for Odd {
        fn form(&self) -> Json {
            let empty: &[u8] = &[];
            json!(empty[std::hint::black_box(0)])
        }
    }

    #[tokio::test]
    async fn a_bug_in_the_log_costs_neither_the_call_nor_the_process() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let path = folder.path().join("log");
        let recorder = Recorder::open(path.to_str().map(str::to_owned));
        let line = recorder.line("Check", &Odd);
        let answer = around(line, async { Ok(Odd) }, Odd::form).await;
        assert!(answer.is_ok());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(text.matches("(cannot be shown: a bug in the log)").count(), 2, "{text}");
    }
}
