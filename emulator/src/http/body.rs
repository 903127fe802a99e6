//! Reading the body of a request.
//!
//! A server that answers before it has read everything closes a connection that the client still writes to, and the
//! client learns of a broken pipe instead of the answer. So what is too much is read all the same and thrown away.

use axum::body::{Body, HttpBody};
use axum::http::request::Parts;
use std::future::poll_fn;
use std::pin::Pin;

/// The largest body that is kept. The service's own limit is 262,144 characters for each of its documents.
pub(super) const LIMIT: usize = 2 << 20;
/// The largest body of an object or a payload: 16 MiB, and room for how it is sent in chunks.
const LARGE: usize = 17 << 20;
/// The largest snapshot.
const SNAPSHOT: usize = 128 << 20;
/// The largest body that is read to its end; whoever sends more meets a closed connection.
const PATIENCE: usize = 256 << 20;

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// It is larger than the limit.
    TooLarge,
    /// It broke off, or is not what its headers say.
    Broken,
}

/// How large a body may be, as far as the head of the request tells.
pub(super) fn limit(parts: &Parts) -> usize {
    let is_form =
        parts.headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-"));
    match parts.uri.path() {
        "/_emu/snapshot" => SNAPSHOT,
        "/" => LIMIT,
        _ if is_form || parts.headers.contains_key("x-amz-target") => LIMIT,
        _ => LARGE,
    }
}

/// Reads a body to its end.
pub(super) async fn read(body: Body, limit: usize) -> Result<Vec<u8>, BodyError> {
    read_within(body, limit, PATIENCE).await
}

pub(crate) async fn read_within(mut body: Body, limit: usize, patience: usize) -> Result<Vec<u8>, BodyError> {
    let mut kept = Vec::new();
    let mut length: usize = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame.map_err(|_| BodyError::Broken)?.into_data() else { continue };
        length = length.saturating_add(data.len());
        if length > patience {
            break;
        }
        match length <= limit {
            true => kept.extend_from_slice(&data),
            false => kept = Vec::new(),
        }
    }
    if length > limit { Err(BodyError::TooLarge) } else { Ok(kept) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn bodies_are_kept_up_to_the_limit() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (length, expected) in
            [(0, Ok(0)), (4, Ok(4)), (5, Err(BodyError::TooLarge)), (50, Err(BodyError::TooLarge))]
        {
            let body = Body::from("x".repeat(length));
            let read = runtime.block_on(read_within(body, 4, 8));
            assert_eq!(read.map(|bytes| bytes.len()), expected, "{length}");
        }
    }
}
