//! What is said of rules that cannot be read, and of those that were not asked.

use metadata::view::Resource;

use crate::marks::Rule;

/// The longest part of an expression that is quoted, in characters.
const QUOTED: usize = 120;

/// A warning for each rule. It is worth saying once in the life of a process, whatever the number of its resources: see
/// [`crate::cloud::notices::Once`].
pub fn unreadable(resource: Resource, rules: impl IntoIterator<Item = Rule>) -> Vec<String> {
    rules.into_iter().map(|rule| text(resource.cfn_type(), rule)).collect()
}

/// The warning of an operation whose rules cost too much for all of them to be asked.
pub fn ended(resource: Resource) -> String {
    format!(
        "{}: these inputs are too many for every rule that the schema has about values which the service rewrites; a \
         change may be shown that is none",
        resource.cfn_type()
    )
}

fn text(cfn_type: &str, rule: Rule) -> String {
    let expression: String = rule.expression.chars().take(QUOTED).collect();
    format!("{cfn_type}: the rule for {} cannot be read and is left out: {expression}", rule.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_told_and_shortened() {
        let model = metadata::model::Resource {
            cfn_type: "AWS::Test::Told".to_owned(),
            ..metadata::model::Resource::default()
        };
        let resource: Resource = metadata::encode(&model).expect("a well-formed model").leak().into();
        let long: &'static str = "é".repeat(200).leak();
        let rules = || [Rule { path: "a/*/b", expression: "$(" }, Rule { path: "c", expression: long }];
        let expected = [
            "AWS::Test::Told: the rule for a/*/b cannot be read and is left out: $(".to_owned(),
            format!("AWS::Test::Told: the rule for c cannot be read and is left out: {}", "é".repeat(QUOTED)),
        ];
        assert_eq!(unreadable(resource, rules()), expected);
    }
}
