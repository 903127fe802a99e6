//! What the threads of an emulator do until it stops.

use crate::core::Core;
use crate::http;
use crate::http::listener::{Connection, Listener};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// How long open connections may finish their answers once the emulator stops.
const GRACE: Duration = Duration::from_secs(4);

/// How long calls that are still computed may end after that; what does not is left behind.
const LAST: Duration = Duration::from_millis(500);

/// How often ends that nobody asks for are looked for while somebody listens.
const TICK: Duration = Duration::from_millis(100);

/// Serves everything until it is told to stop, and gives open connections some time then. The pages for tests may have a
/// port of their own.
///
/// The time is measured here and not by the runtime, whose workers may all be busy.
pub(super) fn run(
    runtime: Runtime,
    listener: Listener,
    pages: Option<Listener>,
    core: &Arc<Core>,
    stopped: oneshot::Receiver<()>,
) {
    if let Some(listener) = pages {
        runtime.spawn(serve(listener, http::pages(Arc::clone(core)), Arc::clone(core)));
    }
    let (end, ended) = channel();
    let (router, served) = (http::router(Arc::clone(core)), Arc::clone(core));
    runtime.spawn(async move {
        let ticker = tokio::spawn(tick(Arc::clone(&served)));
        serve(listener, router, served).await;
        ticker.abort();
        // Nobody waits any more once the time is over.
        let _ = end.send(());
    });
    // A dropped handle and an order to stop mean the same.
    let _ = stopped.blocking_recv();
    core.stopping.send_replace(true);
    if ended.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
        tracing::warn!("connections were still open after {GRACE:?} and were cut");
    }
    runtime.shutdown_timeout(LAST);
}

/// Serves a port until the emulator stops and its connections have ended.
async fn serve(listener: Listener, router: axum::Router, core: Arc<Core>) {
    let mut stopping = core.stopping.subscribe();
    let stop = async move {
        // The sender lives as long as the core.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    };
    let service = router.into_make_service_with_connect_info::<Connection>();
    if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(stop).await {
        tracing::error!(%error, "the server ended");
    }
}

/// Lets requests end in time for subscribers, whether anybody asks about them or not.
async fn tick(core: Arc<Core>) {
    loop {
        tokio::time::sleep(TICK).await;
        if core.bus.has_listeners() && core.options.clock.runs() {
            drop(core.txn());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::options::Options;
    use crate::schema::library::SchemaSource;
    use std::io::Write;

    #[test]
    fn an_order_to_stop_is_followed_while_every_worker_is_busy() {
        let schemas = SchemaSource::Texts(vec![r#"{"typeName":"A::B::C"}"#.to_owned()]);
        let core = Arc::new(Core::new(&schemas, Options::default()).unwrap());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (listener, address) = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            (Listener { listener, tls: None }, address)
        });
        let (stop, stopped) = oneshot::channel();
        let (done, is_done) = channel();
        let served = Arc::clone(&core);
        let held = core.txn();
        std::thread::spawn(move || {
            run(runtime, listener, None, &served, stopped);
            done.send(()).unwrap();
        });
        // Both workers wait for the state, which this test holds.
        let mut streams: Vec<_> = (0..2).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
        for stream in &mut streams {
            stream.write_all(b"GET /_emu/resources HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        }
        let early = is_done.recv_timeout(Duration::from_millis(500));
        assert_eq!(early, Err(RecvTimeoutError::Timeout), "it serves until it is told to stop");
        stop.send(()).unwrap();
        assert_eq!(is_done.recv_timeout(Duration::from_secs(6)), Ok(()));
        drop(held);
    }
}
