//! Property paths matched against instance documents.
//!
//! Schemas in the field spell paths loosely: dots for slashes, a `properties` or `items` token in the middle, a missing
//! `*` before the members of array elements, pointers into `oneOf` branches. Matching tokens against the document
//! instead of the schema makes all of these mean what their author meant. [`walk`] does that.

mod walk;

use cfn::{PropertyPath, Segment};
use serde_json::Value;
use walk::{find_at, remove_at};

/// A path of a schema, ready to be matched.
#[derive(Debug, Clone)]
pub(crate) struct InstancePath {
    pointer: String,
    segments: Vec<Segment>,
}

impl InstancePath {
    /// Reads a pointer; `None` for one that leads into `/definitions`, which says nothing about an instance.
    pub(crate) fn parse(pointer: &str) -> Option<InstancePath> {
        let path = PropertyPath::parse(pointer);
        let segments: Vec<Segment> = path.segments().iter().flat_map(split_dots).collect();
        if segments.is_empty()
            || (segments.len() > 1 && segments.first().and_then(Segment::name) == Some("definitions"))
        {
            return None;
        }
        Some(InstancePath { pointer: pointer.to_owned(), segments })
    }

    /// The text in the schema, `/properties/Rules/*/Id`.
    pub(crate) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The steps from the root of the instance.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The last name on the path, which is what JSON identifiers call the property.
    pub(crate) fn short_name(&self) -> &str {
        self.segments.iter().rev().find_map(Segment::name).unwrap_or_default()
    }

    /// What is left of the path after the steps of another.
    pub(crate) fn below(&self, way: &[Segment]) -> Option<InstancePath> {
        let rest = self.segments.strip_prefix(way).filter(|rest| !rest.is_empty())?;
        Some(InstancePath { pointer: self.pointer.clone(), segments: rest.to_vec() })
    }

    /// Whether the path goes through every element of something.
    pub(crate) fn has_each(&self) -> bool {
        self.segments.contains(&Segment::Each)
    }

