//! A resource that exists: its model as text, and what it can be found by.

use crate::entropy::Digest;
use crate::faults::RuleId;
use serde::{Deserialize, Serialize};

/// A resource that exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Resource {
    /// The text of the primary identifier.
    pub(crate) identifier: Box<str>,
    /// The whole model as compact JSON, write-only values included.
    pub(crate) model: Box<str>,
    /// A digest of the values of each additional identifier, `None` where the model lacks one.
    pub(crate) additional: Box<[Option<Digest>]>,
    /// A digest of the values that the list handler asks for, when all of them are in the model.
    pub(crate) list_key: Option<Digest>,
    /// Milliseconds of the emulator's clock.
    pub(crate) created: u64,
    /// As `created`; the last change.
    pub(crate) changed: u64,
    /// The order of creation, which lists follow.
    pub(crate) sequence: u64,
    /// The state version of the last change.
    pub(crate) version: u64,
    /// What reads see instead for a while.
    pub(crate) haunted: Option<Box<Haunt>>,
}

/// A resource as a caller hands it in; the store adds sequence, version and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewResource {
    pub(crate) identifier: Box<str>,
    pub(crate) model: Box<str>,
    pub(crate) additional: Box<[Option<Digest>]>,
    pub(crate) list_key: Option<Digest>,
    pub(crate) haunted: Option<Box<Haunt>>,
}

/// What reads see of a resource that exists: nothing, or an older model. In a plan the times count from the end of the
/// request, on a resource they are milliseconds of the emulator's clock.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Haunt {
    /// GetResource does not find it before this.
    pub(crate) missing_until: u64,
    /// Nor for this many reads.
    pub(crate) missing_reads: u32,
    /// ListResources leaves it out before this.
    pub(crate) unlisted_until: u64,
    /// Reads show `stale` before this.
    pub(crate) stale_until: u64,
    /// The model that was there before.
    pub(crate) stale: Option<Box<str>>,
    /// The rule behind it.
    #[serde(default)]
    pub(crate) rule: Option<RuleId>,
}

impl Haunt {
    /// The times of a plan as times of the clock.
    pub(crate) fn from(self, at: u64) -> Haunt {
        let moved = |time: u64| if time == 0 { 0 } else { at.saturating_add(time) };
        Haunt {
            missing_until: moved(self.missing_until),
            unlisted_until: moved(self.unlisted_until),
            stale_until: moved(self.stale_until),
            ..self
        }
    }
}
