//! The signals that stop the command, and the one that must not.

/// SIGXFSZ, by which Linux and macOS end a process that writes a file beyond `ulimit -f`.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const FILE_TOO_LARGE: i32 = 25;

/// SIGTERM and SIGINT.
pub(super) struct StopSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn new() -> std::io::Result<StopSignals> {
        use tokio::signal::unix::{SignalKind, signal};
        // Once somebody has asked for a signal it ends the process no more: the write fails as on a full disk.
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        drop(signal(SignalKind::from_raw(FILE_TOO_LARGE))?);
        Ok(StopSignals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    #[cfg(not(unix))]
    pub(super) fn new() -> std::io::Result<StopSignals> {
        Ok(StopSignals {})
    }

    #[cfg(unix)]
    pub(super) async fn received(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn received(self) {
        // Without a way to hear of Ctrl-C the process can only be ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
