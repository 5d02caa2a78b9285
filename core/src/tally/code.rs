//! Encodes counts as bytes and decodes them, to pass them from one process to another.
//!
//! Numbers are LEB128: seven bits a byte, the lowest first, and the highest bit set on all bytes but the last. Each
//! number has exactly one form, each tally exactly one sequence of bytes, and any other sequence is refused. No memory
//! is reserved for a length before its bytes have arrived.

use std::ops::Range;

/// The reason why bytes cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The bytes end too early.
    #[error("it ends in the middle")]
    Short,
    /// Bytes are left over.
    #[error("{0} bytes are left over at its end")]
    Long(usize),
    /// A number has redundant trailing bytes.
    #[error("a number is written longer than it need be")]
    Padded,
    /// A number is out of range.
    #[error("a number is too great")]
    Great,
    /// The bytes count something else.
    #[error("it counts {found} {what}, not {wanted}")]
    Other {
        /// The name of the counted things.
        what: &'static str,
        /// The number of these things in the bytes.
        found: u64,
        /// The expected number.
        wanted: u64,
    },
    /// The counts contradict each other, or the number of encounters.
    #[error("its counts do not add up: {0}")]
    Contradiction(&'static str),
}

pub(crate) fn contradicts<T>(what: &'static str) -> Result<T, Malformed> {
    Err(Malformed::Contradiction(what))
}

/// Counts that can be encoded and decoded.
pub trait Portable: Sized {
    /// Appends the encoded counts, which cover exactly `encounters`, to `out`.
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>);

    /// Returns the counts, which cover exactly `encounters`, as [`encode`](Self::encode) writes them.
    fn encoded(&self, encounters: &Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(encounters, &mut bytes);
        bytes
    }

    /// Reads counts that cover exactly `encounters`. `self` are counts of the same fights, whose contents do not
    /// matter.
    ///
    /// # Errors
    /// If the bytes are not such counts.
    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed>;
}

/// Writes a number.
pub fn write(number: u64, out: &mut Vec<u8>) {
    write_wide(number.into(), out);
}

/// Writes a number of up to 128 bits.
pub fn write_wide(mut number: u128, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads bytes from the front of a slice.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader that starts at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Reads a number.
    ///
    /// # Errors
    /// If there is no number, if it is not in its only form, or if it does not fit in 64 bits.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        u64::try_from(self.wide()?).map_err(|_| Malformed::Great)
    }

    /// Reads a number of up to 128 bits.
    ///
    /// # Errors
    /// If there is no number, or if it is not in its only form.
    pub fn wide(&mut self) -> Result<u128, Malformed> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or(Malformed::Short)?;
            self.bytes = rest;
            let bits = u128::from(byte & 0x7f);
            // Nineteen bytes hold 133 bits: five of the last byte must be 0.
            if shift > 126 || (bits << shift) >> shift != bits {
                return Err(Malformed::Great);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(Malformed::Padded);
                }
                break;
            }
        }
        Ok(number)
    }

    /// Reads a number and checks that it is `wanted`.
    ///
    /// # Errors
    /// If the number differs from `wanted`.
    pub fn expect(&mut self, wanted: usize, what: &'static str) -> Result<(), Malformed> {
        let (found, wanted) = (self.number()?, wanted as u64);
        if found == wanted {
            Ok(())
        } else {
            Err(Malformed::Other {
                what,
                found,
                wanted,
            })
        }
    }

    /// Checks that no bytes are left.
    ///
    /// # Errors
    /// If bytes are left.
    pub fn end(&self) -> Result<(), Malformed> {
        match self.bytes.len() {
            0 => Ok(()),
            left => Err(Malformed::Long(left)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Result<u128, Malformed> {
        let mut reader = Reader::new(bytes);
        let number = reader.wide()?;
        reader.end().map(|()| number)
    }

    #[test]
    fn a_number_has_one_form() {
        let mut bytes = Vec::new();
        write(300, &mut bytes);
        assert_eq!(bytes, [0xac, 0x02]);
        assert_eq!(read(&[0xac, 0x02]), Ok(300));
        assert_eq!(read(&[0xac, 0x82, 0x00]), Err(Malformed::Padded));
        assert_eq!(read(&[0x80, 0x00]), Err(Malformed::Padded));
        assert_eq!(read(&[0xac]), Err(Malformed::Short));
        assert_eq!(read(&[]), Err(Malformed::Short));
        assert_eq!(read(&[1, 2]), Err(Malformed::Long(1)));
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused() {
        let mut bytes = Vec::new();
        write_wide(u128::MAX, &mut bytes);
        assert_eq!(bytes.len(), 19);
        assert_eq!(read(&bytes), Ok(u128::MAX));
        assert_eq!(Reader::new(&bytes).number(), Err(Malformed::Great));
        bytes[18] += 1;
        assert_eq!(read(&bytes), Err(Malformed::Great), "one bit more");
        assert_eq!(read(&[0xff; 40]), Err(Malformed::Great));
    }

    proptest! {
        #[test]
        fn numbers_come_back(number: u128, bits in 0u32..128) {
            let number = number >> bits;
            let mut bytes = Vec::new();
            write_wide(number, &mut bytes);
            prop_assert_eq!(read(&bytes), Ok(number));
            for end in 0..bytes.len() {
                prop_assert_eq!(read(&bytes[..end]), Err(Malformed::Short));
            }
        }

        #[test]
        fn what_can_be_read_is_written_the_same(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            if let Ok(number) = read(&bytes) {
                let mut again = Vec::new();
                write_wide(number, &mut again);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}
