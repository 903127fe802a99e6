//! What differs between the outputs of a run and the files that are there.
//!
//! Files whose contents stay keep their time of change, so that cargo builds nothing anew. How the others are replaced is
//! in [`super::swap`].

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use codegen::emit::{LIST, OutputFile};

use super::ownership::{Ownership, STATE};
use super::swap::{self, Journal, Places};

/// Folders of the `generated` crate that have nothing but output.
pub const OUTPUT_FOLDERS: [&str; 3] = ["src/services", "src/types", "report"];

/// Folders under version control that have nothing but files of [`Committed`].
const COMMITTED_FOLDERS: [&str; 1] = [super::workspace::INVENTORY];

/// What differs between the outputs and a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Positions of outputs that are not there or have other contents.
    pub stale: Vec<usize>,
    /// Files in output folders that are no output, relative to the folder.
    pub orphans: Vec<String>,
    /// What stands in the way, relative to the folder: an output's path or an output folder has something that the
    /// generator did not write.
    pub foreign: Vec<String>,
}

impl Differences {
    /// Compares `files` with what lies in `folder`.
    pub fn find(files: &[OutputFile], folder: &Path) -> Result<Self> {
        let ownership = Ownership::find(folder);
        let (mut stale, mut foreign) = (Vec::new(), Vec::new());
        for (position, file) in files.iter().enumerate() {
            let path = folder.join(&file.path);
            match fs::read(&path) {
                Ok(bytes) if bytes == file.bytes => {}
                Ok(_) => {
                    stale.push(position);
                    if !ownership.may_replace(&file.path) {
                        foreign.push(file.path.clone());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => stale.push(position),
                Err(error) => return Err(error).with_context(|| format!("{}: cannot read", path.display())),
            }
        }
        let expected: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut orphans = Vec::new();
        for path in files_in_output_folders(folder)? {
            if !expected.contains(path.as_str()) {
                if !ownership.may_remove(&path) {
                    foreign.push(path.clone());
                }
                orphans.push(path);
            }
        }
        Ok(Self { stale, orphans, foreign })
    }

    /// Fails when making `folder` hold the outputs would destroy something that the generator did not write.
    pub fn refuse_foreign(&self, folder: &Path) -> Result<()> {
        let Some(first) = self.foreign.first() else { return Ok(()) };
        let others = match self.foreign.len() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        bail!(
            "{}{others}: not written by the generator; nothing was changed. Move it elsewhere, or choose another folder \
             with --out",
            folder.join(first).display()
        )
    }

    /// The paths that differ, in order.
    pub fn paths(&self, files: &[OutputFile]) -> Vec<String> {
        let stale = self.stale.iter().filter_map(|position| files.get(*position)).map(|file| file.path.clone());
        let mut paths: Vec<String> = stale.chain(self.orphans.iter().cloned()).collect();
        paths.sort();
        paths
    }

    /// Makes the output folder hold `files`, and the checkout the `committed` ones. The caller holds the folder's lock.
    pub fn apply(&self, files: &[OutputFile], committed: &Committed<'_>, places: Places<'_>) -> Result<()> {
        self.refuse_foreign(places.folder)?;
        let mut stale: Vec<&OutputFile> = self.stale.iter().filter_map(|position| files.get(*position)).collect();
        // The list goes first, so that what is replaced after it is known to be the generator's own.
        stale.sort_by_key(|file| file.path != LIST);
        let journal = Journal {
            replace: stale.iter().map(|file| file.path.clone()).collect(),
            remove: self.orphans.clone(),
            commit: committed.stale.iter().map(|file| file.path.clone()).collect(),
            withdraw: committed.orphans.clone(),
        };
        if journal.is_empty() {
            return Ok(());
        }
        swap::stage(places, stale, committed.stale.iter().copied())?;
        swap::commit(places, &journal)
    }
}

/// What differs between the files under version control and a checkout. Paths are relative to the checkout.
#[derive(Debug, Default)]
pub struct Committed<'f> {
    /// Files that are not there or have other contents.
    pub stale: Vec<&'f OutputFile>,
    /// Files in folders of such files that are none of them.
    pub orphans: Vec<String>,
}

impl<'f> Committed<'f> {
    /// Compares `files` with what lies in `checkout`. Without files there is nothing to say about the checkout.
    pub fn find(files: &'f [OutputFile], checkout: &Path) -> Result<Self> {
        let is_stale = |file: &&OutputFile| fs::read(checkout.join(&file.path)).ok().as_deref() != Some(&file.bytes);
        let stale = files.iter().filter(is_stale).collect();
        let expected: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut orphans = Vec::new();
        for folder in COMMITTED_FOLDERS.into_iter().filter(|_| !files.is_empty()) {
            let paths = names_in(&checkout.join(folder))?.into_iter().map(|name| format!("{folder}/{name}"));
            // Files of other kinds are other people's.
            orphans.extend(paths.filter(|path| path.ends_with(".tsv") && !expected.contains(path.as_str())));
        }
        Ok(Self { stale, orphans })
    }

