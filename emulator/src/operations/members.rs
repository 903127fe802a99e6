//! The members of requests, held against their constraints, which [`model`] has.

mod model;

use crate::api_error::{ApiError, Code};
use crate::json::texts;
use model::{FILTERS, TEXTS, members_of, next_token};
use serde_json::{Map, Value};

/// A request whose members have the right kinds and lengths.
#[derive(Debug)]
pub(crate) struct Members<'b> {
    body: &'b Map<String, Value>,
}

impl<'b> Members<'b> {
    /// Checks the members of a body. Members that the operation does not know are ignored, as the service does.
    ///
    /// # Errors
    ///
    /// SerializationException for a member of the wrong kind, ValidationException listing every constraint that does
    /// not hold. Values are not repeated: some are secret.
    pub(crate) fn check(operation: &str, body: &'b Value) -> Result<Members<'b>, ApiError> {
        let wrong_kind = |what: &str| ApiError::new(Code::Serialization, what.to_owned());
        let body = body.as_object().ok_or_else(|| wrong_kind("the request body is not a JSON object"))?;
        let (required, optional) = members_of(operation);
        let mut problems = Vec::new();
        for name in required.iter().chain(optional) {
            match body.get(*name).filter(|value| !value.is_null()) {
                None if required.contains(name) => {
                    problems.push(format!(
                        "Value at '{}' failed to satisfy constraint: Member must not be null",
                        camel(name)
                    ));
                }
                None => {}
                Some(value) => check_member(operation, name, value, &mut problems)?,
            }
        }
        match problems.len() {
            0 => Ok(Members { body }),
            1 => Err(ApiError::validation(format!("1 validation error detected: {}", problems.join("; ")))),
            count => Err(ApiError::validation(format!("{count} validation errors detected: {}", problems.join("; ")))),
        }
    }

    /// A text member, empty when it is absent.
    pub(crate) fn text(&self, name: &str) -> &'b str {
        self.optional(name).unwrap_or_default()
    }

    /// A text member that may be absent.
    pub(crate) fn optional(&self, name: &str) -> Option<&'b str> {
        self.body.get(name).and_then(Value::as_str)
    }

    /// The page size asked for.
    pub(crate) fn max_results(&self) -> Option<usize> {
        self.body.get("MaxResults")?.as_u64().map(|count| count as usize)
    }

    /// The texts in a list of the status filter; empty when nothing is filtered.
    pub(crate) fn filter(&self, list: &str) -> Vec<&'b str> {
        texts(self.body.get("ResourceRequestStatusFilter").and_then(|filter| filter.get(list))).collect()
    }
}

/// Whether an operation has a member of this name.
pub(crate) fn knows(operation: &str, name: &str) -> bool {
    let (required, optional) = members_of(operation);
    required.contains(&name) || optional.contains(&name)
}

fn check_member(operation: &str, name: &str, value: &Value, problems: &mut Vec<String>) -> Result<(), ApiError> {
    let mut failed = |constraint: String| {
        problems.push(format!("Value at '{}' failed to satisfy constraint: Member must {constraint}", camel(name)));
    };
    match (name, value) {
        ("MaxResults", Value::Number(number)) => match number.as_i64() {
            Some(count) if count < 1 => failed("have value greater than or equal to 1".to_owned()),
            Some(count) if count > 100 => failed("have value less than or equal to 100".to_owned()),
            Some(_) => {}
            None => return Err(ApiError::new(Code::Serialization, "MaxResults is not an integer")),
        },
        ("ResourceRequestStatusFilter", Value::Object(filter)) => check_filter(filter, problems)?,
        ("MaxResults" | "ResourceRequestStatusFilter", _) => {
            return Err(ApiError::new(Code::Serialization, format!("{name} has the wrong JSON type")));
        }
        (_, Value::String(text)) => {
            let limits = TEXTS.iter().find(|(member, ..)| *member == name);
            let page = || {
                let (longest, alphabet) = next_token(operation);
                ("NextToken", 1, longest, alphabet)
            };
            let (_, shortest, longest, alphabet) = limits.copied().unwrap_or_else(page);
            let length = text.chars().take(longest + 1).count();
            if length < shortest {
                failed(format!("have length greater than or equal to {shortest}"));
            }
            if length > longest {
                failed(format!("have length less than or equal to {longest}"));
            }
            if !alphabet.allows(text) {
                failed(format!("satisfy regular expression pattern: {}", alphabet.pattern()));
            }
        }
        _ => {
            return Err(ApiError::new(
                Code::Serialization,
                format!("{name} must be a string; a document goes into it as JSON text"),
            ));
        }
    }
    Ok(())
}

