//! Which operations are running, for the person who interrupted them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::advice::interrupted;
use crate::journal::Journal;

/// The running operations of a process; clones share the list.
#[derive(Debug, Clone, Default)]
pub struct InFlight {
    list: Arc<Mutex<List>>,
}

#[derive(Debug, Default)]
struct List {
    next: u64,
    running: BTreeMap<u64, Running>,
    /// What knows whether a creation that is cut off is picked up by the next run.
    journal: Option<Arc<Journal>>,
}

/// One operation, with what its service has told so far.
#[derive(Debug, Clone, Default)]
struct Running {
    method: &'static str,
    urn: String,
    request_token: Option<String>,
    identifier: Option<String>,
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
        self.lock().running.values().map(Running::name).collect()
    }

    /// What to say about each running operation when the process ends: its request, its resource, and how to go on.
    pub fn last_words(&self) -> Vec<String> {
        let list = self.lock();
        let resumes = |urn: &str| list.journal.as_ref().is_some_and(|journal| journal.picks_up(urn));
        list.running.values().map(|running| running.last_words(resumes(&running.urn))).collect()
    }

    pub(super) fn enter(&self, method: &'static str, urn: &str) -> Entry {
        let mut list = self.lock();
        let number = list.next;
        list.next += 1;
        list.running.insert(number, Running { method, urn: urn.to_owned(), ..Running::default() });
        Entry { inflight: self.clone(), number }
    }

    /// What an answer told about the mutation that runs on `urn`.
    pub(super) fn observe(&self, urn: &str, request_token: Option<&str>, identifier: Option<&str>) {
        let mut list = self.lock();
        for running in list.running.values_mut().filter(|running| running.urn == urn && running.method != "Read") {
            let take = |told: Option<&str>, known: &mut Option<String>| {
                if told.is_some() && known.as_deref() != told {
                    *known = told.map(str::to_owned);
                }
            };
            take(request_token, &mut running.request_token);
            take(identifier, &mut running.identifier);
        }
    }

    /// Gives the journal by which the next run picks up creations that are cut off.
    pub(super) fn set_journal(&self, journal: Arc<Journal>) {
        self.lock().journal = Some(journal);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    fn name(&self) -> String {
        format!("{} of {}", self.method, self.urn)
    }

    fn last_words(&self, resumes: bool) -> String {
        let named = |what: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("{what} {value}")).into_iter().collect::<Vec<_>>()
        };
        let known = [named("request token", &self.request_token), named("identifier", &self.identifier)].concat();
        let known = if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) };
        let way = interrupted::way_on(
            self.method,
            &self.urn,
            resumes,
            self.request_token.as_deref(),
            self.identifier.as_deref(),
        );
        format!("{} was interrupted{known}; {way}", self.name())
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
    use crate::journal::{self, Place};

    #[test]
    fn operations_come_and_go() {
        let inflight = InFlight::default();
        let first = inflight.enter("Create", "a");
        let second = inflight.enter("Delete", "b");
        assert_eq!(inflight.names(), ["Create of a", "Delete of b"]);
        drop(first);
        assert_eq!(inflight.names(), ["Delete of b"]);
        drop(second);
        assert!(inflight.names().is_empty() && inflight.last_words().is_empty());
    }

    #[test]
    fn c97_last_words_name_the_request_and_the_way_on() {
        let inflight = InFlight::default();
        let _create = inflight.enter("Create", "urn:a");
        let _update = inflight.enter("Update", "urn:b");
        let _read = inflight.enter("Read", "urn:b");
        assert_eq!(
            inflight.last_words(),
            [
                "Create of urn:a was interrupted; look what became of it, with `aws cloudcontrol list-resource-requests`; \
                 if it is there and the state does not have it, run `pulumi import`",
                "Update of urn:b was interrupted; run `pulumi refresh`, then the command again: the provider waits for the \
                 request if it still runs",
                "Read of urn:b was interrupted; run the command again",
            ]
        );
        inflight.observe("urn:a", Some("r-1"), None);
        inflight.observe("urn:b", Some("r-2"), Some("b"));
        inflight.observe("urn:c", Some("r-3"), Some("c"));
        // A later answer may leave out what an earlier one told.
        inflight.observe("urn:a", None, Some("a"));
        let words = inflight.last_words();
        assert_eq!(
            words[0],
            "Create of urn:a was interrupted: request token r-1, identifier a; look what became of it, with `aws \
             cloudcontrol get-resource-request-status --request-token r-1`; if it is there and the state does not have it, \
             run `pulumi import`"
        );
        assert!(words[1].starts_with("Update of urn:b was interrupted: request token r-2, identifier b; run `pulumi"));
        assert_eq!(words[2], "Read of urn:b was interrupted; run the command again");
        // A journal that is switched off promises nothing, nor does one that cannot be written.
        inflight.set_journal(Arc::new(Journal::off()));
        assert_eq!(inflight.last_words(), words);
        let home = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let journal = |folder: &str| {
            let journal = Journal::open(Some(home.path().join(folder)), &Place::default(), crate::clock::now);
            journal.begin(journal::Entry::new("urn:a", "T", "t", "{}", 0));
            Arc::new(journal)
        };
        assert!(std::fs::write(home.path().join("file"), "").is_ok());
        inflight.set_journal(journal("file"));
        assert_eq!(inflight.last_words(), words);
        inflight.set_journal(journal("folder"));
        assert_eq!(
            inflight.last_words()[0],
            "Create of urn:a was interrupted: request token r-1, identifier a; run the command again: the provider picks \
             the request up"
        );
    }
}
