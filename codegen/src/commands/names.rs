//! `cf-schemas/names.lock`: the published names, kept in version control.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use codegen::Output;
use codegen::emit::OutputFile;
use codegen::inventory::Inventory;
use codegen::names::NameLock;

use super::InputArgs;
use super::workspace::{NAMES, Workspace};

/// The lock that a run goes by; `None` when it is not to go by one.
pub fn load(workspace: &Workspace, input: &InputArgs) -> Result<Option<NameLock>> {
    if input.without_lock { Ok(None) } else { read(&workspace.names()).map(Some) }
}

/// Reads a lock. A file that is not there locks nothing.
pub fn read(path: &Path) -> Result<NameLock> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(NameLock::default()),
        text => {
            let text = text.with_context(|| format!("{}: cannot read", path.display()))?;
            NameLock::parse(&text).with_context(|| format!("{}", path.display()))
        }
    }
}

/// Takes the names that the patterns match out of a lock.
///
/// # Errors
///
/// When a pattern matches nothing.
pub fn forget(lock: &mut NameLock, patterns: &[String]) -> Result<()> {
    for pattern in patterns {
        if lock.forget(pattern) == 0 {
            bail!(
                "--forget-names {pattern}: no name in {NAMES} matches; write a token as aws-native:s3:Bucket or a member as \
                 aws-native:s3:Bucket.bucketName, with * for any text"
            );
        }
    }
    Ok(())
}

/// The lock after a run; `None` when the run went by no lock.
pub fn after(output: &Output, inventory: &Inventory) -> Option<NameLock> {
    Some(output.names.clone()?.after(output, inventory))
}

/// The file of a lock, relative to the checkout.
pub fn file(lock: &NameLock) -> OutputFile {
    OutputFile::new(NAMES.to_owned(), lock.render())
}
