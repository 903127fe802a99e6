//! `fetch` and `generate`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::console::Console;
use super::output::{self, Differences};
use super::workspace::Workspace;
use super::{InputArgs, ownership, pipeline};

/// How to generate.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Whether defects are an error.
    pub strict: bool,
    /// Whether everything that was left out is named, rather than defects alone.
    pub verbose: bool,
    /// The folder to write into, in place of the `generated` crate.
    pub out: Option<&'a Path>,
}

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
pub fn generate(workspace: &Workspace, console: &Console, input: &InputArgs, options: Options<'_>) -> Result<()> {
    let start = Instant::now();
    let run = pipeline::run(workspace, console, input)?;
    let skips = &run.output.skips;
    let report = &run.output.report;
    console.skips(skips, options.verbose);
    if options.verbose {
        console.warnings(&report.warnings);
    }
    let defects = report.counts.defective;
    if options.strict && defects > 0 {
        bail!(
            "{defects} types are left out although Cloud Control manages them, and --strict forbids that; nothing was written"
        );
    }

    let generated = workspace.generated();
    let folder = options.out.unwrap_or(&generated);
    let files = run.files()?;
    // Looked at before anything is made in a folder that may be somebody else's, and again once it cannot change.
    Differences::find(&files, folder)?.refuse_foreign(folder)?;
    let lock = ownership::lock(folder, console)?;
    let differences = Differences::find(&files, folder)?;
    let changed = differences.paths(&files).len();
    differences.apply(&files, folder)?;
    if input.source.is_none() && options.out.is_none() {
        output::write_file(&workspace.inventory(), &run.inventory())?;
    }
    drop(lock);

    let counts = &report.counts;
    let changed = match changed {
        0 => "nothing changed".to_owned(),
        1 => "1 file changed".to_owned(),
        count => format!("{count} files changed"),
    };
    let left_out = match skips.len() {
        0 => "no schema left out".to_owned(),
        count => format!(
            "{count} schemas left out ({} not managed by Cloud Control, {} defective; named in {})",
            counts.not_provisionable,
            counts.defective,
            folder.join("report/skips.json").display(),
        ),
    };
    console.summary(&format!(
        "{}: {} resources, {} types, {} functions; {left_out}; {changed}; {:.1} s",
        folder.display(),
        counts.resources,
        counts.object_types + counts.enum_types,
        counts.functions,
        start.elapsed().as_secs_f64(),
    ));
    if !report.warnings.is_empty() {
        console.summary(&format!(
            "{} resources generated from schemas with a fault; named in {}",
            report.warnings.len(),
            folder.join("report/warnings.json").display(),
        ));
    }
    Ok(())
}
