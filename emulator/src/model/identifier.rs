//! Identifiers: how they are built from a model and understood in a request.

use crate::schema::{InstancePath, ResourceType};
use serde_json::Value;

/// The most characters of an identifier, by the Cloud Control API.
const LONGEST: usize = 1024;

/// What no identifier may hold: the API's pattern is `.+`.
const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// What an identifier in a request asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Asked {
    /// The primary identifier as its text.
    Primary(String),
    /// Values of the additional identifier at this index.
    Additional(usize, Vec<Value>),
}

/// Takes empty parts of the primary identifier out of a desired state that the schema accepts.
///
/// An identifier has at least one character, by the Cloud Control API, so an empty part names nothing. Where the schema
/// does not ask for the part it counts as not given, and the service makes a name: patterns such as that of
/// `BucketName` allow the empty text for that purpose.
///
/// # Errors
///
/// The text of the service when the schema asks for the part.
pub(crate) fn settle_empty_parts(resource: &ResourceType, desired: &mut Value) -> Result<(), String> {
    for path in &resource.primary_identifier {
        if path.get(desired).and_then(Value::as_str) != Some("") {
            continue;
        }
        if resource.is_required(path) {
            let steps: Vec<&str> = path.segments().iter().filter_map(|segment| segment.name()).collect();
            return Err(format!("Model validation failed (#/{}: expected minLength: 1, actual: 0)", steps.join("/")));
        }
        path.remove(desired);
    }
    Ok(())
}

/// The text of the primary identifier: parts in schema order, joined with `|`; `None` while a part is missing or empty.
pub(crate) fn of_model(resource: &ResourceType, model: &Value) -> Option<String> {
    if resource.primary_identifier.is_empty() {
        return None;
    }
    Some(parts_of(resource, model)?.join("|"))
}

/// The parts of the primary identifier in schema order.
fn parts_of(resource: &ResourceType, model: &Value) -> Option<Vec<String>> {
    resource.primary_identifier.iter().map(|path| text(path.get(model)?)).collect()
}

/// Whether the API can name a resource of this identifier.
///
/// # Errors
///
/// The text of the service for an identifier that no request may hold.
pub(crate) fn check(identifier: &str) -> Result<(), String> {
    let length = identifier.chars().count();
    if length > LONGEST {
        return Err(format!("the primary identifier has {length} characters; at most {LONGEST} are allowed"));
    }
    if identifier.contains(LINE_ENDS) {
        return Err("the primary identifier has a line end in it, which no identifier may have".to_owned());
    }
    Ok(())
}

/// The values of an additional identifier, `None` while one is missing.
pub(crate) fn additional_of_model(paths: &[InstancePath], model: &Value) -> Option<Vec<Value>> {
    paths.iter().map(|path| path.get(model).cloned()).collect()
}

/// Understands the identifier of a request.
///
/// `model_of` gives the model of the resource with that text, if one exists: values may themselves contain `|`, so a text
/// with surplus separators is right when it names something, and parts that are named one by one must be those of the
/// model. What names nothing stays as it was given.
///
/// # Errors
///
/// The text of the service when the number of parts is wrong.
pub(crate) fn parse(
    resource: &ResourceType,
    given: &str,
    model_of: impl Fn(&str) -> Option<Value>,
) -> Result<Asked, String> {
    if given.trim_start().starts_with('{')
        && let Ok(Value::Object(members)) = crate::json::parse(given)
    {
        if let Some(values) = pick(&resource.primary_identifier, &members) {
            let parts: Option<Vec<String>> = values.iter().map(text).collect();
            if let Some(parts) = parts {
                let joined = parts.join("|");
                let is_ambiguous = joined.split('|').count() > parts.len();
                let is_other =
                    is_ambiguous && model_of(&joined).is_some_and(|model| parts_of(resource, &model) != Some(parts));
                return Ok(Asked::Primary(if is_other { given.to_owned() } else { joined }));
            }
        }
        for (index, paths) in resource.additional_identifiers.iter().enumerate() {
            if let Some(values) = pick(paths, &members) {
                return Ok(Asked::Additional(index, values));
            }
        }
    }
    let wanted = resource.primary_identifier.len();
    let parts = if wanted == 1 { 1 } else { given.split('|').count() };
    if parts == wanted || (parts > wanted && model_of(given).is_some()) {
        return Ok(Asked::Primary(given.to_owned()));
    }
    let pointers: Vec<&str> = resource.primary_identifier.iter().map(InstancePath::pointer).collect();
    Err(format!("Identifier {given} is not valid for identifier [{}]", pointers.join(", ")))
}

/// The values for all paths when the members are exactly those, by short name or by pointer.
fn pick(paths: &[InstancePath], members: &serde_json::Map<String, Value>) -> Option<Vec<Value>> {
    if paths.is_empty() || members.len() != paths.len() {
        return None;
    }
    let value = |path: &InstancePath| members.get(path.short_name()).or_else(|| members.get(path.pointer())).cloned();
    paths.iter().map(value).collect()
}

