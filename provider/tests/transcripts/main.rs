//! Replays the transcripts in `tests/transcripts/`: requests to the provider in order, with the answers of AWS that were
//! given meanwhile, and what must come out.
//!
//! A transcript is a log of RPCs (`PULUMI_AWS_NATIVE_RPC_LOG`) with the particulars taken out; `docs/transcripts.md` says how
//! to make one. Each line is compared twice: with what the stub of AWS was really asked over HTTP, and with the line that
//! the provider logs about the same request.
#![cfg(feature = "embedded")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failure here is the test's failure"
)]
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::path::{Path, PathBuf};

mod matching;
mod player;
#[path = "../wire/server.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod server;

/// A test for each transcript, named after its file, and the list of all.
macro_rules! transcripts {
    ($($name:ident)*) => {
        const TRANSCRIPTS: &[&str] = &[$(stringify!($name)),*];
        $(
            #[tokio::test]
            async fn $name() {
                player::play(&lines(stringify!($name))).await;
            }
        )*
    };
}

transcripts! {
    adopted
    already_exists
    cancel
    create
    create_only_and_write_only
    cut_off
    default_tags
    delete_twice
    eventual_consistency
    go_state
    hook_rejection
    identity
    not_stabilized
    policy_refresh
    refresh_after_deletion
    throttled_create
    transform_refresh
    unordered
    write_only
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/transcripts")
}

/// The lines of a transcript; those that begin with `#` are for the reader.
fn lines(name: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder().join(format!("{}.jsonl", name.replace('_', "-")))).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"))).collect()
}

#[test]
fn every_transcript_has_its_test() {
    let names = std::fs::read_dir(folder()).unwrap();
    let mut found: Vec<String> = names
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".jsonl")?.replace('-', "_")))
        .collect();
    found.sort();
    assert_eq!(found, TRANSCRIPTS);
}
