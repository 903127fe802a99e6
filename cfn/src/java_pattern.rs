//! Regular expressions of schemas, made ready to match.
//!
//! Schemas use Java's dialect. ECMAScript without the `u` flag understands nearly all of it; the rest is translated here as
//! far as published schemas need it. Which texts an expression accepts is the engine's part, which backtracks: whoever
//! matches limits how long texts may be. Texts that fit an expression are made by [`crate::pattern`].

use regress::Regex;

/// The expression, to be searched for in texts; `None` when it says something that ECMAScript cannot.
pub fn compile(pattern: &str) -> Option<Regex> {
    // Java sets flags inside a pattern, ECMAScript beside it.
    let flags: String = [("(?s)", 's'), ("(?i)", 'i')]
        .iter()
        .filter(|(text, _)| pattern.contains(text))
        .map(|(_, flag)| flag)
        .collect();
    let mut pattern = replaced(pattern, &[("(?s)", ""), ("(?i)", "")]);
    if pattern.contains("&&[") {
        return None;
    }
    pattern = replaced(&with_classes(&pattern, &POSIX), &ANCHORS);
    let with = |pattern: &str, flags: &str| Regex::with_flags(pattern, flags).ok();
    if pattern.contains("\\p{") || pattern.contains("\\P{") {
        // Unicode classes need the `u` flag, which in turn refuses needless escapes. Where there are such, the common
        // ranges of each class have to do.
        if let Some(regex) = with(&pattern, &format!("{flags}u")) {
            return Some(regex);
        }
        pattern = with_classes(&replaced(&pattern, &NEGATED), &UNICODE);
        if pattern.contains("\\p{") || pattern.contains("\\P{") {
            return None;
        }
    }
    with(&pattern, &flags)
        .or_else(|| with(&replaced(&pattern, &[("*+", "*"), ("++", "+"), ("?+", "?"), ("}+", "}")]), &flags))
}

fn replaced(pattern: &str, spellings: &[(&str, &str)]) -> String {
    spellings
        .iter()
        .fold(pattern.to_owned(), |text, (from, to)| if text.contains(from) { text.replace(from, to) } else { text })
}

/// Replaces the names of classes by their members, in brackets where the name does not stand within any.
fn with_classes(pattern: &str, classes: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut is_within = false;
    while let Some(first) = rest.chars().next() {
        if let Some((name, members)) = classes.iter().find(|(name, _)| rest.starts_with(name)) {
            text.push_str(&if is_within { (*members).to_owned() } else { format!("[{members}]") });
            rest = rest.get(name.len()..).unwrap_or_default();
            continue;
        }
        let length = if first == '\\' { 1 + rest.chars().nth(1).map_or(0, char::len_utf8) } else { first.len_utf8() };
        let (step, after) = rest.split_at(length);
        is_within = match first {
            '[' => true,
            ']' => false,
            _ => is_within,
        };
        text.push_str(step);
        rest = after;
    }
    text
}

/// POSIX classes.
const POSIX: [(&str, &str); 7] = [
    ("\\p{Print}", "\\x20-\\x7e"),
    ("\\p{Graph}", "\\x21-\\x7e"),
    ("\\p{ASCII}", "\\x00-\\x7f"),
    ("\\p{Alnum}", "A-Za-z0-9"),
    ("\\p{Alpha}", "A-Za-z"),
    ("\\p{Punct}", "!-\\/:-@\\[-`{-~"),
    ("\\h", " \\t"),
];

/// The ends of the text.
const ANCHORS: [(&str, &str); 3] = [("\\A", "^"), ("\\Z", "$"), ("\\z", "$")];

/// Negated classes, which schemas use outside of brackets only.
const NEGATED: [(&str, &str); 2] = [("\\P{C}", "[^\\x00-\\x1f\\x7f]"), ("\\P{M}", "[^\\u0300-\\u036f]")];

/// The common ranges of Unicode classes.
const UNICODE: [(&str, &str); 10] = [
    ("\\p{Cc}", "\\x00-\\x1f\\x7f"),
    ("\\p{Zs}", " \\u00a0\\u2000-\\u200a\\u3000"),
    ("\\p{Cf}", "\\u200b-\\u200f\\ufeff"),
    ("\\p{C}", "\\x00-\\x1f\\x7f"),
    ("\\p{L}", "A-Za-z\\u00aa-\\u00ff\\u0100-\\u02c1\\u0370-\\u1fff\\u2c00-\\ud7ff\\uf900-\\uffdc"),
    ("\\p{M}", "\\u0300-\\u036f"),
    ("\\p{N}", "0-9\\u00b2\\u00b3\\u00b9"),
    ("\\p{P}", "!-\\/:-@\\[-`{-~\\u00a1-\\u00bf\\u2010-\\u205e"),
    ("\\p{S}", "$+<->^`|~\\u00a2-\\u00a9\\u20a0-\\u20bf"),
    ("\\p{Z}", "\\s\\u00a0\\u2000-\\u200a\\u3000"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_java_are_understood() {
        for (pattern, text, expected) in [
            ("b", "abc", true),
            ("^b", "abc", false),
            ("^(?!aws)[a-z]+$", "aws", false),
            ("^[\\p{L}0-9 ]*$", "Zürich 1", true),
            ("^[\\w+=,.@-]++$", "a-b", true),
            ("^[\\p{L}\\p{Z}\\-]+$", "Zürich-x", true),
            ("^[\\p{L}]+$", "p{L}", false),
            ("^\\P{C}*$", "a\u{1}", false),
            ("\\A[a-z]{1,3}\\Z", "abc", true),
            ("\\A[a-z]{1,3}\\z", "abcd", false),
            ("(?s).+", "a\nb", true),
            ("^(?s).+$", "a\nb", true),
            ("(?i)^abc$", "ABC", true),
            ("^\\p{Print}+$", "a b", true),
            ("^[\\p{Graph}\\x20]+$", "a b", true),
        ] {
            let found = compile(pattern).map(|regex| regex.find(text).is_some());
            assert_eq!(found, Some(expected), "{pattern:?} in {text:?}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_no_expression() {
        for pattern in ["(", "[a-z&&[^b]]", "\\p{Sinhala}\\-\\_"] {
            assert!(compile(pattern).is_none(), "{pattern:?}");
        }
    }
}
