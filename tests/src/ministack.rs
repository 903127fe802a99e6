//! PyPI ministack as a process: a double of AWS that others wrote, which knows no schemas and shares nothing with ours.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};

use crate::binaries::repository;

/// As long as its start may take.
const START: Duration = Duration::from_secs(60);

/// What its calls are signed with; it looks at nothing but account and region.
const AUTHORIZATION: &str = "AWS4-HMAC-SHA256 Credential=test/20300101/eu-west-1/cloudcontrolapi/aws4_request, \
                             SignedHeaders=host, Signature=none";

/// A running ministack; dropping it ends the process.
pub struct Ministack {
    process: Child,
    url: String,
    folder: tempfile::TempDir,
}

impl Ministack {
    /// Installs and starts it on a free port; none where it cannot be installed.
    ///
    /// # Errors
    ///
    /// When what was downloaded is not what is pinned, or when it does not start.
    pub fn start() -> Result<Option<Self>> {
        let script = Command::new(repository().join("scripts/ministack.sh")).stderr(Stdio::inherit()).output()?;
        ensure!(script.status.success(), "scripts/ministack.sh failed");
        let command = String::from_utf8(script.stdout)?.trim().to_owned();
        if command.is_empty() {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("ministack-").tempdir()?;
        // It takes no port 0: one that is free now is free a moment later, too.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = Command::new(&command)
            .env("GATEWAY_PORT", port.to_string())
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {command}"))?;
        let ministack = Self { process, url: format!("http://127.0.0.1:{port}"), folder };
        ministack.wait()?;
        Ok(Some(ministack))
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A call of Cloud Control; the answer's `Properties` are parsed.
    ///
    /// # Errors
    ///
    /// When it is refused.
    pub fn call(&self, operation: &str, request: &Json) -> Result<Json> {
        let mut answer = ureq::post(&self.url)
            .header("x-amz-target", &format!("CloudApiService.{operation}"))
            .header("authorization", AUTHORIZATION)
            .config()
            .http_status_as_error(false)
            .build()
            .send_json(request)?;
        let status = answer.status();
        let mut answer: Json = answer.body_mut().read_json()?;
        ensure!(status.is_success(), "{operation} was refused: {answer}");
        if let Some(text) = answer["ResourceDescription"]["Properties"].as_str() {
            answer = serde_json::from_str(text)?;
        }
        Ok(answer)
    }

    /// The model of a resource.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn read(&self, type_name: &str, identifier: &str) -> Result<Json> {
        self.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}))
    }

    /// The identifiers of the resources of a type.
    ///
    /// # Errors
    ///
    /// When it does not answer.
    pub fn list(&self, type_name: &str) -> Result<Vec<String>> {
        let answer = self.call("ListResources", &json!({"TypeName": type_name}))?;
        let list = answer["ResourceDescriptions"].as_array().cloned().unwrap_or_default();
        Ok(list.iter().filter_map(|entry| entry["Identifier"].as_str().map(str::to_owned)).collect())
    }

    fn wait(&self) -> Result<()> {
        let begin = Instant::now();
        while self.list("AWS::S3::Bucket").is_err() {
            if begin.elapsed() > START {
                bail!("ministack does not answer at {} (in {})", self.url, self.folder.path().display());
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
