//! Saying how an emulator shall be, and starting it.

use super::Emulator;
use super::serve;
use crate::admin::Admin;
use crate::clock::Clock;
use crate::core::Core;
use crate::error::EmulatorError;
use crate::faults::Rule;
use crate::http::listener::Listener;
use crate::http::tls;
use crate::options::{AdminAccess, Auth, Options, Profile};
use crate::schema::library::SchemaSource;
use crate::services::lambda::rule::FunctionRule;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The stack of a worker; documents and schemas may nest 128 levels deep.
const STACK: usize = 16 << 20;

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
        for (name, rule) in self.options.rules() {
            rule.check()
                .map_err(|reason| EmulatorError::Options { reason: format!("rule {}: {reason}", name.as_str()) })?;
        }
        if self.options.switches.auth == Auth::Verify && self.options.credentials.is_empty() {
            let reason = "auth=verify needs keys with their secrets: give --credentials FILE".to_owned();
            return Err(EmulatorError::Options { reason });
        }
        let tls = self.options.tls.as_ref().map(tls::acceptor).transpose()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        check_access(&self.options)?;
        Options::read_region(&self.options.region).map_err(|reason| EmulatorError::Options { reason })?;
        let (region, regions) = (&self.options.region, &self.options.switches.regions);
        if !regions.is_empty() && !regions.contains(region) {
            let regions = regions.join(", ");
            tracing::warn!(
                "calls that are not signed are refused: their region {region} is none of those that exist ({regions})"
            );
        }
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
                serve::run(runtime, listener, admin_listener, &core, stopped);
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
    if options.admin_token.as_ref().is_some_and(|token| token.trim().is_empty()) {
        let reason = "the token of the pages for tests is empty: give them one that is not, or none".to_owned();
        return Err(EmulatorError::Options { reason });
    }
    let is_safe = options.listen.is_loopback() || options.admin == AdminAccess::Off || options.admin_token.is_some();
    if is_safe {
        return Ok(());
    }
    let reason = format!(
        "listening on {} lets other machines use the pages for tests: give them a token or turn them off (--admin-token \
         TOKEN or --admin off)",
        options.listen
    );
    Err(EmulatorError::Options { reason })
}
