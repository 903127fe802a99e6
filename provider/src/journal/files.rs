//! The journal's files: one for each process that has something to keep, of lines that are only ever appended.
//!
//! A line is one write, so that the end of the process at any moment leaves whole lines and at most a part of the last
//! one. It is not forced to the disk: the end of a process is survived, that of the machine's power is not promised.
//! A process holds a lock on its file for as long as it lives; the next one takes over the files of the dead.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use uuid::Uuid;

use super::entry::{LIFETIME, Line};
use super::place::KEY_LENGTH;

/// The ending of files with lines.
const LINES: &str = "jsonl";
/// The ending of a file that is not locked yet.
const PART: &str = "part";
/// An unfinished file that is older than this is nobody's any more.
const ABANDONED: u64 = 60;
/// No file is read further; a thousand creations take a hundredth of it.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The files that a program has in a folder, one of which is written.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    /// What their names begin with.
    key: String,
    own: Option<(File, PathBuf)>,
    /// The last line was not written whole (a full disk, say).
    torn: bool,
}

/// What the files say.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The lines of processes that are dead, in the order of their times.
    pub(super) dead: Vec<Line>,
    /// The lines of processes that live.
    pub(super) living: Vec<Line>,
    /// The files of the dead, to be removed once their lines are kept elsewhere.
    pub(super) left: Vec<PathBuf>,
}

impl Files {
    pub(super) fn new(folder: PathBuf, key: String) -> Self {
        Self { folder, key, own: None, torn: false }
    }

    /// Reads what there is. Files that are too old are removed.
    pub(super) fn read(&self, now: Duration) -> Found {
        let mut found = Found::default();
        let Ok(folder) = fs::read_dir(&self.folder) else { return found };
        // A pipe or a device would never come to an end.
        let is_file = |file: &fs::DirEntry| file.file_type().is_ok_and(|kind| kind.is_file());
        for file in folder.flatten().filter(is_file) {
            let (path, name, age) = (file.path(), file.file_name(), age(&file, now));
            // The folder may be one that the user keeps other things in.
            let Some((key, ending)) = name.to_str().and_then(parts) else { continue };
            if age >= if ending == LINES { LIFETIME } else { ABANDONED } {
                let _ = fs::remove_file(&path);
                continue;
            }
            if key == self.key
                && ending == LINES
                && let Ok((text, is_dead)) = read(&path)
            {
                let lines = Line::all(&text);
                if is_dead {
                    found.dead.extend(lines);
                    found.left.push(path);
                } else {
                    found.living.extend(lines);
                }
            }
        }
        found.dead.sort_by_key(|line| line.time);
        found.living.sort_by_key(|line| line.time);
        found
    }

    /// Appends lines to the file of this process, which comes into being with the first.
    pub(super) fn append(&mut self, lines: &[Line]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        if self.own.is_none() {
            self.own = Some(self.begin()?);
        }
        let mut text = Vec::with_capacity(512);
        if self.torn {
            // The beginning of a line must not spoil the next one.
            text.push(b'\n');
        }
        lines.iter().for_each(|line| line.write(&mut text));
        let Some((file, _)) = &mut self.own else { return Ok(()) };
        let written = file.write_all(&text);
        self.torn = written.is_err();
        written
    }

    /// Removes the file of this process; the next line begins another.
    pub(super) fn remove(&mut self) -> io::Result<()> {
        let Some((file, path)) = self.own.take() else { return Ok(()) };
        self.torn = false;
        drop(file);
        fs::remove_file(path)
    }

    /// A file that is locked before anybody can see it.
    fn begin(&self) -> io::Result<(File, PathBuf)> {
        let name = format!("{}-{}", self.key, Uuid::new_v4().simple());
        let part = self.folder.join(format!("{name}.{PART}"));
        let file = match create(&part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_folder(&self.folder)?;
                create(&part)?
            }
            other => other?,
        };
        // A file system without locks lets the next process take over what still grows, which costs an entry at worst.
        let _ = file.try_lock();
        let path = self.folder.join(format!("{name}.{LINES}"));
        fs::rename(&part, &path).inspect_err(|_| {
            let _ = fs::remove_file(&part);
        })?;
        Ok((file, path))
    }
}

/// Key and ending of a name that [`Files::begin`] gives; none for other names.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (stem, ending) = name.split_once('.')?;
    let (key, unique) = stem.split_once('-')?;
    let is_hex = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hex(key, KEY_LENGTH) && is_hex(unique, 32) && matches!(ending, LINES | PART)).then_some((key, ending))
}

/// The text of a file, and whether the process that wrote it is dead.
fn read(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let file = File::open(path)?;
    let is_dead = file.try_lock().is_ok();
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text)?;
    Ok((text, is_dead))
}

