//! Plays a scenario for a page: all variants on the same dice, counted as a run counts them, and compared
//! with the first.

use super::{Compare, Context, Failure, Input, Played, Prepared, Question, Results, Source, Task};
use crate::output::html::timeline::choose::{self, Choice, choose};
use crate::output::html::{Chapter, room};
use crate::output::story::Story;
use crate::output::{Report, shell};
use crate::run::Player;
use crate::scenario::BASE;
use std::fmt::Write as _;

/// A scenario that is ready to be played for a page.
#[derive(Debug)]
pub struct Scene {
    run: Prepared,
    /// The variants against the first; none where there is only one.
    compare: Option<Prepared>,
    /// The beginning of the ids of its single encounters; none if they are not shown.
    prefix: Option<String>,
    /// The command that makes the page again.
    command: String,
}

impl Scene {
    /// Checks a run for a page.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn new(
        task: &Task,
        input: Input,
        prefix: Option<String>,
        command: String,
    ) -> Result<Self, Failure> {
        let run = task.prepare(vec![input])?;
        let compare = match (run.input().variants(), &task.question) {
            ([first, _, ..], Question::Run { variant }) => {
                let compare = Task {
                    question: Question::Compare(Compare {
                        baseline: first.name.clone(),
                        variant: variant.clone(),
                        metric: Vec::new(),
                    }),
                    ..task.clone()
                };
                Some(compare.prepare(run.inputs.clone())?)
            }
            _ => None,
        };
        Ok(Self {
            run,
            compare,
            prefix,
            command,
        })
    }

    /// The encounters of all fights together before the first look.
    #[must_use]
    pub fn expected(&self) -> u64 {
        let first = self.run.rule.looks().counts().next().unwrap_or_default();
        first.saturating_mul(self.run.fights() as u64)
    }

    /// Plays it and returns its chapter and the encounters that were played. Nothing if it was stopped
    /// before the first were finished.
    ///
    /// # Errors
    /// If the operating system refuses the threads.
    pub fn play(
        &self,
        context: &Context<'_, impl Source>,
    ) -> Result<Option<(Chapter, u64)>, Failure> {
        let played = self.fights().play_variants(context)?;
        Ok(self.chapter(played))
    }

    /// The task that is played for it: the comparison of its variants, or the run of its only one.
    #[must_use]
    pub fn fights(&self) -> &Prepared {
        self.compare.as_ref().unwrap_or(&self.run)
    }

    /// The run of its variants. Of solved fights it has the distributions of all metrics, and
    /// [`fights`](Self::fights) those of the metrics that are compared.
    #[must_use]
    pub fn run(&self) -> &Prepared {
        &self.run
    }

    /// Returns the results of the run, and of the comparison if there is one, of what
    /// [`fights`](Self::fights) or [`run`](Self::run) has played.
    #[must_use]
    pub fn results(&self, played: Played) -> (Results, Option<Results>) {
        let (Some(compare), Played::Compare(paired, ended)) = (&self.compare, &played) else {
            return (self.run.results_of_variants(played), None);
        };
        let tallies = paired.tallies.iter().cloned();
        let run = Played::of_run(self.run.input().variants(), tallies, |_| *ended);
        let compared = compare.results_of_variants(played);
        (self.run.results_of_variants(run), Some(compared))
    }

    /// Returns its chapter of what [`fights`](Self::fights) has played, and the encounters of all variants
    /// together. Nothing if none was finished.
    #[must_use]
    pub fn chapter(&self, played: Played) -> Option<(Chapter, u64)> {
        if played.is_empty() {
            return None;
        }
        let encounters = played.encounters();
        let (results, compared) = self.results(played);
        let mut chapter = results.chapter(&self.run, self.command.clone());
        if let (Some(compare), Some(compared)) = (&self.compare, compared) {
            chapter.comparisons = compared.chapter(compare, String::new()).comparisons;
        }
        if let (Some(prefix), super::Answer::Run(report)) = (&self.prefix, &results.answer) {
            self.show_encounters(prefix, &mut chapter, report);
        }
        Some((chapter, encounters))
    }

    /// Puts pictures of single encounters of the first variant into the room that is left.
    fn show_encounters(&self, prefix: &str, chapter: &mut Chapter, report: &Report) {
        let ([variant, ..], [played, ..]) = (self.run.input().variants(), &report.variants[..])
        else {
            return;
        };
        let player = Player::new(&variant.fight, &variant.rules, self.run.task.seed);
        let choices = choose(&played.tally, &variant.fight, &player);
        let fight = (&variant.fight, &variant.rules);
        let mut play = |choice: &Choice| {
            let mut story = Story::default();
            let record = player.show(choice.encounter, &mut story);
            (story, record)
        };
        let shown = choose::figures(prefix, fight, &choices, room(chapter), &mut play);
        chapter.encounters = shown.figures;
        let left_out = shown.left_out.into_iter().map(|choice| {
            let what = format!("{} ({})", choice.title, choice.why);
            (what, draws(report, &variant.name, choice.encounter))
        });
        chapter.left_out = left_out.collect();
    }
}

/// The command that draws an encounter of a variant.
fn draws(report: &Report, variant: &str, encounter: u64) -> String {
    let mut command = format!("{} --encounter {encounter}", report.replay);
    if variant != BASE {
        let _ = write!(command, " --variant {}", shell(variant));
    }
    command + &format!(" --format html -o encounter-{encounter}.html")
}
