//! Files of counts: a line of JSON as head, the counts, and a checksum.
//!
//! `docs/SHARDS.md` describes the format byte by byte. The checksum covers all preceding bytes, and the content
//! decides every byte of a file: no two different files have the same counts. So a file is either unchanged or
//! refused.

use super::job::RunId;
use super::layout::ShardPart;
use super::{FORMAT, Plan};
use crate::tally::code::{self, Malformed, Portable, Reader};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::ops::Range;
use std::path::Path;

/// The bytes of the checksum.
const CHECKSUM: usize = 32;

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The kind of the file.
    pub skirmish: FileKind,
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote the file.
    pub version: String,
    /// The fingerprint of the job.
    pub run: RunId,
    /// The position of a shard; `None` for a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardPosition>,
    /// The number of encounters counted.
    pub encounters: u64,
}

/// The kind of a file of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// A shard of a plan.
    Shard,
    /// A checkpoint with the first encounters of each fight.
    Checkpoint,
}

/// The position of a shard in its plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardPosition {
    /// The number of the shard, from 0.
    pub number: u64,
    /// The number of shards in the plan.
    pub of: u64,
    /// The first encounter, on the line of all encounters of all fights.
    pub from: u64,
    /// The encounter after the last.
    pub to: u64,
}

/// The reason why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum InvalidFile {
    /// The file does not begin like a file of counts.
    #[error("it is no shard or checkpoint of skirmish")]
    Foreign,
    /// The file has another format.
    #[error("its format is {found}, and this program reads {FORMAT}")]
    Format {
        /// The format in the file.
        found: u32,
    },
    /// The checksum does not match the content.
    #[error("it is damaged or cut short: its checksum is not that of its content")]
    Checksum,
    /// The bytes cannot be decoded as counts.
    #[error("it is damaged: {0}")]
    Malformed(#[from] Malformed),
    /// The file belongs to something else.
    #[error("it is {found}, not {wanted}")]
    Other {
        /// A description of the file.
        found: String,
        /// A description of the expected file.
        wanted: String,
    },
}

/// The reason why a file of counts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file.
    #[error("it is missing")]
    Missing,
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file is damaged or belongs to something else.
    #[error(transparent)]
    Invalid(#[from] InvalidFile),
}

/// Reads a file if `right` accepts its first line. Other files are not read to the end.
///
/// # Errors
/// If the file is missing, unreadable or not accepted.
pub fn read(
    path: &Path,
    right: impl FnOnce(&Head) -> Result<(), InvalidFile>,
) -> Result<Vec<u8>, ReadError> {
    let open = || {
        // Opening a pipe would wait for a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        File::open(path)
    };
    let mut file = open().map_err(|error| match error.kind() {
        ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Unreadable(error),
    })?;
    let mut bytes = Vec::new();
    let mut begin = (&mut file).take(Head::LONGEST);
    begin
        .read_to_end(&mut bytes)
        .map_err(ReadError::Unreadable)?;
    right(&Head::read(&bytes)?.0)?;
    file.read_to_end(&mut bytes)
        .map_err(ReadError::Unreadable)?;
    Ok(bytes)
}

impl Head {
    /// The most bytes of a first line with its line feed: about twice the longest one.
    pub const LONGEST: u64 = 1024;

    /// Returns the head of a checkpoint of `encounters` encounters.
    pub fn checkpoint(run: RunId, encounters: u64) -> Self {
        Self {
            skirmish: FileKind::Checkpoint,
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            run,
            shard: None,
            encounters,
        }
    }

    /// Returns the head of a shard of a plan.
    pub fn shard(plan: &Plan, number: u64) -> Self {
        let Range { start, end } = plan.layout.range(number);
        Self {
            skirmish: FileKind::Shard,
            shard: Some(ShardPosition {
                number,
                of: plan.layout.shards(),
                from: start,
                to: end,
            }),
            ..Self::checkpoint(plan.id.clone(), end - start)
        }
    }

    /// Returns the bytes of a file: this head, the parts with their encoded counts, and the checksum.
    ///
    /// # Panics
    /// Never: a head is always JSON.
    pub fn file(&self, parts: &[(ShardPart, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = self.line();
        code::write(parts.len() as u64, &mut bytes);
        for (part, counts) in parts {
            let Range { start, end } = part.encounters;
            for number in [part.fight as u64, start, end - start] {
                code::write(number, &mut bytes);
            }
            bytes.extend_from_slice(counts);
        }
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        bytes
    }

    fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("a head is always JSON");
        line.push(b'\n');
        line
    }

    /// Reads the first line of `bytes`, which need not be the whole file, and returns the head and its length.
    ///
    /// # Errors
    /// If the line is not a head of this format.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), InvalidFile> {
        let first = &bytes[..bytes.len().min(Self::LONGEST as usize)];
        let end = first.iter().position(|&byte| byte == b'\n');
        let line = &first[..end.ok_or(InvalidFile::Foreign)?];
        let format = super::format_of::<FileKind>(line).map_err(|_| InvalidFile::Foreign)?;
        if format != FORMAT {
            return Err(InvalidFile::Format { found: format });
        }
        let head: Self = serde_json::from_slice(line).map_err(|_| InvalidFile::Foreign)?;
        let length = line.len() + 1;
        if head.line() != bytes[..length] {
            return Err(InvalidFile::Foreign);
        }
        Ok((head, length))
    }

