//! Questions as plain data, and their answers.
//!
//! A [`Task`] contains everything that decides the bytes of a command's results. The command line builds one
//! from its arguments; plans, checkpoints and manifests store it. Together
//! with its scenarios ([`Input`]) a task is checked once and becomes [`Prepared`]. Playing that in a
//! [`Context`] gives [`Results`]: a typed answer and its manifest.
//!
//! This module prints nothing and does not depend on the command line.

mod answer;
mod best;
mod changes;
pub mod check;
mod checkpoint;
mod compare;
mod context;
mod each;
mod exit;
mod family;
mod files;
mod folder;
mod matchup;
mod notes;
mod page;
mod parts;
mod place;
mod plan_folder;
mod prepared;
pub mod reproduce;
pub mod run;
pub mod shard;
mod solve;
mod subjects;
mod sweep;
mod threshold;
mod tune;

pub use crate::names::folder_of;
pub use crate::question::{
    Check, Command, Compare, Decided, ENCOUNTERS, Measure, NarrowEnough, PRECISION, Question, SEED,
    Task, Tune, Until, summed_up, usual_end, usual_metrics,
};
pub use answer::{Answer, Results};
pub use checkpoint::Checkpoint;
pub use context::{Context, Files, Input, Source, Text, Watch};
pub use each::{EachFile, check_each};
pub use exit::{Exit, Failure};
pub use files::{other_sweeps, result_files, results_folder};
pub use page::Scene;
pub use place::{Destination, check_apart, check_no_folder, follow, made_by, write_file};
pub use plan_folder::{Folder, PLAN, Survey, ranges};
pub use prepared::{Played, Prepared};
pub use tune::{Resumed, WITHIN, replace_text};
