//! Files of counts: a line of JSON as head, the counts, a checksum.
//!
//! `docs/SHARDS.md` describes them byte by byte. The checksum covers all that comes before it, and
//! the bytes of a file follow from its content: there are no two files of the same counts. So a file is
//! either unchanged or refused.

use super::layout::Part;
use super::order::RunId;
use super::{FORMAT, Plan};
use crate::tally::code::{self, Malformed, Portable, Reader};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::ops::Range;
use std::path::Path;

/// Bytes of the checksum.
const CHECKSUM: usize = 32;

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Its kind.
    pub skirmish: Saved,
    /// The version of the format.
    pub format: u32,
    /// The version of the program that has counted.
    pub version: String,
    /// The fingerprint of the job.
    pub run: RunId,
    /// Which shard it is; a checkpoint is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Place>,
    /// Encounters that were counted.
    pub encounters: u64,
}

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Saved {
    /// A part of a plan.
    Shard,
    /// The first encounters of each fight, as far as they have been played.
    Checkpoint,
}

/// A shard's place among all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its number, from 0.
    pub number: u64,
    /// How many there are.
    pub of: u64,
    /// Its first encounter, on the line of all encounters of all fights.
    pub from: u64,
    /// The encounter after its last.
    pub to: u64,
}

/// The reason why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It begins with something else.
    #[error("it is no shard or checkpoint of skirmish")]
    Foreign,
    /// It is of another version.
    #[error("its format is {found}, and this program reads {FORMAT}")]
    Format {
        /// The version it says it has.
        found: u32,
    },
    /// The checksum is not that of the bytes.
    #[error("it is damaged or cut short: its checksum is not that of its content")]
    Checksum,
    /// The bytes are no counts.
    #[error("it is damaged: {0}")]
    Malformed(#[from] Malformed),
    /// It is something else.
    #[error("it is {found}, not {wanted}")]
    Other {
        /// Its kind.
        found: String,
        /// The expected kind.
        wanted: String,
    },
}

/// Why there is no such file of counts.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is none.
    #[error("it is missing")]
    Missing,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is something else.
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// Reads a file whose first line is right. Other files are not read to their end.
///
/// # Errors
/// If there is no such file.
pub fn read(
    path: &Path,
    right: impl FnOnce(&Head) -> Result<(), Damage>,
) -> Result<Vec<u8>, Fault> {
    let open = || {
        // Opening a pipe would wait for a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        File::open(path)
    };
    let mut file = open().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Fault::Missing,
        _ => Fault::Unreadable(error),
    })?;
    let mut bytes = Vec::new();
    let mut begin = (&mut file).take(Head::LONGEST);
    begin.read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    right(&Head::read(&bytes)?.0)?;
    file.read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    Ok(bytes)
}

impl Head {
    /// The most bytes of a first line with its line feed: about twice the longest.
    pub const LONGEST: u64 = 1024;

    /// Returns the head of a checkpoint of that many encounters.
    #[must_use]
    pub fn checkpoint(run: RunId, encounters: u64) -> Self {
        Self {
            skirmish: Saved::Checkpoint,
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            run,
            shard: None,
            encounters,
        }
    }

    /// That of a plan's shard.
    #[must_use]
    pub fn shard(plan: &Plan, number: u64) -> Self {
        let Range { start, end } = plan.layout.range(number);
        Self {
            skirmish: Saved::Shard,
            shard: Some(Place {
                number,
                of: plan.layout.shards(),
                from: start,
                to: end,
            }),
            ..Self::checkpoint(plan.id.clone(), end - start)
        }
    }

