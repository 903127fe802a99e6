//! A file that is full after so many bytes, for tests.

use redb::StorageBackend;
use redb::backends::FileBackend;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The file of a state folder on a disk that has room for so many more bytes.
#[derive(Debug)]
pub(super) struct Failing {
    pub(super) file: FileBackend,
    pub(super) room: Arc<AtomicU64>,
}

impl StorageBackend for Failing {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let take = |room: u64| room.checked_sub(data.len() as u64);
        match self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => self.file.write(offset, data),
            Err(_) => Err(ErrorKind::StorageFull.into()),
        }
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
}
