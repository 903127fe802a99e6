//! What the threads of an emulator do until it stops.

use crate::core::Core;
use crate::http;
use crate::http::listener::{Connection, Listener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long open connections may finish their answers once the emulator stops.
const GRACE: Duration = Duration::from_secs(4);

/// How often ends that nobody asks for are looked for while somebody listens.
const TICK: Duration = Duration::from_millis(100);

/// Serves everything until it is told to stop, and gives open connections some time then.
pub(super) async fn serve(listener: Listener, core: Arc<Core>, stopped: oneshot::Receiver<()>) {
    let (tell, told) = oneshot::channel();
    let stopping = Arc::clone(&core);
    let stop = async move {
        // A dropped handle and an order to stop mean the same.
        let _ = stopped.await;
        stopping.stopping.send_replace(true);
        let _ = tell.send(());
    };
    let ticker = tokio::spawn(tick(Arc::clone(&core)));
    let service = http::router(core).into_make_service_with_connect_info::<Connection>();
    let server = axum::serve(listener, service).with_graceful_shutdown(stop);
    let grace = async {
        let _ = told.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        result = async { server.await } => {
            if let Err(error) = result {
                tracing::error!(%error, "the server ended");
            }
        }
        () = grace => tracing::warn!("connections were still open after {GRACE:?} and were cut"),
    }
    ticker.abort();
}

/// Serves the pages for tests on a port of their own; they end with everything else.
pub(super) async fn serve_pages(listener: Listener, core: Arc<Core>) {
    let mut stopping = core.stopping.subscribe();
    let service = http::pages(core).into_make_service_with_connect_info::<Connection>();
    let stop = async move {
        // The sender lives as long as the core.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    };
    if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(stop).await {
        tracing::error!(%error, "the pages ended");
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
