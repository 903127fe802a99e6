//! The story that `make demo` tells and that the end-to-end tests hold to its word: one stack from creation to destruction.
//!
//! Every step checks what it claims; a story that is not true ends with an error. What a step saw is kept as
//! [`Evidence`], so that tests can look closer without running the engine again.

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};

use crate::cloud::{Cloud, Seen, Weather};
use crate::plan::Plan;
use crate::sandbox::Sandbox;

/// The secret environment variable of the function; it must never stand anywhere in clear.
pub const API_KEY: &str = "canary-api-key-7f3a91";
/// The secret value of the parameter; it must never stand anywhere in clear.
pub const DB_PASSWORD: &str = "canary-db-password-c04d2e";

/// What the steps saw, in order of the story.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The plan of each step that had a preview, by step.
    pub plans: Vec<(&'static str, Plan)>,
    /// The mutating Cloud Control calls of each step.
    pub mutations: Vec<(&'static str, Vec<Seen>)>,
    /// The exported state after each step that changed it.
    pub exports: Vec<(&'static str, Json)>,
    /// Everything the CLI printed, for the search for secrets.
    pub said: String,
    /// What the emulator's rules did to all calls.
    pub weather: Vec<Weather>,
    /// How often the engine had to be run again.
    pub repeated: usize,
}

impl Evidence {
    /// The plan of `step`, empty when it had none.
    #[must_use]
    pub fn plan(&self, step: &str) -> Plan {
        self.plans.iter().find(|(name, _)| *name == step).map(|(_, plan)| plan.clone()).unwrap_or_default()
    }

    /// The mutating calls of `step`.
    #[must_use]
    pub fn mutations(&self, step: &str) -> Vec<Seen> {
        self.mutations.iter().find(|(name, _)| *name == step).map(|(_, seen)| seen.clone()).unwrap_or_default()
    }
}

/// The story's teller: the real engine, the local Cloud Control, and somebody who listens.
pub struct Story<'a> {
    cloud: Cloud,
    sandbox: Sandbox,
    evidence: Evidence,
    /// How often the engine may be run for one step.
    attempts: usize,
    tell: &'a mut dyn FnMut(&str),
}

/// Tells the whole story.
///
/// # Errors
///
/// When a tool is missing, or when a step does not come out as told.
pub fn tell(listener: &mut dyn FnMut(&str)) -> Result<Evidence> {
    tell_under("test", 1, listener)
}

/// How often the engine is run again for a step that fails although nothing is wrong with the program.
const REPEATS: usize = 3;

/// Tells the whole story on a cloud with a profile, a name or a file, and a seed. Where the profile makes operations
/// fail, a step that fails is repeated, and the story says so.
///
/// # Errors
///
/// As [`tell`].
pub fn tell_under(profile: &str, seed: u64, listener: &mut dyn FnMut(&str)) -> Result<Evidence> {
    let mut story = begin(profile, seed, listener)?;
    story.create().context("step create")?;
    story.nothing_to_do().context("step preview")?;
    story.nested_change().context("step update")?;
    story.quiet_refresh().context("step refresh")?;
    story.drift_and_repair().context("step drift")?;
    story.replacement().context("step replace")?;
    story.destroy().context("step destroy")?;
    Ok(story.evidence)
}

/// Tells the first and the last chapter only.
///
/// # Errors
///
/// As [`tell`].
pub fn tell_briefly(profile: &str, seed: u64, listener: &mut dyn FnMut(&str)) -> Result<Evidence> {
    let mut story = begin(profile, seed, listener)?;
    story.create().context("step create")?;
    story.destroy().context("step destroy")?;
    Ok(story.evidence)
}

fn begin<'a>(profile: &str, seed: u64, listener: &'a mut dyn FnMut(&str)) -> Result<Story<'a>> {
    let cloud = Cloud::start_with(profile, seed)?;
    let sandbox = Sandbox::new("first-steps", cloud.url())?;
    let attempts = if ["test", "fast", "realistic"].contains(&profile) { 1 } else { 1 + REPEATS };
    let story = Story { cloud, sandbox, evidence: Evidence::default(), attempts, tell: listener };
    story.sandbox.configure("apiKey", API_KEY, true)?;
    story.sandbox.configure("dbPassword", DB_PASSWORD, true)?;
    Ok(story)
}

