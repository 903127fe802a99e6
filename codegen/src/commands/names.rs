//! `cf-schemas/names.lock`: the published names, kept in version control.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use codegen::Output;
use codegen::emit::OutputFile;
use codegen::inventory::Inventory;
use codegen::names::{Forgotten, NameLock};
use sha2::{Digest as _, Sha256};

use super::published::RESTORE;
use super::workspace::{NAMES, Workspace};
use super::{InputArgs, inventory};

/// The lock that a run goes by; `None` when it is not to go by one.
pub fn load(workspace: &Workspace, input: &InputArgs) -> Result<Option<NameLock>> {
    if input.without_lock { Ok(None) } else { read(workspace).map(Some) }
}

/// Reads the lock of a checkout. One that is not there locks nothing, as before the first run.
///
/// # Errors
///
/// When the lock cannot be read, or is not there although names were published.
pub fn read(workspace: &Workspace) -> Result<NameLock> {
    let path = workspace.names();
    if let Some(lock) = read_file(&path)? {
        return Ok(lock);
    }
    if inventory::is_there(&workspace.inventory())? {
        bail!("{}: is not there, although names were published; {RESTORE}", path.display());
    }
    Ok(NameLock::default())
}

/// SHA-256 of the lock's file.
pub type Digest = [u8; 32];

/// What tells whether the lock of a checkout has changed; `None` when the file is not there.
pub fn digest(workspace: &Workspace) -> Result<Option<Digest>> {
    let path = workspace.names();
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => {
            let bytes = bytes.with_context(|| format!("{}: cannot read", path.display()))?;
            Ok(Some(Sha256::digest(bytes).into()))
        }
    }
}

/// Reads a lock; `None` when the file is not there.
pub fn read_file(path: &Path) -> Result<Option<NameLock>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{}: cannot read", path.display()))?,
    };
    let lock = NameLock::parse(&text).map_err(|error| {
        anyhow!(
            "{}:{}: {}; restore the file from version control, or mend the line",
            path.display(),
            error.line,
            error.reason
        )
    })?;
    Ok(Some(lock))
}

/// Takes the names that the patterns match out of a lock. Returns what to say about it, a line for each pattern.
///
/// # Errors
///
/// When a pattern matches nothing.
pub fn forget(lock: &mut NameLock, patterns: &[String]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for pattern in patterns {
        let forgotten = lock.forget(pattern);
        if forgotten.names == 0 {
            bail!(
                "--forget-names {pattern}: no name in {NAMES} matches; write a token as aws-native:s3:Bucket or a member as \
                 aws-native:s3:Bucket.bucketName, with * for any text"
            );
        }
        lines.push(format!("--forget-names {pattern}: {}", describe(&forgotten)));
    }
    Ok(lines)
}

/// What was forgotten. What is still published joins the lock again, so names that had gone are what is lost.
fn describe(forgotten: &Forgotten) -> String {
    let names = match forgotten.names {
        1 => "1 name forgotten".to_owned(),
        count => format!("{count} names forgotten"),
    };
    match forgotten.gone.as_slice() {
        [] => format!("{names}, none of which had gone"),
        gone => format!("{names}, of which {} had gone: {}", gone.len(), gone.join(", ")),
    }
}

/// A lock after a run.
#[derive(Debug)]
pub struct After {
    /// The lock.
    pub lock: NameLock,
    /// The names that were published and that the run lacks.
    pub gone: Vec<String>,
}

/// The lock after a run, which takes it out of `output`; `None` when the run went by no lock.
pub fn after(output: &mut Output, inventory: &Inventory) -> Option<After> {
    let before = output.names.take()?;
    let gone = before.gone_from(inventory);
    Some(After { lock: before.after(&output.claims, inventory), gone })
}

/// The file of a lock, relative to the checkout.
///
/// # Errors
///
/// When the lock could not be read again, which would end every later run.
pub fn file(lock: &NameLock) -> Result<OutputFile> {
    let text = lock.render();
    if let Err(error) = NameLock::parse(&text) {
        let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        bail!(
            "{NAMES} would have a line that cannot be read: {line:?}: {}; nothing was written. Please report this",
            error.reason
        );
    }
    Ok(OutputFile::new(NAMES.to_owned(), text))
}
