//! Exact odds of a task: its rolls, its botches, its Paradox.

use super::solve::{States, Step, WillpowerPhase};
use super::{Extended, ExtendedError, Gathering, OnBotch};
use crate::dice::distribution::Distribution;
use crate::dice::weight::Weight;

/// The number of multiplications for following a task from roll to roll: about half a second.
const WORK: usize = 50_000_000;

/// The solver stops when the chance that a task is still unfinished falls below this; the remainder is
/// reported.
pub(super) const OVER: f64 = 1e-60;

/// The exact odds of a task of many rolls.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtendedOdds {
    /// The chance of being done, by the number of rolls (a part).
    pub done: Distribution,
    /// The chance of being ended by a botch, by the number of rolls (a part).
    pub ended: Distribution,
    /// The chance of being neither after the last roll that was followed; with a cap, of being too late.
    pub unfinished: f64,
    /// The last roll that was followed.
    pub followed: u32,
    /// The statistics that need no list of rolls.
    pub summary: Summary,
    /// The standard deviation of the number of rolls.
    pub sd_rolls: f64,
    /// The mean of the Willpower spent, in points.
    pub mean_willpower: f64,
    /// The Paradox gathered, if the task is magick (a part, if there may be more), and the chance of more.
    pub paradox: Option<(Distribution, f64)>,
}

/// The statistics of a task that need no list of rolls, as in the cell of a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The chance of being done: within the cap, or ever.
    pub success: f64,
    /// The chance of at least one botch before it is done (and within the cap).
    pub botch_first: f64,
    /// The mean number of rolls until it is over.
    pub mean_rolls: f64,
    /// The mean of the Paradox gathered, if the task is magick.
    pub mean_paradox: Option<f64>,
}

/// The result of one roll in every state.
pub(super) struct Rolled {
    /// The states after a roll without a botch.
    pub(super) next: States,
    /// The states after a botch, unless it ends the task.
    risen: States,
    pub(super) done: Weight,
    botched: Weight,
}

/// The result of following a task from roll to roll.
struct Course {
    done: Vec<(i64, Weight)>,
    ended: Vec<(i64, Weight)>,
    /// The expected number of botches.
    botched: Weight,
    left: Weight,
    followed: u32,
}

impl Extended {
    pub(super) fn no_states(&self) -> States {
        vec![vec![Weight::ZERO; self.required as usize]; self.levels.len()]
    }

    /// Returns the number of multiplications for one roll of all states.
    fn work_per_roll(&self) -> usize {
        let required = self.required as usize;
        self.levels.len() * required * (required + 5) / 2
    }

    /// Returns the level after a roll at `level` that adds nothing.
    fn above(&self, level: usize) -> usize {
        (level + 1).min(self.levels.len() - 1)
    }

    /// Makes one roll in every state.
    pub(super) fn roll_states(&self, states: &States, steps: &[Step], on_botch: OnBotch) -> Rolled {
        let required = self.required as usize;
        let mut rolled = Rolled {
            next: self.no_states(),
            risen: self.no_states(),
            done: Weight::ZERO,
            botched: Weight::ZERO,
        };
        for (level, (row, step)) in states.iter().zip(steps).enumerate() {
            let above = self.above(level);
            for (at, &weight) in row.iter().enumerate() {
                if weight.vanishes() {
                    continue;
                }
                rolled.done += weight * step.reach[required - at];
                let ahead = &mut rolled.next[level][at + 1..];
                for (slot, &chance) in ahead.iter_mut().zip(&step.advance[1..]) {
                    *slot += weight * chance;
                }
                rolled.next[above][at] += weight * step.fail;
                let botched = weight * step.botch;
                rolled.botched += botched;
                if let Some(at) = on_botch.keeps(at) {
                    rolled.risen[above][at] += botched;
                }
            }
        }
        rolled
    }

    /// Returns the greatest number of rolls that are followed one after the other.
    fn affordable(&self) -> u32 {
        (WORK / self.work_per_roll()) as u32
    }

    /// Follows the task from roll to roll.
    fn course(&self, opening: &WillpowerPhase, steps: &[Step], on_botch: OnBotch) -> Course {
        let affordable = self.affordable();
        let last = self.max_rolls.map_or(affordable, |cap| cap.min(affordable));
        let mut states = opening.states.clone();
        let mut course = Course {
            done: opening.done.clone(),
            ended: Vec::new(),
            botched: Weight::ZERO,
            left: opening.left(),
            followed: opening.rolls,
        };
        while course.followed < last && course.left.value() >= OVER {
            course.followed += 1;
            let roll = i64::from(course.followed);
            let rolled = self.roll_states(&states, steps, on_botch);
            course.done.push((roll, rolled.done));
            if on_botch == OnBotch::Ends {
                course.ended.push((roll, rolled.botched));
            }
            course.botched += rolled.botched;
            states = rolled.next;
            add(&mut states, &rolled.risen);
            course.left = states.iter().flatten().copied().sum();
        }
        course
    }

