//! Writes files that appear complete or not at all.
//!
//! A [`Target`] is a folder that was found writable before the simulation starts. A [`Batch`] writes every file under a
//! temporary name in that folder and forces it to disk. [`Batch::commit`] renames the files one right after the other
//! once all are complete. An error before that leaves the old files unchanged.
//!
//! A *claimed* folder belongs to one run until the run ends. The operating system releases the lock with the process,
//! however it dies. Temporary files are locked too: a process that can lock one knows that its writer is dead, and
//! removes the file.

use super::digest::Summing;
use crate::clean::Cleaning;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Temporary files and lock files of this process. Only the thread that holds the mutex may rename or remove them.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once and leaves no temporary file behind. A rename of several files in progress is completed
/// first.
pub fn abandon(exit_code: i32) -> ! {
    // Renaming takes little time. If the renaming thread itself calls, waiting for it is useless.
    for _ in 0..100 {
        if let Ok(files) = PENDING.try_lock() {
            for file in files.iter() {
                // The process ends, so a failure cannot be reported.
                let _ = fs::remove_file(file);
            }
            // The mutex is held to the end, so that no thread begins another file.
            std::process::exit(exit_code);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    std::process::exit(exit_code)
}

/// An error about a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The folder does not exist and cannot be created.
    #[error("cannot make the folder `{}`", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// A file is in the place of the folder or of one of its parents.
    #[error(
        "cannot make the folder `{}`: `{}` is a file; name another folder, or move the file away",
        folder.display(),
        file.display()
    )]
    FileInTheWay {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// No file can be created in the folder.
    #[error("cannot write in the folder `{}`", .0.display())]
    Unwritable(PathBuf, #[source] io::Error),
    /// Another run has claimed the folder: the one with this process number, if it is known.
    #[error(
        "another run writes to `{}` at this moment{}: wait for its end, or name another folder with \
         --output",
        .0.display(),
        .1.map_or_else(String::new, |process| format!(" (process {process})"))
    )]
    Claimed(PathBuf, Option<u32>),
    /// The place of a file is taken by something that is not a file.
    #[error("`{}` is in the way: it is not a file", .0.display())]
    Occupied(PathBuf),
    /// A file could not be written or renamed.
    #[error("cannot write `{}`", .0.display())]
    Write(PathBuf, #[source] io::Error),
}

/// A folder in which files of known names can be written.
#[derive(Debug)]
pub struct Target {
    folder: PathBuf,
    /// Folders that were created for this run, the innermost first. The list is cleared once a file is in place.
    made: Vec<PathBuf>,
    /// The names under which files are written, by their own names.
    aliases: BTreeMap<String, String>,
    /// Keeps other runs out of the folder.
    lock: Option<Lock>,
}

/// Name of the locked file in a claimed folder. It holds the number of the process.
const LOCK: &str = ".skirmish.lock";

/// A lock on a folder. It ends with the process; if it is dropped earlier, its file is removed.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Lock {
    /// Locks a folder. Returns `None` if locks are not supported, as on some network file systems; two runs at once are
    /// then detected when their files are read.
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
            let mut file =
                opened.map_err(|error| TargetError::Unwritable(folder.to_owned(), error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let process = fs::read_to_string(&path).ok();
                    let process = process.and_then(|text| text.trim().parse().ok());
                    return Err(TargetError::Claimed(folder.to_owned(), process));
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            // The previous owner may have removed the file between opening and locking.
            if !is_at(&file, &path) {
                continue;
            }
            pending().push(path.clone());
            // The number is only for people to read.
            let _ = file.set_len(0);
            let _ = writeln!(file, "{}", std::process::id());
            return Ok(Some(Self { path, _file: file }));
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while it is locked, so that no other process locks it before it is gone.
        let mut pending = pending();
        let _ = fs::remove_file(&self.path);
        pending.retain(|path| *path != self.path);
    }
}

/// Whether `path` still names the open file.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |data: io::Result<fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
    let open = place(file.metadata());
    open.is_some() && open == place(fs::metadata(path))
}

/// Whether `path` still names the open file. On these systems open files keep their names.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

const PREFIX: &str = ".skirmish-";
const SUFFIX: &str = ".tmp";

/// Removes temporary files of dead processes.
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

/// Creates a folder and its parents, if they do not exist.
///
/// # Errors
/// If the folder cannot be created.
pub fn make_folder(folder: &Path) -> Result<(), TargetError> {
    fs::create_dir_all(folder).map_err(|source| {
        let folder = folder.to_owned();
        match folder.ancestors().find(|above| above.is_file()) {
            Some(file) => TargetError::FileInTheWay {
                file: file.to_owned(),
                folder,
            },
            None => TargetError::Folder(folder, source),
        }
    })
}

