//! The arguments of `skirmish odds`, as they are written.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Subcommand, ValueEnum};

use crate::dice::attack::CriticalDamage;
use crate::dice::extended::OnBotch;
use crate::dice::initiative::{Explode, ROUND_MARKS};
use crate::dice::pool::{Again, Botch, Ones, Tens};
use crate::names::Named;
use crate::options::{Format, PageArgs, WideArgs};
use crate::systems::tara_corax::rules::MOST_MARKS;

/// Answers dice questions exactly: pools, dice notation, opposed and extended rolls.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(mut_arg("format", |format| format.global(true)))]
#[command(mut_arg("wide", |wide| wide.global(true)))]
#[command(mut_arg("output", |output| output.global(true)))]
#[command(mut_arg("report", |report| report.global(true)))]
#[command(mut_arg("force", |force| force.global(true)))]
pub struct OddsArgs {
    #[command(subcommand)]
    pub(super) special: Option<Special>,

    /// Dice such as 2d10+9 or 4d6kh3; two with `vs` between them, or several side by side
    #[arg(value_name = "DICE")]
    pub(super) notation: Vec<String>,

    /// Ask for the chance of this value or more (with dice)
    #[arg(long, value_name = "VALUE")]
    pub(super) at_least: Option<i64>,

    #[command(flatten)]
    pub(super) pool: PoolArgs,

    #[command(flatten)]
    pub(super) task: TaskArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Rolls of the rule books that are more than a pool or a sum.
#[derive(Debug, Clone, Subcommand)]
pub(super) enum Special {
    /// The Initiative Score of Tara-Corax (TC-3)
    Initiative(InitiativeArgs),
    /// An attack against an evade: hits, critical hits, fumbles and damage (TC-22, W-9)
    Attack(AttackArgs),
    /// A plain shot beside a desperate one (TC-11)
    Desperate(DesperateArgs),
    /// A percentile test (EP-9)
    Percentile(PercentileArgs),
    /// A magickal effect: its difficulty, outcome and Paradox (MD-5 to MD-7)
    Magick(MagickArgs),
}

/// The options of a pool.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Pools")]
pub(super) struct PoolArgs {
    /// Dice in the pool: 8, a sum such as 5+3, or a range such as 1..20 for a grid
    #[arg(long, value_name = "DICE")]
    pub(super) pool: Option<String>,

    /// What a die must reach: 2 to 10, or a range [default: 6]
    #[arg(long, value_name = "D")]
    pub(super) difficulty: Option<String>,

    #[command(flatten)]
    pub(super) options: PoolOptions,

    /// The pool is of a specialty: its 10s count twice (helpers and the other side have none)
    #[arg(long, conflicts_with = "tens")]
    pub(super) specialty: bool,

    /// The second pool is of a specialty
    #[arg(long, conflicts_with = "tens", requires = "against")]
    pub(super) against_specialty: bool,

    /// A Chronicles pool: 8 or more succeeds, 10s roll again, a pool of 0 is a chance die
    #[arg(long)]
    pub(super) chronicles: bool,

    /// Helpers who roll with this pool, nets added up: 4,3@7 (3 dice, difficulty 7)
    #[arg(long, value_name = "POOLS")]
    pub(super) with: Option<String>,

    /// Divide the pool over several actions: 4,3, or 2 for two even parts
    #[arg(long, value_name = "PARTS")]
    pub(super) split: Option<String>,

    /// Chronicles: roll again from this face on
    #[arg(long, value_name = "FACE", value_parser = names::<Again>())]
    pub(super) again: Option<Again>,

    /// Chronicles: roll failed dice of the pool once more
    #[arg(long)]
    pub(super) rote: bool,

    /// A second pool rolled against this one, without Willpower
    #[arg(long, value_name = "DICE")]
    pub(super) against: Option<String>,

    /// The difficulty of the second pool [default: that of the first]
    #[arg(long, value_name = "D", requires = "against")]
    pub(super) against_difficulty: Option<String>,

    /// What the second side must gather in an extended roll [default: the same]
    #[arg(long, value_name = "N", requires = "against", requires = "ritual")]
    pub(super) against_required: Option<String>,

