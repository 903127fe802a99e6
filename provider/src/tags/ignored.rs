//! Tags of a program that the configuration says to ignore. Tested through Check: `tests/lifecycle/ignored_tags.rs`.

use metadata::model::TagsStyle;
use metadata::view::Resource;
use value::{Map, PropertyPath, Segment, Value};

use super::{TagRules, key};

/// A warning for each tag of the program that `ignoreTags` hides: it is sent at creation, and forgotten afterwards.
pub fn warnings(resource: Resource, rules: &TagRules, inputs: &Map) -> Vec<String> {
    let Some(tags) = resource.tags() else { return Vec::new() };
    let root = PropertyPath::from(vec![Segment::Key(tags.property.to_owned())]);
    let warning = |step: Segment, tag: &str| {
        let path = root.join(step);
        format!("{path}: {tag} is ignored by ignoreTags: it is neither compared nor changed after creation")
    };
    match (tags.style, inputs.get(tags.property).map(Value::unsecret)) {
        (TagsStyle::StringMap | TagsStyle::Untyped, Some(Value::Object(members))) => members
            .keys()
            .filter(|key| rules.ignores(key))
            .map(|key| warning(Segment::Key(key.clone()), &format!("the tag {key}")))
            .collect(),
        (TagsStyle::NestedKeyValueArrayWithResourceType, _) => Vec::new(),
        (_, Some(Value::Array(items))) => items
            .iter()
            .enumerate()
            .filter_map(|(index, tag)| Some((index, key(tag).filter(|key| rules.ignores(key))?, tag)))
            .map(|(index, key, tag)| {
                let named = if tag.contains_secret() { "the tag".to_owned() } else { format!("the tag {key}") };
                warning(Segment::Index(index), &named)
            })
            .collect(),
        _ => Vec::new(),
    }
}
