//! Comparing outputs with the files that are there, and replacing files.
//!
//! New contents are written into a temporary folder beside the old ones and renamed at the end, so that an interruption
//! leaves whole files. The list of outputs is replaced first, so that what an interrupted run wrote is known to be the
//! generator's own. Files whose contents stay keep their time of change, so that cargo builds nothing anew.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use codegen::emit::{LIST, OutputFile};

use super::ownership::{LOCK, Ownership};

/// Folders of the `generated` crate that have nothing but output.
const OUTPUT_FOLDERS: [&str; 2] = ["src/services", "report"];
/// Where new contents wait. Inside an output folder, so that it is never taken for a source.
const WAITING: &str = "report/.next";

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
        for output_folder in OUTPUT_FOLDERS {
            for name in names_in(&folder.join(output_folder))? {
                let path = format!("{output_folder}/{name}");
                if expected.contains(path.as_str()) || path == WAITING || path == LOCK {
                    continue;
                }
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

    /// Makes `folder` hold `files`. The caller holds the folder's lock.
    pub fn apply(&self, files: &[OutputFile], folder: &Path) -> Result<()> {
        self.refuse_foreign(folder)?;
        let waiting = folder.join(WAITING);
        remove_folder(&waiting)?;
        let mut stale: Vec<&OutputFile> = self.stale.iter().filter_map(|position| files.get(*position)).collect();
        stale.sort_by_key(|file| file.path != LIST);
        for file in &stale {
            let path = waiting.join(&file.path);
            create_parent(&path)?;
            fs::write(&path, &file.bytes).with_context(|| format!("{}: cannot write", path.display()))?;
        }
        for orphan in &self.orphans {
            let path = folder.join(orphan);
            fs::remove_file(&path).with_context(|| format!("{}: cannot remove", path.display()))?;
        }
        for file in &stale {
            let path = folder.join(&file.path);
            create_parent(&path)?;
            fs::rename(waiting.join(&file.path), &path)
                .with_context(|| format!("{}: cannot replace", path.display()))?;
        }
        remove_folder(&waiting)
    }
}

/// Writes one file by way of a temporary one, unless it has these contents already.
pub fn write_file(path: &Path, contents: &str) -> Result<()> {
    if fs::read(path).is_ok_and(|bytes| bytes == contents.as_bytes()) {
        return Ok(());
    }
    let mut waiting = PathBuf::from(path).into_os_string();
    waiting.push(".next");
    fs::write(&waiting, contents)
        .and_then(|()| fs::rename(&waiting, path))
        .with_context(|| format!("{}: cannot write", path.display()))
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

fn create_parent(path: &Path) -> Result<()> {
    match path.parent() {
        None => Ok(()),
        Some(parent) => fs::create_dir_all(parent).with_context(|| format!("{}: cannot create", parent.display())),
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

    use codegen::emit::MARKER;

    use super::*;

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
        differences.apply(&files, folder.path()).unwrap();

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
            create_parent(&mine).unwrap();
            fs::write(&mine, text).unwrap();
            let files = [OutputFile::new("report/skips.json", "[]"), OutputFile::new("src/services/s3.rs", "new")];
            let differences = Differences::find(&files, folder.path()).unwrap();
            let error = differences.apply(&files, folder.path()).unwrap_err().to_string();
            let named = folder.path().join(path.replace("/deep/mine.rs", "/deep"));
            assert!(error.starts_with(&format!("{}: not written by the generator; ", named.display())), "{error}");
            assert_eq!(fs::read_to_string(&mine).unwrap(), text);
            assert!(!folder.path().join(WAITING).exists());
        }
    }
}
