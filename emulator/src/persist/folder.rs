//! A state folder: who uses it, in which format it is, and the database in it.
//!
//! | file | what is in it |
//! |---|---|
//! | `lock` | locked while an emulator uses the folder |
//! | `state.redb` | the records, in one table per [`Table`] |

use super::nosync::Unsynced;
use super::{PersistError, Table, guarded};
use crate::options::Durability;
use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase, StorageBackend, TableDefinition, TableError, WriteTransaction};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// The format that this version writes.
const FORMAT: u32 = 1;

/// The record of [`Table::Meta`] that holds the format.
const FORMAT_KEY: &[u8] = b"format";

/// What of the database is held in memory; the state itself is in memory once already.
const CACHE: usize = 32 << 20;

/// Brings records from one format to the next.
type Step = fn(&WriteTransaction) -> Result<(), PersistError>;

/// How older formats become the present one: the step at `n` leads from format `FORMAT - STEPS.len() + n` to the next.
const STEPS: &[Step] = &[];

/// The redb table of a kind of records.
pub(super) fn definition(table: Table) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
    TableDefinition::new(table.name())
}

/// An open state folder. Dropping it lets others in.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) database: Database,
    /// Held for its lock, which ends with it.
    _lock: File,
}

impl Folder {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    ///
    /// When it cannot be made, is in use, is damaged, or is of a newer version.
    pub(super) fn open(path: &Path, durability: Durability) -> Result<Folder, PersistError> {
        guarded(|| Folder::open_with(path, durability, FORMAT, STEPS))?
    }

    fn open_with(path: &Path, durability: Durability, format: u32, steps: &[Step]) -> Result<Folder, PersistError> {
        let (lock, backend) = Folder::claim(path)?;
        let folder = match durability {
            Durability::Os => Folder::on(path, lock, Unsynced(backend))?,
            Durability::Fsync | Durability::None => Folder::on(path, lock, backend)?,
        };
        folder.settle(path, format, steps)?;
        Ok(folder)
    }

    /// Opens a folder whose file is reached in another way.
    #[cfg(test)]
    pub(super) fn open_on<B: StorageBackend>(
        path: &Path,
        backend: impl FnOnce(FileBackend) -> B,
    ) -> Result<Folder, PersistError> {
        let (lock, file) = Folder::claim(path)?;
        let folder = Folder::on(path, lock, backend(file))?;
        folder.settle(path, FORMAT, STEPS)?;
        Ok(folder)
    }

    /// Takes a folder for this process, which makes it when it does not exist.
    fn claim(path: &Path) -> Result<(File, FileBackend), PersistError> {
        let failed = |file: &Path, reason: String| PersistError::Folder { path: file.to_owned(), reason };
        std::fs::create_dir_all(path).map_err(|error| failed(path, error.to_string()))?;
        let lock_file = path.join("lock");
        let lock = open_file(&lock_file)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(failed(path, "is in use by another process".to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&lock_file, error.to_string())),
        }
        let file = path.join("state.redb");
        let backend = FileBackend::new(open_file(&file)?).map_err(|error| failed(&file, error.to_string()))?;
        Ok((lock, backend))
    }

    /// The folder with its database in a file.
    fn on(path: &Path, lock: File, backend: impl StorageBackend) -> Result<Folder, PersistError> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE);
        let database = builder.create_with_backend(backend);
        let reason = |error: redb::DatabaseError| PersistError::Folder {
            path: path.join("state.redb"),
            reason: error.to_string(),
        };
        Ok(Folder { database: database.map_err(reason)?, _lock: lock })
    }

    /// Brings the records to the present format.
    fn settle(&self, path: &Path, format: u32, steps: &[Step]) -> Result<(), PersistError> {
        let failed = |reason: String| PersistError::Folder { path: path.to_owned(), reason };
        let found = self.format()?;
        let todo = match found {
            Some(found) if found == format => return Ok(()),
            Some(found) if found > format => {
                return Err(failed(format!(
                    "was written by a newer emulator (format {found}, this one reads up to {format})"
                )));
            }
            Some(found) => {
                let missing = (format - found) as usize;
                let first = steps.len().checked_sub(missing);
                let first = first.ok_or_else(|| failed(format!("has format {found}, which is too old to be read")))?;
                steps.get(first..).unwrap_or_default()
            }
            None => &[],
        };
        let storage = |error: &dyn std::fmt::Display| PersistError::Storage(error.to_string());
        let mut transaction = self.database.begin_write().map_err(|error| storage(&error))?;
        transaction.set_quick_repair(true);
        for step in todo {
            step(&transaction)?;
        }
        {
            let mut table = transaction.open_table(definition(Table::Meta)).map_err(|error| storage(&error))?;
            table.insert(FORMAT_KEY, format.to_string().as_bytes()).map_err(|error| storage(&error))?;
        }
        transaction.commit().map_err(|error| storage(&error))
    }

    /// The format of the records; none in a folder that was never written.
    fn format(&self) -> Result<Option<u32>, PersistError> {
        let storage = |error: &dyn std::fmt::Display| PersistError::Storage(error.to_string());
        let transaction = self.database.begin_read().map_err(|error| storage(&error))?;
        let table = match transaction.open_table(definition(Table::Meta)) {
            Ok(table) => table,
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            Err(error) => return Err(storage(&error)),
        };
        let Some(value) = table.get(FORMAT_KEY).map_err(|error| storage(&error))? else { return Ok(None) };
        let number = std::str::from_utf8(value.value()).ok().and_then(|text| text.parse().ok());
        number.map(Some).ok_or_else(|| PersistError::Record {
            table: Table::Meta.name(),
            key: "format".to_owned(),
            reason: "it is no number".to_owned(),
        })
    }
}

