//! Time as the emulator sees it; tests move it by hand.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Where the emulator reads the time. All durations, life cycles and time-to-live limits follow it.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// `None` is the system's clock.
    by_hand: Option<Arc<Mutex<SystemTime>>>,
}

impl Clock {
    /// The clock of the system.
    pub fn system() -> Clock {
        Clock::default()
    }

    /// A clock that stands still at `start` until it is advanced. Clones are the same clock.
    pub fn by_hand(start: SystemTime) -> Clock {
        Clock { by_hand: Some(Arc::new(Mutex::new(start))) }
    }

    /// The present time.
    #[allow(clippy::disallowed_methods, reason = "this is the one place where the clock is read")]
    pub fn now(&self) -> SystemTime {
        match &self.by_hand {
            Some(time) => *time.lock().unwrap_or_else(PoisonError::into_inner),
            None => SystemTime::now(),
        }
    }

    /// Moves a clock that is moved by hand; does nothing to the system's.
    pub fn advance(&self, by: Duration) {
        if let Some(time) = &self.by_hand {
            *time.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
