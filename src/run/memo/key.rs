//! States as few bytes: the key of a memo, from which the state can be had back.

use crate::sim::steps::Codec;

/// Writes numbers, small ones in a byte.
#[derive(Debug, Clone, Default)]
pub(super) struct Writer(pub Vec<u8>);

impl Codec for Writer {
    fn number(&mut self, value: i64) -> i64 {
        // The sign goes into the lowest bit, then seven bits a byte.
        let mut rest = ((value << 1) ^ (value >> 63)) as u64;
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
        value
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub &'a [u8]);

impl Codec for Reader<'_> {
    fn number(&mut self, _: i64) -> i64 {
        let mut bits = 0;
        let mut shift = 0;
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            bits |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        (bits >> 1) as i64 ^ -((bits & 1) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Codec, Reader, Writer};

    #[test]
    fn what_was_written_is_read() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 300, i64::MAX, i64::MIN];
        let mut writer = Writer::default();
        for number in numbers {
            assert_eq!(writer.number(number), number);
        }
        let mut reader = Reader(&writer.0);
        for number in numbers {
            assert_eq!(reader.number(7), number);
        }
        assert!(reader.0.is_empty());
        assert_eq!(writer.0[..3], [0, 2, 1]);
    }
}
