//! How an emulator behaves where the service leaves room or is slow.

use crate::clock::Clock;
use std::time::Duration;

/// How long operations take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// No waiting: the first look at a request shows it running, the second finished.
    #[default]
    Test,
    /// A hundredth of realistic durations.
    Fast,
    /// Durations as in the field, mostly one to five seconds.
    Realistic,
}

impl Profile {
    /// What durations are multiplied with unless a time scale is given.
    pub(crate) fn time_scale(self) -> f64 {
        match self {
            Profile::Test => 0.0,
            Profile::Fast => 0.01,
            Profile::Realistic => 1.0,
        }
    }

    /// How many looks a request needs before it may be finished.
    pub(crate) fn looks(self) -> u32 {
        match self {
            Profile::Test => 2,
            Profile::Fast | Profile::Realistic => 0,
        }
    }
}

/// How much of a model a list or an event shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// The parts of the identifier only.
    Identifier,
    /// Everything that a read shows.
    Full,
    /// One or the other by type, as in the field.
    #[default]
    Mixed,
}

impl Detail {
    /// Whether a type shows full models; of `Mixed`, one type in `sparse_of` does not.
    pub(crate) fn is_full(self, type_name: &str, sparse_of: u32) -> bool {
        let hash = type_name.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        match self {
            Detail::Identifier => false,
            Detail::Full => true,
            Detail::Mixed => hash % sparse_of != 0,
        }
    }
}

/// Everything that can be chosen about the behavior of an emulator.
#[derive(Debug, Clone)]
pub struct Options {
    /// Decides every generated value. Default 1.
    pub seed: u64,
    /// How long operations take. Default [`Profile::Test`].
    pub profile: Profile,
    /// Multiplies durations, instead of what the profile says; 0 is no waiting.
    pub time_scale: Option<f64>,
    /// Whether reads show the defaults that schemas declare. Default true.
    pub defaults: bool,
    /// Whether a read-only property in a desired state is an error; otherwise it is dropped. Default true.
    pub refuses_read_only: bool,
    /// What lists show. Default [`Detail::Mixed`].
    pub list_model: Detail,
    /// What events show. Default [`Detail::Mixed`].
    pub event_model: Detail,
    /// The account of calls whose access key says nothing. Default 123456789012.
    pub account: String,
    /// The region of calls that are not signed. Default us-east-1.
    pub region: String,
    /// How long a client token means the same request. Default 36 hours.
    pub client_token_ttl: Duration,
    /// How long requests can be asked about. Default 7 days.
    pub request_ttl: Duration,
    /// Where the time comes from. Default the system.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 1,
            profile: Profile::default(),
            time_scale: None,
            defaults: true,
            refuses_read_only: true,
            list_model: Detail::default(),
            event_model: Detail::default(),
            account: "123456789012".to_owned(),
            region: "us-east-1".to_owned(),
            client_token_ttl: Duration::from_secs(36 * 3600),
            request_ttl: Duration::from_secs(7 * 24 * 3600),
            clock: Clock::system(),
        }
    }
}
