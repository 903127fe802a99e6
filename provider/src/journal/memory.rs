//! What a journal knows: the entries of its files, and what this process has learned since.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Entry;
use super::entry::Line;
use super::files::{Files, Found};

/// What the files say, and what this process knows besides.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) files: Files,
    /// The entries that stand, by URN; those of other provider resources by [`Memory::key`].
    pub(super) entries: BTreeMap<String, Known>,
    /// The id of our own provider resource.
    pub(super) provider: Option<String>,
    /// The names that this process generated, by URN: property and value.
    pub(super) names: HashMap<String, (String, String)>,
    /// The resources that earlier processes made and this one told, by URN.
    pub(super) picked_up: HashMap<String, String>,
    /// Something is said in the own file about entries in the files of processes that live.
    pub(super) speaks_of_others: bool,
    /// The latest time of a line: lines of a clock that was set back come later all the same.
    pub(super) latest: u64,
    /// Stack and project of this process, as URNs begin.
    pub(super) stack: Option<String>,
}

/// An entry, and what this process knows of it.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) entry: Entry,
    /// It stands in the file of a process that lives.
    pub(super) elsewhere: bool,
    /// This process has told the engine of its resource.
    pub(super) answered: bool,
    /// It stands in a file, so that the next process knows it.
    pub(super) written: bool,
    /// An earlier process left it, and nobody has asked for it since.
    pub(super) found: bool,
}

/// The beginning of a URN: stack and project.
pub(super) fn stack(urn: &str) -> Option<&str> {
    let (at, _) = urn.match_indices("::").nth(1)?;
    urn.get(..at)
}

impl Memory {
    /// Of files that nothing has been read of.
    pub(super) fn new(files: Files, provider: Option<String>) -> Self {
        Self {
            files,
            entries: BTreeMap::new(),
            provider,
            names: HashMap::new(),
            picked_up: HashMap::new(),
            speaks_of_others: false,
            latest: 0,
            stack: None,
        }
    }

    /// By what an entry is known: one of another provider resource stands beside our own of the same URN.
    pub(super) fn key(&self, entry: &Entry) -> String {
        match &entry.provider {
            Some(theirs) if entry.is_of_another(self.provider.as_deref()) => format!("{}\n{theirs}", entry.urn),
            _ => entry.urn.clone(),
        }
    }

    /// Knows what was found, and keeps what the dead have left in the own file.
    pub(super) fn take_over(&mut self, found: Found, now: u64) {
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
    pub(super) fn write(&mut self, lines: &[Line]) -> bool {
        let written = self.files.append(lines);
        if let Err(error) = &written {
            tracing::debug!(%error, "the journal of creations cannot be written");
        }
        written.is_ok()
    }

    /// Removes the own file if nothing in it is of use to anybody; `false` when it stays.
    pub(super) fn remove_file(&mut self) -> bool {
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
