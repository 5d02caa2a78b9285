//! The rule of a pool: read from options, described in answers, changed by `--compare`.

use std::ops::RangeInclusive;

use super::args::{PoolArgs, PoolOptions};
use super::range::{self, single};
use super::{OddsError, refuse, refuse_options};
use crate::dice::pool::{
    Again, Botch, Chronicles, MAX_POOL, Ones, Pool, PoolError, Storyteller, Tens,
};
use crate::names::Named;
use crate::report::{Fact, Value};

/// The default difficulty of a pool.
pub(super) const DIFFICULTY: i64 = 6;

/// The effect of 10s in the pool of a specialty, as in scenarios (MD-4).
const SPECIALTY: Tens = Tens::Double;

/// The columns of [`Rule::cells`].
pub(super) const COLUMNS: [&str; 8] = [
    "pool",
    "difficulty",
    "tens",
    "ones",
    "ones_on_explosion",
    "botch_rule",
    "required",
    "willpower",
];

/// A pool of either family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Storyteller(Storyteller),
    Chronicles(Chronicles),
}

/// Returns the options of a Storyteller pool. Its size, its difficulty and the required successes are set later.
pub(super) fn storyteller(options: &PoolOptions) -> Storyteller {
    Storyteller {
        tens: options.tens.unwrap_or_default(),
        ones: options.ones.unwrap_or_default(),
        ones_on_explosion: options.ones_on_explosion.unwrap_or_default(),
        botch: options.botch.unwrap_or_default(),
        willpower: options.willpower,
        ..Storyteller::new(0, DIFFICULTY as u32)
    }
}

/// Returns the required net successes, one number or a range.
pub(super) fn required(options: &PoolOptions) -> Result<RangeInclusive<u32>, OddsError> {
    let Some(text) = &options.required else {
        return Ok(1..=1);
    };
    let required = range::range("--required", text)?;
    Ok(whole_required(*required.start())?..=whole_required(*required.end())?)
}

/// Returns the required net successes, which must be a single number.
pub(super) fn single_required(options: &PoolOptions) -> Result<u32, OddsError> {
    match &options.required {
        None => Ok(1),
        Some(text) => whole_required(single("--required", text)?),
    }
}

/// Returns the difficulty, which must be a single number.
pub(super) fn single_difficulty(args: &PoolArgs) -> Result<i64, OddsError> {
    match &args.difficulty {
        None => Ok(DIFFICULTY),
        Some(text) => single("--difficulty", text),
    }
}

/// Checks that one roll has the point of Willpower that its sure success costs (MD-4).
pub(super) fn affordable_willpower(options: &PoolOptions) -> Result<(), OddsError> {
    if options.willpower && options.willpower_points == Some(0) {
        return refuse("--willpower-points 0: a sure success costs 1 point of Willpower");
    }
    Ok(())
}

/// Returns the fact that states the cost of a sure success, and the points available if they are given.
pub(super) fn willpower_cost(options: &PoolOptions) -> Option<Fact> {
    let left = match options.willpower_points {
        Some(points) => format!("1 of {points}"),
        None => "1".to_owned(),
    };
    let cost = Fact::new(
        "willpower_cost",
        "points of Willpower spent",
        Value::text(&left),
    );
    options.willpower.then_some(cost)
}

pub(super) fn whole_required(value: i64) -> Result<u32, OddsError> {
    match u32::try_from(value) {
        Ok(required) if required > 0 => Ok(required),
        _ => refuse(PoolError::Required(value)),
    }
}

