//! Dice: against an oracle that shares no code with the crate, against published tables, against
//! theory, against chance; and the command as a user types it.

mod as_in_fights;
mod command;
mod extended;
mod initiative_order;
mod notation;
mod oracle;
mod pool;
mod properties;
mod published;
mod rolls;
mod sources;
pub(crate) mod statistics;
mod totals;
mod written;
