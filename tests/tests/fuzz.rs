//! The corpora of the fuzz targets replay; `FUZZ_SECONDS=N` searches with each target for so long (`make fuzz`).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failure here is the test's failure"
)]
#![allow(clippy::print_stdout, reason = "the counts of a search are what it is for")]

use std::path::PathBuf;
use std::time::Duration;

use tests::binaries::repository;
use tests::fuzz::{TARGETS, driver};

fn folder(target: &str) -> PathBuf {
    repository().join("tests/corpus").join(target)
}

/// The inputs of a target by the names of their files.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let mut inputs: Vec<_> = std::fs::read_dir(folder(target))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn corpora_replay() {
    for (name, target) in TARGETS {
        let inputs = corpus(name);
        assert!(inputs.len() >= 5, "{name} has {} inputs", inputs.len());
        let features: std::collections::BTreeSet<u64> = inputs.iter().map(|(_, input)| target(input)).collect();
        assert!(features.len() > inputs.len() / 2, "{name}: the inputs behave in {} ways only", features.len());
    }
}

/// With `FUZZ_KEEP=1` what was found joins the corpus; a crash always does, so that it replays from then on.
#[test]
fn nothing_crashes_the_targets() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().map(|text| text.parse().unwrap());
    let seed = std::env::var("FUZZ_SEED").ok().map_or(1, |text| text.parse().unwrap());
    for (name, target) in TARGETS {
        let known: Vec<Vec<u8>> = corpus(name).into_iter().map(|(_, input)| input).collect();
        let patience = seconds.map_or(Duration::from_millis(200), Duration::from_secs);
        let search = driver::search(target, &known, seed, patience);
        println!("{name}: {} inputs tried, {} behaved in a new way", search.runs, search.found.len());
        if let Some(crash) = search.crash {
            let file = folder(name).join(format!("crash-{}", search.runs));
            std::fs::write(&file, crash).unwrap();
            panic!("{name} panicked after {} inputs; the input is {}", search.runs, file.display());
        }
        if std::env::var_os("FUZZ_KEEP").is_some() {
            for (number, input) in search.found.iter().enumerate() {
                std::fs::write(folder(name).join(format!("found-{number:03}")), input).unwrap();
            }
        }
    }
}
