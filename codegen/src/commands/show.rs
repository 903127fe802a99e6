//! `show`: one resource type, for people or as JSON.

use anyhow::{Context, Result, bail};
use codegen::emit::report;

use super::console::Console;
use super::workspace::Workspace;
use super::{InputArgs, describe, pipeline};

/// How many names are suggested when one is not found.
const SUGGESTIONS: usize = 5;

/// Prints the type whose CloudFormation name or token is `name`; capitals do not count.
pub fn show(workspace: &Workspace, console: &Console, input: &InputArgs, name: &str, json: bool) -> Result<()> {
    let run = pipeline::run(workspace, console, input)?;
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
    match suggestions(name, names).as_slice() {
        [] => bail!("there is no resource type {name}; cf-schemas/inventory.tsv lists all of them"),
        similar => bail!("there is no resource type {name}; similar are {}", similar.join(", ")),
    }
}

/// Names whose last part contains, or is contained in, the last part of `wanted`.
fn suggestions<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let last_part = |name: &str| name.rsplit(':').next().unwrap_or(name).to_lowercase();
    let wanted_part = last_part(wanted);
    let is_token = wanted.contains(':') && !wanted.contains("::");
    let similar = |name: &&str| {
        let part = last_part(name);
        !wanted_part.is_empty() && (part.contains(&wanted_part) || wanted_part.contains(&part))
    };
    names.filter(|name| is_token != name.contains("::")).filter(similar).take(SUGGESTIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_for_names() {
        let names = [
            "AWS::S3::Bucket",
            "aws-native:s3:Bucket",
            "AWS::S3::BucketPolicy",
            "AWS::SQS::Queue",
            "aws-native:sqs:Queue",
        ];
        let check = |wanted: &str, expected: &[&str]| {
            assert_eq!(suggestions(wanted, names.into_iter()), expected, "{wanted}");
        };
        check("AWS::S3::Buckets", &["AWS::S3::Bucket"]);
        check("bucket", &["AWS::S3::Bucket", "AWS::S3::BucketPolicy"]);
        check("aws-native:s3:bucket", &["aws-native:s3:Bucket"]);
        check("AWS::", &[]);
    }
}
