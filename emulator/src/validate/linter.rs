//! Keywords that template linters add to the schemas and that the service does not know; enforced on demand.

use super::violations::{Place, Violations};
use serde_json::{Map, Value};

/// Checks the members of an object: exactly one of some, at least one of some, one with others, one without others.
pub(super) fn check(
    keywords: &Map<String, Value>,
    members: &Map<String, Value>,
    place: &Place,
    found: &mut Violations,
) {
    let names = |value: &Value| -> Vec<String> { crate::json::texts(Some(value)).map(str::to_owned).collect() };
    let count = |keyword: &str| {
        let names = names(keywords.get(keyword)?);
        Some(names.iter().filter(|name| members.contains_key(*name)).count())
    };
    if count("requiredXor").is_some_and(|count| count != 1) {
        found.keyword(place, "requiredXor");
    }
    if count("requiredOr") == Some(0) {
        found.keyword(place, "requiredOr");
    }
    let by_member = |keyword: &str| keywords.get(keyword).and_then(Value::as_object).into_iter().flatten();
    for (_, needed) in by_member("dependentRequired").filter(|(name, _)| members.contains_key(*name)) {
        for name in names(needed).iter().filter(|name| !members.contains_key(*name)) {
            found.add(place, format_args!("property [{name}] is required"));
        }
    }
    for (_, excluded) in by_member("dependentExcluded").filter(|(name, _)| members.contains_key(*name)) {
        if names(excluded).iter().any(|name| members.contains_key(name)) {
            found.keyword(place, "dependentExcluded");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::schema::ResourceType;
    use crate::schema::patterns::Patterns;
    use crate::validate::Validator;
    use serde_json::json;

    #[test]
    fn linter_keywords_are_enforced_on_demand() {
        let schema = json!({
            "requiredXor": ["A", "B"],
            "requiredOr": ["C", "D"],
            "dependentRequired": {"A": ["E"]},
            "dependentExcluded": {"C": ["D"]},
        });
        let keyword = |name: &str| format!("#: failed validation constraint for keyword [{name}]");
        for (model, expected) in [
            (json!({"B": 1, "C": 1}), vec![]),
            (json!({"A": 1, "D": 1, "E": 1}), vec![]),
            (json!({"C": 1}), vec![keyword("requiredXor")]),
            (json!({"A": 1, "B": 1, "C": 1, "E": 1}), vec![keyword("requiredXor")]),
            (json!({"B": 1}), vec![keyword("requiredOr")]),
            (json!({"A": 1, "C": 1}), vec!["#: property [E] is required".to_owned()]),
            (json!({"B": 1, "C": 1, "D": 1}), vec![keyword("dependentExcluded")]),
        ] {
            let patterns = Patterns::default();
            let resource = ResourceType::new("A::B::C".to_owned(), schema.clone());
            assert_eq!(Validator::new(&resource, &patterns).model(&model), Ok(()), "{model}");
            let resource = resource.linted(true);
            let found = Validator::new(&resource, &patterns).model(&model);
            let text = format!("Model validation failed ({})", expected.join("\n"));
            assert_eq!(found, if expected.is_empty() { Ok(()) } else { Err(text) }, "{model}");
        }
    }
}
