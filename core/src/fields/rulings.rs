//! The options of `[rules]`: one row for each makes the field, its default, its reader, and the description of it.

/// Declares the options of `[rules]` that a system has, one row each: the field, the key, the [`kind`] with its default,
/// and the meaning with the rule's id. Behind `and` stand key and meaning of the damage of a setback. Fields that are
/// no options of `[rules]` come last.
macro_rules! rulings {
    (
        $(#[$about:meta])*
        pub struct $Rules:ident {
            $($field:ident $key:literal $kind:tt $meaning:literal $(and $damage:literal $harm:literal)?;)+
        }
        $($(#[$more_about:meta])* pub $more:ident: $Type:ty = $default:expr;)*
    ) => {
        $(#[$about])*
        pub struct $Rules {
            $(#[doc = concat!("`", $key, "`: ", $meaning)] pub $field: kind!(type $kind),)+
            $($(#[$more_about])* pub $more: $Type,)*
        }

        impl Default for $Rules {
            fn default() -> Self {
                Self { $($field: kind!(default $kind),)+ $($more: $default,)* }
            }
        }

        impl $Rules {
            /// Its options of `[rules]`, without those that all systems have.
            pub(super) const RULINGS: &[KeyRow] = &[$(
                KeyRow::ruling($key, kind!(shown $kind), $meaning),
                $(KeyRow::ruling($damage, (Values::Dice, "none"), $harm),)?
            )+];

            /// Reads the options that the file has.
            pub(super) fn read_rows(&mut self, rules: &mut $crate::document::reader::Reader<'_>) {
                $(
                    if let Some((table, key)) = rules.at($key)
                        && let Some(value) = kind!(read $kind table key $($damage)?)
                    {
                        self.$field = value;
                    }
                )+
            }
        }
    };
}

/// What a kind of ruling has: the type of its field, its default, its values with its default as `skirmish explain` shows
/// them, and its reader. A kind is a truth value; two words, the second of which is true; a variant of an enum of names; a
/// number and its range; what initiative has on every clock; a setback, which may do damage; or a reader of its own.
macro_rules! kind {
    (type (bool $default:literal)) => { bool };
    (default (bool $default:literal)) => { $default };
    (shown (bool $default:literal)) => { (Values::Boolean, stringify!($default)) };
    (read (bool $default:literal) $table:ident $key:ident) => { $table.boolean($key) };

    (type [$usual:literal, $other:literal]) => { bool };
    (default [$usual:literal, $other:literal]) => { false };
    (shown [$usual:literal, $other:literal]) => { (Values::OneOf(&[$usual, $other]), $usual) };
    (read [$usual:literal, $other:literal] $table:ident $key:ident) => {
        $table.choice($key, &[($usual, false), ($other, true)])
    };

    (type ($Type:ident :: $Default:ident)) => { $Type };
    (default ($Type:ident :: $Default:ident)) => { $Type::$Default };
    (shown ($Type:ident :: $Default:ident)) => {
        (Values::OneOf($Type::NAMES), $Type::$Default.name())
    };
    (read ($Type:ident :: $Default:ident) $table:ident $key:ident) => { $table.choice($key, $Type::ALL) };

    (type ($number:ident $default:literal from $least:literal to $most:expr)) => { $number };
    (default ($number:ident $default:literal from $least:literal to $most:expr)) => { $default };
    (shown ($number:ident $default:literal from $least:literal to $most:expr)) => {
        (Values::Range($least, $most as i64, &[]), stringify!($default))
    };
    (read ($number:ident $default:literal from $least:literal to $most:expr) $table:ident $key:ident) => {
        $table.within($key, $least..=i64::from($most)).map(|number| number as $number)
    };

    (type (dice)) => { $crate::fight::health::Roll };
    (default (dice)) => { $crate::fight::health::Roll::die(10) };
    (shown (dice)) => { (Values::Dice, "1d10") };
    (read (dice) $table:ident $key:ident) => { $crate::fields::initiative::dice($table, $key) };

    (type (ties of $SYSTEM:ident $default:expr)) => { $crate::fight::initiative::Ties };
    (default (ties of $SYSTEM:ident $default:expr)) => { $default };
    (shown (ties of $SYSTEM:ident $default:expr)) => {
        (Values::List(&Values::Words(|| $SYSTEM.ties.names())), "rule book's")
    };
    (read (ties of $SYSTEM:ident $default:expr) $table:ident $key:ident) => {
        $crate::fields::initiative::ties($table, $key, &$SYSTEM.ties)
    };

    (type (share)) => { Vec<u64> };
    (default (share)) => { Vec::new() };
    (shown (share)) => { (Values::List(&Values::Text), "none") };
    // It is read when all combatants are known.
    (read (share) $table:ident $key:ident) => { $table.entry($key).and(None) };

    (type (setback $nothing:literal)) => { $crate::fight::health::Setback };
    (default (setback $nothing:literal)) => { $crate::fight::health::Setback::Nothing };
    (shown (setback $nothing:literal)) => {
        (Values::OneOf(&[$nothing, "lose-turn", "damage"]), $nothing)
    };
    (read (setback $nothing:literal) $table:ident $key:ident $damage:literal) => {
        Some($crate::fields::setback($table, ($key, $nothing), $damage))
    };

    (type ($Type:ty = $default:expr, $values:expr, $shown:literal, $read:expr)) => { $Type };
    (default ($Type:ty = $default:expr, $values:expr, $shown:literal, $read:expr)) => { $default };
    (shown ($Type:ty = $default:expr, $values:expr, $shown:literal, $read:expr)) => { ($values, $shown) };
    (read ($Type:ty = $default:expr, $values:expr, $shown:literal, $read:expr) $table:ident $key:ident) => {
        $read($table, $key)
    };
}

pub(crate) use crate::document::format::{KeyRow, Values};
pub(crate) use {kind, rulings};
