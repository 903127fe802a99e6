//! The creations that are under way, kept in files until the state is known to have their resources.
//!
//! A process that is killed between the request and the moment when the engine has written its state would leave a
//! resource that nobody knows of, and the next run would make a second one. With the entry, the next run asks for the same
//! thing with the same client token, and the service answers with the request that it has.
//!
//! An entry lives from before the first request until
//!
//! - any call carries the identifier of its resource: then the state has it;
//! - the creation has failed for good;
//! - Cancel arrives, with which every engine ends its work: then it has got the answers that were given;
//! - it is too old.
//!
//! It never beats the state: it is read only when the engine asks for a creation, and for the generated name that such a
//! creation had. One case looks like a creation and is none: a forced replacement (`--replace`, a tainted resource), for
//! which the engine neither compares nor shows the old resource. After a run that was killed it may meet the entry of the
//! very resource that it is to replace; the engine then asks to delete the resource that it has just been given. So a
//! resource that was picked up is not deleted by the process that picked it up ([`Journal::was_picked_up`]).
//!
//! Here are the effects; what an entry is is in [`entry`], what it means in [`decide`], where it is kept in [`place`], what it
//! has to do with names in [`names`].
//! A journal that cannot be written or read is as good as none: nothing fails because of it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;

pub use entry::Entry;
use files::Files;
pub use place::Place;

pub mod decide;
pub mod entry;
mod files;
pub mod names;
pub mod place;

/// How a creation ended, as far as its entry is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing of it: the next one begins anew.
    Nothing,
    /// There is a resource, of which the engine is told now; `picked_up`: by a request that an earlier process made.
    Made {
        /// Another process began it.
        picked_up: bool,
    },
    /// Not known, or a resource that nobody could name: the next one is to ask.
    Open,
}

/// The journal of one configured provider.
#[derive(Debug)]
pub struct Journal {
    files: Option<Files>,
    place: Place,
    clock: Clock,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    /// The keys of the files that are there.
    known: HashSet<String>,
    /// The entries of creations that this process runs, by key.
    running: HashMap<String, Entry>,
    /// The names that this process generated, by URN: property and value.
    names: HashMap<String, (String, String)>,
    /// The keys of creations whose resource this process has told the engine.
    answered: HashSet<String>,
    /// The resources that earlier processes made and this one told, by URN.
    picked_up: HashMap<String, String>,
}

impl Journal {
    /// A journal that keeps nothing.
    pub fn off() -> Self {
        Self { files: None, place: Place::default(), clock: crate::clock::now, memory: Mutex::default() }
    }

    /// The journal in `folder`, which need not exist; `None` switches it off. Reads which entries there are, and removes
    /// old ones.
    pub fn open(folder: Option<PathBuf>, place: Place, clock: Clock) -> Self {
        let files = folder.map(Files);
        let known = files.as_ref().map(|files| files.keys(clock())).unwrap_or_default();
        Self { files, place, clock, memory: Mutex::new(Memory { known, ..Memory::default() }) }
    }

    /// The time by which entries are judged, in seconds since 1970.
    pub fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Whether anything is kept at all.
    pub fn is_on(&self) -> bool {
        self.files.is_some()
    }

    /// The creation of `urn` that the state is not known to have. Touches no file when there is none.
    ///
    /// What this process has answered itself counts as known: the engine that asked is the one that asks now.
    pub fn unfinished(&self, urn: &str) -> Option<Entry> {
        self.entry(urn, |memory, key| !memory.answered.contains(key))
    }

    fn entry(&self, urn: &str, wanted: impl FnOnce(&Memory, &str) -> bool) -> Option<Entry> {
        let files = self.files.as_ref()?;
        let key = self.place.key(urn);
        {
            let memory = self.memory();
            if !memory.known.contains(&key) || !wanted(&memory, &key) {
                return None;
            }
        }
        let entry = Entry::parse(&files.read(&key)?, urn);
        if entry.is_none() {
            tracing::debug!(urn, "an entry of the journal cannot be read and is ignored");
        }
        entry.filter(|entry| !entry.is_stale(self.now()))
    }

    /// The generated name that an unfinished creation of `urn` has for `property`.
    pub fn name(&self, urn: &str, property: &str) -> Option<String> {
        let (named, name) = self.unfinished(urn)?.name?;
        (named == property).then_some(name)
    }

