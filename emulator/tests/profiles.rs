//! Profiles as files: their schema, the built-in ones, and the flag that chooses one.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use emulator::Profile;
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
