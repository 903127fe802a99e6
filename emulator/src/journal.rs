//! Every Cloud Control call in order, for tests that ask what a client sent.
//!
//! Nothing is redacted: what was sent is exactly the question. The journal is served to this machine only and is
//! never logged.

use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The most calls that are remembered; the oldest are forgotten first.
const LONGEST: usize = 100_000;

/// The calls so far.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    calls: Mutex<VecDeque<Value>>,
}

impl Journal {
    pub(crate) fn add(&self, call: Value) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.len() >= LONGEST {
            calls.pop_front();
        }
        calls.push_back(call);
    }

    pub(crate) fn all(&self) -> Vec<Value> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
