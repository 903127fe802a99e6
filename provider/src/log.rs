//! What the process writes to stderr.
//!
//! Only our own events are written, at a level that follows `-v`; those of the AWS SDK and of the HTTP stack never are,
//! since at high levels they print requests, bodies and headers, which hold secrets.

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Crates whose events are written.
const OURS: [&str; 3] = ["provider", "protocol", "pulumi_resource_aws_native"];

/// Installs the log for the process; a second call changes nothing.
pub fn install(verbosity: u8) {
    // Failing means that somebody installed a log before, which then is the one to use.
    let _ = subscriber(verbosity, std::io::stderr).try_init();
}

/// The log as it is at `-v=VERBOSITY`, written to `writer`.
pub fn subscriber<W>(verbosity: u8, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let targets = OURS.map(|target| (target, level(verbosity)));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false).with_target(false);
    tracing_subscriber::registry().with(Targets::new().with_targets(targets)).with(lines)
}

fn level(verbosity: u8) -> LevelFilter {
    match verbosity {
        0 => LevelFilter::WARN,
        1..=3 => LevelFilter::INFO,
        4..=8 => LevelFilter::DEBUG,
        9.. => LevelFilter::TRACE,
    }
}
