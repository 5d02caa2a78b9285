//! The options of a question about initiative: which systems have them, and how they describe each of the two
//! combatants.

use super::super::args::InitiativeArgs;
use super::super::range::{pieces, range};
use super::super::{OddsError, parsed, refuse};
use super::{Contest, MOST_RATING};
use crate::dice::Notation;
use crate::dice::initiative::{Explode, ROUND_MARKS, characteristic};
use crate::fight::initiative::{self, MOST_SPEED, Ties};
use crate::fight::system::{Clock, System};
use crate::names::Named as _;
use crate::report::number::counted;
use crate::systems::eclipse_phase::rules::{MOST_PHASES, Rounding};
use crate::systems::{self, Rules};
use std::ops::RangeInclusive;

/// An option that only some systems have: whether it is given, its name, and the clocks of these systems.
type OptionOfSystems = (bool, &'static str, &'static [Clock]);

const MARKS: &[Clock] = &[Clock::Marks];
const PHASES: &[Clock] = &[Clock::Phases];

/// Returns the options of the question that only some systems have.
fn options_of_systems(args: &InitiativeArgs) -> [OptionOfSystems; 8] {
    [
        (args.explode.is_some(), "explode", MARKS),
        (args.round_marks.is_some(), "round-marks", MARKS),
        (args.delay_half.is_some(), "delay-half", MARKS),
        (args.fixed, "fixed", &[Clock::Marks, Clock::Phases]),
        (args.per_speed, "per-speed", PHASES),
        (args.speed_max.is_some(), "speed-max", PHASES),
        (args.rounding.is_some(), "rounding", PHASES),
        (args.wound.is_some(), "wound", PHASES),
    ]
}

impl SideArgs<'_> {
    /// Returns the options of one of the two combatants that only some systems have.
    fn options_of_systems(&self) -> [OptionOfSystems; 7] {
        [
            (self.delay.is_some(), "delay", MARKS),
            (self.evade_modifier != 0, "evade-modifier", MARKS),
            (self.owed != 0, "owed", MARKS),
            (self.speed.is_some(), "speed", PHASES),
            (self.modifier != 0, "modifier", PHASES),
            (self.wounds != 0, "wounds", PHASES),
            (self.moxie, "moxie", PHASES),
        ]
    }
}

