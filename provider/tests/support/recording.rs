//! Recorded requests to the published provider and its answers, which are no part of this repository.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;

use serde_json::Value as Json;

/// The records whose line has `part`; `FACTS=FOLDER` names the folder with `reference/recorded.jsonl.gz`. Without it none, and
/// a line that says so.
pub fn records(part: &'static str) -> Option<impl Iterator<Item = Json>> {
    let Ok(folder) = std::env::var("FACTS") else {
        println!("skipped: FACTS=FOLDER names no recording");
        return None;
    };
    let file = std::fs::File::open(PathBuf::from(folder).join("reference/recorded.jsonl.gz")).unwrap();
    let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines().map(Result::unwrap);
    Some(lines.skip(1).filter(move |line| line.contains(part)).map(|line| serde_json::from_str(&line).unwrap()))
}
