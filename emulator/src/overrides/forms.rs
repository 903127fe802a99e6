//! What is known about the forms of values: the form of the files under `data/forms/`, and the table of documented defaults.

#![allow(dead_code, reason = "reasons and links are for those who read the files")]

use super::file::{DefaultRule, Normalize};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/forms.rs"));

/// The files about forms: namespace and text.
pub(super) fn files() -> &'static [(&'static str, &'static str)] {
    FORMS
}

/// What is known about the forms of one service, in a file of its own.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceForms {
    /// The second part of the type names.
    pub(crate) namespace: String,
    /// By the last part of the type name.
    pub(crate) types: BTreeMap<String, TypeForms>,
}

/// What is known about the forms of one type.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TypeForms {
    pub(crate) reason: Option<String>,
    pub(crate) link: Option<String>,
    /// Values that the service fills in where the caller gave none.
    pub(crate) defaults: Vec<DefaultRule>,
    /// Forms in which the service keeps what it is given.
    pub(crate) normalize: Vec<Normalize>,
}

/// Defaults by type: a line is the type, a top-level property, the value as JSON, and where it is stated.
const DOCUMENTED: &str = include_str!("../../data/documented-defaults.tsv");

/// The table, by type.
pub(super) fn documented_defaults() -> BTreeMap<&'static str, Arc<[DefaultRule]>> {
    let mut by_type: BTreeMap<&'static str, Vec<DefaultRule>> = BTreeMap::new();
    for line in DOCUMENTED.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let (Some(type_name), Some(property), Some(value)) = (cells.next(), cells.next(), cells.next()) else {
            continue;
        };
        if let Ok(value) = crate::json::parse(value) {
            by_type.entry(type_name).or_default().push(DefaultRule {
                path: format!("/properties/{property}"),
                value,
                when: None,
                reason: None,
                link: None,
            });
        }
    }
    by_type.into_iter().map(|(type_name, rules)| (type_name, rules.into())).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::overrides::Knowledge;
    use crate::schema::library::SchemaSource;
    use crate::schema::patterns::Patterns;
    use crate::schema::{InstancePath, Library, ResourceType};
    use crate::validate::Validator;
    use crate::yaml;

    #[test]
    fn every_rule_about_a_form_names_a_property_that_there_is() {
        // A build without schemas has nothing to hold the rules against.
        let Ok(library) = Library::load(&SchemaSource::Embedded) else { return };
        let knowledge = Knowledge::load().unwrap();
        let patterns = Patterns::default();
        let mut problems = Vec::new();
        let (mut types, mut documented) = (0, 0);
        for (namespace, text) in FORMS {
            let forms: ServiceForms =
                yaml::read(&format!("data/forms/{namespace}.yaml"), text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(forms.namespace, *namespace);
            for (kind, forms) in &forms.types {
                types += 1;
                assert!(
                    forms.reason.is_some() && forms.link.is_some(),
                    "{namespace} {kind}: a type says what it rests on"
                );
                let name = format!("AWS::{namespace}::{kind}");
                let Some(resource) = library.get(&name) else {
                    problems.push(format!("there is no type {name}"));
                    continue;
                };
                let whens = forms.defaults.iter().filter_map(|rule| rule.when.as_ref()).map(|when| &when.path);
                let paths = forms.normalize.iter().map(|rule| &rule.path).chain(whens);
                let is_there =
                    |path: &str| InstancePath::parse(path).is_some_and(|path| resource.node(&path).is_some());
                // Free-form maps say nothing about their entries.
                let exists = |path: &str| is_there(path.strip_suffix("/*").unwrap_or(path));
                problems.extend(paths.filter(|path| !exists(path)).map(|path| format!("{name} has no {path}")));
                problems.extend(forms.defaults.iter().filter_map(|rule| unfitting(&resource, &patterns, rule)));
            }
        }
        for name in library.type_names().map(str::to_owned).collect::<Vec<_>>() {
            let rules = knowledge.documented_defaults(&name);
            documented += rules.len();
            if let Some(resource) = library.get(&name) {
                problems.extend(rules.iter().filter_map(|rule| unfitting(&resource, &patterns, rule)));
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        assert!(types >= 60 && documented >= 50, "{types} {documented}");
    }

    /// What is wrong with a default.
    fn unfitting(resource: &ResourceType, patterns: &Patterns, rule: &DefaultRule) -> Option<String> {
        let path = InstancePath::parse(&rule.path)?;
        match resource.node(&path) {
            None => Some(format!("{} has no {}", resource.name, rule.path)),
            Some(node) if Validator::new(resource, patterns).accepts(node, &rule.value) => None,
            Some(_) => Some(format!("{}: {} cannot be {}", resource.name, rule.path, rule.value)),
        }
    }
}
