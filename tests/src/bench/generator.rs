//! Time and memory of a generator run.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::memory_kib;

/// Seconds and MiB (peak) of one run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Run {
    /// Wall clock.
    pub seconds: f64,
    /// Largest resident set.
    pub mebibytes: f64,
}

/// Runs `program` once in `folder`.
///
/// # Errors
///
/// When it cannot be started or fails.
pub fn run(program: &Path, arguments: &[&str], folder: &Path) -> Result<Run> {
    let started = Instant::now();
    let mut process = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut peak = 0;
    loop {
        // The peak survives in VmHWM, so a sample near the end is enough.
        peak = peak.max(memory_kib(process.id(), "VmHWM"));
        if let Some(status) = process.try_wait()? {
            ensure!(status.success(), "{} ended with {status}", program.display());
            break;
        }
        pause(Duration::from_millis(2));
    }
    Ok(Run { seconds: started.elapsed().as_secs_f64(), mebibytes: peak as f64 / 1024.0 })
}

/// What `program` prints on standard output, run once in `folder`.
///
/// # Errors
///
/// When it cannot be started or fails.
pub fn printed(program: &Path, arguments: &[&str], folder: &Path) -> Result<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output()?;
    ensure!(output.status.success(), "{} ended with {}", program.display(), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[allow(clippy::disallowed_methods, reason = "a sampling interval of a measurement, nothing waits for it")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
