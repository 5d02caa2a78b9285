//! Exact odds of a task: its rolls, its botches, its Paradox.

use super::solve::{Step, Totals, WillpowerPhase};
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
    /// The chance of being done: within the cap, or ever.
    pub success: f64,
    /// The chance of at least one botch before it is done (and within the cap).
    pub botch_first: f64,
    /// The mean number of rolls until it is over.
    pub mean_rolls: f64,
    /// The standard deviation of the number of rolls.
    pub sd_rolls: f64,
    /// The mean of the Willpower spent, in points.
    pub mean_willpower: f64,
    /// The Paradox gathered, if the task is magick.
    pub paradox: Option<ParadoxOdds>,
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

/// The exact odds of the Paradox gathered.
#[derive(Debug, Clone, PartialEq)]
pub struct ParadoxOdds {
    /// The Paradox gathered (a part, if `beyond` is above 0).
    pub distribution: Distribution,
    /// The chance of more Paradox than the distribution lists.
    pub beyond: f64,
    /// The mean of the Paradox gathered.
    pub mean: f64,
}

/// The states of a task: the weight of `[level][gathered]`.
type States = Vec<Vec<Weight>>;

/// The result of one roll in every state.
struct Rolled {
    next: States,
    done: Weight,
    botched: Weight,
    left: Weight,
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
    fn no_states(&self) -> States {
        vec![vec![Weight::ZERO; self.required as usize]; self.levels.len()]
    }

