//! What stands within a line: code spans, links, spaces before punctuation.

use std::borrow::Cow;

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
    let mut spans = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(begin) = text.get(at..).and_then(|rest| rest.find('`')).map(|found| at + found) {
        let length = run_length(text, begin);
        match end_of_code(text, begin + length, length) {
            Some(end) => {
                push(&mut spans, text, from, begin, false);
                push(&mut spans, text, begin, end, true);
                (from, at) = (end, end);
            }
            None => at = begin + length,
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

fn run_length(text: &str, at: usize) -> usize {
    text.as_bytes().iter().skip(at).take_while(|byte| **byte == b'`').count()
}

fn end_of_code(text: &str, from: usize, length: usize) -> Option<usize> {
    let paragraph = text.get(from..)?;
    let paragraph = paragraph.find("\n\n").map_or(paragraph, |end| paragraph.get(..end).unwrap_or(paragraph));
    let mut at = 0;
    while let Some(found) = paragraph.get(at..)?.find('`') {
        let run = run_length(paragraph, at + found);
        if run == length {
            return Some(from + at + found + run);
        }
        at += found + run;
    }
    None
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
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else { break };
        out.push_str(before);
        rest = behind;
        let is_absolute = ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme));
        if is_absolute {
            let target = target.replace("docs.aws.amazon.com//", "docs.aws.amazon.com/");
            out.push_str(&format!("]({target})"));
        } else if target.starts_with('/') {
            out.push_str(&format!("]({SITE}/{})", target.trim_start_matches('/')));
        } else if let Some(begin) = out.rfind('[') {
            out.remove(begin);
        } else {
            // The label began in front of a code span.
            out.push_str(&format!("]({SITE})"));
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
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
