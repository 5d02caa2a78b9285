//! Who acts first: how often one of two acts before the other, exactly, in every system.

use std::ops::RangeInclusive;

use super::args::{First, InitiativeArgs};
use super::grids::{self, Axis};
use super::range::range;
use super::report::{Block, Fact, Report, Table, Value};
use super::rolls::{push_distribution, spread_facts, table_of};
use super::sample::{self, Counted};
use super::{OddsError, refuse};
use crate::dice::initiative::{Explode, Initiative, Precedence, ROUND_MARKS, TieBreak};
use crate::dice::notation::Notation;
use crate::dice::pool::Named;
use crate::dice::{Distribution, Faces, Weight};
use crate::fight::system::{Clock, System};
use crate::scenario::traits;
use crate::sim::initiative::{self, LastResort, Ties, Vocabulary};
use crate::systems::eclipse_phase::rules::{MOST_PHASES, Rounding};
use crate::systems::{self, Rules};

/// Ratings, bonuses and penalties go up to this.
const MOST_RATING: i64 = 1_000_000;

/// Whether the question is more than that of the Score of Tara-Corax alone.
pub(super) fn is_asked(args: &InitiativeArgs) -> bool {
    let score_alone = args.system == systems::TARA_CORAX.name
        && args.rating.is_none()
        && args.attributes.is_none()
        && args.against.is_none()
        && args.against_attributes.is_none()
        && args.grid.is_none()
        && args.dice.is_none()
        && args.ties.is_none()
        && args.delay.is_none()
        && args.delay_half.is_none()
        && args.owed == 0
        && args.show.is_none()
        && !args.fixed
        && !is_of_phases(args)
        && !args.share
        && !asks_of_another(args);
    !score_alone
}

/// Whether an option is about the other of two.
fn asks_of_another(args: &InitiativeArgs) -> bool {
    args.against_delay.is_some()
        || args.against_evade_modifier != 0
        || args.against_owed != 0
        || args.against_speed.is_some()
        || args.against_modifier != 0
        || args.against_wounds != 0
        || args.against_moxie
        || args.moxie
        || args.share
}

