//! Messages to the person who watches the deployment.

use std::pin::Pin;

use super::event::Event;

/// How a message is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// Beside the running operation, replaced by the next one.
    Status,
    /// As a warning that stays.
    Warning,
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
