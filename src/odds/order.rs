//! The order of two combatants: exactly how often one acts before the other, in every system.

use std::cmp::Ordering;

use super::args::InitiativeArgs;
use super::grids::{self, Axis};
use super::rolls::spread_facts;
use super::{OddsError, refuse};
use crate::dice::initiative::precedence;
use crate::dice::{Distribution, Notation, Weight};
use crate::fight::initiative::{self, LastResort, Ties};
use crate::fight::system::{Clock, System};
use crate::report::{Report, Table, Value, chance};
use crate::systems;
use crate::systems::eclipse_phase::rules::Rounding;

mod options;

pub(super) use options::dice;
use options::{Contestant, SideArgs, attributes};

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
        ..InitiativeArgs::default()
    };
    *args != score_alone
}

/// The rule for initiative: the dice, and how ties are broken.
struct Contest {
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

/// A combatant with one of its ratings, as it is written.
type Rated<'a> = (&'a Contestant, i64);

impl Contest {
    /// Returns the distribution of the roll that is added to the base of a combatant.
    fn rolls(&self, contestant: &Contestant) -> Distribution {
        let Some(dice) = &self.dice else {
            return Distribution::certain(0);
        };
        // The bounds are those of fights.
        let most = initiative::MOST_ROLL;
        let roll = dice.distribution().map(|points| points.clamp(-most, most));
        best_of(&roll, contestant.speed)
    }

    /// Returns the total, or the Score, of a combatant with this base who rolled `rolled`.
    fn total(&self, contestant: &Contestant, base: i64, rolled: i64) -> i64 {
        let total = base + rolled;
        if self.system.clock != Clock::Marks {
            return total;
        }
        let owed = contestant.owed;
        let score = total.min(self.round_marks) - owed;
        match contestant.delays {
            Some(up) if score >= 1 => {
                let half = |whole: i64| if up { whole - whole / 2 } else { whole / 2 };
                if self.delay_halves_roll {
                    half(total).min(self.round_marks) - owed
                } else {
                    half(score)
                }
            }
            _ => score,
        }
    }

