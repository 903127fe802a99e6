//! `check`: whether what `generate` would write is what is there.

use std::path::Path;

use anyhow::{Result, bail};

use super::console::{Console, counted};
use super::output::{Committed, Differences};
use super::swap::Journal;
use super::timing::Stages;
use super::workspace::Workspace;
use super::{InputArgs, changes, names, ownership, pipeline, published};

/// Fails with the paths that differ. Waits for a run that is writing, and believes no stamp.
pub fn check(workspace: &Workspace, console: &Console, input: &InputArgs, out: Option<&Path>) -> Result<()> {
    let generated = workspace.generated();
    let folder = out.unwrap_or(&generated);
    let mend = mend(input, out);
    // A folder without anything of the generator's is nobody's business, so nothing is made in it.
    let lock = || folder.join("report").is_dir().then(|| ownership::lock(folder, console)).transpose();
    if input.is_default() && out.is_none() {
        let _lock = lock()?;
        published::verify(workspace)?;
    }
    let mut run = pipeline::run(workspace, console, input, pipeline::Keep::default())?;
    let inventory = run.inventory();
    let changes = changes::files(workspace, folder, &inventory)?;
    let committed = if input.is_default() && out.is_none() {
        let names = names::after(&mut run.output, &inventory);
        run.committed(workspace, &inventory, names.map(|after| after.lock).as_ref())?
    } else {
        Vec::new()
    };
    let files = run.into_files(console, &Stages::start(), &changes.files, true)?;
    let _lock = lock()?;
    if let Some(journal) = Journal::find(folder)? {
        bail!(
            "{}: an interrupted run left {} to be replaced or removed; run `{mend}` to finish it",
            folder.display(),
            counted(journal.len(), "file")
        );
    }
    let differences = Differences::find(&files, folder)?;
    let mut stale: Vec<String> =
        differences.paths(&files).iter().map(|path| folder.join(path).display().to_string()).collect();
    let committed_count = committed.len();
    let stale_committed = Committed::find(&committed, workspace.root())?;
    stale.extend(stale_committed.paths().iter().map(|path| workspace.root().join(path).display().to_string()));
    match stale.as_slice() {
        [] => console.summary(&format!("{} files are up to date", files.len() + committed_count)),
        [path] => bail!("1 file is out of date; run `{mend}`:\n  {path}"),
        paths => bail!("{} files are out of date; run `{mend}`:\n  {}", paths.len(), paths.join("\n  ")),
    }
    Ok(())
}

/// The command that brings everything up to date.
fn mend(input: &InputArgs, out: Option<&Path>) -> String {
    if input.is_default() && out.is_none() {
        return "make generate".to_owned();
    }
    let out = out.map(|out| format!(" --out {}", out.display())).unwrap_or_default();
    format!("pulumi-gen-aws-native generate{}{out}", input.as_arguments())
}
