//! What the words of a service name: properties, as the program spells them, and members of the request.
//!
//! Cloud Control names a property by its place in the model, as `#/Rules/0/Status` or `/properties/Rules/*/Status`, in the
//! names of CloudFormation; a program has `rules[0].status`.

use metadata::view::{Properties, Resource, Type};

/// More places than that help nobody in a sentence.
const SHOWN: usize = 5;
/// Words of a service have at most 2,048 characters; other texts are not searched further.
const SEARCHED: usize = 16 * 1024;

/// How the places of properties begin.
const ROOTS: [&str; 2] = ["#/", "/properties/"];

/// The properties that the words name, each once, in their order, in the program's spelling.
pub(super) fn properties(resource: Resource, words: &str) -> Vec<String> {
    let words = &words[..words.floor_char_boundary(SEARCHED)];
    let mut found: Vec<String> = Vec::new();
    let mut rest = words;
    while let Some((at, root)) = ROOTS.iter().filter_map(|root| Some((rest.find(root)?, root.len()))).min() {
        let place = &rest[at + root..];
        let end = place.find(|character: char| !is_of_place(character)).unwrap_or(place.len());
        let (place, after) = place.split_at(end);
        rest = after;
        let place = place.trim_end_matches('.');
        if let Some(path) = path(resource.properties(), place.strip_prefix("properties/").unwrap_or(place)) {
            add(&mut found, path);
        }
    }
    // Of an object without a member the member is named apart.
    for (before, after) in words.match_indices("required key [").map(|(at, key)| words.split_at(at + key.len())) {
        let Some((key, _)) = after.split_once(']') else { continue };
        let before = before.trim_end_matches("required key [").trim_end().trim_end_matches(':');
        let place = before.rsplit(|character: char| !(is_of_place(character) || character == '#')).next();
        let place = place.and_then(|place| place.strip_prefix('#')).unwrap_or_default().trim_start_matches('/');
        let whole = if place.is_empty() { key.to_owned() } else { format!("{place}/{key}") };
        if let Some(path) = path(resource.properties(), &whole) {
            // Its object is not what is wrong.
            let object = self::path(resource.properties(), place);
            found.retain(|other| Some(other) != object.as_ref());
            add(&mut found, path);
        }
    }
    found.truncate(SHOWN);
    found
}

fn add(found: &mut Vec<String>, path: String) {
    if !found.contains(&path) {
        found.push(path);
    }
}

fn is_of_place(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '/' | '_' | '-' | '.' | '*' | '~')
}

/// The Pulumi path of a place below declared members; `None` when its first name is none of them.
fn path(properties: Properties, place: &str) -> Option<String> {
    let mut segments = place.split('/').filter(|segment| !segment.is_empty());
    let first = properties.get_cfn(segments.next()?)?;
    let mut path = first.name().to_owned();
    let mut ty = first.ty();
    for segment in segments {
        let Some((step, below)) = step(ty, segment) else { break };
        path.push_str(&step);
        ty = below;
    }
    Some(path)
}

/// One step down, as it is written, and the type there. What the schema does not know ends the path.
fn step(ty: Type, segment: &str) -> Option<(String, Type)> {
    let is_index = segment.bytes().all(|byte| byte.is_ascii_digit());
    match ty {
        Type::Object(object) => {
            let property = object.properties().get_cfn(segment)?;
            Some((format!(".{}", property.name()), property.ty()))
        }
        Type::Array(element) if is_index || segment == "*" => Some((format!("[{segment}]"), element.get())),
        Type::Map(element) => Some((format!("[{segment:?}]"), element.get())),
        Type::Union(arms) => arms.iter().find_map(|arm| step(arm, segment)),
        Type::Any | Type::Array(_) | Type::Boolean | Type::Enum(_) | Type::Integer | Type::Number | Type::String => {
            None
        }
    }
}

/// The member of the request itself that the words say does not satisfy Cloud Control: `roleArn`, `desiredState`.
pub(super) fn request_member(words: &str) -> Option<&str> {
    let (before, _) = words.split_once("' failed to satisfy constraint")?;
    before.rsplit_once("at '").map(|(_, member)| member)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use metadata::model::{self, Property, Type as Model};

    use super::*;

    fn thing() -> Resource {
        let property = |name: &str, cfn_name: &str, ty| Property {
            name: name.to_owned(),
            cfn_name: cfn_name.to_owned(),
            ty,
            ..Property::default()
        };
        let rule = model::ObjectType {
            token: "aws-native:test:Rule".to_owned(),
            properties: vec![
                property("labels", "Labels", Model::Map(Box::new(Model::String))),
                property("sseAlgorithm", "SSEAlgorithm", Model::String),
                property("status", "Status", Model::String),
            ],
        };
        let rules = Model::Array(Box::new(Model::Object(0)));
        let model = model::Resource {
            cfn_type: "AWS::Test::Thing".to_owned(),
            properties: vec![
                property("first", "First", Model::Union(vec![Model::String, Model::Object(0)])),
                property("name", "Name", Model::String),
                property("policy", "Policy", Model::Any),
                property("rules", "Rules", rules),
            ],
            types: vec![rule],
            ..Default::default()
        };
        metadata::encode(&model).unwrap().leak().into()
    }

    #[test]
    fn properties_are_named_as_the_program_has_them() {
        for (words, expected) in [
            ("Model validation failed (#/Name: failed validation constraint for keyword [pattern])", &["name"][..]),
            ("#/Rules/0/Status: #: only 1 subschema matches out of 2\n#/Rules/0/Status: x", &["rules[0].status"]),
            (
                "readOnlyProperties [/properties/Rules/*/SSEAlgorithm, /properties/Name] cannot be updated",
                &["rules[*].sseAlgorithm", "name"],
            ),
            ("#/First/Labels/a-b: expected type: String, found: Integer", &["first.labels[\"a-b\"]"]),
            ("#/Policy/Statement/0: not valid.", &["policy"]),
            ("#: required key [Name] not found\n#: required key [Policy] not found", &["name", "policy"]),
            ("(#/Rules/1: required key [Status] not found)", &["rules[1].status"]),
            ("#: extraneous key [Nope] is not permitted", &[]),
            ("#/properties/Name: x", &["name"]),
            ("#/Nope/Name: x", &[]),
            ("required key [", &[]),
            ("nothing is named", &[]),
            ("", &[]),
        ] {
            assert_eq!(properties(thing(), words), expected, "{words}");
        }
    }

    #[test]
    fn members_of_the_request_are_recognized() {
        for (words, expected) in [
            (
                "1 validation error detected: Value 'x' at 'roleArn' failed to satisfy constraint: Member must satisfy \
                 regular expression pattern: arn:.+",
                Some("roleArn"),
            ),
            ("Value at 'desiredState' failed to satisfy constraint: Member must have length", Some("desiredState")),
            ("Model validation failed (#/Name: x)", None),
            ("' failed to satisfy constraint", None),
        ] {
            assert_eq!(request_member(words), expected, "{words}");
        }
    }
}
