//! Searches for inputs: takes one that is known, changes it a little, and keeps what behaves in a new way.
//!
//! A seed gives the same search again as far as time allows. Nothing here needs a nightly compiler or instrumentation: what
//! is new is told by the number that a target returns.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::Target;
use crate::random::Random;

/// Longest input that is made.
const LONGEST: usize = 4096;

/// Pieces that inputs of the targets are made of.
const WORDS: [&[u8]; 48] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\n",
    b"null",
    b"true",
    b"-1",
    b"1e308",
    b"9007199254740993",
    b"\"name\"",
    b"\"rules\"",
    b"\"ruleSet\"",
    b"\"nested\"",
    b"\"tags\"",
    b"\"Name\"",
    b"\"key\"",
    b"\"definition\"",
    b"\"Definition\"",
    b"\"domain\"",
    b"\"engine\"",
    b"\"kind\"",
    b"\"Kind\"",
    b"\"policyDocument\"",
    b"\"PolicyDocument\"",
    b"\"roleArn\"",
    b"\"size\"",
    b"\"version\"",
    b"\"Statement\"",
    b"\"Principal\"",
    b"\"Condition\"",
    b"\"owner\"",
    b"arn:aws:iam::111122223333:root",
    b"\\\"",
    b"\\u0000",
    b"8.0.35",
    b".*",
    b"|",
    b"::",
    b"$",
    b"urn:pulumi:dev::p::aws-native:test:Thing::q",
    b"4dabf18193072939515e22adb298388d",
    b"1b47061264138c4ac30d75fd1eb44270",
    b"04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
];

/// What a search found.
#[derive(Debug)]
pub struct Search {
    /// How many inputs were tried.
    pub runs: u64,
    /// Inputs that behaved in a new way, in the order in which they were found.
    pub found: Vec<Vec<u8>>,
    /// The input at which the target panicked, which ends the search.
    pub crash: Option<Vec<u8>>,
}

/// Searches for as long as `patience` lasts, from `corpus` on.
pub fn search(target: Target, corpus: &[Vec<u8>], seed: u64, patience: Duration) -> Search {
    let started = Instant::now();
    let mut random = Random::new(seed);
    let mut known: Vec<Vec<u8>> = corpus.to_vec();
    if known.is_empty() {
        known.push(Vec::new());
    }
    let mut features = HashSet::new();
    let mut search = Search { runs: 0, found: Vec::new(), crash: None };
    for input in &known {
        features.extend(catch_unwind(AssertUnwindSafe(|| target(input))));
    }
    while started.elapsed() < patience {
        let input = changed(&mut random, &known);
        search.runs += 1;
        match catch_unwind(AssertUnwindSafe(|| target(&input))) {
            Ok(feature) => {
                if features.insert(feature) {
                    known.push(input.clone());
                    search.found.push(input);
                }
            }
            Err(_) => {
                search.crash = Some(input);
                break;
            }
        }
    }
    search
}

/// One of the known inputs with a few changes.
fn changed(random: &mut Random, known: &[Vec<u8>]) -> Vec<u8> {
    let mut input = known.get(random.below(known.len())).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        match random.below(8) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = random.draw().to_le_bytes()[0];
                }
            }
            2 => {
                let end = (at + random.below(16)).min(input.len());
                input.drain(at.min(end)..end);
            }
            3 => {
                // A part again, right behind itself, so that things nest and repeat.
                let end = (at + random.below(64)).min(input.len());
                let part = input.get(at..end).unwrap_or_default().to_vec();
                input.splice(end..end, part);
            }
            4 => {
                let other = known.get(random.below(known.len())).cloned().unwrap_or_default();
                let from = random.below(other.len() + 1);
                let to = (from + random.below(128)).min(other.len());
                input.splice(at..at, other.get(from..to).unwrap_or_default().to_vec());
            }
            _ => {
                let word = WORDS.get(random.below(WORDS.len())).copied().unwrap_or_default();
                let end = if random.below(2) == 0 { at } else { (at + word.len()).min(input.len()) };
                input.splice(at..end, word.iter().copied());
            }
        }
    }
    input.truncate(LONGEST);
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_behind_a_few_changes_is_found() {
        fn target(data: &[u8]) -> u64 {
            let depth = data.iter().take_while(|byte| **byte == b'[').count() as u64;
            assert!(depth < 4, "found");
            depth
        }
        let search = search(target, &[], 1, Duration::from_secs(20));
        assert!(search.crash.is_some_and(|crash| crash.starts_with(b"[[[[")), "{} runs", search.runs);
    }
}
