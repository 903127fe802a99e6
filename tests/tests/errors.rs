//! docs/errors.md says what the provider says.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::path::Path;

use tests::binaries::repository;
use tests::table::rows;

/// Shorter parts of a text say nothing about where it comes from.
const SHORTEST: usize = 12;

/// All sources of the provider, texts that go over several lines joined.
fn sources() -> String {
    let mut text = String::new();
    collect(&repository().join("provider/src"), &mut text);
    let mut joined = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\\\n") {
        joined.push_str(&rest[..at]);
        rest = rest[at + 2..].trim_start();
    }
    joined.push_str(rest);
    joined.replace("\\\"", "\"")
}

fn collect(folder: &Path, text: &mut String) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, text);
        } else {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
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

#[test]
fn every_text_on_the_page_is_one_of_the_provider() {
    let sources = sources();
    let rows = rows("docs/errors.md", &['E']).unwrap();
    assert!(rows.len() > 40, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let [id, text, cause, way_out] = row.as_slice() else { panic!("{}: {} cells", row[0], row.len()) };
        assert!(!cause.is_empty() && !way_out.is_empty(), "{id}");
        let texts: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        assert!(!texts.is_empty(), "{id} has no text");
        for text in texts {
            let missing: Vec<String> =
                parts(text).into_iter().filter(|part| part.len() >= 5 && !sources.contains(part.as_str())).collect();
            wrong.extend(missing.into_iter().map(|part| format!("{id}: the provider never says {part:?}")));
        }
    }
    let ids: Vec<u32> = rows.iter().map(|row| row[0][1..].parse().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_error_type_of_the_provider_is_on_the_page() {
    let page = std::fs::read_to_string(repository().join("docs/errors.md")).unwrap();
    let sources = sources();
    let mut missing = Vec::new();
    for error in sources.split("#[error(").skip(1) {
        let Some(text) = error.trim_start().strip_prefix('"').and_then(|text| text.split("\")]").next()) else {
            continue;
        };
        let text = text.split("\",").next().unwrap();
        let fixed = parts(text).join("\n");
        let mut fixed = fixed
            .split([':', ';', '\n', '"', '(', '.'])
            .map(str::trim)
            .filter(|part| part.len() >= SHORTEST)
            .peekable();
        if fixed.peek().is_some() && !fixed.any(|part| page.contains(part)) {
            missing.push(text.to_owned());
        }
    }
    assert!(missing.is_empty(), "not in docs/errors.md:\n{}", missing.join("\n"));
}
