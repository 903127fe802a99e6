//! Lines: paragraphs, lists, blank lines.

/// The text with single blank lines, without spaces at the ends of lines, and with lists and paragraphs that a reader of
/// Markdown sees as such.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut previous = Kind::Blank;
    for line in text.lines() {
        let line = line.trim_end();
        let kind = Kind::of(line, previous);
        let body = match kind {
            Kind::Blank => "",
            Kind::Plus => line.trim_start().trim_start_matches('+').trim_start(),
            Kind::Paragraph => line.trim_start(),
            Kind::Item | Kind::Line | Kind::Quote => line,
        };
        let begins_block = match kind {
            Kind::Blank => true,
            Kind::Plus | Kind::Item => matches!(previous, Kind::Line | Kind::Paragraph),
            Kind::Paragraph => true,
            Kind::Line | Kind::Quote => false,
        };
        if begins_block && !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        if kind == Kind::Blank {
            previous = kind;
            continue;
        }
        if kind == Kind::Plus {
            out.push_str("- ");
        }
        out.push_str(body);
        out.push('\n');
        previous = if kind == Kind::Plus { Kind::Item } else { kind };
    }
    out.trim_matches('\n').to_owned()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    /// An item with the sign `+`, which the plain dialect indents as it likes.
    Plus,
    /// An item as Markdown has it.
    Item,
    /// A line that begins with spaces where none belong: the plain dialect's way to begin a paragraph.
    Paragraph,
    Quote,
    Line,
}

impl Kind {
    fn of(line: &str, previous: Kind) -> Kind {
        let text = line.trim_start();
        let has_sign = |sign: char| text.strip_prefix(sign).is_some_and(|rest| rest.starts_with(' '));
        if text.is_empty() || text == "+" {
            Kind::Blank
        } else if has_sign('+') {
            Kind::Plus
        } else if has_sign('-') || has_sign('*') {
            Kind::Item
        } else if text.starts_with('>') {
            Kind::Quote
        } else if line.len() > text.len() && previous != Kind::Item {
            Kind::Paragraph
        } else {
            Kind::Line
        }
    }
}
