//! AWS's markup as clean Markdown.
//!
//! Texts come in three dialects: Markdown with odd spacing, HTML fragments, and plain text with `+` lists and doubled
//! backticks. [`clean`] gives one form that doc generators and comment blocks of SDKs take as it is. What stands in code
//! keeps its letters: keys of policy documents have AWS's case. Cleaning a clean text changes nothing.
//!
//! HTML is in [`html`], what concerns single lines in [`lines`], what stands within a line in [`inline`].

mod html;
mod inline;
mod lines;

use std::borrow::Cow;

/// Markup in markup needs another round; no real text needs three.
const MAX_ROUNDS: usize = 8;

/// The text as clean Markdown, without white space around it; empty when it says nothing.
pub fn clean(text: &str) -> String {
    let mut text = characters(text).into_owned();
    for _ in 0..MAX_ROUNDS {
        let next = round(&text);
        if next == text {
            break;
        }
        text = next;
    }
    text
}

/// Straightens quotes, turns separators and odd spaces into ordinary ones, and drops what is not to be seen.
fn characters(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| character == '\n' || (' '..='\u{7e}').contains(&character);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let replaced = text.replace("\r\n", "\n").chars().filter_map(character).collect();
    Cow::Owned(replaced)
}

fn character(character: char) -> Option<char> {
    match character {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => Some('"'),
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => Some('\''),
        '\u{2028}' | '\u{2029}' | '\r' => Some('\n'),
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\t' => Some(' '),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => None,
        '\n' => Some('\n'),
        control if control.is_control() => None,
        other => Some(other),
    }
}

/// One round over the text: prose is worked on, fenced code only loses spaces at the ends of its lines.
fn round(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut prose = String::new();
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = is_fence(line);
        if is_fence && !in_code {
            flush(&mut prose, &mut out);
        }
        if is_fence || in_code {
            out.push_str(&line.trim_end().replace("*/", "* /").replace("\"\"\"", "\"\" \""));
            out.push('\n');
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
        in_code ^= is_fence;
    }
    if in_code {
        out.push_str("```\n");
    }
    flush(&mut prose, &mut out);
    out.trim().to_owned()
}

/// Whether a line begins or ends fenced code.
fn is_fence(line: &str) -> bool {
    line.trim_start().strip_prefix("```").is_some_and(|rest| !rest.contains('`'))
}

