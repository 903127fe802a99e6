//! `make interop`: stacks go from the published provider to this one and back.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "saying what came of it is what this program is for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tests::interop::Interop;

/// Hands stacks from the published provider to this one and back.
#[derive(clap::Parser)]
struct Arguments {
    /// The folder of the published provider's `pulumi-resource-aws-native`.
    #[arg(long)]
    peer: PathBuf,
    /// Write down the state and the cloud that the tests begin with.
    #[arg(long)]
    record: bool,
}

fn main() -> ExitCode {
    let Arguments { peer, record } = <Arguments as clap::Parser>::parse();
    match ways(&peer.join("pulumi-resource-aws-native"), record) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("interop: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The three ways of a stack between the providers, each on a cloud of its own.
fn ways(peer: &Path, record: bool) -> anyhow::Result<()> {
    let mut tell = |line: &str| println!("{line}");
    Interop::new(Some(peer), &mut tell)?.there_and_back(record)?;
    Interop::new(Some(peer), &mut tell)?.back()?;
    Interop::new(Some(peer), &mut tell)?.after_refreshes()
}
