//! The provider as a process outside the engine, driven over its real gRPC contract.

use std::io::{BufRead as _, BufReader, Read as _, Seek as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use protocol::pulumirpc as rpc;
use protocol::pulumirpc::resource_provider_client::ResourceProviderClient;
use serde_json::Value as Json;
use tonic::transport::Channel;
use value::Value;

/// The client of a provider.
pub type Client = ResourceProviderClient<Channel>;

/// What a provider is started with unless a test says something else: a region, made-up keys, and nothing of this machine.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("AWS_EC2_METADATA_DISABLED", "true"),
    ("AWS_ACCESS_KEY_ID", "test"),
    ("AWS_SECRET_ACCESS_KEY", "test"),
    ("AWS_REGION", "us-east-1"),
    ("AWS_CONFIG_FILE", "/dev/null"),
    ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
    ("RUST_BACKTRACE", "0"),
];

/// Variables that would change what credentials or endpoints are found.
const FOREIGN: [&str; 4] = ["AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION"];

/// A started provider; dropping it ends the process.
pub struct Process {
    child: Child,
    log: std::fs::File,
    /// The client, with the message limits of the plugin contract.
    pub client: Client,
}

impl Process {
    /// Starts `binary` with `flags` and the address of an engine that nobody serves, and waits for the first answer.
    /// `environment` adds to the usual variables; an empty value takes one away.
    ///
    /// # Errors
    ///
    /// When it does not start, names no port, or does not answer.
    pub async fn start(binary: &Path, flags: &[&str], environment: &[(&str, &str)]) -> Result<Self> {
        let log = tempfile::tempfile().context("making a file for the log")?;
        let mut command = Command::new(binary);
        command.args(flags).arg("127.0.0.1:9").envs(ENVIRONMENT);
        for name in FOREIGN {
            command.env_remove(name);
        }
        for (name, value) in environment {
            match *value {
                "" => command.env_remove(name),
                value => command.env(name, value),
            };
        }
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(log.try_clone()?)
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no standard output")?).read_line(&mut line)?;
        let mut client = ResourceProviderClient::connect(format!("http://127.0.0.1:{}", line.trim()))
            .await?
            .max_decoding_message_size(protocol::MAX_MESSAGE_BYTES)
            .max_encoding_message_size(protocol::MAX_MESSAGE_BYTES);
        client.get_plugin_info(()).await?;
        Ok(Self { child, log, client })
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Configures with typed values, as an engine does that sends everything.
    ///
    /// # Errors
    ///
    /// The provider's refusal.
    pub async fn configure(&mut self, settings: &Json) -> Result<(), tonic::Status> {
        let request = rpc::ConfigureRequest {
            accept_secrets: true,
            accept_resources: true,
            sends_old_inputs: true,
            sends_old_inputs_to_delete: true,
            args: Some(structure(settings)),
            ..Default::default()
        };
        self.client.configure(request).await.map(|_| ())
    }

    /// Everything written to standard error until now.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn log(&mut self) -> Result<String> {
        let mut text = String::new();
        self.log.rewind()?;
        self.log.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Waits for the end of the process; whether it ended with code 0.
    ///
    /// # Errors
    ///
    /// When the system cannot tell.
    pub fn wait(&mut self) -> Result<bool> {
        Ok(self.child.wait()?.success())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An object in the wire form of `google.protobuf.Struct`; envelopes are written out in `json`. Empty for anything else.
#[must_use]
pub fn structure(json: &Json) -> bytes::Bytes {
    match value::json::from_json(json) {
        Value::Object(members) => encode(&members, EncodeOptions::KEEP),
        _ => bytes::Bytes::new(),
    }
}

/// An object in its wire form, read with its marks of secrecy.
///
/// # Errors
///
/// When it is absent or malformed.
pub fn properties(wire: Option<&bytes::Bytes>) -> Result<value::Map> {
    Ok(decode(wire.context("no properties")?, DecodeOptions::KEEP)?)
}
