//! Solving a task: its rolls, its botches, its Paradox.

use super::solve::{Step, Totals};
use super::{Extended, ExtendedError, Gathering, OnBotch};
use crate::dice::distribution::Distribution;
use crate::dice::weight::Weight;

/// Multiplications spent on following a task from roll to roll: about half a second.
const WORK: usize = 50_000_000;

/// A task that is still going on with less than this chance is followed no further; what is left
/// is told.
const OVER: f64 = 1e-60;

/// The exact odds of a task of many rolls.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtendedOdds {
    /// Being done, by the number of rolls (a part).
    pub done: Distribution,
    /// Having been ended by a botch, by the number of rolls (a part).
    pub ended: Distribution,
    /// Being neither after the last roll that was followed: with a cap, being too late.
    pub unfinished: f64,
    /// The last roll that was followed.
    pub followed: u32,
    /// The chance of being done: within the cap, or ever.
    pub success: f64,
    /// The chance of at least one botch before it is done (and within the cap).
    pub botch_first: f64,
    /// The mean number of rolls until it is over.
    pub mean_rolls: f64,
    /// Their standard deviation.
    pub sd_rolls: f64,
    /// The Paradox gathered, if it is magick.
    pub paradox: Option<ParadoxOdds>,
}

/// The exact odds of the Paradox gathered.
#[derive(Debug, Clone, PartialEq)]
pub struct ParadoxOdds {
    /// The Paradox gathered (a part, if `beyond` is more than nothing).
    pub distribution: Distribution,
    /// The chance of more than the distribution lists.
    pub beyond: f64,
    /// The mean.
    pub mean: f64,
}

/// Where a task stands: the weight of `[level][gathered]`.
type States = Vec<Vec<Weight>>;

/// What one roll for all states came to.
struct Rolled {
    next: States,
    done: Weight,
    botched: Weight,
    left: Weight,
}

/// A run over the rolls.
struct Course {
    done: Vec<(i64, Weight)>,
    ended: Vec<(i64, Weight)>,
    left: Weight,
    followed: u32,
}

impl Extended {
    fn start(&self) -> States {
        let mut states = vec![vec![Weight::ZERO; self.required as usize]; self.levels.len()];
        states[0][0] = Weight::ONE;
        states
    }

    /// Multiplications that one roll of all states takes.
    fn work_per_roll(&self) -> usize {
        let required = self.required as usize;
        self.levels.len() * required * (required + 5) / 2
    }

    /// Where a roll that adds nothing leads.
    fn above(&self, level: usize) -> usize {
        (level + 1).min(self.levels.len() - 1)
    }

