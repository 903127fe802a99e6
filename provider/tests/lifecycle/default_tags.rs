//! Default tags: what Check makes of the configuration's tags and the program's.

use std::collections::BTreeMap;

use metadata::model::Type::{Any, Boolean, String as Text};
use metadata::model::{self, Tags, TagsStyle, Type};
use metadata::view::Resource;
use provider::lifecycle::{CheckAnswer, CheckRequest, Code, Failure, Settings, check};
use provider::tags::defaults::replacement_warning;
use serde_json::{Value as Json, json};

use crate::models::*;
use crate::values::{members, urn};

/// `{b: 2, a: 1}`, as in the configuration; keys come out in order.
fn run(resource: Resource, news: Json) -> Result<CheckAnswer, Failure> {
    let defaults = [("b", "2"), ("a", "1")].map(|(key, value)| (key.to_owned(), value.into()));
    let settings = Settings { default_tags: BTreeMap::from(defaults), ..Settings::default() };
    let request = CheckRequest {
        urn: urn("thing"),
        olds: members(json!({})),
        news: members(news),
        random_seed: vec![0; 32],
        naming: None,
    };
    check(resource, request, &settings)
}

/// A type whose tags have this style, under this name.
fn tagged(style: TagsStyle, property: &str) -> Resource {
    resource(|model| {
        let pair = object(model, [prop("key", Text), prop("value", Text)]);
        let ty = match style {
            TagsStyle::StringMap => map(Text),
            TagsStyle::KeyValueArray | TagsStyle::KeyValueArrayCreateOnly => list(pair),
            TagsStyle::KeyValueArrayWithAlternateType => {
                let other = object(model, [prop("tagKey", Text), prop("tagValue", Text)]);
                list(Type::Union(vec![pair, other]))
            }
            TagsStyle::KeyValueArrayWithExtraProperties => list(object(
                model,
                [required("key", Text), required("value", Text), required("propagateAtLaunch", Boolean)],
            )),
            TagsStyle::NestedKeyValueArrayWithResourceType => {
                let nested = list(pair);
                list(object(model, [prop("resourceType", Text), prop("tags", nested)]))
            }
            TagsStyle::Untyped | TagsStyle::Unknown => Any,
        };
        model.properties = vec![prop("name", Text), prop(property, ty)];
        model.tags = Some(Tags { property: property.to_owned(), style, updatable: true });
    })
}

const LISTS: [TagsStyle; 3] =
    [TagsStyle::KeyValueArray, TagsStyle::KeyValueArrayCreateOnly, TagsStyle::KeyValueArrayWithAlternateType];

#[track_caller]
fn merges(style: TagsStyle, given: Option<Json>, expected: Option<Json>) {
    let inputs = |tags: Option<Json>| tags.map_or(json!({}), |tags| json!({ "tags": tags }));
    let found = run(tagged(style, "tags"), inputs(given.clone())).unwrap().inputs;
    assert_eq!(found, members(inputs(expected)), "{style:?}: {given:?}");
}

#[track_caller]
fn refuses(style: TagsStyle, given: Json, expected: &str) {
    match run(tagged(style, "tags"), json!({ "tags": given })) {
        Err(Failure::Refused { code: Code::InvalidArgument, message }) => {
            assert_eq!(message, format!("expected tags to be {expected}"), "{style:?}: {given}");
        }
        other => panic!("{style:?}: {given}: {other:?}"),
    }
}

