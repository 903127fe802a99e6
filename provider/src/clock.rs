//! The wall clock, which only says how old something is that outlives the process. Waits are measured by tokio's.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, as a function that a test can put another in the place of.
pub type Clock = fn() -> u64;

/// The system's clock; 0 when it is set to before 1970.
#[allow(clippy::disallowed_methods)] // the edge
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
