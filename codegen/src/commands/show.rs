//! `show`: one resource type, for people or as JSON.

use anyhow::{Context, Result, bail};
use codegen::emit::report;

use super::console::Console;
use super::workspace::Workspace;
use super::{InputArgs, describe, pipeline, suggest};

/// Prints the type whose CloudFormation name or token is `name`; capitals do not count.
pub fn show(workspace: &Workspace, console: &Console, input: &InputArgs, name: &str, json: bool) -> Result<()> {
    if name.trim().is_empty() {
        bail!("the name is empty; give a token or a CloudFormation type, for example AWS::S3::Bucket");
    }
    let run = pipeline::run(workspace, console, input, pipeline::Keep::default())?;
    let resources = &run.output.resources;
    let same = |one: &str| one.eq_ignore_ascii_case(name);
    if let Some(resource) = resources.iter().find(|resource| same(&resource.token) || same(&resource.cfn_type)) {
        let text = match json {
            true => serde_json::to_string_pretty(resource).context("the metadata is no JSON")? + "\n",
            false => describe::describe(resource, run.output.availability.describe(&resource.cfn_type).as_deref()),
        };
        return console.result(&text).context("standard output cannot be written");
    }
    if let Some(skip) = run.output.skips.iter().find(|skip| same(report::name(skip))) {
        bail!("{} is left out: {}", report::name(skip), skip.reason);
    }
    let names = resources.iter().flat_map(|resource| [resource.cfn_type.as_str(), resource.token.as_str()]);
    match suggest::similar(name, names).as_slice() {
        [] => bail!("there is no resource type {name}; cf-schemas/inventory lists all of them"),
        similar => bail!("there is no resource type {name}; did you mean {}?", similar.join(", ")),
    }
}
