//! How an emulator behaves where the service leaves room, is slow, or changes with the weather.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | everything that is chosen when an emulator starts |
//! | [`switches`], [`choices`], [`deny`], [`values`] | switches of behavior, by name |
//! | [`profile`], [`profile_file`] | what several of them make together, and files that say so |
//! | [`credentials`] | access keys that are known |
//! | [`TlsFiles`] | certificate and key of a server with TLS |

mod choices;
mod credentials;
mod deny;
mod profile;
mod profile_file;
mod switches;
mod values;

pub use choices::{
    Auth, Coerce, Conditional, Defaults, Detail, Durability, FirstStatus, Nulls, OnReadOnly, References, RetryAfter,
    Told, Unprovisionable,
};
pub use credentials::{Credential, Credentials};
pub use deny::Denial;
pub use profile::Profile;
pub use profile_file::ProfileError;
pub(crate) use profile_file::ProfileFile;
pub use switches::{SWITCHES, Switch, Switches};
pub use values::Throttle;

use crate::clock::Clock;
use crate::faults::{Action, Rule, RuleId, Throttling};
use crate::services::lambda::rule::FunctionRule;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// Everything that can be chosen about an emulator.
#[derive(Debug, Clone)]
pub struct Options {
    /// Decides every generated value. Default 1.
    pub seed: u64,
    /// Whether a state folder that was made with another seed goes on with that one. Default true; false once a seed is
    /// asked for.
    pub is_seed_kept: bool,
    /// How long operations take. Default [`Profile::test`].
    pub profile: Profile,
    /// Multiplies durations, instead of what the profile says; 0 is no waiting.
    pub time_scale: Option<f64>,
    /// What is switched. Default [`Switches::default`]; what the profile sets is set already.
    pub switches: Switches,
    /// The account of calls whose access key says nothing. Default 123456789012.
    pub account: String,
    /// The region of calls that are not signed. Default us-east-1.
    pub region: String,
    /// Where the time comes from. Default the system.
    pub clock: Clock,
    /// The folder that keeps the state; in memory only without it. A folder is refused until there is a backing.
    pub state: Option<PathBuf>,
    /// What goes wrong, beside what the profile says.
    pub rules: Vec<Rule>,
    /// How much of the call log is kept.
    pub log_limit: LogLimit,
    /// Where the pages for tests are.
    pub admin: AdminAccess,
    /// Access keys that are known, with their accounts and secrets. Default none.
    pub credentials: Credentials,
    /// What functions of Lambda do. Default nothing: they return null.
    pub functions: Vec<FunctionRule>,
    /// Certificate and key; plain HTTP without them.
    pub tls: Option<TlsFiles>,
    /// What whoever uses the pages must present as a bearer token. Default none: on the loopback interface anybody may.
    pub admin_token: Option<String>,
    /// Whether pages show write-only values and the call log as they were sent. Default false. What stays in the process, as
    /// the handle of the library, shows everything.
    pub secrets_shown: bool,
    /// The address to listen on. Default 127.0.0.1; any other needs a token for the pages, or that they are off.
    pub listen: IpAddr,
}

/// The files of a server with TLS, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those that it rests on.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

impl Options {
    /// Reads the name of a region.
    ///
    /// # Errors
    ///
    /// That it has not the form of one.
    pub fn read_region(text: &str) -> Result<String, String> {
        values::region(text)
    }

    /// What durations are multiplied with.
    pub(crate) fn time_scale(&self) -> f64 {
        self.time_scale.unwrap_or(self.profile.time_scale)
    }

    /// The rules that are in force from the start: those of the profile, and the throttle that is switched on.
    pub(crate) fn rules(&self) -> Vec<(RuleId, Rule)> {
        let name = |(index, rule): (usize, &Rule)| {
            let id = rule.id.clone().unwrap_or_else(|| format!("{}-{}", self.profile.name, index + 1));
            (RuleId::new(&id), rule.clone())
        };
        let mut rules: Vec<(RuleId, Rule)> = self.profile.rules.iter().enumerate().map(name).collect();
        let own = self.rules.iter().enumerate().map(|(index, rule)| {
            let id = rule.id.clone().unwrap_or_else(|| format!("option-{}", index + 1));
            (RuleId::new(&id), rule.clone())
        });
        rules.extend(own);
        if let Some(Throttle { rate, burst }) = self.switches.throttle {
            let throttling = Throttling { rate: Some(rate), burst: Some(burst), ..Throttling::default() };
            rules.push((RuleId::new("throttle"), Rule::new(Action::Throttle(throttling))));
        }
        rules
    }

    /// What the state folder survives.
    pub(crate) fn durability(&self) -> Durability {
        let of_profile = if self.profile.name == "test" { Durability::Os } else { Durability::Fsync };
        self.switches.durability.unwrap_or(of_profile)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 1,
            is_seed_kept: true,
            profile: Profile::default(),
            time_scale: None,
            switches: Switches::default(),
            account: "123456789012".to_owned(),
            region: "us-east-1".to_owned(),
            clock: Clock::system(),
            state: None,
            rules: Vec::new(),
            log_limit: LogLimit::default(),
            admin: AdminAccess::default(),
            credentials: Credentials::default(),
            functions: Vec::new(),
            tls: None,
            admin_token: None,
            secrets_shown: false,
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
        }
    }
}

/// How much of the call log is kept; the oldest entries go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLimit {
    /// Entries. Default 100,000.
    pub entries: usize,
    /// Bytes of all entries together. Default 64 MiB.
    pub bytes: usize,
}

impl Default for LogLimit {
    fn default() -> LogLimit {
        LogLimit { entries: 100_000, bytes: 64 << 20 }
    }
}

/// Where the emulator's own pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AdminAccess {
    /// On the port of everything else.
    #[default]
    SamePort,
    /// On a port of their own; 0 picks a free one.
    Port(u16),
    /// Nowhere.
    Off,
}
