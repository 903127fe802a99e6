//! The tables of the service's codes in `tests/vectors/`, which are independent of this crate and of the local Cloud Control: what
//! the provider makes of every one of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use provider::advice;
use provider::cloud::CloudError;
use provider::cloud::api::{Mutation, RequestError};
use provider::cloud::error::CloudErrorKind;
use provider::cloud::event::{Event, Status};
use provider::cloud::failure::{Context, Location};
use provider::cloud::retry::{Retry, verdict};
use provider::lifecycle::Code;

const TYPE: &str = "AWS::S3::Bucket";

/// Retriable by the handler contract, and yet not repeated: the conflict lasts as long as what causes it.
const NOT_REPEATED: [&str; 1] = ["ResourceConflict"];

/// The rows of a table without its heading, cell by cell.
#[allow(clippy::disallowed_methods, reason = "a test reads its table")]
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1);
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// A default text of the handler contract about a bucket.
fn filled(text: &str) -> String {
    let text = text.replace("{type}", TYPE).replace("{identifier}", "b-1").replace("{action}", "DELETE");
    text.replace("{detail}", "the bucket is not empty")
}

fn refusal(code: &str, message: &str) -> RequestError {
    RequestError {
        kind: CloudErrorKind::Service { code: code.to_owned() },
        call: "GetResource",
        message: message.to_owned(),
        request_id: None,
        transient: false,
        request_token: None,
    }
}

#[test]
fn every_handler_code_is_repeated_or_told_by_its_class() {
    let rows = rows("handler-codes.tsv");
    assert_eq!(rows.len(), 16);
    let location = Location::default();
    let context = Context {
        type_name: TYPE,
        operation: "DELETE",
        identifier: Some("b-1"),
        request_token: Some("t-1"),
        location: &location,
    };
    for row in &rows {
        let [code, class, _, text] = row.as_slice() else { panic!("{row:?}") };
        let text = filled(text);
        let is_repeated = class == "retriable" && !NOT_REPEATED.contains(&code.as_str());
        let expected = if is_repeated { Retry::Attempts } else { Retry::No };
        let delete = Mutation::Delete { identifier: "b-1" };
        assert_eq!(verdict(delete, code, &text, true), expected, "{code}");

        let event = Event {
            request_token: Some("t-1".to_owned()),
            identifier: Some("b-1".to_owned()),
            code: Some(code.clone()),
            message: Some(text.clone()),
            ..Event::new(Status::Failed)
        };
        let error = context.event(&event);
        assert_eq!(
            error.message,
            format!(
                "operation DELETE failed with {code:?}: {text}\n  type: {TYPE}, identifier: b-1, request token: t-1"
            )
        );
        assert_eq!(error.kind, CloudErrorKind::Service { code: code.clone() });
        // The service began the deletion, so the resource is not known to be as it was.
        assert_eq!(advice::code(&CloudError { accepted: true, ..error }), Code::Unknown, "{code}");
    }
}

#[test]
fn only_the_service_says_that_a_resource_is_gone() {
    for row in rows("handler-codes.tsv") {
        let [code, _, exception, text] = row.as_slice() else { panic!("{row:?}") };
        let wrapped = format!(
            "{TYPE} Handler returned status FAILED: {} (HandlerErrorCode: {code}, RequestToken: \
             00000000-0000-4000-8000-000000000000)",
            filled(text)
        );
        assert_eq!(refusal(exception, &wrapped).is_gone(), code == "NotFound", "{code}");
        // Some types tell it inside another exception.
        assert_eq!(refusal("HandlerFailureException", &wrapped).is_gone(), code == "NotFound", "{code}");
    }
    for row in rows("errors.tsv") {
        let code = &row[0];
        assert_eq!(refusal(code, "").is_gone(), code == "ResourceNotFoundException", "{code}");
    }
}