#[test]
fn c39_default_tags_fit_every_shape() {
    let (a, b) = (json!({ "key": "a", "value": "1" }), json!({ "key": "b", "value": "2" }));
    for style in LISTS {
        for absent in [None, Some(Json::Null), Some(json!([])), Some(json!([null]))] {
            merges(style, absent, Some(json!([a, b])));
        }
        // Own tags win and stay where they are.
        merges(
            style,
            Some(json!([{ "key": "z", "value": "0" }, { "key": "a", "value": "9" }])),
            Some(json!([{ "key": "z", "value": "0" }, { "key": "a", "value": "9" }, b])),
        );
        // A value that is absent counts as given.
        merges(style, Some(json!([{ "key": "a" }])), Some(json!([{ "key": "a" }, b])));
        merges(style, Some(json!([{ "key": "a", "value": null }])), Some(json!([{ "key": "a" }, b])));
    }
    merges(TagsStyle::StringMap, None, Some(json!({ "a": "1", "b": "2" })));
    merges(TagsStyle::StringMap, Some(Json::Null), Some(json!({ "a": "1", "b": "2" })));
    merges(TagsStyle::StringMap, Some(json!({ "a": "9", "z": "0" })), Some(json!({ "a": "9", "b": "2", "z": "0" })));
    // The service demands to know whether instances get a tag.
    let group = TagsStyle::KeyValueArrayWithExtraProperties;
    let own = json!({ "key": "a", "value": "9", "propagateAtLaunch": false });
    merges(group, Some(json!([own])), Some(json!([own, { "key": "b", "value": "2", "propagateAtLaunch": true }])));
    // An arm with other names says its key in its own way.
    let other = json!({ "tagKey": "a", "tagValue": "9" });
    merges(TagsStyle::KeyValueArrayWithAlternateType, Some(json!([other])), Some(json!([other, b])));
}

#[test]
fn c39_the_tags_property_may_have_another_name() {
    for property in ["resourceTags", "userPoolTags"] {
        let found = run(tagged(TagsStyle::StringMap, property), json!({ "name": "n" })).unwrap().inputs;
        assert_eq!(found, members(json!({ "name": "n", property: { "a": "1", "b": "2" } })));
    }
}

#[test]
fn c39_shapes_that_cannot_be_merged_stay_untouched() {
    use TagsStyle::{NestedKeyValueArrayWithResourceType, Unknown, Untyped};
    for style in [Untyped, Unknown, NestedKeyValueArrayWithResourceType] {
        for given in [None, Some(json!([])), Some(json!([{ "resourceType": "x", "tags": [] }]))] {
            merges(style, given.clone(), given);
        }
        // No null is written either.
        merges(style, Some(Json::Null), None);
    }
    let untagged = resource(|model| model.properties = vec![prop("name", Text)]);
    assert_eq!(run(untagged, json!({})).unwrap().inputs, members(json!({})));
    let read_only = resource(|model| {
        model.properties = vec![output("tags", map(Text))];
        model.tags = Some(Tags { property: "tags".to_owned(), style: TagsStyle::StringMap, updatable: false });
    });
    assert_eq!(run(read_only, json!({})).unwrap().inputs, members(json!({})));
}

#[test]
fn c39_what_is_secret_or_unknown_is_no_mistake() {
    let (a, b) = (json!({ "key": "a", "value": "1" }), json!({ "key": "b", "value": "2" }));
    let all = [TagsStyle::StringMap, TagsStyle::KeyValueArrayWithExtraProperties].into_iter().chain(LISTS);
    for style in all {
        for unknown in [json!("$unknown"), json!({ "$secret": "$unknown" })] {
            merges(style, Some(unknown.clone()), Some(unknown));
        }
    }
    let secret = |value: Json| json!({ "$secret": value });
    for style in LISTS {
        for unknown in [json!("$unknown"), secret(json!("$unknown"))] {
            let given = json!([{ "key": "z", "value": "0" }, unknown]);
            merges(style, Some(given.clone()), Some(given));
            // An unknown key excludes nothing.
            let given = json!({ "key": unknown, "value": "0" });
            merges(style, Some(json!([given])), Some(json!([given, a, b])));
        }
        // Secret lists, elements, keys and values keep their marks.
        merges(style, Some(secret(json!([b]))), Some(secret(json!([b, a]))));
        merges(style, Some(secret(json!(null))), Some(json!([a, b])));
        merges(style, Some(json!([secret(b.clone())])), Some(json!([secret(b.clone()), a])));
        let own = json!({ "key": secret(json!("b")), "value": secret(json!("9")) });
        merges(style, Some(json!([own])), Some(json!([own, a])));
    }
    merges(
        TagsStyle::StringMap,
        Some(secret(json!({ "a": "$unknown", "z": secret(json!("0")) }))),
        Some(secret(json!({ "a": "$unknown", "b": "2", "z": secret(json!("0")) }))),
    );
}

