//! `cf-schemas/inventory/`: the published surface in one file per module, kept in version control so that a refresh can
//! be reviewed and compared.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use codegen::emit::OutputFile;
use codegen::inventory::{Inventory, LEFT_OUT};

use super::workspace::INVENTORY;

/// The ending of the files.
const ENDING: &str = "tsv";

/// Reads an inventory; `None` when the folder is not there.
pub fn read(folder: &Path) -> Result<Option<Inventory>> {
    let Some(files) = texts(folder)? else { return Ok(None) };
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let inventory = Inventory::parse(files).map_err(|error| anyhow!("{}/{error}", folder.display()))?;
    Ok(Some(inventory))
}

/// Whether a folder says exactly what `inventory` says, as it does when nothing is to change: then it need not be parsed.
pub fn says(folder: &Path, inventory: &Inventory) -> Result<bool> {
    Ok(texts(folder)?.is_some_and(|texts| texts == inventory.texts()))
}

/// Whether a folder has the file of any module.
pub fn is_there(folder: &Path) -> Result<bool> {
    Ok(texts(folder)?.is_some_and(|texts| texts.keys().any(|name| name != LEFT_OUT)))
}

/// The files of an inventory, relative to the checkout.
pub fn files(inventory: &Inventory) -> Vec<OutputFile> {
    let texts = inventory.texts().into_iter();
    texts.map(|(name, text)| OutputFile::new(format!("{INVENTORY}/{name}.{ENDING}"), text)).collect()
}

/// Texts by file name without ending; `None` when the folder is not there.
fn texts(folder: &Path) -> Result<Option<BTreeMap<String, String>>> {
    let list = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        list => list.with_context(|| format!("{}: cannot list", folder.display()))?,
    };
    let mut files = BTreeMap::new();
    for entry in list {
        let path = entry.with_context(|| format!("{}: cannot list", folder.display()))?.path();
        if path.extension().is_some_and(|ending| ending == ENDING)
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            files.insert(name.to_owned(), text);
        }
    }
    Ok(Some(files))
}
