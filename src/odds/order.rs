//! The order of two combatants: exactly how often one acts before the other, in every system.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use super::args::{First, InitiativeArgs};
use super::grids::{self, Axis};
use super::rolls::spread_facts;
use super::{OddsError, refuse};
use crate::dice::initiative::{Precedence, TieBreak};
use crate::dice::notation::Notation;
use crate::dice::{Distribution, Weight};
use crate::fight::initiative::{self, LastResort, Ties};
use crate::fight::system::{Clock, System};
use crate::report::{Fact, Report, Table, Value};
use crate::systems;
use crate::systems::eclipse_phase::rules::Rounding;

mod options;

use options::{ContestantOptions, SideArgs, attributes};

/// The greatest absolute value of ratings, bonuses and penalties.
const MOST_RATING: i64 = 1_000_000;

/// Returns whether the question is more than the Score of Tara-Corax alone.
pub(super) fn is_more_than_score(args: &InitiativeArgs) -> bool {
    let score_alone = InitiativeArgs {
        system: systems::TARA_CORAX.name.to_owned(),
        characteristic: args.characteristic,
        agility: args.agility,
        intellect: args.intellect,
        evade_modifier: args.evade_modifier,
        explode: args.explode,
        round_marks: args.round_marks,
        output: args.output.clone(),
        ..InitiativeArgs::default()
    };
    *args != score_alone
}

/// The rule for initiative: the dice, and how ties are broken.
struct Rule {
    system: &'static System,
    /// The dice of initiative; `None` if initiative is fixed.
    dice: Option<Notation>,
    ties: Ties,
    /// The highest Score (TC-1).
    round_marks: i64,
    /// Whether a delay halves the Roll instead of the Score (TC-4).
    delay_halves_roll: bool,
    /// Whether both combatants act on one initiative (MA-1).
    is_shared: bool,
    per_speed: bool,
    rounding: Rounding,
    /// The greatest Speed (EP-2).
    most_speed: u8,
    /// The points that a wound subtracts from the total (EP-4).
    wound: i64,
}

/// One of the two combatants.
#[derive(Debug, Clone, Copy)]
struct Contestant {
    /// The number that is compared between equal totals.
    rating: i64,
    /// The number that is added to the dice.
    base: i64,
    /// The two traits that make the rating.
    traits: [i64; 2],
    /// Whether the combatant delays (TC-4): `Some(true)` if the half is rounded up, `Some(false)` if it is rounded
    /// down.
    delays: Option<bool>,
    /// The Marks owed from the Round before (TC-12).
    owed: i64,
    /// The number of rolls of which the best counts for the first action (EP-7).
    speed: u32,
    /// Whether the combatant spends a point of Moxie to go first (EP-5).
    moxie: bool,
}

impl Rule {
    /// Returns the distribution of the roll that is added to the base of a combatant.
    fn rolls(&self, one: Contestant) -> Distribution {
        let Some(dice) = &self.dice else {
            return Distribution::certain(0);
        };
        best_of(&dice.distribution().map(bounded), one.speed)
    }

    /// Returns the total, or the Score, of a combatant who rolled `rolled`.
    fn total(&self, one: Contestant, rolled: i64) -> i64 {
        let total = one.base + rolled;
        if self.system.clock != Clock::Marks {
            return total;
        }
        let score = total.min(self.round_marks) - one.owed;
        match one.delays {
            Some(up) if score >= 1 => {
                let half = |whole: i64| if up { whole - whole / 2 } else { whole / 2 };
                if self.delay_halves_roll {
                    half(total).min(self.round_marks) - one.owed
                } else {
                    half(score)
                }
            }
            _ => score,
        }
    }

    fn totals(&self, one: Contestant, rolls: &Distribution) -> Distribution {
        rolls.map(|rolled| self.total(one, rolled))
    }

    /// Returns the least total with which a combatant acts.
    fn least_to_act(&self) -> i64 {
        match self.system.clock {
            Clock::Marks => 1,
            _ => i64::MIN,
        }
    }

