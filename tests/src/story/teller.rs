//! What chapters are told with: running the engine, looking at the cloud, and saying what was seen.

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use super::{REPEATS, Story};
use crate::cloud::Weather;
use crate::plan::Plan;

impl Story<'_> {
    pub(super) fn preview(&mut self, step: &'static str) -> Result<Plan> {
        let plan = self.sandbox.preview()?;
        for change in &plan.steps {
            let paths: Vec<String> = change.changes.iter().map(|(path, kind)| format!("{path} ({kind})")).collect();
            self.say(&format!(
                "   plan: {:<18} {} {} {}",
                change.operation,
                change.token,
                change.name,
                paths.join(", ")
            ));
        }
        self.evidence.plans.push((step, plan.clone()));
        Ok(plan)
    }

    pub(super) fn up(&mut self, step: &'static str) -> Result<()> {
        self.run(&["up", "--yes", "--skip-preview"])?;
        self.evidence.mutations.push((step, self.cloud.mutations()?));
        self.evidence.exports.push((step, self.sandbox.export()?));
        Ok(())
    }

    /// Runs the engine; again, and visibly, when it fails on a cloud where that may happen. Says what the cloud did to the
    /// calls meanwhile; the call log holds those of this run alone.
    pub(super) fn run(&mut self, arguments: &[&str]) -> Result<String> {
        let command = arguments.first().copied().unwrap_or_default();
        self.cloud.forget_requests()?;
        for attempt in 1.. {
            let said = self.sandbox.run(arguments)?;
            self.evidence.said.push_str(&said.out);
            self.evidence.said.push_str(&said.err);
            if said.ok {
                self.say_weather()?;
                return Ok(said.out);
            }
            let text = format!("{}\n{}", said.out, said.err);
            ensure!(attempt < self.attempts, "pulumi {} failed:\n{text}", arguments.join(" "));
            let reason =
                text.lines().map(str::trim).find(|line| line.starts_with("error:") && !line.contains("update failed"));
            self.say(&format!("   pulumi {command} failed: {}", reason.unwrap_or("see the log")));
            self.say(&format!("   pulumi {command}, once more ({attempt} of {REPEATS})"));
            self.evidence.repeated += 1;
        }
        Ok(String::new())
    }

    /// Says what the cloud's rules did to the calls since they were forgotten.
    fn say_weather(&mut self) -> Result<()> {
        let weather = Weather::of(&self.cloud.requests()?);
        if weather != Weather::default() {
            self.say(&format!("   weather: {weather}"));
        }
        self.evidence.weather.push(weather);
        Ok(())
    }

    pub(super) fn only(&self, type_name: &str) -> Result<(String, Json)> {
        let mut resources = self.cloud.resources(type_name)?;
        ensure!(resources.len() == 1, "{} resources of type {type_name}", resources.len());
        resources.pop().context("no resource")
    }

    pub(super) fn chapter(&mut self, title: &str) {
        (self.tell)("");
        (self.tell)(title);
    }

    pub(super) fn say(&mut self, line: &str) {
        (self.tell)(line.trim_end());
    }

    pub(super) fn say_mutations(&mut self, step: &str) {
        for seen in self.evidence.mutations(step) {
            let operations: Vec<String> = seen.patch.iter().map(operation).collect();
            self.say(&format!("   cloud: {} {} {}", seen.operation, seen.type_name, operations.join(", ")));
        }
    }
}

fn operation(operation: &Json) -> String {
    format!("{} {}", operation["op"].as_str().unwrap_or("?"), operation["path"].as_str().unwrap_or("?"))
}
