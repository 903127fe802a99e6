//! Measuring a provider binary and a generator from outside, the same way for ours and for a peer.
//!
//! Figures are medians; two sides are measured in turn within one run, so that ratios survive a noisy machine.

pub mod generator;
pub mod provider;
pub mod table;

use std::path::Path;

/// A value in KiB from `/proc/PID/status` (`VmRSS`, `VmHWM`); 0 when the process is gone.
#[must_use]
pub fn memory_kib(pid: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// CPU time in nanoseconds that all living threads of a process have used.
#[must_use]
pub fn cpu_nanoseconds(pid: u32) -> u64 {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return 0 };
    let used = |path: &Path| -> Option<u64> {
        std::fs::read_to_string(path.join("schedstat")).ok()?.split_whitespace().next()?.parse().ok()
    };
    threads.filter_map(Result::ok).filter_map(|thread| used(&thread.path())).sum()
}

/// The middle of `values`; 0 when there are none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn median_is_the_middle() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(Vec::new()).abs() < f64::EPSILON);
    }
}