/// Checks the values of a status filter; members that it does not know are ignored.
fn check_filter(filter: &Map<String, Value>, problems: &mut Vec<String>) -> Result<(), ApiError> {
    for (list, allowed) in FILTERS {
        let wrong_kind = || ApiError::new(Code::Serialization, format!("{list} is not an array of strings"));
        let values = match filter.get(list) {
            None | Some(Value::Null) => continue,
            Some(values) => values.as_array().ok_or_else(wrong_kind)?,
        };
        for (index, value) in values.iter().enumerate() {
            let text = value.as_str().ok_or_else(wrong_kind)?;
            if !allowed.contains(&text) {
                problems.push(format!(
                    "Value at 'resourceRequestStatusFilter.{}.{}.member' failed to satisfy constraint: Member must \
                     satisfy enum value set: [{}]",
                    camel(list),
                    index + 1,
                    allowed.join(", ")
                ));
            }
        }
    }
    Ok(())
}

/// `TypeName` as `typeName`, which is how the service spells members in these texts.
fn camel(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_checked_against_the_service_model() {
        let one = |member: &str, constraint: &str| {
            format!(
                "ValidationException: 1 validation error detected: Value at '{member}' failed to satisfy constraint: Member must {constraint}"
            )
        };
        for (operation, body, expected) in [
            ("GetResource", json!({"TypeName": "AWS::S3::Bucket", "Identifier": "b", "Extra": 1}), String::new()),
            ("GetResource", json!({"TypeName": "AWS::S3::Bucket"}), one("identifier", "not be null")),
            (
                "GetResource",
                json!({"TypeName": "AWS::S3::Bucket", "Identifier": ""}),
                one("identifier", "have length greater than or equal to 1"),
            ),
            (
                "GetResource",
                json!({"TypeName": "AWS::S3::Bucket", "Identifier": "a\nb"}),
                one("identifier", "satisfy regular expression pattern: .+"),
            ),
            (
                "GetResource",
                json!({"TypeName": "AWS::S3::Bucket", "Identifier": "x".repeat(1025)}),
                one("identifier", "have length less than or equal to 1024"),
            ),
            (
                "GetResourceRequestStatus",
                json!({"RequestToken": "a b"}),
                one("requestToken", "satisfy regular expression pattern: [A-Za-z0-9-+/=]+"),
            ),
            (
                "ListResources",
                json!({"TypeName": "AWS::S3::Bucket", "MaxResults": 0}),
                one("maxResults", "have value greater than or equal to 1"),
            ),
            (
                "CreateResource",
                json!({"TypeName": "AWS::S3::Bucket", "DesiredState": {}}),
                "SerializationException: DesiredState must be a string; a document goes into it as JSON text"
                    .to_owned(),
            ),
            (
                "ListResourceRequests",
                json!({"ResourceRequestStatusFilter": {"Operations": ["CREATE", "READ"], "OperationStatuses": ["SUCCESS"]}}),
                "ValidationException: 1 validation error detected: Value at \
                 'resourceRequestStatusFilter.operations.2.member' failed to satisfy constraint: Member must satisfy enum \
                 value set: [CREATE, DELETE, UPDATE]"
                    .to_owned(),
            ),
            (
                "ListResourceRequests",
                json!({"ResourceRequestStatusFilter": {"Operations": "CREATE"}}),
                "SerializationException: Operations is not an array of strings".to_owned(),
            ),
            (
                "ListResourceRequests",
                json!({"NextToken": "a b"}),
                one("nextToken", "satisfy regular expression pattern: [A-Za-z0-9-+/=]+"),
            ),
            (
                "ListResourceRequests",
                json!({"NextToken": "a".repeat(2049)}),
                one("nextToken", "have length less than or equal to 2048"),
            ),
            ("ListResources", json!({"TypeName": "AWS::S3::Bucket", "NextToken": "a b"}), String::new()),
            (
                "ListResources",
                json!({"TypeName": "AWS::S3::Bucket", "NextToken": "a".repeat(4097)}),
                one("nextToken", "have length less than or equal to 4096"),
            ),
            ("CreateResource", json!([]), "SerializationException: the request body is not a JSON object".to_owned()),
            (
                "CreateResource",
                json!({"TypeName": "AWS::S3::Bucket", "DesiredState": "{}", "RoleArn": "arn:aws:iam::123456789012:role/x"}),
                String::new(),
            ),
            (
                "CreateResource",
                json!({"TypeName": "AWS::S3::Bucket", "DesiredState": "{}", "RoleArn": "arn:aws:iam::1234:role/xxxxxx"}),
                one("roleArn", "satisfy regular expression pattern: arn:.+:iam::[0-9]{12}:role/.+"),
            ),
        ] {
            let text = Members::check(operation, &body).map_or_else(|error| error.to_string(), |_| String::new());
            assert_eq!(text, expected, "{operation} {body}");
        }
        let two = Members::check("GetResource", &json!({})).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(two.starts_with("ValidationException: 2 validation errors detected: "), "{two}");
    }
}
