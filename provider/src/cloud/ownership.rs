//! Whose resource it is that a create named which did not succeed.
//!
//! An identifier proves little, whether the create failed, was cancelled or is not known to have ended. With AlreadyExists it is somebody else's; some services name what they
//! never made; and when the program chose the name, a resource of that name may have been there before. Taking a foreign
//! resource into the state would one day delete it, leaving out our own would make it an orphan. So it takes evidence to
//! take one in, and whatever is left out is named in the error:
//!
//! | what is known | claim |
//! |---|---|
//! | failed with AlreadyExists | foreign |
//! | failed otherwise, with words that say "already exists" of this very identifier | doubtful |
//! | failed with NotStabilized: what was made did not settle | ours |
//! | the identifier was named while the handler ran (IN_PROGRESS) | ours |
//! | the identifier is not spelled in the desired state: the service made it up for this request | ours |
//! | the identifier holds a name with random characters, made for this resource | ours |
//! | anything else: a failure, CANCEL_COMPLETE, a wait that ended while the request was PENDING, polls that were lost | doubtful |
//!
//! A request that has not ended stays in the journal, so that the next run asks the service how it ended; that is the proof
//! which is missing here. The service often repeats an identifier that the program spelled before its handler has looked
//! whether there is such a resource (decision 16).
//!
//! "Already exists" in other words than the code's is no collision by itself: it may be about a part of the resource that
//! the handler makes after the resource. Whether the resource exists at all is asked by the client.

use metadata::model::{NameForm, Separator};
use serde_json::Value as Json;
use value::Urn;

use super::codes::{Conflict, handler_code};
use super::words::contains_any;
use crate::autoname::{is_drawn_freely, stems};

/// A resource as the attempt that named it left it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// What the service called it.
    pub(super) identifier: String,
    /// The code of the attempt's failure, empty when the service gave none; `None` when it was never seen to fail.
    pub(super) code: Option<String>,
    /// The service's words.
    pub(super) message: String,
    /// It was called so while its handler ran, not only with the failure.
    pub(super) running: bool,
}

/// Whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// This create made it, if it exists.
    Ours,
    /// Somebody else made it.
    Foreign,
    /// Nothing shows who made it.
    Doubtful,
}

/// Whether one identifier is the other in a longer form: a name in an ARN, a part of a composite one.
pub(super) fn is_longer_form(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_edge = |c: Option<char>| c.is_none_or(|c| matches!(c, '|' | ':' | '/'));
    !short.is_empty()
        && long
            .match_indices(short)
            .any(|(at, _)| is_edge(long[..at].chars().next_back()) && is_edge(long[at + short.len()..].chars().next()))
}

/// Decides by the table above. `urn` is the resource's, `desired` what was sent.
pub(super) fn claim(named: &Named, urn: &str, desired: &Json) -> Claim {
    match named.code.as_deref() {
        Some(code) if Conflict::of(code) == Some(Conflict::Taken) => Claim::Foreign,
        Some(_) if says_that_it_exists(named) => Claim::Doubtful,
        Some(code) if handler_code(code) == "NotStabilized" => Claim::Ours,
        _ if named.running => Claim::Ours,
        _ if !is_chosen(&named.identifier, desired) || is_random(&named.identifier, urn) => Claim::Ours,
        _ => Claim::Doubtful,
    }
}

fn says_that_it_exists(named: &Named) -> bool {
    contains_any(&named.message, &["already exists", "alreadyexists"])
        && contains_any(&named.message, &[&named.identifier.to_lowercase()])
}

/// Whether the desired state spells every part of the identifier, so that it could have been another resource's before.
pub(super) fn is_chosen(identifier: &str, desired: &Json) -> bool {
    identifier.split('|').all(|part| spells(desired, part))
}

