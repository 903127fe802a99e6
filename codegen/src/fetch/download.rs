//! Getting the pinned package: download with pip, check the hash, unpack what is needed.
//!
//! pip does the download, so that the user's index, proxy and certificates apply.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use super::FetchError;
use super::lock::Lock;
use super::source::{json_entries, lies_in, open_archive, read_entry};

/// Names the hash of the package that the folder was unpacked from. Written last, so that its presence means that the
/// folder is complete.
const STAMP: &str = "complete";
/// What is unpacked: resource type schemas, and which type exists in which region.
const FOLDERS: [&str; 2] = ["resources", "providers"];

/// Makes sure that `folder` holds the files of the pinned package, in its subfolders `resources` and `providers`. True
/// when they had to be fetched; `starting` is called before that.
///
/// Runs in several processes wait for each other. An interrupted one leaves nothing that a later one would use.
///
/// # Errors
///
/// [`FetchError`]; the folder is then empty, or as it was.
pub fn ensure(lock: &Lock, folder: &Path, starting: impl FnOnce()) -> Result<bool, FetchError> {
    if is_complete(lock, folder) {
        return Ok(false);
    }
    fs::create_dir_all(folder).map_err(FetchError::file("create", folder))?;
    let guard_path = folder.join("lock");
    let guard = File::create(&guard_path).map_err(FetchError::file("create", &guard_path))?;
    guard.lock().map_err(FetchError::file("lock", &guard_path))?;
    if is_complete(lock, folder) {
        return Ok(false);
    }
    starting();

    let partial = folder.join("partial");
    remove(&partial)?;
    fs::create_dir_all(&partial).map_err(FetchError::file("create", &partial))?;
    download(lock, &partial)?;
    unpack(lock, &partial.join(&lock.file), folder)?;
    remove(&partial)?;
    Ok(true)
}

/// True when the folder was unpacked from the pinned file.
fn is_complete(lock: &Lock, folder: &Path) -> bool {
    fs::read_to_string(folder.join(STAMP)).is_ok_and(|stamp| stamp.trim() == lock.sha256)
}

/// Downloads the pinned file into `folder`.
fn download(lock: &Lock, folder: &Path) -> Result<(), FetchError> {
    let requirement = format!("{}=={}", lock.package, lock.version);
    let output = Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(["--only-binary", ":all:", "--dest"])
        .arg(folder)
        .arg(&requirement)
        .output()
        .map_err(|source| FetchError::NoPython { source })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(FetchError::Pip { requirement, output: last_lines(&String::from_utf8_lossy(&output.stderr)) }),
    }
}

/// The last three lines that say something, on one line.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [] => "no reason given".to_owned(),
        lines => lines[lines.len().saturating_sub(3)..].join(" / "),
    }
}

/// Checks the package at `archive_path` against the lock and replaces the files of `folder` with its contents.
///
/// # Errors
///
/// [`FetchError::Hash`] and [`FetchError::Count`] leave the folder as it was.
pub fn unpack(lock: &Lock, archive_path: &Path, folder: &Path) -> Result<(), FetchError> {
    let found = hash(archive_path)?;
    if !found.eq_ignore_ascii_case(&lock.sha256) {
        return Err(FetchError::Hash { file: lock.file.clone(), expected: lock.sha256.clone(), found });
    }
    let mut archive = open_archive(archive_path)?;
    let entries = json_entries(&archive, archive_path)?;
    let lists = FOLDERS.map(|folder| {
        let in_folder: Vec<&String> = entries.iter().filter(|entry| lies_in(entry, folder)).collect();
        (folder, in_folder)
    });
    for ((what, names), expected) in lists.iter().zip([lock.schemas, lock.providers]) {
        if names.len() != expected {
            return Err(FetchError::Count { file: lock.file.clone(), what, expected, found: names.len() });
        }
    }

    let stamp = folder.join(STAMP);
    remove(&stamp)?;
    for (name, entries) in lists {
        let subfolder = folder.join(name);
        remove(&subfolder)?;
        fs::create_dir_all(&subfolder).map_err(FetchError::file("create", &subfolder))?;
        for entry in entries {
            let bytes = read_entry(&mut archive, archive_path, entry)?;
            // Only the last part of the entry's name is used, so that no archive can write elsewhere.
            let file_name = entry.rsplit('/').next().unwrap_or(entry);
            let path = subfolder.join(file_name);
            fs::write(&path, bytes).map_err(FetchError::file("write", path))?;
        }
    }
    fs::write(&stamp, format!("{}\n", lock.sha256)).map_err(FetchError::file("write", stamp))
}

/// SHA-256 of a file, in hexadecimal digits.
fn hash(path: &Path) -> Result<String, FetchError> {
    let bytes = fs::read(path).map_err(FetchError::file("read", path))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes a file or a folder that may not be there.
fn remove(path: &Path) -> Result<(), FetchError> {
    let result = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(FetchError::file("remove", path)),
    }
}
