//! `make scale`: what providers cost while many resources are created, updated and destroyed at once.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "saying what came of it is what this program is for")]

use std::path::PathBuf;
use std::process::ExitCode;

use tests::interop::PUBLISHED;
use tests::scale::{Side, measure, table};

/// Measures this provider, and the published one beside it.
#[derive(clap::Parser)]
struct Arguments {
    /// This provider's executable, built for release.
    #[arg(long)]
    provider: PathBuf,
    /// The folder of the published provider's `pulumi-resource-aws-native`.
    #[arg(long)]
    peer: Option<PathBuf>,
    /// How many resources.
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// A profile of the emulator by name, or a file.
    #[arg(long, default_value = "test")]
    profile: String,
    /// What the profile draws from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match run(&<Arguments as clap::Parser>::parse()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("scale: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<String> {
    let Arguments { provider, peer, count, profile, seed } = arguments;
    let ours = Side { version: env!("CARGO_PKG_VERSION").to_owned(), binary: std::path::absolute(provider)? };
    let mut costs = vec![measure(&ours, *count, profile, *seed)?];
    if let Some(peer) = peer {
        let binary = std::path::absolute(peer.join("pulumi-resource-aws-native"))?;
        costs.push(measure(&Side { version: PUBLISHED.to_owned(), binary }, *count, profile, *seed)?);
    }
    Ok(table(*count, &costs))
}
