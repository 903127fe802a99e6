//! Regular expressions of schemas, compiled once for the process.
//!
//! What they mean is `cfn::java_pattern`'s part. The few that do not compile are skipped and can be listed, because a check
//! that cannot be made must not refuse anything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cfn::java_pattern;

/// Texts above this length are not matched: the engine backtracks, and no name or identifier comes near it.
const LONGEST_SUBJECT: usize = 16 * 1024;

/// The compiled expressions, `None` for those that do not compile.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    compiled: Mutex<HashMap<String, Option<Arc<regress::Regex>>>>,
}

impl Patterns {
    /// Whether the pattern is found in `text`; `true` when it does not compile or the text is too long to tell.
    pub(crate) fn is_found(&self, pattern: &str, text: &str) -> bool {
        if text.len() > LONGEST_SUBJECT {
            return true;
        }
        self.get(pattern).is_none_or(|regex| regex.find(text).is_some())
    }

    fn get(&self, pattern: &str) -> Option<Arc<regress::Regex>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(pattern) {
            return known.clone();
        }
        let regex = java_pattern::compile(pattern).map(Arc::new);
        if regex.is_none() {
            tracing::debug!(pattern, "pattern does not compile and is not checked");
        }
        compiled.insert(pattern.to_owned(), regex.clone());
        regex
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
    }
}
