//! The sentences about what a schema forbids.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::forbidden::RuledOut;

/// More values than that help nobody in a message.
const SHOWN: usize = 12;
/// Longer texts are cut, in characters.
const LONGEST_VALUE: usize = 80;
const LONGEST_PATTERN: usize = 200;

/// A value in a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown<'v> {
    /// Not to be quoted.
    Secret,
    Text(&'v str),
    Number(f64),
    Bool(bool),
}

/// What a value breaks.
#[derive(Debug)]
pub(super) enum Violation<'v> {
    /// Another kind than the schema says.
    Kind {
        found: &'static str,
        allowed: Vec<&'v str>,
    },
    NotAmong {
        value: Shown<'v>,
        allowed: Vec<&'v Json>,
    },
    Pattern {
        value: Shown<'v>,
        pattern: &'v str,
    },
    /// In characters; `None` for the length of a secret.
    Length {
        count: Option<usize>,
        range: Range,
    },
    Bounds {
        value: Shown<'v>,
        range: Range,
    },
    Multiple {
        value: Shown<'v>,
        of: f64,
    },
    Items {
        count: usize,
        range: Range,
    },
    /// Two elements of a list that are equal.
    Twice {
        first: usize,
        second: usize,
    },
    Keys {
        count: usize,
        range: Range,
    },
    /// A key that no pattern matches; `None` for one of a secret.
    Key {
        key: Option<&'v str>,
        patterns: Vec<&'v str>,
    },
    ExactlyOne(Vec<String>),
    AtLeastOne(Vec<String>),
    Missing(String),
    Needs {
        name: String,
        needed: String,
    },
    Excludes {
        name: String,
        excluded: String,
    },
    /// An object, or a list, is what the schema says that it must not be.
    Forbidden(RuledOut),
    /// A value is one that the schema says that it must not be.
    ForbiddenValue {
        value: Shown<'v>,
        /// Those that are listed; none if the schema says it otherwise.
        among: Vec<&'v Json>,
        pattern: Option<&'v str>,
    },
    NoForm(usize),
    ManyForms(usize),
}

/// Bounds in words.
#[derive(Debug, Clone, Default)]
pub(super) struct Range {
    least: Option<Bound>,
    most: Option<Bound>,
}

/// One end of a range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub value: f64,
    /// The value itself is outside.
    pub exclusive: bool,
}

impl Range {
    pub(super) fn new(least: Option<Bound>, most: Option<Bound>) -> Self {
        Self { least, most }
    }

    /// A range of counts.
    #[allow(clippy::cast_precision_loss)] // no schema counts to 2^53
    pub(super) fn counts(least: Option<usize>, most: Option<usize>) -> Self {
        let bound = |count: usize| Bound { value: count as f64, exclusive: false };
        Self { least: least.map(bound), most: most.map(bound) }
    }

    /// Whether the value lies in the range.
    pub(super) fn holds(&self, value: f64) -> bool {
        let above = self.least.is_none_or(|bound| value > bound.value || (value == bound.value && !bound.exclusive));
        let below = self.most.is_none_or(|bound| value < bound.value || (value == bound.value && !bound.exclusive));
        above && below
    }

    #[allow(clippy::cast_precision_loss)] // no list has 2^53 elements
    pub(super) fn holds_count(&self, count: usize) -> bool {
        self.holds(count as f64)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let least =
            |bound: Bound| format!("{} {}", if bound.exclusive { "more than" } else { "at least" }, bound.value);
        let most = |bound: Bound| format!("{} {}", if bound.exclusive { "less than" } else { "at most" }, bound.value);
        match (self.least, self.most) {
            (Some(one), Some(other)) if !one.exclusive && !other.exclusive && one.value == other.value => {
                write!(f, "exactly {}", one.value)
            }
            (Some(one), Some(other)) if !one.exclusive && !other.exclusive => {
                write!(f, "{} to {}", one.value, other.value)
            }
            (Some(one), Some(other)) => write!(f, "{} and {}", least(one), most(other)),
            (Some(one), None) => f.write_str(&least(one)),
            (None, Some(other)) => f.write_str(&most(other)),
            (None, None) => f.write_str("anything"),
        }
    }
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Secret => f.write_str("its value"),
            Self::Text(text) => write!(f, "{:?}", cut(text, LONGEST_VALUE)),
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(flag) => write!(f, "{flag}"),
        }
    }
}

