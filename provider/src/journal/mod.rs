//! The creations that are under way, kept in a file until the state is known to have their resources.
//!
//! A process that is killed between the request and the moment when the engine has written its state would leave a
//! resource that nobody knows of, and the next run would make a second one. With the entry, the next run asks for the same
//! thing with the same client token, and the service answers with the request that it has.
//!
//! An entry lives from before the first request until
//!
//! - a Diff or an Update carries the identifier of its resource, a Read finds it, or a Delete ends well: then the state has
//!   it, or had it (a Read that finds nothing, and a Delete that fails, may have come before the creation's end);
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
//! Here are the effects; what is known at a time is in `memory`, what an entry is in [`entry`], what it means in [`decide`], where it is kept in [`place`], what it
//! has to do with names in [`names`]. A journal that cannot be written or read is as good as none: nothing fails because of
//! it.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;

pub use entry::Entry;
use entry::Line;
use files::Files;
use memory::{Known, Memory, stack};
pub use place::Place;

pub mod decide;
pub mod entry;
mod files;
mod memory;
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
    /// `None` is switched off.
    memory: Option<Mutex<Memory>>,
    clock: Clock,
}

impl Journal {
    /// A journal that keeps nothing.
    pub fn off() -> Self {
        Self { memory: None, clock: crate::clock::now }
    }

    /// The journal in `folder`, which need not exist; `None` switches it off. Reads what earlier processes left, and takes
    /// over what the dead ones did.
    pub fn open(folder: Option<PathBuf>, place: &Place, clock: Clock) -> Self {
        let Some(folder) = folder else { return Self::off() };
        let files = Files::new(folder, place.key());
        let found = files.read(clock());
        let mut memory = Memory::new(files, place.provider.clone());
        memory.take_over(found, clock().as_secs());
        Self { memory: Some(Mutex::new(memory)), clock }
    }

    /// The time by which entries are judged, in seconds since 1970.
    pub fn now(&self) -> u64 {
        (self.clock)().as_secs()
    }

    /// Whether anything is kept at all.
    pub fn is_on(&self) -> bool {
        self.memory.is_some()
    }

    /// Whether the next process picks up the creation of `urn` if this one is ended now. Not where nothing is kept, nor
    /// where the file could not be written.
    pub fn picks_up(&self, urn: &str) -> bool {
        self.memory().is_some_and(|memory| memory.entries.get(urn).is_none_or(|known| known.written))
    }

    /// The creation of `urn` that the state is not known to have.
    ///
    /// What this process has answered itself counts as known: the engine that asked is the one that asks now.
    pub fn unfinished(&self, urn: &str) -> Option<Entry> {
        let memory = self.memory()?;
        let known = memory.entries.get(urn).filter(|known| !known.answered)?;
        Some(known.entry.clone()).filter(|entry| !entry.is_stale(self.now()))
    }

    /// A creation of `urn` that was cut off under another provider resource: that of another stack of the same name, whose
    /// state is elsewhere, or one that this stack had before. Nothing shows which, so it is left alone.
    pub fn of_another(&self, urn: &str) -> Option<Entry> {
        let memory = self.memory()?;
        let ours = memory.provider.as_deref();
        let mut entries = memory.entries.values().map(|known| &known.entry);
        entries.find(|entry| entry.urn == urn && entry.is_of_another(ours) && !entry.is_stale(self.now())).cloned()
    }

    /// Whether an entry was begun under another provider resource than that of this process.
    pub fn is_of_another(&self, entry: &Entry) -> bool {
        self.memory().is_some_and(|memory| entry.is_of_another(memory.provider.as_deref()))
    }

    /// The generated name that an unfinished creation of `urn` has for `property`.
    pub fn name(&self, urn: &str, property: &str) -> Option<String> {
        let (named, name) = self.unfinished(urn)?.name?;
        (named == property).then_some(name)
    }

    /// Remembers that the resource's name was generated, or that it has none of ours.
    pub fn generated(&self, urn: &str, name: Option<(String, String)>) {
        let Some(mut memory) = self.memory() else { return };
        match name {
            Some(name) => memory.names.insert(urn.to_owned(), name),
            None => memory.names.remove(urn),
        };
    }

    /// Keeps `entry` before its request is sent; the generated name is added to it.
    pub fn begin(&self, mut entry: Entry) {
        let Some(mut memory) = self.memory() else { return };
        entry.name = memory.names.get(&entry.urn).cloned().or(entry.name);
        entry.provider = memory.provider.clone().or(entry.provider);
        let line = self.line(&mut memory, entry.clone());
        let written = memory.write(&[line]);
        let urn = entry.urn.clone();
        let before =
            memory.entries.insert(urn, Known { entry, elsewhere: false, answered: false, written, found: false });
        memory.speaks_of_others |= before.is_some_and(|known| known.elsewhere);
    }

