//! Writes a situation as bytes, in the format of `postcard`, which reads them.
//!
//! A situation is written for each path of answers, only to find out whether it is known.

use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Appends a value to `bytes`.
pub(super) fn write(value: &impl Serialize, bytes: &mut Vec<u8>) {
    let written = postcard::serialize_with_flavor(value, Appended(bytes));
    written.expect("a state is made of numbers and lists");
}

/// Appends bytes one by one: nearly all numbers of a situation have a single byte, for which copying a slice takes
/// longer.
struct Appended<'a>(&'a mut Vec<u8>);

impl Flavor for Appended<'_> {
    type Output = ();

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
