//! The texts of failed requests and operations.
//!
//! Every text begins with what happened, then lists what is known (type, identifier, request token, region, account,
//! AWS's request id). Documents that were sent are never in it. What to do next is added by [`crate::advice`].

use std::fmt::Write as _;

use super::api::RequestError;
use super::error::{CloudError, CloudErrorKind};
use super::event::{Event, Hook};

/// For a failure without words.
pub(super) const NO_REASON: &str = "the service gave no reason";
/// What stands before the words of hooks that objected.
pub const HOOKS: &str = ". Hook failures: ";

/// Where the provider works, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The AWS region.
    pub region: Option<String>,
    /// The AWS account.
    pub account: Option<String>,
    /// The ARN of whom the credentials belong to.
    pub caller: Option<String>,
}

/// What a failure is about.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// CloudFormation type name.
    pub type_name: &'a str,
    /// `CREATE`, `UPDATE`, `DELETE` or `READ`.
    pub operation: &'static str,
    /// The resource, if known.
    pub identifier: Option<&'a str>,
    /// The operation's token, if known.
    pub request_token: Option<&'a str>,
    /// Where.
    pub location: &'a Location,
}

impl Context<'_> {
    /// An operation whose final event is a failure.
    pub fn event(&self, event: &Event) -> CloudError {
        let code = event.code.as_deref().unwrap_or("Unknown");
        let message = event.message.as_deref().filter(|words| !words.trim().is_empty()).unwrap_or(NO_REASON);
        let mut text = format!("operation {} failed with {code:?}: {message}", self.operation);
        let clauses: Vec<String> = event.hooks.iter().filter(|hook| hook.failed()).map(hook_clause).collect();
        if !clauses.is_empty() {
            let _ = write!(text, "{HOOKS}{}", clauses.join("; "));
        }
        self.finish(service(code), text, event.request_id.as_deref())
    }

    /// A request that was refused or got no usable answer.
    pub fn request(&self, error: &RequestError) -> CloudError {
        let message = if error.message.trim().is_empty() { NO_REASON } else { &error.message };
        let text = match error.code() {
            Some(code) => format!("{} failed with {code:?}: {message}", error.call),
            None => format!("{} failed: {message}", error.call),
        };
        self.finish(error.meaning(), text, error.request_id.as_deref())
    }

    /// The deadline passed.
    pub fn timed_out(&self, waited: std::time::Duration, status: Option<&str>) -> CloudError {
        let status = status.map_or_else(|| "no answer yet".to_owned(), |status| format!("last status {status}"));
        let text = format!(
            "operation {} did not finish within {} ({status}); it may still finish",
            self.operation,
            seconds(waited)
        );
        self.finish(CloudErrorKind::TimedOut, text, None)
    }

    /// Cancel or a signal ended the wait.
    pub fn canceled(&self) -> CloudError {
        let text = format!("operation {} was canceled while it was running; it may still finish", self.operation);
        self.finish(CloudErrorKind::Canceled, text, None)
    }

    /// Cancel or a signal came before anything was sent.
    pub fn not_started(&self) -> CloudError {
        self.finish(
            CloudErrorKind::NotStarted,
            format!("operation {} was canceled before it started", self.operation),
            None,
        )
    }

    /// An answer that makes no sense, or a way to end that has its own words.
    pub fn other(&self, kind: CloudErrorKind, text: impl Into<String>) -> CloudError {
        self.finish(kind, text.into(), None)
    }

    fn finish(&self, kind: CloudErrorKind, mut text: String, request_id: Option<&str>) -> CloudError {
        let _ = write!(text, "{FACTS}{}", self.type_name);
        for (name, value) in [
            ("identifier", self.identifier),
            ("request token", self.request_token),
            ("request id", request_id),
            ("region", self.location.region.as_deref()),
            ("account", self.location.account.as_deref()),
            ("caller", self.location.caller.as_deref()),
        ] {
            if let Some(value) = value {
                let _ = write!(text, ", {name}: {value}");
            }
        }
        CloudError::new(kind, text)
    }
}

/// What stands before the facts about a failure.
const FACTS: &str = "\n  type: ";

/// What happened, without the facts that follow.
pub fn words(message: &str) -> &str {
    message.split_once(FACTS).map_or(message, |(words, _)| words)
}

