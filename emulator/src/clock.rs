//! Time as the emulator sees it: the system's, one that began elsewhere, or one that tests move.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Where the emulator reads the time. All durations, life cycles and time-to-live limits follow it. Clones are the same
/// clock, and it never goes back, whatever the system's clock does.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    pace: Pace,
    /// What was added by [`Clock::advance`].
    offset: Duration,
    latest: SystemTime,
}

#[derive(Debug)]
enum Pace {
    System,
    From { start: SystemTime, since: Instant },
    Still(SystemTime),
}

/// What a clock must be told to go on where it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClockState {
    /// What was added to the pace.
    pub(crate) offset: Duration,
    /// Milliseconds since 1970 at the time of writing.
    pub(crate) now: u64,
}

impl Clock {
    fn new(pace: Pace) -> Clock {
        Clock(Arc::new(Mutex::new(Inner { pace, offset: Duration::ZERO, latest: SystemTime::UNIX_EPOCH })))
    }

    /// The clock of the system.
    pub fn system() -> Clock {
        Clock::new(Pace::System)
    }

    /// A clock that stands still at `start` until it is advanced.
    pub fn by_hand(start: SystemTime) -> Clock {
        Clock::new(Pace::Still(start))
    }

    /// A clock that shows `start` now and goes on at the real pace.
    pub fn from(start: SystemTime) -> Clock {
        Clock::new(Pace::From { start, since: Instant::now() })
    }

    /// The present time.
    #[allow(clippy::disallowed_methods, reason = "this is the one place where the clock is read")]
    pub fn now(&self) -> SystemTime {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pace = match &inner.pace {
            Pace::System => SystemTime::now(),
            Pace::From { start, since } => *start + since.elapsed(),
            Pace::Still(time) => *time,
        };
        inner.latest = inner.latest.max(pace.checked_add(inner.offset).unwrap_or(pace));
        inner.latest
    }

    /// Moves the clock ahead.
    pub fn advance(&self, by: Duration) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.offset = inner.offset.saturating_add(by);
    }

    /// Whether time passes by itself.
    pub(crate) fn runs(&self) -> bool {
        !matches!(self.0.lock().unwrap_or_else(PoisonError::into_inner).pace, Pace::Still(_))
    }

    /// What another clock must be told to go on from here.
    pub(crate) fn offset(&self) -> ClockState {
        let now = crate::store::txn::milliseconds(self.now());
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ClockState { offset: inner.offset, now }
    }

    /// Goes on where another clock was: ahead of the pace by as much, and not before the time it had reached.
    pub(crate) fn resume(&self, state: ClockState) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reached = crate::store::txn::time(state.now);
        inner.offset = inner.offset.max(state.offset);
        inner.latest = inner.latest.max(reached);
        // A clock that began elsewhere would stand still until it comes by again.
        let pace = match &inner.pace {
            Pace::System => return,
            Pace::From { start, since } => *start + since.elapsed(),
            Pace::Still(time) => *time,
        };
        if let Ok(ahead) = reached.duration_since(pace) {
            inner.offset = inner.offset.max(ahead);
        }
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::system()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_never_go_back_and_all_can_be_advanced() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        for clock in [Clock::system(), Clock::from(start), Clock::by_hand(start)] {
            let before = clock.now();
            clock.clone().advance(Duration::from_secs(60));
            assert!(clock.now() >= before + Duration::from_secs(60), "{clock:?}");
        }
        assert!(Clock::from(start).now() < start + Duration::from_secs(3_600));
    }

    #[test]
    fn a_clock_goes_on_where_another_was() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let first = Clock::by_hand(start);
        first.advance(Duration::from_secs(5));
        let second = Clock::by_hand(start);
        second.resume(first.offset());
        assert_eq!(second.now(), first.now());
    }
}
