//! PyPI ministack as a process: a double of AWS that others wrote, which knows no schemas and shares nothing with ours.

use std::fs::File;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};

use crate::binaries::repository;

/// As long as its start may take.
const START: Duration = Duration::from_secs(60);

/// The file that has its stderr, in its folder.
const WORDS: &str = "stderr";
/// So many of its last lines are repeated when it fails.
const TAIL: usize = 20;

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
        Self::of_command(&mut Command::new(command)).map(Some)
    }

    /// Starts the program and waits until it answers.
    fn of_command(command: &mut Command) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("ministack-").tempdir()?;
        // It takes no port 0. One that is free now may be taken a moment later; then its words say so.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = command
            .env("GATEWAY_PORT", port.to_string())
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join(WORDS))?)
            .spawn()
            .context("starting ministack")?;
        let mut ministack = Self { process, url: format!("http://127.0.0.1:{port}"), folder };
        ministack.wait()?;
        Ok(ministack)
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

    fn wait(&mut self) -> Result<()> {
        let begin = Instant::now();
        while self.list("AWS::S3::Bucket").is_err() {
            if let Some(status) = self.process.try_wait()? {
                bail!("ministack ended with {status}; {}", self.last_words());
            }
            if begin.elapsed() > START {
                bail!("ministack does not answer at {}; {}", self.url, self.last_words());
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        Ok(())
    }

    /// The end of what it wrote to stderr.
    fn last_words(&self) -> String {
        let words = std::fs::read(self.folder.path().join(WORDS)).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let lines: Vec<&str> = words.lines().collect();
        let tail = lines.get(lines.len().saturating_sub(TAIL)..).unwrap_or_default();
        format!("the end of its stderr:\n{}", tail.join("\n"))
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    #[test]
    fn a_failed_start_repeats_the_last_words() {
        let mut command = Command::new("sh");
        command.args(["-c", "for line in $(seq 1 30); do echo word-$line >&2; done; exit 3"]);
        let error = super::Ministack::of_command(&mut command).err().unwrap().to_string();
        assert!(error.contains("exit status: 3") && error.ends_with("word-29\nword-30"), "{error}");
        assert!(error.contains("word-11") && !error.contains("word-10"), "{error}");
    }
}
