//! Sets of characters.

use regex_syntax::hir::{Class, HirKind};

/// A set of code points: the members of every item, and of all sets that it is intersected with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Set {
    pub(super) is_negated: bool,
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) nested: Vec<Set>,
    pub(super) and: Vec<Set>,
}

impl Set {
    pub(super) fn of(ranges: &[(u32, u32)], is_negated: bool) -> Set {
        Set { is_negated, ranges: ranges.to_vec(), ..Set::default() }
    }

    pub(super) fn has(&self, point: u32) -> bool {
        let is_member = self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&point))
            || self.nested.iter().any(|set| set.has(point));
        (is_member && self.and.iter().all(|set| set.has(point))) != self.is_negated
    }

    /// The same without regard to case.
    pub(super) fn has_any_case(&self, point: u32) -> bool {
        cases(point).into_iter().any(|point| self.has(point))
    }
}

/// A code point and its other cases; Java folds ASCII only unless told otherwise.
fn cases(point: u32) -> [u32; 2] {
    let other = char::from_u32(point).map_or(point, |character| {
        u32::from(if character.is_ascii_lowercase() {
            character.to_ascii_uppercase()
        } else {
            character.to_ascii_lowercase()
        })
    });
    [point, other]
}

/// What ends a line.
pub(super) fn ends_line(point: u32) -> bool {
    matches!(point, 0x0A | 0x0D | 0x85 | 0x2028 | 0x2029)
}

pub(super) fn is_word(point: u32) -> bool {
    in_ranges(WORD, point)
}

fn in_ranges(ranges: &[(u32, u32)], point: u32) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&point))
}

const DIGIT: &[(u32, u32)] = &[(0x30, 0x39)];
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const SPACE: &[(u32, u32)] = &[(0x09, 0x0D), (0x20, 0x20)];
const HORIZONTAL: &[(u32, u32)] = &[
    (0x09, 0x09),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];
const VERTICAL: &[(u32, u32)] = &[(0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)];

/// The set of an escape with one letter, upper case for its complement.
pub(super) fn of_letter(letter: char) -> Option<Set> {
    let ranges = match letter.to_ascii_lowercase() {
        'd' => DIGIT,
        'w' => WORD,
        's' => SPACE,
        'h' => HORIZONTAL,
        'v' => VERTICAL,
        _ => return None,
    };
    Some(Set::of(ranges, letter.is_ascii_uppercase()))
}

/// The classes of POSIX, which are ASCII in Java.
const POSIX: [(&str, &[(u32, u32)]); 13] = [
    ("Lower", &[(0x61, 0x7A)]),
    ("Upper", &[(0x41, 0x5A)]),
    ("ASCII", &[(0x00, 0x7F)]),
    ("Alpha", &[(0x41, 0x5A), (0x61, 0x7A)]),
    ("Digit", DIGIT),
    ("Alnum", &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]),
    ("Punct", &[(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)]),
    ("Graph", &[(0x21, 0x7E)]),
    ("Print", &[(0x20, 0x7E)]),
    ("Blank", &[(0x09, 0x09), (0x20, 0x20)]),
    ("Cntrl", &[(0x00, 0x1F), (0x7F, 0x7F)]),
    ("XDigit", &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
    ("Space", SPACE),
];

/// The set of a class with a name: POSIX, or a category, script or property of Unicode.
pub(super) fn of_name(name: &str, is_negated: bool) -> Option<Set> {
    if let Some((_, ranges)) = POSIX.iter().find(|(known, _)| *known == name) {
        return Some(Set::of(ranges, is_negated));
    }
    // Nothing but a name may reach the tables, whose notation has more in it.
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_=-".contains(&byte)) {
        return None;
    }
    let named = |name: &str| regex_syntax::parse(&format!("\\p{{{name}}}")).ok();
    let tree = named(name).or_else(|| named(name.strip_prefix("Is").or_else(|| name.strip_prefix("In"))?))?;
    let HirKind::Class(Class::Unicode(class)) = tree.kind() else { return None };
    let ranges: Vec<(u32, u32)> =
        class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect();
    Some(Set::of(&ranges, is_negated))
}
