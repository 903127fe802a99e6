//! Which files in an output folder are the generator's own, and one run at a time in a folder.
//!
//! `--out` may name any folder, so nothing that somebody else may have written is replaced or removed. A file is the
//! generator's own when its first line says so, or when a run listed it in [`LIST`]. In a folder whose index is
//! generated, files at the paths of outputs are its own too.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use codegen::emit::{LIST, MARKER};

use super::console::Console;
use super::stamp::{STAMP, STAMP_WAITING};
use super::swap::{JOURNAL, WAITING};

/// What is locked. In a folder of outputs, so that version control does not see it.
pub const LOCK: &str = "report/.lock";
/// What runs need for themselves in an output folder; no run takes it for output or for somebody else's.
pub const STATE: [&str; 5] = [LOCK, WAITING, JOURNAL, STAMP, STAMP_WAITING];
/// The file that tells a folder of the generator's.
const INDEX: &str = "src/index.rs";

/// The folders that outputs lie in.
const FOLDERS: [&str; 4] = ["src", "src/services", "src/types", "report"];

/// Refuses an output folder in which outputs would lie among the sources of the checkout, or lead out of it.
///
/// In a checkout, that is its root, `cf-schemas` and every crate but `generated`; in any folder, a symbolic link in the
/// place of one of [`FOLDERS`] that leads elsewhere.
pub fn refuse_place(folder: &Path, root: &Path) -> Result<()> {
    let (real, checkout) = (real(folder), real(root));
    let advice = "choose a folder of its own with --out, or leave that out for `generated`";
    if let Ok(within) = real.strip_prefix(&checkout) {
        let is_crate = |folder: &Path| folder != checkout && folder.join("Cargo.toml").is_file();
        let of_crate =
            real.ancestors().take_while(|folder| folder.starts_with(&checkout)).find(|folder| is_crate(folder));
        let what = match of_crate {
            _ if within.as_os_str().is_empty() => Some("is the checkout itself"),
            _ if within.starts_with("cf-schemas") => Some("is where the inputs lie"),
            Some(folder) if folder != checkout.join("generated") || folder != real => {
                Some("lies in a crate of the checkout")
            }
            _ => None,
        };
        if let Some(what) = what {
            bail!("{}: {what}; {advice}", folder.display());
        }
    }
    for name in FOLDERS {
        let path = folder.join(name);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_symlink());
        if is_link && !fs::canonicalize(&path).is_ok_and(|target| target.starts_with(&real)) {
            bail!(
                "{}: is a symbolic link that leads out of {}; remove it, or {advice}",
                path.display(),
                folder.display()
            );
        }
    }
    Ok(())
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    // The checkout's path is empty where it is the current folder.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
    match existing {
        Some((ancestor, real)) => real.join(path.strip_prefix(ancestor).unwrap_or(&path)),
        None => path,
    }
}

/// What is known about the files in a folder.
#[derive(Debug)]
pub struct Ownership<'f> {
    folder: &'f Path,
    listed: BTreeSet<String>,
    is_generated: bool,
}

impl<'f> Ownership<'f> {
    /// Reads what the last run left in `folder`, if there was one.
    pub fn find(folder: &'f Path) -> Self {
        let list = fs::read(folder.join(LIST)).ok();
        let listed = list.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { folder, listed, is_generated: is_marked(&folder.join(INDEX)) }
    }

    /// Whether what lies at the path of an output may be replaced.
    pub fn may_replace(&self, path: &str) -> bool {
        self.is_generated || self.may_remove(path)
    }

    /// Whether a file that is no output any more may be removed.
    pub fn may_remove(&self, path: &str) -> bool {
        let file = self.folder.join(path);
        !file.is_dir() && (self.listed.contains(path) || is_marked(&file))
    }
}

