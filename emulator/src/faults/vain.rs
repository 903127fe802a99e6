//! Rules that can never fire: about types that are not served, or with actions that mean nothing for their operations.

use super::Rule;
use super::stage::Stage;
use crate::operations::NAMES;
use crate::schema::Library;

/// Why rules cannot fire, for those that cannot; each by its name.
pub(crate) fn warnings<'r>(library: &Library, rules: impl Iterator<Item = (&'r str, &'r Rule)>) -> Vec<String> {
    rules.filter_map(|(name, rule)| Some(format!("rule {name} never fires: {}", reason(library, rule)?))).collect()
}

fn reason(library: &Library, rule: &Rule) -> Option<String> {
    if let Some(glob) = &rule.when.type_name
        && !library.type_names().any(|type_name| glob.matches(type_name))
    {
        return Some(format!("no type that is served is called {}", glob.as_str()));
    }
    let acts = |operation: &&str| {
        Stage::ALL.into_iter().any(|stage| stage.is_of(operation) && rule.then.acts_at(stage, operation))
    };
    let useful: Vec<&str> = NAMES.into_iter().filter(acts).collect();
    if useful.iter().any(|operation| rule.when.operation.contains(operation)) {
        return None;
    }
    Some(format!("its action does something for {} only", useful.join(", ")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::schema::library::SchemaSource;

    #[test]
    fn rules_that_never_fire_are_named_with_the_reason() {
        let library = Library::load(&SchemaSource::Texts(vec![r#"{"typeName":"A::B::C"}"#.to_owned()])).unwrap();
        let writes =
            "rule r never fires: its action does something for CreateResource, UpdateResource, DeleteResource only";
        for (text, expected) in [
            ("then: twice", ""),
            ("{ when: { type: 'A::*' }, then: twice }", ""),
            (
                "{ when: { type: 'A::X::*' }, then: twice }",
                "rule r never fires: no type that is served is called A::X::*",
            ),
            ("{ when: { operation: read }, then: { fail: { code: NotFound } } }", ""),
            ("{ when: { operation: [read, update] }, then: { stuck: {} } }", ""),
            ("{ when: { operation: read }, then: { stuck: {} } }", writes),
            (
                "{ when: { operation: poll }, then: { stale-read: {} } }",
                "rule r never fires: its action does something for UpdateResource only",
            ),
            (
                "{ when: { operation: create }, then: { poll-error: {} } }",
                "rule r never fires: its action does something for GetResourceRequestStatus only",
            ),
            (
                "{ when: { operation: poll }, then: { fail: { code: NotFound } } }",
                "rule r never fires: its action does something for CreateResource, GetResource, UpdateResource, DeleteResource, ListResources only",
            ),
        ] {
            let rules = Rule::read(text).unwrap();
            assert_eq!(warnings(&library, rules.iter().map(|rule| ("r", rule))).join("; "), expected, "{text}");
        }
    }
}
