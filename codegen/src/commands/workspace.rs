//! Where things lie in a checkout.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use codegen::overlay::Overlays;
use codegen::semantics::{self, Semantics};

/// The folder of the inventory, relative to the checkout.
pub const INVENTORY: &str = "cf-schemas/inventory";

/// The name lock, relative to the checkout.
pub const NAMES: &str = "cf-schemas/names.lock";

/// The manifest of the `generated` crate, relative to the checkout.
pub const MANIFEST: &str = "generated/Cargo.toml";

/// A checkout.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The checkout at `root`, or the one that the current folder is in.
    pub fn find(root: Option<PathBuf>) -> Result<Self> {
        let is_checkout = |folder: &Path| folder.join("cf-schemas/lock.json").is_file();
        if let Some(root) = root {
            if !is_checkout(&root) {
                bail!("{}: no checkout: it has no cf-schemas/lock.json", root.display());
            }
            return Ok(Self { root });
        }
        let here = env::current_dir().context("the current folder cannot be found out")?;
        match here.ancestors().find(|folder| is_checkout(folder)) {
            // Relative where possible, so that messages are short.
            Some(root) if root == here => Ok(Self { root: PathBuf::new() }),
            Some(root) => Ok(Self { root: root.to_owned() }),
            None => {
                bail!("{}: not in a checkout: no folder upwards has cf-schemas/lock.json; give --root", here.display())
            }
        }
    }

    /// The checkout's folder; empty when it is the current one.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The lock file.
    pub fn lock(&self) -> PathBuf {
        self.root.join("cf-schemas/lock.json")
    }

    /// The downloaded schemas.
    pub fn download(&self) -> PathBuf {
        self.root.join("cf-schemas/download")
    }

    /// AWS's archives.
    pub fn aws_download(&self) -> PathBuf {
        self.root.join("cf-schemas/download/aws")
    }

    /// The folder of the inventory.
    pub fn inventory(&self) -> PathBuf {
        self.root.join(INVENTORY)
    }

    /// The name lock.
    pub fn names(&self) -> PathBuf {
        self.root.join(NAMES)
    }

    /// The JSON schemas of the files that people write.
    pub fn json_schemas(&self) -> PathBuf {
        self.root.join("docs/schemas")
    }

    /// The `generated` crate.
    pub fn generated(&self) -> PathBuf {
        self.root.join("generated")
    }

    /// The corrections.
    pub fn overlays_folder(&self) -> PathBuf {
        self.root.join("cf-schemas/overlays")
    }

    /// What services do that no schema states.
    pub fn semantics_folder(&self) -> PathBuf {
        self.root.join("cf-schemas/semantics")
    }

    /// Reads it; a checkout without the folder knows nothing of the kind, one that has it has all of its files.
    pub fn semantics(&self) -> Result<Semantics> {
        let folder = self.semantics_folder();
        if !folder.is_dir() {
            return Ok(Semantics::default());
        }
        let mut texts = Vec::new();
        for name in semantics::FILES {
            let path = folder.join(name);
            let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            texts.push((path.strip_prefix(&self.root).unwrap_or(&path).display().to_string(), text));
        }
        let [limits, sets, equality] = &texts[..] else { return Ok(Semantics::default()) };
        Ok(Semantics::parse([(&limits.0, &limits.1), (&sets.0, &sets.1), (&equality.0, &equality.1)])?)
    }

    /// All corrections.
    pub fn overlays(&self) -> Result<Overlays> {
        let folder = self.overlays_folder();
        let list = fs::read_dir(&folder).with_context(|| format!("{}: cannot list", folder.display()))?;
        let mut files = Vec::new();
        for entry in list {
            let path = entry.with_context(|| format!("{}: cannot list", folder.display()))?.path();
            let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if !is_hidden && path.extension().is_none_or(|extension| extension != "yaml") {
                bail!(
                    "{}: no correction: their names end in .yaml, and folders are not looked into; move or rename it",
                    path.display()
                );
            }
            if !is_hidden {
                let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
                let name = path.strip_prefix(&self.root).unwrap_or(&path).display().to_string();
                files.push((name, text));
            }
        }
        files.sort();
        Ok(Overlays::parse(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))?)
    }
}
