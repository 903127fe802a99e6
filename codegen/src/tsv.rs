//! Fields of tab-separated text: the escapes of the inventory and of the name lock.
//!
//! Names and enum values come from schemas, so they may hold anything; a field never holds a tab or a line break.

use std::borrow::Cow;

/// A field as it is written: `\t`, `\n`, `\r` and `\\` for what would end a field, `\e` for an empty one.
pub(crate) fn escape(field: &str) -> Cow<'_, str> {
    if field.is_empty() {
        return Cow::Borrowed("\\e");
    }
    if !field.contains(['\\', '\t', '\n', '\r']) {
        return Cow::Borrowed(field);
    }
    let mut text = String::with_capacity(field.len() + 2);
    for character in field.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
    }
    Cow::Owned(text)
}

/// The field behind its written form; `None` for an escape that [`escape`] does not make.
pub(crate) fn unescape(field: &str) -> Option<Cow<'_, str>> {
    if field == "\\e" {
        return Some(Cow::Borrowed(""));
    }
    if !field.contains('\\') {
        return Some(Cow::Borrowed(field));
    }
    let mut text = String::with_capacity(field.len());
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            other => other,
        });
    }
    Some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields() {
        for (field, written) in
            [("name", "name"), ("", "\\e"), ("a\tb\nc\r", "a\\tb\\nc\\r"), ("\\e", "\\\\e"), ("ü|=", "ü|=")]
        {
            assert_eq!(escape(field), written);
            assert_eq!(unescape(written).as_deref(), Some(field));
        }
        for wrong in ["\\", "a\\x", "\\e\\e"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_field_comes_back(field in any::<String>()) {
            let written = escape(&field).into_owned();
            prop_assert!(!written.is_empty() && !written.contains(['\t', '\n', '\r']));
            let read = unescape(&written).map(Cow::into_owned);
            prop_assert_eq!(read, Some(field));
        }
    }
}
