//! What the process writes to stderr.
//!
//! Only our own events are written, at a level that follows `-v`; those of the AWS SDK and of the HTTP stack never are,
//! since at high levels they print requests, bodies and headers, which hold secrets.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Crates whose events are written.
const OURS: [&str; 3] = ["provider", "protocol", "pulumi_resource_aws_native"];

/// Installs the log for the process; a second call changes nothing.
pub fn install(verbosity: u8) {
    let targets = OURS.map(|target| (target, level(verbosity)));
    let writer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    let registry = tracing_subscriber::registry().with(Targets::new().with_targets(targets));
    // Failing means that somebody installed a log before, which then is the one to use.
    let _ = registry.with(writer).try_init();
}

fn level(verbosity: u8) -> LevelFilter {
    match verbosity {
        0 => LevelFilter::WARN,
        1..=3 => LevelFilter::INFO,
        4..=8 => LevelFilter::DEBUG,
        9.. => LevelFilter::TRACE,
    }
}
