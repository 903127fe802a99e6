//! Everything that a run reads: what the stamp of a run compares.
//!
//! A new kind of input joins in [`list`], with one line.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use codegen::fetch::{npm, source};

use super::InputArgs;
use super::choice::Choice;
use super::stamp::Paths;
use super::workspace::{MANIFEST, Workspace};

/// The files that a run with these options reads, this program among them: it holds the committed tables and all rules.
/// `None` when that cannot be told, so that nothing can be said about changes.
pub fn list(workspace: &Workspace, input: &InputArgs) -> Result<Option<Paths>> {
    let Ok(program) = env::current_exe() else { return Ok(None) };
    let mut files = vec![program, workspace.lock(), workspace.download().join(npm::ARCHIVE)];
    files.push(workspace.root().join(MANIFEST));
    files.extend(files_in(&workspace.overlays_folder())?);
    files.extend(files_in(&workspace.inventory())?);
    files.extend(files_in(&workspace.semantics_folder())?);
    files.push(workspace.names());
    files.extend(input.supported.clone());
    match Choice::of(input, workspace)? {
        Choice::Pinned => {
            let download = workspace.download();
            files.push(download.join("complete"));
            for folder in ["resources", "providers"] {
                files.extend(files_in(&download.join(folder))?);
            }
        }
        Choice::Named { places, .. } => {
            for place in places {
                files.extend(source::files_read(&place.path)?);
            }
        }
    }
    // Names that are no text cannot be written down.
    Ok(files.into_iter().map(|path| Some((path.to_str()?.to_owned(), path))).collect())
}

/// Paths of what lies directly in a folder that may not be there.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let context = || format!("{}: cannot list", folder.display());
    let list = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        list => list.with_context(context)?,
    };
    list.map(|entry| Ok(entry.with_context(context)?.path())).collect()
}
