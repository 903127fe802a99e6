//! Profiles as files: their schema, the built-in ones, and the flag that chooses one.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use emulator::{Profile, Rule};
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn built_in_profiles_name_their_schema_and_can_be_read_as_files() {
    let folder = repository().join("emulator/data/profiles");
    for name in Profile::NAMES {
        let path = folder.join(format!("{name}.yaml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let schema = text.lines().next().and_then(|line| line.strip_prefix("# yaml-language-server: $schema="));
        assert!(folder.join(schema.unwrap()).is_file(), "{name}");
        let read = Profile::read(&path).unwrap();
        assert_eq!(read.rules, Profile::named(name).unwrap().rules);
    }
}

/// The blocks of a language in a page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join("docs/emulator").join(page)).unwrap();
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn examples_of_profiles_and_rules_can_be_used() {
    for text in blocks("profiles.md", "yaml") {
        let profile = Profile::parse("profiles.md", &text).unwrap();
        assert_eq!((profile.seed, profile.rules.len()), (Some(7), 1));
    }
    let rules: Vec<Rule> = blocks("faults.md", "yaml").iter().flat_map(|text| Rule::read(text).unwrap()).collect();
    assert_eq!(rules.len(), 4);
    // Rules in calls stand between quotes.
    let quoted: Vec<String> = blocks("faults.md", "sh").concat().split('\'').map(str::to_owned).collect();
    let given: Vec<&String> = quoted.iter().skip(1).step_by(2).filter(|text| text.contains("then")).collect();
    assert_eq!(given.len(), 2);
    given.iter().for_each(|text| drop(Rule::read(text).unwrap()));
}