/// The options that Eclipse Phase alone has, and whether each is given.
fn options_of_phases(args: &InitiativeArgs) -> [(&'static str, bool); 8] {
    [
        ("--per-speed", args.per_speed),
        (
            "--speed",
            args.speed.is_some() || args.against_speed.is_some(),
        ),
        ("--speed-max", args.speed_max.is_some()),
        ("--rounding", args.rounding.is_some()),
        (
            "--modifier",
            args.modifier != 0 || args.against_modifier != 0,
        ),
        ("--wounds", args.wounds != 0 || args.against_wounds != 0),
        ("--wound", args.wound.is_some()),
        ("--moxie", args.moxie || args.against_moxie),
    ]
}

fn is_of_phases(args: &InitiativeArgs) -> bool {
    options_of_phases(args).iter().any(|(_, given)| *given)
}

/// What is rolled, and how ties are broken.
struct Rule {
    system: &'static System,
    /// Nothing where initiative is fixed.
    dice: Option<Notation>,
    ties: Ties,
    /// The highest Score (TC-1).
    round_marks: i64,
    /// Whether a delay halves the Roll instead of the Score (TC-4).
    delay_halves_roll: bool,
    /// Whether both act on one initiative (MA-1).
    is_shared: bool,
    per_speed: bool,
    rounding: Rounding,
    /// The greatest Speed (EP-2).
    most_speed: u8,
    /// What a wound takes off the total (EP-4).
    wound: i64,
}

/// One of the two.
#[derive(Debug, Clone, Copy)]
struct One {
    /// What is compared between equal totals.
    rating: i64,
    /// What the dice are added to.
    base: i64,
    /// The two traits of which the rating is made.
    traits: [i64; 2],
    /// Whether it delays, and rounds up (TC-4).
    delays: Option<bool>,
    /// Marks owed from the Round before (TC-12).
    owed: i64,
    /// Dice of which the best counts for its first action (EP-7).
    speed: u32,
    /// Whether it spends a point to go first (EP-5).
    moxie: bool,
}

impl Rule {
    fn read(args: &InitiativeArgs) -> Result<Self, OddsError> {
        let system = systems::named(&args.system).unwrap_or(systems::SYSTEMS[0]);
        let clock = system.clock;
        only(args.delay.is_some(), "--delay", clock, &[Clock::Marks])?;
        only(
            args.against_delay.is_some(),
            "--against-delay",
            clock,
            &[Clock::Marks],
        )?;
        only(args.explode.is_some(), "--explode", clock, &[Clock::Marks])?;
        let armoured = args.evade_modifier != 0 || args.against_evade_modifier != 0;
        only(armoured, "--evade-modifier", clock, &[Clock::Marks])?;
        for (option, given) in [
            ("--round-marks", args.round_marks.is_some()),
            ("--delay-half", args.delay_half.is_some()),
            ("--owed", args.owed != 0 || args.against_owed != 0),
        ] {
            only(given, option, clock, &[Clock::Marks])?;
        }
        only(args.share, "--share", clock, &[Clock::Turns])?;
        let fixes = &[Clock::Marks, Clock::Phases];
        only(args.fixed, "--fixed", clock, fixes)?;
        for (option, given) in options_of_phases(args) {
            only(given, option, clock, &[Clock::Phases])?;
        }
        if args.delay_half.is_some() && args.delay.is_none() && args.against_delay.is_none() {
            return refuse(
                "--delay-half says what --delay or --against-delay halves: add one of them",
            );
        }
        let speedy =
            args.speed.is_some() || args.against_speed.is_some() || args.speed_max.is_some();
        if speedy && !args.per_speed {
            return refuse(
                "--speed decides who is first with --per-speed alone: otherwise there is one roll",
            );
        }
        if args.fixed && (args.dice.is_some() || args.explode.is_some()) {
            return refuse("--fixed rolls no dice: leave --dice and --explode out");
        }
        Ok(Self {
            system,
            dice: (!args.fixed).then(|| dice(args, clock)).transpose()?,
            ties: ties(args, clock)?,
            round_marks: args.round_marks.unwrap_or(ROUND_MARKS),
            delay_halves_roll: args.delay_half.as_deref() == Some("roll"),
            is_shared: args.share,
            per_speed: args.per_speed,
            rounding: match args.rounding.as_deref() {
                Some("up") => Rounding::Up,
                Some("nearest") => Rounding::Nearest,
                _ => Rounding::Down,
            },
            most_speed: args.speed_max.unwrap_or(traits::MOST_SPEED),
            wound: args.wound.unwrap_or(1).into(),
        })
    }

    /// What a roll adds to the base of one.
    fn rolls(&self, one: One) -> Distribution {
        let Some(dice) = &self.dice else {
            return Distribution::certain(0);
        };
        best_of(&dice.distribution().map(bounded), one.speed)
    }

    fn roll(&self, one: One, faces: &mut Counted) -> i64 {
        let Some(dice) = &self.dice else {
            return 0;
        };
        let rolls = (0..one.speed).map(|_| bounded(dice.roll(faces)));
        rolls.max().unwrap_or(0)
    }

    /// The total, or the Score, of one who rolled that.
    fn total(&self, one: One, rolled: i64) -> i64 {
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

    fn totals(&self, one: One, rolls: &Distribution) -> Distribution {
        rolls.map(|rolled| self.total(one, rolled))
    }

    /// The least total with which one acts.
    fn least(&self) -> i64 {
        match self.system.clock {
            Clock::Marks => 1,
            _ => i64::MIN,
        }
    }

    fn tie_break(&self, first: One, second: One) -> TieBreak {
        let values = |one: One| [one.rating, one.traits[0], one.traits[1]];
        let (mine, theirs) = (values(first), values(second));
        for index in &self.ties.compared {
            let index = usize::from(*index);
            match mine[index].cmp(&theirs[index]) {
                std::cmp::Ordering::Greater => return TieBreak::First,
                std::cmp::Ordering::Less => return TieBreak::Second,
                std::cmp::Ordering::Equal => {}
            }
        }
        match self.ties.last {
            LastResort::Simultaneous => TieBreak::Simultaneous,
            LastResort::RollOff => TieBreak::RollOff,
        }
    }

    /// Which of the two goes first by Moxie, where one of them alone spends it (EP-5).
    fn first_by_moxie(first: One, second: One) -> Option<TieBreak> {
        match (first.moxie, second.moxie) {
            (true, false) => Some(TieBreak::First),
            (false, true) => Some(TieBreak::Second),
            _ => None,
        }
    }

    fn precedence(&self, first: One, second: One, rolls: [&Distribution; 2]) -> Precedence {
        let tie = self.tie_break(first, second);
        let moxie = Self::first_by_moxie(first, second);
        if self.is_shared || moxie.is_some() {
            let equal = Distribution::certain(0);
            return Precedence::of(&equal, &equal, 0, moxie.unwrap_or(tie));
        }
        let totals = [self.totals(first, rolls[0]), self.totals(second, rolls[1])];
        Precedence::of(&totals[0], &totals[1], self.least(), tie)
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
        let vocabulary = Vocabulary::of(self.system.clock);
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

/// Refuses an option that other systems have.
fn only(given: bool, option: &str, clock: Clock, clocks: &[Clock]) -> Result<(), OddsError> {
    if !given || clocks.contains(&clock) {
        return Ok(());
    }
    let systems = systems::SYSTEMS.iter();
    let names: Vec<&str> = systems
        .filter(|system| clocks.contains(&system.clock))
        .map(|system| system.name)
        .collect();
    refuse(format!("{option} is for --system {}", names.join(" and ")))
}

/// The dice; of a single die of Tara-Corax the highest face may explode (TC-3).
fn dice(args: &InitiativeArgs, clock: Clock) -> Result<Notation, OddsError> {
    let text = args.dice.as_deref().unwrap_or("1d10");
    let parse = |text: &str| {
        Notation::parse(text)
            .map_err(|error| OddsError::at(text, error.span, &error.message, error.help.as_deref()))
    };
    let written = parse(text)?;
    let most = initiative::Dice::MOST;
    let low = written.min() != i64::MIN && written.min() < -most;
    if low || written.max().is_some_and(|highest| highest > most) {
        let help = format!("expected dice that show -{most} to {most}");
        return Err(OddsError::at(
            text,
            0..text.len(),
            "--dice is out of range",
            Some(&help),
        ));
    }
    if clock != Clock::Marks {
        return Ok(written);
    }
    let explode = args.explode.as_deref().and_then(Explode::named);
    match written.as_sum() {
        Some(sum) if sum.count == 1 => {
            let again = match explode.unwrap_or_default() {
                Explode::Once if sum.sides > 1 => "xo",
                Explode::Recursive if sum.sides > 1 => "x",
                _ => "",
            };
            parse(
                &format!("1d{}{again}+{}", sum.sides, sum.bonus)
                    .replace("+-", "-")
                    .replace("+0", ""),
            )
        }
        _ if matches!(explode, Some(Explode::Once | Explode::Recursive)) => refuse(
            "--explode is about a single die: write the explosion in the dice, as in 2d6x or 2d6xo",
        ),
        _ => Ok(written),
    }
}

fn ties(args: &InitiativeArgs, clock: Clock) -> Result<Ties, OddsError> {
    let vocabulary = Vocabulary::of(clock);
    let Some(text) = &args.ties else {
        return Ok(Rules::of(clock).ties().clone());
    };
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    vocabulary.read(&words).map_err(|wrong| {
        let before: usize = text
            .split(',')
            .take(wrong.at)
            .map(|word| word.len() + 1)
            .sum();
        let length = text.split(',').nth(wrong.at).map_or(0, str::len);
        let mut help = wrong.label;
        if let Some(more) = wrong.help {
            help = format!("{help}; {more}");
        }
        OddsError::at(text, before..before + length, &wrong.title, Some(&help))
    })
}

/// The best of several rolls.
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

/// A roll within the bounds that fights hold to.
fn bounded(points: i64) -> i64 {
    let most = initiative::Dice::MOST;
    points.clamp(-most, most)
}

/// What the options say of one of the two, its rating perhaps a range.
struct Side {
    clock: Clock,
    ratings: RangeInclusive<i64>,
    /// Everything but what depends on the rating.
    one: One,
    attributes: Option<[i64; 2]>,
    /// What belongs to the rating without being written as such: `initiative_modifier` (EP-1).
    modifier: i64,
    /// What is added to a rating without dice: armour, wounds, or a half that is rounded up.
    more: i64,
}

impl Side {
    fn at(&self, written: i64) -> One {
        let rating = written + self.modifier;
        let outright = || traits::of_rating(self.clock, written);
        One {
            rating,
            base: rating + self.more,
            traits: self.attributes.unwrap_or_else(outright),
            ..self.one
        }
    }

    /// The one rating, where it is not a range.
    fn only(&self) -> One {
        self.at(*self.ratings.start())
    }

    fn is_single(&self) -> bool {
        self.ratings.start() == self.ratings.end()
    }
}

/// The options of one of the two.
struct Written<'a> {
    option: &'a str,
    rating: Option<String>,
    attributes: Option<[i64; 2]>,
    evade_modifier: u32,
    delay: Option<&'a String>,
    owed: u32,
    speed: Option<u8>,
    modifier: i32,
    wounds: u16,
    moxie: bool,
}

impl Written<'_> {
    /// Dice of which the best counts: Speed within the limits of fights (EP-2, EP-7).
    fn speed(&self, rule: &Rule) -> Result<u32, OddsError> {
        let speed = self.speed.unwrap_or(1);
        let most = rule.most_speed.max(traits::MOST_SPEED);
        if !(1..=most).contains(&speed) {
            return refuse(format!(
                "{} with Speed {speed}: expected 1 to {most}; --speed-max allows up to {MOST_PHASES}",
                self.option
            ));
        }
        Ok(speed.min(rule.most_speed).into())
    }

    fn read(&self, rule: &Rule) -> Result<Side, OddsError> {
        if i64::from(self.owed) >= rule.round_marks {
            return refuse(format!(
                "{} owes {} Marks: who owes a whole Round of {} skips it",
                self.option, self.owed, rule.round_marks
            ));
        }
        if i64::from(self.modifier).abs() > MOST_RATING {
            return refuse(format!("{}: modifiers go up to {MOST_RATING}", self.option));
        }
        let mut more = -i64::from(self.evade_modifier / 2) - rule.wound * i64::from(self.wounds);
        let ratings = match (&self.rating, self.attributes) {
            (Some(_), Some(_)) => {
                return refuse(format!(
                    "{0} and {0}-attributes both say what the rating is",
                    self.option
                ));
            }
            (Some(text), None) => range(self.option, text)?,
            (None, Some([a, b])) => {
                let rating = match rule.system.clock {
                    Clock::Marks => Initiative::characteristic(a, b),
                    Clock::Turns | Clock::Order => a + b,
                    Clock::Phases => rule.rounding.fifth(a + b),
                };
                if rule.system.clock == Clock::Marks && rule.dice.is_none() {
                    // TC-3: the very simple mode rounds up.
                    more += (a + b + 1).div_euclid(2) - rating;
                }
                rating..=rating
            }
            (None, None) => {
                return refuse(format!(
                    "{0} is missing: name a rating, or a range for a grid",
                    self.option
                ));
            }
        };
        if ratings.start().abs().max(ratings.end().abs()) > MOST_RATING {
            return refuse(format!("{}: ratings go up to {MOST_RATING}", self.option));
        }
        Ok(Side {
            clock: rule.system.clock,
            one: One {
                rating: 0,
                base: 0,
                traits: [0; 2],
                delays: self.delay.map(|way| way == "up"),
                owed: self.owed.into(),
                speed: self.speed(rule)?,
                moxie: self.moxie,
            },
            ratings,
            attributes: self.attributes,
            modifier: self.modifier.into(),
            more,
        })
    }
}

fn attributes(option: &str, text: Option<&String>) -> Result<Option<[i64; 2]>, OddsError> {
    let Some(text) = text else { return Ok(None) };
    let numbers: Vec<_> = text
        .split(',')
        .map(|word| word.trim().parse::<i64>())
        .collect();
    match numbers[..] {
        [Ok(a), Ok(b)] if a.abs().max(b.abs()) <= MOST_RATING => Ok(Some([a, b])),
        _ => refuse(format!(
            "{option} {text}: expected two numbers up to {MOST_RATING}, such as 3,2"
        )),
    }
}

/// Answers the question.
pub(super) fn answer(args: &InitiativeArgs) -> Result<Report, OddsError> {
    let rule = Rule::read(args)?;
    if args.agility.is_some() {
        return refuse(
            "--agility and --intellect ask for a Score alone: write --attributes AGILITY,INTELLECT",
        );
    }
    if args.rounding.is_some() && args.attributes.is_none() && args.against_attributes.is_none() {
        return refuse("--rounding is about --attributes: a rating is whole already");
    }
    let rating = args
        .rating
        .clone()
        .or(args.characteristic.map(|one| one.to_string()));
    if args.grid.is_some() && (rating.is_some() || args.against.is_some()) {
        return refuse("--grid is both --rating and --against: leave these out");
    }
    let first = Written {
        option: "--rating",
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
    let second = Written {
        option: "--against",
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
    let mine = first.read(&rule)?;
    if second.rating.is_none() && second.attributes.is_none() {
        return alone(args, &rule, &mine);
    }
    let theirs = second.read(&rule)?;
    if mine.is_single() && theirs.is_single() {
        return two(args, &rule, mine.only(), theirs.only());
    }
    if args.output.sample.is_some() {
        return refuse("--sample is for two ratings, not for a grid");
    }
    grid(args, &rule, &mine, &theirs)
}

/// The total of one.
fn alone(args: &InitiativeArgs, rule: &Rule, side: &Side) -> Result<Report, OddsError> {
    if !side.is_single() {
        return refuse("a grid needs --against, or --grid");
    }
    if asks_of_another(args) || args.ties.is_some() || args.show.is_some() {
        return refuse("--ties, --show and options of the second need --against");
    }
    let one = side.only();
    let tally = sample::tally(&args.output, |faces| {
        Some(rule.total(one, rule.roll(one, faces)))
    })?;
    let totals = rule.totals(one, &rule.rolls(one));
    let mut report = Report::new(
        format!("Initiative in {}, rating {}", rule.system.title, one.rating),
        vec![rule.describe()],
    );
    let mut facts = Vec::new();
    if rule.system.clock == Clock::Marks {
        let never = Value::Chance(totals.below(1));
        facts.push(Fact::new("p_cannot_act", "cannot act", never));
    }
    facts.extend(spread_facts(&totals));
    report.facts(facts);
    let table = table_of(&totals, "total", "Totals", "total");
    push_distribution(&mut report, table, &totals, tally.as_ref());
    Ok(report)
}

/// The outcomes, their keys, and what they are called.
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

/// The number of outcomes: only in Tara-Corax may a combatant be unable to act.
fn outcomes(rule: &Rule) -> usize {
    if rule.system.clock == Clock::Marks {
        4
    } else {
        3
    }
}

fn two(args: &InitiativeArgs, rule: &Rule, first: One, second: One) -> Result<Report, OddsError> {
    let tally = sample::tally(&args.output, |faces| {
        Some(rule.play(first, second, faces) as i64)
    })?;
    let rolls = [rule.rolls(first), rule.rolls(second)];
    let precedence = rule.precedence(first, second, [&rolls[0], &rolls[1]]);
    let chances = chances(&precedence);
    let mut report = Report::new(
        format!(
            "who acts first in {}: rating {} against {}",
            rule.system.title, first.rating, second.rating
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
    if let Some(tally) = tally {
        let terms: Vec<_> = (1..)
            .zip(chances)
            .map(|(code, chance)| (code, Weight::from(chance)))
            .collect();
        let exact = Distribution::collect(&terms);
        let title = "Cross-check: 1 the first, 2 both at once, 3 the second, 4 neither";
        let mut table = table_of(&exact, "value", title, "value");
        table.bars = None;
        tally.extend(&mut table);
        report.blocks.push(Block::Table(table));
        report.facts(tally.verdict(&exact));
    }
    Ok(report)
}

impl Rule {
    /// Rolls for both: the number of the outcome, from 1.
    fn play(&self, first: One, second: One, faces: &mut Counted) -> usize {
        let moxie = Self::first_by_moxie(first, second);
        let (mine, theirs) = if self.is_shared {
            let total = self.total(first, self.roll(first, faces));
            (total, total)
        } else {
            let mine = self.total(first, self.roll(first, faces));
            (mine, self.total(second, self.roll(second, faces)))
        };
        match moxie {
            Some(TieBreak::First) => return 1,
            Some(_) => return 3,
            None => {}
        }
        let acts = |total: i64| total >= self.least();
        match (acts(mine), acts(theirs)) {
            (false, false) => return 4,
            (true, false) => return 1,
            (false, true) => return 3,
            (true, true) => {}
        }
        match (mine.cmp(&theirs), self.tie_break(first, second)) {
            (std::cmp::Ordering::Greater, _) | (_, TieBreak::First) if mine >= theirs => 1,
            (std::cmp::Ordering::Less, _) | (_, TieBreak::Second) => 3,
            (_, TieBreak::Simultaneous) => 2,
            _ => loop {
                match faces.face(10).cmp(&faces.face(10)) {
                    std::cmp::Ordering::Greater => break 1,
                    std::cmp::Ordering::Less => break 3,
                    std::cmp::Ordering::Equal => {}
                }
            },
        }
    }
}

/// One outcome over the ratings of both.
fn grid(
    args: &InitiativeArgs,
    rule: &Rule,
    mine: &Side,
    theirs: &Side,
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
    let axes = [("ratings", mine), ("against", theirs)].map(|(label, side)| Axis {
        label,
        values: side.ratings.clone(),
    });
    let spelled = axes.each_ref().map(Axis::spelled).join(" ");
    let mut report = Report::new(
        format!("who acts first in {}: {spelled}", rule.system.title),
        vec![rule.describe()],
    );
    let title = format!("Chance that {}, in per cent", OUTCOMES[shown].1);
    report.blocks.push(grids::block(
        title,
        [
            &Axis {
                label: "rating",
                ..axes[0].clone()
            },
            &axes[1],
        ],
        cells,
    ));
    report.rows = table;
    Ok(report)
}
