//! A plan of the real engine (`pulumi preview --json`), reduced to what a person would check.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value as Json;

/// The steps of one preview that are no "same".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Changing steps in the engine's order.
    pub steps: Vec<Step>,
}

/// One changing step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `create`, `update`, `replace`, `create-replacement`, `delete-replaced`, `delete`, `refresh` …
    pub operation: String,
    /// Last part of the URN.
    pub name: String,
    /// Type token.
    pub token: String,
    /// Property path and kind, as the provider said them.
    pub changes: BTreeMap<String, String>,
}

impl Plan {
    /// Reads what `pulumi preview --json` printed.
    ///
    /// # Errors
    ///
    /// When it is not JSON of that shape.
    pub fn parse(text: &str) -> Result<Self> {
        let digest: Json = serde_json::from_str(text).context("reading the preview")?;
        let steps = digest["steps"].as_array().cloned().unwrap_or_default();
        Ok(Self { steps: steps.iter().map(Step::from_json).filter(|step| step.operation != "same").collect() })
    }

    /// True when nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The step of `operation` for the resource called `name`.
    #[must_use]
    pub fn step(&self, operation: &str, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.operation == operation && step.name == name)
    }
}

impl Step {
    fn from_json(step: &Json) -> Self {
        let urn = step["urn"].as_str().unwrap_or_default();
        let mut parts = urn.splitn(4, "::").skip(2);
        let token = parts.next().unwrap_or_default();
        let token = token.rsplit('$').next().unwrap_or_default().to_owned();
        let name = parts.next().unwrap_or_default().to_owned();
        let changes = step["detailedDiff"].as_object().map(|changes| {
            changes
                .iter()
                .map(|(path, change)| {
                    let kind = change["diffKind"].as_str().or_else(|| change["kind"].as_str()).unwrap_or_default();
                    (path.clone(), kind.to_owned())
                })
                .collect()
        });
        Self {
            operation: step["op"].as_str().unwrap_or_default().to_owned(),
            name,
            token,
            changes: changes.unwrap_or_default(),
        }
    }
}
