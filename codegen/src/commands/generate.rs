//! `fetch` and `generate`.

use std::fs::File;
use std::path::Path;

use anyhow::{Result, bail};
use codegen::emit::{OutputFile, report};
use codegen::names::NameLock;

use super::choice::Choice;
use super::console::{Console, counted};
use super::output::{self, Committed, Differences};
use super::pipeline::{Ready, Run};
use super::stamp::{self, Files, Paths, Said, Stamp};
use super::swap::{self, JOURNAL, Journal, Places};
use super::timing::Stages;
use super::workspace::{NAMES, Workspace};
use super::{InputArgs, changes, documentation, inputs, names, ownership, pipeline, published};

/// How the stamp tells files under version control from those of the output folder.
const COMMITTED: &str = "checkout:";

/// How to generate.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Whether defects are an error.
    pub strict: bool,
    /// Whether everything that was left out is named, rather than defects alone.
    pub verbose: bool,
    /// Whether to generate although nothing has changed.
    pub force: bool,
    /// Whether to print how long the stages take.
    pub timings: bool,
    /// Patterns of names to take out of the name lock.
    pub forget: &'a [String],
    /// Whether to print the typed modules.
    pub types: bool,
    /// The folder to write into, in place of the `generated` crate.
    pub out: Option<&'a Path>,
}

impl Options<'_> {
    /// Whether what the last run did may stand for this one.
    fn may_skip(&self) -> bool {
        !(self.force || self.timings || self.verbose) && self.forget.is_empty()
    }
}

/// Downloads the chosen schemas, unless they are there; with the pinned ones the documentation too.
pub fn fetch(workspace: &Workspace, console: &Console, input: &InputArgs) -> Result<()> {
    let choice = Choice::of(input, workspace)?;
    if !choice.is_pinned() {
        let regions = choice.regions_of_aws();
        if regions.is_empty() {
            bail!("only the pinned schemas and those of --source aws are fetched; what was named is here already");
        }
        pipeline::refresh(workspace, console, &choice)?;
        console.summary(&format!("{}: the archives of {}", workspace.aws_download().display(), regions.join(", ")));
        return Ok(());
    }
    let folder = workspace.download();
    match pipeline::fetch(workspace, console)? {
        true => console.summary(&format!("fetched the pinned schemas into {}", folder.display())),
        false => console.summary(&format!("the pinned schemas are in {} already", folder.display())),
    }
    let documentation = documentation::load(workspace, console, input)?;
    if let Some(remark) = documentation.remark {
        console.summary(&remark);
    }
    Ok(())
}

