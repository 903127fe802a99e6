//! Counts that the service makes: they match the lists that they count.

use serde_json::{Map, Value};

/// How many elements a property of this name counts, `None` when it counts no list of the model.
///
/// `NumberOfRules`, `RuleCount` and `RulesCount` count `Rules`; an absent list of that name has no count here.
pub(super) fn count(name: &str, model: &Value) -> Option<u64> {
    let counted = name.strip_prefix("NumberOf").or_else(|| name.strip_suffix("Count"))?;
    let members = model.as_object()?;
    let list = list(counted, members)?;
    Some(list.len() as u64)
}

fn list<'m>(counted: &str, members: &'m Map<String, Value>) -> Option<&'m Vec<Value>> {
    let names =
        [counted.to_owned(), format!("{counted}s"), format!("{}ies", counted.strip_suffix('y').unwrap_or(counted))];
    let named = |known: &str| names.iter().any(|name| name.eq_ignore_ascii_case(known));
    members.iter().find(|(known, _)| named(known)).and_then(|(_, value)| value.as_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_match_their_lists() {
        let model = json!({"Rules": [1, 2], "Policies": [1], "Scope": "x", "Empty": []});
        for (name, expected) in [
            ("RuleCount", Some(2)),
            ("NumberOfRules", Some(2)),
            ("RulesCount", Some(2)),
            ("PolicyCount", Some(1)),
            ("ScopeCount", None),
            ("EmptyCount", Some(0)),
            ("Rules", None),
            ("OtherCount", None),
        ] {
            assert_eq!(count(name, &model), expected, "{name}");
        }
    }
}
