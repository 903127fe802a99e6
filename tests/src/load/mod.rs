//! Loading an emulator from outside: many calls over connections that stay open, and how long each took.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | figures of many calls, and the process that is measured |
//! | [`client`] | HTTP/1.1 by hand, so that the client costs little |
//! | [`phases`] | what is done to the emulator |

pub mod client;
pub mod phases;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How many calls there were, in what time, and how long each took.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Microseconds of each call, sorted.
    micros: Vec<u32>,
    /// From the first call to the end of the last.
    pub elapsed: Duration,
}

impl Figures {
    /// The figures of calls, in any order.
    #[must_use]
    pub fn new(mut micros: Vec<u32>, elapsed: Duration) -> Figures {
        micros.sort_unstable();
        Figures { micros, elapsed }
    }

    /// How many calls there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.micros.len()
    }

    /// Calls a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.micros.len() as f64 / self.elapsed.as_secs_f64().max(f64::EPSILON)
    }

    /// The time in milliseconds within which this share of the calls was answered, 0 to 1; 0 when there were none.
    #[must_use]
    pub fn within(&self, share: f64) -> f64 {
        let last = self.micros.len().saturating_sub(1);
        let at = (last as f64 * share.clamp(0.0, 1.0)).round() as usize;
        f64::from(self.micros.get(at).copied().unwrap_or_default()) / 1000.0
    }
}

/// A running emulator.
pub struct Measured {
    process: Child,
    /// Where it serves.
    pub address: SocketAddr,
    /// From the start of the process to the ready line.
    pub ready: Duration,
}

impl Measured {
    /// Starts an emulator and waits for its ready line.
    ///
    /// # Errors
    ///
    /// When it does not start, or says something else.
    pub fn start(program: &Path, flags: &[&str]) -> Result<Measured> {
        let began = Instant::now();
        let mut process = Command::new(program)
            .args(["--port", "0", "--json"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let stdout = process.stdout.take().context("the emulator has no standard output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let ready = began.elapsed();
        let said: Json = serde_json::from_str(&line).with_context(|| format!("the emulator said {line:?}"))?;
        let address = said["url"].as_str().and_then(|url| url.strip_prefix("http://")).context("no address")?;
        Ok(Measured { address: address.parse()?, process, ready })
    }

    /// The memory of the process in KiB.
    #[must_use]
    pub fn memory_kib(&self) -> u64 {
        crate::bench::memory_kib(self.process.id(), "VmRSS")
    }

    /// Stops it in order.
    ///
    /// # Errors
    ///
    /// When it does not end with code 0.
    pub fn stop(mut self) -> Result<()> {
        let status = Command::new("kill").arg(self.process.id().to_string()).status()?;
        ensure!(status.success(), "the emulator could not be told to stop");
        let ended = self.process.wait()?;
        ensure!(ended.success(), "the emulator ended with {ended}");
        Ok(())
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        // One that was stopped is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shares_of_the_sorted_calls() {
        let figures = Figures::new((1..=1_000).rev().collect(), Duration::from_secs(2));
        assert!(figures.count() == 1_000 && (figures.rate() - 500.0).abs() < 1e-9);
        for (share, expected) in [(0.0, 0.001), (0.5, 0.501), (0.99, 0.990), (1.0, 1.0)] {
            assert!((figures.within(share) - expected).abs() < 0.002, "{share}");
        }
        assert!(Figures::default().within(0.5).abs() < f64::EPSILON);
    }
}