/// The sentence about a value that is not in a list.
pub(super) fn not_among(path: &str, value: Shown<'_>, allowed: impl ExactSizeIterator<Item = String>) -> String {
    let more = if allowed.len() > SHOWN { ", …" } else { "" };
    let allowed = allowed.take(SHOWN).collect::<Vec<_>>().join(", ");
    format!("{path}: {value} is not among the values in the schema: {allowed}{more}")
}

impl Violation<'_> {
    /// The sentence; the path of the inputs as a whole is empty.
    pub(super) fn text(&self, path: &str) -> String {
        let mut text = String::new();
        if !path.is_empty() {
            text.push_str(path);
            text.push_str(": ");
        }
        // Writing to a string does not fail.
        let _ = match self {
            Self::Kind { found, allowed } => {
                write!(text, "{found}, where the schema allows {}", allowed.join(" or "))
            }
            Self::NotAmong { value, allowed } => {
                return not_among(path, *value, allowed.iter().map(|value| value.to_string()));
            }
            Self::Pattern { value, pattern } => {
                let pattern = cut(pattern, LONGEST_PATTERN);
                write!(text, "{value} does not match the pattern {pattern} of the schema")
            }
            Self::Length { count: Some(count), range } => {
                write!(text, "{count} {}, where the schema allows {range}", plural(*count, "character", "characters"))
            }
            Self::Length { count: None, range } => {
                write!(text, "its value has another number of characters than the schema allows, {range}")
            }
            Self::Bounds { value, range } => write!(text, "{value} is outside what the schema allows, {range}"),
            Self::Multiple { value, of } => write!(text, "{value} is no multiple of {of}"),
            Self::Items { count, range } => {
                write!(text, "{count} {}, where the schema allows {range}", plural(*count, "element", "elements"))
            }
            Self::Twice { first, second } => {
                write!(text, "elements [{first}] and [{second}] are equal, where the schema wants each once")
            }
            Self::Keys { count, range } => {
                write!(text, "{count} {}, where the schema allows {range}", plural(*count, "key", "keys"))
            }
            Self::Key { key, patterns } => {
                let key = key.map_or("a key".to_owned(), |key| format!("the key {:?}", cut(key, LONGEST_VALUE)));
                let patterns = cut(&patterns.join(" or "), LONGEST_PATTERN);
                write!(text, "{key} does not match the pattern {patterns} of the schema")
            }
            Self::ExactlyOne(names) => write!(text, "exactly one of {} must be given", names.join(", ")),
            Self::AtLeastOne(names) => write!(text, "at least one of {} must be given", names.join(", ")),
            Self::Missing(name) => write!(text, "{name} must be given"),
            Self::Needs { name, needed } => write!(text, "{name} needs {needed}"),
            Self::Excludes { name, excluded } => write!(text, "{name} excludes {excluded}"),
            Self::Forbidden(RuledOut { names, by_value }) => match (names.as_slice(), by_value) {
                ([], _) => write!(text, "the schema rules this value out"),
                ([name], false) => write!(text, "{name} must not be given here"),
                (names, false) => write!(text, "{} must not be given together", names.join(", ")),
                ([name], true) => write!(text, "the schema rules out this value of {name}"),
                (names, true) => write!(text, "the schema rules out these values of {} together", names.join(", ")),
            },
            // A list of one would tell the secret.
            Self::ForbiddenValue { value: Shown::Secret, .. } => {
                write!(text, "its value is one that the schema rules out")
            }
            Self::ForbiddenValue { value, among, .. } if !among.is_empty() => {
                let more = if among.len() > SHOWN { ", …" } else { "" };
                let among = among.iter().take(SHOWN).map(ToString::to_string).collect::<Vec<_>>().join(", ");
                write!(text, "{value} is among the values that the schema rules out: {among}{more}")
            }
            Self::ForbiddenValue { value, pattern: Some(pattern), .. } => {
                let pattern = cut(pattern, LONGEST_PATTERN);
                write!(text, "{value} matches the pattern {pattern}, which the schema rules out")
            }
            Self::ForbiddenValue { value, .. } => write!(text, "{value} is a value that the schema rules out"),
            Self::NoForm(forms) => write!(text, "fits none of the {forms} forms of the schema"),
            Self::ManyForms(forms) => write!(text, "fits more than one of the {forms} forms of the schema"),
        };
        text
    }
}

fn plural<'t>(count: usize, one: &'t str, many: &'t str) -> &'t str {
    if count == 1 { one } else { many }
}

/// The text, cut with dots when it has more than `most` characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
