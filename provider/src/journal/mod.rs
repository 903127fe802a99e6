//! The creations that are under way, kept in a file until the state is known to have their resources.
//!
//! A process that is killed between the request and the moment when the engine has written its state would leave a
//! resource that nobody knows of, and the next run would make a second one. With the entry, the next run asks for the same
//! thing with the same client token, and the service answers with the request that it has.
//!
//! An entry lives from before the first request until
//!
//! - any call carries the identifier of its resource, and a read finds it: then the state has it;
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
//! has to do with names in [`names`]. A journal that cannot be written or read is as good as none: nothing fails because of
//! it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;

pub use entry::Entry;
use entry::Line;
use files::{Files, Found};
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
    /// `None` is switched off.
    memory: Option<Mutex<Memory>>,
    clock: Clock,
}

/// What the files say, and what this process knows besides.
#[derive(Debug)]
struct Memory {
    files: Files,
    /// The entries that stand, by URN; those of other provider resources by [`Memory::key`].
    entries: BTreeMap<String, Known>,
    /// The id of our own provider resource.
    provider: Option<String>,
    /// The names that this process generated, by URN: property and value.
    names: HashMap<String, (String, String)>,
    /// The resources that earlier processes made and this one told, by URN.
    picked_up: HashMap<String, String>,
    /// Something is said in the own file about entries in the files of processes that live.
    speaks_of_others: bool,
    /// The latest time of a line: lines of a clock that was set back come later all the same.
    latest: u64,
    /// Stack and project of this process, as URNs begin.
    stack: Option<String>,
}

#[derive(Debug)]
struct Known {
    entry: Entry,
    /// It stands in the file of a process that lives.
    elsewhere: bool,
    /// This process has told the engine of its resource.
    answered: bool,
    /// It stands in a file, so that the next process knows it.
    written: bool,
    /// An earlier process left it, and nobody has asked for it since.
    found: bool,
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
        let mut memory = Memory {
            files,
            entries: BTreeMap::new(),
            provider: place.provider.clone(),
            names: HashMap::new(),
            picked_up: HashMap::new(),
            speaks_of_others: false,
            latest: 0,
            stack: None,
        };
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

/// The beginning of a URN: stack and project.
fn stack(urn: &str) -> Option<&str> {
    let (at, _) = urn.match_indices("::").nth(1)?;
    urn.get(..at)
}

impl Memory {
    /// By what an entry is known: one of another provider resource stands beside our own of the same URN.
    fn key(&self, entry: &Entry) -> String {
        match &entry.provider {
            Some(theirs) if entry.is_of_another(self.provider.as_deref()) => format!("{}\n{theirs}", entry.urn),
            _ => entry.urn.clone(),
        }
    }

    /// Knows what was found, and keeps what the dead have left in the own file.
    fn take_over(&mut self, found: Found, now: u64) {
        let Found { dead, living, left } = found;
        // What the dead said of the living still counts as long as those live.
        let gone_elsewhere: Vec<Line> =
            dead.iter().filter(|line| line.gone.is_some() && !living.is_empty()).cloned().collect();
        let mut lines: Vec<(Line, bool)> = dead.into_iter().map(|line| (line, false)).collect();
        lines.extend(living.into_iter().map(|line| (line, true)));
        lines.sort_by_key(|(line, _)| line.time);
        self.latest = lines.last().map_or(0, |(line, _)| line.time);
        let gone: HashSet<String> = lines.iter().filter_map(|(line, _)| line.gone.clone()).collect();
        let mut standing = BTreeMap::new();
        for (line, elsewhere) in lines {
            let entry = line.entry.clone().filter(|entry| !entry.is_stale(now));
            if let Some(entry) = entry.filter(|entry| !gone.contains(&entry.client_token)) {
                standing.insert(self.key(&entry), (line, entry, elsewhere));
            }
        }
        // With the times of the lines, so that what living processes add later stays later.
        let own = standing.values().filter(|(_, _, elsewhere)| !elsewhere).map(|(line, _, _)| line.clone());
        let kept: Vec<Line> = own.chain(gone_elsewhere.iter().cloned()).collect();
        self.speaks_of_others = !gone_elsewhere.is_empty();
        if self.write(&kept) {
            for file in left {
                let _ = std::fs::remove_file(file);
            }
        }
        let known = |(_, entry, elsewhere)| Known { entry, elsewhere, answered: false, written: true, found: true };
        self.entries = standing.into_iter().map(|(urn, found)| (urn, known(found))).collect();
    }

    /// Appends to the own file; what fails is told to nobody but the log.
    fn write(&mut self, lines: &[Line]) -> bool {
        let written = self.files.append(lines);
        if let Err(error) = &written {
            tracing::debug!(%error, "the journal of creations cannot be written");
        }
        written.is_ok()
    }

    /// Removes the own file if nothing in it is of use to anybody; `false` when it stays.
    fn remove_file(&mut self) -> bool {
        let needed = self.speaks_of_others || self.entries.values().any(|known| !known.elsewhere);
        if needed {
            return false;
        }
        if let Err(error) = self.files.remove() {
            tracing::debug!(%error, "the journal of creations cannot be removed");
        }
        true
    }
}
