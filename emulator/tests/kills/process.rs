//! A process that is killed.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running emulator, which ends with its handle.
pub(crate) struct Process(Child);

impl Process {
    /// Ends it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an emulator and waits for its ready line.
pub(crate) fn start(schemas: &Path, folder: &Path, durability: &str) -> (Process, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
    command.arg("--schemas").arg(schemas).arg("--state").arg(folder).args(["--durability", durability, "--json"]);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    let port = ready["url"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap();
    (Process(process), port)
}
