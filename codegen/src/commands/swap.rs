//! Replacing a set of files so that an interruption leaves either the old set or the new one.
//!
//! 1. New contents are written beside the old ones, into a waiting folder. Until here nothing has happened.
//! 2. A journal of what is to be done takes its place with one rename. From here on the new set counts.
//! 3. The [`Step`]s of the journal are carried out, and the journal is removed.
//!
//! A run that finds a journal carries it out again before anything else; every step may be repeated. Since cargo and
//! people read the files in between, the first step takes the list of services away and the last one brings it back: a
//! mixture of old and new files does not compile, it asks for `make generate`.
//!
//! What differs, and what may be replaced at all, is decided in [`super::output`] and [`super::ownership`].

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use codegen::emit::OutputFile;
use serde::{Deserialize, Serialize};

/// Where new contents wait. Inside an output folder, so that it is never taken for a source.
pub const WAITING: &str = "report/.next";
/// What is to be done with them.
pub const JOURNAL: &str = "report/.journal";
/// Without this file the `generated` crate does not compile.
const SEAL: &str = "src/services/mod.rs";
/// Within the waiting folder: the contents of files that are under version control.
const COMMITTED: &str = ".committed";
/// Within the waiting folder: the old [`SEAL`], when it stays as it is.
const OLD_SEAL: &str = ".seal";
/// Where files of the output folder may be replaced.
const OUTPUT_PLACES: [&str; 7] = [
    "report/",
    "src/services/",
    "src/types/",
    "src/index.rs",
    "src/regions.rs",
    "schema.json.zst",
    "resource-schemas.zst",
];
/// Where files under version control may be replaced, relative to the checkout.
const COMMITTED_PLACES: [&str; 3] = ["cf-schemas/inventory/", "cf-schemas/names.lock", "generated/Cargo.toml"];
/// The output folder of a checkout, the only one whose runs replace files under version control.
const GENERATED: &str = "generated";

/// The two places that a set of files lies in.
#[derive(Debug, Clone, Copy)]
pub struct Places<'p> {
    /// The output folder; it holds the waiting files and the journal too.
    pub folder: &'p Path,
    /// The checkout, for files under version control.
    pub checkout: &'p Path,
}

/// What makes the old set the new one. Paths have `/`.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// Files to put in place, relative to the output folder.
    pub replace: Vec<String>,
    /// Files to remove, relative to the output folder.
    pub remove: Vec<String>,
    /// Files to put in place, relative to the checkout.
    pub commit: Vec<String>,
    /// Files to remove, relative to the checkout.
    #[serde(default)]
    pub withdraw: Vec<String>,
}

/// One thing to do, which may have been done already.
#[derive(Debug, PartialEq, Eq)]
enum Step<'j> {
    /// Take [`SEAL`] away, for good or for now.
    Unseal { keep: bool },
    /// Remove a file of the output folder.
    Remove(&'j str),
    /// Put a file of the output folder in place.
    Replace(&'j str),
    /// Put a file of the checkout in place.
    Commit(&'j str),
    /// Remove a file of the checkout.
    Withdraw(&'j str),
    /// Bring the old [`SEAL`] back.
    Seal,
}

impl Journal {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many files are concerned.
    pub fn len(&self) -> usize {
        self.replace.len() + self.remove.len() + self.commit.len() + self.withdraw.len()
    }

    /// Everything to do, in order.
    fn steps(&self) -> Vec<Step<'_>> {
        let is_seal = |path: &&String| *path == SEAL;
        let replaces_seal = self.replace.iter().any(|path| path == SEAL);
        let keeps_seal = !replaces_seal && !self.remove.iter().any(|path| path == SEAL);
        let is_report = |path: &String| path.starts_with("report/");
        let is_compiled = !self.replace.iter().chain(&self.remove).all(is_report);
        let mut steps = Vec::new();
        if is_compiled {
            steps.push(Step::Unseal { keep: keeps_seal });
        }
        steps.extend(self.remove.iter().map(|path| Step::Remove(path)));
        steps.extend(self.replace.iter().filter(|path| !is_seal(path)).map(|path| Step::Replace(path)));
        steps.extend(self.commit.iter().map(|path| Step::Commit(path)));
        steps.extend(self.withdraw.iter().map(|path| Step::Withdraw(path)));
        steps.extend(self.replace.iter().filter(is_seal).map(|path| Step::Replace(path)));
        if is_compiled && keeps_seal {
            steps.push(Step::Seal);
        }
        steps
    }

    /// Reads the journal of an interrupted run, if there is one.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or names what no run replaces.
    pub fn find(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(JOURNAL);
        let advice = || format!("{}: not the journal of a run; remove it and run `make generate`", path.display());
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| format!("{}: cannot read", path.display()))?,
        };
        let journal: Self = serde_json::from_slice(&text).with_context(advice)?;
        let is_plain = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let is_in = |places: &[&str], path: &String| {
            places.iter().any(|place| if place.ends_with('/') { path.starts_with(place) } else { path == place })
        };
        let mut outputs = journal.replace.iter().chain(&journal.remove);
        let mut committed = journal.commit.iter().chain(&journal.withdraw);
        let mut paths = outputs.clone().chain(committed.clone());
        if !paths.all(is_plain)
            || !outputs.all(|path| is_in(&OUTPUT_PLACES, path))
            || !committed.all(|path| is_in(&COMMITTED_PLACES, path))
        {
            bail!("{}", advice());
        }
        Ok(Some(journal))
    }
}