    /// Returns the second with the number that the first adds to the dice, where both share one roll. Wounds count for
    /// the wounded alone (EP-4), and so do Marks carried over.
    fn sharer(&self, first: Contestant, second: Contestant) -> Contestant {
        let base = match self.system.clock {
            Clock::Phases => first.rating + second.base - second.rating,
            _ => first.base,
        };
        Contestant { base, ..second }
    }

    fn tie_break(&self, first: Contestant, second: Contestant) -> TieBreak {
        let values = |one: Contestant| [one.rating, one.traits[0], one.traits[1]];
        let (mine, theirs) = (values(first), values(second));
        let compared = self.ties.compared.iter().map(|index| usize::from(*index));
        let order = compared.map(|index| mine[index].cmp(&theirs[index]));
        match (order.fold(Ordering::Equal, Ordering::then), self.ties.last) {
            (Ordering::Greater, _) => TieBreak::First,
            (Ordering::Less, _) => TieBreak::Second,
            (Ordering::Equal, LastResort::Simultaneous) => TieBreak::Simultaneous,
            (Ordering::Equal, LastResort::RollOff) => TieBreak::RollOff,
        }
    }

    /// Returns which combatant goes first by Moxie, if only one of them spends it (EP-5).
    fn first_by_moxie(first: Contestant, second: Contestant) -> Option<TieBreak> {
        match (first.moxie, second.moxie) {
            (true, false) => Some(TieBreak::First),
            (false, true) => Some(TieBreak::Second),
            _ => None,
        }
    }

    fn precedence(
        &self,
        first: Contestant,
        second: Contestant,
        rolls: [&Distribution; 2],
    ) -> Precedence {
        let tie = self.tie_break(first, second);
        let moxie = Self::first_by_moxie(first, second);
        if moxie.is_some() {
            let equal = Distribution::certain(0);
            return Precedence::of(&equal, &equal, 0, moxie.unwrap_or(tie));
        }
        if self.is_shared {
            let second = self.sharer(first, second);
            let each = rolls[0].weights().map(|(rolled, weight)| {
                let total = |one| Distribution::certain(self.total(one, rolled));
                let (mine, theirs) = (total(first), total(second));
                let precedence = Precedence::of(&mine, &theirs, self.least_to_act(), tie);
                (weight, precedence)
            });
            return Precedence::mixed(each);
        }
        let totals = [self.totals(first, rolls[0]), self.totals(second, rolls[1])];
        Precedence::of(&totals[0], &totals[1], self.least_to_act(), tie)
    }

    fn describe(&self) -> String {
        let rolled = match &self.dice {
            Some(dice) => format!("rating + {dice}"),
            None => "no dice, the rating alone".to_owned(),
        };
        let mut parts = vec![rolled];
        if self.per_speed {
            parts.push(
                "a roll for each point of Speed, the best of which is the first action".into(),
            );
        }
        if self.system.clock == Clock::Marks {
            let most = self.round_marks;
            parts.push(format!("at most {most}, below 1 there is no acting"));
            if self.delay_halves_roll {
                parts.push("a delay halves the Roll, not the Score".into());
            }
        }
        if self.is_shared {
            parts.push("both share one roll".into());
        }
        if self.wound != 1 {
            parts.push(format!("each wound takes {} off", self.wound));
        }
        let vocabulary = &self.system.ties;
        let mut ladder: Vec<&str> = vec!["total"];
        ladder.extend(
            self.ties
                .compared
                .iter()
                .map(|index| vocabulary.name(*index)),
        );
        ladder.push(self.ties.last.name());
        parts.push(format!("ties: {}", ladder.join(", ")));
        format!("rule: {}", parts.join("; "))
    }
}

/// Returns the distribution of the best of several rolls.
fn best_of(roll: &Distribution, rolls: u32) -> Distribution {
    if rolls == 1 {
        return roll.clone();
    }
    let mut below = Weight::ZERO;
    let mut terms = Vec::new();
    for (value, weight) in roll.weights() {
        let upto = below + weight;
        terms.push((value, upto.power(rolls) - below.power(rolls)));
        below = upto;
    }
    Distribution::collect(&terms)
}

