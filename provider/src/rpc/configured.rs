//! What Configure makes, published once and never changed.

use std::sync::{Arc, PoisonError, RwLock};

use super::Cloud;
use crate::config::Configuration;
use crate::journal::Journal;
use crate::tags::TagRules;

/// A configured provider.
pub(super) struct Configured {
    /// What it was configured with.
    pub(super) configuration: Configuration,
    /// The way to the cloud.
    pub(super) cloud: Cloud,
    /// The region that it works in.
    pub(super) region: String,
    /// Which tags it hides.
    pub(super) tags: &'static TagRules,
    /// Creations that the state may not have.
    pub(super) journal: Arc<Journal>,
}

/// The place of the one configuration.
#[derive(Default)]
pub(super) struct Slot {
    current: RwLock<Option<Arc<Configured>>>,
    /// Held while a Configure runs, so that two of them cannot both be the first.
    pub(super) configuring: tokio::sync::Mutex<()>,
}

impl Slot {
    pub(super) fn get(&self) -> Option<Arc<Configured>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, configured: Configured) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(configured));
    }
}
