//! Writes a situation as bytes, in the format of `postcard`, which reads them.
//!
//! A situation is written for each path of answers, only to find out whether it is known. With `postcard` itself, that
//! takes a fourth of the time of all exploring.

use serde::ser::{
    Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::{self, Display, Formatter};

/// Appends a value to `bytes`.
pub(super) fn write(value: &impl Serialize, bytes: &mut Vec<u8>) {
    let written = value.serialize(&mut Writer { bytes });
    written.expect("a state is made of numbers and lists");
}

struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
}

impl Writer<'_> {
    #[inline]
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes a signed number with its sign as the lowest bit, so that small numbers are short.
    #[inline]
    fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }
}

/// The error for a type that no state contains.
#[derive(Debug)]
pub(super) struct Unwritable;

impl Display for Unwritable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a part of a state")
    }
}

impl std::error::Error for Unwritable {}

impl serde::ser::Error for Unwritable {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// Defines methods that write a number in as few bytes as it needs.
macro_rules! numbers {
    ($($method:ident: $type:ty => $how:ident as $wide:ty),*) => {
        $(
            #[inline]
            fn $method(self, value: $type) -> Result<(), Unwritable> {
                self.$how(<$wide>::from(value));
                Ok(())
            }
        )*
    };
}

impl Serializer for &mut Writer<'_> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Impossible<(), Unwritable>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_u16: u16 => number as u64,
        serialize_u32: u32 => number as u64,
        serialize_u64: u64 => number as u64,
        serialize_i16: i16 => signed as i64,
        serialize_i32: i32 => signed as i64,
        serialize_i64: i64 => signed as i64
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.serialize_u8(value.into())
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<(), Unwritable> {
        self.bytes.push(value);
        Ok(())
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<(), Unwritable> {
        self.serialize_u8(value.cast_unsigned())
    }

    fn serialize_char(self, _: char) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_f32(self, _: f32) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_f64(self, _: f64) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Unwritable> {
        self.number(value.len() as u64);
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Unwritable> {
        self.number(0);
        Ok(())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        self.number(1);
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Unwritable> {
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        Ok(())
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
    ) -> Result<(), Unwritable> {
        self.number(variant.into());
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        self.number(variant.into());
        value.serialize(self)
    }

    #[inline]
    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Unwritable> {
        self.number(length.ok_or(Unwritable)? as u64);
        Ok(self)
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Self, Unwritable> {
        Ok(self)
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Unwritable> {
        Ok(self)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Unwritable> {
        self.number(variant.into());
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unwritable> {
        Err(Unwritable)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Unwritable> {
        Ok(self)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Unwritable> {
        self.number(variant.into());
        Ok(self)
    }
}

/// Implements serialization of lists whose parts follow one another.
macro_rules! parts {
    ($($list:ident: $method:ident),*) => {
        $(
            impl $list for &mut Writer<'_> {
                type Ok = ();
                type Error = Unwritable;

                #[inline]
                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                    value.serialize(&mut **self)
                }

                #[inline]
                fn end(self) -> Result<(), Unwritable> {
                    Ok(())
                }
            }
        )*
    };
}

parts! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
}

/// Implements serialization of structs in the same way. Field names are not written.
macro_rules! fields {
    ($($list:ident),*) => {
        $(
            impl $list for &mut Writer<'_> {
                type Ok = ();
                type Error = Unwritable;

                #[inline]
                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    _: &'static str,
                    value: &T,
                ) -> Result<(), Unwritable> {
                    value.serialize(&mut **self)
                }

                #[inline]
                fn end(self) -> Result<(), Unwritable> {
                    Ok(())
                }
            }
        )*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

#[cfg(test)]
mod tests {
    use super::write;
    use proptest::prelude::*;
    use serde::Serialize;

    #[derive(Debug, Clone, Serialize)]
    enum Part {
        Unit,
        New(i64),
        Tuple(u8, i8),
        Named {
            some: Option<u32>,
            list: Vec<(i16, u16)>,
        },
    }

    #[derive(Debug, Clone, Serialize)]
    struct All {
        parts: Vec<Part>,
        pair: [i32; 2],
        yes: bool,
        unit: (),
        text: String,
        set: u64,
    }

    fn part() -> impl Strategy<Value = Part> {
        let list = prop::collection::vec(any::<(i16, u16)>(), 0..3);
        prop_oneof![
            Just(Part::Unit),
            any::<i64>().prop_map(Part::New),
            any::<(u8, i8)>().prop_map(|(one, other)| Part::Tuple(one, other)),
            (any::<Option<u32>>(), list).prop_map(|(some, list)| Part::Named { some, list }),
        ]
    }

    proptest! {
        #[test]
        fn bytes_are_those_of_postcard(
            parts in prop::collection::vec(part(), 0..5),
            pair in any::<[i32; 2]>(),
            yes in any::<bool>(),
            text in any::<String>(),
            set in any::<u64>(),
        ) {
            let all = All { parts, pair, yes, unit: (), text, set };
            let mut bytes = Vec::new();
            write(&all, &mut bytes);
            prop_assert_eq!(bytes, postcard::to_stdvec(&all).unwrap());
        }
    }
}