/// Writes new contents into the waiting folder. `outputs` belong into the output folder, `committed` into the checkout.
pub fn stage<'f>(
    places: Places<'_>,
    outputs: impl IntoIterator<Item = &'f OutputFile>,
    committed: impl IntoIterator<Item = &'f OutputFile>,
) -> Result<()> {
    let waiting = places.folder.join(WAITING);
    remove_folder(&waiting)?;
    let outputs = outputs.into_iter().map(|file| (waiting.join(&file.path), file));
    let committed = committed.into_iter().map(|file| (waiting.join(COMMITTED).join(&file.path), file));
    for (path, file) in outputs.chain(committed) {
        create_parent(&path)?;
        fs::write(&path, &file.bytes).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    Ok(())
}

/// Makes the waiting files the ones that count, and puts them in place.
pub fn commit(places: Places<'_>, journal: &Journal) -> Result<()> {
    write_journal(places, journal)?;
    carry_out(places, journal)
}

/// Finishes what an interrupted run has begun. True when there was something to finish.
pub fn recover(places: Places<'_>) -> Result<bool> {
    let Some(journal) = Journal::find(places.folder)? else { return Ok(false) };
    let touches_checkout = !journal.commit.is_empty() || !journal.withdraw.is_empty();
    if touches_checkout && !is_same_folder(places.folder, &places.checkout.join(GENERATED)) {
        bail!(
            "{}: an interrupted run of the checkout that this folder belongs to is to be finished there; run `make generate` \
             in it",
            places.folder.display()
        );
    }
    carry_out(places, &journal).map(|()| true)
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn write_journal(places: Places<'_>, journal: &Journal) -> Result<()> {
    let path = places.folder.join(JOURNAL);
    let waiting = places.folder.join(WAITING).join(".journal");
    create_parent(&waiting)?;
    let text = serde_json::to_vec(journal).context("the journal is no JSON")?;
    fs::write(&waiting, text)
        .and_then(|()| fs::rename(&waiting, &path))
        .with_context(|| format!("{}: cannot write", path.display()))
}

fn carry_out(places: Places<'_>, journal: &Journal) -> Result<()> {
    for step in journal.steps() {
        step.carry_out(places)?;
    }
    remove_file(&places.folder.join(JOURNAL))?;
    remove_folder(&places.folder.join(WAITING))
}

impl Step<'_> {
    fn carry_out(&self, places: Places<'_>) -> Result<()> {
        let waiting = places.folder.join(WAITING);
        match self {
            Step::Unseal { keep: true } => move_file(&places.folder.join(SEAL), &waiting.join(OLD_SEAL)),
            // Once the new one is in place, it stays.
            Step::Unseal { keep: false } if !waiting.join(SEAL).exists() => Ok(()),
            Step::Unseal { keep: false } => remove_file(&places.folder.join(SEAL)),
            Step::Remove(path) => remove_file(&places.folder.join(path)),
            Step::Replace(path) => move_file(&waiting.join(path), &places.folder.join(path)),
            Step::Commit(path) => move_file(&waiting.join(COMMITTED).join(path), &places.checkout.join(path)),
            Step::Withdraw(path) => remove_file(&places.checkout.join(path)),
            Step::Seal => move_file(&waiting.join(OLD_SEAL), &places.folder.join(SEAL)),
        }
    }
}

/// Renames a file, across file systems too. One that is not there has been moved already.
fn move_file(from: &Path, to: &Path) -> Result<()> {
    create_parent(to)?;
    let result = match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let beside = beside(to);
            fs::copy(from, &beside).and_then(|_| fs::rename(&beside, to)).and_then(|()| fs::remove_file(from))
        }
        result => result,
    };
    result.with_context(|| format!("{}: cannot replace", to.display()))
}

