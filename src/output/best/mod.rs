//! The best play of a side, and where the written policy falls short of it.

mod trace;

pub use trace::Trace;

use super::Answer;
use super::sheet::{self, SheetKind};
use crate::exact::{BestPlay, Cost, Costly, Limit};
use crate::fight::system::Clock;
use crate::output::ranking::as_written;
use crate::report::number::{counted, decimals_of_percents, grouped};
use crate::report::{Page, Style, TextGrid, Value};
use crate::scenario::Variant;
use crate::stats::Interval;

/// Costs of less than this are only written to the file.
const LEAST: f64 = 5e-5;

/// The warning if only the actions of the policy's lines were available.
const UNTRIED: &str = "Actions that no line of the policy names were not tried: they may win more.";

/// The most rows of a table.
const MOST: usize = 8;

/// The best play of a side, as found by solving the fight.
#[derive(Debug, Clone)]
pub struct BestPlayReport {
    /// Name of the scenario: its file name without folder and extension.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The variant, with the offers of the side's decisions.
    pub variant: Variant,
    /// The side whose best play was found.
    pub side: String,
    /// Whether all actions that the rules allow were available, or only the actions of the policy's lines.
    pub among_all: bool,
    /// If all actions were too many: the number of situations reached, and the limit that stopped the search.
    pub too_many: Option<(u64, Limit)>,
    /// The best play that was found.
    pub found: BestPlay,
    /// The costliest decision of each of the costliest pairs, and the way to it.
    pub traces: Vec<Trace>,
}

impl BestPlayReport {
    /// Returns whether the solution for all actions was interrupted.
    pub fn interrupted(&self) -> bool {
        matches!(self.too_many, Some((_, Limit::Stopped)))
    }

    fn name(&self, who: usize) -> &str {
        &self.variant.fight.combatants[who].name
    }

    /// Returns a decision line of a combatant, with its number if the line is in the policy.
    fn line(&self, who: usize, line: Option<u16>) -> String {
        let Some(line) = line else {
            return "nothing".to_owned();
        };
        let policy = &self.variant.fight.combatants[who].policy;
        let Some(decision) = policy.open_line(line) else {
            return "nothing".to_owned();
        };
        let text = &policy.text[usize::from(decision.number)];
        if policy.is_own(line) {
            format!("{text} (line {})", decision.number + 1)
        } else {
            text.clone()
        }
    }

    /// Returns the action of a line without its condition.
    fn action(&self, who: usize, line: Option<u16>) -> String {
        let text = self.line(who, line);
        let action = text.split(" if ").next().unwrap_or_default();
        let action = action.split(" (line ").next().unwrap_or_default();
        action.trim_start_matches('?').trim().to_owned()
    }

    /// Describes the position and the health of all combatants.
    fn seen(&self, one: &Costly) -> String {
        let seen = { self.variant.fight.combatants.iter() }.zip(&one.options.seen);
        let seen = seen.map(|(who, seen)| match seen {
            Some([at, health]) => format!("{} {health} at {at}", who.name),
            None => format!("{} down", who.name),
        });
        seen.collect::<Vec<_>>().join(", ")
    }