    /// Opposed rolls: a net below 0 counts as 0
    #[arg(long, requires = "against")]
    pub(super) floor: bool,

    /// The same question under another rule: botch=no-success, tens=double, ... beside this one
    #[arg(long, value_name = "OPTION=VALUE", value_delimiter = ',')]
    pub(super) compare: Vec<String>,

    /// What a grid shows (net: all net successes of one pool, for CSV)
    #[arg(long, value_enum)]
    pub(super) show: Option<Show>,
}

/// The options that pools and magick share.
#[derive(Debug, Clone, Args)]
pub(super) struct PoolOptions {
    /// What a 10 does
    #[arg(long, value_name = "RULE", value_parser = names::<Tens>())]
    pub(super) tens: Option<Tens>,

    /// Whether a 1 takes a success away
    #[arg(long, value_name = "RULE", value_parser = names::<Ones>())]
    pub(super) ones: Option<Ones>,

    /// What a 1 on an extra die does
    #[arg(long, value_name = "RULE", value_parser = names::<Ones>())]
    pub(super) ones_on_explosion: Option<Ones>,

    /// What makes a botch
    #[arg(long, value_name = "RULE", value_parser = names::<Botch>())]
    pub(super) botch: Option<Botch>,

    /// Net successes needed, or a range for a grid [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) required: Option<String>,

    /// Spend a point of Willpower on one sure success (in each roll of a ritual)
    #[arg(long)]
    pub(super) willpower: bool,

    /// The points of Willpower there are
    #[arg(long, value_name = "N", requires = "willpower")]
    pub(super) willpower_points: Option<u32>,

    /// Read these faces instead: 7,4,3,8,1 (beyond the pool: the extra dice)
    #[arg(long, value_name = "FACES")]
    pub(super) rolled: Option<String>,
}

/// Returns the parser of a value that has a name.
fn names<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let names = T::ALL.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).map(|name| T::named(&name).expect("a possible value"))
}

/// The options of extended rolls.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Extended rolls")]
pub(super) struct TaskArgs {
    /// Roll again and again until the required successes are gathered
    #[arg(long, visible_alias = "extended")]
    pub(super) ritual: bool,

    /// What a botch does to it
    #[arg(long, value_name = "RULE", value_parser = names::<OnBotch>(), requires = "ritual")]
    pub(super) on_botch: Option<OnBotch>,

    /// No more rolls than this
    #[arg(long, value_name = "N", requires = "ritual")]
    pub(super) max_rolls: Option<u32>,

    /// Turns of work that each roll takes, that of the roll included [default: 1]
    #[arg(long, value_name = "N", requires = "ritual", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) turns_per_roll: Option<u32>,

    /// By how much a roll that adds nothing raises the difficulty
    #[arg(long, value_name = "N", requires = "ritual", default_value_t = 0)]
    pub(super) difficulty_step: u32,
}

/// Where the answer goes, and how it looks.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// How the answer is written
    #[arg(long, default_value = "table", value_parser = format())]
    pub(crate) format: Format,

    /// How wide tables are
    #[command(flatten)]
    pub(crate) wide: WideArgs,

    /// Where it is written
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// Returns the formats by name only: the help that `run` has for them does not apply here.
fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(["table", "csv", "json", "markdown", "html"])
        .try_map(|name| Format::from_str(&name, false))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Show {
    #[default]
    Success,
    Diminished,
    Failure,
    Botch,
    Mean,
    Sd,
    Net,
    Rolls,
    Turns,
    Paradox,
}

#[derive(Debug, Clone, Args)]
pub(super) struct InitiativeArgs {
    /// The characteristic
    #[arg(long, value_name = "N", required_unless_present = "agility")]
    pub(super) characteristic: Option<i64>,

    /// Agility, instead of the characteristic
    #[arg(
        long,
        value_name = "N",
        requires = "intellect",
        conflicts_with = "characteristic"
    )]
    pub(super) agility: Option<i64>,

    /// Intellect, instead of the characteristic
    #[arg(long, value_name = "N", requires = "agility")]
    pub(super) intellect: Option<i64>,

    /// The armour's evade penalty, as a positive number; half of it, rounded down, comes off
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) evade_modifier: u32,

    /// What a 10 on the die does
    #[arg(long, value_name = "RULE", default_value = "once", value_parser = names::<Explode>())]
    pub(super) explode: Explode,

    /// Marks in a Round, the highest Score (TC-1)
    #[arg(long, value_name = "N", default_value_t = ROUND_MARKS, value_parser = clap::value_parser!(i64).range(10..=i64::from(MOST_MARKS)))]
    pub(super) round_marks: i64,
}

