//! The text form of property paths.

use std::fmt;
use std::str::FromStr;

use super::{PropertyPath, Segment};
use crate::Error;
use crate::error::shorten;

/// Whether a dot may stand before a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    Loose,
    Strict,
}

pub(super) fn parse(text: &str, dots: Dots) -> Result<Vec<Segment>, Error> {
    let malformed = |reason| Error::Path { text: shorten(text), reason };
    let mut segments = Vec::new();
    let mut rest = text;
    if rest.starts_with('.') {
        return Err(malformed("it starts with a dot"));
    }
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            if after.is_empty() {
                return Err(malformed("nothing follows the last dot"));
            }
            if after.starts_with('[') && dots == Dots::Strict {
                return Err(malformed("a bracket follows a dot"));
            }
            rest = after;
            continue;
        }
        let (segment, after) = if let Some(quoted) = rest.strip_prefix("[\"") {
            let (key, after) = quoted_key(quoted).map_err(malformed)?;
            (Segment::Key(key), after)
        } else if let Some(bracketed) = rest.strip_prefix('[') {
            let (inner, after) = bracketed.split_once(']').ok_or_else(|| malformed("a bracket is not closed"))?;
            (index_or_wildcard(inner).map_err(malformed)?, after)
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            (Segment::Key(rest[..end].to_owned()), &rest[end..])
        };
        segments.push(segment);
        rest = after;
    }
    Ok(segments)
}

/// Reads a key up to its closing quote and bracket. A backslash is special only before a quote.
fn quoted_key(text: &str) -> Result<(String, &str), &'static str> {
    let mut key = String::new();
    let mut rest = text;
    loop {
        let at = rest.find('"').ok_or("a quoted key is not closed")?;
        match rest[..at].strip_suffix('\\') {
            Some(before) => {
                key.push_str(before);
                key.push('"');
                rest = &rest[at + 1..];
            }
            None => {
                key.push_str(&rest[..at]);
                let after = rest[at + 1..].strip_prefix(']').ok_or("no bracket follows a quoted key")?;
                return Ok((key, after));
            }
        }
    }
}

fn index_or_wildcard(text: &str) -> Result<Segment, &'static str> {
    match text {
        "*" => Ok(Segment::from("*")),
        index => index.parse().map(Segment::Index).map_err(|_| "an index is not a whole number from 0 up"),
    }
}

/// Prints text that [`PropertyPath::parse`] reads back as the same path.
///
/// One kind of key has no spelling in this syntax: one that ends in a backslash and also contains a dot or a bracket. It
/// is printed without that backslash, because the engine fails a whole deployment over a path that it cannot read.
impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.segments().iter().enumerate() {
            let dot = if position == 0 { "" } else { "." };
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if is_bare(key) => write!(f, "{dot}{key}")?,
                Segment::Key(key) => write!(f, "[\"{}\"]", key.trim_end_matches('\\').replace('"', "\\\""))?,
            }
        }
        Ok(())
    }
}

fn is_bare(key: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Quoted, a final backslash would hide the closing quote.
    let only_bare = key.ends_with('\\') && !key.contains(['.', '[']);
    only_bare || (!key.is_empty() && key.chars().all(plain))
}

impl FromStr for PropertyPath {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(segments: &[Segment]) -> PropertyPath {
        segments.iter().cloned().collect()
    }

    #[test]
    fn read() {
        let keys = |keys: &[&str]| path(&keys.iter().map(|key| Segment::from(*key)).collect::<Vec<_>>());
        check("", &keys(&[]));
        check("root", &keys(&["root"]));
        check("root.nested", &keys(&["root", "nested"]));
        check("foo-bar.$x", &keys(&["foo-bar", "$x"]));
        check("a..b", &keys(&["a", "b"]));
        check(r#"a["b\"c"].d[3][*]"#, &path(&["a".into(), "b\"c".into(), "d".into(), 3.into(), "*".into()]));
        check(r#"root.a[0]["x.y"][*]"#, &path(&["root".into(), "a".into(), 0.into(), "x.y".into(), "*".into()]));
        check(r#"["*"]"#, &keys(&["*"]));
        check(r#"["a\b"]"#, &keys(&[r"a\b"]));
        check(r#"[""]"#, &keys(&[""]));
        check("[0]", &path(&[0.into()]));
        check("a.[0]", &path(&["a".into(), 0.into()]));

        #[track_caller]
        fn check(text: &str, expected: &PropertyPath) {
            assert_eq!(PropertyPath::parse(text).as_ref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn refused() {
        check(".a", "it starts with a dot");
        check("a.", "nothing follows the last dot");
        check("a..", "nothing follows the last dot");
        check("a[\"b", "a quoted key is not closed");
        check("a[\"b\"", "no bracket follows a quoted key");
        check("a[\"b\"x]", "no bracket follows a quoted key");
        check("a[x]", "an index is not a whole number from 0 up");
        check("a[-1]", "an index is not a whole number from 0 up");
        check("a[99999999999999999999]", "an index is not a whole number from 0 up");
        check("a[", "a bracket is not closed");

        #[track_caller]
        fn check(text: &str, reason: &'static str) {
            assert_eq!(PropertyPath::parse(text), Err(Error::Path { text: text.to_owned(), reason }));
        }
    }

    #[test]
    fn a_dot_before_a_bracket_is_refused_strictly() {
        assert!(PropertyPath::parse_strict("a.[0]").is_err());
        assert_eq!(PropertyPath::parse_strict("a[0].b"), PropertyPath::parse("a[0].b"));
    }

    #[test]
    fn printed() {
        check(&["a".into(), "b_1".into(), 0.into(), "c".into()], "a.b_1[0].c");
        check(&[0.into(), "a".into()], "[0].a");
        check(&["a-b".into(), "$c".into()], r#"["a-b"]["$c"]"#);
        check(&["a\"b".into()], r#"["a\"b"]"#);
        check(&["".into()], r#"[""]"#);
        check(&["x".into(), r"a\".into()], r"x.a\");
        // No spelling: the last backslash is lost, rather than the whole path.
        check(&[r"a.b\".into()], r#"["a.b"]"#);

        #[track_caller]
        fn check(segments: &[Segment], expected: &str) {
            assert_eq!(path(segments).to_string(), expected);
        }
    }

    fn any_segment() -> impl Strategy<Value = Segment> {
        prop_oneof![
            "[a-zA-Z0-9_]{1,8}".prop_map(Segment::Key),
            ".{0,8}".prop_map(Segment::Key),
            r#"[.\[\]\\"*$]{0,6}"#.prop_map(Segment::Key),
            (0..100_usize).prop_map(Segment::Index),
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(segments in proptest::collection::vec(any_segment(), 0..6)) {
            let has_spelling = |segment: &Segment| match segment {
                Segment::Key(key) => !(key.ends_with('\\') && key.contains(['.', '['])),
                Segment::Index(_) => true,
            };
            let printed = path(&segments).to_string();
            let read = PropertyPath::parse(&printed);
            prop_assert!(read.is_ok(), "{} from {:?}", printed, segments);
            if segments.iter().all(has_spelling) {
                prop_assert_eq!(read, Ok(path(&segments)));
            }
        }

        #[test]
        fn reading_never_panics(text in r#"[a-z.\[\]"\\*0-9]{0,24}"#) {
            if let Ok(path) = PropertyPath::parse(&text) {
                let printed = PropertyPath::parse(&path.to_string());
                prop_assert!(printed.is_ok());
            }
        }
    }
}
