//! When two policy documents mean the same.
//!
//! By the [grammar of IAM policies](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html) the
//! order of statements, actions, resources, principals and condition values carries no meaning, and one value is a list
//! of it. Services print documents in an order and form of their own. Both documents are brought into one form and
//! compared; what the grammar does not name counts as the JSON that it is.

use std::collections::BTreeSet;

use serde_json::{Map as JsonMap, Value as Json};
use value::Value;

use super::document;

/// Whether two policy documents, each as text or as a value of its own, mean the same; `None` when one of them is no
/// policy document. Marks of secrecy do not count; a document that is not known yet is none.
pub fn equivalent(one: &Value, other: &Value) -> Option<bool> {
    let (one, other) = (Policy::of(one)?, Policy::of(other)?);
    // A bare account says nothing about the partition; two ARNs do.
    let partitions = one.partitions.is_empty() || other.partitions.is_empty() || one.partitions == other.partitions;
    Some(partitions && one.form == other.form)
}

/// A document in the form in which equal meanings are equal.
struct Policy {
    form: Json,
    /// The partitions of the accounts that are named by ARN, which the form names by number.
    partitions: BTreeSet<String>,
}

impl Policy {
    fn of(value: &Value) -> Option<Self> {
        let document = document::parsed(value)?;
        let Json::Object(mut members) = json(&document)? else { return None };
        let statements = match members.remove("Statement")? {
            Json::Array(statements) => statements,
            Json::Object(statement) => vec![Json::Object(statement)],
            _ => return None,
        };
        let mut partitions = BTreeSet::new();
        let mut forms = Vec::with_capacity(statements.len());
        for statement in statements {
            let Json::Object(statement) = statement else { return None };
            forms.push(self::statement(statement, &mut partitions));
        }
        forms.sort_by_cached_key(Json::to_string);
        members.insert("Statement".to_owned(), Json::Array(forms));
        Some(Self { form: Json::Object(members), partitions })
    }
}

/// The document as JSON, without members that are null: they are absent. `None` for what JSON cannot say.
fn json(document: &Value) -> Option<Json> {
    let mut json = value::json::to_json(document).ok()?;
    drop_nulls(&mut json);
    Some(json)
}

fn drop_nulls(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn statement(members: JsonMap<String, Json>, partitions: &mut BTreeSet<String>) -> Json {
    let form = members.into_iter().map(|(name, member)| {
        let form = match name.as_str() {
            "Effect" => folded(member),
            "Action" | "NotAction" => set(member, folded),
            "Resource" | "NotResource" => set(member, |item| item),
            "Principal" | "NotPrincipal" => principal(member, partitions),
            "Condition" => conditions(member),
            _ => member,
        };
        (name, form)
    });
    Json::Object(form.collect())
}

/// Text in lower case; anything else as it is.
fn folded(json: Json) -> Json {
    match json {
        Json::String(text) => Json::String(text.to_lowercase()),
        other => other,
    }
}

/// A text or a list of texts as a list in order, each text once; anything else as it is.
fn set(json: Json, form: impl Fn(Json) -> Json) -> Json {
    let items = match json {
        Json::Array(items) => items,
        text @ Json::String(_) => vec![text],
        other => return other,
    };
    if !items.iter().all(Json::is_string) {
        return Json::Array(items);
    }
    let mut items: Vec<Json> = items.into_iter().map(form).collect();
    items.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
    items.dedup();
    Json::Array(items)
}

fn principal(json: Json, partitions: &mut BTreeSet<String>) -> Json {
    let members = match json {
        Json::Object(members) => members,
        // Everybody, in the longer of two forms that mean the same.
        everybody if everybody == "*" => JsonMap::from_iter([("AWS".to_owned(), everybody)]),
        other => return other,
    };
    let mut form = JsonMap::new();
    for (kind, named) in members {
        let named = match kind.as_str() {
            "AWS" => account_numbers(named, partitions),
            _ => named,
        };
        let named = set(named, |item| item);
        // Nobody is named.
        if named.as_array().is_none_or(|named| !named.is_empty()) {
            form.insert(kind, named);
        }
    }
    Json::Object(form)
}

/// The account that an ARN of its root user names, by its number: both forms mean the account.
fn account_numbers(json: Json, partitions: &mut BTreeSet<String>) -> Json {
    match json {
        Json::Array(items) => items.into_iter().map(|item| account_numbers(item, partitions)).collect(),
        Json::String(text) => match root_account(&text) {
            Some((partition, account)) => {
                partitions.insert(partition.to_owned());
                Json::String(account.to_owned())
            }
            None => Json::String(text),
        },
        other => other,
    }
}

/// Partition and account of `arn:{partition}:iam::{account}:root`.
fn root_account(arn: &str) -> Option<(&str, &str)> {
    let (partition, rest) = arn.strip_prefix("arn:")?.split_once(':')?;
    let account = rest.strip_prefix("iam::")?.strip_suffix(":root")?;
    (account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit())).then_some((partition, account))
}

/// Operators and keys in lower case, values as texts: a condition compares texts, whatever JSON calls them.
fn conditions(json: Json) -> Json {
    folded_keys(json, |operator| folded_keys(operator, |values| set(as_texts(values), |item| item)))
}

/// An object with its keys in lower case; as it is if two keys would be one.
fn folded_keys(json: Json, form: impl Fn(Json) -> Json) -> Json {
    let Json::Object(members) = json else { return json };
    let distinct: BTreeSet<String> = members.keys().map(|key| key.to_lowercase()).collect();
    let folds = distinct.len() == members.len();
    let form = members.into_iter().map(|(key, member)| (if folds { key.to_lowercase() } else { key }, form(member)));
    Json::Object(form.collect())
}

fn as_texts(json: Json) -> Json {
    match json {
        Json::Array(items) => items.into_iter().map(as_texts).collect(),
        Json::Bool(flag) => Json::String(flag.to_string()),
        Json::Number(number) => Json::String(number.to_string()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