    /// The paths that differ, in order.
    pub fn paths(&self) -> Vec<&str> {
        let stale = self.stale.iter().map(|file| file.path.as_str());
        let mut paths: Vec<&str> = stale.chain(self.orphans.iter().map(String::as_str)).collect();
        paths.sort_unstable();
        paths
    }
}

/// Paths of what lies directly in the output folders, relative to `folder`, but for what only the runs themselves need.
pub fn files_in_output_folders(folder: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for output_folder in OUTPUT_FOLDERS {
        let names = names_in(&folder.join(output_folder))?.into_iter();
        paths
            .extend(names.map(|name| format!("{output_folder}/{name}")).filter(|path| !STATE.contains(&path.as_str())));
    }
    Ok(paths)
}

/// Names in a folder that may not be there.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let list = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        list => list.with_context(|| format!("{}: cannot list", folder.display()))?,
    };
    let mut names = Vec::new();
    for entry in list {
        let entry = entry.with_context(|| format!("{}: cannot list", folder.display()))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use codegen::emit::MARKER;

    use super::super::swap::WAITING;
    use super::*;

    fn apply(differences: &Differences, files: &[OutputFile], folder: &Path) -> Result<()> {
        differences.apply(files, &Committed::default(), Places { folder, checkout: folder })
    }

    #[test]
    fn a_folder_becomes_what_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("src/services")).unwrap();
        for (path, text) in [("src/lib.rs", "mine"), ("src/services/old.rs", MARKER), ("src/services/same.rs", "same")]
        {
            fs::write(at(path), text).unwrap();
        }
        let time_of = |path: &str| fs::metadata(at(path)).unwrap().modified().unwrap();
        let before = time_of("src/services/same.rs");
        let files = [
            OutputFile::new("report/skips.json", "[]"),
            OutputFile::new("src/services/new.rs", "new"),
            OutputFile::new("src/services/same.rs", "same"),
        ];

        let differences = Differences::find(&files, folder.path()).unwrap();
        assert_eq!(differences.paths(&files), ["report/skips.json", "src/services/new.rs", "src/services/old.rs"]);
        apply(&differences, &files, folder.path()).unwrap();

        assert_eq!(Differences::find(&files, folder.path()).unwrap(), Differences::default());
        assert_eq!(fs::read_to_string(at("src/lib.rs")).unwrap(), "mine");
        assert_eq!(time_of("src/services/same.rs"), before);
        assert!(!at("src/services/old.rs").exists() && !at(WAITING).exists());
    }

    #[test]
    fn what_others_wrote_stays() {
        for (path, text) in [
            ("src/services/mine.rs", "mine"),
            ("src/services/s3.rs", "mine"),
            ("report/notes.md", "mine"),
            ("report/skips.json", "{}"),
            ("src/services/deep/mine.rs", MARKER),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mine = folder.path().join(path);
            fs::create_dir_all(mine.parent().unwrap()).unwrap();
            fs::write(&mine, text).unwrap();
            let files = [OutputFile::new("report/skips.json", "[]"), OutputFile::new("src/services/s3.rs", "new")];
            let differences = Differences::find(&files, folder.path()).unwrap();
            let error = apply(&differences, &files, folder.path()).unwrap_err().to_string();
            let named = folder.path().join(path.replace("/deep/mine.rs", "/deep"));
            assert!(error.starts_with(&format!("{}: not written by the generator; ", named.display())), "{error}");
            assert_eq!(fs::read_to_string(&mine).unwrap(), text);
            assert!(!folder.path().join(WAITING).exists());
        }
    }
}
