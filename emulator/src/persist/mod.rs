//! Where the state goes so that it outlives the process: key and value writes, committed before an answer leaves.
//!
//! State is served from memory alone; a [`Backing`] is written behind it and read once, at the start. The router holds an
//! answer back until what the call wrote or saw is durable ([`crate::store::Needed`]).
//!
//! | module | what is in it |
//! |---|---|
//! | this one | what a backing is, and the one without a folder |
//! | [`kept`] | the one with a folder |
//! | [`writer`] | the thread that commits to it |
//! | `folder` | the folder: lock, format, database |
//! | `nosync` | a file that is not synced |
//! | `failing` | for tests: a file on a full disk |

#[cfg(test)]
mod failing;
mod folder;
mod kept;
mod nosync;
mod writer;

pub(crate) use kept::Kept;

use crate::store::Needed;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The kinds of records.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Table {
    Meta,
    Resources,
    Requests,
    ClientTokens,
    Occurrences,
    Rules,
    Objects,
    Parameters,
    Functions,
    Sessions,
    TypeConfigurations,
}

impl Table {
    /// Every table, in the order in which they are loaded.
    pub(crate) const ALL: [Table; 11] = [
        Table::Meta,
        Table::Resources,
        Table::Requests,
        Table::ClientTokens,
        Table::Occurrences,
        Table::Rules,
        Table::Objects,
        Table::Parameters,
        Table::Functions,
        Table::Sessions,
        Table::TypeConfigurations,
    ];

    /// The name on disk.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Table::Meta => "meta",
            Table::Resources => "resources",
            Table::Requests => "requests",
            Table::ClientTokens => "client-tokens",
            Table::Occurrences => "occurrences",
            Table::Rules => "rules",
            Table::Objects => "objects",
            Table::Parameters => "parameters",
            Table::Functions => "functions",
            Table::Sessions => "sessions",
            Table::TypeConfigurations => "type-configurations",
        }
    }
}

/// One record set or, without a value, removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) table: Table,
    pub(crate) key: Box<[u8]>,
    pub(crate) value: Option<Box<[u8]>>,
}

/// Why state could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PersistError {
    /// A record is not what this version writes.
    #[error("the record {key} of {table} cannot be read: {reason}")]
    Record {
        /// The table's name.
        table: &'static str,
        /// The key, with unprintable bytes replaced.
        key: String,
        /// What the reader found.
        reason: String,
    },
    /// The folder cannot be used.
    #[error("{path} {reason}", path = path.display())]
    Folder {
        /// The folder or the file in it.
        path: std::path::PathBuf,
        /// Why not, as the rest of a sentence that begins with the path.
        reason: String,
    },
    /// The storage failed.
    #[error("{0}")]
    Storage(String),
}

/// Does something with the storage, which ends the thread where it finds a page that cannot be.
///
/// # Errors
///
/// What the storage said then.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, PersistError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|said| {
        let said = said.downcast_ref::<String>().map(String::as_str).or_else(|| said.downcast_ref::<&str>().copied());
        PersistError::Storage(format!("state.redb is damaged: {}", said.unwrap_or("no reason was given")))
    })
}

/// What has been committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Durable {
    /// The newest version that survives the process.
    pub(crate) version: u64,
    /// Why nothing more will be committed, if so.
    pub(crate) failed: Option<Arc<str>>,
}

/// Takes one record: table, key, value.
pub(crate) type Each<'e> = dyn FnMut(Table, &[u8], &[u8]) -> Result<(), PersistError> + 'e;

/// Somewhere that outlives the process.
pub(crate) trait Backing: Send + Sync + 'static {
    /// Hands out every record, table by table, in key order. Called once, before serving.
    fn load(&self, each: &mut Each<'_>) -> Result<(), PersistError>;

    /// Takes the writes of one version. Never blocks; versions ascend because the caller holds the state lock.
    fn submit(&self, version: u64, writes: Vec<Write>);

    /// Whether records are wanted at all; otherwise none is encoded.
    fn wants_writes(&self) -> bool;

    /// What has been committed, and whether committing has failed for good.
    fn durable(&self) -> watch::Receiver<Durable>;

    /// How many versions wait to be committed.
    fn backlog(&self) -> u64;

    /// How many commits there were, and how long they took together.
    fn commits(&self) -> (u64, Duration) {
        (0, Duration::ZERO)
    }

    /// Commits what is left and closes.
    fn close(&self) -> Result<(), PersistError>;
}

/// No backing: everything counts as durable, and is gone with the process.
#[derive(Debug)]
pub(crate) struct Memory {
    durable: watch::Sender<Durable>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { durable: watch::Sender::new(Durable { version: u64::MAX, failed: None }) }
    }
}

impl Backing for Memory {
    fn load(&self, _: &mut Each<'_>) -> Result<(), PersistError> {
        Ok(())
    }

    fn submit(&self, _: u64, _: Vec<Write>) {}

    fn wants_writes(&self) -> bool {
        false
    }

    fn durable(&self) -> watch::Receiver<Durable> {
        self.durable.subscribe()
    }

    fn backlog(&self) -> u64 {
        0
    }

    fn close(&self) -> Result<(), PersistError> {
        Ok(())
    }
}

/// Waits until a version is durable.
///
/// # Errors
///
/// Why it never will be.
pub(crate) async fn committed(backing: &dyn Backing, needed: Needed) -> Result<(), Arc<str>> {
    let mut durable = backing.durable();
    let reached = durable.wait_for(|durable| durable.version >= needed.0 || durable.failed.is_some()).await;
    match reached {
        Ok(durable) if durable.version >= needed.0 => Ok(()),
        Ok(durable) => Err(durable.failed.clone().unwrap_or_else(|| "the state folder is closed".into())),
        Err(_) => Err("the state folder is closed".into()),
    }
}
