//! From the user's choice of schemas to everything that can be written or shown.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use codegen::emit::{self, OutputFile};
use codegen::fetch::{contents::Need, download, lock::Lock, providers, source::schema_files};
use codegen::{Availability, Input, Output, Supported};

use super::console::Console;
use super::schemas::{self, Corrections, Document};
use super::timing::Stages;
use super::workspace::Workspace;
use super::{InputArgs, inventory};

/// Where the schemas come from.
#[derive(Debug)]
pub enum Choice {
    /// The pinned package.
    Pinned,
    /// A folder or an archive that the user names.
    Named(PathBuf),
}

impl Choice {
    /// What the user's options mean.
    pub fn of(input: &InputArgs) -> Self {
        match &input.source {
            None => Self::Pinned,
            Some(path) => Self::Named(path.clone()),
        }
    }

    /// Whether these are the schemas that the files under version control are about.
    pub fn is_pinned(&self) -> bool {
        match self {
            Self::Pinned => true,
            Self::Named(_) => false,
        }
    }
}

/// Since when the schemas are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// They were there already.
    Before,
    /// They had to be fetched or unpacked.
    Now,
}

/// A run of the generator.
#[derive(Debug)]
pub struct Run {
    /// What people should know beside the report.
    pub remarks: Vec<String>,
    /// What the generator made.
    pub output: Output,
    /// The documents it was made of, by type name.
    documents: BTreeMap<String, Document>,
}

/// Fetches the pinned schemas unless they are there unharmed. True when they were not.
pub fn fetch(workspace: &Workspace, console: &Console) -> Result<bool> {
    let lock = Lock::read(&workspace.lock())?;
    let mut spinner = None;
    let folder = workspace.download();
    let fetched = download::ensure(&lock, &folder, |need| {
        let what = match need {
            Need::Absent => format!("fetching {} {} with pip", lock.package, lock.version),
            Need::Damaged { file, what } => {
                console.summary(&format!("{}: {what}", folder.join(file).display()));
                format!("unpacking {} {} again", lock.package, lock.version)
            }
        };
        spinner = Some(console.spinner(what));
    });
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    Ok(fetched?)
}

/// Makes sure that the chosen schemas are there.
pub fn make_ready(workspace: &Workspace, console: &Console, choice: &Choice) -> Result<Ready> {
    Ok(match choice.is_pinned() && fetch(workspace, console)? {
        true => Ready::Now,
        false => Ready::Before,
    })
}

/// Runs the generator on the schemas that `input` names, in memory.
pub fn run(workspace: &Workspace, console: &Console, input: &InputArgs) -> Result<Run> {
    let choice = Choice::of(input);
    make_ready(workspace, console, &choice)?;
    let run = run_timed(workspace, console, input, &Stages::start())?;
    run.remarks.iter().for_each(|line| console.summary(line));
    Ok(run)
}

/// Like [`run`] for schemas that are ready; says nothing, and notes how long the stages take.
pub fn run_timed(workspace: &Workspace, console: &Console, input: &InputArgs, stages: &Stages) -> Result<Run> {
    let supported = input.supported.as_deref();
    let (source, corrections, availability) = match Choice::of(input) {
        Choice::Pinned => {
            let folder = workspace.download();
            let availability = providers::availability(&folder)?;
            (folder, Corrections::MustFit, availability)
        }
        Choice::Named(source) => (source, Corrections::MayFit, Availability::default()),
    };
    let files = schema_files(&source)?;
    let overlays = workspace.overlays()?;
    let bar = console.bar("reading schemas", files.len());
    let load = || schemas::load(files, &overlays, corrections, &bar).with_context(|| format!("{}", source.display()));
    let schemas =
        stages.stage("read and correct schemas", load, |schemas| schemas.as_ref().map_or(0, |schemas| schemas.bytes));
    bar.finish_and_clear();
    let schemas = schemas?;
    let mut remarks: Vec<String> =
        schemas.passed_over.iter().map(|error| format!("not needed for this source: {error}")).collect();
    let mut input = Input { availability, ..Input::new(schemas.sources) };
    if let Some(list) = supported {
        input.supported = self::supported(list, &schemas.documents, &mut remarks)?;
    }
    let busy = console.busy("generating");
    let output = stages.stage("derive package and metadata", || codegen::generate(input), |_| 0);
    busy.finish_and_clear();
    Ok(Run { remarks, output, documents: schemas.documents })
}

/// The types that a file names. Names without a schema are told: a list outlives the types that it was made for.
fn supported(list: &Path, documents: &BTreeMap<String, Document>, remarks: &mut Vec<String>) -> Result<Supported> {
    let text = fs::read_to_string(list).with_context(|| format!("{}: cannot read", list.display()))?;
    let supported = Supported::parse(&text);
    if let Supported::Listed(names) = &supported {
        let absent: Vec<&str> =
            names.iter().filter(|name| !documents.contains_key(*name)).map(String::as_str).collect();
        if names.is_empty() {
            bail!("{}: names no type; write one CloudFormation type name a line", list.display());
        }
        if !absent.is_empty() {
            remarks.push(format!("{}: no schema for {}", list.display(), absent.join(", ")));
        }
    }
    Ok(supported)
}

impl Run {
    /// The files of the output folder.
    pub fn files(&self, console: &Console, stages: &Stages) -> Result<Vec<OutputFile>> {
        let text = |cfn_type: &str| self.documents.get(cfn_type).map(|document| document.text.as_str());
        let mut schemas: Vec<(&str, &str)> = self
            .output
            .resources
            .iter()
            .filter_map(|resource| Some((resource.cfn_type.as_str(), text(&resource.cfn_type)?)))
            .collect();
        schemas.sort_unstable();
        let input = emit::Input {
            resources: &self.output.resources,
            package: &self.output.package,
            schemas: &schemas,
            skips: &self.output.skips,
            report: &self.output.report,
        };
        let busy = console.busy("printing");
        let files = emit::emit_around(input, &|part, work| {
            stages.stage(part, work, |bytes| *bytes);
        });
        busy.finish_and_clear();
        Ok(files?)
    }

    /// The files under version control, relative to the checkout. A new one joins here, with one line; where such files
    /// may lie is in [`super::swap`].
    pub fn committed(&self) -> Vec<OutputFile> {
        vec![OutputFile::new(super::workspace::INVENTORY, self.inventory())]
    }

    /// The text of `cf-schemas/inventory.tsv`.
    fn inventory(&self) -> String {
        let tokens = self.output.resources.iter();
        inventory::inventory(
            &self.documents,
            tokens.map(|resource| (resource.cfn_type.as_str(), resource.token.as_str())),
        )
    }
}
