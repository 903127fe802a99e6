//! `make kill`: the provider and the engine are killed at drawn points, and what became of each resource is counted.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "saying what came of it is what this program is for")]

use std::process::ExitCode;

use tests::kills::{self, tally::Outcome};

/// Kills the provider and the engine during creates, updates and deletes.
#[derive(clap::Parser)]
struct Arguments {
    /// How many kills.
    #[arg(long, default_value_t = 210)]
    count: usize,
    /// Decides who is killed, and when.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let Arguments { count, seed } = <Arguments as clap::Parser>::parse();
    match kills::run(count, seed, &mut |line| eprintln!("{line}")) {
        Ok(tally) => {
            print!("{tally}");
            if tally.count(Outcome::Lost) + tally.lost + tally.doubled == 0 {
                return ExitCode::SUCCESS;
            }
            eprintln!("kill: something was lost or exists twice");
        }
        Err(error) => eprintln!("kill: {error:#}"),
    }
    ExitCode::FAILURE
}