impl Rule {
    /// Reads the rule from the arguments. Its size, its difficulty and the required successes are set later.
    pub(super) fn read(args: &PoolArgs) -> Result<Self, OddsError> {
        if !args.chronicles {
            if args.again.is_some() || args.rote {
                return refuse("--again and --rote are for Chronicles pools: add --chronicles");
            }
            let rule = storyteller(&args.options);
            let tens = if args.specialty { SPECIALTY } else { rule.tens };
            return Ok(Self::Storyteller(Storyteller { tens, ..rule }));
        }
        let options = &args.options;
        let strange = [
            (options.tens.is_some(), "--tens"),
            (options.ones.is_some(), "--ones"),
            (options.ones_on_explosion.is_some(), "--ones-on-explosion"),
            (options.botch.is_some(), "--botch"),
            (args.specialty, "--specialty"),
            (args.against_specialty, "--against-specialty"),
            (args.difficulty.is_some(), "--difficulty"),
            (args.against_difficulty.is_some(), "--against-difficulty"),
        ];
        let why =
            "is for Storyteller pools: a Chronicles die succeeds on 8 or more, and 1s do nothing";
        refuse_options(&strange, why)?;
        Ok(Self::Chronicles(Chronicles {
            again: args.again.unwrap_or_default(),
            rote: args.rote,
            willpower: options.willpower,
            ..Chronicles::new(0)
        }))
    }

    /// Returns the same rule for a pool of this size and difficulty.
    pub(super) fn sized(self, pool: i64, difficulty: i64) -> Result<Self, OddsError> {
        if pool > i64::from(MAX_POOL) {
            return refuse(PoolError::TooManyDice(pool));
        }
        let rule = match self {
            Self::Storyteller(rule) => {
                let Ok(pool) = u32::try_from(pool) else {
                    return refuse(PoolError::Negative(pool));
                };
                let Ok(difficulty) = u32::try_from(difficulty) else {
                    return refuse(PoolError::Difficulty(difficulty));
                };
                Self::Storyteller(Storyteller {
                    pool,
                    difficulty,
                    ..rule
                })
            }
            Self::Chronicles(rule) => Self::Chronicles(Chronicles {
                pool: pool.max(i64::from(i32::MIN)) as i32,
                ..rule
            }),
        };
        rule.compile()?;
        Ok(rule)
    }

    /// Returns the same rule with this number of required net successes.
    pub(super) const fn requiring(mut self, required: u32) -> Self {
        *self.shared().0 = required;
        self
    }

    /// Returns the numbers of both families: the required net successes, and whether Willpower is spent.
    const fn shared(&mut self) -> (&mut u32, &mut bool) {
        match self {
            Self::Storyteller(rule) => (&mut rule.required, &mut rule.willpower),
            Self::Chronicles(rule) => (&mut rule.required, &mut rule.willpower),
        }
    }

    /// Returns the same rule for another pool, of a helper or of the other side. Willpower and a specialty belong to
    /// one pool (MD-4). Without the specialty, 10s have their default effect, because --tens cannot be combined with
    /// it.
    pub(super) fn of_another(self, args: &PoolArgs, specialty: bool) -> Self {
        let mut this = self.unwilling();
        if let Self::Storyteller(rule) = &mut this {
            if specialty {
                rule.tens = SPECIALTY;
            } else if args.specialty {
                rule.tens = Tens::default();
            }
        }
        this
    }

    /// Returns the same rule without Willpower.
    const fn unwilling(mut self) -> Self {
        *self.shared().1 = false;
        self
    }

    /// Returns the pools of a list, by this rule. Only the leader has Willpower.
    pub(super) fn parts(&self, option: &str, text: &str) -> Result<Vec<Self>, OddsError> {
        let rule = |(dice, difficulty): (i64, Option<i64>)| {
            if difficulty.is_some() && matches!(self, Self::Chronicles(_)) {
                return refuse(format!(
                    "{option}: a Chronicles die has no difficulty: leave out what begins with `@`"
                ));
            }
            let difficulty = difficulty.unwrap_or_else(|| self.difficulty());
            self.unwilling().sized(dice, difficulty)
        };
        range::parts(option, text)?.into_iter().map(rule).collect()
    }

    pub(super) fn compile(&self) -> Result<Pool, OddsError> {
        match self {
            Self::Storyteller(rule) => rule.compile(),
            Self::Chronicles(rule) => rule.compile(),
        }
        .map_err(OddsError::input)
    }

