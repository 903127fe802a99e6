//! `cloudcontrol-emulator`: flags and environment in, one ready line out, then serving until SIGTERM.

mod command;
mod config_file;
mod flags;
mod remote;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run()
}
