//! Which plugin a sandbox runs.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Sandbox;
use crate::binaries;

impl Sandbox {
    /// Makes `binary` the only plugin, under `version`.
    ///
    /// # Errors
    ///
    /// When the file system refuses.
    pub fn use_plugin(&self, version: &str, binary: &Path) -> Result<()> {
        let plugins = self.home().join("plugins");
        if plugins.exists() {
            std::fs::remove_dir_all(&plugins)?;
        }
        let folder = plugins.join(format!("resource-aws-native-v{version}"));
        std::fs::create_dir_all(&folder)?;
        let binary = binary.canonicalize().with_context(|| format!("looking for {}", binary.display()))?;
        std::os::unix::fs::symlink(binary, folder.join("pulumi-resource-aws-native")).context("linking the plugin")
    }

    /// Installs the freshly built plugin from its archive, as users do.
    pub(super) fn install_plugin(&self) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let binary = binaries::built("pulumi-resource-aws-native")?;
        let pack = binaries::repository().join("scripts/pack.sh");
        let output = Command::new(pack).arg(&binary).arg(version).arg(self.folder.path()).output()?;
        ensure!(output.status.success(), "packing the plugin failed: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8_lossy(&output.stdout);
        let archive = printed.trim();
        self.succeed(&["plugin", "install", "resource", "aws-native", version, "--file", archive])?;
        Ok(())
    }
}
