//! State in a folder: one thread commits what transactions hand over, many of them at a time. The thread is in
//! [`writer`](super::writer).

use super::folder::{Folder, definition};
use super::writer::{Commits, Version, Writer, fail};
use super::{Backing, Durable, Each, PersistError, Table, Write, guarded};
use crate::options::Durability;
use redb::{ReadableDatabase, ReadableTable, TableError};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// A folder that holds the state.
#[derive(Debug)]
pub(crate) struct Kept {
    open: Mutex<Option<Open>>,
    durable: watch::Sender<Durable>,
    /// The last version that was handed over.
    submitted: AtomicU64,
    /// How many versions wait to be committed.
    waiting: Arc<AtomicU64>,
    commits: Arc<Commits>,
}

#[derive(Debug)]
struct Open {
    folder: Arc<Folder>,
    sender: Sender<Version>,
    writer: JoinHandle<()>,
}

impl Kept {
    /// Opens a state folder, or makes it.
    ///
    /// # Errors
    ///
    /// When it cannot be made, is in use, is damaged, or is of a newer version.
    pub(crate) fn open(path: &Path, durability: Durability) -> Result<Kept, PersistError> {
        Kept::over(Folder::open(path, durability)?, durability)
    }

    /// Keeps state in an open folder.
    pub(super) fn over(folder: Folder, durability: Durability) -> Result<Kept, PersistError> {
        let folder = Arc::new(folder);
        let (sender, receiver) = channel();
        let durable = watch::Sender::new(Durable { version: 0, failed: None });
        let waiting = Arc::new(AtomicU64::new(0));
        let commits = Arc::new(Commits::default());
        let writer = Writer {
            folder: Arc::clone(&folder),
            durability,
            durable: durable.clone(),
            waiting: Arc::clone(&waiting),
            commits: Arc::clone(&commits),
            is_lazy: false,
        };
        let writer =
            std::thread::Builder::new().name("emulator-writer".to_owned()).spawn(move || writer.run(&receiver));
        let writer = writer.map_err(|error| PersistError::Storage(error.to_string()))?;
        let open = Mutex::new(Some(Open { folder, sender, writer }));
        Ok(Kept { open, durable, submitted: AtomicU64::new(0), waiting, commits })
    }
}

/// Hands out every record of a folder.
fn load(folder: &Folder, each: &mut Each<'_>) -> Result<(), PersistError> {
    let storage = |error: &dyn std::fmt::Display| PersistError::Storage(error.to_string());
    let transaction = folder.database.begin_read().map_err(|error| storage(&error))?;
    for kind in Table::ALL {
        let table = match transaction.open_table(definition(kind)) {
            Ok(table) => table,
            Err(TableError::TableDoesNotExist(_)) => continue,
            Err(error) => return Err(storage(&error)),
        };
        for record in table.iter().map_err(|error| storage(&error))? {
            let (key, value) = record.map_err(|error| storage(&error))?;
            each(kind, key.value(), value.value())?;
        }
    }
    Ok(())
}

impl Backing for Kept {
    fn load(&self, each: &mut Each<'_>) -> Result<(), PersistError> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = open.as_ref() else { return Ok(()) };
        guarded(|| load(&open.folder, each))?
    }

    fn submit(&self, version: u64, writes: Vec<Write>) {
        self.submitted.store(version, Ordering::Relaxed);
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let is_sent = open.as_ref().is_some_and(|open| open.sender.send((version, writes)).is_ok());
        if !is_sent {
            fail(&self.durable, "the state folder is closed".into());
        }
    }

    fn wants_writes(&self) -> bool {
        true
    }

    fn durable(&self) -> watch::Receiver<Durable> {
        self.durable.subscribe()
    }

