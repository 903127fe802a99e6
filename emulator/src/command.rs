//! The command: what can be said to it and how it answers. Everything it does is in the library.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use emulator::{
    AdminAccess, Credentials, Emulator, EmulatorError, LogLimit, Options, Profile, SchemaSource, Switches, TlsFiles,
};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::flags::SwitchFlags;
use crate::remote;

/// Wrong flags or values.
const USAGE: u8 = 2;

/// A local AWS Cloud Control, driven by the CloudFormation resource schemas.
///
/// Point any client at the printed URL with AWS_ENDPOINT_URL and any credentials. State is in memory unless --state names
/// a folder. Every flag is also a variable CLOUDCONTROL_EMULATOR_NAME and a key of the --config file. Exit codes: 0 stopped
/// by SIGTERM or SIGINT, 2 usage, 3 state, 4 port, 5 schemas.
#[derive(Debug, Parser)]
#[command(name = "cloudcontrol-emulator", version, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Reads the schemas, says what was found, and exits: 0 for all well, 1 for warnings, 5 for no usable schemas.
    Check {
        /// A folder or .zip archive of schema files, a .json file or a bundle; several in order, later ones replace types of
        /// earlier ones; `embedded`, the default, is what this build carries.
        #[arg(long, value_name = "DIR|ZIP", env = "CLOUDCONTROL_EMULATOR_SCHEMAS", value_delimiter = ',')]
        schemas: Vec<PathBuf>,
    },
    /// Changes resources of a running emulator behind their owners' backs.
    #[command(subcommand)]
    Drift(remote::Drift),
    /// Makes a running emulator misbehave.
    #[command(subcommand)]
    Rules(remote::Rules),
    /// Writes the JSON schemas of profile files.
    #[command(hide = true)]
    JsonSchemas {
        /// Where to.
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Serve {
    /// A YAML file of flags without their dashes (`page-size: 3`); flags and variables win over it.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_CONFIG")]
    config: Option<PathBuf>,
    /// The port on 127.0.0.1; 0 picks a free one.
    #[arg(long, default_value_t = 0, env = "CLOUDCONTROL_EMULATOR_PORT")]
    port: u16,
    /// A folder or .zip archive of schema files, a .json file or a bundle; several in order, later ones replace types of
    /// earlier ones; `embedded`, the default, is what this build carries.
    #[arg(long, value_name = "DIR|ZIP", env = "CLOUDCONTROL_EMULATOR_SCHEMAS", value_delimiter = ',')]
    schemas: Vec<PathBuf>,
    /// Decides every generated value; the same seed and the same creates give the same ids [default: that of the state
    /// folder, else 1].
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_SEED")]
    seed: Option<u64>,
    /// The folder that keeps the state; it is made when it does not exist [default: in memory only].
    #[arg(long, value_name = "DIR", env = "CLOUDCONTROL_EMULATOR_STATE")]
    state: Option<PathBuf>,
    /// Written whole with the ready line as JSON once the emulator serves, and removed when it stops.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_READY_FILE")]
    ready_file: Option<PathBuf>,
    /// How long operations take and what goes wrong: test, fast, realistic, chaos, or a profile file.
    #[arg(long, value_name = "NAME|FILE", default_value = "test", env = "CLOUDCONTROL_EMULATOR_PROFILE",
        value_parser = profile)]
    profile: Profile,
    /// Multiplies durations, instead of what the profile says; 0 is no waiting.
    #[arg(long, value_name = "FACTOR", env = "CLOUDCONTROL_EMULATOR_TIME_SCALE", value_parser = time_scale)]
    time_scale: Option<f64>,
    /// The account of calls whose access key is not itself an account number.
    #[arg(long, default_value = "123456789012", env = "CLOUDCONTROL_EMULATOR_DEFAULT_ACCOUNT", value_parser = account)]
    default_account: String,
    /// The region of calls that are not signed.
    #[arg(long, default_value = "us-east-1", env = "CLOUDCONTROL_EMULATOR_DEFAULT_REGION")]
    default_region: String,
    /// The address to listen on; any but the loopback interface needs --admin-token or --admin off.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", env = "CLOUDCONTROL_EMULATOR_LISTEN")]
    listen: std::net::IpAddr,
    /// Where the pages under /_emu and /metrics are: on the same port, on a port of their own (0 picks a free one), or off.
    #[arg(long, value_name = "on|off|PORT", default_value = "on", env = "CLOUDCONTROL_EMULATOR_ADMIN", value_parser = admin)]
    admin: AdminAccess,
    /// What whoever uses the pages must present as a bearer token.
    #[arg(long, value_name = "TOKEN", env = "CLOUDCONTROL_EMULATOR_ADMIN_TOKEN", hide_env_values = true)]
    admin_token: Option<String>,
    /// Shows write-only values on the pages as they were sent.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_SHOW_SECRETS")]
    show_secrets: bool,
    /// The most bytes of the call log that are kept; the oldest calls go first.
    #[arg(long, value_name = "BYTES", default_value_t = LogLimit::default().bytes, env = "CLOUDCONTROL_EMULATOR_LOG_LIMIT")]
    log_limit: usize,
    /// Prints the ready line as JSON even on a terminal.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_JSON")]
    json: bool,
    /// What is logged to stderr, in the form of a tracing filter.
    #[arg(long, default_value = "warn", env = "CLOUDCONTROL_EMULATOR_LOG")]
    log: String,
    /// Access keys that are known: a YAML file of KEY: { account: "111111111111", secret: … }.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_CREDENTIALS")]
    credentials: Option<PathBuf>,
    /// Serves TLS with this certificate, a PEM file.
    #[arg(long, value_name = "FILE", requires = "tls_key", env = "CLOUDCONTROL_EMULATOR_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, a PEM file.
    #[arg(long, value_name = "FILE", requires = "tls_cert", env = "CLOUDCONTROL_EMULATOR_TLS_KEY")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    switches: SwitchFlags,
}

