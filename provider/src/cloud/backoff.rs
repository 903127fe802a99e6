//! How long to wait, as pure functions of what is known.

use std::time::Duration;

/// The longest pause that an answer's RetryAfter may ask for; a service that asks for more is polled anyway.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The shortest such pause: a time that has almost come would make a service be asked without a pause at all.
const SHORTEST_RETRY_AFTER: Duration = Duration::from_millis(50);

/// Pause before poll `index` (from 0): what the service asked for, else 0.5 s growing by half to 5 s.
pub fn poll_delay(index: u32, retry_after: Option<Duration>) -> Duration {
    if let Some(asked) = retry_after.filter(|asked| !asked.is_zero()) {
        return asked.clamp(SHORTEST_RETRY_AFTER, LONGEST_RETRY_AFTER);
    }
    Duration::from_secs_f64((0.5 * 1.5f64.powi(index.min(16).cast_signed())).min(5.0))
}

/// Pause before attempt `attempt + 1` of an operation or after failed poll `attempt` (from 1): a random share, `jitter`
/// in 0..1, of 2, 4, 8, 16 s, then 20 s.
pub fn retry_delay(attempt: u32, jitter: f64, retry_after: Option<Duration>) -> Duration {
    if let Some(asked) = retry_after.filter(|asked| !asked.is_zero()) {
        return asked.clamp(SHORTEST_RETRY_AFTER, LONGEST_RETRY_AFTER);
    }
    if attempt > 4 { Duration::from_secs(20) } else { Duration::from_secs_f64(jitter * f64::from(1 << attempt)) }
}

/// Pauses after the reads that follow a successful create or update, in order; the window closes after the last.
pub const READ_WINDOW: [Duration; 4] =
    [Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_start_quickly_and_settle_at_five_seconds() {
        let delays: Vec<u128> = (0..8).map(|index| poll_delay(index, None).as_millis()).collect();
        assert_eq!(delays, [500, 750, 1125, 1687, 2531, 3796, 5000, 5000]);
        assert_eq!(poll_delay(u32::MAX, None), Duration::from_secs(5));
        assert_eq!(poll_delay(0, Some(Duration::from_secs(7))), Duration::from_secs(7));
        assert_eq!(poll_delay(0, Some(Duration::ZERO)), Duration::from_millis(500));
        assert_eq!(poll_delay(0, Some(Duration::MAX)), Duration::from_secs(60));
        assert_eq!(poll_delay(0, Some(Duration::from_micros(1))), Duration::from_millis(50));
    }

    #[test]
    fn retries_are_jittered_up_to_twenty_seconds() {
        let delays: Vec<u64> = (1..7).map(|attempt| retry_delay(attempt, 0.5, None).as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 20, 20]);
        assert_eq!(retry_delay(9, 0.5, Some(Duration::from_secs(3))), Duration::from_secs(3));
        assert_eq!(retry_delay(1, 0.5, Some(Duration::from_micros(1))), Duration::from_millis(50));
    }
}