    /// Returns the Round of a situation: the first one, or a later one.
    fn round(one: &Costly) -> &'static str {
        match one.options.moment.0 {
            0 | 1 => "first",
            _ => "later",
        }
    }

    /// Returns the moments of a Round at which a situation occurs; empty if the clock does not count moments.
    fn moments(&self, one: &Costly) -> String {
        match one.marks {
            [0, 0] if self.variant.fight.system.clock != Clock::Marks => String::new(),
            [first, last] if first == last => first.to_string(),
            [first, last] => format!("{first} to {last}"),
        }
    }

    /// Returns notes on the result.
    pub fn remarks(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let states = |states: u64| counted(states, "situation");
        match self.too_many {
            Some((reached, Limit::Stopped)) => notes.push(format!(
                "interrupted at {} of all actions: only those of the policy's lines are answered for, in every order and at \
                 every target",
                states(reached)
            )),
            Some((reached, limit)) => notes.push(format!(
                "all actions together are too many (stopped at {}{}): only those of the policy's lines were open, in every \
                 order and at every target; {}",
                states(reached),
                limit.and_more(),
                limit.way_out()
            )),
            None => {}
        }
        let clock = self.variant.fight.system.clock;
        notes.push(format!(
            "exact for these rules, against the policies of the others; lines that are asked on an occasion of their own \
             (anytime, car, interrupt, cancel and the like) are as written{}",
            if unoffered(clock).is_some() {
                ", and the exceptions are open as lines of the policy write them"
            } else {
                ""
            }
        ));
        notes
    }

    fn costs(&self, page: &mut Page) {
        if self.found.costs.is_empty() {
            return;
        }
        page.blank();
        page.line("where the policy loses, in points of win rate");
        let mut grid = TextGrid::new(["the policy does", "better", "points", "times"]);
        for (index, who) in self.variant.fight.combatants.iter().enumerate() {
            let costs = self.found.costs.iter();
            let costs = costs.filter(|cost| cost.who == index && cost.cost >= LEAST);
            let costs: Vec<&Cost> = costs.take(MOST).collect();
            if !costs.is_empty() {
                grid.group(who.name.clone());
            }
            for cost in costs {
                grid.row(vec![
                    page.indented(&self.line(index, cost.written)),
                    self.action(index, Some(cost.better)),
                    format!("{:.2}", 100.0 * cost.cost),
                    format!("{:.3}", cost.times),
                ]);
            }
        }
        page.grid(&grid);
        page.line("times: how often in an encounter");
    }

    fn situations(&self, page: &mut Page) {
        let costly = { self.found.situations.iter() }.filter(|one| is_visible(one));
        let items = costly.take(MOST).map(|one| {
            let [own, best] = one.values.map(|value| 100.0 * value);
            let who = one.cost.who;
            let words = &self.variant.fight.system.words;
            let when = match &*self.moments(one) {
                "" => String::new(),
                moments => format!(", {} {moments}", words.moment),
            };
            format!(
                "{} {}{when}: {}. {} does {} and wins {own:.1}%; {} wins {best:.1}%",
                match one.options.moment.0 {
                    0 | 1 => "1st",
                    _ => "later",
                },
                words.round,
                self.seen(one),
                self.name(who),
                self.action(who, one.cost.written),
                self.action(who, Some(one.cost.better)),
            )
        });
        page.list(
            "the costliest decisions, and what either action wins if the best play follows",
            items,
        );
    }

    fn facts(&self) -> Vec<Vec<Value>> {
        let mut all = Vec::new();
        let of = |fact: &str,
                  texts: [&str; 6],
                  times: Option<f64>,
                  value: Option<f64>,
                  bounds: Option<Interval>| {
            let head = [&self.scenario, &self.variant.name, &self.side, fact];
            let mut row: Vec<Value> = head.into_iter().chain(texts).map(Value::text).collect();
            row.push(Value::Exact(times));
            row.push(Value::Exact(value));
            row.extend(Value::between(bounds, true));
            row
        };
        let none = [""; 6];
        let middle = |bounds: Interval| Some(f64::midpoint(bounds.low, bounds.high));
        let [written, best] = [self.found.written, self.found.best];
        all.push(of("written", none, None, middle(written), Some(written)));
        all.push(of("best", none, None, middle(best), Some(best)));
        for cost in &self.found.costs {
            let [written, better] =
                [cost.written, Some(cost.better)].map(|line| self.line(cost.who, line));
            let texts = [self.name(cost.who), &written, &better, "", "", ""];
            all.push(of("cost", texts, Some(cost.times), Some(cost.cost), None));
        }
        for one in &self.found.situations {
            let cost = &one.cost;
            let [written, better] =
                [cost.written, Some(cost.better)].map(|line| self.line(cost.who, line));
            let (round, moment, seen) = (Self::round(one), self.moments(one), self.seen(one));
            let texts = [
                self.name(cost.who),
                &written,
                &better,
                round,
                &moment,
                &seen,
            ];
            let [low, high] = one.values;
            let bounds = Some(Interval { low, high });
            let (times, cost) = (Some(cost.times), Some(cost.cost));
            all.push(of("situation", texts, times, cost, bounds));
        }
        all
    }
}

