//! A row for every encounter, in the order of their numbers, while threads play them in any order.
//!
//! [`WithRows`] plays as another player does and writes each encounter of a batch as text. An [`InOrder`] takes the
//! batches from all threads and writes them one after the other. The output therefore depends neither on threads nor on
//! batches.

use super::runner::Play;
use crate::sim::Record;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most bytes of finished batches that wait for an earlier batch. A thread whose batch has no room waits until the
/// earlier batch is written.
const WAITING: usize = 32 << 20;

/// Writes an encounter as text.
pub trait Row: Sync {
    /// Appends the row of an encounter to `out`. `values` is a buffer that the thread reuses.
    fn write(
        &self,
        encounter: u64,
        record: &Record,
        values: &mut Vec<Option<u32>>,
        out: &mut Vec<u8>,
    );
}

/// Batches of text, written in order.
#[derive(Debug)]
pub struct InOrder<W> {
    queue: Mutex<Queue<W>>,
    /// Notified whenever there is room again.
    room: Condvar,
    /// Set when writing has failed. Nothing more is written then.
    failed: AtomicBool,
    most_waiting: usize,
}

#[derive(Debug)]
struct Queue<W> {
    out: W,
    /// The encounter that is written next.
    next: u64,
    /// The batches that are finished before their turn, by their first encounters. Each value is the end of the batch's
    /// range, exclusive, and its text.
    waiting: BTreeMap<u64, (u64, Vec<u8>)>,
    waiting_bytes: usize,
    rows: u64,
    error: Option<io::Error>,
}

impl<W: Write> InOrder<W> {
    /// Creates a queue that writes to `out`, from encounter 0 on.
    pub fn new(out: W) -> Self {
        Self::with_room(out, WAITING)
    }