    /// Remembers that the resource's name was generated, or that it has none of ours.
    pub fn generated(&self, urn: &str, name: Option<(String, String)>) {
        if self.files.is_none() {
            return;
        }
        let mut memory = self.memory();
        match name {
            Some(name) => memory.names.insert(urn.to_owned(), name),
            None => memory.names.remove(urn),
        };
    }

    /// Keeps `entry` before its request is sent; the generated name is added to it.
    pub async fn begin(&self, mut entry: Entry) {
        if self.files.is_none() {
            return;
        }
        let key = self.place.key(&entry.urn);
        {
            let mut memory = self.memory();
            memory.answered.remove(&key);
            entry.name = memory.names.get(&entry.urn).cloned().or(entry.name);
            memory.known.insert(key.clone());
            memory.running.insert(key.clone(), entry.clone());
        }
        self.write(key, entry).await;
    }

    /// Keeps what an answer about the running creation of `urn` told.
    pub async fn note(&self, urn: &str, request_token: Option<&str>, identifier: Option<&str>) {
        if self.files.is_none() {
            return;
        }
        let key = self.place.key(urn);
        let entry = {
            let mut memory = self.memory();
            let Some(entry) = memory.running.get_mut(&key) else { return };
            let new = |known: &Option<String>, told: Option<&str>| told.is_some() && known.as_deref() != told;
            if !new(&entry.request_token, request_token) && !new(&entry.identifier, identifier) {
                return;
            }
            entry.request_token = request_token.map(str::to_owned).or_else(|| entry.request_token.take());
            entry.identifier = identifier.map(str::to_owned).or_else(|| entry.identifier.take());
            entry.clone()
        };
        self.write(key, entry).await;
    }

    /// The creation of `urn` is over for this process.
    pub async fn end(&self, urn: &str, outcome: Outcome) {
        let Some(files) = self.files.clone() else { return };
        let key = self.place.key(urn);
        {
            let mut memory = self.memory();
            let entry = memory.running.remove(&key);
            match outcome {
                Outcome::Open => return,
                Outcome::Made { picked_up } => {
                    if let Some(identifier) = entry.and_then(|entry| entry.identifier).filter(|_| picked_up) {
                        memory.picked_up.insert(urn.to_owned(), identifier);
                    }
                    memory.answered.insert(key);
                    return;
                }
                Outcome::Nothing if memory.known.remove(&key) => {}
                Outcome::Nothing => return,
            }
        }
        aside(move || files.remove(&key), "removed").await;
    }

    /// A call carried `identifier` as that of `urn`: the state has the resource, and the entry has done its duty.
    pub fn settle(&self, urn: &str, identifier: &str) {
        let Some(files) = &self.files else { return };
        if self.memory().known.is_empty() {
            return;
        }
        let settled = self.entry(urn, |_, _| true).is_some_and(|entry| entry.identifier.as_deref() == Some(identifier));
        if !settled {
            return;
        }
        let key = self.place.key(urn);
        let mut memory = self.memory();
        memory.answered.remove(&key);
        if memory.known.remove(&key) && files.remove(&key).is_err() {
            tracing::debug!(urn, "an entry of the journal cannot be removed");
        }
    }

    /// Another engine has come to this process; whether the last one has written what it was told is not known.
    pub fn reopen(&self) {
        self.memory().answered.clear();
    }

    /// The engine is there and has all answers that were given: their entries have done their duty.
    pub async fn settle_answered(&self) {
        let Some(files) = self.files.clone() else { return };
        let answered = {
            let mut memory = self.memory();
            let answered = std::mem::take(&mut memory.answered);
            memory.known.retain(|key| !answered.contains(key));
            answered
        };
        if !answered.is_empty() {
            let remove = move || answered.iter().try_for_each(|key| files.remove(key));
            aside(remove, "removed").await;
        }
    }

    /// Whether `identifier` is what this process told the engine as the result of a creation that it had not begun: who
    /// asks to delete that means a resource that is no more than this one.
    pub fn was_picked_up(&self, urn: &str, identifier: &str) -> bool {
        self.files.is_some() && self.memory().picked_up.get(urn).is_some_and(|known| known == identifier)
    }

    async fn write(&self, key: String, entry: Entry) {
        if let Some(files) = self.files.clone() {
            aside(move || files.write(&key, &entry.to_text()), "written").await;
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does work on files beside the runtime's thread; what fails is told to nobody but the log.
async fn aside(work: impl FnOnce() -> std::io::Result<()> + Send + 'static, what: &str) {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "an entry of the journal cannot be {what}"),
        Err(_) => tracing::debug!("an entry of the journal was not {what}"),
    }
}
