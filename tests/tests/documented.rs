//! The user's page of the emulator is true: its Rust example is a test that runs, its table of switches is that of the code.
//! The Python and shell examples run in `clients.rs`.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

#[path = "../../docs/emulator/examples/test.rs"]
mod example;

use emulator::{SWITCHES, Switch, Switches};
use tests::binaries::repository;

#[test]
fn every_switch_is_documented_as_it_is() {
    let defaults = Switches::default();
    let row = |switch: &Switch| {
        let default = match (switch.get)(&defaults) {
            none if none.is_empty() => String::new(),
            text => format!("`{text}`"),
        };
        let values = match switch.values {
            [] => switch.value_name.to_owned(),
            values => values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" "),
        };
        // A `|` ends a cell.
        format!(
            "| `--{}` | {default} | {} | {} |",
            switch.name,
            values.replace('|', "\\|"),
            switch.help.replace('|', "\\|")
        )
    };
    let expected: Vec<String> = SWITCHES.iter().map(row).collect();
    let page = std::fs::read_to_string(repository().join("docs/emulator/README.md")).unwrap();
    let (_, rest) = page.split_once("| switch | default | values | what it decides |\n|---|---|---|---|\n").unwrap();
    let found: Vec<&str> = rest.lines().take_while(|line| line.starts_with('|')).collect();
    assert!(found == expected, "docs/emulator/README.md must have this table:\n{}", expected.join("\n"));
}

#[test]
fn every_page_that_the_page_names_is_there() {
    let folder = repository().join("docs/emulator");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let links: Vec<&str> = page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let files: Vec<&&str> = links.iter().filter(|link| !link.starts_with("https:") && !link.starts_with('#')).collect();
    assert!(files.len() >= 5, "{links:?}");
    for file in files {
        let path = folder.join(file.split('#').next().unwrap());
        assert!(path.exists(), "{file} is not there");
    }
}