/// Writes the `generated` crate, and the files under version control when the pinned schemas were used. Does nothing when
/// neither what it reads nor what it wrote has changed since the last run.
pub fn generate(workspace: &Workspace, console: &Console, input: &InputArgs, options: Options<'_>) -> Result<()> {
    let stages = Stages::start();
    let generated = workspace.generated();
    let places = Places { folder: options.out.unwrap_or(&generated), checkout: workspace.root() };
    ownership::refuse_place(places.folder, places.checkout)?;
    let choice = Choice::of(input, workspace)?;
    let writes_committed = input.is_default() && options.out.is_none();
    let is_published = choice.is_pinned() && input.supported.is_none();
    if !options.forget.is_empty() && !writes_committed {
        bail!(
            "--forget-names changes cf-schemas/names.lock, which only a run on the pinned schemas writes; leave out the \
             options about schemas and --out"
        );
    }
    let asked = format!("{input:?}, writes committed files: {writes_committed}, typed modules: {}", options.types);
    finish_interrupted(places, console)?;
    pipeline::refresh(workspace, console, &choice)?;
    let mut inputs = look_at_inputs(workspace, input, places)?;
    if options.may_skip()
        && let Some(inputs) = &inputs
        && let Some(said) = unchanged(places, console, &asked, inputs)?
        && !(options.strict && said.defects > 0)
    {
        say(console, &said, "nothing changed", &stages);
        return Ok(());
    }

    let ready =
        stages.stage("verify the pinned schemas", || pipeline::make_ready(workspace, console, &choice), |_| 0)?;
    let load = || documentation::load(workspace, console, input);
    let documentation = stages.stage("read the documentation", load, |_| 0)?;
    if ready == Ready::Now || documentation.ready == Ready::Now {
        inputs = look_at_inputs(workspace, input, places)?;
    }
    if let Some(remark) = documentation.remark.as_ref().filter(|_| options.strict) {
        bail!("{remark}; --strict forbids that, nothing was written. Make it available, or use --without-docs");
    }
    // What could not be had this time may be there the next time.
    inputs = inputs.filter(|_| documentation.remark.is_none());
    let (mut names, read) = load_names(workspace, console, input, writes_committed)?;
    let forgotten = match &mut names {
        Some(names) => names::forget(names, options.forget)?,
        None => Vec::new(),
    };
    let mut run = pipeline::run_timed(workspace, console, input, documentation, names, &stages)?;
    let said = said(&run, places.folder, options.verbose);
    let to_remember = self::said(&run, places.folder, false);
    if options.strict && said.defects > 0 {
        said.remarks.iter().for_each(|line| console.summary(line));
        bail!(
            "{} left out although Cloud Control manages them, and --strict forbids that; nothing was written",
            counted(said.defects, "type")
        );
    }
    let inventory = stages.stage("inventory and change report", || run.inventory(), |_| 0);
    let mut changes = changes::files(workspace, places.folder, &inventory)?;
    let names_after = if is_published { names::after(&mut run.output, &inventory) } else { None };
    let names_after = names_after.map(|after| {
        changes.add_gone(after.gone);
        after.lock
    });
    if options.strict && is_published && !changes.breaking.is_empty() {
        bail!(
            "{}, and --strict forbids that; nothing was written. `pulumi-gen-aws-native report` says why \
             they matter:\n  {}",
            counted(changes.breaking.len(), "breaking change"),
            changes.breaking.join("\n  ")
        );
    }
    let committed =
        if writes_committed { run.committed(workspace, &inventory, names_after.as_ref())? } else { Vec::new() };
    // Their texts are all that is needed from here on.
    drop((inventory, names_after));
    let files = run.into_files(console, &stages, &changes.files, options.types)?;
    let is_as_read = || names::digest(workspace).map(|now| now == read || !writes_committed);
    let write = || write(&files, &committed, places, console, &is_as_read);
    let (changed, lock) = stages.stage("compare and replace files", write, |_| 0)?;
    if let Some(mut inputs) = inputs {
        let outputs = outputs(&files, &committed);
        // Some committed files are read as well: what such a file says now leads to the same outputs.
        for (name, seen) in &outputs {
            let path = name.strip_prefix(COMMITTED).map(|path| places.checkout.join(path));
            if let Some(input) = path.and_then(|path| inputs.get_mut(path.to_str()?)) {
                *input = seen.clone();
            }
        }
        Stamp::new(asked, inputs, outputs, to_remember).write(places.folder)?;
    }
    drop(lock);
    let changed = match changed {
        0 => "nothing changed".to_owned(),
        count => format!("{} changed", counted(count, "file")),
    };
    say(console, &said, &changed, &stages);
    forgotten.iter().for_each(|line| console.summary(line));
    if !changes.breaking.is_empty() {
        let report = places.folder.join("report/changes.md");
        console.summary(&format!(
            "{}; named in {}",
            counted(changes.breaking.len(), "breaking change"),
            report.display()
        ));
    }
    if options.timings {
        console.result(&stages.table())?;
    }
    Ok(())
}

/// Finishes what an interrupted run has begun, before anything is read that it was to replace.
fn finish_interrupted(places: Places<'_>, console: &Console) -> Result<()> {
    if Journal::find(places.folder)?.is_some() {
        let _lock = ownership::lock(places.folder, console)?;
        recover(places, console)?;
    }
    Ok(())
}

fn recover(places: Places<'_>, console: &Console) -> Result<()> {
    if swap::recover(places)? {
        console.summary(&format!("{}: finished what an interrupted run had begun", places.folder.display()));
    }
    Ok(())
}

/// The name lock to go by, and what its file said. Where the run is about the published schemas, what is published is
/// whole, or the run ends here.
fn load_names(
    workspace: &Workspace,
    console: &Console,
    input: &InputArgs,
    writes_committed: bool,
) -> Result<(Option<NameLock>, Option<names::Digest>)> {
    // Another run may be replacing these files.
    let folder = workspace.generated();
    let is_written = writes_committed && folder.join("report").is_dir();
    let _lock = is_written.then(|| ownership::lock(&folder, console)).transpose()?;
    let names = names::load(workspace, input)?;
    if let Some(names) = names.as_ref().filter(|_| input.is_default()) {
        published::agree(workspace, names)?;
    }
    Ok((names, names::digest(workspace)?))
}

/// The inputs as they are; those that look as in the last run are not read.
fn look_at_inputs(workspace: &Workspace, input: &InputArgs, places: Places<'_>) -> Result<Option<Files>> {
    let known = Stamp::read(places.folder).map(|stamp| stamp.inputs).unwrap_or_default();
    Ok(inputs::list(workspace, input)?.map(|paths| stamp::look(&paths, &known)))
}

