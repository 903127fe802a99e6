//! docs/errors.md says what the provider says.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::collections::BTreeSet;

use tests::binaries::repository;
use tests::literals;
use tests::table::rows;

const PAGE: &str = "docs/errors.md";

/// Shorter parts of a text say nothing about where it comes from.
const SHORTEST: usize = 12;

/// What does not belong to a part.
const AROUND: [char; 6] = [' ', ',', ';', ':', '(', ')'];

/// What is a part of sentences, or said to nobody.
const PIECES: [&str; 20] = [
    "an unknown time",
    "a list of text",
    "a whole number",
    "the attempt after ",
    "true or false",
    // What `pulumi config` shows for the key.
    "The region where AWS operations will take place. Examples are eu-east-1, eu-west-2, etc.",
    "no reason given",
    "an unknown place",
    "no such path",
    "missing or invalid",
    "{} … ({} bytes left out) … {}",
    // In the log of RPCs.
    "(cannot be shown: a bug in the log)",
    "({} bytes that are no struct)",
    // What the tables of functions and of commands hold.
    "`pulumi up --replace '{}'`",
    // Only in a log.
    "the operation could not be stopped",
    // Words of the network and of Cloud Control, by which cases are told apart.
    "required key [",
    "' failed to satisfy constraint",
    "tcp connect error",
    "invalid peer certificate",
    "Session token not found",
];

/// The module of what services say, none of which users hear from us.
const WORDS: &str = "cloud/words.rs";

/// The texts of a module of the provider, without its tests.
fn texts(module: &str) -> Vec<String> {
    literals::below(&repository().join("provider/src").join(module)).unwrap()
}

/// The texts of the whole provider that somebody may hear.
fn heard() -> Vec<String> {
    let words: BTreeSet<String> = texts(WORDS).into_iter().collect();
    texts("").into_iter().filter(|text| !words.contains(text)).collect()
}

fn page() -> String {
    std::fs::read_to_string(repository().join(PAGE)).unwrap()
}

/// The fixed parts of a text with placeholders in braces.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                parts.push(String::new());
            }
            _ if depth == 0 => parts.last_mut().unwrap().push(character),
            _ => {}
        }
    }
    parts
}

/// The longest fixed part of a text if it reads like a sentence: it has three words.
fn sentence(text: &str) -> Option<String> {
    let parts = parts(text);
    // What stands between backticks varies, too, and cells of the page have their own.
    let parts = parts.iter().flat_map(|part| part.split(['`', '\n'])).map(|part| part.trim_matches(AROUND));
    let longest = parts.max_by_key(|part| part.len())?.to_owned();
    (longest.split_whitespace().count() >= 3 && longest.len() >= SHORTEST && !PIECES.contains(&text)).then_some(longest)
}

/// The sentences of the modules that a page lacks.
fn missing(page: &str, texts: &[String]) -> BTreeSet<String> {
    texts.iter().filter_map(|text| sentence(text)).filter(|part| !page.contains(part.as_str())).collect()
}

#[test]
fn every_text_on_the_page_is_one_of_the_provider() {
    let said = texts("").join("\n");
    let rows = rows(PAGE, &['E']).unwrap();
    assert!(rows.len() > 60, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let [id, text, cause, way_out] = row.as_slice() else { panic!("{}: {} cells", row[0], row.len()) };
        assert!(!cause.is_empty() && !way_out.is_empty(), "{id}");
        let texts: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        assert!(!texts.is_empty(), "{id} has no text");
        for text in texts {
            let unknown = parts(text).into_iter().filter(|part| part.len() >= 5 && !said.contains(part.as_str()));
            wrong.extend(unknown.map(|part| format!("{id}: the provider never says {part:?}")));
        }
    }
    let ids: Vec<u32> = rows.iter().map(|row| row[0][1..].parse().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_sentence_of_the_provider_is_on_the_page() {
    let (page, texts) = (page(), heard());
    assert!(texts.iter().filter_map(|text| sentence(text)).count() > 60);
    let missing = missing(&page, &texts);
    assert!(missing.is_empty(), "not in {PAGE}:\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
    let unused: Vec<_> = PIECES.into_iter().filter(|piece| !texts.iter().any(|text| text == piece)).collect();
    assert!(unused.is_empty(), "said nowhere: {unused:?}");
}

/// The test above notices every row that goes: without it, a sentence is missing.
#[test]
fn without_a_row_a_sentence_is_missing() {
    let (page, texts) = (page(), heard());
    let sentences: BTreeSet<String> = texts.iter().filter_map(|text| sentence(text)).collect();
    let mut tried = 0;
    for line in page.lines().filter(|line| line.starts_with("| E")) {
        // Rows that have a sentence for themselves.
        let others = page.replace(line, "");
        let own = sentences.iter().any(|part| line.contains(part.as_str()) && !others.contains(part.as_str()));
        if own {
            tried += 1;
            assert!(!missing(&others, &texts).is_empty(), "nobody misses {line}");
        }
    }
    assert!(tried > 25, "{tried} rows");
}

#[test]
fn every_error_type_of_the_provider_is_on_the_page() {
    let page = page();
    let mut missing = Vec::new();
    for text in error_texts(&repository().join("provider/src")) {
        let fixed = parts(&text).join("\n");
        let mut fixed = fixed
            .split([':', ';', '\n', '"', '(', '.'])
            .map(str::trim)
            .filter(|part| part.len() >= SHORTEST)
            .peekable();
        if fixed.peek().is_some() && !fixed.any(|part| page.contains(part)) {
            missing.push(text);
        }
    }
    assert!(missing.is_empty(), "not in {PAGE}:\n{}", missing.join("\n"));
}

/// The texts of `#[error("…")]` in the code below a folder.
fn error_texts(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(error_texts(&path));
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            found.extend(code.split("#[error(").skip(1).filter_map(|error| literals::of(error).into_iter().next()));
        }
    }
    found
}
