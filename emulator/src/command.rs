//! The command: what can be said to it and how it answers. Everything it does is in the library.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the verbs, and how they end |
//! | [`arguments`] | what can be chosen about serving |
//! | [`serve`](mod@serve) | serving until a signal comes |
//! | [`signals`] | the signals |

mod arguments;
mod serve;
mod signals;

use arguments::Serve;
use serve::serve;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use emulator::{EmulatorError, SchemaSource};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::remote;

/// Wrong flags or values.
const USAGE: u8 = 2;

/// A local AWS Cloud Control, driven by the CloudFormation resource schemas.
///
/// Point any client at the printed URL with AWS_ENDPOINT_URL and any credentials. State is in memory unless --state names
/// a folder. Every flag is also a variable CLOUDCONTROL_EMULATOR_NAME and a key of the --config file. Exit codes: 0 stopped
/// by SIGTERM or SIGINT, 2 usage, 3 state, 4 port, 5 schemas.
#[derive(Debug, Parser)]
#[command(name = "cloudcontrol-emulator", version, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Reads the schemas, says what was found, and exits: 0 for all well, 1 for warnings, 5 for no usable schemas.
    Check {
        /// A folder or .zip archive of schema files, a .json file or a bundle; several in order, later ones replace types of
        /// earlier ones; `embedded`, the default, is what this build carries.
        #[arg(long, value_name = "DIR|ZIP", env = "CLOUDCONTROL_EMULATOR_SCHEMAS", value_delimiter = ',')]
        schemas: Vec<PathBuf>,
    },
    /// Changes resources of a running emulator behind their owners' backs.
    #[command(subcommand)]
    Drift(remote::Drift),
    /// Makes a running emulator misbehave.
    #[command(subcommand)]
    Rules(remote::Rules),
    /// Writes the JSON schemas of profile files.
    #[command(hide = true)]
    JsonSchemas {
        /// Where to.
        folder: PathBuf,
    },
}

/// Runs the command and says how it ended.
pub(crate) fn run() -> ExitCode {
    let parsed = Command::try_parse().and_then(|command| match command.serve.config.clone() {
        Some(file) if command.verb.is_none() => {
            let with_defaults = crate::config_file::with_defaults(Command::command(), &file)
                .map_err(|reason| Command::command().error(ErrorKind::InvalidValue, reason))?;
            with_defaults.try_get_matches().and_then(|found| Command::from_arg_matches(&found))
        }
        _ => Ok(command),
    });
    let command = match parsed {
        Ok(command) => command,
        Err(error) => {
            let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Without a terminal to print to there is nobody to tell.
            let _ = error.print();
            return if is_answer { ExitCode::SUCCESS } else { ExitCode::from(USAGE) };
        }
    };
    match command.verb {
        Some(Verb::Check { schemas }) => check(SchemaSource::of_paths(schemas)),
        Some(Verb::JsonSchemas { folder }) => json_schemas(&folder),
        Some(Verb::Drift(verb)) => told(remote::drift(verb)),
        Some(Verb::Rules(verb)) => told(remote::rules(verb)),
        None => serve(command.serve),
    }
}

/// Prints what a running emulator answered.
fn told(answer: Result<String, String>) -> ExitCode {
    match answer {
        Ok(text) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "cloudcontrol-emulator: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn json_schemas(folder: &Path) -> ExitCode {
    for (name, text) in emulator::json_schemas() {
        if let Err(source) = write_whole(&folder.join(name), text.trim_end()) {
            return fail(&EmulatorError::Options {
                reason: format!("{name} cannot be written to {}: {source}", folder.display()),
            });
        }
    }
    ExitCode::SUCCESS
}

fn check(source: SchemaSource) -> ExitCode {
    let report = match emulator::check_schemas(&source) {
        Ok(report) => report,
        Err(error) => return fail(&error),
    };
    say(&format!("{report}"));
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Writes a file so that nobody ever sees a part of it.
fn write_whole(file: &Path, line: &str) -> std::io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = file.with_file_name(name);
    std::fs::write(&temporary, format!("{line}\n"))?;
    std::fs::rename(&temporary, file).inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that is gone is no reason to stop serving.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn fail(error: &EmulatorError) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "cloudcontrol-emulator: {error}");
    ExitCode::from(error.exit_code())
}