/// Whether a text or number anywhere in the document is `part`, or the end of it behind a `:` or `/`, as names are in
/// ARNs and URLs. Services may change the case.
fn spells(document: &Json, part: &str) -> bool {
    let part = part.to_lowercase();
    let is_part = |text: &str| {
        let text = text.to_lowercase();
        part.strip_suffix(text.as_str())
            .is_some_and(|rest| !text.is_empty() && (rest.is_empty() || rest.ends_with(':') || rest.ends_with('/')))
    };
    let mut left = vec![document];
    while let Some(value) = left.pop() {
        let found = match value {
            Json::String(text) => is_part(text),
            Json::Number(number) => is_part(&number.to_string()),
            Json::Array(items) => {
                left.extend(items);
                false
            }
            Json::Object(members) => {
                left.extend(members.values());
                false
            }
            Json::Null | Json::Bool(_) => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Whether the identifier holds a generated name of the resource: its logical name, in any of the spellings that services
/// take, a separator and as many random characters as are drawn: years, dates and numbers of accounts are none. A name that was shortened to fit is not recognized; then other evidence must do.
fn is_random(identifier: &str, urn: &str) -> bool {
    let Ok(urn) = Urn::parse(urn) else { return false };
    let separators = [(Separator::Dash, '-'), (Separator::Underscore, '_')];
    separators.into_iter().any(|(separator, sign)| {
        let mut stems = stems(NameForm { lower_case: false, separator }, urn.name());
        stems.push(urn.name().to_owned());
        identifier.split(['|', ':', '/']).any(|name| {
            let random = stems.iter().filter_map(|stem| name.strip_prefix(stem.as_str())?.strip_prefix(sign));
            let mut random = random.map(|random| random.strip_suffix(".fifo").unwrap_or(random));
            random.any(|random| random.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_drawn_freely(random))
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_resource_may_have_longer_names() {
        for (one, other, same) in [
            ("orders", "arn:aws:sqs:eu-west-1:1:orders", true),
            ("a|b", "a", true),
            ("a", "b", false),
            ("q-1", "q-10", false),
            ("", "q", false),
            ("x/y", "z/x/y/w", true),
            ("é", "aé", false),
        ] {
            assert_eq!((is_longer_form(one, other), is_longer_form(other, one)), (same, same), "{one} {other}");
        }
    }

    const URN: &str = "urn:pulumi:dev::p::aws-native:sqs:Queue::orders";

    #[test]
    fn claims() {
        let chosen = json!({"QueueName": "orders"});
        for (identifier, code, message, running, desired, expected) in [
            // Never seen to fail: the program's own word for it proves nothing before the handler runs.
            ("orders", None, "", false, &chosen, Claim::Doubtful),
            ("orders", None, "orders already exists", false, &chosen, Claim::Doubtful),
            ("ORDERS|7", None, "", false, &json!({"A": [{"B": 7}], "N": "orders"}), Claim::Doubtful),
            ("orders", None, "", true, &chosen, Claim::Ours),
            ("q-1", None, "", false, &chosen, Claim::Ours),
            ("orders|i-1", None, "", false, &chosen, Claim::Ours),
            ("orders-0a1b2c3", None, "", false, &json!({"N": "orders-0a1b2c3"}), Claim::Ours),
            // A collision, by code or by words about the very identifier.
            ("orders", Some("AlreadyExists"), "", true, &chosen, Claim::Foreign),
            ("q-1", Some("AlreadyExistsException"), "", false, &chosen, Claim::Foreign),
            ("orders", Some("GeneralServiceException"), "Queue Orders Already Exists", true, &chosen, Claim::Doubtful),
            ("q-1", Some("InvalidRequest"), "q-1 already exists", false, &chosen, Claim::Doubtful),
            // A collision of a part that the handler makes later.
            ("orders", Some("ResourceConflict"), "policy p already exists", true, &chosen, Claim::Ours),
            ("q-1", Some("ResourceConflict"), "policy p already exists", false, &chosen, Claim::Ours),
            ("orders", Some("ResourceConflict"), "policy p already exists", false, &chosen, Claim::Doubtful),
            // Evidence.
            ("orders", Some("NotStabilized"), "", false, &chosen, Claim::Ours),
            ("orders", Some("InvalidRequest"), "bad", true, &chosen, Claim::Ours),
            ("orders", Some("InvalidRequest"), "bad", false, &chosen, Claim::Doubtful),
            ("orders", Some("InvalidRequest"), "bad", false, &json!({}), Claim::Ours),
            ("arn:aws:sqs:eu-west-1:1:orders", Some("InvalidRequest"), "bad", false, &chosen, Claim::Doubtful),
            ("arn:aws:sqs:eu-west-1:1:reorders", Some("InvalidRequest"), "bad", false, &chosen, Claim::Ours),
            ("ORDERS|7", Some("InvalidRequest"), "", false, &json!({"A": [{"B": 7}], "N": "orders"}), Claim::Doubtful),
            ("orders|i-1", Some("InvalidRequest"), "", false, &chosen, Claim::Ours),
            ("orders-0a1b2c3", Some("AccessDenied"), "", false, &json!({"N": "orders-0a1b2c3"}), Claim::Ours),
            // An account's number and a date are not drawn.
            (
                "orders-123456789012",
                Some("AccessDenied"),
                "",
                false,
                &json!({"N": "orders-123456789012"}),
                Claim::Doubtful,
            ),
            ("orders-20240131", Some("AccessDenied"), "", false, &json!({"N": "orders-20240131"}), Claim::Doubtful),
            ("orders-db", Some("AccessDenied"), "", false, &json!({"N": "orders-db"}), Claim::Doubtful),
        ] {
            let named = Named {
                identifier: identifier.to_owned(),
                code: code.map(str::to_owned),
                message: message.to_owned(),
                running,
            };
            assert_eq!(claim(&named, URN, desired), expected, "{named:?} of {desired}");
        }
    }
}