/// Limits a roll to the bounds that apply in fights.
fn bounded(points: i64) -> i64 {
    let most = initiative::Dice::MOST;
    points.clamp(-most, most)
}

/// Answers a question about initiative.
pub(super) fn answer(args: &InitiativeArgs) -> Result<Report, OddsError> {
    let characteristic = args.characteristic.map(|one| one.to_string());
    let rating = args.rating.clone().or(characteristic);
    let option = |own| if args.grid.is_some() { "--grid" } else { own };
    let first = SideArgs {
        option: option("--rating"),
        rating: rating.or_else(|| args.grid.clone()),
        attributes: attributes("--attributes", args.attributes.as_ref())?,
        evade_modifier: args.evade_modifier,
        delay: args.delay.as_ref(),
        owed: args.owed,
        speed: args.speed,
        modifier: args.modifier,
        wounds: args.wounds,
        moxie: args.moxie,
    };
    let second = SideArgs {
        option: option("--against"),
        rating: args.against.clone().or_else(|| args.grid.clone()),
        attributes: attributes("--against-attributes", args.against_attributes.as_ref())?,
        evade_modifier: args.against_evade_modifier,
        delay: args.against_delay.as_ref(),
        owed: args.against_owed,
        speed: args.against_speed,
        modifier: args.against_modifier,
        wounds: args.against_wounds,
        moxie: args.against_moxie,
    };
    let sides = [first, second];
    let rule = Rule::read(args, &sides)?;
    let [first, second] = sides;
    if args.agility.is_some() {
        return refuse(
            "--agility and --intellect ask for a Score alone: write --attributes AGILITY,INTELLECT",
        );
    }
    if args.rounding.is_some() && args.attributes.is_none() && args.against_attributes.is_none() {
        return refuse("--rounding is about --attributes: a rating is whole already");
    }
    if args.grid.is_some()
        && (args.rating.is_some() || args.characteristic.is_some() || args.against.is_some())
    {
        return refuse("--grid is both --rating and --against: leave these out");
    }
    let mine = first.read(&rule)?;
    if second.rating.is_none() && second.attributes.is_none() {
        let is_of_one = second
            == SideArgs {
                option: second.option,
                ..SideArgs::default()
            };
        if !is_of_one || args.moxie || args.share || args.ties.is_some() || args.show.is_some() {
            return refuse("--ties, --show and options of the second need --against");
        }
        return alone(&rule, &mine);
    }
    let theirs = second.read(&rule)?;
    if mine.is_single() && theirs.is_single() {
        if args.show.is_some() {
            return refuse("--show is for a grid: two ratings show every outcome, leave it out");
        }
        return Ok(two(&rule, &mine, &theirs));
    }
    grid(args, &rule, &mine, &theirs)
}

/// Answers a question about one combatant's total.
fn alone(rule: &Rule, side: &ContestantOptions) -> Result<Report, OddsError> {
    if !side.is_single() {
        return refuse("a grid needs --against, or --grid");
    }
    let one = side.only();
    let totals = rule.totals(one, &rule.rolls(one));
    let mut report = Report::new(
        format!(
            "Initiative in {}, rating {}{}",
            rule.system.title,
            side.ratings.start(),
            side.words
        ),
        vec![rule.describe()],
    );
    let mut facts = Vec::new();
    if rule.system.clock == Clock::Marks {
        let never = Value::Chance(totals.below(1));
        facts.push(Fact::new("p_cannot_act", "cannot act", never));
    }
    facts.extend(spread_facts(&totals));
    report.facts(facts);
    report.distribution(["total", "Totals", "total"], &totals);
    Ok(report)
}

/// The outcomes: key and label of each.
const OUTCOMES: [(&str, &str); 4] = [
    ("p_before", "the first acts before the second"),
    ("p_simultaneous", "both act at once"),
    ("p_after", "the second acts before the first"),
    ("p_neither", "neither can act"),
];

