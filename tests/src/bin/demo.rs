//! `make demo`: tells the story of one stack, from `pulumi up` to `pulumi destroy`, with the real engine on the local Cloud
//! Control.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing the story is what this program is for")]

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let started = Instant::now();
    println!(
        "One stack on a local Cloud Control, with the real Pulumi engine; examples/first-steps holds the program."
    );
    match tests::story::tell(&mut |line| println!("{line}")) {
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
