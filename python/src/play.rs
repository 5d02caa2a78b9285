//! Plays without the interpreter's lock, on a thread of its own. The calling thread looks for Ctrl-C and shows progress.

use crate::arguments::Given;
use crate::errors::{Error, raised, warn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use skirmish::task::{Context, Failure, Files, Watch};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The time between two looks.
const TICK: Duration = Duration::from_millis(50);

/// The progress of a task.
#[derive(Default)]
struct Meter {
    label: Mutex<String>,
    played: AtomicU64,
    expected: AtomicU64,
    warnings: Mutex<Vec<String>>,
}

impl Meter {
    fn relabel(&self, label: String) {
        *locked(&self.label) = label;
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch for Meter {
    fn begin(&self, label: &str, encounters: u64, played: u64, _: bool) {
        self.relabel(label.to_owned());
        self.played.store(played, Ordering::Relaxed);
        self.length(encounters);
    }

    fn length(&self, encounters: u64) {
        self.expected.store(encounters, Ordering::Relaxed);
    }

    fn fight(&self, variant: &str, _: &str, _: u64, _: u64) {
        self.relabel(variant.to_owned());
    }

    fn tick(&self, encounters: u64, _: &[u64]) {
        self.played.fetch_add(encounters, Ordering::Relaxed);
    }

    fn solving(&self, variant: &str, states: u64, round: u32, undecided: f64) {
        self.relabel(format!(
            "{variant}: {states} situations, {undecided:.1e} undecided in Round {round}"
        ));
    }

    fn warn(&self, message: &str) {
        locked(&self.warnings).push(message.to_owned());
    }
}

/// Where progress is shown.
enum Display {
    Nowhere,
    /// As a line on standard error.
    Line,
    /// By a function of label, played and expected encounters.
    Callback(Py<PyAny>),
}

impl Display {
    fn new(progress: Given<'_>) -> PyResult<Self> {
        Ok(match progress {
            Some(given) if given.is_instance_of::<PyBool>() && given.extract()? => Self::Line,
            Some(given) if given.is_callable() => Self::Callback(given.unbind()),
            _ => Self::Nowhere,
        })
    }

    fn show(&self, py: Python<'_>, meter: &Meter, end: &str) -> PyResult<()> {
        let label = locked(&meter.label).clone();
        let [played, expected] =
            [&meter.played, &meter.expected].map(|count| count.load(Ordering::Relaxed));
        match self {
            Self::Nowhere => {}
            Self::Line => {
                let text = match played.saturating_mul(100).checked_div(expected) {
                    Some(share) => format!("{label}: {share}% of {expected} encounters"),
                    None => label,
                };
                let stderr = py.import("sys")?.getattr("stderr")?;
                stderr.call_method1("write", (format!("\r{text:<79}{end}"),))?;
                stderr.call_method0("flush")?;
            }
            Self::Callback(function) => {
                function.call1(py, (label, played, expected))?;
            }
        }
        Ok(())
    }
}

/// Plays. A signal, or an exception of the function that shows progress, stops the play and is raised.
pub(crate) fn during<T: Send>(
    py: Python<'_>,
    [threads, progress]: [Given<'_>; 2],
    play: impl FnOnce(&Context<'_, Files>) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let display = Display::new(progress)?;
    let (meter, stop) = (Meter::default(), AtomicBool::new(false));
    let mut context = Context {
        stop: &stop,
        watch: &meter,
        ..Context::new(&Files)
    };
    context.threads = match threads {
        None => thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        Some(count) => {
            let count = count.extract::<NonZeroUsize>().ok();
            count.filter(|count| count.get() <= 1024).ok_or_else(|| {
                Error::new_err("threads: write 1 to 1024, or leave it out to use all")
            })?
        }
    };
    let look = |end| {
        Python::attach(|py| {
            py.check_signals()?;
            display.show(py, &meter, end)
        })
    };
    let played = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let context = &context;
            scope.spawn(move || sender.send(play(context)));
            let mut looked = Ok(());
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(played) => return looked.map(|()| played),
                    Err(RecvTimeoutError::Timeout) if looked.is_ok() => {
                        looked = look("");
                        stop.store(looked.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return looked.and(Err(PyRuntimeError::new_err("an internal error")));
                    }
                }
            }
        })
    })?;
    look("\n")?;
    for message in locked(&meter.warnings).iter() {
        warn(py, message)?;
    }
    raised(py, played)
}
