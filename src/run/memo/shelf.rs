//! Strings of bytes, each kept once and known by a number: in one piece of memory, with four bytes
//! of index each, for a memo has hundreds of thousands of them.

/// Strings of bytes, numbered in the order in which they came.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<u32>,
    /// Their numbers, from 1, at the places that their hashes give or the next free ones; 0 is
    /// free. Its length is a power of two, or 0.
    places: Vec<u32>,
}

impl Shelf {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string of that number.
    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// All of them, one after the other.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of a string, if it is there.
    pub(super) fn find(&self, string: &[u8]) -> Option<u32> {
        let place = self.place(string)?;
        self.places[place].checked_sub(1)
    }

    /// The number of a string, which is put there if it is not.
    pub(super) fn put(&mut self, string: &[u8]) -> u32 {
        if self.ends.len() * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let place = self.place(string).expect("there is room");
        if let Some(number) = self.places[place].checked_sub(1) {
            return number;
        }
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len() as u32);
        self.places[place] = self.ends.len() as u32;
        self.ends.len() as u32 - 1
    }

    /// Bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + (self.ends.len() + self.places.len()) * size_of::<u32>()
    }

    /// Where a string is, or would be.
    fn place(&self, string: &[u8]) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        let mut place = hash(string) as usize & last;
        while let Some(number) = self.places[place].checked_sub(1)
            && self.get(number) != string
        {
            place = (place + 1) & last;
        }
        Some(place)
    }

    fn grow(&mut self) {
        let length = (self.places.len() * 2).max(64);
        self.places = vec![0; length];
        for number in 0..self.ends.len() as u32 {
            if let Some(place) = self.place(self.get(number)) {
                self.places[place] = number + 1;
            }
        }
    }
}

/// Eight bytes at a time, each stirred well enough for a table; nobody chooses the strings to do harm.
fn hash(string: &[u8]) -> u64 {
    let (words, rest) = string.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let start = string.len() as u64;
    words.iter().chain([&last]).fold(start, |all, word| {
        let mixed = (all ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}

#[cfg(test)]
mod tests {
    use super::Shelf;

    #[test]
    fn every_string_is_kept_once() {
        let mut shelf = Shelf::default();
        assert_eq!(shelf.find(b""), None);
        let string = |number: u32| vec![7; number as usize % 40 + number as usize / 40];
        let strings: Vec<Vec<u8>> = (0..40).map(string).collect();
        for (number, string) in (0..).zip(&strings) {
            assert_eq!(shelf.find(string), None);
            assert_eq!(shelf.put(string), number);
        }
        for number in 0..1000_u32 {
            shelf.put(&number.to_le_bytes());
        }
        for (number, string) in (0..).zip(&strings) {
            assert_eq!(shelf.put(string), number);
            assert_eq!(shelf.find(string), Some(number));
            assert_eq!(shelf.get(number), string);
        }
        assert!(shelf.len() >= 1036 && shelf.size() > shelf.bytes().len());
    }
}
