//! The list of features in the `generated` crate's `Cargo.toml`: part of a file that people write, since cargo knows no
//! other place for it.

use std::fs;
use std::io;

use anyhow::{Context, Result};
use codegen::emit::{OutputFile, names, typed};
use metadata::model;

use super::workspace::{MANIFEST, Workspace};

/// The manifest of the `generated` crate with a feature for every service; `None` where the checkout has none.
pub fn manifest(workspace: &Workspace, resources: &[model::Resource]) -> Result<Option<OutputFile>> {
    let path = workspace.root().join(MANIFEST);
    let current = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{}: cannot read", path.display())),
    };
    let wanted = typed::features::update(&current, &names::entries(resources)?).with_context(|| {
        format!(
            "{}: the lines before and behind the list of services are missing; take them from the committed file",
            path.display()
        )
    })?;
    Ok(Some(OutputFile::new(MANIFEST, wanted)))
}
