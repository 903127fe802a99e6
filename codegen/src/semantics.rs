//! What services do that no schema states: `cf-schemas/semantics/*.yaml`, each entry with the place to look it up.
//!
//! | file | module | what it says |
//! |---|---|---|
//! | `name-limits.yaml` | [`name_limits`] | how long names may be, and what they are made of |
//! | `sets.yaml` | [`sets`] | which lists have neither order nor duplicates |
//! | `equality.yaml` | [`equality`] | where two texts that differ mean the same |
//!
//! Only the runtime metadata has these facts; the package schema and the published metadata layout stay as published.
//! An entry without effect is an error ([`Unused`]), so that it goes once the schemas say the same. Reading the files is
//! the command's part.

pub mod equality;
pub mod name_limits;
pub mod sets;

use std::collections::BTreeSet;

use equality::EqualityRule;
use name_limits::NameLimit;
use sets::SetRules;

use crate::yaml::{self, Located, Place, YamlError};

/// Names of the three files within their folder.
pub const FILES: [&str; 3] = ["name-limits.yaml", "sets.yaml", "equality.yaml"];

/// All that is known beyond the schemas.
#[derive(Debug, Clone, Default)]
pub struct Semantics {
    pub(crate) name_limits: Listed<NameLimit>,
    pub(crate) sets: SetRules,
    pub(crate) sets_file: String,
    pub(crate) equality: Listed<EqualityRule>,
}

/// The entries of a file.
#[derive(Debug, Clone)]
pub(crate) struct Listed<T> {
    pub file: String,
    pub entries: Vec<Located<T>>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { file: String::new(), entries: Vec::new() }
    }
}

/// An entry, or a part of one, that changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{place}: {what}; correct the entry or remove it")]
pub struct Unused {
    /// The entry.
    pub place: Place,
    /// Why it changes nothing.
    pub what: String,
}

/// What took effect, for [`Semantics::unused`]: positions of entries, and of names within them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    pub name_limits: BTreeSet<usize>,
    /// Rule and name.
    pub sets: BTreeSet<(usize, usize)>,
    /// Exceptions.
    pub set_exceptions: BTreeSet<usize>,
    /// Rule and name; paths count on from the names.
    pub equality: BTreeSet<(usize, usize)>,
    /// Parts of entries that say what the schema says.
    pub idle: BTreeSet<Unused>,
}

impl Effects {
    pub fn extend(&mut self, other: Self) {
        self.name_limits.extend(other.name_limits);
        self.sets.extend(other.sets);
        self.set_exceptions.extend(other.set_exceptions);
        self.equality.extend(other.equality);
        self.idle.extend(other.idle);
    }
}

impl Semantics {
    /// Reads the files, given as name and text in the order of [`FILES`].
    ///
    /// # Errors
    ///
    /// [`YamlError`] at the first place that does not fit.
    pub fn parse(files: [(&str, &str); 3]) -> Result<Self, YamlError> {
        let [(limits_file, limits), (sets_file, sets), (equality_file, equality)] = files;
        let semantics = Self {
            name_limits: Listed { file: limits_file.to_owned(), entries: yaml::read(limits_file, limits)? },
            sets: yaml::read(sets_file, sets)?,
            sets_file: sets_file.to_owned(),
            equality: Listed { file: equality_file.to_owned(), entries: yaml::read(equality_file, equality)? },
        };
        semantics.check()?;
        Ok(semantics)
    }

    /// Makes sure that no two entries are about the same, and that each is explained.
    fn check(&self) -> Result<(), YamlError> {
        let mut types = BTreeSet::new();
        for entry in &self.name_limits.entries {
            let place = || entry.place(&self.name_limits.file);
            if !types.insert(&entry.value.cfn_type) {
                let message = format!("{} has an entry already; a type has one", entry.value.cfn_type);
                return Err(YamlError { place: place(), message });
            }
            explained(&entry.value.link, place)?;
        }
        for rule in &self.sets.rules {
            explained(&rule.value.reason, || rule.place(&self.sets_file))?;
            explained(&rule.value.link, || rule.place(&self.sets_file))?;
        }
        for exception in &self.sets.exceptions {
            explained(&exception.value.reason, || exception.place(&self.sets_file))?;
            explained(&exception.value.link, || exception.place(&self.sets_file))?;
        }
        for rule in &self.equality.entries {
            explained(&rule.value.reason, || rule.place(&self.equality.file))?;
            explained(&rule.value.link, || rule.place(&self.equality.file))?;
        }
        Ok(())
    }

    /// Entries without effect, in order of place.
    pub(crate) fn unused(&self, effects: &Effects) -> Vec<Unused> {
        let mut unused = effects.idle.clone();
        for (index, entry) in self.name_limits.entries.iter().enumerate() {
            if !effects.name_limits.contains(&index) {
                let what =
                    format!("no schema generates names for {} of {}", entry.value.property, entry.value.cfn_type);
                unused.insert(Unused { place: entry.place(&self.name_limits.file), what });
            }
        }
        for (index, rule) in self.sets.rules.iter().enumerate() {
            for (name, located) in rule.value.names.iter().enumerate() {
                if !effects.sets.contains(&(index, name)) {
                    let what =
                        format!("no schema has a list of texts {} that it does not call unordered", located.value);
                    unused.insert(Unused { place: located.place(&self.sets_file), what });
                }
            }
        }
        for (index, exception) in self.sets.exceptions.iter().enumerate() {
            if !effects.set_exceptions.contains(&index) {
                let what = format!("no rule is about {} of {}", exception.value.path, exception.value.cfn_type);
                unused.insert(Unused { place: exception.place(&self.sets_file), what });
            }
        }
        for (index, rule) in self.equality.entries.iter().enumerate() {
            let names = rule.value.names.iter().map(|name| (name.place(&self.equality.file), name.value.clone()));
            let paths = rule.value.paths.iter().map(|path| {
                (path.place(&self.equality.file), format!("{} of {}", path.value.path, path.value.cfn_type))
            });
            for (number, (place, subject)) in names.chain(paths).enumerate() {
                if !effects.equality.contains(&(index, number)) {
                    let what = format!("no schema has an input {subject} to which the hint fits");
                    unused.insert(Unused { place, what });
                }
            }
        }
        unused.into_iter().collect()
    }
}

fn explained(text: &str, place: impl Fn() -> Place) -> Result<(), YamlError> {
    match text.trim().is_empty() {
        true => Err(YamlError { place: place(), message: "the reason or the link is empty".to_owned() }),
        false => Ok(()),
    }
}
