//! Panics of ours become answers; the process and the other calls live on.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use tonic::Status;

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes where panics happen and logs the place. Their messages may quote values, so they are neither logged nor sent.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        if crate::panics::is_caught() {
            return;
        }
        let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        tracing::error!(%place, "a bug in the provider was hit");
        PLACE.with(|slot| *slot.borrow_mut() = Some(place));
    }));
}

/// Runs a handler; a panic inside becomes an `Internal` status that says so.
pub(super) async fn shield<T>(
    method: &str,
    about: &str,
    handler: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    let mut handler = std::pin::pin!(handler);
    std::future::poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
        Ok(poll) => poll.map_err(super::status::fitting),
        Err(_) => Poll::Ready(Err(bug(method, about))),
    })
    .await
}

fn bug(method: &str, about: &str) -> Status {
    let place = PLACE.with(|slot| slot.borrow_mut().take()).unwrap_or_else(|| "an unknown place".to_owned());
    let call = if about.is_empty() { method.to_owned() } else { format!("{method} of {about:?}") };
    Status::internal(super::status::bounded(format!(
        "{call} hit a bug in the aws-native provider, version {}, at {place}; please report it with this \
         message and the program that leads to it",
        super::VERSION
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_answer() {
        let handler = async { if VALUES.is_empty() { Ok(VALUES[std::hint::black_box(0)]) } else { Ok(1) } };
        let status = shield("Check", "urn:x", handler).await.err();
        let text = status.map(|status| (status.code(), status.message().to_owned()));
        assert!(
            matches!(&text, Some((tonic::Code::Internal, text)) if text.starts_with("Check of \"urn:x\" hit a bug")),
            "{text:?}"
        );
        let about_nothing = bug("Attach", "");
        assert!(about_nothing.message().starts_with("Attach hit a bug"), "{}", about_nothing.message());
    }

    const VALUES: &[u8] = &[];
}
