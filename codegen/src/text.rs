//! Texts of schemas on their way into the package schema.

use crate::package::Text;
use std::borrow::Cow;

/// Straightens curly quotes and turns Unicode line separators into line feeds; some SDK generators break on them.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{201c}', '\u{201d}', '\u{2028}', '\u{2029}']) {
        return Cow::Borrowed(text);
    }
    let replaced = text.chars().map(|character| match character {
        '\u{201c}' | '\u{201d}' => '"',
        '\u{2028}' | '\u{2029}' => '\n',
        other => other,
    });
    Cow::Owned(replaced.collect())
}

/// A clean text to share; `None` for no text or an empty one.
pub(crate) fn shared(text: Option<&str>) -> Option<Text> {
    let text = text.filter(|text| !text.is_empty())?;
    Some(Text::from(&*clean(text)))
}

/// A text for one line of a comment or of a description, in which every character can be seen: what breaks a line, turns
/// the direction of writing or shows nothing is written as an escape.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_invisible(character) {
            true => out.extend(character.escape_default()),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The description of a property whose shape the schema does not tell, with a pointer to where it is told.
pub(crate) fn with_any_note(description: Option<&str>, cfn_type: &str) -> Text {
    let note = format!(
        "The schema leaves the shape of this value open; see `{cfn_type}` in the \
         [CloudFormation User Guide](https://docs.aws.amazon.com/cloudformation/)."
    );
    match description {
        Some(description) => Text::from(format!("{description}\n\n{note}")),
        None => Text::from(note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_separators_are_straightened() {
        assert_eq!(clean("\u{201c}a\u{201d}\u{2028}b\u{2029}"), "\"a\"\nb\n");
        assert!(matches!(clean("plain"), Cow::Borrowed("plain")));
        assert_eq!(shared(Some("")), None);
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        for (text, expected) in [
            ("plain, größer", "plain, größer"),
            ("a\rb\nc\td\0", "a\\rb\\nc\\td\\u{0}"),
            ("a\u{202e}b\u{2066}\u{2028}\u{feff}", "a\\u{202e}b\\u{2066}\\u{2028}\\u{feff}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }
}
