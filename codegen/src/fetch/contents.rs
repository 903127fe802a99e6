//! The list of what was unpacked, and whether it is still there.
//!
//! The list is written last, so that its presence means that everything was unpacked. Its first line says which package it
//! was, as the lock file names it: hash, name, version and file. Every other line has the hash of a file and the file's
//! path within the folder. Hashing all of it at the start of a run takes about a fiftieth of the run; what a list of sizes
//! would not notice is, for example, a file that a crash of the machine filled with zeros.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::FetchError;
use super::lock::Lock;
use crate::digest::hexadecimal;

/// What is unpacked: resource type schemas, and which type exists in which region.
pub(super) const FOLDERS: [&str; 2] = ["resources", "providers"];
/// Name of the list.
const LIST: &str = "complete";

/// Why a package has to be unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// Its files are not there, or only those of another package.
    Absent,
    /// Its files are not as they were unpacked any more.
    Damaged {
        /// The first such file, relative to the folder, with `/`.
        file: String,
        /// What happened to it: `is missing`, for example.
        what: &'static str,
    },
}

/// Compares `folder` with its list; `None` when it is as the package was unpacked.
///
/// # Errors
///
/// [`FetchError::Foreign`] when there is a file that would be taken for a schema of the package: removing it is its
/// owner's business.
pub(super) fn check(lock: &Lock, folder: &Path) -> Result<Option<Need>, FetchError> {
    let Ok(text) = fs::read_to_string(folder.join(LIST)) else { return Ok(Some(Need::Absent)) };
    let mut lines = text.lines();
    let is_same_package = lines.next() == Some(package(lock).as_str());
    let listed: BTreeMap<&str, &str> =
        lines.filter_map(|line| line.split_once("  ")).map(|(hash, file)| (file, hash)).collect();
    if !is_same_package || listed.len() != lock.schemas + lock.providers {
        return Ok(Some(Need::Absent));
    }
    for (file, expected) in &listed {
        let what = match fs::read(folder.join(file)) {
            Ok(bytes) if hash(&bytes) == *expected => continue,
            Ok(_) => "has changed",
            Err(error) if error.kind() == io::ErrorKind::NotFound => "is missing",
            Err(_) => "cannot be read",
        };
        return Ok(Some(Need::Damaged { file: (*file).to_owned(), what }));
    }
    for name in FOLDERS {
        let subfolder = folder.join(name);
        for entry in fs::read_dir(&subfolder).map_err(FetchError::file("list", &subfolder))? {
            let file = entry.map_err(FetchError::file("list", &subfolder))?.file_name();
            let file = format!("{name}/{}", file.to_string_lossy());
            if file.ends_with(".json") && !listed.contains_key(file.as_str()) {
                return Err(FetchError::Foreign { path: folder.join(file) });
            }
        }
    }
    Ok(None)
}

/// The first line of the list: which package was unpacked.
fn package(lock: &Lock) -> String {
    format!("{}  {}  {}  {}", lock.sha256.to_ascii_lowercase(), lock.package, lock.version, lock.file)
}

/// Whether the folder's list names another package, version or file beside the same hash.
pub(super) fn is_of_another(lock: &Lock, folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(LIST)) else { return false };
    let found = text.lines().next().unwrap_or_default();
    let expected = package(lock);
    let hash = |line: &str| line.split("  ").next().map(str::to_owned);
    // A line with nothing but the hash names no package at all.
    found != expected && found.contains("  ") && hash(found) == hash(&expected)
}

/// Removes the list, so that the folder counts as empty until [`Contents::write`].
pub(super) fn forget(folder: &Path) -> Result<(), FetchError> {
    let path = folder.join(LIST);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FetchError::file("remove", path)(error)),
        _ => Ok(()),
    }
}

/// The list of a folder that is being filled.
#[derive(Debug, Default)]
pub(super) struct Contents {
    lines: String,
}

impl Contents {
    /// Notes a file that has these bytes; `path` is relative to the folder, with `/`.
    pub(super) fn add(&mut self, path: &str, bytes: &[u8]) {
        let _ = writeln!(self.lines, "{}  {path}", hash(bytes));
    }

    /// Writes the list.
    pub(super) fn write(self, lock: &Lock, folder: &Path) -> Result<(), FetchError> {
        let path = folder.join(LIST);
        let text = format!("{}\n{}", package(lock), self.lines);
        fs::write(&path, text).map_err(FetchError::file("write", path))
    }
}

/// SHA-256 in lowercase hexadecimal digits.
pub(super) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}
