//! What is said beside a property's description: allowed values, limits, what a change does, what is not read back.

use std::collections::HashSet;
use std::fmt::Write as _;

use cfn::schema::JsonType;
use cfn::{Node, PropertyPath, ResourceSchema};
use serde_json::Value;

use crate::package::Text;
use crate::text::visible;
use crate::types::value_text;

/// What a property says that neither the documentation nor the schema describes.
pub const UNDESCRIBED: &str = "AWS publishes no description of this property.";

/// Allowed values beyond this number are counted only.
const MAX_VALUES: usize = 12;

/// A list of allowed values is no longer than this many characters.
const MAX_VALUES_LENGTH: usize = 400;

/// Whether a text has them is not looked up for more values than this; published lists have a third of it.
const MAX_SOUGHT: usize = 1000;

/// Longer patterns are no help to a reader.
const MAX_PATTERN: usize = 40;

/// Greater lengths are no limit that a reader meets.
const MAX_LENGTH: u64 = 512;

/// The properties of a schema about which more is to be said. A node is known by its place in memory, which does not
/// change while the schema is borrowed.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    create_only: HashSet<usize>,
    conditional: HashSet<usize>,
    write_only: HashSet<usize>,
}

impl Marks {
    /// The marks of a schema's properties.
    pub(crate) fn new(schema: &ResourceSchema) -> Marks {
        let places = |paths: &[PropertyPath]| paths.iter().flat_map(|path| places(schema, path)).collect();
        Marks {
            create_only: places(&schema.create_only),
            conditional: places(&schema.conditional_create_only),
            write_only: places(&schema.write_only),
        }
    }

    /// The description of a property with everything that is to be said beside it. `declared` is where the schema has
    /// the property; `node` may be a copy of it.
    pub(crate) fn text(&self, schema: &ResourceSchema, node: &Node, declared: &Node) -> Text {
        let mut text = node.description.clone().unwrap_or_else(|| UNDESCRIBED.to_owned());
        let remarks: Vec<String> = [values(schema, node, &text), limits(schema, node, &text)]
            .into_iter()
            .flatten()
            .chain(self.behavior(declared).map(str::to_owned))
            .collect();
        if !remarks.is_empty() {
            let _ = write!(text, "\n\n{}", remarks.join(" "));
        }
        Text::from(text)
    }

    fn behavior(&self, node: &Node) -> impl Iterator<Item = &'static str> {
        let place = place(node);
        [
            (&self.create_only, "Changes force replacement."),
            (&self.conditional, "Changes may force replacement."),
            (&self.write_only, "Write-only: cannot be read back."),
        ]
        .into_iter()
        .filter(move |(places, _)| places.contains(&place))
        .map(|(_, remark)| remark)
    }
}

fn place(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

/// The property nodes that a path names, before any reference of theirs is followed.
fn places(schema: &ResourceSchema, path: &PropertyPath) -> Vec<usize> {
    let Some((last, parents)) = path.segments().split_last() else { return Vec::new() };
    let Some(name) = last.name() else { return Vec::new() };
    if parents.is_empty() {
        return schema.properties.get(name).map(place).into_iter().collect();
    }
    let parent = parents.iter().fold(String::from("/properties"), |mut pointer, segment| {
        let _ = write!(pointer, "/{}", segment.name().unwrap_or("*"));
        pointer
    });
    let holders = schema.nodes_at(&PropertyPath::parse(&parent));
    holders.into_iter().filter_map(|holder| holder.properties.get(name)).map(place).collect()
}

/// The allowed values, unless the text has them already.
fn values(schema: &ResourceSchema, node: &Node, text: &str) -> Option<String> {
    let mut values = allowed(schema, node);
    if values.is_empty() {
        values = schema.resolve(node).and_then(|node| node.items.first()).map(|item| allowed(schema, item))?;
    }
    let shown: Vec<String> = values.iter().map(|value| value_text(value)).collect();
    let is_said = || shown.iter().all(|value| has_word(text, value));
    if shown.is_empty() || (shown.len() <= MAX_SOUGHT && is_said()) {
        return None;
    }
    let mut list = String::new();
    for (index, value) in shown.iter().enumerate() {
        let more = shown.len() - index;
        if index > 0 && more > 1 && (index >= MAX_VALUES || list.len() > MAX_VALUES_LENGTH) {
            let _ = write!(list, " and {more} more");
            break;
        }
        let _ = write!(list, "{}{}", if index > 0 { ", " } else { "" }, code(value));
    }
    Some(format!("Allowed values: {list}."))
}

/// Whether a text has a value as words of its own, not as a part of others.
fn has_word(text: &str, value: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    // A sign at the end of a value ends a word by itself.
    let (begins, ends) = (value.starts_with(is_part), value.ends_with(is_part));
    !value.is_empty()
        && text.match_indices(value).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + value.len()..).unwrap_or_default();
            let goes_on = begins && before.ends_with(is_part) || ends && after.starts_with(is_part);
            !goes_on
        })
}