    /// Creates a queue with room for `most_waiting` bytes of waiting batches.
    pub fn with_room(out: W, most_waiting: usize) -> Self {
        Self {
            queue: Mutex::new(Queue {
                out,
                next: 0,
                waiting: BTreeMap::new(),
                waiting_bytes: 0,
                rows: 0,
                error: None,
            }),
            room: Condvar::new(),
            failed: AtomicBool::new(false),
            most_waiting,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<W>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins with encounter 0 of another fight. All batches of the last fight must have been written.
    pub fn begin(&self) {
        self.lock().next = 0;
    }

    /// Writes text that belongs to no encounter, such as the column names.
    pub fn head(&self, text: &[u8]) {
        let mut queue = self.lock();
        queue.write(text);
        self.note(&queue);
    }

    /// Takes the text of a batch and leaves an empty buffer.
    ///
    /// The text is written at once if its batch is next. Otherwise the queue keeps it, if there is room, or the thread
    /// waits. The batch that is next never waits, so some thread always makes progress.
    pub fn put(&self, encounters: Range<u64>, text: &mut Vec<u8>) {
        let mut queue = self.lock();
        while queue.next != encounters.start
            && queue.waiting_bytes > 0
            && queue.waiting_bytes + text.len() > self.most_waiting
            && !self.has_failed()
        {
            queue = self
                .room
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if self.has_failed() {
            text.clear();
            return;
        }
        if queue.next == encounters.start {
            queue.take(&encounters, text);
            text.clear();
            while let Some((end, text)) = queue.take_next() {
                queue.waiting_bytes -= text.len();
                let encounters = queue.next..end;
                queue.take(&encounters, &text);
            }
            self.note(&queue);
            drop(queue);
            self.room.notify_all();
        } else {
            queue.waiting_bytes += text.len();
            let kept = (encounters.end, std::mem::take(text));
            queue.waiting.insert(encounters.start, kept);
        }
    }

    fn note(&self, queue: &Queue<W>) {
        if queue.error.is_some() {
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    /// Gives up: nothing more is written, and no thread waits any longer.
    fn give_up(&self) {
        self.failed.store(true, Ordering::Relaxed);
        // A thread that is about to wait holds the lock until it waits, so that it does not miss the notification.
        drop(self.lock());
        self.room.notify_all();
    }

    /// Returns whether writing has failed. Then nothing more is written.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Returns the error of a failed write, once.
    pub fn take_error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// Returns the writer and the number of encounters written.
    pub fn finish(self) -> (W, u64) {
        let queue = self.queue.into_inner();
        let queue = queue.unwrap_or_else(PoisonError::into_inner);
        (queue.out, queue.rows)
    }
}

impl<W: Write> Queue<W> {
    fn take(&mut self, encounters: &Range<u64>, text: &[u8]) {
        self.write(text);
        self.rows += encounters.end - encounters.start;
        self.next = encounters.end;
    }

    fn take_next(&mut self) -> Option<(u64, Vec<u8>)> {
        let next = self.next;
        self.waiting.remove(&next)
    }

    fn write(&mut self, text: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(text).err();
        }
    }
}

/// Plays as `play` does, and writes a row for each encounter if rows are wanted.
#[derive(Debug)]
pub struct WithRows<'a, P, R, W> {
    play: P,
    rows: Option<(R, &'a InOrder<W>)>,
}

impl<'a, P, R, W> WithRows<'a, P, R, W> {
    /// Creates a player with or without rows.
    pub fn new(play: P, rows: Option<(R, &'a InOrder<W>)>) -> Self {
        Self { play, rows }
    }
}

/// Gives up the queue when it is dropped in the middle of a batch, so that other threads do not wait forever. A thread
/// ends there only by a panic.
struct GiveUpOnPanic<'a, W: Write>(Option<&'a InOrder<W>>);

impl<W: Write> Drop for GiveUpOnPanic<'_, W> {
    fn drop(&mut self) {
        if let Some(queue) = self.0 {
            queue.give_up();
        }
    }
}

impl<P: Play, R: Row, W: Write + Send> Play for WithRows<'_, P, R, W> {
    /// The state of the player, the rows of a batch, and a buffer for the values of a row.
    type State = (P::State, Vec<u8>, Vec<Option<u32>>);

    fn state(&self) -> Self::State {
        (self.play.state(), Vec::new(), Vec::new())
    }

    /// Plays without a row, because rows are written by batches.
    fn play(&self, (state, ..): &mut Self::State, encounter: u64, record: &mut Record) {
        self.play.play(state, encounter, record);
    }

    fn play_all(
        &self,
        (state, text, values): &mut Self::State,
        encounters: Range<u64>,
        record: &mut Record,
        mut each: impl FnMut(u64, &Record),
    ) {
        let Some((row, queue)) = &self.rows else {
            self.play.play_all(state, encounters, record, each);
            return;
        };
        let mut midway = GiveUpOnPanic(Some(*queue));
        text.clear();
        let write = |encounter, record: &Record| {
            row.write(encounter, record, values, text);
            each(encounter, record);
        };
        self.play.play_all(state, encounters.clone(), record, write);
        queue.put(encounters, text);
        midway.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    fn text(range: Range<u64>) -> Vec<u8> {
        range.flat_map(|n| format!("{n}\n").into_bytes()).collect()
    }

    #[test]
    fn batches_are_written_in_order_whatever_the_order_in_which_they_come() {
        let queue = InOrder::new(Vec::new());
        for range in [4..6, 2..4, 9..10, 0..2, 6..9] {
            queue.put(range.clone(), &mut text(range));
        }
        assert_eq!(queue.finish(), (text(0..10), 10));
    }

    #[test]
    fn who_is_early_waits_for_room_and_the_next_one_never_does() {
        let queue = InOrder::with_room(Vec::new(), 4);
        queue.put(2..4, &mut text(2..4));
        thread::scope(|threads| {
            threads.spawn(|| queue.put(4..6, &mut text(4..6)));
            while !queue.lock().waiting.contains_key(&2) {
                thread::yield_now();
            }
            // However long the others wait, the queue keeps nothing beyond its room.
            thread::sleep(Duration::from_millis(20));
            assert_eq!(queue.lock().waiting_bytes, 4);
            queue.put(0..2, &mut text(0..2));
        });
        assert_eq!(queue.finish(), (text(0..6), 6));
    }

    /// A writer to a full disk.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_told_and_lets_everybody_go_on() {
        let queue = InOrder::with_room(Full, 4);
        queue.put(2..4, &mut text(2..4));
        thread::scope(|threads| {
            threads.spawn(|| queue.put(4..6, &mut text(4..6)));
            queue.put(0..2, &mut text(0..2));
        });
        assert!(queue.has_failed());
        let error = queue.take_error().map(|error| error.kind());
        assert_eq!(error, Some(io::ErrorKind::StorageFull));
    }

    #[test]
    fn a_thread_that_ends_midway_lets_everybody_go_on() {
        let queue = InOrder::with_room(Vec::new(), 4);
        queue.put(2..4, &mut text(2..4));
        thread::scope(|threads| {
            threads.spawn(|| queue.put(4..6, &mut text(4..6)));
            drop(GiveUpOnPanic(Some(&queue)));
        });
        assert!(queue.has_failed());
    }
}