    fn states(&self, opening: &WillpowerPhase) -> States {
        let mut states = self.no_states();
        states[0].clone_from(&opening.states);
        states
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

    /// Makes one roll in every state. Botched weight moves as `on_botch` says, or leaves the states.
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
                if let Some(at) = on_botch.keeps(at) {
                    rolled.next[above][at] += botched;
                }
            }
        }
        rolled.left = rolled.next.iter().flatten().copied().sum();
        rolled
    }

    fn course(&self, opening: &WillpowerPhase, steps: &[Step], on_botch: OnBotch) -> Course {
        let affordable = (WORK / self.work_per_roll()) as u32;
        let last = self.max_rolls.map_or(affordable, |cap| cap.min(affordable));
        let mut states = self.states(opening);
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
            course.left = rolled.left;
            states = rolled.next;
        }
        course
    }

    /// Returns the exact odds.
    ///
    /// # Errors
    /// If botches must be counted over more capped rolls than can be followed.
    pub fn odds(&self) -> Result<ExtendedOdds, ExtendedError> {
        let steps = self.steps();
        let opening = self.opening();
        let course = self.course(&opening, &steps, self.on_botch);
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
            // A task that runs out of rolls has made all of them.
            let late = Distribution::collect(&[(i64::from(course.followed), course.left)]);
            rolls = (rolls.0.with(&late), Weight::ZERO);
            mean = rolls.0.weight_mean();
            sd = rolls.0.sd();
            success = done.mass();
            botch_first = if self.on_botch == OnBotch::Ends {
                ended.mass()
            } else {
                let killed = self.course(&opening, &steps, OnBotch::Ends);
                killed.ended.iter().map(|term| term.1).sum()
            };
        } else {
            let totals: Totals = self.totals(&steps, self.on_botch, |_, _| Weight::ONE);
            let later = opening.total(&totals);
            mean = opening.made + later;
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
            sd = (second - mean * mean).sqrt();
            success = self.ever_done(&opening, &steps);
            botch_first = self.total(&opening, &steps, OnBotch::Ends, |level, _| {
                steps[level].botch
            });
        }
        let paradox = match self.paradox {
            None => None,
            Some(gathering) => {
                let solved = (&opening, &steps[..]);
                Some(self.paradox_odds(gathering, solved, &rolls, mean, botch_first)?)
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
            mean_willpower: opening.made.value(),
            paradox,
        })
    }

    /// Returns the chance of ever being done.
    fn ever_done(&self, opening: &WillpowerPhase, steps: &[Step]) -> Weight {
        if self.on_botch != OnBotch::Ends {
            return Weight::ONE;
        }
        let required = self.required as usize;
        let later = self.total(opening, steps, OnBotch::Ends, |level, at| {
            steps[level].reach[required - at]
        });
        opening.done() + later
    }

    /// Returns the approximate number of multiplications for [`summary`](Self::summary).
    pub fn summary_work(&self) -> f64 {
        let rolls = self.max_rolls.map_or(4, |cap| cap.saturating_mul(2));
        self.work_per_roll() as f64 * f64::from(rolls.saturating_add(self.willpower))
    }

    /// Returns the statistics of [`odds`](Self::odds) that need no list of rolls. Without a cap on the rolls, this
    /// costs no more than four rolls.
    ///
    /// # Errors
    /// If more capped rolls would be needed than can be followed.
    pub fn summary(&self) -> Result<Summary, ExtendedError> {
        let steps = self.steps();
        let opening = self.opening();
        let (success, botch_first, mean, botches);
        if let Some(cap) = self.max_rolls {
            let course = self.course(&opening, &steps, self.on_botch);
            if cap > course.followed && course.left.value() >= OVER {
                return Err(ExtendedError::Work(cap));
            }
            success = course.done.iter().map(|term| term.1).sum();
            botch_first = if self.on_botch == OnBotch::Ends {
                course.botched
            } else {
                self.course(&opening, &steps, OnBotch::Ends).botched
            };
            let over = course.done.iter().chain(&course.ended);
            let over = over.map(|&(roll, weight)| weight * Weight::from(roll as f64));
            mean = over.sum::<Weight>() + course.left * Weight::from(f64::from(course.followed));
            botches = course.botched;
        } else {
            let botch = |level: usize, _| steps[level].botch;
            success = self.ever_done(&opening, &steps);
            botch_first = self.total(&opening, &steps, OnBotch::Ends, botch);
            let more = self.total(&opening, &steps, self.on_botch, |_, _| Weight::ONE);
            mean = opening.made + more;
            botches = self.total(&opening, &steps, self.on_botch, botch);
        }
        let mean_paradox = self.paradox.map(|gathering| match gathering {
            Gathering { each: 0, once } => if once { botch_first } else { botches }.value(),
            Gathering { each, once: true } => f64::from(each),
            Gathering { each, once: false } => (mean * Weight::from(f64::from(each))).value(),
        });
        Ok(Summary {
            success: success.value(),
            botch_first: botch_first.value(),
            mean_rolls: mean.value(),
            mean_paradox,
        })
    }

    fn paradox_odds(
        &self,
        gathering: Gathering,
        (opening, steps): (&WillpowerPhase, &[Step]),
        (rolls, later): &(Distribution, Weight),
        mean_rolls: Weight,
        botch_first: Weight,
    ) -> Result<ParadoxOdds, ExtendedError> {
        let each = i64::from(gathering.each);
        Ok(match gathering {
            Gathering { each: 0, once } => {
                let (botches, beyond) = self.botches(opening, steps)?;
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
                        self.total(opening, steps, self.on_botch, |level, _| steps[level].botch)
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
        let affordable = (WORK / self.work_per_roll()) as i64;
        let mut entering = self.states(opening);
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
        let mut states = vec![self.states(opening)];
        let mut over = vec![(0, opening.done())];
        for _ in opening.rolls..cap {
            let mut next: Vec<States> = Vec::with_capacity(states.len() + 1);
            let mut risen = self.no_states();
            for (botches, layer) in (0_i64..).zip(&states) {
                let mut rolled = self.roll_states(layer, steps, OnBotch::Ends);
                over.push((botches, rolled.done));
                if self.on_botch == OnBotch::Ends {
                    over.push((botches + 1, rolled.botched));
                }
                add(&mut rolled.next, &risen);
                risen = self.no_states();
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

    /// Adds the botched weight of one layer to the states of the next.
    fn raise(&self, layer: &States, steps: &[Step], risen: &mut States) {
        for (level, (row, step)) in layer.iter().zip(steps).enumerate() {
            let above = self.above(level);
            for (at, &weight) in row.iter().enumerate() {
                if let Some(at) = self.on_botch.keeps(at) {
                    risen[above][at] += weight * step.botch;
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