    pub(super) const fn is_joint(&self) -> bool {
        match self {
            Self::Storyteller(rule) => rule.is_joint(),
            Self::Chronicles(_) => false,
        }
    }

    pub(super) const fn pool(&self) -> i64 {
        match self {
            Self::Storyteller(rule) => rule.pool as i64,
            Self::Chronicles(rule) => rule.pool as i64,
        }
    }

    pub(super) const fn required(&self) -> u32 {
        match self {
            Self::Storyteller(rule) => rule.required,
            Self::Chronicles(rule) => rule.required,
        }
    }

    /// Returns the difficulty of a Storyteller pool; 0 for a Chronicles pool, which has none.
    pub(super) fn difficulty(&self) -> i64 {
        match self {
            Self::Storyteller(rule) => rule.difficulty.into(),
            Self::Chronicles(_) => 0,
        }
    }

    /// Describes the roll in words.
    pub(super) fn question(&self) -> String {
        let dice = |pool: i64| format!("{pool} {}", if pool == 1 { "die" } else { "dice" });
        match self {
            Self::Storyteller(rule) => {
                format!("{}, difficulty {}", dice(self.pool()), rule.difficulty)
            }
            Self::Chronicles(rule) if rule.is_chance() => "a chance die".to_owned(),
            Self::Chronicles(_) => format!("{} of Chronicles", dice(self.pool())),
        }
    }

    /// Describes the rule in words.
    pub(super) fn describe(&self) -> String {
        self.described(Some(self.required()))
    }

    /// Describes the rule in words, without the required successes if a grid varies them.
    pub(super) fn described(&self, required: Option<u32>) -> String {
        let (mut parts, willpower) = match self {
            Self::Storyteller(rule) => {
                let tens = match rule.tens {
                    Tens::Explode => "10s explode",
                    Tens::Once => "10s explode once",
                    Tens::Double => "10s count double",
                    Tens::Plain => "10s are plain successes",
                    Tens::Cancel => "a 10 cancels a 1 first",
                };
                let extra = matches!(rule.tens, Tens::Explode | Tens::Once);
                let ones = match (rule.ones, rule.ones_on_explosion) {
                    (Ones::Cancel, Ones::Ignore) if extra => "1s cancel, but not on extra dice",
                    (Ones::Cancel, _) => "1s cancel",
                    (Ones::Ignore, Ones::Ignore) if extra => {
                        "1s do not cancel, and on extra dice do nothing"
                    }
                    (Ones::Ignore, _) => "1s do not cancel",
                };
                let botch = match rule.botch {
                    _ if rule.willpower => "no botch with Willpower",
                    Botch::OnesExceed => "botch: more 1s than successes",
                    Botch::AnyTime => "botch: more 1s than successes at any time",
                    Botch::NoSuccess => "botch: no success and a 1",
                    Botch::None => "no botches",
                };
                (vec![tens, ones, botch], rule.willpower)
            }
            Self::Chronicles(rule) if rule.is_chance() => (
                vec!["a 10 succeeds, a 1 is a dramatic failure"],
                rule.willpower,
            ),
            Self::Chronicles(rule) => {
                let again = match rule.again {
                    Again::Ten => "10s roll again",
                    Again::Nine => "9s and 10s roll again",
                    Again::Eight => "8s, 9s and 10s roll again",
                    Again::Never => "no die rolls again",
                };
                let mut parts = vec!["8 or more succeeds", again];
                parts.extend(rule.rote.then_some("failed dice are rolled once more"));
                (parts, rule.willpower)
            }
        };
        let required = required.map(|required| format!("{required} required"));
        parts.extend(required.as_deref());
        parts.extend(willpower.then_some("1 point of Willpower adds one sure success"));
        parts.join("; ")
    }

