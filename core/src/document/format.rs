//! The keys of the format, one row each. A row says once what the reader, the schema, `skirmish explain` and the
//! documentation need.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

/// A kind of table of the format.
#[derive(Debug)]
pub struct Keys {
    /// As the schema calls it: `weapon`.
    pub name: &'static str,
    /// What such a table describes.
    pub meaning: &'static str,
    /// Its keys; those that it shares with other tables are groups of their own.
    pub groups: &'static [&'static [KeyRow]],
}

/// A key of a table, or an option of `[rules]`.
#[derive(Debug, Clone, Copy)]
pub struct KeyRow {
    /// As a scenario writes it; that of an option of `[rules]` may have a dot, and one in capitals is a
    /// [placeholder](Self::is_placeholder).
    pub name: &'static str,
    /// The names of the systems that have it; none if all do.
    pub systems: &'static [&'static str],
    /// Its possible values.
    pub values: Values,
    /// Its default; [`REQUIRED`] if it has none.
    pub default: &'static str,
    /// Its meaning, with the rule's id.
    pub meaning: &'static str,
}

impl KeyRow {
    /// Returns the row of an option of `[rules]`.
    pub const fn ruling(
        name: &'static str,
        (values, default): (Values, &'static str),
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            systems: &[],
            values,
            default,
            meaning,
        }
    }

    /// Whether its name, in capitals, stands for any name of a kind, such as `TRAIT`.
    pub fn is_placeholder(&self) -> bool {
        self.name.chars().all(|letter| letter.is_ascii_uppercase())
    }
}

/// The default of a key that no table may lack.
pub const REQUIRED: &str = "required";

impl Keys {
    /// Returns all keys.
    pub fn all(&self) -> impl Iterator<Item = &'static KeyRow> + use<> {
        self.groups.iter().copied().flatten()
    }

    /// Returns the row of a key.
    pub fn get(&self, name: &str) -> Option<&'static KeyRow> {
        self.all().find(|key| key.name == name)
    }

    /// Returns the keys of the table, or the tables, that a key holds.
    pub(crate) fn inside(&self, name: &str) -> &'static Self {
        let tables = self.get(name).map(|key| key.values.tables());
        tables
            .and_then(|tables| tables.first().copied())
            .unwrap_or(&FREE)
    }
}

/// Keys that have no rows here: those of `[rules]`.
static FREE: Keys = Keys {
    name: "rules",
    meaning: "rulings",
    groups: &[],
};

/// The values that a key can have.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// True and false.
    Boolean,
    /// These words and numbers.
    OneOf(&'static [&'static str]),
    /// These words, of a list that other rows make.
    Words(fn() -> Vec<&'static str>),
    /// Whole numbers, from the first to the second, and these words.
    Range(i64, i64, &'static [&'static str]),
    /// Numbers from 0 to 1.
    Chance,
    /// Numbers.
    Number,
    /// Text.
    Text,
    /// Dice, or points without dice.
    Dice,
    /// A list.
    List(&'static Self),
    /// A list of two.
    Pair(&'static Self),
    /// A table with names of one's own, each with such a value.
    Named(&'static Self),
    /// A table with these keys.
    Table(&'static Keys),
    /// Tables with these keys, `[[...]]`.
    Tables(&'static Keys),
    /// A value of any of these.
    Any(&'static [Self]),
    /// A table whose keys belong to other tables, with any values.
    Free,
}

/// Whole numbers from `least` to `most`.
pub(crate) const fn whole(least: i64, most: i64) -> Values {
    Values::Range(least, most, &[])
}

impl Values {
    /// Returns the range of whole numbers among them.
    pub(crate) fn range(self) -> Option<RangeInclusive<i64>> {
        match self {
            Self::Range(least, most, _) => Some(least..=most),
            Self::Any(all) => all.iter().find_map(|values| values.range()),
            _ => None,
        }
    }

    /// Returns the kinds of tables among them.
    pub fn tables(self) -> Vec<&'static Keys> {
        match self {
            Self::Table(keys) | Self::Tables(keys) => vec![keys],
            Self::List(inner) | Self::Named(inner) | Self::Pair(inner) => inner.tables(),
            Self::Any(all) => all.iter().flat_map(|values| values.tables()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the words among them, or those of a list.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Words(words) => words(),
            Self::List(values) => values.words(),
            values => values.listed().to_vec(),
        }
    }

    /// Returns the values that can be listed.
    pub fn listed(self) -> &'static [&'static str] {
        match self {
            Self::Boolean => &["true", "false"],
            Self::OneOf(words) | Self::Range(_, _, words) => words,
            _ => &[],
        }
    }
}

impl Display for Values {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean => f.write_str("boolean"),
            Self::OneOf(words) => f.write_str(&words.join(", ")),
            Self::Words(words) => f.write_str(&words().join(", ")),
            Self::Range(least, most, words) => {
                write!(f, "{least} to {most}")?;
                words.iter().try_for_each(|word| write!(f, ", {word}"))
            }
            Self::Chance => f.write_str("0 to 1"),
            Self::Number => f.write_str("number"),
            Self::Text => f.write_str("text"),
            Self::Dice => f.write_str("dice or points"),
            Self::List(Self::Text) => f.write_str("list of names"),
            Self::List(Self::OneOf(_) | Self::Words(_)) => f.write_str("list of words"),
            Self::List(values) => write!(f, "list: {values}"),
            Self::Pair(values) => write!(f, "two: {values}"),
            Self::Named(_) | Self::Table(_) | Self::Free => f.write_str("table"),
            Self::Tables(_) => f.write_str("tables"),
            Self::Any(all) => all.iter().enumerate().try_for_each(|(index, values)| {
                let joint = if index > 0 { ", or " } else { "" };
                write!(f, "{joint}{values}")
            }),
        }
    }
}

/// Declares keys, one row each: the name, the systems that have it, the default, the values, and the meaning.
macro_rules! rows {
    ($($name:literal $systems:ident $default:literal $values:expr, $meaning:literal;)*) => {
        &[$($crate::document::format::KeyRow {
            name: $name,
            systems: $systems,
            values: $values,
            default: $default,
            meaning: $meaning,
        }),*]
    };
}

/// Declares kinds of tables: the static, its name, its meaning, the groups of keys that it shares with others, and its
/// own keys.
macro_rules! keys {
    ($(
        $(#[$about:meta])*
        $TABLE:ident $name:literal $meaning:literal $(with $($group:ident),+)? { $($rows:tt)* }
    )+) => {
        $(
            $(#[$about])*
            pub static $TABLE: $crate::document::format::Keys = $crate::document::format::Keys {
                name: $name,
                meaning: $meaning,
                groups: &[rows! { $($rows)* } $($(, $group)+)?],
            };
        )+
    };
}

pub(crate) use {keys, rows};