/// How old a file is in seconds; 0 when the system does not say.
fn age(file: &fs::DirEntry, now: Duration) -> u64 {
    let written = file.metadata().and_then(|facts| facts.modified()).ok();
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    written.map_or(0, |written| now.saturating_sub(written).as_secs())
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().append(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    File::options().append(true).create_new(true).open(path)
}

#[cfg(unix)]
fn create_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn line(time: u64, urn: &str) -> Line {
        Line { time, entry: None, gone: Some(urn.to_owned()) }
    }

    const KEY: &str = "0123456789abcdef01234567";

    fn files(folder: &Path) -> Files {
        Files::new(folder.to_owned(), KEY.to_owned())
    }

    /// A name like those of our files.
    fn name(unique: u8, ending: &str) -> String {
        format!("{KEY}-{unique:032x}.{ending}")
    }

    fn times(lines: &[Line]) -> Vec<u64> {
        lines.iter().map(|line| line.time).collect()
    }

    #[test]
    fn lines_outlive_their_process_and_belong_to_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a").join("b");
        let mut first = files(&folder);
        assert!(first.read(Duration::ZERO).dead.is_empty());
        first.append(&[line(3, "a"), line(1, "b")]).unwrap();
        first.append(&[line(2, "c")]).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&folder), mode(&first.own.as_ref().unwrap().1)), (0o700, 0o600));
        }
        // As long as the process lives, its lines are seen and left alone.
        let found = files(&folder).read(Duration::ZERO);
        assert_eq!((times(&found.living), times(&found.dead), found.left.len()), (vec![1, 2, 3], vec![], 0));
        drop(first);
        let found = files(&folder).read(Duration::ZERO);
        assert_eq!((times(&found.living), times(&found.dead), found.left.len()), (vec![], vec![1, 2, 3], 1));
        // Another program's are not looked at.
        assert!(Files::new(folder, "other".to_owned()).read(Duration::ZERO).dead.is_empty());
    }

    #[test]
    fn a_file_that_is_not_needed_goes() {
        let home = tempfile::tempdir().unwrap();
        let mut own = files(home.path());
        let count = || fs::read_dir(home.path()).unwrap().count();
        own.remove().unwrap();
        own.append(&[]).unwrap();
        assert_eq!(count(), 0);
        for _ in 0..2 {
            own.append(&[line(1, "a")]).unwrap();
            assert_eq!(count(), 1);
            own.remove().unwrap();
            assert_eq!(count(), 0);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_opened() {
        let home = tempfile::tempdir().unwrap();
        // A link that leads to what never ends, a socket, and a folder.
        std::os::unix::fs::symlink("/dev/zero", home.path().join(name(1, LINES))).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(home.path().join(name(2, LINES))).unwrap();
        fs::create_dir(home.path().join(name(3, LINES))).unwrap();
        let found = files(home.path()).read(Duration::ZERO);
        assert_eq!((found.dead.len(), found.living.len(), found.left.len()), (0, 0, 0));
    }

    #[test]
    fn what_is_old_goes() {
        let home = tempfile::tempdir().unwrap();
        files(home.path()).append(&[line(1, "a")]).unwrap();
        let others = ["x.part", "data.jsonl", "y.txt", "z", &format!("{KEY}.jsonl"), &format!("{KEY}-1.part")];
        for name in others.into_iter().chain([name(1, PART).as_str()]) {
            fs::write(home.path().join(name), "").unwrap();
        }
        let now = crate::clock::now();
        let left = |later: u64| {
            let found = files(home.path()).read(now + Duration::from_secs(later)).dead.len();
            (found, fs::read_dir(home.path()).unwrap().count())
        };
        // What is not ours stays, however old.
        assert_eq!(left(0), (1, others.len() + 2));
        assert_eq!(left(ABANDONED + 5), (1, others.len() + 1));
        assert_eq!(left(LIFETIME + 5), (0, others.len()));
        // A clock that was set back makes nothing old.
        files(home.path()).append(&[line(1, "a")]).unwrap();
        assert_eq!(files(home.path()).read(Duration::ZERO).dead.len(), 1);
    }

    #[test]
    fn a_line_that_was_not_written_whole_does_not_spoil_the_next() {
        let home = tempfile::tempdir().unwrap();
        let mut own = files(home.path());
        own.append(&[line(1, "a")]).unwrap();
        own.own.as_mut().unwrap().0.write_all(b"{\"time\":2,").unwrap();
        own.torn = true;
        own.append(&[line(3, "c")]).unwrap();
        own.append(&[line(4, "d")]).unwrap();
        drop(own);
        assert_eq!(times(&files(home.path()).read(Duration::ZERO).dead), [1, 3, 4]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_noticed() {
        let home = tempfile::tempdir().unwrap();
        let mut own = files(home.path());
        let full = File::options().append(true).open("/dev/full").unwrap();
        own.own = Some((full, home.path().join(name(1, LINES))));
        assert!(own.append(&[line(1, "a")]).is_err() && own.torn);
    }
}