impl Contest {
    pub(super) fn read(
        args: &InitiativeArgs,
        sides: &[SideArgs<'_>; 2],
    ) -> Result<Self, OddsError> {
        let system = systems::named(&args.system).unwrap_or(systems::SYSTEMS[0]);
        let clock = system.clock;
        let [first, second] = sides.each_ref().map(SideArgs::options_of_systems);
        for (prefix, options) in [
            ("--", &options_of_systems(args)[..]),
            ("--", &first[..]),
            ("--against-", &second[..]),
        ] {
            for (given, option, clocks) in options {
                only(*given, &format!("{prefix}{option}"), clock, clocks)?;
            }
        }
        if args.delay_half.is_some() && args.delay.is_none() && args.against_delay.is_none() {
            return refuse(
                "--delay-half says what --delay or --against-delay halves: add one of them",
            );
        }
        let is_speedy = sides.iter().any(|side| side.speed.is_some()) || args.speed_max.is_some();
        if is_speedy && !args.per_speed {
            return refuse(
                "--speed decides who is first with --per-speed alone: otherwise there is one roll",
            );
        }
        if args.share && args.per_speed {
            return refuse("--share is for one roll: leave --per-speed out");
        }
        if args.fixed && (args.dice.is_some() || args.explode.is_some()) {
            return refuse("--fixed rolls no dice: leave --dice and --explode out");
        }
        Ok(Self {
            system,
            dice: (!args.fixed).then(|| dice(args, clock)).transpose()?,
            ties: ties(args, system)?,
            round_marks: args.round_marks.unwrap_or(ROUND_MARKS),
            delay_halves_roll: args.delay_half.as_deref() == Some("roll"),
            is_shared: args.share,
            per_speed: args.per_speed,
            rounding: args
                .rounding
                .as_deref()
                .and_then(Rounding::named)
                .unwrap_or(Rounding::Down),
            most_speed: args.speed_max.unwrap_or(MOST_SPEED),
            wound: args.wound.unwrap_or(1).into(),
        })
    }
}

/// Refuses an option that only other systems have.
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

/// Returns the dice. In Tara-Corax the highest face of a single die may explode (TC-3).
pub(in super::super) fn dice(args: &InitiativeArgs, clock: Clock) -> Result<Notation, OddsError> {
    let text = args.dice.as_deref().unwrap_or("1d10");
    let parse = |text: &str| parsed(text, Notation::parse(text));
    let written = parse(text)?;
    let most = initiative::MOST_ROLL;
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
    match written.as_sum() {
        Some(sum) if sum.count == 1 => {
            let again = match args.explode.unwrap_or_default() {
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
        _ if matches!(args.explode, Some(Explode::Once | Explode::Recursive)) => refuse(
            "--explode is about a single die: write the explosion in the dice, as in 2d6x or 2d6xo",
        ),
        _ => Ok(written),
    }
}

fn ties(args: &InitiativeArgs, system: &System) -> Result<Ties, OddsError> {
    let Some(text) = &args.ties else {
        return Ok(Rules::of(system.clock).ties().clone());
    };
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    system.ties.read(&words).map_err(|wrong| {
        let end = text.len()..text.len();
        let span = pieces(text).nth(wrong.at).unwrap_or(end);
        let mut help = wrong.label;
        if let Some(more) = wrong.help {
            help = format!("{help}; {more}");
        }
        OddsError::at(text, span, &wrong.title, Some(&help))
    })
}

/// One of the two combatants, perhaps with a range of ratings.
pub(super) struct Contestant {
    /// The ratings, as they are written.
    pub(super) ratings: RangeInclusive<i64>,
    attributes: Option<[i64; 2]>,
    /// A modifier of the rating that is given separately: `initiative_modifier` (EP-1).
    modifier: i64,
    /// The number added to the rating for the total: armour, wounds, or a half that is rounded up.
    more: i64,
    /// Whether the combatant delays (TC-4): `Some(true)` if the half is rounded up, `Some(false)` if it is rounded
    /// down.
    pub(super) delays: Option<bool>,
    /// The Marks owed from the Round before (TC-12).
    pub(super) owed: i64,
    /// The number of rolls of which the best counts for the first action (EP-7).
    pub(super) speed: u32,
    /// Whether the combatant spends a point of Moxie to go first (EP-5).
    pub(super) moxie: bool,
    /// The other options that decide the order, for the question.
    pub(super) words: String,
}

impl Contestant {
    /// Returns the number that is compared between equal totals.
    pub(super) fn rating(&self, written: i64) -> i64 {
        written + self.modifier
    }

    /// Returns the number that is added to the dice.
    pub(super) fn base(&self, written: i64) -> i64 {
        self.rating(written) + self.more
    }

    /// Returns the two traits that make the rating.
    pub(super) fn traits(&self, system: &System, written: i64) -> [i64; 2] {
        self.attributes
            .unwrap_or_else(|| (system.of_rating)(written))
    }

    pub(super) fn is_single(&self) -> bool {
        self.ratings.start() == self.ratings.end()
    }
}

/// The options of one of the two combatants, as written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SideArgs<'a> {
    pub(super) option: &'a str,
    pub(super) rating: Option<String>,
    pub(super) attributes: Option<[i64; 2]>,
    pub(super) evade_modifier: u32,
    pub(super) delay: Option<&'a String>,
    pub(super) owed: u32,
    pub(super) speed: Option<u8>,
    pub(super) modifier: i32,
    pub(super) wounds: u16,
    pub(super) moxie: bool,
}

impl SideArgs<'_> {
    /// Returns the number of rolls of which the best counts: Speed within the limits of fights (EP-2, EP-7).
    fn speed(&self, contest: &Contest) -> Result<u32, OddsError> {
        let speed = self.speed.unwrap_or(1);
        let most = contest.most_speed.max(MOST_SPEED);
        if !(1..=most).contains(&speed) {
            return refuse(format!(
                "{} with Speed {speed}: expected 1 to {most}; --speed-max allows up to {MOST_PHASES}",
                self.option
            ));
        }
        Ok(speed.min(contest.most_speed).into())
    }

    pub(super) fn read(&self, contest: &Contest) -> Result<Contestant, OddsError> {
        if i64::from(self.owed) >= contest.round_marks {
            return refuse(format!(
                "{} owes {} Marks: who owes a whole Round of {} skips it",
                self.option, self.owed, contest.round_marks
            ));
        }
        if i64::from(self.modifier).abs() > MOST_RATING {
            return refuse(format!("{}: modifiers go up to {MOST_RATING}", self.option));
        }
        let mut more = -i64::from(self.evade_modifier / 2) - contest.wound * i64::from(self.wounds);
        let ratings = match (&self.rating, self.attributes) {
            (Some(_), Some(_)) => {
                return refuse(format!(
                    "{0} and {0}-attributes both say what the rating is",
                    self.option
                ));
            }
            (Some(text), None) => range(self.option, text)?,
            (None, Some([a, b])) => {
                let rating = match contest.system.clock {
                    Clock::Marks => characteristic(a, b),
                    Clock::Phases => contest.rounding.fifth(a + b),
                    _ => a + b,
                };
                if contest.system.clock == Clock::Marks && contest.dice.is_none() {
                    // TC-3: the "very simple" mode rounds up.
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
        Ok(Contestant {
            ratings,
            attributes: self.attributes,
            modifier: self.modifier.into(),
            more,
            delays: self.delay.map(|way| way == "up"),
            owed: self.owed.into(),
            speed: self.speed(contest)?,
            moxie: self.moxie,
            words: self.words(),
        })
    }

    /// Returns the options besides the rating in words: ` (delays to half, rounded up; owes 4 Marks)`.
    fn words(&self) -> String {
        let some = |count: u64, what: &str| (count > 0).then(|| counted(count, what));
        let parts = [
            (self.evade_modifier > 0).then(|| format!("evade penalty {}", self.evade_modifier)),
            self.delay
                .map(|way| format!("delays to half, rounded {way}")),
            some(self.owed.into(), "Mark").map(|marks| format!("owes {marks}")),
            self.speed.map(|speed| format!("Speed {speed}")),
            (self.modifier != 0).then(|| format!("modifier {:+}", self.modifier)),
            some(self.wounds.into(), "wound"),
            self.moxie.then(|| "spends Moxie".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return String::new();
        }
        format!(" ({})", parts.join("; "))
    }
}

pub(super) fn attributes(
    option: &str,
    text: Option<&String>,
) -> Result<Option<[i64; 2]>, OddsError> {
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
