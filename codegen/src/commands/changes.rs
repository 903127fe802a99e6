//! `report`, and the change report that `generate` leaves in `report/changes.*`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use codegen::changes::{Base, Change, Changes};
use codegen::emit::{OutputFile, report};
use codegen::inventory::{Inventory, package_schema};

use super::console::{Console, counted};
use super::workspace::Workspace;
use super::{InputArgs, Outcome, inventory, names, pipeline, published, swap};

/// More than any package schema unpacks to; a file that claims more is no package schema.
const LARGEST_SCHEMA: usize = 1 << 30;

/// What to do about a file that is no package schema.
const WHOLE_FILE: &str = "name the whole file of a package schema, a folder with an inventory, or a name lock";

/// What fails the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A change that breaks programs or stacks
    Breaking,
}

/// How to report.
#[derive(Debug)]
pub struct Options<'a> {
    /// The base, in place of the committed inventory.
    pub against: Option<&'a Path>,
    /// JSON instead of Markdown.
    pub json: bool,
    /// The file to write to.
    pub output: Option<&'a Path>,
    /// What fails the command.
    pub fail_on: Option<FailOn>,
}

/// Prints what changes for users between a base and what would be generated.
pub fn report(workspace: &Workspace, console: &Console, input: &InputArgs, options: &Options<'_>) -> Result<Outcome> {
    let committed = workspace.inventory();
    if options.against.is_none() && !input.without_lock {
        published::verify(workspace)?;
    }
    // Read first: a wrong path should not cost a run.
    let (base, before) = read_base(options.against.unwrap_or(&committed))?;
    let after = pipeline::run(workspace, console, input, pipeline::Keep::default())?.inventory();
    let changes = Changes::between(base, &before, &after);
    let text = match options.json {
        true => report::changes_json(Some(&changes)).context("the report is no JSON")?,
        false => changes.markdown(),
    };
    match options.output {
        Some(file) => swap::write_file(file, text.as_bytes())?,
        None => console.result(&text).context("standard output cannot be written")?,
    }
    let breaking: Vec<&Change> = changes.breaking().collect();
    if options.fail_on != Some(FailOn::Breaking) || breaking.is_empty() {
        return Ok(Outcome::Done);
    }
    console.summary(&format!("{}, which --fail-on breaking forbids:", counted(breaking.len(), "breaking change")));
    for change in breaking {
        console.summary(&format!("  {}", line(change)));
    }
    Ok(Outcome::Refused)
}

/// A change in one line.
fn line(change: &Change) -> String {
    format!("{}: {}", change.place(), change.kind.label())
}

/// Reads what a report is made against: a folder with an inventory, a package schema, or a name lock.
fn read_base(path: &Path) -> Result<(Base, Inventory)> {
    if path.extension().is_some_and(|ending| ending == "lock") && path.is_file() {
        return Ok((Base::NameLock, names::read_file(path)?.unwrap_or_default().inventory()));
    }
    if path.is_dir() {
        let Some(inventory) = inventory::read(path)?.filter(|inventory| !inventory.resources.is_empty()) else {
            bail!("{}: no inventory: the folder has no .tsv file with resources", path.display());
        };
        // Beside an inventory of a checkout lies what says whether it is whole.
        let lock = path.parent().map(|parent| parent.join("names.lock"));
        if let Some(names) = lock.map(|lock| names::read_file(&lock)).transpose()?.flatten() {
            names.agrees_with(&inventory).with_context(|| {
                format!("{} and the names.lock beside it are not of one run; give a whole base", path.display())
            })?;
        }
        return Ok((Base::Inventory, inventory));
    }
    let bytes = fs::read(path).with_context(|| {
        format!(
            "{}: cannot read; --against takes a folder with an inventory, a package schema or a name lock",
            path.display()
        )
    })?;
    let bytes = match path.extension().is_some_and(|ending| ending == "zst") {
        true => unpack(&bytes)
            .with_context(|| format!("{}: not compressed with zstd, or cut; {WHOLE_FILE}", path.display()))?,
        false => bytes,
    };
    let document =
        serde_json::from_slice(&bytes).with_context(|| format!("{}: no JSON; {WHOLE_FILE}", path.display()))?;
    match package_schema::inventory(&document) {
        Some(inventory) => Ok((Base::PackageSchema, inventory)),
        None => bail!("{}: no package schema: it has no resources; {WHOLE_FILE}", path.display()),
    }
}

fn unpack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let size = zstd::zstd_safe::get_frame_content_size(bytes).ok().flatten();
    let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(LARGEST_SCHEMA);
    zstd::bulk::decompress(bytes, size.min(LARGEST_SCHEMA))
}

/// The change report that `generate` leaves.
#[derive(Debug)]
pub struct Left {
    /// Its files.
    pub files: Vec<OutputFile>,
    /// The breaking changes, a line each.
    pub breaking: Vec<String>,
}

impl Left {
    /// Adds names that the name lock says were published and that are gone, unless the report has the place already. That
    /// is so when the inventory was replaced without the lock.
    pub fn add_gone(&mut self, places: Vec<String>) {
        for place in places {
            let is_known =
                self.breaking.iter().any(|line| line.strip_prefix(&place).is_some_and(|rest| rest.starts_with(':')));
            if !is_known {
                self.breaking.push(format!("{place}: published name gone"));
            }
        }
    }
}

/// The files of the change report against the committed inventory.
///
/// Where nothing changes, the report of the last refresh stays, so that it can still be read after the inventory was
/// replaced, and a second run changes nothing.
///
/// # Errors
///
/// When the inventory is there and cannot be read: nothing is a change then, and the base would be lost.
pub fn files(workspace: &Workspace, folder: &Path, after: &Inventory) -> Result<Left> {
    let committed = workspace.inventory();
    let changes = if inventory::says(&committed, after)? {
        Some(Changes::between(Base::Inventory, after, after))
    } else {
        inventory::read(&committed)?.map(|before| Changes::between(Base::Inventory, &before, after))
    };
    let files = report::changes(changes.as_ref())?;
    let breaking = changes.iter().flat_map(Changes::breaking).map(line).collect();
    let nothing = changes.is_some_and(|changes| changes.changes.is_empty());
    let last = |file: &OutputFile| {
        let path: PathBuf = folder.join(&file.path);
        fs::read(path).ok().map(|bytes| OutputFile { path: file.path.clone(), bytes })
    };
    match files.iter().map(last).collect::<Option<Vec<OutputFile>>>() {
        Some(last) if nothing => Ok(Left { files: last, breaking }),
        _ => Ok(Left { files, breaking }),
    }
}
