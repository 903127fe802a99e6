//! Reports from the field about tags and generated names, as far as they are data of a type.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod common;

use common::{cage, run, view};
use metadata::model::TagsStyle::{self, *};
use serde_json::{Value, json};

/// Default tags need to know where a type has its tags, in which of the shapes, and whether they can change.
#[test]
fn c39_every_shape_of_tags_is_data() {
    let text = || json!({"type": "string"});
    let list = |members: Value| json!({"type": "array", "items": {"type": "object", "properties": members}});
    let map = || json!({"type": "object", "additionalProperties": text()});
    let check = |property: &str, schema: Value, create_only: bool, expected: (&str, TagsStyle)| {
        let mut document = cage(json!({property: schema}), json!({}));
        document["tagging"] = json!({"tagProperty": format!("/properties/{property}")});
        if create_only {
            document["createOnlyProperties"] = json!([format!("/properties/{property}")]);
        }
        let output = run([document]);
        let tags = view(&output, "AWS::Zoo::Cage").tags.as_ref().unwrap();
        assert_eq!((tags.property.as_str(), tags.style), expected);
    };
    check("Tags", list(json!({"Key": text(), "Value": text()})), false, ("tags", KeyValueArray));
    check("Tags", list(json!({"key": text(), "value": text()})), false, ("tags", KeyValueArray));
    check("UserPoolTags", map(), false, ("userPoolTags", StringMap));
    check("HostedZoneTags", list(json!({"Key": text(), "Value": text()})), false, ("hostedZoneTags", KeyValueArray));
    check("Tags", list(json!({"Key": text(), "Value": text()})), true, ("tags", KeyValueArrayCreateOnly));
    let propagated = json!({"Key": text(), "Value": text(), "PropagateAtLaunch": {"type": "boolean"}});
    check("Tags", list(propagated), false, ("tags", KeyValueArrayWithExtraProperties));
    check("Tags", json!({"type": "object"}), false, ("tags", Untyped));
    check("Tags", list(json!({"TagKey": text(), "TagValue": text()})), false, ("tags", Unknown));

    // Without a word about tagging, a property called Tags is it; a type without one has no tags.
    let output = run([cage(json!({"Tags": map()}), json!({}))]);
    assert_eq!(view(&output, "AWS::Zoo::Cage").tags.as_ref().map(|tags| tags.style), Some(StringMap));
    assert!(view(&run([cage(json!({"Labels": map()}), json!({}))]), "AWS::Zoo::Cage").tags.is_none());

    let mut fixed = cage(json!({"Tags": map()}), json!({}));
    fixed["tagging"] = json!({"tagProperty": "/properties/Tags", "tagUpdatable": false});
    assert_eq!(view(&run([fixed]), "AWS::Zoo::Cage").tags.as_ref().map(|tags| tags.updatable), Some(false));
}

/// Generated names broke limits and suffixes that the property itself does not state.
#[test]
fn c38_limits_of_names_are_found_where_they_are_stated() {
    let check = |name: Value, definitions: Value, expected: (u32, u32)| {
        let output = run([cage(json!({"CageName": name}), definitions)]);
        let rule = view(&output, "AWS::Zoo::Cage").auto_name.clone().unwrap();
        assert_eq!((rule.property.as_str(), (rule.min_length, rule.max_length)), ("cageName", expected), "{name}");
    };
    check(json!({"type": "string", "minLength": 1, "maxLength": 64}), json!({}), (1, 64));
    check(json!({"type": "string"}), json!({}), (0, 0));
    // Behind references, also chained ones; what stands nearer counts.
    let definitions = || json!({"Name": {"type": "string", "minLength": 2, "maxLength": 32}, "Alias": {"$ref": "#/definitions/Name"}});
    check(json!({"$ref": "#/definitions/Name"}), definitions(), (2, 32));
    check(json!({"$ref": "#/definitions/Alias"}), definitions(), (2, 32));
    check(json!({"$ref": "#/definitions/Name", "maxLength": 8}), definitions(), (2, 8));
}
