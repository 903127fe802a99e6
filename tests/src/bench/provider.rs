//! A running provider, driven over its real gRPC contract.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use protocol::pulumirpc as rpc;
use serde_json::{Value as Json, json};

use super::{cpu_nanoseconds, memory_kib};
use crate::provider::{Process, structure};

/// A started provider and what its start took.
pub struct Provider {
    process: Process,
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
        let process = Process::start(binary, &[], &[]).await?;
        Ok(Self { process, first_rpc_ms: started.elapsed().as_secs_f64() * 1e3 })
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
        let answer = self.process.client.get_schema(rpc::GetSchemaRequest::default()).await?.into_inner();
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
        self.process.client.configure(request).await?;
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
        self.process.client.check(check.clone()).await?;
        self.process.client.diff(diff.clone()).await?;
        let before = cpu_nanoseconds(self.process.id());
        for _ in 0..calls {
            self.process.client.check(check.clone()).await?;
        }
        let between = cpu_nanoseconds(self.process.id());
        for _ in 0..calls {
            self.process.client.diff(diff.clone()).await?;
        }
        let after = cpu_nanoseconds(self.process.id());
        let each = |from: u64, to: u64| (to - from) as f64 / f64::from(calls) / 1e3;
        Ok((each(before, between), each(between, after)))
    }
}

fn bucket(tag: &str, days: u32) -> Json {
    json!({"bucketName": "demo-bucket", "tags": [{"key": "a", "value": tag}],
        "lifecycleConfiguration": {"rules": [{"id": "x", "status": "Enabled", "expirationInDays": days}]}})
}
