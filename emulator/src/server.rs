//! An emulator on a port: how one is built, started and stopped.

use crate::admin::Admin;
use crate::clock::Clock;
use crate::core::Core;
use crate::error::EmulatorError;
use crate::faults::Rule;
use crate::http;
use crate::http::listener::{Connection, Listener};
use crate::http::tls;
use crate::options::{Auth, Options, Profile};
use crate::schema::library::SchemaSource;
use crate::services::lambda::rule::FunctionRule;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long open connections may finish their answers once the emulator stops.
const GRACE: Duration = Duration::from_secs(4);

/// The stack of a worker; documents and schemas may nest 128 levels deep.
const STACK: usize = 16 << 20;

/// An emulator that serves on the loopback interface until it is dropped.
///
/// It runs on threads of its own, so a test may block while it talks to it.
#[derive(Debug)]
pub struct Emulator {
    address: SocketAddr,
    scheme: &'static str,
    admin: Admin,
    type_count: usize,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<Result<(), String>>>,
}

impl Emulator {
    /// An emulator with the embedded schemas, on a free port, with the default [`Options`].
    pub fn builder() -> EmulatorBuilder {
        EmulatorBuilder::default()
    }

    /// Where it serves, `http://127.0.0.1:PORT`; `https` with TLS.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
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

/// Says how an emulator shall be.
#[derive(Debug, Default)]
pub struct EmulatorBuilder {
    schemas: SchemaSource,
    options: Options,
    port: u16,
    /// What is wrong with what was said so far.
    problem: Option<String>,
}

impl EmulatorBuilder {
    /// Where the schemas come from. Default: the embedded ones.
    pub fn schemas(mut self, schemas: SchemaSource) -> EmulatorBuilder {
        self.schemas = schemas;
        self
    }

    /// How it behaves. Replaces everything set before.
    pub fn options(mut self, options: Options) -> EmulatorBuilder {
        self.options = options;
        self
    }

    /// Decides every generated value. Default 1.
    pub fn seed(mut self, seed: u64) -> EmulatorBuilder {
        self.options.seed = seed;
        self.options.is_seed_kept = false;
        self
    }

    /// How long operations take, and everything else that is not as by default. A switch that the profile gets wrong is
    /// an error of the start.
    pub fn profile(mut self, profile: Profile) -> EmulatorBuilder {
        self.problem = profile.apply(&mut self.options.switches).err();
        if let Some(seed) = profile.seed.filter(|_| self.options.is_seed_kept) {
            self.options.seed = seed;
            self.options.is_seed_kept = false;
        }
        self.options.profile = profile;
        self
    }

    /// One more thing that goes wrong.
    pub fn rule(mut self, rule: Rule) -> EmulatorBuilder {
        self.options.rules.push(rule);
        self
    }

    /// Where the time comes from. Default the system.
    pub fn clock(mut self, clock: Clock) -> EmulatorBuilder {
        self.options.clock = clock;
        self
    }

    /// What functions of Lambda do.
    pub fn functions(mut self, rules: impl IntoIterator<Item = FunctionRule>) -> EmulatorBuilder {
        self.options.functions.extend(rules);
        self
    }

    /// The folder that keeps the state; it is made when it does not exist. Default none: in memory only.
    pub fn state(mut self, folder: impl Into<std::path::PathBuf>) -> EmulatorBuilder {
        self.options.state = Some(folder.into());
        self
    }

    /// The port on 127.0.0.1; 0, the default, picks a free one.
    pub fn port(mut self, port: u16) -> EmulatorBuilder {
        self.port = port;
        self
    }

    /// Starts serving; when this returns, connections are answered.
    ///
    /// # Errors
    ///
    /// [`EmulatorError`] when schemas cannot be read, the port is taken or threads cannot be started.
    pub async fn start(self) -> Result<Emulator, EmulatorError> {
        self.start_blocking()
    }

    /// [`EmulatorBuilder::start`] for callers without a runtime.
    ///
    /// # Errors
    ///
    /// As for `start`.
    pub fn start_blocking(self) -> Result<Emulator, EmulatorError> {
        if let Some(reason) = self.problem {
            return Err(EmulatorError::Options { reason });
        }
        if self.options.switches.auth == Auth::Verify && self.options.credentials.is_empty() {
            let reason = "auth=verify needs keys with their secrets: give --credentials FILE".to_owned();
            return Err(EmulatorError::Options { reason });
        }
        let tls = self.options.tls.as_ref().map(tls::acceptor).transpose()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let core = Arc::new(Core::new(&self.schemas, self.options)?);
        let type_count = core.library().type_names().count();
        let admin = Admin::new(Arc::clone(&core));
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let bind = |source| EmulatorError::Bind { address, source };
        let listener = std::net::TcpListener::bind(address).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        core.serves_on(address.port());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("emulator")
            .thread_stack_size(STACK)
            .enable_all()
            .build()
            .map_err(|source| EmulatorError::Runtime { source })?;
        let listener = {
            let _within = runtime.enter();
            Listener { listener: tokio::net::TcpListener::from_std(listener).map_err(bind)?, tls }
        };
        let (stop, stopped) = oneshot::channel();
        let server = std::thread::Builder::new()
            .name("emulator-server".to_owned())
            .spawn(move || {
                runtime.block_on(serve(listener, Arc::clone(&core), stopped));
                runtime.shutdown_timeout(Duration::from_secs(1));
                core.backing.close().map_err(|error| {
                    tracing::error!(%error, "the state could not be closed");
                    error.to_string()
                })
            })
            .map_err(|source| EmulatorError::Runtime { source })?;
        Ok(Emulator { address, scheme, admin, type_count, stop: Some(stop), server: Some(server) })
    }
}

/// How often ends that nobody asks for are looked for while somebody listens.
const TICK: Duration = Duration::from_millis(100);

/// Lets requests end in time for subscribers, whether anybody asks about them or not.
async fn tick(core: Arc<Core>) {
    loop {
        tokio::time::sleep(TICK).await;
        if core.bus.has_listeners() && core.options.clock.runs() {
            drop(core.txn());
        }
    }
}

async fn serve(listener: Listener, core: Arc<Core>, stopped: oneshot::Receiver<()>) {
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
