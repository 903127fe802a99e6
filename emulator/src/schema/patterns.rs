//! Regular expressions of schemas, compiled once for the process.
//!
//! What they mean is `cfn::java_pattern`'s part. The few that do not compile are skipped and can be listed, because a check
//! that cannot be made must not refuse anything.

use cfn::java_pattern::{self, Pattern};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The compiled expressions, `None` for those that do not compile.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    compiled: Mutex<HashMap<String, Option<Arc<Pattern>>>>,
    given_up: AtomicU64,
}

impl Patterns {
    /// Whether the pattern is found in `text`; `true` when it does not compile or takes too long to tell.
    pub(crate) fn is_found(&self, pattern: &str, text: &str) -> bool {
        let Some(compiled) = self.get(pattern) else { return true };
        compiled.is_found(text).unwrap_or_else(|| {
            self.given_up.fetch_add(1, Ordering::Relaxed);
            tracing::debug!(pattern, "a search took too long; the text is taken for a match");
            true
        })
    }

    fn get(&self, pattern: &str) -> Option<Arc<Pattern>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(pattern) {
            return known.clone();
        }
        let made = java_pattern::compile(pattern).map(Arc::new);
        if made.is_none() {
            tracing::debug!(pattern, "pattern does not compile and is not checked");
        }
        compiled.insert(pattern.to_owned(), made.clone());
        made
    }

    /// How many searches were given up.
    pub(crate) fn given_up(&self) -> u64 {
        self.given_up.load(Ordering::Relaxed)
    }

    /// The patterns met so far that do not compile, sorted.
    pub(crate) fn skipped(&self) -> Vec<String> {
        let compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let mut skipped: Vec<String> =
            compiled.iter().filter(|(_, regex)| regex.is_none()).map(|(pattern, _)| pattern.clone()).collect();
        skipped.sort();
        skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_and_never_refuse_without_compiling() {
        let patterns = Patterns::default();
        for (pattern, text, expected) in [("b", "abc", true), ("^b", "abc", false), ("(", "whatever", true)] {
            assert_eq!(patterns.is_found(pattern, text), expected, "{pattern:?} in {text:?}");
        }
        assert_eq!(patterns.skipped(), ["("]);
        assert!(patterns.is_found("^a$", &"a".repeat(java_pattern::LONGEST_TEXT + 1)));
        assert_eq!(patterns.given_up(), 1);
    }
}
