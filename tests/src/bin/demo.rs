//! `make demo`: tells the story of one stack, from `pulumi up` to `pulumi destroy`, with the real engine on the local Cloud
//! Control.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing the story is what this program is for")]

use std::process::ExitCode;
use std::time::Instant;

/// Tells the story of one stack on a local Cloud Control.
#[derive(clap::Parser)]
struct Arguments {
    /// How the cloud behaves: test, fast, realistic, chaos, or a profile file.
    #[arg(long, default_value = "test")]
    profile: String,
    /// Decides what goes wrong, and every generated value.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let Arguments { profile, seed } = <Arguments as clap::Parser>::parse();
    let started = Instant::now();
    println!(
        "One stack on a local Cloud Control, with the real Pulumi engine; examples/first-steps holds the program."
    );
    if profile != "test" {
        println!("The cloud has profile {profile}, seed {seed}.");
    }
    match tests::story::tell_under(&profile, seed, &mut |line| println!("{line}")) {
        Ok(_) => {
            println!(
                "\nThe story is told ({} s). examples/README.md: how to point it at a real account.",
                started.elapsed().as_secs()
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("\ndemo: the story came out differently at {error:#}");
            ExitCode::FAILURE
        }
    }
}
