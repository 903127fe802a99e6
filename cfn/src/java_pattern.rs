//! Regular expressions of schemas, ready to be searched for in texts.
//!
//! Schemas use Java's dialect, so this is Java's dialect: ASCII classes, nested and intersected classes, possessive
//! repetition, look-around, ends before a final line break. Only whether an expression is found is of interest, never
//! where: no place of an expression is tried twice at one place of the text, so that no expression backtracks without
//! end. What takes too long in spite of that has no answer.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | compiling and searching |
//! | `parse` | reading an expression |
//! | `class` | sets of characters |
//! | `program` | expressions as steps, and walking through them |
//!
//! Texts that fit an expression are made by [`crate::pattern`].

mod class;
mod parse;
mod program;

use program::Program;

/// Texts of more characters are not searched.
pub const LONGEST_TEXT: usize = 16 * 1024;

/// An expression, to be searched for in texts.
#[derive(Debug)]
pub struct Pattern {
    program: Program,
}

impl Pattern {
    /// Whether the expression is found in the text; `None` when that takes too long to tell.
    pub fn is_found(&self, text: &str) -> Option<bool> {
        let text: Vec<u32> = text.chars().take(LONGEST_TEXT + 1).map(u32::from).collect();
        if text.len() > LONGEST_TEXT {
            return None;
        }
        self.program.is_found(&text)
    }
}

/// Makes an expression ready; `None` when it is none, or one with back-references or of a size that no schema needs.
pub fn compile(pattern: &str) -> Option<Pattern> {
    // Some expressions were written for a dialect in which brackets do not nest.
    let tree = parse::parse(pattern, true).or_else(|| parse::parse(pattern, false))?;
    Some(Pattern { program: Program::of(&tree)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_as_in_java() {
        for (pattern, text, expected) in [
            ("b", "abc", true),
            ("^b", "abc", false),
            ("", "", true),
            ("^(?!aws)[a-z]+$", "aws", false),
            ("^(?!aws)[a-z]+$", "azure", true),
            ("(?<=a)b", "ab", true),
            ("(?<!a)b", "ab", false),
            ("^[\\p{L}0-9 ]*$", "Zürich 1", true),
            ("^[\\w+=,.@-]++$", "a-b", true),
            ("^a++a$", "aaa", false),
            ("^(?>a|ab)c$", "abc", false),
            ("^a+?a$", "aaa", true),
            ("^[\\p{L}\\p{Z}\\-]+$", "Zürich-x", true),
            ("^[\\p{L}]+$", "p{L}", false),
            ("^\\P{C}*$", "a\u{1}", false),
            ("\\A[a-z]{1,3}\\Z", "abc\n", true),
            ("\\A[a-z]{1,3}\\z", "abc\n", false),
            ("^abc$", "abc\n", true),
            ("^abc$", "abc\r\n", true),
            ("^abc$", "abc\n\n", false),
            ("^.$", "\n", false),
            ("(?s).+", "a\nb", true),
            ("^(?s).+$", "a\nb", true),
            ("(?i)^abc$", "ABC", true),
            ("^(?i:a)b$", "Ab", true),
            ("^(?i:a)b$", "AB", false),
            ("(?i)^[a-c]$", "B", true),
            ("^\\p{Print}+$", "a b", true),
            ("^[\\p{Graph}\\x20]+$", "a b", true),
            ("^[a-z&&[^b]]$", "b", false),
            ("^[a-z&&[^b]]$", "c", true),
            ("^[a-c[x-z]]+$", "ax", true),
            ("^[^a-c[x-z]]+$", "x", false),
            ("^[\\w-.]+$", "a-.", true),
            ("^[-a]$", "-", true),
            ("^[a-]$", "-", true),
            ("^\\d$", "٣", false),
            ("^\\w$", "é", false),
            ("\\bfoo\\b", "a foo b", true),
            ("^[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF]*$", "a😀", true),
            ("^\\Qa.b\\E$", "a.b", true),
            ("^\\Qa.b\\E$", "axb", false),
            ("^a{2,3}$", "aaaa", false),
            ("^(ab){2,3}$", "ababab", true),
            ("^(ab){2}$", "ababab", false),
            ("^[a-z]{1,63}$", &"a".repeat(64), false),
            ("^[a-z]{3,}$", &"a".repeat(64), true),
            ("^([a-z]|[0-9])*$", "a1b2", true),
            ("^$|^a$", "a", true),
            ("^{x}$", "{x}", true),
            ("^\\{x\\}$", "{x}", true),
            ("^[^/]+/(a|b)/?$", "x/b/", true),
        ] {
            assert_eq!(
                compile(pattern).and_then(|found| found.is_found(text)),
                Some(expected),
                "{pattern:?} in {text:?}"
            );
        }
    }

    #[test]
    fn no_expression_backtracks_without_end() {
        let long = "a".repeat(10_000);
        for pattern in ["^([0-9a-f]+)+!$", "^(a|a)*$!", "(a*)*b", "(.*)(.*)(.*)(.*)x", "^(([a-z])+.)+[A-Z]([a-z])+$"] {
            let found = compile(pattern).and_then(|found| found.is_found(&long));
            assert_eq!(found, Some(false), "{pattern:?}");
        }
        let found = compile("^a$").and_then(|found| found.is_found(&"a".repeat(LONGEST_TEXT + 1)));
        assert_eq!(found, None);
    }

    #[test]
    fn what_is_no_expression_does_not_compile() {
        let nested = "(".repeat(1_000);
        for pattern in
            ["(", ")", "[a-z", "a{3,2}", "*", "(a)\\1", "\\p{Klingon}", "[z-a]", "((a{999}){999}){999}", &nested]
        {
            assert!(compile(pattern).is_none(), "{pattern:?}");
        }
    }
}