    /// Refuses a task with more capped rolls than were followed.
    fn check_followed(&self, course: &Course) -> Result<(), ExtendedError> {
        match self.max_rolls {
            Some(cap) if cap > course.followed && course.left.value() >= OVER => {
                Err(ExtendedError::Work(cap))
            }
            _ => Ok(()),
        }
    }

    /// Returns the exact odds.
    ///
    /// # Errors
    /// If botches must be counted over more capped rolls than can be followed.
    pub fn odds(&self) -> Result<ExtendedOdds, ExtendedError> {
        let steps = self.steps();
        let opening = self.opening();
        let course = self.course(&opening, &steps, self.on_botch);
        self.check_followed(&course)?;
        let capped = self.max_rolls.map(|_| &course);
        let figures = self.figures(&opening, &steps, capped);
        let done = Distribution::collect(&course.done);
        let ended = Distribution::collect(&course.ended);
        let mut rolls = done.with(&ended);
        let sd_rolls = if self.max_rolls.is_some() {
            // A task that runs out of rolls has made all of them.
            let late = Distribution::collect(&[(i64::from(course.followed), course.left)]);
            rolls = rolls.with(&late);
            rolls.sd()
        } else {
            let totals = self.totals(&steps, self.on_botch, |_, _| Weight::ONE);
            let later = opening.total(&totals);
            let mean = opening.made + later;
            let squares = self.total(&opening, &steps, self.on_botch, |level, at| {
                totals[level][at] + totals[level][at] - Weight::ONE
            });
            // The second moment of N + T, for N rolls with Willpower and T later ones.
            let before = Weight::from(f64::from(opening.rolls));
            let early = opening.done.iter().map(|&(roll, weight)| {
                let roll = Weight::from(roll as f64);
                weight * roll * roll
            });
            let second = early.sum::<Weight>()
                + opening.left() * before * before
                + (later + later) * before
                + squares;
            (second - mean * mean).sqrt()
        };
        let paradox = match self.paradox {
            None => None,
            Some(Gathering { each: 0, once }) => {
                let (botches, beyond) = self.botches(&opening, &steps)?;
                Some(if once {
                    let [_, some, ..] = figures;
                    let terms = [(0, botches.weight(0)), (1, some)];
                    (Distribution::collect(&terms), 0.0)
                } else {
                    (botches, beyond.value())
                })
            }
            Some(Gathering { each, once: true }) => Some((Distribution::certain(each.into()), 0.0)),
            Some(Gathering { each, once: false }) => {
                let beyond = self.max_rolls.map_or(course.left.value(), |_| 0.0);
                Some((rolls.map(|rolls| rolls * i64::from(each)), beyond))
            }
        };
        Ok(ExtendedOdds {
            done,
            ended,
            unfinished: course.left.value(),
            followed: course.followed,
            summary: self.summarized(figures),
            sd_rolls,
            mean_willpower: opening.made.value(),
            paradox,
        })
    }

    /// Returns the statistics of [`odds`](Self::odds) that need no list of rolls. Without a cap on the rolls, this
    /// costs no more than four rolls.
    ///
    /// # Errors
    /// If more capped rolls would be needed than can be followed.
    pub fn summary(&self) -> Result<Summary, ExtendedError> {
        let steps = self.steps();
        let opening = self.opening();
        let course = self
            .max_rolls
            .map(|_| self.course(&opening, &steps, self.on_botch));
        if let Some(course) = &course {
            self.check_followed(course)?;
        }
        Ok(self.summarized(self.figures(&opening, &steps, course.as_ref())))
    }

    /// Returns the chances of being done and of a botch before that, and the mean numbers of rolls and of botches.
    /// `course` is the course of a task with a cap.
    fn figures(
        &self,
        opening: &WillpowerPhase,
        steps: &[Step],
        course: Option<&Course>,
    ) -> [Weight; 4] {
        let Some(course) = course else {
            let botch = |level: usize, _| steps[level].botch;
            let success = if self.on_botch == OnBotch::Ends {
                let required = self.required as usize;
                let reach = |level: usize, at: usize| steps[level].reach[required - at];
                opening.done() + self.total(opening, steps, OnBotch::Ends, reach)
            } else {
                Weight::ONE
            };
            let later = self.total(opening, steps, self.on_botch, |_, _| Weight::ONE);
            return [
                success,
                self.total(opening, steps, OnBotch::Ends, botch),
                opening.made + later,
                self.total(opening, steps, self.on_botch, botch),
            ];
        };
        let botch_first = if self.on_botch == OnBotch::Ends {
            course.botched
        } else {
            self.course(opening, steps, OnBotch::Ends).botched
        };
        let over = course.done.iter().chain(&course.ended);
        let made: Weight = over
            .map(|&(roll, weight)| weight * Weight::from(roll as f64))
            .sum();
        [
            course.done.iter().map(|term| term.1).sum(),
            botch_first,
            made + course.left * Weight::from(f64::from(course.followed)),
            course.botched,
        ]
    }

