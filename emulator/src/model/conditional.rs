//! Properties that can be changed under conditions which only the service knows (`conditionalCreateOnlyProperties`).

use crate::options::Conditional;
use crate::overrides::file::{ChangeRule, ConditionalChange};
use crate::schema::{InstancePath, ResourceType};
use serde_json::Value;
use std::cmp::Ordering;

/// The pointers of changes that the service would refuse.
pub(crate) fn refused(
    resource: &ResourceType,
    rules: &[ConditionalChange],
    mode: Conditional,
    current: &Value,
    updated: &Value,
) -> Vec<String> {
    let is_changed = |path: &InstancePath| {
        let (before, after) = (path.find(current), path.find(updated));
        before.len() != after.len() || before.iter().zip(&after).any(|((_, a), (_, b))| !crate::json::equal(a, b))
    };
    match mode {
        Conditional::Accept => Vec::new(),
        Conditional::Reject => {
            let paths = resource.conditional_create_only();
            paths.iter().filter(|path| is_changed(path)).map(|path| path.pointer().to_owned()).collect()
        }
        Conditional::Rule => {
            let refuses = |rule: &&ConditionalChange| {
                let Some(path) = InstancePath::parse(&rule.path) else { return false };
                let order = || order(path.get(current)?, path.get(updated)?);
                is_changed(&path)
                    && match rule.rule {
                        ChangeRule::Never => true,
                        ChangeRule::NeverDecreases => order() == Some(Ordering::Greater),
                        ChangeRule::NeverIncreases => order() == Some(Ordering::Less),
                    }
            };
            rules.iter().filter(refuses).map(|rule| rule.path.clone()).collect()
        }
    }
}

/// How two values compare: as numbers, else as versions, part by part.
fn order(before: &Value, after: &Value) -> Option<Ordering> {
    if let (Some(before), Some(after)) = (before.as_f64(), after.as_f64()) {
        return before.partial_cmp(&after);
    }
    let parts = |text: &str| -> Vec<(u64, String)> {
        text.split(['.', '-', '_']).map(|part| (part.parse().unwrap_or_default(), part.to_owned())).collect()
    };
    let (before, after) = (parts(before.as_str()?), parts(after.as_str()?));
    let by_part = before.iter().zip(&after).map(|(before, after)| {
        // A number counts by its value, and any other part as text.
        if before.1 == after.1 { Ordering::Equal } else { before.0.cmp(&after.0).then_with(|| before.1.cmp(&after.1)) }
    });
    Some(by_part.fold(Ordering::Equal, Ordering::then))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changes_are_refused_by_mode_and_rule() {
        let schema = json!({"conditionalCreateOnlyProperties": ["/properties/Engine", "/properties/Size"]});
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        let rule = |path: &str, rule| ConditionalChange { path: path.to_owned(), rule };
        let rules = [
            rule("/properties/Engine", ChangeRule::NeverDecreases),
            rule("/properties/Size", ChangeRule::NeverIncreases),
        ];
        let current = json!({"Engine": "8.4.10", "Size": 5});
        for (mode, updated, expected) in [
            (Conditional::Accept, json!({"Engine": "9", "Size": 6}), vec![]),
            (Conditional::Reject, json!({"Engine": "8.4.10", "Size": 5.0}), vec![]),
            (Conditional::Reject, json!({"Engine": "9"}), vec!["/properties/Engine", "/properties/Size"]),
            (Conditional::Rule, json!({"Engine": "8.4.11", "Size": 4}), vec![]),
            (Conditional::Rule, json!({"Engine": "8.4.9", "Size": 5}), vec!["/properties/Engine"]),
            (Conditional::Rule, json!({"Engine": "8.10", "Size": 6}), vec!["/properties/Size"]),
            (Conditional::Rule, json!({"Engine": "8.4.10"}), vec![]),
        ] {
            assert_eq!(refused(&resource, &rules, mode, &current, &updated), expected, "{mode:?} {updated}");
        }
    }
}
