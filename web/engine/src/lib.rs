//! The engine of the playground: skirmish as one WebAssembly module.
//!
//! A caller reserves space with [`request`] and writes a question there; [`answer`] returns the length of the answer at
//! [`reply`]. A question is a line of JSON and, after its line feed, bytes. An answer is a byte, 0 for done and 1 for
//! refused, and its content: JSON or the bytes of a file. A module answers one question at a time and keeps the
//! scenario that it read last.

use skirmish::playground::Engine;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The current question and answer, and the engine that keeps state between questions.
#[derive(Default)]
struct Desk {
    request: Vec<u8>,
    reply: Vec<u8>,
    engine: Engine,
}

/// An answer is never stopped from outside; the page ends the worker instead.
static NEVER: AtomicBool = AtomicBool::new(false);

static DESK: LazyLock<Mutex<Desk>> = LazyLock::new(Mutex::default);

fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves `length` bytes for a question, and returns their address.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) -> *mut u8 {
    let mut desk = desk();
    desk.request.clear();
    desk.request.resize(length, 0);
    desk.request.as_mut_ptr()
}

/// Answers the question, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let mut desk = desk();
    let Desk {
        request,
        reply,
        engine,
    } = &mut *desk;
    let (status, content) = match engine.answer(request, &NEVER) {
        Ok(content) => (0, content),
        Err(refusal) => (1, refusal.to_string().into_bytes()),
    };
    reply.clear();
    reply.push(status);
    reply.extend(content);
    reply.len()
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    desk().reply.as_ptr()
}
