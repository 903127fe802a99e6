//! `json-schemas`: what editors check our own files with.

use anyhow::Result;

use super::console::Console;
use super::swap;
use super::workspace::Workspace;

/// Writes all of them into `docs/schemas/`.
pub fn write(workspace: &Workspace, console: &Console) -> Result<()> {
    let folder = workspace.json_schemas();
    let schemas = codegen::json_schemas::all();
    for (name, text) in &schemas {
        swap::write_file(&folder.join(name), text.as_bytes())?;
    }
    console.summary(&format!("{}: {} JSON schemas", folder.display(), schemas.len()));
    Ok(())
}
