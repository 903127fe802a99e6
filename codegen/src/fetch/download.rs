//! Getting the pinned package: download with pip, check the hash, unpack what is needed.
//!
//! pip does the download, so that the user's index, proxy and certificates apply.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use super::FetchError;
use super::contents::{self, Contents, FOLDERS, Need};
use super::lock::Lock;
use super::source::{json_entries, lies_in, open_archive, read_entry};

/// The package itself, kept so that damage can be repaired without a network.
pub const ARCHIVE: &str = "package.whl";

/// Makes sure that `folder` holds the files of the pinned package, in its subfolders `resources` and `providers`, as
/// they were unpacked. True when they had to be unpacked, and downloaded where the archive is gone as well; `starting`
/// is called before that.
///
/// Runs in several processes wait for each other. An interrupted one leaves nothing that a later one would use.
///
/// # Errors
///
/// [`FetchError`]; the folder is then empty, or as it was.
pub fn ensure(lock: &Lock, folder: &Path, starting: impl FnOnce(&Need)) -> Result<bool, FetchError> {
    if contents::check(lock, folder)?.is_none() {
        return Ok(false);
    }
    fs::create_dir_all(folder).map_err(FetchError::file("create", folder))?;
    let guard_path = folder.join("lock");
    let guard = File::create(&guard_path).map_err(FetchError::file("create", &guard_path))?;
    guard.lock().map_err(FetchError::file("lock", &guard_path))?;
    let Some(need) = contents::check(lock, folder)? else { return Ok(false) };
    starting(&need);

    let archive = folder.join(ARCHIVE);
    // Where the name or version changed and the hash did not, what is there is not what was meant.
    let may_reuse = !contents::is_of_another(lock, folder);
    if may_reuse && fs::read(&archive).is_ok_and(|bytes| contents::hash(&bytes).eq_ignore_ascii_case(&lock.sha256)) {
        unpack(lock, &archive, folder)?;
        return Ok(true);
    }
    in_partial(&folder.join("partial"), |partial| {
        download(lock, partial)?;
        let downloaded = partial.join(&lock.file);
        if !downloaded.is_file() {
            return Err(FetchError::NoSuchFile {
                file: lock.file.clone(),
                requirement: requirement(lock),
                found: names_in(partial),
            });
        }
        unpack(lock, &downloaded, folder)?;
        fs::rename(&downloaded, &archive).map_err(FetchError::file("replace", &archive))
    })?;
    Ok(true)
}

/// Does something in an empty folder that is gone afterwards, whatever comes of it.
pub(super) fn in_partial<T>(
    partial: &Path,
    work: impl FnOnce(&Path) -> Result<T, FetchError>,
) -> Result<T, FetchError> {
    remove(partial)?;
    fs::create_dir_all(partial).map_err(FetchError::file("create", partial))?;
    let result = work(partial);
    remove(partial)?;
    result
}

/// Names in a folder, as far as they can be had.
fn names_in(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// How pip calls the pinned package.
fn requirement(lock: &Lock) -> String {
    format!("{}=={}", lock.package, lock.version)
}

/// Downloads the pinned file into `folder`.
fn download(lock: &Lock, folder: &Path) -> Result<(), FetchError> {
    let requirement = requirement(lock);
    let output = Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(["--only-binary", ":all:", "--dest"])
        .arg(folder)
        .arg("--")
        .arg(&requirement)
        .output()
        .map_err(|source| FetchError::NoPython { source })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(FetchError::Pip { requirement, output: last_lines(&String::from_utf8_lossy(&output.stderr)) }),
    }
}

/// The last three lines that say something, on one line.
pub(super) fn last_lines(text: &str) -> String {
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
    let found = contents::hash(&fs::read(archive_path).map_err(FetchError::file("read", archive_path))?);
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

    contents::forget(folder)?;
    let mut contents = Contents::default();
    for (name, entries) in lists {
        let subfolder = folder.join(name);
        remove(&subfolder)?;
        fs::create_dir_all(&subfolder).map_err(FetchError::file("create", &subfolder))?;
        for entry in entries {
            let bytes = read_entry(&mut archive, archive_path, entry)?;
            // Only the last part of the entry's name is used, so that no archive can write elsewhere.
            let file_name = entry.rsplit('/').next().unwrap_or(entry);
            contents.add(&format!("{name}/{file_name}"), &bytes);
            let path = subfolder.join(file_name);
            fs::write(&path, bytes).map_err(FetchError::file("write", path))?;
        }
    }
    contents.write(lock, folder)
}

/// Removes a file or a folder that may not be there.
pub(super) fn remove(path: &Path) -> Result<(), FetchError> {
    let result = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(FetchError::file("remove", path)),
    }
}
