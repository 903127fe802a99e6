//! Answers on bad connections: late ones, broken ones, none at all.

use super::Answer;
use super::listener::Connection;
use crate::core::Core;
use crate::faults::WireFault;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Response};
use hyper::body::Frame;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Sends an answer, or does what the rules want with its connection. Over HTTP/2 all calls of a connection share its
/// fate.
pub(super) async fn respond(core: &Core, answer: Answer, connection: Connection, id: &str) -> Response<Body> {
    match answer.wire {
        None | Some(WireFault::Twice) => answer.respond(id),
        Some(WireFault::Delay(wait)) => {
            or_stopped(core, wait).await;
            answer.respond(id)
        }
        Some(WireFault::Hang(wait)) => {
            or_stopped(core, wait).await;
            connection.close();
            std::future::pending().await
        }
        Some(WireFault::Reset | WireFault::ResetAfter) => {
            connection.reset();
            // The connection takes this call with it when it ends.
            std::future::pending().await
        }
        Some(WireFault::Truncate { bytes }) => {
            let mut response = answer.respond(id);
            let whole = std::mem::take(response.body_mut());
            let length = whole.size_hint().exact().unwrap_or_default();
            // A body that is in memory comes whole.
            let whole = axum::body::to_bytes(whole, usize::MAX).await.unwrap_or_default();
            let part = whole.slice(..bytes.min(whole.len().saturating_sub(1)));
            if let Ok(length) = HeaderValue::from_str(&length.to_string()) {
                response.headers_mut().insert("content-length", length);
            }
            *response.body_mut() = Body::new(Cut { part: Some(part), is_sent: false, connection });
            response
        }
    }
}

/// Waits, but not longer than the emulator runs.
async fn or_stopped(core: &Core, wait: Duration) {
    let mut stopping = core.stopping.subscribe();
    tokio::select! {
        () = tokio::time::sleep(wait) => {}
        // The sender is the core's; it cannot be gone.
        _ = stopping.wait_for(|is_stopping| *is_stopping) => {}
    }
}

/// A body that breaks off, and its connection with it.
struct Cut {
    part: Option<Bytes>,
    /// Whether the connection has had a chance to send the part.
    is_sent: bool,
    connection: Connection,
}

impl HttpBody for Cut {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(part) = self.part.take().filter(|part| !part.is_empty()) {
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        if self.is_sent {
            self.connection.close();
        } else {
            // What is waiting to be sent goes out before this is asked again.
            self.is_sent = true;
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}