impl Target {
    /// Creates the folder if needed, and checks that files of these names can be written there.
    ///
    /// # Errors
    /// If the folder cannot be created or the files cannot be written.
    pub fn prepare(folder: &Path, names: &[&str]) -> Result<Self, TargetError> {
        Self::open(folder, names, false)
    }

    /// Prepares the folder like [`prepare`](Self::prepare), and claims it for this run until the target is dropped.
    ///
    /// # Errors
    /// If the files cannot be written, or another run has claimed the folder.
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
        // A file that can be created and removed here can be renamed here.
        target
            .temporary()
            .and_then(NamedTempFile::close)
            .map_err(|error| TargetError::Unwritable(folder.to_owned(), error))?;
        for name in names {
            let place = folder.join(name);
            match place.symlink_metadata() {
                Ok(_) if place.exists() && !place.is_file() => {
                    return Err(TargetError::Occupied(place));
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                    return Err(TargetError::Write(place, error));
                }
                _ => {}
            }
        }
        Ok(target)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the name under which the file `name` is written.
    pub fn written_as<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// Writes the file `name` under another name.
    pub fn rename(&mut self, name: &str, alias: String) {
        self.aliases.insert(name.to_owned(), alias);
    }

    /// Starts a set of files that appear together.
    pub fn batch(&mut self) -> Batch<'_> {
        Batch {
            target: self,
            files: Vec::new(),
            sums: BTreeMap::new(),
        }
    }

    /// Starts a file that is written while other work goes on, and that appears when it is committed.
    ///
    /// # Errors
    /// If no file can be created.
    pub fn growing(&self, name: &str) -> Result<Growing, TargetError> {
        let place = self.folder.join(name);
        match self.pending_temporary() {
            Ok(file) => Ok(Growing {
                path: file.path().to_owned(),
                file: BufWriter::with_capacity(1 << 18, file),
                place,
            }),
            Err(source) => Err(TargetError::Write(place, source)),
        }
    }

    /// Creates the file `name` with this content; it appears whole.
    ///
    /// # Errors
    /// If there is a file of this name already, or the file cannot be written. Nothing has changed then.
    pub fn create(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut file = self.pending_temporary()?;
        let written = file.write_all(content);
        let written = written.and_then(|()| file.as_file().sync_all());
        let mut pending = pending();
        pending.retain(|other| other.as_path() != file.path());
        written?;
        file.persist_noclobber(self.folder.join(name))
            .map_err(|error| error.error)?;
        self.made.clear();
        sync_names(&self.folder);
        Ok(())
    }

    /// Creates a temporary file that does not outlive the process.
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
            let file = builder.tempfile_in(&self.folder).map_err(without_path)?;
            // An unlocked file looks like one of a dead process, so a process that starts now may remove it. If locks
            // are not supported, no process removes any.
            match file.as_file().try_lock() {
                Ok(()) if is_at(file.as_file(), file.path()) => return Ok(file),
                Err(TryLockError::Error(_)) => return Ok(file),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
            }
        }
    }
}

/// Leaves out the path that `tempfile` adds to an error: a temporary name says nothing.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((text, _)) => io::Error::new(error.kind(), text),
        None => error,
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // The lock file would keep the folder from being empty.
        self.lock = None;
        for folder in &self.made {
            // Fails if another process has put something into the folder, as it should.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// A file that is being written under a temporary name. If it is dropped, the temporary file is removed.
#[derive(Debug)]
pub struct Growing {
    file: BufWriter<NamedTempFile>,
    /// The temporary name.
    path: PathBuf,
    place: PathBuf,
}

impl Growing {
    /// Puts the file in its place in the folder of `target`, the target that started it.
    ///
    /// # Errors
    /// If the file cannot be completed or renamed; the old file then stays.
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
            return Err(TargetError::Write(place, without_path(source)));
        }
        target.made.clear();
        sync_names(&target.folder);
        Ok(())
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(without_path)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(without_path)
    }
}

/// Complete files on disk that still have temporary names.
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
    /// If the file cannot be written; nothing has changed then.
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
            Err(source) => Err(TargetError::Write(place, source)),
        }
    }

    /// Returns the checksums of the files so far, by their own names.
    pub fn sums(&self) -> BTreeMap<String, String> {
        self.sums.clone()
    }

    /// Writes one text file, [cleaned](Cleaning).
    ///
    /// # Errors
    /// If the file cannot be written; nothing has changed then.
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
                return Err(TargetError::Write(place, error.error));
            }
            self.target.made.clear();
        }
        sync_names(&self.target.folder);
        Ok(())
    }
}

/// Forces the names of files to disk, by syncing their folder. Not every system supports that, and the files are
/// complete without it.
fn sync_names(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
