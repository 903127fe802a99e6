//! What can be read of an answer that the SDK refuses to read.
//!
//! One member in another form (a time as text, a number for a text) makes the SDK refuse the whole answer, and with it the
//! request token and the identifier of an operation that runs. Both are looked for here; what is odd is left out. An answer
//! without a status and without a token says nothing.

use std::time::SystemTime;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use serde_json::{Map, Value as Json};

use super::event::{Event, Hook, Status};

/// The event in the body of an answer. `began` is the answer to the call that begins an operation: its token is enough.
pub(super) fn event(body: &[u8], began: bool) -> Option<Event> {
    let body: Json = serde_json::from_slice(body).ok()?;
    let members = body.get("ProgressEvent")?.as_object()?;
    let request_token = text(members, "RequestToken");
    let status = match text(members, "OperationStatus") {
        Some(status) => Status::parse(&status),
        None if began && request_token.is_some() => Status::InProgress,
        None => return None,
    };
    let hooks = body.get("HooksProgressEvent").and_then(Json::as_array).into_iter().flatten();
    Some(Event {
        request_token,
        identifier: text(members, "Identifier"),
        code: text(members, "ErrorCode"),
        message: text(members, "StatusMessage"),
        retry_after: members
            .get("RetryAfter")
            .and_then(time)
            .and_then(|at| SystemTime::try_from(at).ok())
            .map(super::sdk::event::until),
        hooks: hooks.filter_map(Json::as_object).map(hook).collect(),
        type_name: text(members, "TypeName"),
        operation: text(members, "Operation"),
        ..Event::new(status)
    })
}

/// A member that is a text and not empty.
fn text(members: &Map<String, Json>, name: &str) -> Option<String> {
    members.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A time as a number of seconds since 1970, which the API has, or as text.
fn time(value: &Json) -> Option<DateTime> {
    match value {
        Json::Number(seconds) => seconds.as_f64().map(DateTime::from_secs_f64),
        Json::String(text) => DateTime::from_str(text, Format::DateTimeWithOffset).ok(),
        _ => None,
    }
}

fn hook(members: &Map<String, Json>) -> Hook {
    let text = |name| text(members, name).unwrap_or_default();
    Hook {
        name: text("HookTypeName"),
        arn: text("HookTypeArn"),
        version: text("HookTypeVersionId"),
        invocation_point: text("InvocationPoint"),
        status: text("HookStatus"),
        time: members.get("HookEventTime").and_then(time).and_then(|time| time.fmt(Format::DateTime).ok()),
        message: text("HookStatusMessage"),
        failure_mode: text("FailureMode"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn odd_members_are_left_out() {
        let told = |event: Event| {
            let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            format!("{} {} {} {}", event.status.name(), or(event.request_token), or(event.identifier), or(event.code))
        };
        for (members, began, expected) in [
            (r#""RequestToken":"t","OperationStatus":"SUCCESS","Identifier":7"#, false, Some("SUCCESS t - -")),
            (r#""RequestToken":"t","OperationStatus":"FAILED","ErrorCode":7"#, false, Some("FAILED t - -")),
            (
                r#""RequestToken":"t","OperationStatus":"FAILED","ErrorCode":"X","StatusMessage":[]"#,
                false,
                Some("FAILED t - X"),
            ),
            // What began has a token; a poll without a status says nothing.
            (r#""RequestToken":"t","Identifier":"q","OperationStatus":7"#, true, Some("IN_PROGRESS t q -")),
            (r#""RequestToken":"t","Identifier":"q""#, false, None),
            (r#""Identifier":"q""#, true, None),
            (r#""RequestToken":"","Identifier":"q""#, true, None),
        ] {
            let body = format!(r#"{{"ProgressEvent":{{{members}}}}}"#);
            assert_eq!(event(body.as_bytes(), began).map(told).as_deref(), expected, "{members}");
        }
        for body in ["", "null", "[]", "<html>", r#"{"ProgressEvent":[]}"#, r#"{"ProgressEvent":{"RequestToken":"t""#] {
            assert!(event(body.as_bytes(), true).is_none(), "{body}");
        }
    }

    #[test]
    fn times_may_be_texts() {
        let pause = |time: &str| {
            let body = format!(r#"{{"ProgressEvent":{{"OperationStatus":"PENDING","RetryAfter":{time}}}}}"#);
            event(body.as_bytes(), false).map(|event| event.retry_after.map(|pause| pause > Duration::from_secs(60)))
        };
        for (time, expected) in [
            (r#""2999-01-01T00:00:00Z""#, Some(true)),
            (r#""2999-01-01T00:00:00+02:00""#, Some(true)),
            (r#""2020-01-01T00:00:00Z""#, Some(false)),
            ("99999999999", Some(true)),
            (r#""soon""#, None),
            ("true", None),
        ] {
            assert_eq!(pause(time), Some(expected), "{time}");
        }
    }
}