/// What the last run said, when this one would read and write the same.
fn unchanged(places: Places<'_>, console: &Console, asked: &str, inputs: &Files) -> Result<Option<Said>> {
    let folder = places.folder;
    let last = || Stamp::read(folder).filter(|stamp| stamp.options == asked && stamp::is_same(&stamp.inputs, inputs));
    if last().is_none() {
        return Ok(None);
    }
    let _lock = ownership::lock(folder, console)?;
    // The run that was waited for may have changed everything.
    let Some(last) = last().filter(|_| !folder.join(JOURNAL).exists()) else { return Ok(None) };
    let path = |name: &String| match name.strip_prefix(COMMITTED) {
        Some(path) => places.checkout.join(path),
        None => folder.join(name),
    };
    let paths: Paths = last.outputs.keys().map(|name| (name.clone(), path(name))).collect();
    let outputs = stamp::look(&paths, &last.outputs);
    let is_alone = output::files_in_output_folders(folder)?.iter().all(|path| outputs.contains_key(path));
    if !is_alone || !stamp::is_same(&outputs, &last.outputs) {
        return Ok(None);
    }
    // What had to be read this time need not be read the next time.
    Stamp::new(last.options, inputs.clone(), outputs, last.said.clone()).write(folder)?;
    Ok(Some(last.said))
}

/// What a run wrote, for its stamp.
fn outputs(files: &[OutputFile], committed: &[OutputFile]) -> Files {
    let files = files.iter().map(|file| (file.path.clone(), stamp::made(&file.bytes)));
    let committed = committed.iter().map(|file| (format!("{COMMITTED}{}", file.path), stamp::made(&file.bytes)));
    files.chain(committed).collect()
}

/// Makes the output folder and the checkout hold the outputs. Returns how many files changed, and the folder's lock.
fn write(
    files: &[OutputFile],
    committed: &[OutputFile],
    places: Places<'_>,
    console: &Console,
    is_as_read: &dyn Fn() -> Result<bool>,
) -> Result<(usize, File)> {
    let folder = places.folder;
    // Looked at before anything is made in a folder that may be somebody else's, and again once it cannot change.
    Differences::find(files, folder)?.refuse_foreign(folder)?;
    let lock = ownership::lock(folder, console)?;
    recover(places, console)?;
    if !is_as_read()? {
        bail!("{NAMES} has changed while this run went on, so nothing was written; run it again");
    }
    let differences = Differences::find(files, folder)?;
    let committed = Committed::find(committed, places.checkout)?;
    differences.apply(files, &committed, places)?;
    Ok((differences.paths(files).len() + committed.paths().len(), lock))
}

/// What a run says, but for what changed.
fn said(run: &Run, folder: &Path, verbose: bool) -> Said {
    let report = &run.output.report;
    let skips = run.output.skips.iter().filter(|skip| verbose || skip.reason.is_defect());
    let left_out = skips.map(|skip| format!("left out {}: {}", report::name_and_file(skip), skip.reason));
    let mut remarks: Vec<String> = run.remarks.iter().cloned().chain(left_out).collect();
    if verbose {
        let warnings = report.warnings.iter();
        let lines =
            warnings.flat_map(|(token, faults)| faults.iter().map(move |fault| format!("warning: {token}: {fault}")));
        remarks.extend(lines);
    }
    let counts = &report.counts;
    let left_out = match run.output.skips.len() {
        0 => "no schema left out".to_owned(),
        count => format!(
            "{} left out ({} not managed by Cloud Control, {} defective; named in {})",
            counted(count, "schema"),
            counts.not_provisionable,
            counts.defective,
            folder.join("report/skips.json").display(),
        ),
    };
    let summary = format!(
        "{}: {}, {}, {}; {left_out}",
        folder.display(),
        counted(counts.resources, "resource"),
        counted(counts.object_types + counts.enum_types, "type"),
        counted(counts.functions, "function"),
    );
    let mut hints = Vec::new();
    if !report.warnings.is_empty() {
        hints.push(format!(
            "{} generated from schemas with a fault; named in {}",
            counted(report.warnings.len(), "resource"),
            folder.join("report/warnings.json").display(),
        ));
    }
    Said { defects: counts.defective, remarks, summary, hints }
}

fn say(console: &Console, said: &Said, changed: &str, stages: &Stages) {
    said.remarks.iter().for_each(|line| console.summary(line));
    console.summary(&format!("{}; {changed}; {:.1} s", said.summary, stages.seconds()));
    said.hints.iter().for_each(|line| console.summary(line));
}
