//! `make bench`: the figures that users feel, as a table; with `--peer FOLDER` the Go provider and generator beside ours.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing the table is what this program is for")]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use tests::bench::generator::{self, Run};
use tests::bench::median;
use tests::bench::provider::Provider;
use tests::bench::table::{Row, render};
use tests::binaries::{built, repository};

/// Measures the release binaries.
#[derive(Parser)]
struct Arguments {
    /// Folder with the peer: `pulumi-resource-aws-native`, `pulumi-gen-aws-native` and `src/` with its schemas.
    #[arg(long)]
    peer: Option<PathBuf>,
    /// Runs of everything that is started anew.
    #[arg(long, default_value_t = 7)]
    runs: usize,
    /// Sequential calls of Check and of Diff.
    #[arg(long, default_value_t = 3000)]
    calls: u32,
}

/// One side's figures.
#[derive(Default, Clone)]
struct Figures {
    start: Vec<f64>,
    idle: Vec<f64>,
    schema_first: f64,
    schema: Vec<f64>,
    schema_megabytes: f64,
    after_schema: f64,
    check: f64,
    diff: f64,
    binary: f64,
    generator: Vec<Run>,
    generator_again: Vec<Run>,
    /// Without the typed modules, which the peer does not make.
    generator_bare: Vec<Run>,
}

impl Figures {
    /// Runs of the generator without what only one side makes.
    fn bare(&self) -> &[Run] {
        if self.generator_bare.is_empty() { &self.generator } else { &self.generator_bare }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let ours = built("pulumi-resource-aws-native")?;
    let theirs = arguments.peer.as_ref().map(|folder| folder.join("pulumi-resource-aws-native"));
    let sides: Vec<PathBuf> = std::iter::once(ours).chain(theirs).collect();
    let mut figures = vec![Figures::default(); sides.len()];
    for _ in 0..arguments.runs {
        for (side, binary) in figures.iter_mut().zip(&sides) {
            let provider = Provider::start(binary).await?;
            side.start.push(provider.first_rpc_ms);
            side.idle.push(provider.resident_mib());
        }
    }
    for (side, binary) in figures.iter_mut().zip(&sides) {
        side.binary = std::fs::metadata(binary)?.len() as f64 / f64::from(1 << 20);
        measure_rpcs(side, binary, &arguments).await.with_context(|| format!("measuring {}", binary.display()))?;
    }
    for _ in 0..3 {
        measure_generators(&mut figures, arguments.peer.as_deref())?;
    }
    let stages = generator_stages(arguments.peer.as_deref())?;
    println!("{}", render(&rows(&figures)));
    println!("Stages of our generator:\n{stages}");
    println!("Medians; CPU is user and system time of the provider process. Targets are ratios ours / peer.");
    Ok(())
}

async fn measure_rpcs(side: &mut Figures, binary: &Path, arguments: &Arguments) -> Result<()> {
    let mut provider = Provider::start(binary).await?;
    for run in 0..arguments.runs {
        let (milliseconds, megabytes) = provider.schema().await?;
        side.schema_megabytes = megabytes;
        if run == 0 {
            side.schema_first = milliseconds;
        }
        side.schema.push(milliseconds);
    }
    side.after_schema = provider.resident_mib();
    let mut provider = Provider::start(binary).await?;
    provider.configure().await?;
    (side.check, side.diff) = provider.check_and_diff(arguments.calls).await?;
    Ok(())
}

/// The arguments with which our generator writes into `out`: on the peer's schemas when there is a peer.
fn generator_arguments(out: &Path, peer: Option<&Path>) -> Vec<String> {
    // The peer has no documentation to read, and prints no Rust types.
    let mut arguments = vec!["generate".to_owned(), "--without-docs".to_owned()];
    arguments.extend(["--out".to_owned(), out.display().to_string()]);
    if let Some(folder) = peer {
        let source = folder.join("src/aws-cloudformation-schema").display().to_string();
        arguments.extend(["--source".to_owned(), source]);
    }
    arguments
}

/// The table of our generator's stages.
fn generator_stages(peer: Option<&Path>) -> Result<String> {
    let out = tempfile::tempdir()?;
    let mut arguments = generator_arguments(out.path(), peer);
    arguments.push("--timings".to_owned());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    generator::printed(&built("pulumi-gen-aws-native")?, &arguments, &repository())
}

/// Both generators on the same schemas: the peer's own snapshot, or ours alone on the pinned ones. Ours runs a second
/// time on what it has just written.
fn measure_generators(figures: &mut [Figures], peer: Option<&Path>) -> Result<()> {
    let generator = built("pulumi-gen-aws-native")?;
    let out = tempfile::tempdir()?;
    let arguments = generator_arguments(out.path(), peer);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    figures[0].generator.push(generator::run(&generator, &arguments, &repository())?);
    figures[0].generator_again.push(generator::run(&generator, &arguments, &repository())?);
    let bare: Vec<&str> = arguments.iter().copied().chain(["--without-types", "--force"]).collect();
    figures[0].generator_bare.push(generator::run(&generator, &bare, &repository())?);
    if let Some(folder) = peer {
        let arguments = [
            "--schema-folder",
            "aws-cloudformation-schema",
            "--version",
            "1.84.0",
            "--metadata-folder",
            "meta",
            "schema",
        ];
        figures[1].generator.push(generator::run(
            &folder.join("pulumi-gen-aws-native"),
            &arguments,
            &folder.join("src"),
        )?);
    }
    Ok(())
}

fn rows(figures: &[Figures]) -> Vec<Row> {
    let row = |what, target, of: &dyn Fn(&Figures) -> f64| Row {
        what,
        ours: of(&figures[0]),
        peer: figures.get(1).map(of),
        target,
    };
    vec![
        row("exec to first RPC (ms)", Some(1.0 / 30.0), &|side| median(side.start.clone())),
        row("idle resident memory (MiB)", Some(0.125), &|side| median(side.idle.clone())),
        row("GetSchema, first call (ms per MB)", Some(0.5), &|side| side.schema_first / side.schema_megabytes),
        row("GetSchema (ms per MB)", Some(0.5), &|side| median(side.schema.clone()) / side.schema_megabytes),
        row("GetSchema (ms)", None, &|side| median(side.schema.clone())),
        row("package schema (MB)", None, &|side| side.schema_megabytes),
        row("resident memory after GetSchema (MiB)", None, &|side| side.after_schema),
        row("Check, CPU per call (µs)", Some(0.125), &|side| side.check),
        row("Diff, CPU per call (µs)", Some(0.125), &|side| side.diff),
        row("provider binary (MiB)", Some(0.25), &|side| side.binary),
        row("generator without typed modules (s)", Some(1.0 / 3.0), &|side| {
            median(side.bare().iter().map(|run| run.seconds).collect())
        }),
        row("generator (s)", Some(1.0 / 3.0), &|side| median(side.generator.iter().map(|run| run.seconds).collect())),
        Row {
            peer: None,
            ..row("generator, nothing changed (s)", None, &|side| {
                median(side.generator_again.iter().map(|run| run.seconds).collect())
            })
        },
        row("generator, peak memory (MiB)", Some(0.5), &|side| {
            median(side.generator.iter().map(|run| run.mebibytes).collect())
        }),
    ]
}
