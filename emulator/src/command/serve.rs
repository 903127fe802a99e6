//! Serving until a signal comes.

use super::arguments::Serve;
use super::signals::StopSignals;
use super::{USAGE, fail, say, write_whole};
use emulator::{Credentials, Emulator, EmulatorError, LogLimit, Options, SchemaSource, Switches, TlsFiles};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Starts an emulator, says that it is ready, and returns once it has stopped.
pub(super) fn serve(serve: Serve) -> ExitCode {
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from(serve.log)).with_writer(std::io::stderr).init();
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
    // Each may come from another place, so that only the two together tell whether one is missing.
    let tls = match (serve.tls_cert, serve.tls_key) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
        (None, None) => None,
        (Some(_), None) => {
            return fail(&EmulatorError::Options { reason: "--tls-cert needs --tls-key too".to_owned() });
        }
        (None, Some(_)) => {
            return fail(&EmulatorError::Options { reason: "--tls-key needs --tls-cert too".to_owned() });
        }
    };
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

fn ready_line(emulator: &Emulator, as_json: bool) -> String {
    let (url, count) = (emulator.url(), emulator.type_count());
    if as_json {
        let mut line = serde_json::json!({"ready": true, "url": url, "pid": std::process::id(), "types": count});
        if let (true, Some(members)) = (emulator.admin_url() != url, line.as_object_mut()) {
            members.insert("adminUrl".to_owned(), emulator.admin_url().into());
        }
        line.to_string()
    } else {
        let types = if count == 1 { "type" } else { "types" };
        format!(
            "Cloud Control emulator with {count} resource {types} at {url} (AWS_ENDPOINT_URL={url}); Ctrl-C stops it"
        )
    }
}
