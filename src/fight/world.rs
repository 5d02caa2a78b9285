//! What changes while a fight is fought.