fn open_file(path: &PathBuf) -> Result<File, PersistError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWNER);
    let failed = |error: std::io::Error| PersistError::Folder { path: path.clone(), reason: error.to_string() };
    let file = options.open(path).map_err(failed)?;
    #[cfg(unix)]
    close_to_others(path, &file);
    Ok(file)
}

/// Models hold secrets in plain, so only the owner may read them.
#[cfg(unix)]
const OWNER: u32 = 0o600;

/// Takes the right to read away from others, where a file was made without that care.
#[cfg(unix)]
fn close_to_others(path: &Path, file: &File) {
    use std::os::unix::fs::PermissionsExt;
    let is_open = file.metadata().is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
    if is_open && let Err(error) = file.set_permissions(std::fs::Permissions::from_mode(OWNER)) {
        tracing::warn!(path = %path.display(), %error, "others may read the state");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn a_folder_has_one_user_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Folder::open(folder.path(), Durability::Os).unwrap();
        let error = Folder::open(folder.path(), Durability::Os).unwrap_err().to_string();
        assert_eq!(error, format!("{} is in use by another process", folder.path().display()));
        drop(first);
        Folder::open(folder.path(), Durability::Fsync).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_state() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.redb");
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        drop(Folder::open(folder.path(), Durability::Os).unwrap());
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        drop(Folder::open(folder.path(), Durability::Os).unwrap());
        assert_eq!(mode(), 0o600, "older folders too");
    }

    #[test]
    fn older_formats_are_migrated_and_newer_ones_refused() {
        fn mark(transaction: &WriteTransaction) -> Result<(), PersistError> {
            let mut table = transaction.open_table(definition(Table::Rules)).unwrap();
            table.insert(b"step".as_slice(), b"done".as_slice()).unwrap();
            Ok(())
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        drop(Folder::open_with(path, Durability::Os, 4, &[]).unwrap());
        let migrated = Folder::open_with(path, Durability::Os, 5, &[mark]).unwrap();
        assert_eq!(migrated.format().unwrap(), Some(5));
        let transaction = migrated.database.begin_read().unwrap();
        let table = transaction.open_table(definition(Table::Rules)).unwrap();
        assert_eq!(table.get(b"step".as_slice()).unwrap().unwrap().value(), b"done");
        drop((table, transaction, migrated));
        let text = |format, steps| Folder::open_with(path, Durability::Os, format, steps).unwrap_err().to_string();
        let path = path.display();
        assert_eq!(text(7, &[mark]), format!("{path} has format 5, which is too old to be read"));
        assert_eq!(text(4, &[]), format!("{path} was written by a newer emulator (format 5, this one reads up to 4)"));
    }

    #[test]
    fn what_is_no_state_folder_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("state.redb"), "no database").unwrap();
        let error = Folder::open(folder.path(), Durability::Os).unwrap_err().to_string();
        assert!(error.contains("state.redb"), "{error}");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = Folder::open(&file, Durability::Os).unwrap_err().to_string();
        assert!(error.starts_with(&file.display().to_string()), "{error}");
    }
}
