//! The thread that commits: what waits goes into one transaction, up to a limit.

use super::folder::{Folder, definition};
use super::{Durable, Table, Write, guarded};
use crate::options::Durability;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The most versions and bytes that one commit takes together.
const MOST_VERSIONS: usize = 512;
const MOST_BYTES: usize = 4 << 20;

/// How long records of durability `none` may be in memory only.
const LAZY: Duration = Duration::from_secs(1);

/// One version on its way to the writer.
pub(super) type Version = (u64, Vec<Write>);

/// How many commits there were, and the microseconds they took.
#[derive(Debug, Default)]
pub(super) struct Commits {
    pub(super) count: AtomicU64,
    pub(super) micros: AtomicU64,
}

/// The thread that commits.
pub(super) struct Writer {
    pub(super) folder: Arc<Folder>,
    pub(super) durability: Durability,
    pub(super) durable: watch::Sender<Durable>,
    pub(super) waiting: Arc<AtomicU64>,
    pub(super) commits: Arc<Commits>,
    /// Whether something was committed to memory only.
    pub(super) is_lazy: bool,
}

impl Writer {
    /// Commits until nobody hands over versions any more, or a commit fails.
    pub(super) fn run(mut self, receiver: &Receiver<Version>) {
        let mut flushed = Instant::now();
        loop {
            let first = match self.next(receiver, flushed) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let is_flush = flushed.elapsed() >= LAZY;
            let (version, count, writes) = gather(first, receiver);
            let began = Instant::now();
            let outcome = guarded(|| self.commit(writes, is_flush)).unwrap_or_else(|error| Err(error.to_string()));
            self.commits.count.fetch_add(1, Ordering::Relaxed);
            let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.commits.micros.fetch_add(micros, Ordering::Relaxed);
            self.waiting.fetch_sub(count, Ordering::Relaxed);
            if let Err(reason) = outcome {
                tracing::error!(reason, "the state folder cannot be written");
                fail(&self.durable, reason.into());
                return;
            }
            if is_flush {
                flushed = Instant::now();
            }
            if let Some(version) = version {
                self.durable.send_modify(|durable| durable.version = version);
            }
        }
        if self.is_lazy
            && let Err(reason) =
                guarded(|| self.commit(BTreeMap::new(), true)).unwrap_or_else(|error| Err(error.to_string()))
        {
            fail(&self.durable, reason.into());
        }
    }

    /// The next version; a timeout when something has been in memory only for long enough.
    fn next(&self, receiver: &Receiver<Version>, flushed: Instant) -> Result<Version, RecvTimeoutError> {
        if self.is_lazy {
            receiver.recv_timeout(LAZY.saturating_sub(flushed.elapsed()))
        } else {
            receiver.recv().map_err(|_| RecvTimeoutError::Disconnected)
        }
    }

    fn commit(&mut self, writes: Records, is_flush: bool) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut transaction = self.folder.database.begin_write().map_err(|error| text(&error))?;
        self.is_lazy = self.durability == Durability::None && !is_flush;
        if self.is_lazy {
            transaction.set_durability(redb::Durability::None).map_err(|error| text(&error))?;
        } else {
            // After a crash the folder opens at once instead of being walked through.
            transaction.set_quick_repair(true);
        }
        for (kind, records) in writes {
            let mut table = transaction.open_table(definition(kind)).map_err(|error| text(&error))?;
            for (key, value) in records {
                match value {
                    Some(value) => drop(table.insert(&*key, &*value).map_err(|error| text(&error))?),
                    None => drop(table.remove(&*key).map_err(|error| text(&error))?),
                }
            }
        }
        transaction.commit().map_err(|error| text(&error))
    }
}

/// Notes why nothing will be committed any more; the first reason counts.
pub(super) fn fail(durable: &watch::Sender<Durable>, reason: Arc<str>) {
    durable.send_modify(|durable| {
        durable.failed.get_or_insert(reason);
    });
}

/// The last value of every record that a commit changes.
type Records = BTreeMap<Table, BTreeMap<Box<[u8]>, Option<Box<[u8]>>>>;

/// What waits, up to the limits of one commit: its last version, how many there are, and what they leave.
fn gather(first: Option<Version>, receiver: &Receiver<Version>) -> (Option<u64>, u64, Records) {
    let mut records = Records::new();
    let (mut last, mut count, mut bytes) = (None, 0, 0);
    let mut next = first;
    while let Some((version, writes)) = next.take() {
        last = Some(version);
        count += 1;
        for Write { table, key, value } in writes {
            bytes += key.len() + value.as_ref().map_or(0, |value| value.len());
            records.entry(table).or_default().insert(key, value);
        }
        if count < MOST_VERSIONS as u64 && bytes < MOST_BYTES {
            next = receiver.try_recv().ok();
        }
    }
    (last, count, records)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use std::sync::mpsc::channel;

    fn write(version: u64) -> Write {
        Write {
            table: Table::Objects,
            key: b"a".as_slice().into(),
            value: Some(version.to_string().into_bytes().into()),
        }
    }

    #[test]
    fn a_commit_takes_what_waits_and_no_more() {
        let (sender, receiver) = channel();
        for version in 1..=MOST_VERSIONS as u64 + 1 {
            sender.send((version, vec![write(version)])).unwrap();
        }
        let first = receiver.recv().ok();
        let (last, count, records) = gather(first, &receiver);
        assert_eq!((last, count, records.len()), (Some(512), 512, 1));
        let (last, count, _) = gather(receiver.recv().ok(), &receiver);
        assert_eq!((last, count), (Some(513), 1));
    }
}