fn chances(precedence: &Precedence) -> [f64; 4] {
    [
        precedence.before,
        precedence.simultaneous,
        precedence.after,
        precedence.neither,
    ]
}

/// Returns the number of outcomes: only in Tara-Corax may a combatant be unable to act.
fn outcomes(rule: &Rule) -> usize {
    if rule.system.clock == Clock::Marks {
        4
    } else {
        3
    }
}

fn two(rule: &Rule, mine: &ContestantOptions, theirs: &ContestantOptions) -> Report {
    let (first, second) = (mine.only(), theirs.only());
    let rolls = [rule.rolls(first), rule.rolls(second)];
    let precedence = rule.precedence(first, second, [&rolls[0], &rolls[1]]);
    let chances = chances(&precedence);
    let mut report = Report::new(
        format!(
            "who acts first in {}: rating {}{} against {}{}",
            rule.system.title,
            mine.ratings.start(),
            mine.words,
            theirs.ratings.start(),
            theirs.words
        ),
        vec![rule.describe()],
    );
    let columns = [("outcome", "outcome"), ("chance", "chance")];
    let mut table = Table::new("outcomes", "Outcomes", &columns);
    table.bars = Some(1);
    let count = outcomes(rule);
    let all = OUTCOMES.iter().zip(chances).take(count);
    for ((_, label), chance) in all.clone() {
        let name = Value::text(label);
        table.rows.push(vec![name, Value::Chance(chance)]);
    }
    report.main_table(table);
    report
}

/// Answers a grid of one outcome over the ratings of both combatants.
fn grid(
    args: &InitiativeArgs,
    rule: &Rule,
    mine: &ContestantOptions,
    theirs: &ContestantOptions,
) -> Result<Report, OddsError> {
    let count = |ratings: &RangeInclusive<i64>| (ratings.end() - ratings.start() + 1) as f64;
    let rolls = [rule.rolls(mine.one), rule.rolls(theirs.one)];
    let values = rolls
        .iter()
        .map(|one| (one.last() - one.first() + 1) as f64)
        .sum::<f64>();
    let steps = count(&mine.ratings) * count(&theirs.ratings) * (4.0 * values + 50.0);
    grids::affordable(steps, "fewer ratings or smaller dice")?;
    let shown = match args.show.unwrap_or_default() {
        First::Before => 0,
        First::Simultaneous => 1,
        First::After => 2,
    };
    let known = outcomes(rule);
    let keys = OUTCOMES[..known].iter().map(|(key, _)| *key);
    let mut table = Table::of_keys("ratings", ["rating", "against"].into_iter().chain(keys));
    let mut cells = Vec::new();
    for rating in mine.ratings.clone() {
        let mut row = Vec::new();
        for against in theirs.ratings.clone() {
            let (first, second) = (mine.at(rating), theirs.at(against));
            let precedence = rule.precedence(first, second, [&rolls[0], &rolls[1]]);
            let chances = chances(&precedence);
            row.push(Value::Chance(chances[shown]));
            let mut line = vec![Value::Whole(rating), Value::Whole(against)];
            line.extend(chances[..known].iter().map(|chance| Value::Chance(*chance)));
            table.rows.push(line);
        }
        cells.push(row);
    }
    let ratings = |label, side: &ContestantOptions| Axis::new(label, side.ratings.clone());
    let axes = [ratings("rating", mine), ratings("against", theirs)];
    let spelled = format!(
        "{}{} {}{}",
        ratings("ratings", mine).spelled(),
        mine.words,
        axes[1].spelled(),
        theirs.words
    );
    let mut report = Report::new(
        format!("who acts first in {}: {spelled}", rule.system.title),
        vec![rule.describe()],
    );
    let title = format!("Chance that {}, in per cent", OUTCOMES[shown].1);
    report
        .blocks
        .push(grids::block(title, axes.each_ref(), cells));
    report.rows = table;
    Ok(report)
}
