//! Properties: no input makes the reader panic, and what is printed is read again.
