//! Messages to the person who watches the deployment.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use super::event::Event;

/// How a message is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// Beside the running operation, replaced by the next one.
    Status,
    /// As a warning that stays.
    Warning,
    /// To those who look into a problem (`--debug`).
    Debug,
}

/// What this process has said and need not say again: warnings about a type, which has many resources.
#[derive(Debug, Default)]
pub struct Once(Mutex<HashSet<String>>);

impl Once {
    /// Whether the text is said for the first time.
    pub fn is_new(&self, text: &str) -> bool {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !said.contains(text) && said.insert(text.to_owned())
    }
}

/// Shows messages on a resource in the engine's display.
pub trait Notices: Send + Sync {
    /// Shows `text` on the resource `urn`; never fails, and does nothing without an engine.
    fn show<'a>(
        &'a self,
        kind: NoticeKind,
        urn: &'a str,
        text: &'a str,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

    /// An answer about the running operation of `urn`, for whoever has to tell what was interrupted.
    fn observed(&self, _urn: &str, _event: &Event) {}
}

#[cfg(test)]
mod tests {
    use super::Once;

    #[test]
    fn what_was_said_once_is_not_new() {
        let once = Once::default();
        let news = ["a", "b", "a", "b", "c"].map(|text| once.is_new(text));
        assert_eq!(news, [true, true, false, false, true]);
        assert!(Once::default().is_new("a"));
    }
}
