//! References between resources: what is named in another model cannot be deleted, where that is switched on.

use crate::handler_error::{HandlerErrorCode, Matter};
use crate::options::References;
use crate::store::{Request, Txn};
use serde_json::Value;

/// Looks for a resource of the same account whose model names the one that is about to be deleted.
///
/// # Errors
///
/// The text of the failed request, which names the referrer.
pub(super) fn check(txn: &Txn<'_>, request: &Request, model: &str) -> Result<(), String> {
    let core = txn.core();
    let mode = core.options.switches.refs;
    if mode == References::Off {
        return Ok(());
    }
    let names = names(&request.identifier, model);
    let facts = core.knowledge.of_type(&request.shelf.type_name);
    for (shelf, resources) in txn.shelves() {
        let goes_with_it = facts.deletes_with.iter().any(|type_name| **type_name == *shelf.type_name);
        if shelf.account != request.shelf.account || goes_with_it {
            continue;
        }
        for other in resources {
            let is_itself = *shelf == request.shelf && other.identifier == request.identifier;
            if is_itself || !names.iter().any(|name| has_value(&other.model, name)) {
                continue;
            }
            if mode == References::Warn {
                tracing::warn!(
                    type_name = &*request.shelf.type_name,
                    identifier = &*request.identifier,
                    referrer_type = &*shelf.type_name,
                    referrer = &*other.identifier,
                    "a resource is deleted that another one names"
                );
                return Ok(());
            }
            let (type_name, identifier) = (&*request.shelf.type_name, &*request.identifier);
            let matter = Matter { type_name, identifier, action: request.operation.name() };
            let reason = format!(
                "it is used by the resource of type '{}' with identifier '{}'",
                shelf.type_name, other.identifier
            );
            return Err(HandlerErrorCode::ResourceConflict.text(&matter, &reason));
        }
    }
    Ok(())
}

/// The texts that name a resource, as JSON: its identifier and its ARNs.
fn names(identifier: &str, model: &str) -> Vec<String> {
    let model = crate::json::stored(model);
    let members = model.as_object().into_iter().flatten();
    let arns =
        members.filter(|(name, _)| *name == "Arn" || name.ends_with("Arn")).filter_map(|(_, value)| value.as_str());
    // An ARN elsewhere in the model names somebody else unless it ends like the identifier.
    let own = arns.filter(|arn| arn.starts_with("arn:") && (arn.ends_with(identifier) || *arn == identifier));
    let mut names: Vec<String> =
        std::iter::once(identifier).chain(own).map(|name| Value::from(name).to_string()).collect();
    names.dedup();
    names
}

/// Whether a JSON text has this string as a value; `quoted` is the string as JSON. Names of members do not count.
fn has_value(model: &str, quoted: &str) -> bool {
    let ends = model.match_indices(quoted).map(|(at, found)| at + found.len());
    ends.into_iter().any(|end| !model.get(end..).is_some_and(|rest| rest.starts_with(':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_and_names_of_members_do_not() {
        for (model, name, expected) in [
            (r#"{"KeyId":"k1"}"#, "k1", true),
            (r#"{"Keys":["k1"]}"#, "k1", true),
            (r#"{"k1":"x"}"#, "k1", false),
            (r#"{"k1":"x","Key":"k1"}"#, "k1", true),
            (r#"{"KeyId":"k10"}"#, "k1", false),
        ] {
            assert_eq!(has_value(model, &Value::from(name).to_string()), expected, "{model} {name}");
        }
        let model = r#"{"Arn":"arn:aws:sqs:r:1:q","RoleArn":"arn:aws:iam::1:role/x","Name":"q"}"#;
        assert_eq!(names("q", model), ["\"q\"", "\"arn:aws:sqs:r:1:q\""]);
    }
}