fn flush(prose: &mut String, out: &mut String) {
    if prose.trim().is_empty() {
        if !prose.is_empty() && !out.is_empty() {
            out.push('\n');
        }
        prose.clear();
        return;
    }
    let ends_blank = prose.ends_with("\n\n");
    let text = lines::tidy(&inline::tidy(&html::to_markdown(&inline::without_stray_backticks(prose))));
    out.push_str(if prose.starts_with('\n') && !out.is_empty() { "\n" } else { "" });
    out.push_str(&text);
    out.push_str(if ends_blank { "\n\n" } else { "\n" });
    prose.clear();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(clean(text), expected, "{text:?}");
        assert_eq!(clean(expected), expected, "a second time: {text:?}");
    }

    #[test]
    fn c82_docs_have_no_typographic_quotes() {
        check("\u{201c}Not Before\" don\u{2019}t", "\"Not Before\" don't");
        check("If you do\u{2028} not", "If you do\n\nnot");
        check("Route\u{a0}53\u{200b}", "Route 53");
    }

    #[test]
    fn html_becomes_markdown() {
        check("<p>One\n            two.</p>\n  <p>Three.</p>", "One two.\n\nThree.");
        check("Use <code>ABC</code> or <i>def</i>, <b>never</b> both.", "Use `ABC` or *def*, **never** both.");
        check("<ul><li><p>One</p></li><li>Two</li></ul>", "- One\n- Two");
        check("<p>See <a href=\"https://a.b/c\">the\n page</a>.</p>", "See [the page](https://a.b/c).");
        check("<code> <a href=\"https://a.b/c\">Rule</a> </code>", "[`Rule`](https://a.b/c)");
        check("<p>A.</p> <note> <p>B.</p> </note>", "A.\n\n**Note:** B.");
        check("<important>C.</important>", "**Important:** C.");
        check("1 &lt; 2 &amp; &quot;x&quot;&nbsp;y", "1 < 2 & \"x\" y");
        check("arn:aws:<region>:x and `arn:<region>`", "arn:aws:`<region>`:x and `arn:<region>`");
        check("a < b > c, <https://a.b>", "a < b > c, <https://a.b>");
    }

    #[test]
    fn spacing_of_the_source_is_mended() {
        check("See [A](https://a.b/c) .", "See [A](https://a.b/c).");
        check("Use `A` , `B` , or `C` .", "Use `A`, `B`, or `C`.");
        check("the *Guide* . More", "the *Guide*. More");
        check("a ( `b` ) c", "a (`b`) c");
        check("Use ``aws:`` or `` x ``.", "Use `aws:` or `x`.");
        check("the `[Ref](https://a.b/c)` function", "the [`Ref`](https://a.b/c) function");
        check("your AWS account .", "your AWS account.");
        check("AWS Region . Each", "AWS Region. Each");
        check("In Lambda , the limit", "In Lambda, the limit");
        check("one of - _ . / or , and a-z . A-Z", "one of - _ . / or , and a-z . A-Z");
        check("a period such as . or _", "a period such as . or _");
        check("ends with .tf or .txt", "ends with .tf or .txt");
    }

    #[test]
    fn lists_and_paragraphs_are_mended() {
        check("One of:\n  +  A\n  +  B\n  \n  Then.", "One of:\n\n- A\n- B\n\nThen.");
        check("A.\n B.", "A.\n\nB.");
        check("A. \n\n\n\nB.  ", "A.\n\nB.");
        check("One of:\n- A\n  - B\n- C", "One of:\n\n- A\n  - B\n- C");
        check("> Note\n> \n> - A", "> Note\n>\n> - A");
    }

    #[test]
    fn links_are_absolute_or_plain() {
        check("see [A](/AmazonS3/latest/a.html)", "see [A](https://docs.aws.amazon.com/AmazonS3/latest/a.html)");
        check("see [A](./a.html) and [B](#b)", "see A and B");
        check("`[a](b)?`", "`[a](b)?`");
        check("[A](https://docs.aws.amazon.com//RDS/a.html)", "[A](https://docs.aws.amazon.com/RDS/a.html)");
    }

    #[test]
    fn comment_blocks_cannot_end_early() {
        check("no \"*/\" here", "no \"*&#47;\" here");
        check("matches `^a*/[0-9]+$` only", "matches `^a*`/`[0-9]+$` only");
        check("except \"/\", \"\"\", or \"@\"", "except \"/\", `\"`, or \"@\"");
    }

    #[test]
    fn c25_docs_keep_the_case_of_policy_keys() {
        let policy = "{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Allow\"}]}";
        check(&format!("For example `{policy}`."), &format!("For example `{policy}`."));
        let fenced = format!("For example:\n\n```json\n{policy}\n  \"Sid\": \"1\"\n```\n\nThat is all.");
        check(&fenced, &fenced);
        check("```\n{ \"A\": 1\n", "```\n{ \"A\": 1\n```");
    }

    /// Each of these costs time that grows with the square of its length where something is searched for from every mark.
    #[test]
    fn long_texts_are_cleaned_in_one_go() {
        let code = "`a` ".repeat(200_000);
        check(&format!("{code}."), &format!("{code}.").replace(" .", "."));
        check(&"<d> ".repeat(50_000), "`<d>` ".repeat(50_000).trim_end());
        check(&"<a ".repeat(200_000), "<a ".repeat(200_000).trim_end());
        check(&format!("&{}lt;", "amp;".repeat(200_000)), "<");
        let links = format!("{}{}", "[a ".repeat(100_000), "](b) ".repeat(100_000));
        assert_eq!(clean(&links), format!("{}{}", "a ".repeat(100_000), " ".repeat(100_000)).trim());
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "B", " ", "  ", "\n", "\n\n", "`", "``", "```", "<p>", "</p>", "<code>", "</code>", "<li>", "<",
                    ">", "&amp;", "&lt;", "lt;", "&", "[", "](", "/x)", ")", "https://a", "*", "/", "\"", "\"\"", ".", ",",
                    "- ", "+ ", "> ", "<a href=\"b\">", "</a>", "<x>", "<note>", "|", "(", "#", "<b>", "</b>",
                ]),
                0..24,
            )
        ) {
            let once = clean(&parts.concat());
            prop_assert_eq!(clean(&once), once);
        }
    }
}
