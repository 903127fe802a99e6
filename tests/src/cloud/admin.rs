//! What the emulator's pages for tests do beyond looking: making resources, rules, snapshots.

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};

use super::{ACCOUNT, Cloud, text};

impl Cloud {
    /// All live resources: type, identifier and model.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn everything(&self) -> Result<Vec<(String, String, Json)>> {
        let answer: Json = ureq::get(format!("{}/_emu/resources", self.url)).call()?.body_mut().read_json()?;
        let list = answer.as_array().or_else(|| answer["resources"].as_array()).context("no list of resources")?;
        Ok(list
            .iter()
            .map(|entry| (text(&entry["type"]), text(&entry["identifier"]), entry["model"].clone()))
            .collect())
    }

    /// Every request that the emulator accepted and what became of it.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn accepted(&self) -> Result<Vec<Json>> {
        let answer: Json = ureq::get(format!("{}/_emu/requests", self.url)).call()?.body_mut().read_json()?;
        answer.as_array().or_else(|| answer["requests"].as_array()).cloned().context("no list of requests")
    }

    /// Makes a resource that no request asked for; its identifier.
    ///
    /// # Errors
    ///
    /// When the model is refused.
    pub fn make(&self, region: &str, type_name: &str, model: &Json) -> Result<String> {
        let body = json!({"account": ACCOUNT, "region": region, "type": type_name, "model": model});
        let mut answer = ureq::post(format!("{}/_emu/resources", self.url))
            .config()
            .http_status_as_error(false)
            .build()
            .send_json(body)?;
        let status = answer.status();
        let made: Json = answer.body_mut().read_json()?;
        ensure!(status.is_success(), "the emulator refused the resource: {status} {made}");
        Ok(text(&made["identifier"]))
    }

    /// Adds a rule of misbehavior; its id.
    ///
    /// # Errors
    ///
    /// When it is refused.
    pub fn rule(&self, rule: &Json) -> Result<String> {
        let answer: Json = ureq::post(format!("{}/_emu/rules", self.url)).send_json(rule)?.body_mut().read_json()?;
        Ok(text(&answer["id"]))
    }

    /// Finishes a request.
    ///
    /// # Errors
    ///
    /// When it is finished already.
    pub fn complete(&self, request_token: &str) -> Result<()> {
        ureq::post(format!("{}/_emu/requests/{request_token}/complete", self.url)).send_empty()?;
        Ok(())
    }

    /// Forgets all rules that were added.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn forget_rules(&self) -> Result<()> {
        ureq::delete(format!("{}/_emu/rules", self.url)).call()?;
        Ok(())
    }

    /// The whole state as one document.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn snapshot(&self) -> Result<Json> {
        Ok(ureq::get(format!("{}/_emu/snapshot", self.url)).call()?.body_mut().read_json()?)
    }

    /// Makes the state what a document says.
    ///
    /// # Errors
    ///
    /// When it is refused.
    pub fn restore(&self, snapshot: &Json) -> Result<()> {
        ureq::put(format!("{}/_emu/snapshot", self.url)).send_json(snapshot)?;
        Ok(())
    }

    /// Forgets all resources and requests.
    ///
    /// # Errors
    ///
    /// When the emulator does not answer.
    pub fn reset(&self) -> Result<()> {
        ureq::post(format!("{}/_emu/reset", self.url)).send_empty()?;
        Ok(())
    }
}