fn allowed<'a>(schema: &'a ResourceSchema, node: &'a Node) -> Vec<&'a Value> {
    let Some(node) = schema.resolve(node) else { return Vec::new() };
    let mut values: Vec<&Value> = node.enumeration.iter().collect();
    if values.is_empty() {
        let branches = node.any_of.iter().chain(&node.one_of).filter_map(|branch| schema.resolve(branch));
        values = branches.flat_map(|branch| &branch.enumeration).collect();
    }
    values
}

/// A value as code; one that is empty or has backticks in quotes instead. It stays in its line.
fn code(value: &str) -> String {
    let value = visible(value);
    match value.is_empty() || value.contains('`') || value.contains("*/") {
        true => format!("\"{}\"", value.replace('`', "'").replace("*/", "*&#47;")),
        false => format!("`{value}`"),
    }
}

/// Length and pattern, where they are short enough to help and the text does not have them.
fn limits(schema: &ResourceSchema, node: &Node, text: &str) -> Option<String> {
    let node = schema.resolve(node)?;
    if node.completed_types().only() != Some(JsonType::String) || !node.enumeration.is_empty() {
        return None;
    }
    let mut remarks = Vec::new();
    let most = node.max_length().filter(|most| *most <= MAX_LENGTH && !text.to_lowercase().contains("length"));
    if let Some(most) = most {
        remarks.push(match node.min_length().unwrap_or(0) {
            0 => format!("At most {most} characters."),
            least if least == most => format!("Exactly {most} characters."),
            least => format!("{least} to {most} characters."),
        });
    }
    let pattern = node.constraints.as_ref().and_then(|constraints| constraints.pattern.as_deref());
    let is_helpful = |pattern: &&str| {
        pattern.chars().count() <= MAX_PATTERN
            && pattern.chars().all(|character| (' '..='\u{7e}').contains(&character) && character != '`')
            && !pattern.contains("*/")
            && !text.to_lowercase().contains("pattern")
    };
    if let Some(pattern) = pattern.filter(is_helpful) {
        remarks.push(format!("Pattern: `{pattern}`."));
    }
    (!remarks.is_empty()).then(|| remarks.join(" "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::json;

    use super::*;

    fn text_of(marks: &Marks, schema: &ResourceSchema, node: &Node) -> String {
        marks.text(schema, node, node).to_string()
    }

    #[test]
    fn values_are_told_by_whole_words() {
        for (text, value, expected) in [
            ("Either A or B.", "A", true),
            ("one of `private`, `public`", "private", true),
            ("assigned privately", "private", false),
            ("ObjectLockEnabled says so", "Enabled", false),
            ("ObjectLockEnabled is Enabled", "Enabled", true),
            ("SOME_VALUE", "VALUE", false),
            ("v1.0, v1.1", "v1.1", true),
            ("V11", "V1", false),
            ("s3:*x", "s3:*", true),
            ("größer", "größ", false),
            ("anything", "", false),
        ] {
            assert_eq!(has_word(text, value), expected, "{value:?} in {text:?}");
        }
    }

    #[test]
    fn c82_docs_have_allowed_values_and_marks() {
        let numbers: Vec<String> = (1..=20).map(|number| format!("V{number}")).collect();
        let schema = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Cage",
            "properties": {
                "Mood": {"$ref": "#/definitions/Mood", "description": "How it feels."},
                "Moods": {"type": "array", "items": {"$ref": "#/definitions/Mood"}},
                "Said": {"type": "string", "enum": ["A", "B"], "description": "Either A or B."},
                "Many": {"type": "string", "enum": numbers},
                "Name": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z]+$"},
                "Long": {"type": "string", "maxLength": 9000, "pattern": "x".repeat(99)},
                "Lock": {"$ref": "#/definitions/Lock"},
                "Locks": {"type": "array", "items": {"$ref": "#/definitions/Lock"}},
            },
            "definitions": {
                "Mood": {"type": "string", "enum": ["GOOD", ""]},
                "Lock": {"type": "object", "properties": {"Key": {"type": "string"}, "Kind": {"type": "string"}}},
            },
            "createOnlyProperties": ["/properties/Name", "/properties/Locks/*/Kind"],
            "conditionalCreateOnlyProperties": ["/properties/Many"],
            "writeOnlyProperties": ["/properties/Lock/Key"],
        }))
        .unwrap();
        let marks = Marks::new(&schema);
        let text = |name: &str| text_of(&marks, &schema, schema.properties.get(name).unwrap());
        assert_eq!(text("Mood"), "How it feels.\n\nAllowed values: `GOOD`, \"\".");
        assert_eq!(text("Moods"), format!("{UNDESCRIBED}\n\nAllowed values: `GOOD`, \"\"."));
        assert_eq!(text("Said"), "Either A or B.");
        assert!(text("Many").ends_with("`V11`, `V12` and 8 more. Changes may force replacement."), "{}", text("Many"));
        let name = format!("{UNDESCRIBED}\n\n1 to 64 characters. Pattern: `^[a-z]+$`. Changes force replacement.");
        assert_eq!(text("Name"), name);
        assert_eq!(text("Long"), UNDESCRIBED);
        let lock = schema.definitions.get("Lock").unwrap();
        let member = |name: &str| text_of(&marks, &schema, lock.properties.get(name).unwrap());
        assert!(member("Key").ends_with("Write-only: cannot be read back."));
        assert!(member("Kind").ends_with("Changes force replacement."));
    }
}
