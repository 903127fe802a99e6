//! What a regular expression of a schema says about names: how long they may be, and which characters they are made of.
//!
//! An expression from `^` to `$` says all of this ([`names`]). Without these signs it may describe a part of the text; but
//! where it is one class of characters, repeated, it is meant for the whole name, and services check it so: it says which
//! characters there are ([`alphabet`]). What cannot be understood says nothing. Assertions about what follows or precedes are
//! left out first: they only forbid more, so every limit found here holds.

use regex_syntax::hir::{Class, Hir, HirKind, Look};
use regex_syntax::parse;

/// What all texts have in common that an expression accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Names {
    /// In characters.
    pub shortest: u64,
    /// In characters; `None` = no bound.
    pub longest: Option<u64>,
    /// Whether capitals may occur.
    pub capitals: bool,
    /// Whether `-` may occur.
    pub dash: bool,
    /// Whether `_` may occur.
    pub underscore: bool,
}

/// Longer expressions than any published schema has are not looked at.
const MAX_BYTES: usize = 20_000;

/// What the expression says; `None` when it is not about the whole text or not understood.
pub fn names(pattern: &str) -> Option<Names> {
    let hir = understood(pattern)?;
    let properties = hir.properties();
    let is_whole =
        properties.look_set_prefix().contains(Look::Start) && properties.look_set_suffix().contains(Look::End);
    is_whole.then(|| look_at(&hir))
}

/// What the expression says about the characters of names, also where `^` or `$` is missing; its lengths count only in
/// [`names`]. `None` when it says nothing about the whole name or is not understood.
pub fn alphabet(pattern: &str) -> Option<Names> {
    names(pattern).or_else(|| {
        let hir = understood(pattern)?;
        is_repeated_class(&hir).then(|| look_at(&hir))
    })
}

fn understood(pattern: &str) -> Option<Hir> {
    if pattern.len() > MAX_BYTES || ["&&", "--", "~~"].iter().any(|operator| pattern.contains(operator)) {
        return None; // Two such signs in a class are an operator to this parser and characters to JSON Schema.
    }
    parse(&without_assertions(pattern)?).ok()
}

/// Whether the expression is a class of characters, repeated, perhaps after another class for the first character.
fn is_repeated_class(hir: &Hir) -> bool {
    let parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let mut parts = parts.iter().filter(|part| !matches!(part.kind(), HirKind::Look(_))).map(without_captures);
    let is_class = |hir: &Hir| matches!(hir.kind(), HirKind::Class(_));
    let is_repeated = |hir: &Hir| match hir.kind() {
        HirKind::Repetition(repetition) => {
            repetition.max.is_none_or(|most| most > 1) && is_class(without_captures(&repetition.sub))
        }
        _ => false,
    };
    match (parts.next(), parts.next(), parts.next()) {
        (Some(only), None, None) => is_repeated(only),
        (Some(first), Some(others), None) => is_class(first) && is_repeated(others),
        _ => false,
    }
}

fn without_captures(hir: &Hir) -> &Hir {
    match hir.kind() {
        HirKind::Capture(capture) => without_captures(&capture.sub),
        _ => hir,
    }
}

/// The parser limits how deeply expressions nest, so that this ends.
fn look_at(hir: &Hir) -> Names {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Names { longest: Some(0), ..Names::default() },
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            let length = text.chars().count() as u64;
            Names {
                shortest: length,
                longest: Some(length),
                capitals: text.bytes().any(|byte| byte.is_ascii_uppercase()),
                dash: text.contains('-'),
                underscore: text.contains('_'),
            }
        }
        HirKind::Class(class) => {
            let has = |first: char, last: char| match class {
                Class::Unicode(class) => class.iter().any(|range| range.start() <= last && range.end() >= first),
                Class::Bytes(class) => {
                    class.iter().any(|range| char::from(range.start()) <= last && char::from(range.end()) >= first)
                }
            };
            Names {
                shortest: 1,
                longest: Some(1),
                capitals: has('A', 'Z'),
                dash: has('-', '-'),
                underscore: has('_', '_'),
            }
        }
        HirKind::Repetition(repetition) => {
            let inner = look_at(&repetition.sub);
            let longest = match (inner.longest, repetition.max) {
                (Some(0), _) => Some(0),
                (Some(longest), Some(times)) => Some(longest.saturating_mul(u64::from(times))),
                _ => None,
            };
            Names { shortest: inner.shortest.saturating_mul(u64::from(repetition.min)), longest, ..inner }
        }
        HirKind::Capture(capture) => look_at(&capture.sub),
        HirKind::Concat(parts) => {
            parts.iter().map(look_at).fold(Names { longest: Some(0), ..Names::default() }, |sum, part| Names {
                shortest: sum.shortest.saturating_add(part.shortest),
                longest: sum.longest.zip(part.longest).map(|(one, other)| one.saturating_add(other)),
                ..characters(sum, part)
            })
        }
        HirKind::Alternation(arms) => {
            let arms = arms.iter().map(look_at);
            arms.reduce(|one, other| Names {
                shortest: one.shortest.min(other.shortest),
                longest: one.longest.zip(other.longest).map(|(one, other)| one.max(other)),
                ..characters(one, other)
            })
            .unwrap_or_default()
        }
    }
}

