//! An emulator on a port: how one is built, started and stopped.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | an emulator that runs |
//! | [`builder`] | saying how one shall be, and starting it |
//! | [`serve`](mod@serve) | what its threads do until it stops |

mod builder;
mod serve;

pub use builder::EmulatorBuilder;

use crate::admin::Admin;
use crate::error::EmulatorError;
use std::net::SocketAddr;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// An emulator that serves on the loopback interface until it is dropped.
///
/// It runs on threads of its own, so a test may block while it talks to it.
#[derive(Debug)]
pub struct Emulator {
    address: SocketAddr,
    scheme: &'static str,
    /// Where the pages for tests are, when they have a port of their own.
    admin_address: Option<SocketAddr>,
    admin: Admin,
    type_count: usize,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<Result<(), String>>>,
}

impl Emulator {
    /// An emulator with the embedded schemas, on a free port, with the default [`Options`](crate::Options).
    pub fn builder() -> EmulatorBuilder {
        EmulatorBuilder::default()
    }

    /// Where it serves, `http://127.0.0.1:PORT`; `https` with TLS.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Where the pages for tests are; the same address unless they have a port of their own.
    pub fn admin_url(&self) -> String {
        format!("{}://{}", self.scheme, self.admin_address.unwrap_or(self.address))
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What a test can ask of it and do to it.
    pub fn admin(&self) -> Admin {
        self.admin.clone()
    }

    /// How many resource types it knows.
    pub fn type_count(&self) -> usize {
        self.type_count
    }

    /// Stops accepting, finishes answers and returns when everything has ended, after five seconds at the latest.
    /// Dropping does the same.
    pub fn stop(mut self) {
        // What was lost has been logged, and every call that it concerned was answered with an error.
        let _ = self.end();
    }

    /// [`Emulator::stop`] for whoever wants to know whether the state folder holds everything.
    ///
    /// # Errors
    ///
    /// [`EmulatorError::Unkept`] when it could not be written at some time.
    pub fn close(mut self) -> Result<(), EmulatorError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), EmulatorError> {
        if let Some(stop) = self.stop.take() {
            // The server may have ended already; then nobody is listening.
            let _ = stop.send(());
        }
        match self.server.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(reason))) => Err(EmulatorError::Unkept { reason }),
            Some(Err(_)) => {
                tracing::error!("the server thread panicked");
                Ok(())
            }
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // As for `stop`.
        let _ = self.end();
    }
}