    /// The bytes of a file: this line, the parts with their encoded counts, the checksum.
    ///
    /// # Panics
    /// Never: a head is always JSON.
    #[must_use]
    pub fn file(&self, parts: &[(Part, Vec<u8>)]) -> Vec<u8> {
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

    /// Reads the first line of these bytes, which need not be the whole file.
    ///
    /// # Errors
    /// If it is no head of this format.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), Damage> {
        let first = &bytes[..bytes.len().min(Self::LONGEST as usize)];
        let end = first.iter().position(|&byte| byte == b'\n');
        let line = &first[..end.ok_or(Damage::Foreign)?];
        let format = super::format_of::<Saved>(line).map_err(|_| Damage::Foreign)?;
        if format != FORMAT {
            return Err(Damage::Format { found: format });
        }
        let head: Self = serde_json::from_slice(line).map_err(|_| Damage::Foreign)?;
        let length = line.len() + 1;
        if head.line() != bytes[..length] {
            return Err(Damage::Foreign);
        }
        Ok((head, length))
    }

    /// Verifies a file by its first line.
    ///
    /// # Errors
    /// If it is something else.
    pub fn must_be(&self, wanted: &Self) -> Result<(), Damage> {
        if self == wanted {
            return Ok(());
        }
        let other = |found: String, wanted: String| Err(Damage::Other { found, wanted });
        if self.run != wanted.run {
            let of = |one: &Self, than: &Self| format!("of run {}", one.run.unlike(&than.run));
            return other(of(self, wanted), of(wanted, self));
        }
        let kind = |head: &Self| match (&head.skirmish, &head.shard) {
            (Saved::Shard, Some(place)) => format!(
                "shard {}/{} with encounters {} to {}",
                place.number, place.of, place.from, place.to
            ),
            (Saved::Shard, None) => "a shard without a place".to_owned(),
            (Saved::Checkpoint, _) => "a checkpoint".to_owned(),
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

/// The part between a file's first line and its checksum.
#[derive(Debug)]
pub struct Body<'a> {
    reader: Reader<'a>,
    parts: u64,
}

impl<'a> Body<'a> {
    /// Takes a whole file apart, and proves that nothing of it has been changed.
    ///
    /// # Errors
    /// If it is no file of counts.
    pub fn open(bytes: &'a [u8]) -> Result<(Head, Self), Damage> {
        let (head, begin) = Head::read(bytes)?;
        let end = bytes.len().checked_sub(CHECKSUM).filter(|end| *end > begin);
        let (content, checksum) = bytes.split_at(end.ok_or(Damage::Checksum)?);
        if Sha256::digest(content)[..] != *checksum {
            return Err(Damage::Checksum);
        }
        let mut reader = Reader::new(&content[begin..]);
        let parts = reader.number()?;
        Ok((head, Self { reader, parts }))
    }

    /// The next part, of which the counts must be read next; none at the end.
    fn next_part(&mut self) -> Result<Option<Part>, Damage> {
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
        Ok(Some(Part {
            fight: usize::try_from(fight).map_err(|_| Malformed::Great)?,
            encounters: start..end,
        }))
    }

    /// The counts of a part, which are of that fight.
    ///
    /// # Errors
    /// If there is something else.
    pub fn counts<C: Portable>(&mut self, of: &C, part: &Part) -> Result<C, Damage> {
        Ok(of.decode(&part.encounters, &mut self.reader)?)
    }

    /// Calls `read` for each part; it must read the counts.
    ///
    /// # Errors
    /// If there is anything else, or a part is invalid.
    pub fn any(
        mut self,
        mut show: impl FnMut(&mut Self, Part) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        while let Some(part) = self.next_part()? {
            show(&mut self, part)?;
        }
        Ok(())
    }

    /// Shows each of the parts that there should be.
    ///
    /// # Errors
    /// If there are others, or anything else.
    pub fn each(
        self,
        wanted: impl IntoIterator<Item = Part>,
        mut show: impl FnMut(&mut Self, Part) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        let mut wanted = wanted.into_iter();
        let other = |found: Option<&Part>, wanted: Option<Part>| {
            let told = |part: Option<&Part>| part.map_or("at its end".to_owned(), Part::to_string);
            Err(Damage::Other {
                found: told(found),
                wanted: told(wanted.as_ref()),
            })
        };
        self.any(|body, part| match wanted.next() {
            Some(one) if one == part => show(body, part),
            one => other(Some(&part), one),
        })?;
        match wanted.next() {
            None => Ok(()),
            one => other(None, one),
        }
    }
}