fn characters(one: Names, other: Names) -> Names {
    Names {
        capitals: one.capitals || other.capitals,
        dash: one.dash || other.dash,
        underscore: one.underscore || other.underscore,
        ..one
    }
}

/// The expression without `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)`; `None` when its parentheses do not match.
fn without_assertions(pattern: &str) -> Option<String> {
    const OPENINGS: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];
    let mut kept = String::with_capacity(pattern.len());
    let mut rest = pattern;
    // How many parentheses are open within an assertion; 0 = outside.
    let mut depth = 0_usize;
    let mut in_class = false;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match character {
            '\\' => length += rest.get(1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
            '[' if in_class => return None, // A class within a class to this parser, a character to JSON Schema.
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && depth > 0 => depth += 1,
            '(' if !in_class && OPENINGS.iter().any(|opening| rest.starts_with(opening)) => depth = 1,
            ')' if !in_class && depth > 0 => {
                depth -= 1;
                rest = rest.get(1..)?;
                continue;
            }
            _ => {}
        }
        let (text, after) = rest.split_at_checked(length)?;
        if depth == 0 {
            kept.push_str(text);
        }
        rest = after;
    }
    (depth == 0 && !in_class).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        check("^[a-z]{1,63}$", Some((1, Some(63))));
        check("^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,100}$", Some((1, Some(101))));
        check("^[a-zA-Z0-9]([a-zA-Z0-9-_]{0,126}[a-zA-Z0-9])?$", Some((1, Some(128))));
        check("^([0-9a-zA-Z][_-]?){1,100}$", Some((1, Some(200))));
        check("^(?!aws:)(ab|c)d*$", Some((1, None)));
        check("^(?=.{2,9}$)[a-z]+$", Some((1, None)));
        check("^[^\\/#:\\n]{1,64}$", Some((1, Some(64))));
        check("^(terms-of-use|privacy-policy)$", Some((12, Some(14))));
        check("^é{2}$", Some((2, Some(2))));
        // Of a part of the text.
        check("[a-z]{1,63}", None);
        check("^[a-z]{1,63}", None);
        check("^a$|b", None);
        // Not understood.
        check("^[a-z]{1,63$", None);
        check("^(?!a$", None);
        check("^[a[b]$", None);
        check("^[!--]$", None);
        check("", None);

        #[track_caller]
        fn check(pattern: &str, expected: Option<(u64, Option<u64>)>) {
            assert_eq!(names(pattern).map(|names| (names.shortest, names.longest)), expected, "{pattern}");
        }
    }

    #[test]
    fn alphabets() {
        check("^[a-z0-9-]+$", (false, true, false));
        check("^[a-zA-Z][a-zA-Z0-9_]{0,47}$", (true, false, true));
        check("^[0-9A-Za-z]{1,20}$", (true, false, false));
        check("^[a-z]{1}(?:-?[a-z0-9])*$", (false, true, false));
        check("^[^A-Z]*$", (false, true, true));
        check("^\\w+$", (true, false, true));
        check("^(?!A-)x_y$", (false, false, true));

        #[track_caller]
        fn check(pattern: &str, expected: (bool, bool, bool)) {
            let found = names(pattern).map(|names| (names.capitals, names.dash, names.underscore));
            assert_eq!(found, Some(expected), "{pattern}");
        }
    }

    #[test]
    fn alphabets_of_expressions_without_anchors() {
        check("[a-zA-Z0-9_]+", Some((true, false, true)));
        check("[a-z][a-z0-9\\-]*", Some((false, true, false)));
        check("^[a-zA-Z][a-zA-Z0-9_]*", Some((true, false, true)));
        check("[a-z0-9]{1,63}$", Some((false, false, false)));
        check("^([a-z]){1}([a-z0-9_]){2,254}", Some((false, false, true)));
        check("^[A-Z_]+$", Some((true, false, true)));
        // One character, or more than a class: may be a part of the text.
        check("\\S", None);
        check("[a-z]?", None);
        check("^custom-[a-z]+", None);
        check("[a-z]+_[a-z]+", None);
        check("[a-z]([a-z0-9]|_[a-z])*", None);
        check("^[a-z]+|[0-9]+", None);
        check("(", None);

        #[track_caller]
        fn check(pattern: &str, expected: Option<(bool, bool, bool)>) {
            let found = alphabet(pattern).map(|names| (names.capitals, names.dash, names.underscore));
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn deep_nesting_is_not_understood() {
        let pattern = format!("^{}a{}$", "(".repeat(5_000), ")".repeat(5_000));
        assert_eq!(names(&pattern), None);
    }
}