fn service(code: &str) -> CloudErrorKind {
    CloudErrorKind::Service { code: code.to_owned() }
}

fn hook_clause(hook: &Hook) -> String {
    format!(
        "HookName: {}, HookArn: {}, HookVersion: {}, Time: {}, HookMessage: {}, InvocationPoint: {}, FailureMode: {}, \
         HookStatus: {}",
        hook.name,
        hook.arn,
        hook.version,
        hook.time.as_deref().unwrap_or("N/A"),
        hook.message,
        hook.invocation_point,
        hook.failure_mode,
        hook.status
    )
}

/// A duration in the words of people: `90 s`, `0.5 s`.
pub fn seconds(duration: std::time::Duration) -> String {
    let tenths = (duration.as_secs_f64() * 10.0).round() / 10.0;
    format!("{tenths} s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::event::Status;

    fn context<'a>(location: &'a Location, identifier: Option<&'a str>) -> Context<'a> {
        Context { type_name: "AWS::S3::Bucket", operation: "CREATE", identifier, request_token: Some("t-1"), location }
    }

    fn failed(code: &str, message: &str, hooks: Vec<Hook>) -> Event {
        Event {
            request_token: Some("t-1".to_owned()),
            code: Some(code.to_owned()),
            message: Some(message.to_owned()),
            hooks,
            ..Event::new(Status::Failed)
        }
    }

    #[test]
    fn what_happened_comes_before_what_is_known() {
        let location = Location {
            region: Some("eu-west-1".to_owned()),
            account: Some("111122223333".to_owned()),
            caller: Some("arn:aws:iam::111122223333:user/u".to_owned()),
        };
        let context = context(&location, Some("b-1"));
        let known = "\n  type: AWS::S3::Bucket, identifier: b-1, request token: t-1, region: eu-west-1, account: \
             111122223333, caller: arn:aws:iam::111122223333:user/u";
        let text = context.event(&failed("NotStabilized", "too slow", vec![])).message;
        assert_eq!(text, format!("operation CREATE failed with \"NotStabilized\": too slow{known}"));
    }

    #[test]
    fn c50_a_failure_without_words_says_so() {
        let location = Location::default();
        for words in ["", " \n"] {
            let text = context(&location, None).event(&failed("AccessDenied", words, vec![])).message;
            let expected = "operation CREATE failed with \"AccessDenied\": the service gave no reason\n";
            assert!(text.starts_with(expected), "{text}");
            let error = RequestError {
                kind: service("ThrottlingException"),
                call: "GetResource",
                message: words.to_owned(),
                request_id: None,
                transient: true,
                request_token: None,
            };
            let text = context(&location, None).request(&error).message;
            assert!(
                text.starts_with("GetResource failed with \"ThrottlingException\": the service gave no reason\n"),
                "{text}"
            );
        }
    }

    #[test]
    fn only_failed_hooks_are_named() {
        let hook = |name: &str, status: &str| Hook {
            name: name.to_owned(),
            arn: "arn:h".to_owned(),
            version: "3".to_owned(),
            status: status.to_owned(),
            message: "public buckets are not allowed".to_owned(),
            failure_mode: "FAIL".to_owned(),
            invocation_point: "CREATE_PRE_PROVISION".to_owned(),
            time: None,
        };
        let hooks = vec![hook("Acme::Fine", "HOOK_COMPLETE_SUCCEEDED"), hook("Acme::Guard", "HOOK_COMPLETE_FAILED")];
        let location = Location::default();
        let text = context(&location, None).event(&failed("GeneralServiceException", "blocked", hooks)).message;
        assert_eq!(
            text,
            "operation CREATE failed with \"GeneralServiceException\": blocked. Hook failures: HookName: Acme::Guard, \
             HookArn: arn:h, HookVersion: 3, Time: N/A, HookMessage: public buckets are not allowed, InvocationPoint: \
             CREATE_PRE_PROVISION, FailureMode: FAIL, HookStatus: HOOK_COMPLETE_FAILED\n  type: AWS::S3::Bucket, request \
             token: t-1"
        );
    }

    #[test]
    fn durations_have_no_exponents() {
        assert_eq!(seconds(std::time::Duration::from_millis(500)), "0.5 s");
        assert_eq!(seconds(std::time::Duration::from_secs(7_200_000_000)), "7200000000 s");
    }
}
