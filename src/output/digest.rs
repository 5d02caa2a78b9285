//! Checksums of result files, by which a manifest recognizes the files that belong to it.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Computes the checksum of all bytes written through it. Carriage returns are ignored, because version control may add
/// and remove them.
#[derive(Debug)]
pub struct Summing<W> {
    inner: W,
    sum: Sha256,
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl<W: Write> Summing<W> {
    /// Wraps `inner` to sum up all bytes written to it.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            sum: Sha256::new(),
        }
    }

    /// Returns the checksum of all bytes written.
    pub fn sum(self) -> String {
        hex(&self.sum.finalize())
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

/// Returns the checksum of a file's content.
pub fn sum(content: &[u8]) -> String {
    let mut summing = Summing::new(io::sink());
    // Writing to a sink never fails.
    let _ = summing.write_all(content);
    summing.sum()
}
