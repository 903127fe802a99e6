//! Whether what the checkout says is published can be believed: `cf-schemas/inventory` and `cf-schemas/names.lock`, which
//! every run writes together.
//!
//! What is compared with a damaged base passes as unchanged, and what is written over it is lost, so damage ends a
//! command. It never mends itself: the files come back from version control.

use anyhow::{Context, Result, bail};
use codegen::names::NameLock;

use super::swap::Journal;
use super::workspace::{INVENTORY, NAMES, Workspace};
use super::{inventory, names};

/// What to do about damage.
pub const RESTORE: &str = "restore both from version control (`git checkout -- cf-schemas/inventory cf-schemas/names.lock`); \
                           docs/names.md says what to do after a merge, and how to start anew";

/// Fails unless the inventory can be read and has the same names as the lock, or neither is there.
pub fn verify(workspace: &Workspace) -> Result<()> {
    let folder = workspace.generated();
    if let Some(journal) = Journal::find(&folder)? {
        bail!(
            "{}: an interrupted run left {} files to be replaced or removed; run `make generate` to finish it",
            folder.display(),
            journal.len()
        );
    }
    agree(workspace, &names::read(workspace)?)
}

/// Fails unless the inventory can be read and has the names of this lock.
pub fn agree(workspace: &Workspace, names: &NameLock) -> Result<()> {
    let inventory = inventory::read(&workspace.inventory())?.unwrap_or_default();
    names.agrees_with(&inventory).with_context(|| format!("{INVENTORY} and {NAMES} are not of one run; {RESTORE}"))
}
