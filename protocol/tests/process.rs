//! A plugin as a process: the port line, signals, the exit status.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use protocol::pulumirpc::resource_provider_client::ResourceProviderClient;
use protocol::pulumirpc::{CheckRequest, CreateRequest};
use tonic::transport::Channel;

/// The example `tiny_plugin`, which cargo builds before it runs tests.
fn command(arguments: &[&str]) -> Command {
    let test = std::env::current_exe().unwrap();
    let profile: PathBuf = test.parent().unwrap().parent().unwrap().into();
    let plugin = profile.join("examples/tiny_plugin");
    assert!(plugin.exists(), "build it first: cargo build -p protocol --example tiny_plugin");
    let mut command = Command::new(plugin);
    command.args(arguments).env_remove("PULUMI_PLUGIN_LISTEN_ADDRESS").stdin(Stdio::null());
    command
}

/// A running plugin; killed when dropped.
struct Plugin {
    child: Child,
    stdout: BufReader<ChildStdout>,
    port: u16,
}

impl Plugin {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let port = line.strip_suffix('\n').and_then(|port| port.parse().ok());
        Self { child, stdout, port: port.unwrap_or_else(|| unreachable!("{line:?} is no port line")) }
    }

    async fn client(&self) -> ResourceProviderClient<Channel> {
        ResourceProviderClient::connect(format!("http://127.0.0.1:{}", self.port)).await.unwrap()
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the end, which must be a success within three seconds and without another word on stdout.
    fn ends_well(mut self) {
        let started = Instant::now();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_dead_engine_delays_nothing() {
    for arguments in
        [&["127.0.0.1:1"][..], &["--logtostderr", "-v=9", "--tracing", "http://127.0.0.1:1", "nowhere"], &[]]
    {
        let plugin = Plugin::start(arguments);
        plugin.client().await.check(CheckRequest::default()).await.unwrap();
        plugin.signal("-INT");
        plugin.ends_well();
    }
}

#[tokio::test]
async fn signals_end_it_even_when_a_call_hangs() {
    for signal in ["-INT", "-TERM"] {
        let plugin = Plugin::start(&[]);
        let mut client = plugin.client().await;
        let mut hanging = client.clone();
        let call = tokio::spawn(async move { hanging.create(CreateRequest::default()).await });
        client.get_plugin_info(()).await.unwrap();
        plugin.signal(signal);
        tokio::task::spawn_blocking(|| plugin.ends_well()).await.unwrap();
        assert!(call.await.unwrap().is_err());
    }
}

#[test]
fn wrong_arguments_end_it_at_once() {
    check(&["-wat"], 2, "flag provided but not defined: -wat", "Usage: pulumi-resource-tiny");
    check(&["a:1", "b:2"], 1, "expected at most one argument", "found 2");
    check(&["--help"], 0, "Usage: pulumi-resource-tiny", "-logtostderr");

    #[track_caller]
    fn check(arguments: &[&str], status: i32, first: &str, second: &str) {
        let output = command(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert!(stderr.contains(first) && stderr.contains(second), "{stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn an_address_that_cannot_be_bound_is_named() {
    let output = command(&[]).env("PULUMI_PLUGIN_LISTEN_ADDRESS", "192.0.2.1:1").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("192.0.2.1:1"), "{stderr}");
    assert!(output.stdout.is_empty());
}
