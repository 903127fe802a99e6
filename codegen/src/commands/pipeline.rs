//! From the user's choice of schemas to everything that can be written or shown.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use codegen::emit::{self, OutputFile};
use codegen::fetch::{contents::Need, download, lock::Lock, providers, source::schema_files};
use codegen::{Availability, Input, Output};

use super::console::Console;
use super::schemas::{self, Corrections, Document};
use super::workspace::Workspace;
use super::{InputArgs, inventory};

/// A run of the generator.
#[derive(Debug)]
pub struct Run {
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

/// Runs the generator on the schemas that `input` names, in memory.
pub fn run(workspace: &Workspace, console: &Console, input: &InputArgs) -> Result<Run> {
    let (source, corrections, availability) = match &input.source {
        Some(source) => (source.clone(), Corrections::MayFit, Availability::default()),
        None => {
            fetch(workspace, console)?;
            let folder = workspace.download();
            let availability = providers::availability(&folder)?;
            (folder, Corrections::MustFit, availability)
        }
    };
    let files = schema_files(&source)?;
    let overlays = workspace.overlays()?;
    let bar = console.bar("reading schemas", files.len());
    let schemas = schemas::load(files, &overlays, corrections, &bar).with_context(|| format!("{}", source.display()));
    bar.finish_and_clear();
    let schemas = schemas?;
    for error in &schemas.passed_over {
        console.summary(&format!("not needed for this source: {error}"));
    }
    let output = codegen::generate(Input { availability, ..Input::new(schemas.sources) });
    Ok(Run { output, documents: schemas.documents })
}

impl Run {
    /// The files of the `generated` crate.
    pub fn files(&self) -> Result<Vec<OutputFile>> {
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
        Ok(emit::emit(input)?)
    }

    /// The text of `cf-schemas/inventory.tsv`.
    pub fn inventory(&self) -> String {
        let tokens = self.output.resources.iter();
        inventory::inventory(
            &self.documents,
            tokens.map(|resource| (resource.cfn_type.as_str(), resource.token.as_str())),
        )
    }
}
