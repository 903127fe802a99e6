//! From the user's choice of schemas to everything that can be written or shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use codegen::emit::{self, OutputFile, report};
use codegen::fetch::aws::{self, Arrival, Site};
use codegen::fetch::{contents::Need, download, lock::Lock, providers, source::schema_files};
use codegen::inventory::Inventory;
use codegen::names::NameLock;
use codegen::overlay::Overlays;
use codegen::{Availability, Input, Output, Supported};

use super::choice::Choice;
use super::console::Console;
use super::documentation::{self, Documentation};
use super::schemas::{self, Corrections, Document, Files};
use super::timing::Stages;
use super::workspace::Workspace;
use super::{InputArgs, inventory, manifest, names};

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
    /// The corrections that were made.
    pub overlays: Overlays,
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

/// Asks AWS for what is to come from there, so that what is on the disk is current.
pub fn refresh(workspace: &Workspace, console: &Console, choice: &Choice) -> Result<()> {
    for region in choice.regions_of_aws() {
        let spinner = console.spinner(format!("asking AWS for the schemas of {region}"));
        let arrival = aws::ensure(&Site::Aws, region, &workspace.aws_download());
        spinner.finish_and_clear();
        if arrival? == Arrival::Current {
            console.summary(&format!("{region}: the archive of the last time is current"));
        }
    }
    Ok(())
}

/// Makes sure that the pinned schemas are there, when they are the chosen ones.
pub fn make_ready(workspace: &Workspace, console: &Console, choice: &Choice) -> Result<Ready> {
    Ok(match choice.is_pinned() && fetch(workspace, console)? {
        true => Ready::Now,
        false => Ready::Before,
    })
}

/// What a run is to keep beyond what `generate` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keep {
    /// How names and types come about.
    pub traces: bool,
    /// What the published metadata layout needs.
    pub runtime: bool,
}

/// Runs the generator on the schemas that `input` names, in memory.
pub fn run(workspace: &Workspace, console: &Console, input: &InputArgs, keep: Keep) -> Result<Run> {
    let choice = Choice::of(input, workspace)?;
    refresh(workspace, console, &choice)?;
    make_ready(workspace, console, &choice)?;
    let documentation = documentation::load(workspace, console, input)?;
    let names = names::load(workspace, input)?;
    let run = run_stages(workspace, console, input, documentation, names, &Stages::start(), keep)?;
    run.remarks.iter().for_each(|line| console.summary(line));
    Ok(run)
}

/// Like [`run`] for schemas that are ready; says nothing, and notes how long the stages take.
pub fn run_timed(
    workspace: &Workspace,
    console: &Console,
    asked: &InputArgs,
    documentation: Documentation,
    names: Option<NameLock>,
    stages: &Stages,
) -> Result<Run> {
    run_stages(workspace, console, asked, documentation, names, stages, Keep::default())
}

