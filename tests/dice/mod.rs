//! Dice: against an oracle that shares no code with the crate, against published tables, against
//! theory, against chance; and the command as a user types it.

mod as_in_fights;
mod command;
mod initiative_order;
mod oracle;
mod properties;
mod published;
mod statistics;
