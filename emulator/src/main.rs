//! `cloudcontrol-emulator`: flags and environment in, one ready line out, then serving until SIGTERM.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run()
}
