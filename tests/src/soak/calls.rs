//! Calls with the patience of a careful client: what passes by itself is tried again.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};

use super::client::Client;

/// How long a client waits between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// How often a client tries one thing before it gives up; chance makes so many failures in a row impossible.
pub(super) const PATIENCE: usize = 2_000;

impl Client {
    /// Begins an operation with a token of its own and waits for its end; the last event.
    pub(super) fn begin(&mut self, operation: &str, body: &Json) -> Result<Json> {
        self.drawn += 1;
        let mut body = body.clone();
        body["ClientToken"] = json!(format!("soak-{}-{}", self.index, self.drawn));
        let mut event = self.insist(operation, &body)?["ProgressEvent"].clone();
        for _ in 0..PATIENCE {
            if !matches!(event["OperationStatus"].as_str(), Some("PENDING" | "IN_PROGRESS")) {
                return Ok(event);
            }
            pause();
            let token = json!({"RequestToken": event["RequestToken"]});
            event = self.insist("GetResourceRequestStatus", &token)?["ProgressEvent"].clone();
        }
        bail!("{operation} does not come to an end: {event}")
    }

    /// Reads until there is something to read.
    pub(super) fn read(&mut self, type_name: &str, identifier: &str) -> Result<()> {
        for _ in 0..PATIENCE {
            let (status, answer) =
                self.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}))?;
            if status == 200 {
                return Ok(());
            }
            ensure!(
                is_passing(&answer) || is(&answer, "ResourceNotFoundException"),
                "a read of {identifier}: {answer}"
            );
            self.repeated += 1;
            pause();
        }
        bail!("{type_name} {identifier} is never found")
    }

    /// Calls until the call is not refused for a reason that passes.
    fn insist(&mut self, operation: &str, body: &Json) -> Result<Json> {
        for _ in 0..PATIENCE {
            let (status, answer) = self.call(operation, body)?;
            if status == 200 {
                return Ok(answer);
            }
            ensure!(is_passing(&answer), "{operation} was refused: {answer}");
            self.repeated += 1;
            pause();
        }
        bail!("{operation} is always refused")
    }

    fn call(&self, operation: &str, body: &Json) -> Result<(u16, Json)> {
        let request = self
            .agent
            .post(&self.url)
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("CloudApiService.{operation}"));
        let mut answer = request.send(body.to_string()).with_context(|| format!("calling {operation}"))?;
        let status = answer.status().as_u16();
        // Not `read_json`: that asks for another content type.
        let text = answer.body_mut().read_to_string()?;
        Ok((status, serde_json::from_str(&text).with_context(|| format!("{operation} answered {text}"))?))
    }
}

#[allow(clippy::disallowed_methods, reason = "a client has a thread of its own, which ends with the soak")]
fn pause() {
    std::thread::sleep(PAUSE);
}

fn is(answer: &Json, code: &str) -> bool {
    answer["__type"].as_str().is_some_and(|name| name.ends_with(code))
}

/// Whether a refusal passes by itself.
fn is_passing(answer: &Json) -> bool {
    is(answer, "ThrottlingException") || is(answer, "ServiceUnavailable")
}
