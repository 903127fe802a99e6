//! `make bench-emulator`: rates, latencies, memory and times to ready of the local Cloud Control, as a table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing the table is what this program is for")]

use anyhow::{Context, Result};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tests::load::phases::Load;
use tests::load::{Figures, Measured};

/// Measures an emulator.
#[derive(Parser)]
struct Arguments {
    /// The emulator, a release build for figures that mean something.
    #[arg(long)]
    emulator: PathBuf,
    /// Resources that are held while rates are measured.
    #[arg(long, default_value_t = 10_000)]
    held: usize,
    /// Resources in a state folder, for the time of a restart.
    #[arg(long, default_value_t = 100_000)]
    kept: usize,
    /// Connections, each with one call at a time.
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    println!("Machine: {}; the load comes from the same cores.\n", machine());
    println!("{} resources held, {} connections:\n", arguments.held, arguments.connections);
    println!("| state | call | calls | a second | p50 ms | p95 ms | p99 ms | longest ms |");
    println!("|---|---|---|---|---|---|---|---|");
    let folder = tempfile::tempdir()?;
    let state = |name: &str| folder.path().join(name);
    let mut notes = Vec::new();
    for (name, durability) in [("memory", None), ("folder, os", Some("os")), ("folder, fsync", Some("fsync"))] {
        notes.push(rates(&arguments, name, durability, &state(name)).await?);
    }
    println!();
    for note in notes {
        println!("{note}");
    }
    println!("{}", open(&arguments).await?);
    println!("\n{} resources in a state folder (os):\n", arguments.kept);
    restart(&arguments, &state("kept")).await
}

fn row(state: &str, call: &str, figures: &Figures) {
    println!(
        "| {state} | {call} | {} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} |",
        figures.count(),
        figures.rate(),
        figures.within(0.5),
        figures.within(0.95),
        figures.within(0.99),
        figures.within(1.0)
    );
}

fn flags<'f>(durability: Option<&'f str>, folder: &'f Path) -> Result<Vec<&'f str>> {
    let folder = folder.to_str().context("a folder with a readable name")?;
    Ok(durability.map_or_else(Vec::new, |durability| vec!["--state", folder, "--durability", durability]))
}

/// Rates with so many resources held; a sentence about memory and start.
async fn rates(arguments: &Arguments, name: &str, durability: Option<&str>, folder: &Path) -> Result<String> {
    let emulator = Measured::start(&arguments.emulator, &flags(durability, folder)?)?;
    let load = Load { address: emulator.address, connections: arguments.connections };
    let idle = emulator.memory_kib();
    let (_, tokens) = load.create(arguments.held, "held").await?;
    let (looks, identifiers) = load.finish(tokens).await?;
    let held = emulator.memory_kib();
    let identifiers = Arc::new(identifiers);
    let (created, more) = load.create(arguments.held, "more").await?;
    row(name, "CreateResource", &created);
    row(name, "GetResourceRequestStatus", &looks);
    let reads = arguments.held * 4;
    row(name, "GetResource", &load.read(Arc::clone(&identifiers), reads).await?);
    row(name, "ListResources", &load.list(100).await?);
    load.finish(more).await?;
    let (ready, per) =
        (emulator.ready.as_secs_f64(), (held.saturating_sub(idle) * 1024) as f64 / arguments.held as f64);
    emulator.stop()?;
    Ok(format!(
        "- {name}: ready after {ready:.2} s with {:.1} MiB; {:.1} MiB with {} resources, {:.1} kB each with its request \
         and log entries.",
        idle as f64 / 1024.0,
        held as f64 / 1024.0,
        arguments.held,
        per / 1000.0
    ))
}

/// Many requests that are open at once.
async fn open(arguments: &Arguments) -> Result<String> {
    let slow = ["--profile", "realistic", "--time-scale", "1000", "--throttle", "off"];
    let emulator = Measured::start(&arguments.emulator, &slow)?;
    let load = Load { address: emulator.address, connections: arguments.connections };
    let (created, tokens) = load.create(arguments.held, "open").await?;
    let (looks, ended) = load.look(tokens, 2).await?;
    anyhow::ensure!(ended == [None], "requests ended that should be open");
    let memory = emulator.memory_kib() as f64 / 1024.0;
    emulator.stop()?;
    Ok(format!(
        "- {} open requests: accepted at {:.0} a second, looked at at {:.0} a second, p99 {:.2} ms; {memory:.1} MiB.",
        arguments.held,
        created.rate(),
        looks.rate(),
        looks.within(0.99)
    ))
}

/// A restart with many resources.
async fn restart(arguments: &Arguments, folder: &Path) -> Result<()> {
    let flags = flags(Some("os"), folder)?;
    let emulator = Measured::start(&arguments.emulator, &flags)?;
    let load = Load { address: emulator.address, connections: arguments.connections };
    let idle = emulator.memory_kib() as f64 / 1024.0;
    let (_, tokens) = load.create(arguments.kept, "kept").await?;
    let (_, identifiers) = load.finish(tokens).await?;
    let identifiers = Arc::new(identifiers);
    let before = emulator.memory_kib() as f64 / 1024.0;
    emulator.stop()?;
    let size = std::fs::metadata(folder.join("state.redb")).map_or(0, |file| file.len()) as f64 / f64::from(1 << 20);
    let again = Measured::start(&arguments.emulator, &flags)?;
    let load = Load { address: again.address, ..load };
    let ready = again.ready;
    let memory = again.memory_kib() as f64 / 1024.0;
    println!("| state | call | calls | a second | p50 ms | p95 ms | p99 ms | longest ms |");
    println!("|---|---|---|---|---|---|---|---|");
    let reads = arguments.kept;
    row("folder, os", "GetResource", &load.read(Arc::clone(&identifiers), reads).await?);
    let alone = Load { connections: 1, ..load };
    row("folder, os", "GetResource, one connection", &alone.read(identifiers, reads / 10).await?);
    row("folder, os", "ListResources", &load.list(arguments.kept / 50).await?);
    let each = (memory - idle) * f64::from(1 << 20) / 1000.0 / arguments.kept as f64;
    println!(
        "\n- ready after {:.2} s with {memory:.1} MiB ({before:.1} MiB before, with the call log): {each:.1} kB for each \
         resource with its request; the file has {size:.0} MiB.",
        ready.as_secs_f64()
    );
    again.stop()
}

/// The processor, how many there are, and how busy they were before.
fn machine() -> String {
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpus = text("/proc/cpuinfo");
    let model =
        cpus.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1)).unwrap_or("unknown").trim();
    let load = text("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("?");
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{count} × {model}, load before {load}")
}
