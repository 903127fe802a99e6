//! The life of a plugin process.

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::arguments::usage;
use super::listen::{self, ADDRESS_VARIABLE};
use super::shutdown::{self, HEALTH_INTERVAL};
use super::{Arguments, GrpcService, PluginError, serve};
use crate::engine::EngineClient;

/// What a plugin gets from its process.
#[derive(Debug, Clone)]
pub struct Plugin {
    /// What the process was started with.
    pub arguments: Arguments,
    /// The engine; `Handshake` and `Attach` name another one.
    pub engine: EngineClient,
    /// Cancelled when the process is told to end: every wait should end then.
    pub shutdown: CancellationToken,
}

/// Runs a plugin from the command line to the exit code, in a runtime of one thread.
///
/// `start` makes the service; it runs inside the runtime and before the port is announced, so it should be quick.
/// Errors go to stderr. A signal, or the loss of the engine, ends the process with success within three seconds.
#[allow(clippy::disallowed_methods, reason = "this is the edge of every plugin program")]
pub fn main<S: GrpcService>(program: &str, start: impl FnOnce(Plugin) -> S) -> ExitCode {
    // Arguments that are not Unicode are as unknown as any other.
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let usage = if error.shows_usage() { usage(program) } else { String::new() };
            report(format_args!("{error}\n{usage}"));
            return ExitCode::from(error.exit_status());
        }
    };
    let listen_address = env::var(ADDRESS_VARIABLE).ok();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| PluginError::Runtime { source });
    let result = runtime.and_then(|runtime| {
        let result = runtime.block_on(run(arguments, listen_address, start));
        // Whatever still runs, on threads too, must not hold up the end.
        runtime.shutdown_timeout(Duration::ZERO);
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(format_args!("{program}: {error}\n"));
            ExitCode::FAILURE
        }
    }
}

async fn run<S: GrpcService>(
    arguments: Arguments,
    listen_address: Option<String>,
    start: impl FnOnce(Plugin) -> S,
) -> Result<(), PluginError> {
    let shutdown = CancellationToken::new();
    shutdown::on_signals(shutdown.clone())?;
    let engine = match &arguments.engine {
        Some(address) => EngineClient::attached(address),
        None => EngineClient::detached(),
    };
    if let Some(address) = arguments.engine.clone() {
        // An engine that attaches later is not watched: it comes and goes, while the process belongs to a developer.
        let shutdown = shutdown.clone();
        tokio::spawn(async move {
            shutdown::engine_lost(&address, HEALTH_INTERVAL).await;
            shutdown.cancel();
        });
    }
    let service = start(Plugin { arguments, engine, shutdown: shutdown.clone() });
    let listener = listen::bind(listen_address.as_deref()).await?;
    let local = listener.local_addr().map_err(|source| PluginError::Listen { address: "a socket".into(), source })?;
    // Connections queue from here on, although nobody accepts them yet.
    listen::announce(local, io::stdout().lock())?;
    serve(listener, service, shutdown).await;
    Ok(())
}

/// Writes to stderr. If even that fails, nobody is left to be told.
fn report(text: std::fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}