    fn summarized(&self, [success, botch_first, mean_rolls, botches]: [Weight; 4]) -> Summary {
        let mean_paradox = self.paradox.map(|gathering| match gathering {
            Gathering { each: 0, once } => if once { botch_first } else { botches }.value(),
            Gathering { each, once: true } => f64::from(each),
            Gathering { each, once: false } => (mean_rolls * Weight::from(f64::from(each))).value(),
        });
        Summary {
            success: success.value(),
            botch_first: botch_first.value(),
            mean_rolls: mean_rolls.value(),
            mean_paradox,
        }
    }

    /// Returns the distribution of the number of botches until the task is over, and the weight of numbers that it does
    /// not list.
    fn botches(
        &self,
        opening: &WillpowerPhase,
        steps: &[Step],
    ) -> Result<(Distribution, Weight), ExtendedError> {
        match self.max_rolls {
            Some(cap) => self.capped_botches(opening, steps, cap),
            None => Ok(self.all_botches(opening, steps)),
        }
    }

    /// Returns the botches of a task without a cap. Between two botches a task only moves forward, so one pass over its
    /// states gives the states at the next botch, whatever the number of rolls.
    fn all_botches(&self, opening: &WillpowerPhase, steps: &[Step]) -> (Distribution, Weight) {
        let required = self.required as usize;
        let top = steps.len() - 1;
        let affordable = i64::from(self.affordable());
        let mut entering = opening.states.clone();
        let mut over = vec![(0, opening.done())];
        let mut left = opening.left();
        let mut botches = 0;
        while botches < affordable && left.value() >= OVER {
            let mut states = std::mem::replace(&mut entering, self.no_states());
            let (mut done, mut botched) = (Weight::ZERO, Weight::ZERO);
            for level in 0..=top {
                let step = &steps[level];
                let above = self.above(level);
                for at in 0..required {
                    let mut visits = states[level][at];
                    if visits.vanishes() {
                        continue;
                    }
                    if level == top {
                        visits = visits / (step.reach[1] + step.botch);
                    } else {
                        states[above][at] += visits * step.fail;
                    }
                    done += visits * step.reach[required - at];
                    let ahead = &mut states[level][at + 1..];
                    for (slot, &chance) in ahead.iter_mut().zip(&step.advance[1..]) {
                        *slot += visits * chance;
                    }
                    let weight = visits * step.botch;
                    botched += weight;
                    if let Some(at) = self.on_botch.keeps(at) {
                        entering[above][at] += weight;
                    }
                }
            }
            over.push((botches, done));
            botches += 1;
            left = botched;
            if self.on_botch == OnBotch::Ends {
                over.push((botches, botched));
                left = Weight::ZERO;
            }
        }
        (Distribution::collect(&over), left)
    }

    /// Returns the botches of a task with a cap, for which rolls and botches are followed together.
    fn capped_botches(
        &self,
        opening: &WillpowerPhase,
        steps: &[Step],
        cap: u32,
    ) -> Result<(Distribution, Weight), ExtendedError> {
        let layers = cap as usize + 1;
        let work = self.work_per_roll().saturating_mul(layers * layers / 2);
        if work > WORK && self.on_botch != OnBotch::Ends {
            return Err(ExtendedError::Work(cap));
        }
        // `states[b]` holds the states after `b` botches. Botched weight moves up one layer.
        let mut states = vec![opening.states.clone()];
        let mut over = vec![(0, opening.done())];
        for _ in opening.rolls..cap {
            let mut next: Vec<States> = Vec::with_capacity(states.len() + 1);
            let mut risen = self.no_states();
            for (botches, layer) in (0_i64..).zip(&states) {
                let mut rolled = self.roll_states(layer, steps, self.on_botch);
                over.push((botches, rolled.done));
                if self.on_botch == OnBotch::Ends {
                    over.push((botches + 1, rolled.botched));
                }
                add(&mut rolled.next, &risen);
                risen = rolled.risen;
                next.push(rolled.next);
            }
            if self.on_botch != OnBotch::Ends {
                next.push(risen);
            }
            states = next;
        }
        for (botches, layer) in (0_i64..).zip(&states) {
            over.push((botches, layer.iter().flatten().copied().sum()));
        }
        Ok((Distribution::collect(&over), Weight::ZERO))
    }
}

/// Adds weights to the states.
fn add(states: &mut States, more: &States) {
    for (slot, &weight) in states.iter_mut().flatten().zip(more.iter().flatten()) {
        *slot += weight;
    }
}
