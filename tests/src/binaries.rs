//! Where the executables are that a test or the demo starts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The repository's root folder.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// An executable of this workspace, from the folder that the running program was built into.
///
/// # Errors
///
/// When it has not been built; the text says how.
pub fn built(name: &str) -> Result<PathBuf> {
    let program = std::env::current_exe().context("finding the running program")?;
    let candidates = program.ancestors().skip(1).take(2).map(|folder| folder.join(name));
    match candidates.into_iter().find(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => bail!("{name} is not built; run `cargo build -p provider -p emulator` (every make verb does)"),
    }
}

/// The folder with the Pulumi CLI and the YAML language host.
///
/// # Errors
///
/// When `make tools` has not been run.
pub fn tools() -> Result<PathBuf> {
    let folder = repository().join("bin/tools");
    for name in ["pulumi", "pulumi-language-yaml"] {
        if !folder.join(name).exists() {
            bail!("{name} is not in {}; run `make tools`", folder.display());
        }
    }
    Ok(folder)
}
