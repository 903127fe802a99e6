//! The wall clock, which only says how old something is that outlives the process. Waits are measured by tokio's.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time since 1970, as a function that a test can put another in the place of.
pub type Clock = fn() -> Duration;

/// The system's clock; zero when it is set to before 1970.
#[allow(clippy::disallowed_methods)] // the edge
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
