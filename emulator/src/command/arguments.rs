//! What can be chosen about an emulator that serves, as flags and variables, beside the switches.

use crate::flags::SwitchFlags;
use clap::Args;
use emulator::{AdminAccess, LogLimit, Options, Profile};
use std::path::{Path, PathBuf};
use tracing_subscriber::EnvFilter;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// A YAML file of flags without their dashes (`page-size: 3`); flags and variables win over it.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// The port on 127.0.0.1; 0 picks a free one.
    #[arg(long, default_value_t = 0, env = "CLOUDCONTROL_EMULATOR_PORT")]
    pub(super) port: u16,
    /// A folder or .zip archive of schema files, a .json file or a bundle; several in order, later ones replace types of
    /// earlier ones; `embedded`, the default, is what this build carries.
    #[arg(long, value_name = "DIR|ZIP", env = "CLOUDCONTROL_EMULATOR_SCHEMAS", value_delimiter = ',')]
    pub(super) schemas: Vec<PathBuf>,
    /// Decides every generated value; the same seed and the same creates give the same ids [default: that of the state
    /// folder, else 1].
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_SEED")]
    pub(super) seed: Option<u64>,
    /// The folder that keeps the state; it is made when it does not exist [default: in memory only].
    #[arg(long, value_name = "DIR", env = "CLOUDCONTROL_EMULATOR_STATE")]
    pub(super) state: Option<PathBuf>,
    /// Written whole with the ready line as JSON once the emulator serves, and removed when it stops.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_READY_FILE")]
    pub(super) ready_file: Option<PathBuf>,
    /// How long operations take and what goes wrong: test, fast, realistic, chaos, or a profile file.
    #[arg(long, value_name = "NAME|FILE", default_value = "test", env = "CLOUDCONTROL_EMULATOR_PROFILE",
        value_parser = profile)]
    pub(super) profile: Profile,
    /// Multiplies durations, instead of what the profile says; 0 is no waiting.
    #[arg(long, value_name = "FACTOR", env = "CLOUDCONTROL_EMULATOR_TIME_SCALE", allow_negative_numbers = true,
        value_parser = Profile::read_time_scale)]
    pub(super) time_scale: Option<f64>,
    /// The account of calls whose access key is not itself an account number.
    #[arg(long, default_value = "123456789012", env = "CLOUDCONTROL_EMULATOR_DEFAULT_ACCOUNT", value_parser = account)]
    pub(super) default_account: String,
    /// The region of calls that are not signed.
    #[arg(long, default_value = "us-east-1", env = "CLOUDCONTROL_EMULATOR_DEFAULT_REGION", value_parser = region)]
    pub(super) default_region: String,
    /// The address to listen on; any but the loopback interface needs --admin-token or --admin off.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", env = "CLOUDCONTROL_EMULATOR_LISTEN")]
    pub(super) listen: std::net::IpAddr,
    /// Where the pages under /_emu and /metrics are: on the same port, on a port of their own (0 picks a free one), or off.
    #[arg(long, value_name = "on|off|PORT", default_value = "on", env = "CLOUDCONTROL_EMULATOR_ADMIN", value_parser = admin)]
    pub(super) admin: AdminAccess,
    /// What whoever uses the pages must present as a bearer token.
    #[arg(long, value_name = "TOKEN", env = "CLOUDCONTROL_EMULATOR_ADMIN_TOKEN", hide_env_values = true)]
    pub(super) admin_token: Option<String>,
    /// Shows write-only values on the pages as they were sent.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_SHOW_SECRETS")]
    pub(super) show_secrets: bool,
    /// The most bytes of the call log that are kept; the oldest calls go first.
    #[arg(long, value_name = "BYTES", default_value_t = LogLimit::default().bytes, env = "CLOUDCONTROL_EMULATOR_LOG_LIMIT")]
    pub(super) log_limit: usize,
    /// Prints the ready line as JSON even on a terminal.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_JSON")]
    pub(super) json: bool,
    /// What is logged to stderr, in the form of a tracing filter.
    #[arg(long, default_value = "warn", env = "CLOUDCONTROL_EMULATOR_LOG", value_parser = log)]
    pub(super) log: LogFilter,
    /// Access keys that are known: a YAML file of KEY: { account: "111111111111", secret: … }.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_CREDENTIALS")]
    pub(super) credentials: Option<PathBuf>,
    /// Serves TLS with this certificate, a PEM file; goes with --tls-key.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_TLS_CERT")]
    pub(super) tls_cert: Option<PathBuf>,
    /// The key of the certificate, a PEM file; goes with --tls-cert.
    #[arg(long, value_name = "FILE", env = "CLOUDCONTROL_EMULATOR_TLS_KEY")]
    pub(super) tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub(super) switches: SwitchFlags,
}

fn account(text: &str) -> Result<String, String> {
    let is_account = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_account { Ok(text.to_owned()) } else { Err("an account number has twelve digits".to_owned()) }
}

fn region(text: &str) -> Result<String, String> {
    Options::read_region(text)
}

/// What is logged.
#[derive(Debug, Clone)]
pub(super) struct LogFilter(String);

impl From<LogFilter> for EnvFilter {
    fn from(filter: LogFilter) -> EnvFilter {
        // Its text was read before.
        EnvFilter::new(filter.0)
    }
}

fn log(text: &str) -> Result<LogFilter, String> {
    let wrong = |reason: String| {
        format!("{reason}; a level (error, warn, info, debug, trace, off) or MODULE=LEVEL,… is wanted")
    };
    EnvFilter::try_new(text).map_err(|error| wrong(error.to_string()))?;
    Ok(LogFilter(text.to_owned()))
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
