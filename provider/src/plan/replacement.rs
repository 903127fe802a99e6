//! Which of the two resources of a replacement must go first.

use metadata::model::ReplacementStrategy;
use metadata::view::Resource;
use value::{Map, Urn, Value};

use crate::autoname;
use crate::equality::{Comparison, Secrecy};
use crate::place::{Object, lookup};

/// Whether the old resource must be gone before the new one can come.
///
/// That is so where the schema says it, and where the new resource would have the old one's identifier because the
/// program fixes all of it. A generated name is drawn anew for a replacement, and a part that the service makes differs
/// anyway.
pub fn deletes_first(resource: Resource, urn: &Urn, olds: &Map, news: &Map) -> bool {
    if resource.replacement_strategy() == Some(ReplacementStrategy::DeleteThenCreate) {
        return true;
    }
    let parts = resource.primary_identifier();
    !parts.is_empty() && parts.iter().all(|part| stays(resource, part, urn, olds, news))
}

fn stays(resource: Resource, part: &str, urn: &Urn, olds: &Map, news: &Map) -> bool {
    let Some(new) = lookup(news, part).map(Value::unsecret) else { return false };
    let spec = resource.auto_name().filter(|spec| spec.property == part);
    let is_generated =
        spec.zip(new.as_str()).is_some_and(|(spec, name)| autoname::looks_generated_by(spec, urn.name(), name));
    if new.is_unknown() || is_generated {
        return false;
    }
    lookup(olds, part).is_some_and(|old| match Object::of(resource).properties.get(part) {
        // Names that differ only in what the service disregards are one name to it.
        Some(property) => {
            let place = Object::of(resource).place(property);
            Comparison::desired(Secrecy::Ignored).matches(old, new, place)
        }
        None => value::equality::equal_ignoring_secrets(old, new),
    })
}

#[cfg(test)]
mod tests {
    use metadata::model;
    use serde_json::{Value as Json, json};

    use super::*;

    /// A type whose identifier is of these parts, the name among them being made if it is not given.
    fn resource(identifier: &[&str], strategy: Option<ReplacementStrategy>) -> Resource {
        let name = model::AutoName {
            property: "name".to_owned(),
            min_length: 0,
            max_length: 0,
            suffix_rule: None,
            form: Default::default(),
        };
        let model = model::Resource {
            token: "aws-native:test:Thing".to_owned(),
            cfn_type: "AWS::Test::Thing".to_owned(),
            primary_identifier: identifier.iter().map(|part| (*part).to_owned()).collect(),
            auto_name: Some(name),
            replacement_strategy: strategy,
            ..model::Resource::default()
        };
        metadata::encode(&model).expect("a model of a test is well-formed").leak().into()
    }

    #[test]
    fn the_old_resource_goes_first_where_both_would_be_the_same() {
        use ReplacementStrategy::{CreateThenDelete, DeleteThenCreate};
        let named = |name: &str| json!({ "name": name, "region": "r" });
        // identifier, strategy, old inputs, new inputs, which goes first
        check(&["name"], None, named("mine"), named("mine"), true);
        check(&["name"], None, named("mine"), named("other"), false);
        check(&["name"], None, named("mine"), json!({}), false);
        check(&["name"], None, json!({}), named("mine"), false);
        check(&["name"], None, named("thing-dd5306f"), named("thing-dd5306f"), false);
        check(&["name"], Some(DeleteThenCreate), named("mine"), named("other"), true);
        check(&["name"], Some(CreateThenDelete), named("mine"), named("mine"), true);
        check(&["name", "region"], None, named("mine"), named("mine"), true);
        check(&["name", "region"], None, named("thing-dd5306f"), named("thing-dd5306f"), false);
        check(&["name", "id"], None, named("mine"), named("mine"), false);
        check(&["spec/name"], None, json!({ "spec": named("mine") }), json!({ "spec": named("mine") }), true);
        check(&[], None, named("mine"), named("mine"), false);
        // Only one property gets a name.
        check(&["region"], None, json!({ "region": "thing-dd5306f" }), json!({ "region": "thing-dd5306f" }), true);

        #[track_caller]
        fn check(identifier: &[&str], strategy: Option<ReplacementStrategy>, old: Json, new: Json, expected: bool) {
            assert_eq!(first(identifier, strategy, &members(&old), &members(&new)), expected, "{old} {new}");
        }
    }

    #[test]
    fn secrets_count_by_their_values_and_unknowns_as_other_ones() {
        let named = |name: Value| Map::from([("name".to_owned(), name)]);
        assert!(first(&["name"], None, &named("mine".into()), &named(Value::secret("mine"))));
        assert!(!first(&["name"], None, &named("mine".into()), &named(value::Unknown::String.into())));
    }

    #[test]
    fn a_name_in_another_letter_case_may_be_the_same_name() {
        let model = model::Resource {
            properties: vec![model::Property {
                name: "name".to_owned(),
                cfn_name: "Name".to_owned(),
                ty: model::Type::String,
                input: true,
                required: false,
                default: None,
            }],
            primary_identifier: vec!["name".to_owned()],
            equality: vec![("name".to_owned(), model::EqualityHint::CaseInsensitive)],
            ..model::Resource::default()
        };
        let resource: Resource = metadata::encode(&model).expect("a model of a test is well-formed").leak().into();
        let urn = Urn::new("dev", "test", None, "aws-native:test:Thing", "thing").expect("a URN");
        let named = |name: &str| members(&json!({ "name": name }));
        assert!(deletes_first(resource, &urn, &named("Mine"), &named("mine")));
        assert!(!deletes_first(resource, &urn, &named("Mine"), &named("other")));
    }

    fn first(identifier: &[&str], strategy: Option<ReplacementStrategy>, old: &Map, new: &Map) -> bool {
        let urn = Urn::new("dev", "test", None, "aws-native:test:Thing", "thing").expect("a URN");
        deletes_first(resource(identifier, strategy), &urn, old, new)
    }

    fn members(json: &Json) -> Map {
        value::json::from_json(json).as_object().cloned().unwrap_or_default()
    }
}