    fn backlog(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    fn commits(&self) -> (u64, Duration) {
        let micros = self.commits.micros.load(Ordering::Relaxed);
        (self.commits.count.load(Ordering::Relaxed), Duration::from_micros(micros))
    }

    fn close(&self) -> Result<(), PersistError> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Open { folder, sender, writer }) = open else { return Ok(()) };
        drop(sender);
        let ended = writer.join();
        // Closing writes, and may find what reading did not.
        guarded(|| drop(folder))?;
        match (ended, self.durable.borrow().failed.clone()) {
            (Err(_), _) => Err(PersistError::Storage("the writer panicked".to_owned())),
            (Ok(()), Some(reason)) => Err(PersistError::Storage(reason.to_string())),
            (Ok(()), None) => Ok(()),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!(%error, "the state could not be closed");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::persist::committed;
    use crate::persist::failing::Failing;
    use crate::store::Needed;

    fn write(key: &str, value: Option<&str>) -> Write {
        Write { table: Table::Objects, key: key.as_bytes().into(), value: value.map(|value| value.as_bytes().into()) }
    }

    fn records(kept: &Kept) -> Vec<String> {
        let mut found = Vec::new();
        let mut each = |table: Table, key: &[u8], value: &[u8]| {
            let [key, value] = [key, value].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            found.push(format!("{} {key} {value}", table.name()));
            Ok(())
        };
        kept.load(&mut each).unwrap();
        found
    }

    #[tokio::test]
    async fn what_was_committed_is_there_after_an_end_and_a_new_start() {
        for durability in [Durability::Os, Durability::Fsync, Durability::None] {
            let folder = tempfile::tempdir().unwrap();
            let kept = Kept::open(folder.path(), durability).unwrap();
            kept.submit(1, vec![write("a", Some("1")), write("b", Some("1"))]);
            kept.submit(2, vec![write("a", Some("2"))]);
            kept.submit(3, vec![write("b", None), write("c", None)]);
            committed(&kept, Needed(3)).await.unwrap();
            assert_eq!(kept.backlog(), 0);
            kept.close().unwrap();
            kept.submit(4, vec![write("d", Some("1"))]);
            assert_eq!(&*committed(&kept, Needed(4)).await.unwrap_err(), "the state folder is closed");
            let again = Kept::open(folder.path(), durability).unwrap();
            assert_eq!(records(&again), ["meta format 1", "objects a 2"], "{durability:?}");
        }
    }

    #[tokio::test]
    async fn nothing_counts_as_kept_once_the_disk_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let room = Arc::new(AtomicU64::new(u64::MAX));
        let open = Folder::open_on(folder.path(), |file| Failing { file, room: Arc::clone(&room) }).unwrap();
        let kept = Kept::over(open, Durability::Os).unwrap();
        kept.submit(1, vec![write("a", Some("1"))]);
        committed(&kept, Needed(1)).await.unwrap();
        room.store(5_000, Ordering::Relaxed);
        let large = "x".repeat(20_000);
        kept.submit(2, vec![write("b", Some(&large))]);
        let reason = committed(&kept, Needed(2)).await.unwrap_err();
        assert!(!reason.is_empty());
        committed(&kept, Needed(1)).await.unwrap();
        // Room again does not help: what was lost in between is not known any more.
        room.store(u64::MAX, Ordering::Relaxed);
        kept.submit(3, vec![write("c", Some("1"))]);
        assert_eq!(committed(&kept, Needed(3)).await, Err(reason));
        assert!(kept.close().is_err());
        let again = Kept::open(folder.path(), Durability::Os).unwrap();
        assert_eq!(records(&again), ["meta format 1", "objects a 1"]);
    }

    #[test]
    fn a_damaged_folder_is_told_wherever_the_damage_is() {
        const PAGE: usize = 4096;
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::open(folder.path(), Durability::Os).unwrap();
        let value = "v".repeat(700);
        for version in 1..=400 {
            kept.submit(version, vec![write(&format!("key {version}"), Some(&value))]);
        }
        kept.close().unwrap();
        let file = folder.path().join("state.redb");
        let sound = std::fs::read(&file).unwrap();
        let step = (sound.len() / PAGE / 60).max(1);
        let mut told = 0;
        for page in (0..sound.len() / PAGE).step_by(step) {
            let mut damaged = sound.clone();
            damaged[page * PAGE..(page + 1) * PAGE].fill(0);
            std::fs::write(&file, damaged).unwrap();
            let opened = Kept::open(folder.path(), Durability::Os);
            let loaded = opened.and_then(|kept| {
                let loaded = kept.load(&mut |_, _, _| Ok(()));
                // What is written then is written or refused.
                kept.submit(1_000, vec![write("new", Some(&value))]);
                loaded.and(kept.close())
            });
            told += usize::from(loaded.is_err());
        }
        assert!(told > 0, "some of it mattered");
    }
}
