//! `pulumi-gen-aws-native`: from CloudFormation resource type schemas to everything that is generated.
//!
//! The commands are the edge: they read files, write files and speak to people. What they do with schemas is in the
//! library.

mod commands;

use std::process::ExitCode;

use clap::Parser;

/// A run makes and drops millions of small values: a quarter less time than with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = commands::Cli::parse();
    match cli.run() {
        Ok(commands::Outcome::Done) => ExitCode::SUCCESS,
        Ok(commands::Outcome::Refused) => ExitCode::from(2),
        Err(error) => {
            commands::report_error(&error);
            ExitCode::FAILURE
        }
    }
}
