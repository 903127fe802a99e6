//! Which operations are running, for the person who interrupted them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The running operations of a process; clones share the list.
#[derive(Debug, Clone, Default)]
pub struct InFlight {
    list: Arc<Mutex<List>>,
}

#[derive(Debug, Default)]
struct List {
    next: u64,
    running: BTreeMap<u64, String>,
}

/// Keeps one operation on the list until it is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    inflight: InFlight,
    number: u64,
}

impl InFlight {
    /// The running operations in the order in which they began, for example `Create of urn:…`.
    pub fn names(&self) -> Vec<String> {
        self.lock().running.values().cloned().collect()
    }

    pub(super) fn enter(&self, method: &str, urn: &str) -> Entry {
        let mut list = self.lock();
        let number = list.next;
        list.next += 1;
        list.running.insert(number, format!("{method} of {urn}"));
        Entry { inflight: self.clone(), number }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.inflight.lock().running.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_come_and_go() {
        let inflight = InFlight::default();
        let first = inflight.enter("Create", "a");
        let second = inflight.enter("Delete", "b");
        assert_eq!(inflight.names(), ["Create of a", "Delete of b"]);
        drop(first);
        assert_eq!(inflight.names(), ["Delete of b"]);
        drop(second);
        assert!(inflight.names().is_empty());
    }
}