/// Whether the first line of a file is that of a generated one, whichever command it names.
fn is_marked(path: &Path) -> bool {
    let sign = MARKER.split(" by ").next().unwrap_or(MARKER);
    let mut line = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(io::Read::take(file, 256)).read_until(b'\n', &mut line));
    read.is_ok() && line.starts_with(sign.as_bytes())
}

/// Waits until no other run writes into `folder`, and keeps others waiting until the result is dropped.
pub fn lock(folder: &Path, console: &Console) -> Result<File> {
    let path = folder.join(LOCK);
    let context = || format!("{}: cannot lock", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(context)?;
    }
    let file = File::create(&path).with_context(context)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let waiting = console.spinner(format!("waiting for another run that writes into {}", folder.display()));
            let result = file.lock();
            waiting.finish_and_clear();
            result.with_context(context)?;
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(context),
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[cfg(unix)]
    #[test]
    fn places_among_sources_and_links_out_of_a_folder_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["cf-schemas/inventory", "codegen/src", "generated/src", "linked/src", "inside/src/real"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for manifest in ["Cargo.toml", "codegen/Cargo.toml", "generated/Cargo.toml"] {
            fs::write(at(manifest), "").unwrap();
        }
        let link = |to: &str, from: &str| std::os::unix::fs::symlink(at(to), at(from)).unwrap();
        link("", "link-to-root");
        link("generated", "link-to-generated");
        link("codegen", "linked/report");
        link("inside/src/real", "inside/src/services");
        fs::create_dir(at("dangling")).unwrap();
        link("absent", "dangling/report");
        for (folder, refused) in [
            ("", Some("is the checkout itself")),
            ("codegen/..", Some("is the checkout itself")),
            ("link-to-root", Some("is the checkout itself")),
            ("cf-schemas", Some("is where the inputs lie")),
            ("cf-schemas/inventory", Some("is where the inputs lie")),
            ("cf-schemas/new/deep", Some("is where the inputs lie")),
            ("codegen", Some("lies in a crate")),
            ("codegen/src/new", Some("lies in a crate")),
            ("generated/src", Some("lies in a crate")),
            ("linked", Some("is a symbolic link that leads out of")),
            ("dangling", Some("is a symbolic link that leads out of")),
            ("generated", None),
            ("link-to-generated", None),
            ("inside", None),
            ("new/deep", None),
        ] {
            let found = refuse_place(&at(folder), root.path()).map_err(|error| error.to_string());
            let is_expected = match (&found, refused) {
                (Ok(()), None) => true,
                (Err(error), Some(part)) => error.contains(part) && error.contains("--out"),
                (Ok(()), Some(_)) | (Err(_), None) => false,
            };
            assert!(is_expected, "{folder}: {found:?}");
        }
    }

    #[test]
    fn only_marked_and_listed_files_are_ours() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("src/services/marked.rs", MARKER),
            ("src/services/mine.rs", "// mine\n"),
            ("src/services/empty.rs", ""),
            ("src/services/quoting.rs", "// see\n// @generated by hand\n"),
            ("report/listed.json", "{}"),
            ("report/notes.md", "# Mine\n"),
            ("report/folder.json/inner", ""),
            (LIST, r#"["report/listed.json", "report/folder.json"]"#),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let check = |path: &str, may_remove: bool, may_replace: bool| {
            let ownership = Ownership::find(folder.path());
            assert_eq!((ownership.may_remove(path), ownership.may_replace(path)), (may_remove, may_replace), "{path}");
        };
        check("src/services/marked.rs", true, true);
        check("src/services/mine.rs", false, false);
        check("src/services/empty.rs", false, false);
        check("src/services/quoting.rs", false, false);
        check("src/services/absent.rs", false, false);
        check("report/listed.json", true, true);
        check("report/notes.md", false, false);
        check("report/folder.json", false, false);
        fs::write(folder.path().join(INDEX), MARKER).unwrap();
        check("src/services/empty.rs", false, true);
        check("src/services/mine.rs", false, true);
    }
}