fn account(text: &str) -> Result<String, String> {
    let is_account = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_account { Ok(text.to_owned()) } else { Err("an account number has twelve digits".to_owned()) }
}

fn admin(text: &str) -> Result<AdminAccess, String> {
    match text {
        "on" => Ok(AdminAccess::SamePort),
        "off" => Ok(AdminAccess::Off),
        port => port.parse().map(AdminAccess::Port).map_err(|_| "on, off or a port is wanted".to_owned()),
    }
}

/// The built-in profile of a name, else that of a file.
fn profile(text: &str) -> Result<Profile, String> {
    if let Some(profile) = Profile::named(text) {
        return Ok(profile);
    }
    let path = Path::new(text);
    if !path.exists() && path.extension().is_none() && path.components().count() == 1 {
        return Err(format!(
            "there is neither a profile nor a file of that name; profiles are {}",
            Profile::NAMES.join(", ")
        ));
    }
    Profile::read(path).map_err(|error| error.to_string())
}

fn time_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if (0.0..=1000.0).contains(&scale) => Ok(scale),
        _ => Err("a number from 0 to 1000 is wanted".to_owned()),
    }
}

/// Runs the command and says how it ended.
pub(crate) fn run() -> ExitCode {
    let parsed = Command::try_parse().and_then(|command| match command.serve.config.clone() {
        Some(file) if command.verb.is_none() => {
            let with_defaults = crate::config_file::with_defaults(Command::command(), &file)
                .map_err(|reason| Command::command().error(ErrorKind::InvalidValue, reason))?;
            with_defaults.try_get_matches().and_then(|found| Command::from_arg_matches(&found))
        }
        _ => Ok(command),
    });
    let command = match parsed {
        Ok(command) => command,
        Err(error) => {
            let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Without a terminal to print to there is nobody to tell.
            let _ = error.print();
            return if is_answer { ExitCode::SUCCESS } else { ExitCode::from(USAGE) };
        }
    };
    match command.verb {
        Some(Verb::Check { schemas }) => check(SchemaSource::of_paths(schemas)),
        Some(Verb::JsonSchemas { folder }) => json_schemas(&folder),
        Some(Verb::Drift(verb)) => told(remote::drift(verb)),
        Some(Verb::Rules(verb)) => told(remote::rules(verb)),
        None => serve(command.serve),
    }
}

