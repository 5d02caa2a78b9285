//! Files that appear whole or not at all.
//!
//! A [`Target`] is a folder that has been proved writable before anything was played. A [`Batch`]
//! writes every file under a temporary name beside its place and forces it to disk; only when all
//! of them are complete does [`Batch::commit`] rename them, one right after the other. Whatever
//! goes wrong earlier leaves the old files as they were.
//!
//! A folder that is *claimed* belongs to one run until that ends, by a lock that the operating system
//! takes away with the process, however it dies. Temporary files are locked too: who gets the lock of
//! one knows that its writer is dead, and removes it.

use super::digest::Summing;
use crate::clean::Cleaning;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Temporary files of this process, and files of locks. Who holds the lock may rename or remove them.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once, and leaves no temporary file behind. Files that are being renamed at
/// this moment are all renamed first.
pub fn abandon(exit_code: i32) -> ! {
    // Renaming takes no time; but if it is the renaming thread that calls, waiting would be in vain.
    for _ in 0..100 {
        if let Ok(files) = PENDING.try_lock() {
            for file in files.iter() {
                // The process ends: a failure cannot be reported.
                let _ = fs::remove_file(file);
            }
            // The lock is held to the end, so no thread begins another file.
            std::process::exit(exit_code);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    std::process::exit(exit_code)
}

/// An error about a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The folder is not there and cannot be made.
    #[error("cannot make the folder `{}`", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file is where the folder, or one above it, would have to be.
    #[error("cannot make the folder `{}`: `{}` is a file; name another folder, or move the file away", folder.display(), file.display())]
    FileInTheWay {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// No file can be made in the folder.
    #[error("cannot write in the folder `{}`", folder.display())]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another run has it.
    #[error(
        "another run writes to `{}` at this moment{}: wait for its end, or name another folder with \
         --output",
        folder.display(),
        process.as_ref().map_or_else(String::new, |process| format!(" (process {process})"))
    )]
    Claimed {
        /// The folder.
        folder: PathBuf,
        /// The number of its process, if it is known.
        process: Option<u32>,
    },
    /// Something that is no file stands in a file's place.
    #[error("`{}` is in the way: it is not a file", place.display())]
    Occupied {
        /// The file's place.
        place: PathBuf,
    },
    /// A file could not be written or renamed.
    #[error("cannot write `{}`", place.display())]
    Write {
        /// The file's place.
        place: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

fn unwritable(folder: &Path, source: io::Error) -> TargetError {
    let folder = folder.to_owned();
    TargetError::Unwritable { folder, source }
}

/// A folder in which files of certain names can be written.
#[derive(Debug)]
pub struct Target {
    folder: PathBuf,
    /// Folders that were made for this run, the innermost first, while nothing is in them.
    made: Vec<PathBuf>,
    /// Names under which files are written here, instead of their own.
    aliases: BTreeMap<String, String>,
    /// Keeps other runs away.
    lock: Option<Lock>,
}

/// The file in a claimed folder that is locked, and says by which process.
const LOCK: &str = ".skirmish.lock";

/// A lock on a folder. It ends with the process; when it ends earlier, its file goes too.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Lock {
    /// Locks a folder. `None` where there are no locks, as on some networks: two runs at once are
    /// then found out when their files are read.
    fn of(folder: &Path) -> Result<Option<Self>, TargetError> {
        let path = folder.join(LOCK);
        loop {
            let mut options = OpenOptions::new();
            let opened = options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path);
            let mut file = opened.map_err(|error| unwritable(folder, error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let process = fs::read_to_string(&path).ok();
                    return Err(TargetError::Claimed {
                        folder: folder.to_owned(),
                        process: process.and_then(|text| text.trim().parse().ok()),
                    });
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            // Who had it before may have removed it between opening and locking.
            if !is_at(&file, &path) {
                continue;
            }
            pending().push(path.clone());
            // For people only.
            let _ = file.set_len(0);
            let _ = writeln!(file, "{}", std::process::id());
            return Ok(Some(Self { path, _file: file }));
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is locked, so that no other process locks it before it is gone.
        let mut pending = pending();
        let _ = fs::remove_file(&self.path);
        pending.retain(|path| *path != self.path);
    }
}

/// Whether the file of that name is the one that is open.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |data: io::Result<fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
    let open = place(file.metadata());
    open.is_some() && open == place(fs::metadata(path))
}

/// Whether the file of that name is the one that is open: elsewhere files that are open keep their
/// names.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

const PREFIX: &str = ".skirmish-";
const SUFFIX: &str = ".tmp";

/// Removes temporary files of processes that have died.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let path = entry.path();
        // A file that cannot be opened, locked or removed stays; it does no harm.
        let opened = OpenOptions::new().write(true).open(&path);
        if let Ok(file) = opened
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Makes a folder and all above it, if they are not there.
///
/// # Errors
/// If that cannot be done.
pub fn make_folder(folder: &Path) -> Result<(), TargetError> {
    fs::create_dir_all(folder).map_err(|source| {
        let folder = folder.to_owned();
        match folder.ancestors().find(|above| above.is_file()) {
            Some(file) => TargetError::FileInTheWay {
                file: file.to_owned(),
                folder,
            },
            None => TargetError::Folder { folder, source },
        }
    })
}

impl Target {
    /// Makes the folder if need be, and proves that files of those names can be written there.
    ///
    /// # Errors
    /// If they cannot.
    pub fn prepare(folder: &Path, names: &[&str]) -> Result<Self, TargetError> {
        Self::open(folder, names, false)
    }

    /// The same of a folder that belongs to this run alone until the target is dropped.
    ///
    /// # Errors
    /// If they cannot be written, or another run has the folder.
    pub fn claim(folder: &Path, names: &[&str]) -> Result<Self, TargetError> {
        Self::open(folder, names, true)
    }

    fn open(folder: &Path, names: &[&str], claim: bool) -> Result<Self, TargetError> {
        let made = folder
            .ancestors()
            .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
            .map(Path::to_owned)
            .collect();
        make_folder(folder)?;
        let mut target = Self {
            folder: folder.to_owned(),
            made,
            aliases: BTreeMap::new(),
            lock: None,
        };
        if claim {
            target.lock = Lock::of(folder)?;
        }
        clean(folder);
        // A file that can be made and removed here can be renamed here.
        target
            .temporary()
            .and_then(NamedTempFile::close)
            .map_err(|error| unwritable(folder, error))?;
        for name in names {
            let place = folder.join(name);
            if place.exists() && !place.is_file() {
                return Err(TargetError::Occupied { place });
            }
        }
        Ok(target)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name under which the file `name` is written.
    #[must_use]
    pub fn written_as<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// Writes the file `name` under another name.
    pub fn rename(&mut self, name: &str, alias: String) {
        self.aliases.insert(name.to_owned(), alias);
    }

    /// Begins to write files that shall appear together.
    pub fn batch(&mut self) -> Batch<'_> {
        Batch {
            target: self,
            files: Vec::new(),
            sums: BTreeMap::new(),
        }
    }

    /// Begins a file that is written while other work goes on, and appears when that is done.
    ///
    /// # Errors
    /// If no file can be made.
    pub fn growing(&self, name: &str) -> Result<Growing, TargetError> {
        let place = self.folder.join(name);
        match self.pending_temporary() {
            Ok(file) => Ok(Growing {
                path: file.path().to_owned(),
                file: BufWriter::with_capacity(1 << 18, file),
                place,
            }),
            Err(source) => Err(TargetError::Write { place, source }),
        }
    }

    /// A temporary file that does not outlive the process.
    fn pending_temporary(&self) -> io::Result<NamedTempFile> {
        let mut pending = pending();
        let file = self.temporary()?;
        pending.push(file.path().to_owned());
        Ok(file)
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // Temporary files are private by default; results are as readable as the user's other files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let file = builder.tempfile_in(&self.folder)?;
            // An unlocked file looks like one of a dead process: a process that starts now may remove it.
            // Where locks are not supported, no process removes any.
            match file.as_file().try_lock() {
                Ok(()) if is_at(file.as_file(), file.path()) => return Ok(file),
                Err(TryLockError::Error(_)) => return Ok(file),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // A folder with a lock in it is not empty.
        self.lock = None;
        for folder in &self.made {
            // Fails if another process has put something there, and should.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// A file that is being written under a temporary name. If it is dropped, nothing is left of it.
#[derive(Debug)]
pub struct Growing {
    file: BufWriter<NamedTempFile>,
    /// The temporary name.
    path: PathBuf,
    place: PathBuf,
}

impl Growing {
    /// Puts the file in its place, in the folder of `target`, where it was begun.
    ///
    /// # Errors
    /// If it cannot be written to its end or renamed; the old file stays then.
    pub fn commit(self, target: &mut Target) -> Result<(), TargetError> {
        let Self { file, path, place } = self;
        let finished = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.as_file().sync_all().map(|()| file));
        let mut pending = pending();
        pending.retain(|other| *other != path);
        let renamed = finished.and_then(|file| file.persist(&place).map_err(|error| error.error));
        if let Err(source) = renamed {
            return Err(TargetError::Write { place, source });
        }
        target.made.clear();
        sync_names(&target.folder);
        Ok(())
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Files that are complete on disk, under temporary names.
#[derive(Debug)]
pub struct Batch<'a> {
    target: &'a mut Target,
    files: Vec<(NamedTempFile, PathBuf)>,
    sums: BTreeMap<String, String>,
}

/// The writer of a file.
pub type Writer<'a> = BufWriter<Summing<&'a File>>;

impl Batch<'_> {
    /// Writes one file.
    ///
    /// # Errors
    /// If it cannot be written; nothing has changed then.
    pub fn file(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut Writer<'_>) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        let place = self.target.folder.join(self.target.written_as(name));
        let written = || {
            let file = self.target.pending_temporary()?;
            let mut buffer = BufWriter::new(Summing::new(file.as_file()));
            content(&mut buffer)?;
            let summing = buffer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?;
            let sum = summing.sum();
            file.as_file().sync_all()?;
            Ok((file, sum))
        };
        match written() {
            Ok((file, sum)) => {
                self.files.push((file, place));
                self.sums.insert(name.to_owned(), sum);
                Ok(())
            }
            Err(source) => Err(TargetError::Write { place, source }),
        }
    }

    /// The checksums of the files so far, by their own names.
    #[must_use]
    pub fn sums(&self) -> BTreeMap<String, String> {
        self.sums.clone()
    }

    /// Writes one file of text, [cleaned](Cleaning).
    ///
    /// # Errors
    /// If it cannot be written; nothing has changed then.
    pub fn text(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut Cleaning<&mut Writer<'_>>) -> io::Result<()>,
    ) -> Result<(), TargetError> {
        self.file(name, |out| content(&mut Cleaning::new(out)))
    }

    /// Puts every file in its place.
    ///
    /// # Errors
    /// If a file cannot be renamed.
    pub fn commit(mut self) -> Result<(), TargetError> {
        let mut pending = pending();
        for (file, place) in self.files.drain(..) {
            let temporary = file.path().to_owned();
            let renamed = file.persist(&place);
            pending.retain(|path| *path != temporary);
            if let Err(error) = renamed {
                return Err(TargetError::Write {
                    place,
                    source: error.error,
                });
            }
            self.target.made.clear();
        }
        sync_names(&self.target.folder);
        Ok(())
    }
}

/// Forces the names of files to disk: they are there when the folder is. Not every system lets one ask
/// for that, and the files are whole without it.
fn sync_names(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