impl Story<'_> {
    fn create(&mut self) -> Result<()> {
        self.chapter("1. pulumi up: a new stack");
        let plan = self.preview("create")?;
        let creates = plan.steps.iter().filter(|step| step.operation == "create").count();
        ensure!(creates >= 9, "the preview creates {creates} resources, not the stack and its eight resources");
        self.up("create")?;
        self.say(&format!("   {} resources exist now. The cloud saw:", creates - 1));
        self.say_mutations("create");
        let (_, state) = self.evidence.exports.last().context("no exported state")?;
        let state = state.to_string();
        ensure!(!state.contains(API_KEY) && !state.contains(DB_PASSWORD), "a secret stands in clear in the state");
        self.say("   state: the function's API_KEY and the parameter's value are encrypted, wherever they are echoed");
        Ok(())
    }

    fn nothing_to_do(&mut self) -> Result<()> {
        self.chapter("2. pulumi preview: nothing to do");
        let plan = self.preview("preview")?;
        ensure!(plan.is_empty(), "a preview right after the creation wants {plan:?}");
        self.say("   no changes");
        Ok(())
    }

    fn nested_change(&mut self) -> Result<()> {
        self.chapter("3. pulumi config set versioning Suspended; pulumi up: one nested property");
        self.sandbox.configure("versioning", "Suspended", false)?;
        let plan = self.preview("update")?;
        let step = plan.step("update", "uploads").context("the preview does not update the bucket")?;
        ensure!(plan.steps.len() == 1, "the preview changes more than the bucket: {plan:?}");
        ensure!(
            step.changes.keys().eq(["versioningConfiguration.status"]),
            "the plan names {:?} instead of the one nested property",
            step.changes
        );
        self.up("update")?;
        let seen = self.evidence.mutations("update");
        ensure!(seen.len() == 1 && seen[0].patch.len() == 1, "the cloud saw more than one small patch: {seen:?}");
        ensure!(self.preview("after update")?.is_empty(), "a preview after the update is not empty");
        self.say_mutations("update");
        Ok(())
    }

    fn quiet_refresh(&mut self) -> Result<()> {
        self.chapter("4. pulumi refresh: the cloud is as recorded");
        let before = self.sandbox.export()?;
        self.run(&["refresh", "--yes", "--skip-preview", "--expect-no-changes"])?;
        let (before, after) = (resources(&before), resources(&self.sandbox.export()?));
        for (before, after) in before.iter().zip(&after) {
            ensure!(before == after, "a refresh without drift changed the state\nfrom {before}\nto   {after}");
        }
        ensure!(before.len() == after.len(), "a refresh without drift changed the number of resources");
        self.say("   no changes");
        Ok(())
    }

    fn drift_and_repair(&mut self) -> Result<()> {
        self.chapter("5. somebody shortens the log retention by hand; pulumi refresh shows it, pulumi up repairs it");
        let (group, _) = self.only("AWS::Logs::LogGroup")?;
        let patch = json!([{"op": "replace", "path": "/RetentionInDays", "value": 1}]);
        self.cloud.drift("AWS::Logs::LogGroup", &group, &patch)?;
        let said = self.run(&["refresh", "--yes", "--skip-preview", "--diff"])?;
        let shown = said.lines().find(|line| line.contains("retentionInDays"));
        let shown = shown.with_context(|| format!("the refresh does not show the drift:\n{said}"))?;
        self.say(&format!("   refresh: aws-native:logs:LogGroup workerLogs {}", shown.trim()));
        let plan = self.preview("drift")?;
        let step = plan.step("update", "workerLogs").context("the preview does not repair the log group")?;
        ensure!(
            plan.steps.len() == 1 && step.changes.contains_key("retentionInDays"),
            "the repair is not small: {plan:?}"
        );
        self.up("drift")?;
        let (_, model) = self.only("AWS::Logs::LogGroup")?;
        ensure!(model["RetentionInDays"] == json!(14), "the log group was not repaired: {model}");
        self.say_mutations("drift");
        Ok(())
    }

    fn replacement(&mut self) -> Result<()> {
        self.chapter("6. pulumi config set ordersTable …; pulumi up: a name that cannot be changed in place");
        self.sandbox.configure("ordersTable", "first-steps-orders-v2", false)?;
        let plan = self.preview("replace")?;
        let step = plan.step("replace", "orders").or_else(|| plan.step("create-replacement", "orders"));
        let step = step.context("the preview does not replace the table")?;
        ensure!(
            step.changes.get("tableName").is_some_and(|kind| kind.contains("replace")),
            "the plan does not say that tableName forces the replacement: {:?}",
            step.changes
        );
        self.up("replace")?;
        let (table, _) = self.only("AWS::DynamoDB::Table")?;
        ensure!(table == "first-steps-orders-v2", "the cloud holds the table {table}");
        ensure!(self.preview("after replace")?.is_empty(), "a preview after the replacement is not empty");
        self.say_mutations("replace");
        self.say("   (Lists are replaced whole; the function's code is write-only, so an update sends it again.)");
        Ok(())
    }

    fn destroy(&mut self) -> Result<()> {
        self.chapter("7. pulumi destroy");
        self.run(&["destroy", "--yes", "--skip-preview"])?;
        self.evidence.mutations.push(("destroy", self.cloud.mutations()?));
        let left = self.cloud.resources("AWS::S3::Bucket")?;
        ensure!(left.is_empty(), "the cloud still holds {left:?}");
        self.say_mutations("destroy");
        Ok(())
    }

    fn preview(&mut self, step: &'static str) -> Result<Plan> {
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

    fn up(&mut self, step: &'static str) -> Result<()> {
        self.run(&["up", "--yes", "--skip-preview"])?;
        self.evidence.mutations.push((step, self.cloud.mutations()?));
        self.evidence.exports.push((step, self.sandbox.export()?));
        Ok(())
    }

    /// Runs the engine; again, and visibly, when it fails on a cloud where that may happen. Says what the cloud did to the
    /// calls meanwhile; the call log holds those of this run alone.
    fn run(&mut self, arguments: &[&str]) -> Result<String> {
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

    fn only(&self, type_name: &str) -> Result<(String, Json)> {
        let mut resources = self.cloud.resources(type_name)?;
        ensure!(resources.len() == 1, "{} resources of type {type_name}", resources.len());
        resources.pop().context("no resource")
    }

    fn chapter(&mut self, title: &str) {
        (self.tell)("");
        (self.tell)(title);
    }

    fn say(&mut self, line: &str) {
        (self.tell)(line.trim_end());
    }

    fn say_mutations(&mut self, step: &str) {
        for seen in self.evidence.mutations(step) {
            let operations: Vec<String> = seen.patch.iter().map(operation).collect();
            self.say(&format!("   cloud: {} {} {}", seen.operation, seen.type_name, operations.join(", ")));
        }
    }
}

fn operation(operation: &Json) -> String {
    format!("{} {}", operation["op"].as_str().unwrap_or("?"), operation["path"].as_str().unwrap_or("?"))
}

/// What the provider answers for in an exported state: URN, id, inputs and outputs of each resource.
#[must_use]
pub fn resources(export: &Json) -> Vec<Json> {
    let resources = export["deployment"]["resources"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours = |resource: &Json| {
        let members = ["urn", "id", "inputs", "outputs"];
        let mut kept: Json = members.iter().map(|member| ((*member).to_owned(), resource[member].clone())).collect();
        drop_ciphertexts(&mut kept);
        kept
    };
    resources.iter().map(ours).collect()
}

/// Encrypting the same secret twice gives different text; a comparison must not see it.
fn drop_ciphertexts(value: &mut Json) {
    match value {
        Json::Object(members) => {
            members.remove("ciphertext");
            members.values_mut().for_each(drop_ciphertexts);
        }
        Json::Array(elements) => elements.iter_mut().for_each(drop_ciphertexts),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}
