//! What stands within a line: code spans, links, spaces before punctuation.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Where AWS's documentation is.
const SITE: &str = "https://docs.aws.amazon.com";

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span<'t> {
    /// The part, for code with its backticks.
    pub(super) text: &'t str,
    /// Whether it is a code span.
    pub(super) is_code: bool,
}

/// The parts of a text, which together are the text.
///
/// Code begins with a run of backticks and ends with the next run of the same length in the same paragraph; a run
/// without such an end is prose.
pub(super) fn code_spans(text: &str) -> Vec<Span<'_>> {
    let runs = runs(text);
    let ends = ends(text, &runs);
    let mut spans = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let (Some(begin), Some(end)) = (runs.get(at), ends.get(at)) {
        at += 1;
        if let Some((number, end)) = end.and_then(|number| Some((number, runs.get(number)?))) {
            push(&mut spans, text, from, begin.start, false);
            push(&mut spans, text, begin.start, end.end, true);
            (from, at) = (end.end, number + 1);
        }
    }
    push(&mut spans, text, from, text.len(), false);
    spans
}

fn push<'t>(spans: &mut Vec<Span<'t>>, text: &'t str, from: usize, to: usize, is_code: bool) {
    if let Some(text) = text.get(from..to).filter(|text| !text.is_empty()) {
        spans.push(Span { text, is_code });
    }
}

/// The runs of backticks in a text.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// For every run the next one of the same length in the same paragraph, by number. Goes through the text once, from its
/// end: a search from every run would take forever where none ends.
fn ends(text: &str, runs: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut ends = vec![None; runs.len()];
    // By length, of the paragraph that the walk is in.
    let mut next: HashMap<usize, usize> = HashMap::new();
    let mut behind = text.len();
    for ((number, run), end) in runs.iter().enumerate().zip(&mut ends).rev() {
        if text.get(run.end..behind).is_some_and(|between| between.contains("\n\n")) {
            next.clear();
        }
        *end = next.insert(run.len(), number);
        behind = run.start;
    }
    ends
}

/// The text with an apostrophe in place of every run of backticks that begins no code.
pub(super) fn without_stray_backticks(text: &str) -> Cow<'_, str> {
    if !text.contains('`') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for span in code_spans(text) {
        let is_hollow = span.is_code && span.text.trim_matches('`').trim().is_empty();
        match span.is_code && !is_hollow {
            true => out.push_str(span.text),
            false => {
                let mut is_run = false;
                for character in span.text.chars() {
                    match character {
                        '`' if is_run => continue,
                        '`' => out.push('\''),
                        other => out.push(other),
                    }
                    is_run = character == '`';
                }
            }
        }
    }
    Cow::Owned(out)
}

/// The text with mended code spans, links and spaces.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for span in code_spans(text) {
        match span.is_code {
            true => {
                if out.ends_with("( ") {
                    out.pop();
                }
                out.push_str(&code(span.text));
            }
            false => prose(&links(span.text), &mut out),
        }
    }
    out
}

/// A code span with single backticks, and with the link, if it is one, around the code.
fn code(span: &str) -> Cow<'_, str> {
    let inside = span.trim_matches('`');
    if inside.contains('`') || inside.trim().is_empty() {
        return Cow::Borrowed(span);
    }
    let inside = inside.trim();
    if let Some((label, target)) = inside.strip_prefix('[').and_then(|link| link.strip_suffix(')')?.split_once("](")) {
        let is_link = target.starts_with("https://") && !target.contains(['(', ' ']) && !label.contains([']', '[']);
        if is_link && !label.is_empty() {
            return Cow::Owned(format!("[`{label}`]({target})"));
        }
    }
    if inside.contains("*/") {
        // In comment blocks of SDKs this would be the end.
        return Cow::Owned(format!("`{}`", inside.replace("*/", "*`/`")).replace("/``", "/"));
    }
    match inside.len() + 2 == span.len() && !inside.contains("\"\"\"") {
        true => Cow::Borrowed(span),
        false => Cow::Owned(format!("`{}`", inside.replace("\"\"\"", "\"\" \""))),
    }
}

/// Relative links made absolute, or taken away where nobody can say what they are relative to.
fn links(text: &str) -> Cow<'_, str> {
    if !text.contains("](") {
        return Cow::Borrowed(text);
    }
    let mut out = Linked::default();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else { break };
        out.push(before);
        rest = behind;
        let is_absolute = ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme));
        if is_absolute {
            let target = target.replace("docs.aws.amazon.com//", "docs.aws.amazon.com/");
            out.push(&format!("]({target})"));
        } else if target.starts_with('/') {
            out.push(&format!("]({SITE}/{})", target.trim_start_matches('/')));
        } else if !out.drop_bracket() {
            // The label began in front of a code span.
            out.push(&format!("]({SITE})"));
        }
    }
    out.push(rest);
    Cow::Owned(out.text())
}

/// A text that grows, in which the last opening bracket may be dropped again.
#[derive(Default)]
struct Linked {
    text: String,
    /// Places of brackets that are still there.
    brackets: Vec<usize>,
    /// Places of those that are not to be there.
    dropped: BTreeSet<usize>,
}

impl Linked {
    fn push(&mut self, text: &str) {
        self.brackets.extend(text.match_indices('[').map(|(at, _)| self.text.len() + at));
        self.text.push_str(text);
    }

    /// Whether there was a bracket to drop.
    fn drop_bracket(&mut self) -> bool {
        let last = self.brackets.pop();
        self.dropped.extend(last);
        last.is_some()
    }

    fn text(self) -> String {
        if self.dropped.is_empty() {
            return self.text;
        }
        let kept = self.text.char_indices().filter(|(at, _)| !self.dropped.contains(at));
        kept.map(|(_, character)| character).collect()
    }
}

/// Prose behind what is there already: without the space that the source puts before punctuation, and without what
/// would end a comment block.
fn prose(text: &str, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '.' | ',' | ';' | ':' | ')' => {
                let is_last = characters.peek().is_none_or(|next| next.is_whitespace() || *next == ')');
                let mut before = out.chars().rev();
                let is_spaced = before.next() == Some(' ');
                let is_behind_markup = matches!(before.next(), Some('`' | ')' | '*')) && is_last;
                if is_spaced && (is_behind_markup || ends_words(out, character, characters.clone())) {
                    out.pop();
                }
                out.push(character);
            }
            '/' if out.ends_with('*') => out.push_str("&#47;"),
            '"' if out.ends_with("\"\"") => {
                out.truncate(out.len() - 2);
                out.push_str("`\"`");
            }
            other => out.push(other),
        }
    }
}

/// Whether punctuation behind a space belongs to the words before it, rather than to a list of characters.
fn ends_words(before: &str, mark: char, mut after: impl Iterator<Item = char>) -> bool {
    let mut before = before.chars().rev().skip(1);
    let is_word = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    // Lists of characters are joined by "or".
    let has_word = (0..3).all(|_| is_word(before.next()));
    let goes_on = match (after.next(), mark) {
        (None | Some('\n'), '.') => true,
        (Some(' '), '.') => after.next().is_some_and(char::is_uppercase),
        (Some(' '), ',' | ';') => is_word(after.next()),
        _ => false,
    };
    has_word && goes_on
}
