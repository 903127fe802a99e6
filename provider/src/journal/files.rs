//! The journal's files: small, whole or not there, for the user alone.
//!
//! Every file is written beside its place and renamed, so that an end at any moment leaves the old one or the new one. It
//! is not forced to the disk: the end of a process is survived, that of the machine's power is not promised.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::entry::LIFETIME;

/// The ending of entries.
const ENTRY: &str = "json";
/// The ending of files that are being written.
const PART: &str = "part";
/// An unfinished file that is older than this is nobody's any more.
const ABANDONED: u64 = 60;
/// No entry is larger; what is, is none.
const LARGEST: u64 = 64 * 1024;

/// The files of a folder.
#[derive(Debug, Clone)]
pub(super) struct Files(pub(super) PathBuf);

impl Files {
    /// The keys of the entries that are there. Entries that are too old are removed, and so is what writers left behind.
    pub(super) fn keys(&self, now: u64) -> HashSet<String> {
        let Ok(folder) = fs::read_dir(&self.0) else { return HashSet::new() };
        folder.flatten().filter_map(|file| self.key(&file.path(), age(&file, now))).collect()
    }

    fn key(&self, path: &Path, age: u64) -> Option<String> {
        let (name, ending) = (path.file_stem()?.to_str()?, path.extension()?.to_str()?);
        let lifetime = match ending {
            ENTRY => LIFETIME,
            PART => ABANDONED,
            _ => return None,
        };
        if age >= lifetime {
            let _ = fs::remove_file(path);
            return None;
        }
        (ending == ENTRY).then(|| name.to_owned())
    }

    /// The text of an entry, if there is one of a sensible size.
    pub(super) fn read(&self, key: &str) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        File::open(self.path(key)).ok()?.take(LARGEST + 1).read_to_end(&mut text).ok()?;
        (text.len() as u64 <= LARGEST).then_some(text)
    }

    /// Writes an entry in the place of the one that was there.
    pub(super) fn write(&self, key: &str, text: &str) -> io::Result<()> {
        // Another process may write the same entry at the same time.
        let part = self.0.join(format!("{key}-{}.{PART}", std::process::id()));
        let mut file = match create(&part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_folder(&self.0)?;
                create(&part)?
            }
            other => other?,
        };
        file.write_all(text.as_bytes())?;
        drop(file);
        fs::rename(&part, self.path(key)).inspect_err(|_| {
            let _ = fs::remove_file(&part);
        })
    }

    /// Removes an entry; one that is gone is gone.
    pub(super) fn remove(&self, key: &str) -> io::Result<()> {
        match fs::remove_file(self.path(key)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.{ENTRY}"))
    }
}

/// How old a file is in seconds; 0 when the system does not say.
fn age(file: &fs::DirEntry, now: u64) -> u64 {
    let written = file.metadata().and_then(|facts| facts.modified()).ok();
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    written.map_or(0, |written| Duration::from_secs(now).saturating_sub(written).as_secs())
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

#[cfg(unix)]
fn create_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use std::time::SystemTime;

    use super::*;

    #[allow(clippy::disallowed_methods, reason = "files get the system's time")]
    fn now() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
    }

    #[test]
    fn entries_are_written_whole_and_for_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let files = Files(home.path().join("a").join("b"));
        assert_eq!((files.read("k"), files.keys(now())), (None, HashSet::new()));
        files.remove("k").unwrap();
        files.write("k", "one").unwrap();
        files.write("k", "two").unwrap();
        assert_eq!(files.read("k").unwrap(), b"two");
        assert_eq!(files.keys(now()), HashSet::from(["k".to_owned()]));
        assert_eq!(fs::read_dir(&files.0).unwrap().count(), 1, "nothing is left of writing");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&files.0), mode(&files.path("k"))), (0o700, 0o600));
        }
        files.remove("k").unwrap();
        assert_eq!(files.read("k"), None);
    }

    #[test]
    fn what_is_old_goes() {
        let home = tempfile::tempdir().unwrap();
        let files = Files(home.path().to_owned());
        files.write("k", "one").unwrap();
        for name in ["x.part", "y.txt", "z"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        let left = || {
            let mut names: Vec<_> = fs::read_dir(home.path())
                .unwrap()
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(files.keys(now()).len(), 1);
        assert_eq!(left(), "k.json x.part y.txt z");
        assert_eq!(files.keys(now() + ABANDONED + 5).len(), 1);
        assert_eq!(left(), "k.json y.txt z");
        assert_eq!(files.keys(now() + LIFETIME + 5).len(), 0);
        assert_eq!(left(), "y.txt z");
        // A clock that was set back makes nothing old.
        files.write("k", "one").unwrap();
        assert_eq!(files.keys(0).len(), 1);
    }

    #[test]
    fn a_file_of_nonsense_size_is_no_entry() {
        let home = tempfile::tempdir().unwrap();
        let files = Files(home.path().to_owned());
        files.write("k", &" ".repeat(70_000)).unwrap();
        assert_eq!(files.read("k"), None);
    }
}