fn run_stages(
    workspace: &Workspace,
    console: &Console,
    asked: &InputArgs,
    documentation: Documentation,
    names: Option<NameLock>,
    stages: &Stages,
    keep: Keep,
) -> Result<Run> {
    let choice = Choice::of(asked, workspace)?;
    let pinned = workspace.download();
    let (sources, corrections) = match &choice {
        Choice::Pinned => (vec![files(pinned.display().to_string(), &pinned)?], Corrections::MustFit),
        Choice::Named { places, .. } => {
            let sources = places.iter().map(|place| files(place.to_string(), &place.path));
            (sources.collect::<Result<_>>()?, Corrections::MayFit)
        }
    };
    let (overlays, semantics) = (workspace.overlays()?, workspace.semantics()?);
    let bar = console.bar("reading schemas", sources.iter().map(|source| source.files.len()).sum());
    let load = || schemas::load(sources, &overlays, corrections, &bar);
    let schemas =
        stages.stage("read and correct schemas", load, |schemas| schemas.as_ref().map_or(0, |schemas| schemas.bytes));
    bar.finish_and_clear();
    let schemas = schemas?;
    let availability = match &choice {
        Choice::Pinned => providers::availability(&pinned)?,
        Choice::Named { places, .. } => {
            let regions = places.iter().map(|place| place.region.clone()).zip(schemas.merge.types_by_source());
            Availability::from_regions(regions.filter_map(|(region, types)| Some((region?, types))).collect())
        }
    };
    let merge = schemas.merge.is_of_several().then(|| schemas.merge.report());
    let mut remarks: Vec<String> =
        schemas.passed_over.iter().map(|error| format!("not needed for this source: {error}")).collect();
    remarks.extend(merge.as_ref().map(|merge| {
        let (types, differing, partial) = (merge.types, merge.differing.len(), merge.partial.len());
        format!("{types} types in {} sources: {differing} differ, {partial} are not in all", merge.sources.len())
    }));
    remarks.extend(documentation.remark);
    let (docs, docs_source) = (documentation.docs, documentation.source);
    let Keep { traces: trace, runtime } = keep;
    let mut input = Input {
        availability,
        semantics,
        merge,
        docs,
        docs_source,
        names,
        trace,
        runtime,
        ..Input::new(schemas.sources)
    };
    if let Some(list) = &asked.supported {
        input.supported = supported(list, &schemas.documents, &mut remarks)?;
    }
    let busy = console.busy("generating");
    let output = stages.stage("derive package and metadata", || codegen::generate(input), |_| 0);
    busy.finish_and_clear();
    // Of a part of all types most entries find nothing, which says nothing about them.
    if corrections == Corrections::MustFit && asked.supported.is_none() && !output.unused.is_empty() {
        // An entry may find nothing since its type was left out, which is what is to be mended then.
        let skips = output.skips.iter().filter(|skip| skip.reason.is_defect());
        let skips = skips.map(|skip| format!("left out {}: {}", report::name_and_file(skip), skip.reason));
        let lines: Vec<String> = skips.chain(output.unused.iter().map(ToString::to_string)).collect();
        bail!("{}", lines.join("\n"));
    }
    let overlays = overlays.without_failed(&schemas.passed_over);
    Ok(Run { remarks, output, documents: schemas.documents, overlays })
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

/// The files of a source, not yet read.
fn files(source: String, path: &Path) -> Result<Files> {
    Ok(Files { source, files: schema_files(path)? })
}

impl Run {
    /// The files of the output folder, the given ones of the change report among them, and the typed modules if `types`.
    ///
    /// Consumes the run, so that what is not printed, or is printed first, leaves the memory before the rest is printed.
    pub fn into_files(
        self,
        console: &Console,
        stages: &Stages,
        changes: &[OutputFile],
        types: bool,
    ) -> Result<Vec<OutputFile>> {
        let Run { mut output, mut documents, .. } = self;
        output.claims.clear();
        let is_generated: BTreeSet<&str> = output.resources.iter().map(|resource| resource.cfn_type.as_str()).collect();
        documents.retain(|cfn_type, _| is_generated.contains(cfn_type.as_str()));
        let schemas = documents.into_iter().map(|(cfn_type, document)| (cfn_type, document.text));
        let input = emit::Input { types, ..emit::Input::of(&output, changes) };
        let busy = console.busy("printing");
        let files = emit::emit_around(input, schemas, &|part, work| {
            stages.stage(part, work, |bytes| *bytes);
        });
        busy.finish_and_clear();
        Ok(files?)
    }

    /// The files under version control, relative to the checkout. A new one joins here, with one line; where such files
    /// may lie is in [`super::swap`].
    ///
    /// # Errors
    ///
    /// When one that is kept only in part cannot be read or has lost the place of that part.
    pub fn committed(
        &self,
        workspace: &Workspace,
        inventory: &Inventory,
        names: Option<&NameLock>,
    ) -> Result<Vec<OutputFile>> {
        let manifest = manifest::manifest(workspace, &self.output.resources)?;
        let names = names.map(names::file).transpose()?;
        Ok(inventory::files(inventory).into_iter().chain(names).chain(manifest).collect())
    }

    /// The published surface.
    pub fn inventory(&self) -> Inventory {
        Inventory::of(&self.output)
    }
}