#[test]
fn what_holds_no_tags_is_refused_in_known_words() {
    let secret = |value: Json| json!({ "$secret": value });
    for (given, found) in [
        (json!([]), "[]"),
        (json!("x"), "string"),
        (json!(1), "number"),
        (json!(true), "bool"),
        (secret(json!([])), "secret<[]>"),
    ] {
        refuses(TagsStyle::StringMap, given, &format!("an object but found {found}"));
    }
    for style in LISTS {
        for (given, found) in [
            (json!({}), "an array but found object"),
            (json!("x"), "an array but found string"),
            (secret(json!({})), "an array but found secret<object>"),
            (json!(["x"]), "an array of objects but found string"),
            (json!([secret(json!(1))]), "an array of objects but found secret<number>"),
            (json!([{ "Key": "a" }]), "an array of objects with 'key' and 'value' properties but found object"),
            (json!([{ "key": null }]), "an array of objects with 'key' and 'value' properties but found object"),
        ] {
            refuses(style, given, found);
        }
    }
}

#[test]
fn c87_nulls_among_tags_meet_default_tags() {
    let style = TagsStyle::StringMap;
    merges(style, Some(json!({ "env": null })), Some(json!({ "a": "1", "b": "2" })));
    merges(style, Some(json!({ "a": null })), Some(json!({ "a": "1", "b": "2" })));
    merges(style, Some(Json::Null), Some(json!({ "a": "1", "b": "2" })));
    let found = run(tagged(style, "tags"), json!({ "name": null, "tags": null })).unwrap().inputs;
    assert_eq!(found, members(json!({ "tags": { "a": "1", "b": "2" } })));
}

#[test]
fn checked_inputs_come_out_of_check_again() {
    let given = json!([{ "key": "z", "value": { "$secret": "0" } }, { "key": "b" }]);
    let all = LISTS.into_iter().chain([TagsStyle::KeyValueArrayWithExtraProperties]);
    for style in all {
        let resource = tagged(style, "tags");
        let once = run(resource, json!({ "tags": given })).unwrap();
        let request = CheckRequest {
            urn: urn("thing"),
            olds: once.inputs.clone(),
            news: once.inputs.clone(),
            random_seed: vec![0; 32],
            naming: None,
        };
        let defaults = [("b", "2"), ("a", "1")].map(|(key, value)| (key.to_owned(), value.into()));
        let settings = Settings { default_tags: BTreeMap::from(defaults), ..Settings::default() };
        assert_eq!(check(resource, request, &settings).unwrap(), once, "{style:?}");
    }
}

#[test]
fn c39_a_replacement_for_tags_alone_is_announced() {
    let mut model = model::Resource::default();
    tag_list(&mut model);
    let fixed = resource(|found| {
        found.types = model.types.clone();
        found.properties = model.properties.clone();
        found.properties.push(prop("name", Text));
        found.tags = model.tags.clone();
        found.create_only = paths(&["name", "tags"]);
    });
    let warning = |replaces: &[&str]| replacement_warning(fixed, &paths(replaces));
    assert_eq!(
        warning(&["tags"]).unwrap(),
        "changing tags replaces the resource: AWS::Test::Thing takes tags only at creation"
    );
    for other in [&["name"][..], &["name", "tags"], &[]] {
        assert_eq!(warning(other), None, "{other:?}");
    }
}

#[test]
fn c39_default_tags_that_are_secret_stay_secret_in_the_inputs() {
    let defaults = BTreeMap::from([("a".to_owned(), "1".into()), ("b".to_owned(), value::Value::secret("canary"))]);
    let settings = Settings { default_tags: defaults, ..Settings::default() };
    for style in [TagsStyle::StringMap, TagsStyle::KeyValueArray, TagsStyle::KeyValueArrayWithExtraProperties] {
        for given in [json!({}), json!({ "tags": null })] {
            let request = CheckRequest {
                urn: urn("thing"),
                olds: members(json!({})),
                news: members(given),
                random_seed: vec![0; 32],
                naming: None,
            };
            let found = check(tagged(style, "tags"), request, &settings).unwrap().inputs;
            let tags = value::Value::Object(found);
            assert!(tags.contains_secret(), "{style:?}: {tags:?}");
            assert!(!format!("{tags:?}").contains("canary"), "{style:?}: {tags:?}");
        }
    }
}
