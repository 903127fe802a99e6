//! HTML tags and entities.

use super::inline::code_spans;

/// Tags that stand for themselves in nothing; what is in them stays.
const DROPPED: &[&str] = &[
    "span", "div", "section", "ol", "ul", "dl", "pre", "table", "tbody", "thead", "tr", "fullname", "function", "para",
];

/// Tags that begin a paragraph.
const PARAGRAPHS: &[&str] = &["p", "br", "dt", "dd", "h1", "h2", "h3", "h4", "td", "th"];

/// Tags that begin a remark, with the word in front of it.
const REMARKS: &[(&str, &str)] =
    &[("note", "Note"), ("important", "Important"), ("warning", "Warning"), ("caution", "Caution"), ("tip", "Tip")];

/// Tags that become marks around their text.
const MARKS: &[(&str, &str)] = &[("i", "*"), ("em", "*"), ("b", "**"), ("strong", "**")];

/// Named and numbered characters. `&#47;` is not among them: it keeps comment blocks whole.
const ENTITIES: &[(&str, char)] = &[
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&#39;", '\''),
    ("&#34;", '"'),
    ("&nbsp;", ' '),
    ("&amp;", '&'),
];

/// The text with Markdown in place of tags and entities, outside code.
pub(super) fn to_markdown(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let text = code_elements(text);
    let is_html = ["<p>", "<ul>", "<li>", "<note>", "<br"].iter().any(|tag| text.contains(tag));
    let mut out = String::with_capacity(text.len());
    for span in code_spans(&text) {
        match span.is_code {
            true => out.push_str(span.text),
            false => prose(span.text, is_html, &mut out),
        }
    }
    out
}

/// `<code>` elements as code spans, before anything looks for those.
fn code_elements(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<code>") {
        let Some((inside, behind)) = after.split_once("</code>") else { break };
        out.push_str(before);
        out.push_str(&code_element(inside));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// One element: a link in it goes around the code.
fn code_element(inside: &str) -> String {
    let inside = inside.split_whitespace().collect::<Vec<_>>().join(" ");
    let (target, label) = match inside.split_once("<a href=\"").and_then(|(_, link)| link.split_once("\">")) {
        Some((target, label)) => (Some(target), label.trim_end_matches("</a>")),
        None => (None, inside.as_str()),
    };
    let label = decode(label).replace('`', "'");
    match (target, label.trim()) {
        (_, "") => String::new(),
        (Some(target), label) => format!("[`{label}`]({target})"),
        (None, label) => format!("`{label}`"),
    }
}

fn prose(text: &str, is_html: bool, out: &mut String) {
    let text = decode(text);
    let mut rest = text.as_str();
    let mut link: Option<String> = None;
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at);
        words(before, is_html, out);
        let Some((tag, after)) = tail.get(1..).and_then(split_tag).filter(|(tag, _)| is_tag(tag)) else {
            out.push('<');
            rest = tail.get(1..).unwrap_or_default();
            continue;
        };
        rest = after;
        element(tag, &mut link, out);
    }
    words(rest, is_html, out);
    close(&mut link, out);
}

/// Longer than any tag. The end of one is looked for no further.
const LONGEST_TAG: usize = 300;

/// What stands before and behind the next closing angle bracket, unless that is too far away.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().take(LONGEST_TAG + 1).position(|byte| byte == b'>')?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// Whether what stands between angle brackets can be a tag or a placeholder.
fn is_tag(tag: &str) -> bool {
    let name = tag.strip_prefix('/').unwrap_or(tag);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !tag.contains(['<', '\n', '`'])
        && !tag.contains("://") | tag.starts_with("a ")
}

fn element(tag: &str, link: &mut Option<String>, out: &mut String) {
    let is_end = tag.starts_with('/');
    let name = tag.trim_start_matches('/').trim_end_matches('/').split_whitespace().next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let of = |table: &'static [(&str, &str)]| table.iter().find(|(tag, _)| *tag == name).map(|(_, text)| *text);
    if let Some(mark) = of(MARKS) {
        out.push_str(mark);
    } else if let Some(word) = of(REMARKS) {
        out.push_str("\n\n");
        if !is_end {
            out.push_str(&format!("**{word}:** "));
        }
    } else if name == "li" {
        if !is_end {
            out.truncate(out.trim_end().len());
            out.push_str("\n- ");
        }
    } else if PARAGRAPHS.contains(&name.as_str()) {
        // A paragraph that an item or a remark begins with goes on in its line.
        if !out.ends_with("- ") && !out.ends_with(":** ") {
            out.push_str("\n\n");
        }
    } else if DROPPED.contains(&name.as_str()) {
        if ["ul", "ol"].contains(&name.as_str()) {
            out.push_str("\n\n");
        }
    } else if name == "a" {
        close(link, out);
        let target = tag.split_once("href=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(target, _)| target);
        if let Some(target) = target.filter(|_| !is_end) {
            out.push('[');
            *link = Some(target.to_owned());
        }
    } else if name != "code" {
        // A placeholder, which a reader of Markdown would not show.
        out.push_str(&format!("`<{tag}>`"));
    }
}

fn close(link: &mut Option<String>, out: &mut String) {
    if let Some(target) = link.take() {
        out.push_str(&format!("]({target})"));
    }
}

/// Text between tags; white space in HTML is one space.
fn words(text: &str, is_html: bool, out: &mut String) {
    if !is_html {
        out.push_str(text);
        return;
    }
    for character in text.chars() {
        match character {
            ' ' | '\n' if out.ends_with([' ', '\n']) || out.is_empty() => {}
            ' ' | '\n' => out.push(' '),
            other => out.push(other),
        }
    }
}

/// The text with characters in place of entities, also of those that are made of entities.
fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(end) = rest.find(';') {
        let (before, after) = rest.split_at(end + 1);
        out.push_str(before);
        rest = after;
        // What an entity gives may be the beginning of the next one, which then ends with the next semicolon.
        if let Some((entity, character)) = ENTITIES.iter().find(|(entity, _)| out.ends_with(entity)) {
            out.truncate(out.len() - entity.len());
            out.push(*character);
        }
    }
    out.push_str(rest);
    out
}
