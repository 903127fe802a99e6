//! The only way to read and change the state: one lock, held for microseconds, and a note of everything seen and changed.
//!
//! Nothing waits, validates, synthesizes or parses a model while a transaction is open. Whatever way it ends, what it
//! changed goes to the backing under the lock, so versions reach it in order.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | how transactions begin and end, and what they note |
//! | [`resources`], [`requests`], [`others`] | what they read and change |

pub(crate) mod bulk;
mod others;
mod requests;
mod resources;

use super::record::{self, COUNTERS, Key};
use super::{Needed, State};
use crate::bus::Change;
use crate::core::Core;
use crate::faults::RuleId;
use crate::faults::rules::Decision;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::MutexGuard;
use std::time::{Duration, SystemTime};

/// What the transactions of one call leave behind for its answer and its log entry.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    needed: Cell<u64>,
    fired: RefCell<Vec<RuleId>>,
    decisions: RefCell<Vec<Decision>>,
    repeats: Cell<bool>,
}

impl Gathered {
    /// Notes that the client token of the call stands for a request already.
    pub(crate) fn repeat(&self) {
        self.repeats.set(true);
    }

    /// Whether the call repeats an earlier one.
    pub(crate) fn repeats(&self) -> bool {
        self.repeats.get()
    }

    /// What must be durable before the answer leaves.
    pub(crate) fn needed(&self) -> Needed {
        Needed(self.needed.get())
    }

    /// The rules that fired, in order.
    pub(crate) fn fired(&self) -> Vec<RuleId> {
        self.fired.borrow().clone()
    }

    /// What they decided, in order.
    pub(crate) fn decisions(&self) -> Vec<Decision> {
        self.decisions.borrow().clone()
    }
}

/// The open state. Reads take `&self`, so that several can be held at once.
pub(crate) struct Txn<'s> {
    core: &'s Core,
    state: MutexGuard<'s, State>,
    gathered: Option<&'s Gathered>,
    now: u64,
    /// The newest version that was seen or written.
    seen: Cell<u64>,
    has_written: bool,
    touched: BTreeSet<Key>,
    changes: Vec<Change>,
    fired: Vec<RuleId>,
    decisions: Vec<Decision>,
}

impl<'s> Txn<'s> {
    /// Use [`Core::txn`] or [`Core::txn_of`].
    pub(crate) fn begin(core: &'s Core, state: MutexGuard<'s, State>, gathered: Option<&'s Gathered>) -> Txn<'s> {
        let mut txn = Txn {
            core,
            state,
            gathered,
            now: milliseconds(core.now()),
            seen: Cell::new(0),
            has_written: false,
            touched: BTreeSet::new(),
            changes: Vec::new(),
            fired: Vec::new(),
            decisions: Vec::new(),
        };
        let now = txn.now();
        crate::life::advance(&mut txn, now);
        // What advanced by itself concerns this call only where it reads it.
        txn.seen.set(0);
        txn
    }

    pub(crate) fn core(&self) -> &'s Core {
        self.core
    }

    /// The time of this transaction.
    pub(crate) fn now(&self) -> SystemTime {
        time(self.now)
    }

    /// The time in milliseconds of the emulator's clock.
    pub(crate) fn now_ms(&self) -> u64 {
        self.now
    }

    /// Ends the transaction; dropping it does the same.
    pub(crate) fn finish(mut self) -> Needed {
        self.close();
        Needed(self.seen.get())
    }

    /// Makes the answer of this call wait for everything that was changed so far.
    pub(crate) fn see_all(&self) {
        self.see(self.state.version);
    }

    fn close(&mut self) {
        let version = self.state.version + 1;
        if self.has_written {
            self.has_written = false;
            self.state.version = version;
            self.state.time = self.now;
            let touched = std::mem::take(&mut self.touched);
            let writes: Vec<_> = touched.iter().map(|key| record::encode(key, &self.state)).collect();
            self.core.backing.submit(version, writes);
        }
        self.core.bus.publish(std::mem::take(&mut self.changes));
        if let Some(gathered) = self.gathered {
            gathered.needed.set(gathered.needed.get().max(self.seen.get()));
            gathered.fired.borrow_mut().append(&mut self.fired);
            gathered.decisions.borrow_mut().append(&mut self.decisions);
        }
    }

    fn see(&self, version: u64) {
        if version > self.state.loaded {
            self.seen.set(self.seen.get().max(version));
        }
    }

    /// Notes that something changes, and gives the version that this transaction will have.
    fn write(&mut self) -> u64 {
        self.has_written = true;
        self.touch(|| Key::Meta(COUNTERS.into()));
        let version = self.state.version + 1;
        self.see(version);
        version
    }

    fn next_sequence(&mut self) -> u64 {
        self.state.sequence += 1;
        self.state.sequence
    }

    fn touch(&mut self, key: impl FnOnce() -> Key) {
        if self.core.backing.wants_writes() {
            self.touched.insert(key());
        }
    }
}

impl Drop for Txn<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

/// A time as milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, super::request::millis)
}

/// Milliseconds since 1970 as a time.
pub(crate) fn time(milliseconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(milliseconds)).unwrap_or(SystemTime::UNIX_EPOCH)
}
