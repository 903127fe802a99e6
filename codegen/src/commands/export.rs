//! `export`: plain JSON for other tools, and digests of it.

use std::path::Path;

use anyhow::{Context, Result};
use codegen::digest;

use super::console::Console;
use super::workspace::Workspace;
use super::{Export, InputArgs, pipeline, swap};

/// Prints the package schema, the runtime metadata or digests, or writes them to a file.
pub fn export(
    workspace: &Workspace,
    console: &Console,
    input: &InputArgs,
    what: Export,
    file: Option<&Path>,
) -> Result<()> {
    let run = pipeline::run(workspace, console, input, pipeline::Keep { runtime: true, ..pipeline::Keep::default() })?;
    let package = || serde_json::to_value(&run.output.package).context("the package schema is no JSON");
    let metadata = || codegen::metadata_json(&run.output).context("the metadata is no JSON");
    let mut text = match what {
        Export::Schema => serde_json::to_string(&run.output.package).context("the package schema is no JSON")?,
        Export::Metadata => String::from_utf8(metadata()?).context("the metadata is no text")?,
        Export::Digests => {
            let metadata = serde_json::from_slice(&metadata()?).context("the metadata is no JSON")?;
            digest::table::table(&package()?, &metadata)
        }
        Export::TokenDigests => digest::tokens::write(&digest::tokens::digests(&package()?)),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match file {
        Some(file) => swap::write_file(file, text.as_bytes()),
        None => console.result(&text).context("standard output cannot be written"),
    }
}
