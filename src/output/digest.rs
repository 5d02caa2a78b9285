//! Checksums of files of results, by which a manifest knows what belongs to it.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Sums up all bytes written through it. Carriage returns do not count, for version control may put
/// them in and take them out.
#[derive(Debug)]
pub struct Summing<W> {
    inner: W,
    sum: Sha256,
}

impl<W: Write> Summing<W> {
    /// Sums up all bytes written to `inner`.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            sum: Sha256::new(),
        }
    }

    /// The checksum of all that was written.
    pub fn sum(self) -> String {
        self.sum
            .finalize()
            .iter()
            .fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        for part in bytes[..written].split(|byte| *byte == b'\r') {
            self.sum.update(part);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The checksum of a file's content.
#[must_use]
pub fn sum(content: &[u8]) -> String {
    let mut summing = Summing::new(io::sink());
    // Nothing fails in a sink.
    let _ = summing.write_all(content);
    summing.sum()
}