    /// Returns how often an equal total means that the first acts first, that both act at once, and that the second
    /// acts first.
    fn tie_break(&self, first: Rated<'_>, second: Rated<'_>) -> [f64; 3] {
        let values = |(contestant, written): Rated<'_>| {
            let [a, b] = contestant.traits(self.system, written);
            [contestant.rating(written), a, b]
        };
        let (mine, theirs) = (values(first), values(second));
        let compared = self.ties.compared.iter().map(|index| usize::from(*index));
        let order = compared.map(|index| mine[index].cmp(&theirs[index]));
        match (order.fold(Ordering::Equal, Ordering::then), self.ties.last) {
            (Ordering::Greater, _) => [1.0, 0.0, 0.0],
            (Ordering::Less, _) => [0.0, 0.0, 1.0],
            (Ordering::Equal, LastResort::Simultaneous) => [0.0, 1.0, 0.0],
            (Ordering::Equal, LastResort::RollOff) => [0.5, 0.0, 0.5],
        }
    }

    /// Returns the chances of [`OUTCOMES`].
    fn precedence(
        &self,
        first: Rated<'_>,
        second: Rated<'_>,
        rolls: [&Distribution; 2],
    ) -> [f64; 4] {
        // Who alone spends Moxie goes first (EP-5).
        match (first.0.moxie, second.0.moxie) {
            (true, false) => return [1.0, 0.0, 0.0, 0.0],
            (false, true) => return [0.0, 0.0, 1.0, 0.0],
            _ => {}
        }
        let is_marks = self.system.clock == Clock::Marks;
        let least = if is_marks { 1 } else { i64::MIN };
        let tie = self.tie_break(first, second);
        let [base, other] = [first, second].map(|(contestant, written)| contestant.base(written));
        if !self.is_shared {
            let mine = rolls[0].map(|rolled| self.total(first.0, base, rolled));
            let theirs = rolls[1].map(|rolled| self.total(second.0, other, rolled));
            return precedence(&mine, &theirs, least, tie);
        }
        // Wounds count for the wounded alone (EP-4), and so do Marks carried over.
        let other = match self.system.clock {
            Clock::Phases => first.0.rating(first.1) + other - second.0.rating(second.1),
            _ => base,
        };
        let mut sums = [Weight::ZERO; 4];
        for (rolled, weight) in rolls[0].weights() {
            let mine = Distribution::certain(self.total(first.0, base, rolled));
            let theirs = Distribution::certain(self.total(second.0, other, rolled));
            let chances = precedence(&mine, &theirs, least, tie);
            for (sum, chance) in sums.iter_mut().zip(chances) {
                *sum += weight * chance.into();
            }
        }
        sums.map(Weight::value)
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
        let compared = self.ties.compared.iter();
        let mut ladder = vec!["total"];
        ladder.extend(compared.map(|index| self.system.ties.name(*index)));
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

/// Answers a question about initiative.
pub(super) fn answer(args: &InitiativeArgs) -> Result<Report, OddsError> {
    let characteristic = args.characteristic.map(|number| number.to_string());
    let rating = args.rating.clone().or(characteristic);
    let option = |name| if args.grid.is_some() { "--grid" } else { name };
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
    let contest = Contest::read(args, &sides)?;
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
    let mine = first.read(&contest)?;
    if second.rating.is_none() && second.attributes.is_none() {
        let is_of_one = second
            == SideArgs {
                option: second.option,
                ..SideArgs::default()
            };
        if !is_of_one || args.moxie || args.share || args.ties.is_some() || args.show.is_some() {
            return refuse("--ties, --show and options of the second need --against");
        }
        return alone(&contest, &mine);
    }
    let theirs = second.read(&contest)?;
    if mine.is_single() && theirs.is_single() {
        if args.show.is_some() {
            return refuse("--show is for a grid: two ratings show every outcome, leave it out");
        }
        return Ok(two(&contest, &mine, &theirs));
    }
    grid(args, &contest, &mine, &theirs)
}

/// Answers a question about one combatant's total.
fn alone(contest: &Contest, contestant: &Contestant) -> Result<Report, OddsError> {
    if !contestant.is_single() {
        return refuse("a grid needs --against, or --grid");
    }
    let written = *contestant.ratings.start();
    let base = contestant.base(written);
    let rolls = contest.rolls(contestant);
    let totals = rolls.map(|rolled| contest.total(contestant, base, rolled));
    let title = format!(
        "Initiative in {}, rating {written}{}",
        contest.system.title, contestant.words
    );
    let mut report = Report::new(title, vec![contest.describe()]);
    let mut facts = Vec::new();
    if contest.system.clock == Clock::Marks {
        facts.push(chance("p_cannot_act", "cannot act", totals.below(1)));
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

/// Returns the number of outcomes: only in Tara-Corax may a combatant be unable to act.
fn outcomes(contest: &Contest) -> usize {
    if contest.system.clock == Clock::Marks {
        4
    } else {
        3
    }
}

fn two(contest: &Contest, mine: &Contestant, theirs: &Contestant) -> Report {
    let rolls = [mine, theirs].map(|contestant| contest.rolls(contestant));
    let [rating, against] = [mine, theirs].map(|contestant| *contestant.ratings.start());
    let chances = contest.precedence((mine, rating), (theirs, against), rolls.each_ref());
    let title = format!(
        "who acts first in {}: rating {rating}{} against {against}{}",
        contest.system.title, mine.words, theirs.words
    );
    let mut report = Report::new(title, vec![contest.describe()]);
    let columns = [("outcome", "outcome"), ("chance", "chance")];
    let mut table = Table::new("outcomes", "Outcomes", &columns);
    table.bars = Some(1);
    table.rows = OUTCOMES
        .iter()
        .zip(chances)
        .take(outcomes(contest))
        .map(|((_, label), chance)| vec![Value::text(label), Value::Chance(chance)])
        .collect();
    report.main_table(table);
    report
}

/// Answers a grid of one outcome over the ratings of both combatants.
fn grid(
    args: &InitiativeArgs,
    contest: &Contest,
    mine: &Contestant,
    theirs: &Contestant,
) -> Result<Report, OddsError> {
    let axes = [("rating", mine), ("against", theirs)]
        .map(|(label, contestant)| Axis::new(label, contestant.ratings.clone()));
    let rolls = [mine, theirs].map(|contestant| contest.rolls(contestant));
    let values: f64 = rolls
        .iter()
        .map(|roll| (roll.last() - roll.first() + 1) as f64)
        .sum();
    let ratings = axes.each_ref().map(|axis| axis.length() as f64);
    let steps = ratings[0] * ratings[1] * (4.0 * values + 50.0);
    grids::affordable(steps, "fewer ratings or smaller dice")?;
    let shown = args.show.unwrap_or_default() as usize;
    let known = outcomes(contest);
    let keys = OUTCOMES[..known].iter().map(|(key, _)| *key);
    let mut table = Table::of_keys("ratings", ["rating", "against"].into_iter().chain(keys));
    let mut cells = Vec::new();
    for rating in mine.ratings.clone() {
        let mut row = Vec::new();
        for against in theirs.ratings.clone() {
            let chances = contest
                .precedence((mine, rating), (theirs, against), rolls.each_ref())
                .map(Value::Chance);
            row.push(chances[shown].clone());
            let ratings = [rating, against].map(Value::Whole);
            table.rows.push([&ratings, &chances[..known]].concat());
        }
        cells.push(row);
    }
    let title = format!(
        "who acts first in {}: {}{} {}{}",
        contest.system.title,
        Axis::new("ratings", mine.ratings.clone()).spelled(),
        mine.words,
        axes[1].spelled(),
        theirs.words
    );
    let mut report = Report::new(title, vec![contest.describe()]);
    let title = format!("Chance that {}, in per cent", OUTCOMES[shown].1);
    report
        .blocks
        .push(grids::block(title, axes.each_ref(), cells));
    report.rows = table;
    Ok(report)
}