    /// Returns the rule as cells of a row: pool, difficulty and options.
    pub(super) fn cells(&self) -> Vec<Value> {
        let text = |name: &str| Value::text(name);
        let whole = |number: u32| Value::Whole(i64::from(number));
        match self {
            Self::Storyteller(rule) => vec![
                whole(rule.pool),
                whole(rule.difficulty),
                text(rule.tens.name()),
                text(rule.ones.name()),
                text(rule.ones_on_explosion.name()),
                text(rule.botch.name()),
                whole(rule.required),
                Value::Flag(rule.willpower),
            ],
            Self::Chronicles(rule) => {
                let again = match (rule.is_chance(), rule.again) {
                    (true, _) => "plain".to_owned(),
                    (false, Again::Never) => "none-again".to_owned(),
                    (false, again) => format!("{}-again", again.name()),
                };
                let rote = rule.rote && !rule.is_chance();
                vec![
                    Value::Whole(i64::from(rule.pool)),
                    whole(if rule.is_chance() { 10 } else { 8 }),
                    Value::Text(if rote { format!("{again}+rote") } else { again }.into()),
                    text("ignore"),
                    text("ignore"),
                    text(if rule.is_chance() {
                        "chance-die"
                    } else {
                        "none"
                    }),
                    whole(rule.required),
                    Value::Flag(rule.willpower),
                ]
            }
        }
    }

    /// Returns the rule with one option changed, as `--compare` writes it.
    pub(super) fn changed(self, change: &str) -> Result<Self, OddsError> {
        let Some((name, value)) = change.split_once('=') else {
            let help = "write an option and its value, as in `botch=no-success`";
            let message = "--compare: an equals sign is missing";
            return Err(OddsError::at(change, 0..change.len(), message, Some(help)));
        };
        let at = name.len() + 1;
        let bad = |known: Vec<&'static str>| {
            let message = format!("--compare: `{name}` cannot be `{value}`");
            let help = format!("known values: {}", known.join(", "));
            OddsError::at(change, at..change.len(), &message, Some(&help))
        };
        let flag = |value: &str| match value {
            "yes" | "true" => Ok(true),
            "no" | "false" => Ok(false),
            _ => Err(vec!["yes", "no"]),
        };
        let number = || single("--compare", value);
        let mut changed = self;
        match (&mut changed, name) {
            (_, "pool") => return self.sized(number()?, self.difficulty()),
            (Self::Storyteller(_), "difficulty") => return self.sized(self.pool(), number()?),
            (rule, "required") => *rule.shared().0 = whole_required(number()?)?,
            (rule, "willpower") => *rule.shared().1 = flag(value).map_err(bad)?,
            (Self::Storyteller(rule), "tens") => rule.tens = pick(value).map_err(bad)?,
            (Self::Storyteller(rule), "ones") => rule.ones = pick(value).map_err(bad)?,
            (Self::Storyteller(rule), "ones-on-explosion") => {
                rule.ones_on_explosion = pick(value).map_err(bad)?;
            }
            (Self::Storyteller(rule), "botch") => rule.botch = pick(value).map_err(bad)?,
            (Self::Chronicles(rule), "again") => rule.again = pick(value).map_err(bad)?,
            (Self::Chronicles(rule), "rote") => rule.rote = flag(value).map_err(bad)?,
            (rule, _) => {
                let known = match rule {
                    Self::Storyteller(_) => {
                        "tens, ones, ones-on-explosion, botch, required, willpower, pool, difficulty"
                    }
                    Self::Chronicles(_) => "again, rote, required, willpower, pool",
                };
                let message = format!("--compare: there is no option `{name}`");
                let help = format!("known options: {known}");
                return Err(OddsError::at(change, 0..name.len(), &message, Some(&help)));
            }
        }
        changed.compile()?;
        Ok(changed)
    }
}

/// Returns the value with this name, or the list of all names.
fn pick<T: Named>(value: &str) -> Result<T, Vec<&'static str>> {
    T::named(value).ok_or_else(|| T::ALL.iter().map(|(name, _)| *name).collect())
}
