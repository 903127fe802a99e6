//! The texts in Rust sources: the string literals of what is neither test nor comment.

use std::path::Path;

use anyhow::{Context as _, Result};

/// The literals in the sources at or below `path`, in the order of their files. Files named `tests.rs` have none.
///
/// # Errors
///
/// A file or folder cannot be read.
pub fn below(path: &Path) -> Result<Vec<String>> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).with_context(|| format!("reading {}", path.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        return Ok(paths.iter().map(|path| below(path)).collect::<Result<Vec<_>>>()?.concat());
    }
    if path.extension().is_none_or(|extension| extension != "rs")
        || path.file_name().is_some_and(|name| name == "tests.rs")
    {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(of(&text))
}

/// The literals in code up to its tests, which stand at its end. Escapes of quotes, backslashes and line ends are
/// resolved, and the reasons of `#[allow]` are none.
pub fn of(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/', '#']) {
        let (before, start) = rest.split_at(at);
        rest = match start.as_bytes() {
            [b'/', b'/', ..] => after(start, "\n"),
            [b'#', ..] if start.starts_with("#[allow(") || start.starts_with("#![allow(") => after(start, ")]"),
            // A character, or a lifetime, which has no quote behind it.
            [b'\'', b'\\', ..] => start.get(2..).and_then(|start| start.split_once('\'')).map_or("", |(_, rest)| rest),
            [b'\'', ..] => match start.char_indices().nth(2) {
                Some((end, '\'')) => &start[end + 1..],
                _ => &start[1..],
            },
            [b'"', ..] if before.ends_with('r') => {
                let (literal, rest) = start[1..].split_once('"').unwrap_or((&start[1..], ""));
                found.push(literal.to_owned());
                rest
            }
            [b'"', ..] => {
                let (literal, rest) = literal(&start[1..]);
                found.push(literal);
                rest
            }
            [b'#', b'"', ..] if before.ends_with('r') => {
                let (literal, rest) = start[2..].split_once("\"#").unwrap_or((&start[2..], ""));
                found.push(literal.to_owned());
                rest
            }
            _ => &start[1..],
        };
    }
    found
}

fn after<'t>(text: &'t str, end: &str) -> &'t str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// A literal whose opening quote is gone, and what stands behind it.
fn literal(text: &str) -> (String, &str) {
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\\']) {
        found.push_str(&rest[..at]);
        let mut characters = rest[at + 1..].chars();
        if rest[at..].starts_with('"') {
            return (found, characters.as_str());
        }
        rest = match characters.next() {
            Some('\n') => characters.as_str().trim_start(),
            Some('n') => {
                found.push('\n');
                characters.as_str()
            }
            escaped => {
                found.extend(escaped);
                characters.as_str()
            }
        };
    }
    (found + rest, "")
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn what_is_said_and_nothing_else() {
        let code = r##"
            //! "Not this."
            #![allow(clippy::x, reason = "nor this")]
            #[error("one {text}, \"quoted\": \
                     on two lines")]
            fn f<'a>(x: &'a str) { g('"', '\'', '\\', "two") } // "nor that"
            const RAW: &str = r"three \n";
            const HASHED: &str = r#"four "quoted""#;
            #[cfg(test)]
            mod tests { const TEXT: &str = "of a test"; }
        "##;
        assert_eq!(of(code), ["one {text}, \"quoted\": on two lines", "two", "three \\n", "four \"quoted\""]);
    }
}