    /// Checks that a head is the wanted one.
    ///
    /// # Errors
    /// If the heads differ; the error names the first difference that matters.
    pub fn must_be(&self, wanted: &Self) -> Result<(), InvalidFile> {
        if self == wanted {
            return Ok(());
        }
        let other = |found: String, wanted: String| Err(InvalidFile::Other { found, wanted });
        if self.run != wanted.run {
            let of = |head: &Self, other: &Self| format!("of run {}", head.run.unlike(&other.run));
            return other(of(self, wanted), of(wanted, self));
        }
        let kind = |head: &Self| match (&head.skirmish, &head.shard) {
            (FileKind::Shard, Some(place)) => format!(
                "shard {}/{} with encounters {} to {}",
                place.number, place.of, place.from, place.to
            ),
            (FileKind::Shard, None) => "a shard without a place".to_owned(),
            (FileKind::Checkpoint, _) => "a checkpoint".to_owned(),
        };
        if self.skirmish != wanted.skirmish || self.shard != wanted.shard {
            return other(kind(self), kind(wanted));
        }
        if self.version != wanted.version {
            let of = |head: &Self| format!("of version {}", head.version);
            return other(of(self), of(wanted));
        }
        let of = |head: &Self| format!("of {} encounters", head.encounters);
        other(of(self), of(wanted))
    }
}

/// The content between a file's first line and its checksum.
#[derive(Debug)]
pub struct Body<'a> {
    reader: Reader<'a>,
    parts: u64,
}

impl<'a> Body<'a> {
    /// Splits a whole file into head and body, and verifies its checksum.
    ///
    /// # Errors
    /// If it is not a file of counts, or the checksum does not match.
    pub fn open(bytes: &'a [u8]) -> Result<(Head, Self), InvalidFile> {
        let (head, begin) = Head::read(bytes)?;
        let end = bytes.len().checked_sub(CHECKSUM).filter(|end| *end > begin);
        let (content, checksum) = bytes.split_at(end.ok_or(InvalidFile::Checksum)?);
        if Sha256::digest(content)[..] != *checksum {
            return Err(InvalidFile::Checksum);
        }
        let mut reader = Reader::new(&content[begin..]);
        let parts = reader.number()?;
        Ok((head, Self { reader, parts }))
    }

    /// Returns the next part, whose counts must be read next, or `None` at the end.
    fn next_part(&mut self) -> Result<Option<ShardPart>, InvalidFile> {
        if self.parts == 0 {
            self.reader.end()?;
            return Ok(None);
        }
        self.parts -= 1;
        let [fight, start, length] = [
            self.reader.number()?,
            self.reader.number()?,
            self.reader.number()?,
        ];
        let end = start.checked_add(length).ok_or(Malformed::Great)?;
        Ok(Some(ShardPart {
            fight: usize::try_from(fight).map_err(|_| Malformed::Great)?,
            encounters: start..end,
        }))
    }

    /// Reads the counts of a part; `of` has the shape of its fight.
    ///
    /// # Errors
    /// If the bytes are not such counts.
    pub fn counts<C: Portable>(&mut self, of: &C, part: &ShardPart) -> Result<C, InvalidFile> {
        Ok(of.decode(&part.encounters, &mut self.reader)?)
    }

    /// Calls `show` for each part; it must read the counts.
    ///
    /// # Errors
    /// If the parts or the bytes after them are invalid.
    pub fn any(
        mut self,
        mut show: impl FnMut(&mut Self, ShardPart) -> Result<(), InvalidFile>,
    ) -> Result<(), InvalidFile> {
        while let Some(part) = self.next_part()? {
            show(&mut self, part)?;
        }
        Ok(())
    }

    /// Calls `show` for each part, and checks that the parts are exactly the `wanted` ones.
    ///
    /// # Errors
    /// If the parts differ, or the bytes are invalid.
    pub fn each(
        self,
        wanted: impl IntoIterator<Item = ShardPart>,
        mut show: impl FnMut(&mut Self, ShardPart) -> Result<(), InvalidFile>,
    ) -> Result<(), InvalidFile> {
        let mut wanted = wanted.into_iter();
        let other = |found: Option<&ShardPart>, wanted: Option<ShardPart>| {
            let shown = |part: Option<&ShardPart>| {
                part.map_or("at its end".to_owned(), ShardPart::to_string)
            };
            Err(InvalidFile::Other {
                found: shown(found),
                wanted: shown(wanted.as_ref()),
            })
        };
        self.any(|body, part| match wanted.next() {
            Some(next) if next == part => show(body, part),
            next => other(Some(&part), next),
        })?;
        match wanted.next() {
            None => Ok(()),
            next => other(None, next),
        }
    }
}
