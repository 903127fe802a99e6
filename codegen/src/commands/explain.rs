//! `explain`: why something is called and typed as it is, for people or as JSON.

use anyhow::{Context, Result, bail};
use codegen::explain::{self, ExplainError};

use super::console::Console;
use super::workspace::Workspace;
use super::{InputArgs, pipeline, suggest};

/// Prints why what `name` means has its name and type.
pub fn explain(workspace: &Workspace, console: &Console, input: &InputArgs, name: &str, json: bool) -> Result<()> {
    if name.trim().is_empty() {
        bail!("the name is empty; give a token or a CloudFormation type, for example AWS::S3::Bucket");
    }
    let run = pipeline::run(workspace, console, input, pipeline::Keep { traces: true, ..pipeline::Keep::default() })?;
    let error = match explain::explain(&run.output, &run.overlays, name) {
        Ok(explanation) => {
            let text = match json {
                true => serde_json::to_string_pretty(&explanation).context("the explanation is no JSON")? + "\n",
                false => explanation.to_string(),
            };
            return console.result(&text).context("standard output cannot be written");
        }
        Err(error) => error,
    };
    let similar = match &error {
        ExplainError::Unknown { name } => suggest::similar(name, explain::known_names(&run.output)),
        ExplainError::UnknownMember { name, known, .. } => {
            suggest::similar_words(name, known.iter().map(String::as_str))
        }
        ExplainError::UnknownPointer { pointer, known, .. } => {
            suggest::similar_words(pointer, known.iter().map(String::as_str))
        }
        ExplainError::LeftOut { .. } => bail!(error),
    };
    match similar.as_slice() {
        [] => bail!("{error}; cf-schemas/inventory lists all names"),
        similar => bail!("{error}; did you mean {}?", similar.join(", ")),
    }
}