/// Prints what a running emulator answered.
fn told(answer: Result<String, String>) -> ExitCode {
    match answer {
        Ok(text) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "cloudcontrol-emulator: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn json_schemas(folder: &Path) -> ExitCode {
    for (name, text) in emulator::json_schemas() {
        if let Err(source) = write_whole(&folder.join(name), text.trim_end()) {
            return fail(&EmulatorError::Options {
                reason: format!("{name} cannot be written to {}: {source}", folder.display()),
            });
        }
    }
    ExitCode::SUCCESS
}

fn check(source: SchemaSource) -> ExitCode {
    let report = match emulator::check_schemas(&source) {
        Ok(report) => report,
        Err(error) => return fail(&error),
    };
    say(&format!("{report}"));
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn serve(serve: Serve) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_new(&serve.log)
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let mut profile = serve.profile;
    profile.switches.extend(serve.switches.0);
    let mut switches = Switches::default();
    if let Err(reason) = profile.apply(&mut switches) {
        let _ = writeln!(std::io::stderr(), "cloudcontrol-emulator: {reason}");
        return ExitCode::from(USAGE);
    }
    let credentials = match serve.credentials.as_deref().map(Credentials::read).transpose() {
        Ok(credentials) => credentials.unwrap_or_default(),
        Err(reason) => return fail(&EmulatorError::Options { reason: format!("--credentials {reason}") }),
    };
    let tls = serve.tls_cert.zip(serve.tls_key).map(|(certificate, key)| TlsFiles { certificate, key });
    let options = Options {
        seed: serve.seed.or(profile.seed).unwrap_or(1),
        is_seed_kept: serve.seed.or(profile.seed).is_none(),
        state: serve.state,
        profile,
        time_scale: serve.time_scale,
        switches,
        account: serve.default_account,
        region: serve.default_region,
        credentials,
        tls,
        listen: serve.listen,
        admin: serve.admin,
        admin_token: serve.admin_token,
        secrets_shown: serve.show_secrets,
        log_limit: LogLimit { bytes: serve.log_limit, ..LogLimit::default() },
        ..Options::default()
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(source) => return fail(&EmulatorError::Runtime { source }),
    };
    runtime.block_on(async {
        // Signals are caught before the ready line, so that whoever reads it may send one at once.
        let stop = match StopSignals::new() {
            Ok(stop) => stop,
            Err(source) => return fail(&EmulatorError::Runtime { source }),
        };
        let emulator = match Emulator::builder()
            .schemas(SchemaSource::of_paths(serve.schemas))
            .options(options)
            .port(serve.port)
            .start()
            .await
        {
            Ok(emulator) => emulator,
            Err(error) => return fail(&error),
        };
        if let Some(file) = &serve.ready_file
            && let Err(source) = write_whole(file, &ready_line(&emulator, true))
        {
            emulator.stop();
            return fail(&EmulatorError::Options { reason: format!("--ready-file {}: {source}", file.display()) });
        }
        say(&ready_line(&emulator, serve.json || !std::io::stdout().is_terminal()));
        stop.received().await;
        if let Some(file) = &serve.ready_file {
            // Whoever removed it first wanted the same.
            let _ = std::fs::remove_file(file);
        }
        match emulator.close() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        }
    })
}

/// Writes a file so that nobody ever sees a part of it.
fn write_whole(file: &Path, line: &str) -> std::io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = file.with_file_name(name);
    std::fs::write(&temporary, format!("{line}\n"))?;
    std::fs::rename(&temporary, file).inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })
}

fn ready_line(emulator: &Emulator, as_json: bool) -> String {
    let (url, count) = (emulator.url(), emulator.type_count());
    if as_json {
        let mut line = serde_json::json!({"ready": true, "url": url, "pid": std::process::id(), "types": count});
        if let (true, Some(members)) = (emulator.admin_url() != url, line.as_object_mut()) {
            members.insert("adminUrl".to_owned(), emulator.admin_url().into());
        }
        line.to_string()
    } else {
        format!("Cloud Control emulator with {count} resource types at {url} (AWS_ENDPOINT_URL={url}); Ctrl-C stops it")
    }
}

/// SIGTERM and SIGINT.
struct StopSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl StopSignals {
    #[cfg(unix)]
    fn new() -> std::io::Result<StopSignals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(StopSignals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    #[cfg(not(unix))]
    fn new() -> std::io::Result<StopSignals> {
        Ok(StopSignals {})
    }

    #[cfg(unix)]
    async fn received(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn received(self) {
        // Without a way to hear of Ctrl-C the process can only be ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that is gone is no reason to stop serving.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn fail(error: &EmulatorError) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "cloudcontrol-emulator: {error}");
    ExitCode::from(error.exit_code())
}
