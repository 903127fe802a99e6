//! Answers and errors of Cloud Control as JSON, in the service's names.

use serde_json::{Map as JsonMap, Value as Json, json};

use crate::cloud::api::RequestError;
use crate::cloud::error::CloudErrorKind;
use crate::cloud::event::{Event, Hook};
use crate::nesting::{MAX_DEPTH, depth};

/// A document, parsed; what is none, or is nested too deeply, stays text.
pub(super) fn document(text: &str) -> Json {
    if depth(text.as_bytes()) > MAX_DEPTH {
        return json!(text);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).unwrap_or_else(|_| json!(text))
}

/// The answer of a mutation or a status call as the service spells it. Its `RetryAfter` is the time that was left.
pub(super) fn event_form(event: &Event) -> Json {
    let retry_after = event.retry_after.map(|after| format!("{{now+{}s}}", after.as_secs_f64()));
    let progress = members([
        ("TypeName", event.type_name.clone()),
        ("Operation", event.operation.clone()),
        ("OperationStatus", Some(event.status.name().to_owned())),
        ("RequestToken", event.request_token.clone()),
        ("Identifier", event.identifier.clone()),
        ("ErrorCode", event.code.clone()),
        ("StatusMessage", event.message.clone()),
        ("RetryAfter", retry_after),
    ]);
    let mut answer = json!({ "ProgressEvent": progress });
    if !event.hooks.is_empty() {
        answer["HooksProgressEvent"] = event.hooks.iter().map(hook_form).collect();
    }
    answer
}

fn hook_form(hook: &Hook) -> Json {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    members([
        ("HookTypeName", given(&hook.name)),
        ("HookTypeArn", given(&hook.arn)),
        ("HookTypeVersionId", given(&hook.version)),
        ("InvocationPoint", given(&hook.invocation_point)),
        ("HookStatus", given(&hook.status)),
        ("HookEventTime", hook.time.clone()),
        ("HookStatusMessage", given(&hook.message)),
        ("FailureMode", given(&hook.failure_mode)),
    ])
}

/// An error: the service's code, or what kept it from answering.
pub(super) fn error_form(error: &RequestError) -> Json {
    let code = match &error.kind {
        CloudErrorKind::Service { code } => code.as_str(),
        CloudErrorKind::Unreachable => "(unreachable)",
        CloudErrorKind::Credentials { .. } => "(credentials)",
        CloudErrorKind::TimedOut => "(timed out)",
        CloudErrorKind::Canceled | CloudErrorKind::NotStarted => "(canceled)",
        CloudErrorKind::Malformed => "(malformed answer)",
        CloudErrorKind::MadeBefore => "(made before)",
    };
    members([
        ("code", Some(code.to_owned())),
        ("message", Some(error.message.clone())),
        ("requestId", error.request_id.clone()),
    ])
}

fn members<const N: usize>(members: [(&str, Option<String>); N]) -> Json {
    let present = members.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Json::String(text?))));
    Json::Object(present.collect::<JsonMap<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_are_none_stay_text() {
        let deep = "[".repeat(100_000);
        for text in ["{", "", deep.as_str()] {
            assert_eq!(document(text), json!(text));
        }
    }
}
