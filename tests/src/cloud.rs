//! The local Cloud Control as a process, seen from outside: its address, the requests it saw, its resources, drift.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};

use crate::binaries;

mod admin;

/// The account that clients with made-up keys work in.
pub const ACCOUNT: &str = "123456789012";

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
    /// What the emulator made of it that no client asked for: refusals, failures, lies.
    pub met: Vec<Met>,
    /// Whether it repeats a call that was accepted.
    pub is_repeated: bool,
    /// Whether it was refused.
    pub is_refused: bool,
}

/// Something that went wrong with a call by the emulator's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// Refused as too many.
    Throttled,
    /// Accepted, and failed later.
    Failed,
    /// A poll that was refused.
    PollFailed,
    /// A resource that exists and was not found.
    NotFound,
    /// Anything else.
    Other,
}

/// What the emulator's rules did to the calls of a while.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weather {
    /// Calls that were refused as too many.
    pub throttled: usize,
    /// Operations that were accepted and failed.
    pub failed: usize,
    /// Polls that were refused.
    pub polls_failed: usize,
    /// Reads that did not find what exists.
    pub not_found: usize,
    /// Everything else.
    pub other: usize,
}

impl Weather {
    /// What these calls met.
    #[must_use]
    pub fn of(calls: &[Seen]) -> Self {
        let count = |met: Met| calls.iter().flat_map(|seen| &seen.met).filter(|other| **other == met).count();
        Self {
            throttled: count(Met::Throttled),
            failed: count(Met::Failed),
            polls_failed: count(Met::PollFailed),
            not_found: count(Met::NotFound),
            other: count(Met::Other),
        }
    }
}

impl std::fmt::Display for Weather {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = [
            (self.throttled, "calls throttled"),
            (self.failed, "operations failed"),
            (self.polls_failed, "polls refused"),
            (self.not_found, "reads that did not find what exists"),
            (self.other, "other faults"),
        ];
        let parts: Vec<String> =
            all.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(&parts.join(", "))
    }
}

impl Cloud {
    /// Starts an emulator with the embedded schemas on a free port and waits until it serves.
    ///
    /// # Errors
    ///
    /// When it is not built, does not start, or says something else than that it is ready.
    pub fn start() -> Result<Self> {
        Self::start_with("test", 1)
    }

    /// The same with a profile, a name or a file, and a seed.
    ///
    /// # Errors
    ///
    /// As [`Cloud::start`].
    pub fn start_with(profile: &str, seed: u64) -> Result<Self> {
        let mut process = Command::new(binaries::built("cloudcontrol-emulator")?)
            // What was sent is looked at, write-only values too.
            .args(["--port", "0", "--profile", profile, "--seed", &seed.to_string(), "--json", "--show-secrets"])
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

    /// Mutating calls since the last [`Cloud::forget_requests`]: creates, updates and deletes that were neither refused nor
    /// made to fail, each once.
    ///
    /// # Errors
    ///
    /// As [`Cloud::requests`].
    pub fn mutations(&self) -> Result<Vec<Seen>> {
        let mutating = ["CreateResource", "UpdateResource", "DeleteResource"];
        let counts = |seen: &Seen| {
            let is_injected = seen.is_refused && !seen.met.is_empty();
            mutating.contains(&seen.operation.as_str())
                && !is_injected
                && !seen.is_repeated
                && !seen.met.contains(&Met::Failed)
        };
        Ok(self.requests()?.into_iter().filter(counts).collect())
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
    let operation = text(&entry["operation"]);
    let is_refused = entry["status"].as_u64().is_some_and(|status| status >= 400);
    let met = met(&operation, is_refused, entry);
    let is_repeated = entry["retry"] == true;
    Seen { operation, type_name: text(&entry["typeName"]), patch, met, is_repeated, is_refused }
}

/// What the rules decided about a call, and what an earlier decision did to it.
fn met(operation: &str, is_refused: bool, entry: &Json) -> Vec<Met> {
    let decisions = entry["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if decisions.is_empty() {
        let has_rule = entry["rules"].as_array().is_some_and(|rules| !rules.is_empty());
        return if has_rule && is_refused { vec![Met::NotFound] } else { Vec::new() };
    }
    let kind = |decision: &Json| {
        let name = decision["then"].as_object().and_then(|then| then.keys().next().cloned()).unwrap_or_default();
        match name.as_str() {
            "poll-error" | "throttle" if operation == "GetResourceRequestStatus" => Met::PollFailed,
            "throttle" => Met::Throttled,
            "fail" => Met::Failed,
            // It shows in the reads that come later.
            _ => Met::Other,
        }
    };
    let is_later = |decision: &&Json| decision["then"].get("not-found-after-create").is_none();
    decisions.iter().filter(is_later).map(kind).collect()
}

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