    /// Keeps what an answer about the running creation of `urn` told.
    pub fn note(&self, urn: &str, request_token: Option<&str>, identifier: Option<&str>) {
        let Some(mut memory) = self.memory() else { return };
        let Some(known) = memory.entries.get_mut(urn).filter(|known| !known.answered) else { return };
        let entry = &mut known.entry;
        let is_new = |known: &Option<String>, told: Option<&str>| told.is_some() && known.as_deref() != told;
        if !is_new(&entry.request_token, request_token) && !is_new(&entry.identifier, identifier) {
            return;
        }
        entry.request_token = request_token.map(str::to_owned).or_else(|| entry.request_token.take());
        entry.identifier = identifier.map(str::to_owned).or_else(|| entry.identifier.take());
        let entry = entry.clone();
        let line = self.line(&mut memory, entry);
        if memory.write(&[line])
            && let Some(known) = memory.entries.get_mut(urn)
        {
            known.written = true;
        }
    }

    /// The creation of `urn` is over for this process.
    pub fn end(&self, urn: &str, outcome: Outcome) {
        let Some(mut memory) = self.memory() else { return };
        match outcome {
            Outcome::Open => {}
            Outcome::Nothing => self.remove(&mut memory, urn),
            Outcome::Made { picked_up } => {
                let Some(known) = memory.entries.get_mut(urn) else { return };
                known.answered = true;
                if let Some(identifier) = known.entry.identifier.clone().filter(|_| picked_up) {
                    memory.picked_up.insert(urn.to_owned(), identifier);
                }
            }
        }
    }

    /// A call carried `identifier` as that of `urn`: the state has the resource, and the entry has done its duty.
    pub fn settle(&self, urn: &str, identifier: &str) {
        self.saw(urn);
        let Some(mut memory) = self.memory() else { return };
        if memory.entries.get(urn).is_some_and(|known| known.entry.identifier.as_deref() == Some(identifier)) {
            self.remove(&mut memory, urn);
        }
    }

    /// The engine is there and has all answers that were given: their entries have done their duty.
    pub fn settle_answered(&self) {
        let Some(mut memory) = self.memory() else { return };
        let time = self.time(&mut memory);
        let answered = memory.entries.values().filter(|known| known.answered);
        let gone = |known: &Known| Line { time, entry: None, gone: Some(known.entry.client_token.clone()) };
        let lines: Vec<Line> = answered.map(gone).collect();
        memory.entries.retain(|_, known| !known.answered);
        if !memory.remove_file() {
            memory.write(&lines);
        }
    }

    /// Another engine has come to this process; whether the last one has written what it was told is not known. `provider`
    /// is the id of its provider resource.
    pub fn reopen(&self, provider: Option<String>) {
        let Some(mut memory) = self.memory() else { return };
        memory.provider = provider;
        let entries = std::mem::take(&mut memory.entries).into_values();
        let entries: Vec<_> =
            entries.map(|known| (memory.key(&known.entry), Known { answered: false, ..known })).collect();
        memory.entries.extend(entries);
    }

    /// A call named `urn`: this process works on its stack.
    pub fn saw(&self, urn: &str) {
        let Some(mut memory) = self.memory() else { return };
        if memory.stack.is_none() {
            memory.stack = stack(urn).map(str::to_owned);
        }
    }

    /// The creations of this process's stack that were cut off in earlier processes and that nobody has asked for since: the
    /// program may not have their resources any more, or under other names.
    pub fn forsaken(&self) -> Vec<Entry> {
        let Some(memory) = self.memory() else { return Vec::new() };
        let of_stack = |known: &&Known| memory.stack.is_some() && stack(&known.entry.urn) == memory.stack.as_deref();
        let open = |known: &&Known| known.found && !known.elsewhere && !known.entry.is_stale(self.now());
        memory.entries.values().filter(open).filter(of_stack).map(|known| known.entry.clone()).collect()
    }

    /// Whether `identifier` is what this process told the engine as the result of a creation that it had not begun: who
    /// asks to delete that means a resource that is no more than this one.
    pub fn was_picked_up(&self, urn: &str, identifier: &str) -> bool {
        self.memory().is_some_and(|memory| memory.picked_up.get(urn).is_some_and(|known| known == identifier))
    }

    fn remove(&self, memory: &mut Memory, urn: &str) {
        let Some(known) = memory.entries.remove(urn) else { return };
        memory.speaks_of_others |= known.elsewhere;
        if !memory.remove_file() {
            let time = self.time(memory);
            memory.write(&[Line { time, entry: None, gone: Some(known.entry.client_token) }]);
        }
    }

    fn line(&self, memory: &mut Memory, entry: Entry) -> Line {
        Line { time: self.time(memory), entry: Some(entry), gone: None }
    }

    /// The time that orders lines, in milliseconds: now, or that of the latest line if the clock was set back.
    fn time(&self, memory: &mut Memory) -> u64 {
        let now = u64::try_from((self.clock)().as_millis()).unwrap_or(u64::MAX);
        memory.latest = memory.latest.max(now);
        memory.latest
    }

    fn memory(&self) -> Option<MutexGuard<'_, Memory>> {
        self.memory.as_ref().map(|memory| memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