/// Writes one file by way of a temporary one, unless it has these contents already.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|bytes| bytes == contents) {
        return Ok(());
    }
    let waiting = beside(path);
    fs::write(&waiting, contents)
        .and_then(|()| fs::rename(&waiting, path))
        .with_context(|| format!("{}: cannot write", path.display()))
}

/// A path for a temporary file in the same folder.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".next");
    PathBuf::from(name)
}

fn create_parent(path: &Path) -> Result<()> {
    match path.parent() {
        None => Ok(()),
        Some(parent) => fs::create_dir_all(parent).with_context(|| format!("{}: cannot create", parent.display())),
    }
}

fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.with_context(|| format!("{}: cannot remove", path.display())),
    }
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.with_context(|| format!("{}: cannot remove", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::collections::BTreeMap;

    use super::*;

    const OLD: [(&str, &str); 6] = [
        ("generated/report/files.json", "old"),
        ("generated/src/index.rs", "old"),
        ("generated/src/services/a.rs", "old"),
        ("generated/src/services/mod.rs", "same"),
        ("cf-schemas/inventory/a.tsv", "old"),
        ("cf-schemas/names.lock", "old"),
    ];

    /// A checkout with the old set.
    fn checkout() -> tempfile::TempDir {
        let checkout = tempfile::tempdir().unwrap();
        for (path, text) in OLD {
            let path = checkout.path().join(path);
            create_parent(&path).unwrap();
            fs::write(path, text).unwrap();
        }
        checkout
    }

    /// All files by path, but for what only the mechanism needs.
    fn files(folder: &Path) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(current) = folders.pop() {
            for entry in fs::read_dir(current).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                if name == format!("generated/{WAITING}") {
                } else if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
        found
    }

    fn owned<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
        files.map(|(path, text)| (path.to_owned(), text.to_owned())).into_iter().collect()
    }

    /// The new set, in which `seal` may be new or stay, and the journal that leads to it.
    fn new_set(seal: &str) -> (Vec<OutputFile>, Vec<OutputFile>, Journal, BTreeMap<String, String>) {
        let mut outputs = vec![
            OutputFile::new("report/files.json", "new"),
            OutputFile::new("src/index.rs", "new"),
            OutputFile::new("src/services/b.rs", "new"),
        ];
        if seal != "same" {
            outputs.push(OutputFile::new(SEAL, seal));
        }
        let committed = vec![OutputFile::new("cf-schemas/names.lock", "new")];
        let paths = |files: &[OutputFile]| files.iter().map(|file| file.path.clone()).collect();
        let journal = Journal {
            replace: paths(&outputs),
            remove: vec!["src/services/a.rs".to_owned()],
            commit: paths(&committed),
            withdraw: vec!["cf-schemas/inventory/a.tsv".to_owned()],
        };
        let expected = owned([
            ("generated/report/files.json", "new"),
            ("generated/src/index.rs", "new"),
            ("generated/src/services/b.rs", "new"),
            ("generated/src/services/mod.rs", seal),
            ("cf-schemas/names.lock", "new"),
        ]);
        (outputs, committed, journal, expected)
    }

    #[test]
    fn an_interruption_after_any_step_leaves_the_old_set_or_one_that_heals() {
        for seal in ["same", "new"] {
            let (outputs, committed, journal, expected) = new_set(seal);
            let steps = journal.steps();
            for done in 0..=steps.len() {
                let checkout = checkout();
                let folder = checkout.path().join("generated");
                let places = Places { folder: &folder, checkout: checkout.path() };
                stage(places, &outputs, &committed).unwrap();
                assert_eq!(files(checkout.path()), owned(OLD), "before the journal");
                assert!(!recover(places).unwrap(), "nothing to finish before the journal");

                write_journal(places, &journal).unwrap();
                for step in &steps[..done] {
                    step.carry_out(places).unwrap();
                }
                if (1..steps.len()).contains(&done) {
                    assert!(!folder.join(SEAL).exists(), "a mixture must not compile, after {done} steps");
                }
                assert_eq!(Journal::find(&folder).unwrap().as_ref(), Some(&journal));
                assert!(recover(places).unwrap());
                assert_eq!(files(checkout.path()), expected, "after {done} steps");
                assert!(!folder.join(WAITING).exists() && !recover(places).unwrap());
            }
        }
    }

    #[test]
    fn an_interruption_while_contents_are_written_changes_nothing() {
        let (outputs, committed, journal, expected) = new_set("new");
        let checkout = checkout();
        let folder = checkout.path().join("generated");
        let places = Places { folder: &folder, checkout: checkout.path() };
        stage(places, &outputs[..1], &[]).unwrap();
        assert_eq!(files(checkout.path()), owned(OLD));
        stage(places, &outputs, &committed).unwrap();
        commit(places, &journal).unwrap();
        assert_eq!(files(checkout.path()), expected);
    }

    #[test]
    fn reports_alone_leave_the_crate_sealed() {
        let journal = Journal { replace: vec!["report/files.json".to_owned()], ..Journal::default() };
        assert_eq!(journal.steps(), [Step::Replace("report/files.json")]);
    }

    #[test]
    fn a_journal_is_finished_in_its_own_checkout() {
        let (own, other) = (checkout(), checkout());
        let folder = own.path().join("generated");
        let journal = Journal { withdraw: vec!["cf-schemas/inventory/some.tsv".to_owned()], ..Journal::default() };
        fs::write(folder.join(JOURNAL), serde_json::to_vec(&journal).unwrap()).unwrap();
        let kept = other.path().join("cf-schemas/inventory/some.tsv");
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        fs::write(&kept, "kept").unwrap();
        let error = recover(Places { folder: &folder, checkout: other.path() }).unwrap_err();
        assert!(error.to_string().contains("is to be finished there"), "{error}");
        assert!(kept.exists() && folder.join(JOURNAL).exists());
        assert!(recover(Places { folder: &folder, checkout: own.path() }).unwrap());
    }

    #[test]
    fn a_journal_of_somebody_else_is_refused() {
        for text in [
            "",
            "{}",
            r#"{"replace": ["../x"], "remove": [], "commit": []}"#,
            r#"{"replace": [], "remove": ["/etc/x"], "commit": []}"#,
            r#"{"replace": [], "remove": [], "commit": ["src/main.rs"]}"#,
            r#"{"replace": [], "remove": [], "commit": ["cf-schemas/../x"]}"#,
            r#"{"replace": [], "remove": ["notes.txt"], "commit": []}"#,
            r#"{"replace": ["src/lib.rs"], "remove": [], "commit": []}"#,
            r#"{"replace": [], "remove": [], "commit": [], "withdraw": ["cf-schemas/lock.json"]}"#,
        ] {
            let checkout = checkout();
            let folder = checkout.path().join("generated");
            fs::write(folder.join(JOURNAL), text).unwrap();
            let error = recover(Places { folder: &folder, checkout: checkout.path() }).unwrap_err();
            assert!(error.to_string().contains("not the journal of a run; remove it"), "{text}: {error}");
        }
    }
}
