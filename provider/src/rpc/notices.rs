//! Messages of the cloud client, by way of the engine.

use std::pin::Pin;

use protocol::engine::EngineClient;

use super::InFlight;
use crate::cloud::event::Event;
use crate::cloud::notices::{NoticeKind, Notices};
use crate::cloud::tap;

/// Shows messages in the engine's display.
pub(super) struct EngineNotices(pub(super) EngineClient, pub(super) InFlight);

impl Notices for EngineNotices {
    fn show<'a>(
        &'a self,
        kind: NoticeKind,
        urn: &'a str,
        text: &'a str,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        match kind {
            NoticeKind::Status => {
                tap::said("info status", text);
                Box::pin(self.0.status(urn, text))
            }
            // In the log of RPCs it would say what the request says that stands beside it.
            NoticeKind::Debug => Box::pin(self.0.debug(urn, text)),
            NoticeKind::Warning => {
                tap::said("warning", text);
                Box::pin(self.0.warning(urn, text))
            }
        }
    }

    fn observed(&self, urn: &str, event: &Event) {
        self.1.observe(urn, event.request_token.as_deref(), event.identifier.as_deref());
    }
}
