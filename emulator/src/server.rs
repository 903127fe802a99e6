//! An emulator on a port: how one is built, started and stopped.

use crate::admin::Admin;
use crate::clock::Clock;
use crate::core::Core;
use crate::error::EmulatorError;
use crate::faults::Rule;
use crate::http;
use crate::http::listener::{Connection, Listener};
use crate::http::tls;
use crate::options::{AdminAccess, Auth, Options, Profile};
use crate::schema::library::SchemaSource;
use crate::services::lambda::rule::FunctionRule;
use std::net::SocketAddr;
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
    /// Where the pages for tests are, when they have a port of their own.
    admin_address: Option<SocketAddr>,
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
        let functions = self.options.functions.iter().chain(&self.options.profile.functions);
        let wrong = functions.filter_map(|rule| Some((&rule.name, rule.check().err()?))).next();
        if let Some((name, reason)) = wrong {
            return Err(EmulatorError::Options { reason: format!("the rule for function {name:?}: {reason}") });
        }
        if self.options.switches.auth == Auth::Verify && self.options.credentials.is_empty() {
            let reason = "auth=verify needs keys with their secrets: give --credentials FILE".to_owned();
            return Err(EmulatorError::Options { reason });
        }
        let tls = self.options.tls.as_ref().map(tls::acceptor).transpose()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        check_access(&self.options)?;
        let (listen, access) = (self.options.listen, self.options.admin);
        let core = Arc::new(Core::new(&self.schemas, self.options)?);
        let type_count = core.library().type_names().count();
        let admin = Admin::new(Arc::clone(&core));
        let (listener, address) = bind(SocketAddr::from((listen, self.port)))?;
        let admin_listener = match access {
            AdminAccess::Port(port) => Some(bind(SocketAddr::from((listen, port)))?),
            AdminAccess::SamePort | AdminAccess::Off => None,
        };
        core.serves_on(address.port());
        let admin_address = admin_listener.as_ref().map(|(_, address)| *address);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("emulator")
            .thread_stack_size(STACK)
            .enable_all()
            .build()
            .map_err(|source| EmulatorError::Runtime { source })?;
        let (listener, admin_listener) = {
            let _within = runtime.enter();
            let within = |listener, address| -> Result<Listener, EmulatorError> {
                let listener = tokio::net::TcpListener::from_std(listener)
                    .map_err(|source| EmulatorError::Bind { address, source })?;
                Ok(Listener { listener, tls: tls.clone() })
            };
            let admin = admin_listener.map(|(listener, address)| within(listener, address)).transpose()?;
            (within(listener, address)?, admin)
        };
        let (stop, stopped) = oneshot::channel();
        let server = std::thread::Builder::new()
            .name("emulator-server".to_owned())
            .spawn(move || {
                if let Some(listener) = admin_listener {
                    runtime.spawn(serve_pages(listener, Arc::clone(&core)));
                }
                runtime.block_on(serve(listener, Arc::clone(&core), stopped));
                runtime.shutdown_timeout(Duration::from_secs(1));
                core.backing.close().map_err(|error| {
                    tracing::error!(%error, "the state could not be closed");
                    error.to_string()
                })
            })
            .map_err(|source| EmulatorError::Runtime { source })?;
        Ok(Emulator { address, scheme, admin_address, admin, type_count, stop: Some(stop), server: Some(server) })
    }
}

/// Takes an address.
fn bind(address: SocketAddr) -> Result<(std::net::TcpListener, SocketAddr), EmulatorError> {
    let fails = |source| EmulatorError::Bind { address, source };
    let listener = std::net::TcpListener::bind(address).map_err(fails)?;
    listener.set_nonblocking(true).map_err(fails)?;
    let address = listener.local_addr().map_err(fails)?;
    Ok((listener, address))
}

/// Pages that other machines reach show and change everything, so they need a token there.
fn check_access(options: &Options) -> Result<(), EmulatorError> {
    let is_safe = options.listen.is_loopback() || options.admin == AdminAccess::Off || options.admin_token.is_some();
    if is_safe {
        return Ok(());
    }
    let reason = format!(
        "listening on {} lets other machines use the pages for tests: give them a token or turn them off",
        options.listen
    );
    Err(EmulatorError::Options { reason })
}

/// Serves the pages for tests on a port of their own; they end with everything else.
async fn serve_pages(listener: Listener, core: Arc<Core>) {
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
