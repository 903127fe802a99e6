//! The story that `make demo` tells and that the end-to-end tests hold to its word: one stack from creation to destruction.
//!
//! Every step checks what it claims; a story that is not true ends with an error. What a step saw is kept as
//! [`Evidence`], so that tests can look closer without running the engine again. The steps are in `chapters`, what they
//! are told with in `teller`.

mod chapters;
mod teller;

use anyhow::{Context, Result};
use serde_json::Value as Json;

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
