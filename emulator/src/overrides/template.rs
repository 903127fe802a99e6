//! Templates of values; what their placeholders mean is in [`crate::synthesize`]'s `placeholders`.

use serde::{Deserialize, Deserializer};
use std::fmt;

/// A text with placeholders in braces, checked to have only placeholders that can be filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Box<str>);

impl Template {
    /// Checks a text.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Template, String> {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (_, from) = rest.split_at(at);
            let inside =
                from.strip_prefix('{').ok_or_else(|| format!("a brace is closed that was not opened: {text}"))?;
            let (placeholder, after) =
                inside.split_once('}').ok_or_else(|| format!("a brace is not closed: {text}"))?;
            check(placeholder)?;
            rest = after;
        }
        Ok(Template(text.into()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

/// The alphabets that placeholders draw from.
const ALPHABETS: [&str; 5] = ["hex", "upperhex", "lower", "upper", "digits"];
/// What may stand before a colon and a path or a name.
const WORDS: [&str; 7] = ["ref", "last", "lowered", "dashed", "count", "table", "zone-id"];

fn check(placeholder: &str) -> Result<(), String> {
    let name = placeholder.trim_start_matches(['?', '/']);
    let name = name.split_once('|').map_or(name, |(name, _)| name);
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_-".contains(&byte))
    };
    let is_draw = |draw: &str| {
        draw.split_once(':').is_some_and(|(alphabet, length)| {
            ALPHABETS.contains(&alphabet) && length.parse::<u8>().is_ok_and(|length| length > 0)
        })
    };
    let is_known = match name.split_once(':') {
        None => is_name(name),
        Some(("shared" | "same", draw)) => is_draw(draw),
        Some(("after", of)) => of.rsplit_once(':').is_some_and(|(mark, path)| !mark.is_empty() && is_name(path)),
        Some((word, of)) if WORDS.contains(&word) => is_name(of),
        Some(_) => is_draw(name),
    };
    if is_known { Ok(()) } else { Err(format!("there is no placeholder {{{placeholder}}}")) }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Template, D::Error> {
        let text = String::deserialize(deserializer)?;
        Template::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_checked_when_they_are_read() {
        for text in [
            "",
            "plain",
            "arn:{partition}:x:{?Stream}{Path|/}{/Name}",
            "{hex:17}-{ref:Endpoint/Address|x}",
            "{shared:lower:12}",
        ] {
            assert!(Template::parse(text).is_ok(), "{text}");
        }
        for (text, expected) in [
            ("{", "a brace is not closed"),
            ("}", "a brace is closed that was not opened"),
            ("a{b}}", "a brace is closed that was not opened"),
            ("{}", "there is no placeholder {}"),
            ("{hex}{base32:4}", "there is no placeholder {base32:4}"),
            ("{hex:0}", "there is no placeholder {hex:0}"),
            ("{shared:ref:x}", "there is no placeholder {shared:ref:x}"),
            ("{a b}", "there is no placeholder {a b}"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
