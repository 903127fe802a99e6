//! `export`: plain JSON for other tools.

use std::path::Path;

use anyhow::{Context, Result};

use super::console::Console;
use super::workspace::Workspace;
use super::{Export, InputArgs, pipeline, swap};

/// Prints the package schema or the runtime metadata, or writes it to a file.
pub fn export(
    workspace: &Workspace,
    console: &Console,
    input: &InputArgs,
    what: Export,
    file: Option<&Path>,
) -> Result<()> {
    let run = pipeline::run(workspace, console, input)?;
    let bytes = match what {
        Export::Schema => serde_json::to_vec(&run.output.package).context("the package schema is no JSON")?,
        Export::Metadata => codegen::metadata_json(&run.output).context("the metadata is no JSON")?,
    };
    let mut text = String::from_utf8(bytes).context("the result is no text")?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match file {
        Some(file) => swap::write_file(file, text.as_bytes()),
        None => console.result(&text).context("standard output cannot be written"),
    }
}