/// Returns the actions of a system that are open only as lines of the policy write them: there are too many of them.
fn unoffered(clock: Clock) -> Option<&'static str> {
    match clock {
        Clock::Order | Clock::Own => Some("actions that wait for a trigger (`ready`)"),
        Clock::Turns => Some("actions of several feats (`attack + attack`)"),
        Clock::Marks | Clock::Phases => None,
    }
}

/// Whether the win rates of a decision and of the better one differ when printed.
pub fn is_visible(decision: &Costly) -> bool {
    let [own, best] = decision.values;
    best - own >= 5e-4
}

/// Formats a share that is known to within bounds.
fn percent(bounds: &Interval) -> String {
    let [low, high] = [bounds.low, bounds.high].map(|bound| 100.0 * bound);
    if high - low < 0.01 {
        let middle = f64::midpoint(low, high);
        // Where the bounds include 0 or 100, the number may be that.
        let digits = if low > 0.0 && high < 100.0 {
            decimals_of_percents(2, &[middle])
        } else {
            2
        };
        format!("{middle:.digits$}%")
    } else {
        format!("{low:.2}% to {high:.2}%")
    }
}

impl Answer for BestPlayReport {
    fn kind(&self) -> &'static SheetKind {
        &sheet::BEST_PLAY
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn table(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.heading(1, &self.title);
        let open = match unoffered(self.variant.fight.system.clock) {
            _ if !self.among_all => {
                "the actions of the policy's lines, in every order and at every target".to_owned()
            }
            None => "all actions that the rules allow".to_owned(),
            Some(what) => format!("all actions that the rules allow, except {what}"),
        };
        page.paragraph(&format!(
            "{}: the best play of {} among {open}; {} situations, {} decisions",
            as_written(&self.variant.name),
            self.side,
            grouped(self.found.states),
            grouped(self.found.decisions)
        ));
        page.blank();
        page.paragraphs(&self.answer());
        self.costs(&mut page);
        self.situations(&mut page);
        self.tell(&mut page);
        page.notes(self.remarks());
        page.into_text()
    }

    fn answer(&self) -> Vec<String> {
        let [written, best] = [&self.found.written, &self.found.best].map(percent);
        let left = 100.0 * (self.found.best.high - self.found.written.low);
        let side = &self.side;
        vec![match (self.among_all, left < 0.005) {
            (true, true) => format!(
                "Your {side} win {written}, and no other use of these actions wins more: nothing is left."
            ),
            (true, false) => format!(
                "Your {side} win {written}. Perfect play wins {best}: at most {left:.2} points are left."
            ),
            (false, true) => format!(
                "Your {side} win {written}. No other use of these actions wins more. {UNTRIED}"
            ),
            (false, false) => format!(
                "Your {side} win {written}. The same actions, each when it is best, win {best}: at most {left:.2} \
                 points are left among them. {UNTRIED}"
            ),
        }]
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(self.facts().into_iter())
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let traces = self.traces.iter().map(|trace| self.trace(trace));
        vec![
            ("states", Value::count(self.found.states)),
            ("decisions", Value::count(self.found.decisions)),
            ("all_actions", Value::Flag(self.among_all)),
            ("notes", Value::texts(self.remarks())),
            ("traces", Value::Json(traces.collect())),
            ("rows", self.kind().objects(self.facts())),
        ]
    }
}
