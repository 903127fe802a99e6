//! A running provider, driven over its real gRPC contract.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc as rpc;
use protocol::pulumirpc::resource_provider_client::ResourceProviderClient;
use serde_json::{Value as Json, json};
use tonic::transport::Channel;
use value::Value;

use super::{cpu_nanoseconds, memory_kib};

/// A started provider process and a client to it.
pub struct Provider {
    process: Child,
    /// The client, with the message limits of the plugin contract.
    pub client: ResourceProviderClient<Channel>,
    /// Milliseconds from exec to the first answered RPC.
    pub first_rpc_ms: f64,
}

impl Provider {
    /// Starts `binary` with a dead engine address and made-up credentials, and waits for the first answer.
    ///
    /// # Errors
    ///
    /// When it does not start, names no port, or does not answer.
    pub async fn start(binary: &Path) -> Result<Self> {
        let started = Instant::now();
        let mut process = Command::new(binary)
            .arg("127.0.0.1:9")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no standard output")?).read_line(&mut line)?;
        let address = format!("http://127.0.0.1:{}", line.trim());
        let mut client = ResourceProviderClient::connect(address)
            .await?
            .max_decoding_message_size(protocol::MAX_MESSAGE_BYTES)
            .max_encoding_message_size(protocol::MAX_MESSAGE_BYTES);
        client.get_plugin_info(()).await?;
        let first_rpc_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(Self { process, client, first_rpc_ms })
    }

    /// Resident memory in MiB.
    #[must_use]
    pub fn resident_mib(&self) -> f64 {
        memory_kib(self.process.id(), "VmRSS") as f64 / 1024.0
    }

    /// GetSchema once: milliseconds and megabytes served.
    ///
    /// # Errors
    ///
    /// When the provider refuses.
    pub async fn schema(&mut self) -> Result<(f64, f64)> {
        let started = Instant::now();
        let answer = self.client.get_schema(rpc::GetSchemaRequest::default()).await?.into_inner();
        Ok((started.elapsed().as_secs_f64() * 1e3, answer.schema.len() as f64 / 1e6))
    }

    /// Configures against an endpoint that is never called.
    ///
    /// # Errors
    ///
    /// When the provider refuses.
    pub async fn configure(&mut self) -> Result<()> {
        let endpoint = "http://127.0.0.1:1";
        let endpoints = json!({"cloudcontrol": endpoint, "sts": endpoint, "ssm": endpoint}).to_string();
        let settings = json!({"region": "us-east-1", "skipCredentialsValidation": "true", "accessKey": "test",
            "secretKey": "test", "endpoints": endpoints});
        let variables = [("region", "us-east-1"), ("skipCredentialsValidation", "true")];
        let request = rpc::ConfigureRequest {
            accept_secrets: true,
            accept_resources: true,
            sends_old_inputs: true,
            sends_old_inputs_to_delete: true,
            variables: variables
                .iter()
                .map(|(key, value)| (format!("aws-native:config:{key}"), (*value).into()))
                .collect(),
            args: Some(structure(&settings)),
            ..Default::default()
        };
        self.client.configure(request).await?;
        Ok(())
    }

    /// CPU microseconds of one Check and of one Diff of a small bucket, averaged over `calls` sequential calls.
    ///
    /// # Errors
    ///
    /// When the provider refuses.
    pub async fn check_and_diff(&mut self, calls: u32) -> Result<(f64, f64)> {
        let urn = "urn:pulumi:dev::p::aws-native:s3:Bucket::b";
        let (old_inputs, new_inputs) = (bucket("b", 30), bucket("c", 31));
        let mut outputs = old_inputs.clone();
        outputs["arn"] = json!("arn:aws:s3:::demo-bucket");
        outputs["__inputs"] =
            json!({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": old_inputs});
        let check = rpc::CheckRequest {
            urn: urn.into(),
            olds: Some(structure(&json!({}))),
            news: Some(structure(&old_inputs)),
            random_seed: b"1234567890123456".to_vec().into(),
            ..Default::default()
        };
        let diff = rpc::DiffRequest {
            id: "demo-bucket".into(),
            urn: urn.into(),
            olds: Some(structure(&outputs)),
            old_inputs: Some(structure(&old_inputs)),
            news: Some(structure(&new_inputs)),
            ..Default::default()
        };
        // A first call each, so that what is compiled once is not counted.
        self.client.check(check.clone()).await?;
        self.client.diff(diff.clone()).await?;
        let before = cpu_nanoseconds(self.process.id());
        for _ in 0..calls {
            self.client.check(check.clone()).await?;
        }
        let between = cpu_nanoseconds(self.process.id());
        for _ in 0..calls {
            self.client.diff(diff.clone()).await?;
        }
        let after = cpu_nanoseconds(self.process.id());
        let each = |from: u64, to: u64| (to - from) as f64 / f64::from(calls) / 1e3;
        Ok((each(before, between), each(between, after)))
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn bucket(tag: &str, days: u32) -> Json {
    json!({"bucketName": "demo-bucket", "tags": [{"key": "a", "value": tag}],
        "lifecycleConfiguration": {"rules": [{"id": "x", "status": "Enabled", "expirationInDays": days}]}})
}

fn structure(json: &Json) -> bytes::Bytes {
    match value::json::from_json(json) {
        Value::Object(members) => encode(&members, EncodeOptions::KEEP),
        _ => bytes::Bytes::new(),
    }
}