    /// One roll; botched weight goes where `on_botch` says, or out.
    fn roll_states(&self, states: &States, steps: &[Step], on_botch: OnBotch) -> Rolled {
        let required = self.required as usize;
        let mut rolled = Rolled {
            next: vec![vec![Weight::ZERO; required]; steps.len()],
            done: Weight::ZERO,
            botched: Weight::ZERO,
            left: Weight::ZERO,
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
                match on_botch {
                    OnBotch::Ends => {}
                    OnBotch::LosesAll => rolled.next[above][0] += botched,
                    OnBotch::Continues => rolled.next[above][at] += botched,
                }
            }
        }
        rolled.left = rolled.next.iter().flatten().copied().sum();
        rolled
    }

    fn course(&self, steps: &[Step], on_botch: OnBotch) -> Course {
        let affordable = (WORK / self.work_per_roll()) as u32;
        let last = self.max_rolls.map_or(affordable, |cap| cap.min(affordable));
        let mut states = self.start();
        let mut course = Course {
            done: Vec::new(),
            ended: Vec::new(),
            left: Weight::ONE,
            followed: 0,
        };
        while course.followed < last && course.left.value() >= OVER {
            course.followed += 1;
            let roll = i64::from(course.followed);
            let rolled = self.roll_states(&states, steps, on_botch);
            course.done.push((roll, rolled.done));
            if on_botch == OnBotch::Ends {
                course.ended.push((roll, rolled.botched));
            }
            course.left = rolled.left;
            states = rolled.next;
        }
        course
    }

    /// The exact odds.
    ///
    /// # Errors
    /// If botches must be counted over more capped rolls than can be followed.
    pub fn odds(&self) -> Result<ExtendedOdds, ExtendedError> {
        let steps = self.steps();
        let course = self.course(&steps, self.on_botch);
        let affordable = (WORK / self.work_per_roll()) as u32;
        if let Some(cap) = self.max_rolls
            && cap > affordable
            && course.left.value() >= OVER
        {
            return Err(ExtendedError::Work(cap));
        }
        let done = Distribution::collect(&course.done);
        let ended = Distribution::collect(&course.ended);
        let mut rolls = (done.with(&ended), course.left);
        let (mean, sd, success, botch_first);
        if self.max_rolls.is_some() {
            // Who runs out of rolls has made all of them.
            let late = Distribution::collect(&[(i64::from(course.followed), course.left)]);
            rolls = (rolls.0.with(&late), Weight::ZERO);
            mean = rolls.0.weight_mean();
            sd = rolls.0.sd();
            success = done.mass();
            botch_first = if self.on_botch == OnBotch::Ends {
                ended.mass()
            } else {
                let killed = self.course(&steps, OnBotch::Ends);
                killed.ended.iter().map(|term| term.1).sum()
            };
        } else {
            let totals: Totals = self.totals(&steps, self.on_botch, |_, _| Weight::ONE);
            mean = totals[0][0];
            let second = self.total(&steps, self.on_botch, |level, at| {
                totals[level][at] + totals[level][at] - Weight::ONE
            });
            sd = (second - mean * mean).sqrt();
            success = if self.on_botch == OnBotch::Ends {
                let required = self.required as usize;
                self.total(&steps, OnBotch::Ends, |level, at| {
                    steps[level].reach[required - at]
                })
            } else {
                Weight::ONE
            };
            botch_first = self.total(&steps, OnBotch::Ends, |level, _| steps[level].botch);
        }
        let paradox = match self.paradox {
            None => None,
            Some(gathering) => {
                Some(self.paradox_odds(gathering, &steps, &rolls, mean, botch_first)?)
            }
        };
        Ok(ExtendedOdds {
            done,
            ended,
            unfinished: course.left.value(),
            followed: course.followed,
            success: success.value(),
            botch_first: botch_first.value(),
            mean_rolls: mean.value(),
            sd_rolls: sd,
            paradox,
        })
    }

    fn paradox_odds(
        &self,
        gathering: Gathering,
        steps: &[Step],
        (rolls, later): &(Distribution, Weight),
        mean_rolls: Weight,
        botch_first: Weight,
    ) -> Result<ParadoxOdds, ExtendedError> {
        let each = i64::from(gathering.each);
        Ok(match gathering {
            Gathering { each: 0, once } => {
                let (botches, beyond) = self.botches(steps)?;
                if once {
                    let none = botches.weight(0);
                    let some = botch_first;
                    ParadoxOdds {
                        distribution: Distribution::collect(&[(0, none), (1, some)]),
                        beyond: 0.0,
                        mean: some.value(),
                    }
                } else {
                    let mean = if self.max_rolls.is_some() {
                        Weight::from(botches.mean())
                    } else {
                        self.total(steps, self.on_botch, |level, _| steps[level].botch)
                    };
                    ParadoxOdds {
                        distribution: botches,
                        beyond: beyond.value(),
                        mean: mean.value(),
                    }
                }
            }
            Gathering { once: true, .. } => ParadoxOdds {
                distribution: Distribution::certain(each),
                beyond: 0.0,
                mean: f64::from(gathering.each),
            },
            Gathering { once: false, .. } => ParadoxOdds {
                distribution: rolls.map(|rolls| rolls * each),
                beyond: later.value(),
                mean: (mean_rolls * Weight::from(f64::from(gathering.each))).value(),
            },
        })
    }

    /// How many botches there are until it is over, and the weight of more than are listed.
    fn botches(&self, steps: &[Step]) -> Result<(Distribution, Weight), ExtendedError> {
        match self.max_rolls {
            Some(cap) => self.capped_botches(steps, cap),
            None => Ok(self.all_botches(steps)),
        }
    }

    /// Between two botches a task only moves on, so one pass over its states tells where the next
    /// botch finds it, however many rolls that takes.
    fn all_botches(&self, steps: &[Step]) -> (Distribution, Weight) {
        let required = self.required as usize;
        let top = steps.len() - 1;
        let affordable = (WORK / self.work_per_roll()) as i64;
        let mut entering = self.start();
        let mut over = Vec::new();
        let mut left = Weight::ONE;
        let mut botches = 0;
        while botches < affordable && left.value() >= OVER {
            let mut states = std::mem::replace(&mut entering, self.start());
            entering[0][0] = Weight::ZERO;
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
                    match self.on_botch {
                        OnBotch::Ends => {}
                        OnBotch::LosesAll => entering[above][0] += weight,
                        OnBotch::Continues => entering[above][at] += weight,
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

    /// With a cap, rolls and botches are followed together.
    fn capped_botches(
        &self,
        steps: &[Step],
        cap: u32,
    ) -> Result<(Distribution, Weight), ExtendedError> {
        let layers = cap as usize + 1;
        let work = self.work_per_roll().saturating_mul(layers * layers / 2);
        if work > WORK && self.on_botch != OnBotch::Ends {
            return Err(ExtendedError::Work(cap));
        }
        // `states[b]`: after `b` botches. Botched weight moves up one layer.
        let mut states = vec![self.start()];
        let mut over = Vec::new();
        for _ in 0..cap {
            let mut next: Vec<States> = Vec::with_capacity(states.len() + 1);
            let empty = || {
                let mut empty = self.start();
                empty[0][0] = Weight::ZERO;
                empty
            };
            let mut risen = empty();
            for (botches, layer) in (0_i64..).zip(&states) {
                let mut rolled = self.roll_states(layer, steps, OnBotch::Ends);
                over.push((botches, rolled.done));
                if self.on_botch == OnBotch::Ends {
                    over.push((botches + 1, rolled.botched));
                }
                add(&mut rolled.next, &risen);
                risen = empty();
                self.raise(layer, steps, &mut risen);
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

    /// Where botched weight goes on.
    fn raise(&self, layer: &States, steps: &[Step], risen: &mut States) {
        for (level, (row, step)) in layer.iter().zip(steps).enumerate() {
            let above = self.above(level);
            for (at, &weight) in row.iter().enumerate() {
                match self.on_botch {
                    OnBotch::Ends => {}
                    OnBotch::LosesAll => risen[above][0] += weight * step.botch,
                    OnBotch::Continues => risen[above][at] += weight * step.botch,
                }
            }
        }
    }
}

fn add(states: &mut States, more: &States) {
    for (slot, &weight) in states.iter_mut().flatten().zip(more.iter().flatten()) {
        *slot += weight;
    }
}
