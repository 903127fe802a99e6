//! What a run read and wrote, so that the next one can tell that nothing has changed.
//!
//! A file counts as unchanged when its contents have the recorded hash. They need not be read again when the file
//! system says about the file what it said before: size, times of change, identity. That is relied on only for files
//! that had been at rest for [`REST`] when they were read, since a later change within the same tick of the clock would
//! not show; others are read again the next time.
//!
//! The inputs are in [`super::inputs`]. `check` does not use the stamp.
#![allow(clippy::disallowed_methods, reason = "how long a file has been at rest is measured here, at the edge")]

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use codegen::digest::hexadecimal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where the stamp lies in an output folder.
pub const STAMP: &str = "report/.stamp";
/// A stamp that is being written, or was when its run was killed.
pub const STAMP_WAITING: &str = "report/.stamp.next";
/// How long a file must have been left alone; file systems with coarse clocks count in steps of two seconds.
const REST: Duration = Duration::from_secs(2);
/// Of another version of this file nothing is believed.
const FORMAT: u32 = 1;

/// Files to look at, by the name under which they are recorded.
pub type Paths = BTreeMap<String, PathBuf>;
/// What was seen of files.
pub type Files = BTreeMap<String, Seen>;

/// One file, as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// SHA-256 of the contents, or why there are none.
    hash: String,
    /// What the file system said before the contents were read, when that can be relied on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

/// A finished run.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    format: u32,
    /// What the user asked for.
    pub options: String,
    /// What was read.
    pub inputs: Files,
    /// What was written, or was there already.
    pub outputs: Files,
    /// What was said about it.
    pub said: Said,
}

/// What a run says at its end, but for what changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// How many schemas are defective.
    pub defects: usize,
    /// Lines before the summary.
    pub remarks: Vec<String>,
    /// The summary.
    pub summary: String,
    /// Lines after the summary.
    pub hints: Vec<String>,
}

impl Stamp {
    /// A stamp of this version.
    pub fn new(options: String, inputs: Files, outputs: Files, said: Said) -> Self {
        Self { format: FORMAT, options, inputs, outputs, said }
    }

    /// The stamp in an output folder, when there is one that can be believed.
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read(folder.join(STAMP)).ok()?;
        let stamp: Self = serde_json::from_slice(&text).ok()?;
        (stamp.format == FORMAT).then_some(stamp)
    }

    /// Writes the stamp, unless it is there already.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_vec(self).context("the stamp is no JSON")?;
        let (path, waiting) = (folder.join(STAMP), folder.join(STAMP_WAITING));
        if fs::read(&path).is_ok_and(|present| present == text) {
            return Ok(());
        }
        fs::write(&waiting, text)
            .and_then(|()| fs::rename(&waiting, &path))
            .with_context(|| format!("{}: cannot write", path.display()))
    }
}

/// Looks at files. Those that look as in `known` are not read.
pub fn look(paths: &Paths, known: &Files) -> Files {
    let see = |(name, path): (&String, &PathBuf)| (name.clone(), see(path, known.get(name)));
    paths.iter().map(see).collect()
}

/// Whether two looks saw the same files with the same contents.
pub fn is_same(one: &Files, other: &Files) -> bool {
    let hashes = |files: &Files| files.values().map(|seen| &seen.hash).eq(other.values().map(|seen| &seen.hash));
    one.keys().eq(other.keys()) && hashes(one)
}

/// A file that was just written with these contents.
pub fn made(contents: &[u8]) -> Seen {
    Seen { hash: hexadecimal(&Sha256::digest(contents)), state: None }
}

fn see(path: &Path, known: Option<&Seen>) -> Seen {
    let now = SystemTime::now();
    let absent = |error: io::Error| Seen { hash: error.kind().to_string(), state: None };
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return absent(error),
    };
    let state = state(&metadata, now);
    if let Some(known) = known.filter(|known| known.state.is_some() && known.state == state) {
        return known.clone();
    }
    match hash(path) {
        Ok(hash) => Seen { hash, state },
        Err(error) => absent(error),
    }
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut digest, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            count => digest.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}

/// What the file system says, when the file has been at rest.
#[cfg(unix)]
fn state(metadata: &Metadata, now: SystemTime) -> Option<String> {
    use std::os::unix::fs::MetadataExt;

    let seconds = |time: i64| u64::try_from(time).ok().map(Duration::from_secs);
    let last = seconds(metadata.mtime().max(metadata.ctime()))?;
    let limit = now.duration_since(SystemTime::UNIX_EPOCH).ok()?.checked_sub(REST)?;
    let parts = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
    let numbers = [metadata.len(), metadata.dev(), metadata.ino()];
    (last < limit).then(|| format!("{parts:?} {numbers:?}"))
}

/// Elsewhere too little is known about a file.
#[cfg(not(unix))]
fn state(_metadata: &Metadata, _now: SystemTime) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn paths(folder: &Path) -> Paths {
        [("a".to_owned(), folder.join("a"))].into()
    }

    /// As if the file had been at rest when it was seen.
    fn rested(path: &Path, hash: &str) -> Files {
        let later = SystemTime::now() + Duration::from_secs(60);
        let state = state(&fs::metadata(path).unwrap(), later);
        [("a".to_owned(), Seen { hash: hash.to_owned(), state })].into()
    }

    #[test]
    fn contents_decide() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        let absent = look(&paths, &Files::new());
        fs::write(&paths["a"], "one").unwrap();
        let one = look(&paths, &absent);
        fs::write(&paths["a"], "two").unwrap();
        let two = look(&paths, &one);
        fs::write(&paths["a"], "one").unwrap();
        assert!(is_same(&one, &look(&paths, &two)), "rewritten with the same contents");
        assert!(!is_same(&absent, &one) && !is_same(&one, &two) && !is_same(&one, &Files::new()));
        fs::remove_file(&paths["a"]).unwrap();
        fs::create_dir(&paths["a"]).unwrap();
        assert!(!is_same(&one, &look(&paths, &one)), "a folder in place of the file");
    }

    #[test]
    fn a_file_that_was_just_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        fs::write(&paths["a"], "one").unwrap();
        let seen = look(&paths, &Files::new());
        assert_eq!(seen["a"].state, None);
        // Same size, and perhaps within the same tick of the clock.
        fs::write(&paths["a"], "two").unwrap();
        assert!(!is_same(&seen, &look(&paths, &seen)));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_at_rest_is_not_read_again_until_the_file_system_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "one").unwrap();
        let known = rested(&path, "what was recorded");
        let later = SystemTime::now() + Duration::from_secs(60);
        assert_eq!(known["a"].state, state(&fs::metadata(&path).unwrap(), later), "a state that is relied on");
        // Replaced by another file of the same size and the same time of modification.
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let other = folder.path().join("b");
        fs::write(&other, "two").unwrap();
        File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        fs::rename(&other, &path).unwrap();
        assert_ne!(known["a"].state, state(&fs::metadata(&path).unwrap(), later), "another file");
    }

    #[test]
    fn only_a_stamp_of_this_version_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("report")).unwrap();
        assert_eq!(Stamp::read(folder.path()), None);
        let mut stamp = Stamp::new("options".to_owned(), Files::new(), Files::new(), Said::default());
        stamp.write(folder.path()).unwrap();
        assert_eq!(Stamp::read(folder.path()).as_ref(), Some(&stamp));
        stamp.format += 1;
        stamp.write(folder.path()).unwrap();
        assert_eq!(Stamp::read(folder.path()), None);
        fs::write(folder.path().join(STAMP), "{").unwrap();
        assert_eq!(Stamp::read(folder.path()), None);
    }
}
