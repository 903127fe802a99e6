//! How long the stages of a run take, how much they make, and how much memory the process has used by then.

use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The stages of a run, as they end. Stages on two threads may overlap.
#[derive(Debug)]
pub struct Stages {
    start: Instant,
    ended: Mutex<Vec<Stage>>,
}

/// One stage that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stage {
    name: &'static str,
    time: Duration,
    bytes: usize,
    /// Largest resident set of the process so far, in KiB, where the system tells.
    peak: Option<u64>,
}

impl Stages {
    /// Starts the clock.
    pub fn start() -> Self {
        Self { start: Instant::now(), ended: Mutex::default() }
    }

    /// Carries out a stage; `bytes` says of its result how much was read or made.
    pub fn stage<T>(&self, name: &'static str, work: impl FnOnce() -> T, bytes: impl FnOnce(&T) -> usize) -> T {
        let start = Instant::now();
        let result = work();
        let stage = Stage { name, time: start.elapsed(), bytes: bytes(&result), peak: peak_kib() };
        self.ended.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(stage);
        result
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// The table that `--timings` prints.
    pub fn table(&self) -> String {
        let ended = self.ended.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        table(&ended, self.start.elapsed())
    }
}

fn table(stages: &[Stage], total: Duration) -> String {
    let line = |name: &str, time: Duration, bytes: Option<usize>, peak: Option<u64>| {
        let time = format!("{:.1}", time.as_secs_f64() * 1e3);
        let bytes = bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{:.2}", bytes as f64 / 1e6));
        let peak = peak.map_or_else(|| "–".to_owned(), |kib| format!("{:.0}", kib as f64 / 1024.0));
        format!("{name:<32}{time:>10}{bytes:>10}{peak:>12}\n")
    };
    let mut text = format!("{:<32}{:>10}{:>10}{:>12}\n", "stage", "ms", "MB", "peak MiB");
    for stage in stages {
        text.push_str(&line(stage.name, stage.time, Some(stage.bytes), stage.peak));
    }
    let peak = stages.iter().filter_map(|stage| stage.peak).max();
    let _ = write!(text, "{}", line("all, stages overlap", total, None, peak));
    text
}

/// Largest resident set of this process so far, in KiB.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_as_a_table() {
        let stage =
            |name, milliseconds, bytes, peak| Stage { name, time: Duration::from_millis(milliseconds), bytes, peak };
        let stages = [stage("read schemas", 240, 17_000_000, Some(20 << 10)), stage("reports", 1, 512, None)];
        let expected = "\
stage                                   ms        MB    peak MiB
read schemas                         240.0     17.00          20
reports                                1.0      0.00           –
all, stages overlap                  250.0         –          20
";
        assert_eq!(table(&stages, Duration::from_millis(250)), expected);
    }

    #[test]
    fn a_stage_gives_its_result() {
        let stages = Stages::start();
        assert_eq!(stages.stage("count", || 7, |seven| *seven), 7);
        assert!(stages.table().contains("\ncount "));
    }
}
