//! `check`: whether what `generate` would write is what is there.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::console::Console;
use super::output::Differences;
use super::workspace::Workspace;
use super::{InputArgs, pipeline};

/// Fails with the paths that differ.
pub fn check(workspace: &Workspace, console: &Console, input: &InputArgs, out: Option<&Path>) -> Result<()> {
    let run = pipeline::run(workspace, console, input)?;
    let generated = workspace.generated();
    let folder = out.unwrap_or(&generated);
    let files = run.files()?;
    let differences = Differences::find(&files, folder)?;
    let mut stale: Vec<String> =
        differences.paths(&files).iter().map(|path| folder.join(path).display().to_string()).collect();
    if input.source.is_none() && out.is_none() {
        let inventory = workspace.inventory();
        if fs::read(&inventory).ok().as_deref() != Some(run.inventory().as_bytes()) {
            stale.push(inventory.display().to_string());
        }
    }
    if !stale.is_empty() {
        bail!("{} files are out of date; run `make generate`:\n  {}", stale.len(), stale.join("\n  "));
    }
    console.summary(&format!("{} files are up to date", files.len()));
    Ok(())
}