#[derive(Debug, Clone, Args)]
pub(super) struct AttackArgs {
    /// The dice of the attack, such as 1d20 or 2d20kh1+5
    #[arg(value_name = "DICE")]
    pub(super) dice: String,

    /// Added to the dice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) bonus: i64,

    /// What the attack must reach
    #[arg(long, value_name = "N")]
    pub(super) evade: i64,

    /// The least natural total of a critical hit
    #[arg(long, value_name = "N")]
    pub(super) critical: Option<i64>,

    /// The damage of a critical hit [default: double dice]
    #[arg(long, value_name = "RULE", value_parser = names::<CriticalDamage>(), requires = "critical")]
    pub(super) critical_damage: Option<CriticalDamage>,

    /// The greatest natural total of a fumble
    #[arg(long, value_name = "N")]
    pub(super) fumble: Option<i64>,

    /// The dice of its damage
    #[arg(long, value_name = "DICE", default_value = "1")]
    pub(super) damage: String,

    /// Taken off the damage
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) armor: u32,
}

#[derive(Debug, Clone, Args)]
pub(super) struct DesperateArgs {
    /// Added to the two dice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) bonus: i64,

    /// The weapon's mastery bonus, which a desperate shot goes without
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) mastery: i64,

    /// What the attack must reach
    #[arg(long, value_name = "N")]
    pub(super) evade: i64,
}

#[derive(Debug, Clone, Args)]
pub(super) struct PercentileArgs {
    /// The skill with all modifiers
    #[arg(long, value_name = "N")]
    pub(super) skill: i64,

    /// The skill of a defender with all modifiers: Fray, or half of it against shots
    #[arg(long, value_name = "N", alias = "fray")]
    pub(super) against: Option<i64>,

    /// What defends if both succeed: the higher roll and criticals, or any success
    #[arg(long, value_name = "RULE", requires = "against", value_parser = ["opposed", "success"], default_value = "opposed")]
    pub(super) defence: String,
}

#[derive(Debug, Clone, Args)]
#[command(arg = no_difficulty())]
pub(super) struct MagickArgs {
    /// The mage's Arete, or a range for a grid
    #[arg(long, value_name = "N")]
    pub(super) arete: String,

    /// The rank of the highest Sphere used, or a range for a grid
    #[arg(long, value_name = "N")]
    pub(super) sphere: String,

    /// Dice rolled, if fewer than Arete
    #[arg(long, value_name = "N")]
    pub(super) dice: Option<u32>,

    /// The effect is vulgar
    #[arg(long)]
    pub(super) vulgar: bool,

    /// A Sleeper watches
    #[arg(long, requires = "vulgar", alias = "sleepers")]
    pub(super) witnessed: bool,

    /// Mages who share the effect, nets added up: 4,3@7 (3 dice, difficulty 7)
    #[arg(long, value_name = "POOLS")]
    pub(super) with: Option<String>,

    /// What a grid shows
    #[arg(long, value_enum)]
    pub(super) show: Option<Show>,

    #[command(flatten)]
    pub(super) options: PoolOptions,

    #[command(flatten)]
    pub(super) task: TaskArgs,

    /// Paradox of a ritual gathers on each roll, or once
    #[arg(long, value_name = "WHEN", default_value = "each", value_parser = ["each", "once"], requires = "ritual")]
    pub(super) paradox: String,
}

/// Returns the argument that refuses a difficulty, which follows from the others.
fn no_difficulty() -> Arg {
    const WHY: &str = "it follows from --sphere, --vulgar and --witnessed: leave it out, or ask about \
                       `--pool N --difficulty N`";
    let refuse = |_: &str| Err::<String, _>(WHY);
    Arg::new("difficulty")
        .long("difficulty")
        .value_name("N")
        .hide(true)
        .value_parser(refuse)
}
