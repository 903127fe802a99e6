//! `fetch` and `generate`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::console::Console;
use super::output::{self, Differences};
use super::workspace::Workspace;
use super::{InputArgs, pipeline};

/// Downloads the pinned schemas, unless they are there.
pub fn fetch(workspace: &Workspace, console: &Console) -> Result<()> {
    let folder = workspace.download();
    match pipeline::fetch(workspace, console)? {
        true => console.summary(&format!("fetched the pinned schemas into {}", folder.display())),
        false => console.summary(&format!("the pinned schemas are in {} already", folder.display())),
    }
    Ok(())
}

/// Writes the `generated` crate, and the inventory when the pinned schemas were used.
pub fn generate(
    workspace: &Workspace,
    console: &Console,
    input: &InputArgs,
    strict: bool,
    out: Option<&Path>,
) -> Result<()> {
    let start = Instant::now();
    let run = pipeline::run(workspace, console, input)?;
    let defects = console.defects(&run.output.skips);
    if strict && defects > 0 {
        bail!(
            "{defects} types are left out although Cloud Control manages them, and --strict forbids that; nothing was written"
        );
    }

    let generated = workspace.generated();
    let folder = out.unwrap_or(&generated);
    let files = run.files()?;
    let differences = Differences::find(&files, folder)?;
    let changed = differences.paths(&files).len();
    differences.apply(&files, folder)?;
    if input.source.is_none() && out.is_none() {
        output::write_file(&workspace.inventory(), &run.inventory())?;
    }

    let counts = &run.output.report.counts;
    let changed = match changed {
        0 => "nothing changed".to_owned(),
        1 => "1 file changed".to_owned(),
        count => format!("{count} files changed"),
    };
    console.summary(&format!(
        "{}: {} resources, {} types, {} functions; {} schemas left out (report/skips.json); {changed}; {:.1} s",
        folder.display(),
        counts.resources,
        counts.object_types + counts.enum_types,
        counts.functions,
        run.output.skips.len(),
        start.elapsed().as_secs_f64(),
    ));
    Ok(())
}
