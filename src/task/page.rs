//! Plays a scenario for a page: all variants on the same dice, tallied as in a run, and compared with the first.

use super::{Compare, Context, Failure, Input, Played, Prepared, Question, Results, Source, Task};
use crate::output::RunReport;
use crate::output::html::timeline::choose::{self, Choice, choose};
use crate::output::html::{Chapter, room};
use crate::output::story::Story;
use crate::run::{Ended, Player};
use crate::tally::Tally;

/// A scenario that is ready to be played for a page.
#[derive(Debug)]
pub struct Scene {
    run: Prepared,
    /// The comparison with the first variant; `None` if there is only one variant.
    compare: Option<Prepared>,
    /// The prefix of the ids of pictures of single encounters; `None` if no pictures are shown.
    prefix: Option<String>,
    /// The command that makes the page again.
    command: String,
}

impl Scene {
    /// Prepares a run for a page.
    ///
    /// # Errors
    /// If the run cannot be played.
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

    /// Returns the number of encounters of all fights together up to the first look.
    pub fn expected(&self) -> u64 {
        let first = self
            .run
            .task
            .until
            .looks()
            .counts()
            .next()
            .unwrap_or_default();
        first.saturating_mul(self.run.fights() as u64)
    }

    /// Plays the scenario and returns its chapter and the number of encounters played. Returns `None` if the
    /// play was interrupted before any were finished.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or a fight is too large to be solved.
    pub fn play(
        &self,
        context: &Context<'_, impl Source>,
    ) -> Result<Option<(Chapter, u64)>, Failure> {
        let played = self.fights().play_variants(context)?;
        Ok(self.chapter(played))
    }

    /// Returns the task to play for the page: the comparison of the variants, or the run of a single variant.
    pub fn fights(&self) -> &Prepared {
        self.compare.as_ref().unwrap_or(&self.run)
    }

    /// Returns the run of the variants. The solution of this run has the distributions of all metrics; the
    /// solution of [`fights`](Self::fights) has only those of the compared metrics.
    pub fn run(&self) -> &Prepared {
        &self.run
    }

    /// Returns the results of the run, and of the comparison if there is one, from what
    /// [`fights`](Self::fights) or [`run`](Self::run) has played.
    pub fn results(&self, played: Played) -> (Results, Option<Results>) {
        let (Some(compare), Played::Compare(paired, ended)) = (&self.compare, &played) else {
            return (self.run.results(played), None);
        };
        let tallies = paired.counts.iter().cloned();
        let ended = |tally: &Tally| tally.solution().map_or(*ended, |_| Ended::Enough);
        let run = Played::of_run(self.run.input().variants(), tallies, ended);
        let compared = compare.results(played);
        (self.run.results(run), Some(compared))
    }

    /// Returns the chapter from what [`fights`](Self::fights) has played, and the number of encounters of all
    /// variants together. Returns `None` if no encounters were finished.
    pub fn chapter(&self, played: Played) -> Option<(Chapter, u64)> {
        if played.is_empty() {
            return None;
        }
        let encounters = played.encounters();
        let (results, compared) = self.results(played);
        let mut chapter = results.chapter(&self.run, self.command.clone());
        if let (Some(compare), Some(compared)) = (&self.compare, compared) {
            chapter.parts = compared.chapter(compare, String::new()).parts;
        }
        if let (Some(prefix), super::Answer::Run(report)) = (&self.prefix, &results.answer) {
            self.show_encounters(prefix, &mut chapter, report);
        }
        Some((chapter, encounters))
    }

    /// Adds pictures of single encounters of the first variant, as far as the page's budget allows.
    fn show_encounters(&self, prefix: &str, chapter: &mut Chapter, report: &RunReport) {
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

/// Returns the command that draws an encounter of a variant.
fn draws(report: &RunReport, variant: &str, encounter: u64) -> String {
    let command = report.replay_of(variant, encounter);
    format!("{command} --format html -o encounter-{encounter}.html")
}