/// A part as text; numbers in their shortest form.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 => Some(format!("{float:.0}")),
            _ => Some(number.to_string()),
        },
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn route() -> ResourceType {
        let schema = json!({
            "primaryIdentifier": ["/properties/ApiId", "/properties/RouteId"],
            "additionalIdentifiers": [["/properties/Arn"]],
        });
        ResourceType::new("AWS::Api::Route".to_owned(), schema)
    }

    #[test]
    fn identifiers_are_built_in_schema_order() {
        let nested = ResourceType::new("A::B::C".to_owned(), json!({"primaryIdentifier": ["/properties/Device/Name"]}));
        let number = ResourceType::new("A::B::C".to_owned(), json!({"primaryIdentifier": ["/properties/Version"]}));
        for (resource, model, expected) in [
            (&route(), json!({"RouteId": "r", "ApiId": "a"}), Some("a|r")),
            (&route(), json!({"RouteId": "r"}), None),
            (&route(), json!({"RouteId": "r", "ApiId": ""}), None),
            (&nested, json!({"Device": {"Name": "d"}}), Some("d")),
            (&number, json!({"Version": 3}), Some("3")),
            (&number, json!({"Version": 3.0}), Some("3")),
            (&number, json!({"Version": 2.5}), Some("2.5")),
            (&number, json!({"Version": []}), None),
        ] {
            assert_eq!(of_model(resource, &model).as_deref(), expected, "{model}");
        }
    }

    #[test]
    fn identifiers_that_no_request_may_hold_are_refused() {
        for (identifier, expected) in [
            ("é".repeat(1024), None),
            ("é".repeat(1025), Some("the primary identifier has 1025 characters; at most 1024 are allowed")),
            ("a\nb".to_owned(), Some("the primary identifier has a line end in it, which no identifier may have")),
            ("a\u{2028}".to_owned(), Some("the primary identifier has a line end in it, which no identifier may have")),
            ("a\tb".to_owned(), None),
        ] {
            assert_eq!(check(&identifier).err().as_deref(), expected, "{identifier:?}");
        }
    }

    #[test]
    fn empty_parts_are_refused_where_required_and_absent_otherwise() {
        let device = json!({"properties": {"Name": {"type": "string"}}, "required": ["Name"]});
        let schema = json!({
            "properties": {"Id": {"type": "string"}, "Device": {"$ref": "#/definitions/Device"}},
            "definitions": {"Device": device},
            "primaryIdentifier": ["/properties/Id", "/properties/Device/Name"],
        });
        let resource = ResourceType::new("A::B::C".to_owned(), schema);
        let refused = "Model validation failed (#/Device/Name: expected minLength: 1, actual: 0)";
        for (desired, expected) in [
            (json!({"Id": "i", "Device": {"Name": "n"}}), Ok(json!({"Id": "i", "Device": {"Name": "n"}}))),
            (json!({"Id": "", "Device": {"Name": "n"}}), Ok(json!({"Device": {"Name": "n"}}))),
            (json!({"Id": "i", "Device": {"Name": ""}}), Err(refused.to_owned())),
            (json!({"Other": ""}), Ok(json!({"Other": ""}))),
        ] {
            let mut settled = desired.clone();
            assert_eq!(settle_empty_parts(&resource, &mut settled).map(|()| settled), expected, "{desired}");
        }
    }

    #[test]
    fn requests_name_resources_by_text_or_json() {
        let primary = |text: &str| Ok(Asked::Primary(text.to_owned()));
        let arity = |given: &str| {
            Err(format!("Identifier {given} is not valid for identifier [/properties/ApiId, /properties/RouteId]"))
        };
        for (given, expected) in [
            ("a|r", primary("a|r")),
            (r#"{"RouteId":"r","ApiId":"a"}"#, primary("a|r")),
            (r#"{"/properties/RouteId":"r","ApiId":"a"}"#, primary("a|r")),
            (r#"{"Arn":"x"}"#, Ok(Asked::Additional(0, vec![json!("x")]))),
            ("a", arity("a")),
            ("a|r|x", arity("a|r|x")),
            ("a|b|known", primary("a|b|known")),
            (r#"{"ApiId":"a|b","RouteId":"known"}"#, primary("a|b|known")),
            // The parts of another resource, though its text is the same.
            (r#"{"ApiId":"a","RouteId":"b|known"}"#, primary(r#"{"ApiId":"a","RouteId":"b|known"}"#)),
            (r#"{"ApiId":"a","RouteId":"b|none"}"#, primary("a|b|none")),
            (r#"{"ApiId":"a"}"#, arity(r#"{"ApiId":"a"}"#)),
        ] {
            let model_of = |text: &str| (text == "a|b|known").then(|| json!({"ApiId": "a|b", "RouteId": "known"}));
            assert_eq!(parse(&route(), given, model_of), expected, "{given}");
        }
    }

    #[test]
    fn a_single_part_may_hold_separators_and_braces() {
        let resource = ResourceType::new("A::B::C".to_owned(), json!({"primaryIdentifier": ["/properties/Id"]}));
        for given in ["service|namespace|x", "{not json", r#"{"Other":"x"}"#] {
            assert_eq!(parse(&resource, given, |_| None), Ok(Asked::Primary(given.to_owned())));
        }
    }
}