    /// The value of a path without `*`.
    pub(crate) fn get<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.segments.iter().try_fold(document, |value, segment| value.get(segment.name()?))
    }

    /// Sets the value of a path without `*`, making the objects on the way.
    ///
    /// Returns whether it could: something that is no object may stand in the way.
    pub(crate) fn set(&self, document: &mut Value, value: Value) -> bool {
        let mut place = document;
        for segment in &self.segments {
            let (Some(name), Value::Object(members)) = (segment.name(), place) else { return false };
            place = members.entry(name).or_insert_with(|| Value::Object(serde_json::Map::new()));
        }
        *place = value;
        true
    }

    /// Every value that the path leads to, with its concrete pointer.
    pub(crate) fn find<'v>(&self, document: &'v Value) -> Vec<(String, &'v Value)> {
        let mut found = Vec::new();
        find_at(document, &self.segments, &mut String::new(), &mut found);
        found
    }

    /// Removes every value that the path leads to, and the members that became empty by that.
    pub(crate) fn remove(&self, document: &mut Value) {
        remove_at(document, &self.segments);
    }

    /// Every object that has or could have the last member of the path, with its concrete pointer.
    pub(crate) fn parent_places<'v>(&self, document: &'v Value) -> Vec<(String, &'v serde_json::Map<String, Value>)> {
        let Some((Segment::Name(_), way)) = self.segments.split_last() else { return Vec::new() };
        let mut found = Vec::new();
        find_at(document, way, &mut String::new(), &mut found);
        let mut parents = Vec::new();
        for (at, value) in found {
            match value {
                Value::Object(members) => parents.push((at, members)),
                // A missing `*`: the elements are meant.
                Value::Array(items) => {
                    let objects = items.iter().enumerate().filter_map(|(index, item)| Some((index, item.as_object()?)));
                    parents.extend(objects.map(|(index, members)| (format!("{at}/{index}"), members)));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        parents
    }

    /// Whether the path leads to `place`, array indexes standing for `*`.
    pub(crate) fn matches(&self, place: &[String]) -> bool {
        let mut places = place.iter();
        for segment in &self.segments {
            let Some(mut place) = places.next() else { return false };
            if segment.name().is_some() && place.parse::<usize>().is_ok() {
                let Some(next) = places.next() else { return false };
                place = next;
            }
            if segment.name().is_some_and(|name| name != place) {
                return false;
            }
        }
        places.next().is_none()
    }
}

fn split_dots(segment: &Segment) -> Vec<Segment> {
    match segment {
        Segment::Each => vec![Segment::Each],
        Segment::Name(name) => name.split('.').map(Segment::from_token).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use serde_json::json;

    #[test]
    fn loose_spellings_find_what_they_mean() {
        let document =
            json!({"Rules": [{"Id": "a", "To": {"Arn": "x"}}, {"Id": "b"}], "Map": {"k/1": {"V": 1}}, "One": {"A": 2}});
        for (pointer, expected) in [
            ("/properties/Rules/*/Id", vec!["/Rules/0/Id", "/Rules/1/Id"]),
            ("/properties/Rules/Id", vec!["/Rules/0/Id", "/Rules/1/Id"]),
            ("/properties/Rules/*/To.Arn", vec!["/Rules/0/To/Arn"]),
            ("/properties/Rules/items/properties/Id", vec!["/Rules/0/Id", "/Rules/1/Id"]),
            ("/properties/Map/*/V", vec!["/Map/k~11/V"]),
            ("/properties/One/properties/A", vec!["/One/A"]),
            ("/properties/None/A", vec![]),
        ] {
            let found = InstancePath::parse(pointer)
                .map(|path| path.find(&document).into_iter().map(|(at, _)| at).collect::<Vec<_>>());
            assert_eq!(found, Some(expected.into_iter().map(str::to_owned).collect()), "{pointer}");
        }
        assert!(InstancePath::parse("/definitions/Rule/Id").is_none());
    }

    #[test]
    fn parents_are_there_whether_they_have_the_member_or_not() {
        let document = json!({"Rules": [{"Id": "a"}, {}, 1], "One": {}});
        for (pointer, expected) in [
            ("/properties/Rules/*/Id", vec!["/Rules/0", "/Rules/1"]),
            ("/properties/Rules/Id", vec!["/Rules/0", "/Rules/1"]),
            ("/properties/One/A", vec!["/One"]),
            ("/properties/A", vec![""]),
            ("/properties/None/A", vec![]),
        ] {
            let path = InstancePath::parse(pointer).unwrap();
            let found: Vec<String> = path.parent_places(&document).into_iter().map(|(at, _)| at).collect();
            assert_eq!(found, expected, "{pointer}");
        }
    }

    #[test]
    fn removing_takes_emptied_members_along() {
        for (pointer, document, expected) in [
            ("/properties/A/B", json!({"A": {"B": 1}}), json!({})),
            ("/properties/A/B", json!({"A": {"B": 1, "C": 2}}), json!({"A": {"C": 2}})),
            ("/properties/A/B", json!({"A": {}}), json!({"A": {}})),
            ("/properties/L/*/B", json!({"L": [{"B": 1}, {"C": 1}]}), json!({"L": [{}, {"C": 1}]})),
            ("/properties/L/B", json!({"L": [{"B": 1}]}), json!({"L": [{}]})),
            ("/properties/L/*", json!({"L": [1, 2]}), json!({})),
            ("/properties/M/*", json!({"M": {"k": 1}, "N": 1}), json!({"N": 1})),
        ] {
            let mut after = document.clone();
            if let Some(path) = InstancePath::parse(pointer) {
                path.remove(&mut after);
            }
            assert_eq!(after, expected, "{pointer} of {document}");
        }
    }

    #[test]
    fn concrete_places_are_recognised() {
        let place = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        for (pointer, at, expected) in [
            ("/properties/Rules/*/Id", "Rules/3/Id", true),
            ("/properties/Rules/Id", "Rules/3/Id", true),
            ("/properties/Rules/*/Id", "Rules/3/Ids", false),
            ("/properties/Rules/*/Id", "Rules/3", false),
            ("/properties/A", "A/B", false),
        ] {
            assert_eq!(
                InstancePath::parse(pointer).map(|path| path.matches(&place(at))),
                Some(expected),
                "{pointer} {at}"
            );
        }
    }
}
