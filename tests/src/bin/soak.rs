//! `make emulator-soak`: eight clients on the local Cloud Control with profile chaos, and a comparison at the end.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "saying what came of it is what this program is for")]

use std::process::ExitCode;
use std::time::Duration;

/// Lets clients work on a cloud where everything goes wrong now and then.
#[derive(clap::Parser)]
struct Arguments {
    /// For how long.
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    /// Decides what goes wrong, and what the clients do.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A profile by name, or a file.
    #[arg(long, default_value = "chaos")]
    profile: String,
}

fn main() -> ExitCode {
    let Arguments { seconds, seed, profile } = <Arguments as clap::Parser>::parse();
    match tests::soak::soak(&profile, seed, 8, Duration::from_secs(seconds)) {
        Ok(outcome) => {
            println!("soak: {outcome}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("soak: {error:#}");
            ExitCode::FAILURE
        }
    }
}
