//! The local Cloud Control as a process, seen from outside: its address, the requests it saw, its resources, drift.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};

use crate::binaries;

/// A running `cloudcontrol-emulator`; dropping it ends the process.
pub struct Cloud {
    process: Child,
    url: String,
}

/// One Cloud Control call that the emulator saw.
#[derive(Debug, Clone)]
pub struct Seen {
    /// For example `UpdateResource`.
    pub operation: String,
    /// For example `AWS::S3::Bucket`.
    pub type_name: String,
    /// The parsed patch document, for updates.
    pub patch: Vec<Json>,
}

impl Cloud {
    /// Starts an emulator with the embedded schemas on a free port and waits until it serves.
    ///
    /// # Errors
    ///
    /// When it is not built, does not start, or says something else than that it is ready.
    pub fn start() -> Result<Self> {
        let mut process = Command::new(binaries::built("cloudcontrol-emulator")?)
            .args(["--port", "0", "--profile", "test", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the local Cloud Control")?;
        let stdout = process.stdout.take().context("the emulator has no standard output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let ready: Json = serde_json::from_str(&line)
            .with_context(|| format!("the emulator said {line:?} instead of its address"))?;
        let url = ready["url"].as_str().context("the emulator named no address")?.to_owned();
        Ok(Self { process, url })
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Every Cloud Control call since the start or the last [`Cloud::forget_requests`], in order.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn requests(&self) -> Result<Vec<Seen>> {
        let answer: Json = ureq::get(format!("{}/_emu/log", self.url)).call()?.body_mut().read_json()?;
        let list = answer.as_array().or_else(|| answer["requests"].as_array()).context("no list of requests")?;
        Ok(list.iter().map(seen).collect())
    }

    /// Mutating calls since the last [`Cloud::forget_requests`]: creates, updates and deletes.
    ///
    /// # Errors
    ///
    /// As [`Cloud::requests`].
    pub fn mutations(&self) -> Result<Vec<Seen>> {
        let mutating = ["CreateResource", "UpdateResource", "DeleteResource"];
        Ok(self.requests()?.into_iter().filter(|seen| mutating.contains(&seen.operation.as_str())).collect())
    }

    /// Empties the call log.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn forget_requests(&self) -> Result<()> {
        ureq::delete(format!("{}/_emu/log", self.url)).call()?;
        Ok(())
    }

    /// The live resources of one type: identifier and model.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn resources(&self, type_name: &str) -> Result<Vec<(String, Json)>> {
        let answer: Json = ureq::get(format!("{}/_emu/resources", self.url)).call()?.body_mut().read_json()?;
        let list = answer.as_array().or_else(|| answer["resources"].as_array()).context("no list of resources")?;
        Ok(list
            .iter()
            .filter(|entry| entry["type"] == type_name)
            .map(|entry| (text(&entry["identifier"]), entry["model"].clone()))
            .collect())
    }

    /// Changes a live resource behind everyone's back.
    ///
    /// # Errors
    ///
    /// When the resource does not exist or the patch does not apply.
    pub fn drift(&self, type_name: &str, identifier: &str, patch: &Json) -> Result<()> {
        let body = json!({"type": type_name, "identifier": identifier, "patch": patch});
        let status = ureq::post(format!("{}/_emu/drift", self.url)).send_json(body)?.status();
        ensure!(status.is_success(), "the emulator refused the change: {status}");
        Ok(())
    }
}

impl Drop for Cloud {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn seen(entry: &Json) -> Seen {
    let patch = match &entry["patchDocument"] {
        Json::String(text) => serde_json::from_str(text).unwrap_or_default(),
        Json::Array(operations) => operations.clone(),
        _ => Vec::new(),
    };
    Seen { operation: text(&entry["operation"]), type_name: text(&entry["typeName"]), patch }
}

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
