//! The documentation source, when it can be had.

use anyhow::Result;
use codegen::Docs;
use codegen::fetch::npm::{self, NpmPackage};

use super::InputArgs;
use super::console::Console;
use super::pipeline::Ready;
use super::workspace::Workspace;

/// What descriptions are made of beside the schemas.
#[derive(Debug)]
pub struct Documentation {
    /// The texts, empty where there are none.
    pub docs: Docs,
    /// What they are, or why there are none.
    pub source: String,
    /// Since when they are there.
    pub ready: Ready,
    /// What people should know: that the texts could not be had.
    pub remark: Option<String>,
}

impl Documentation {
    fn none(reason: &str) -> Self {
        Self {
            docs: Docs::default(),
            source: format!("the schemas alone: {reason}"),
            ready: Ready::Before,
            remark: None,
        }
    }
}

/// Reads the pinned documentation, which is downloaded unless it is there.
///
/// Without npm or a network a run goes on with the texts of the schemas and says so; a package that is not the pinned
/// one is an error.
pub fn load(workspace: &Workspace, console: &Console, input: &InputArgs) -> Result<Documentation> {
    if input.without_docs {
        return Ok(Documentation::none("--without-docs"));
    }
    let Some(package) = NpmPackage::read(&workspace.lock())? else {
        return Ok(Documentation::none("cf-schemas/lock.json names no documentation"));
    };
    let mut ready = Ready::Before;
    let mut spinner = None;
    let file = npm::ensure(&package, &workspace.download(), || {
        ready = Ready::Now;
        spinner = Some(console.spinner(format!("fetching {} with npm", package.specifier())));
    });
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    match file {
        Ok(bytes) => {
            let docs = Docs::from_gzip(&package.file, &bytes)?;
            Ok(Documentation {
                docs,
                source: format!("{}, else the schemas, else what names say", package.specifier()),
                ready,
                remark: None,
            })
        }
        Err(error) if error.is_unavailable() => {
            let remark = Some(format!("descriptions come from the schemas alone: {error}"));
            Ok(Documentation { remark, ..Documentation::none("the documentation could not be downloaded") })
        }
        Err(error) => Err(error.into()),
    }
}
