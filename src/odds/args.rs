//! The arguments of `skirmish odds`, as they are written.

use clap::Args;
use clap::ValueEnum as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::options::{Format, PageArgs, WideArgs};
use crate::systems::SYSTEMS;

/// Answers questions about dice and checks exactly.
#[derive(Debug, Clone, Args)]
pub struct OddsArgs {
    /// Dice (4d6kh3; two with `vs` between them), a check as a scenario has it ('{ pool = 6, difficulty = 8 }'),
    /// several of either, or a scenario with --check
    #[arg(value_name = "QUESTION")]
    pub(super) words: Vec<String>,

    /// Ask for the chance of this value or more (with dice)
    #[arg(long, value_name = "VALUE")]
    pub(super) at_least: Option<i64>,

    #[command(flatten)]
    pub(super) check: CheckArgs,

    #[command(flatten)]
    pub(super) pool: PoolArgs,

    #[command(flatten)]
    pub(super) magick: MagickArgs,

    #[command(flatten)]
    pub(super) task: TaskArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// A check, and the numbers of its roll.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Checks")]
pub(super) struct CheckArgs {
    /// A check of the scenario: weapons.NAME, spells.NAME, items.NAME or items.NAME.resist
    #[arg(long, value_name = "KEY")]
    pub(super) check: Option<String>,

    /// The combatant that rolls [default: the first that can]
    #[arg(long, value_name = "NAME", requires = "check")]
    pub(super) of: Option<String>,

    /// The target, or a check that is rolled against this one
    #[arg(long, value_name = "NAME|CHECK")]
    pub(super) against: Option<String>,

    /// What a roll must reach
    #[arg(long, value_name = "N", visible_alias = "needs")]
    pub(super) evade: Option<i64>,

    /// A number of the roll (evade, mastery, conditions, wounds, yards, defence, harder, spoils), or a trait
    #[arg(long, value_name = "NAME=VALUE", value_parser = named_number)]
    pub(super) with: Vec<(String, i64)>,

    /// A key of the check, or a number of its roll, and its values in turn; at most two
    #[arg(long, value_name = "KEY=VALUES")]
    pub(super) vary: Vec<String>,

    /// The figure of a table of two keys: success, botch, mean, ...
    #[arg(long, value_name = "FIGURE")]
    pub(super) show: Option<String>,

    /// The rule system of a check
    #[arg(long, value_name = "NAME", conflicts_with = "check", value_parser = PossibleValuesParser::new(SYSTEMS.map(|system| system.name)))]
    pub(super) system: Option<String>,

    /// Change a ruling, as in rules.tens=double, or any key of the scenario
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,

    /// Read these faces instead: 7,4,3,8,1 (beyond the dice of a pool: its extra dice)
    #[arg(long, value_name = "FACES", value_delimiter = ',')]
    pub(super) rolled: Vec<u32>,
}

/// The keys of a pool, for short.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Pools")]
pub(super) struct PoolArgs {
    /// Dice in the pool, short for '{ pool = N }'; a range such as 1..20 makes a table
    #[arg(long, value_name = "DICE")]
    pub(super) pool: Option<String>,

    /// What a die must reach, in the same way
    #[arg(long, value_name = "D")]
    pub(super) difficulty: Option<String>,

    /// Net successes needed, in the same way
    #[arg(long, value_name = "N")]
    pub(super) required: Option<String>,

    /// The points of Willpower there are: each roll spends one on a sure success
    #[arg(long, value_name = "POINTS")]
    pub(super) willpower: Option<u32>,
}

/// An effect of magick (MD-5).
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Magick")]
pub(super) struct MagickArgs {
    /// The mage's Arete, or a range
    #[arg(long, value_name = "N", requires = "sphere")]
    pub(super) arete: Option<String>,

    /// The rank of the highest Sphere used, or a range
    #[arg(long, value_name = "N", requires = "arete")]
    pub(super) sphere: Option<String>,

    /// The effect is vulgar
    #[arg(long, requires = "sphere")]
    pub(super) vulgar: bool,

    /// A Sleeper watches
    #[arg(long, requires = "vulgar", alias = "sleepers")]
    pub(super) witnessed: bool,
}

/// The options of extended rolls.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Extended rolls")]
pub(super) struct TaskArgs {
    /// Roll again and again until the required successes are gathered
    #[arg(long, visible_alias = "extended")]
    pub(super) ritual: bool,

    /// No more rolls than this
    #[arg(long, value_name = "N")]
    pub(super) max_rolls: Option<u32>,
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

/// Reads `NAME=VALUE`.
fn named_number(text: &str) -> Result<(String, i64), String> {
    let read = text.split_once('=').and_then(|(name, value)| {
        let value = value.trim().parse().ok()?;
        Some((name.trim().to_owned(), value))
    });
    read.ok_or_else(|| "write a name and a whole number, as in evade=15".to_owned())
}

impl OddsArgs {
    /// Whether nothing but dice can be asked about.
    pub(super) fn is_plain(&self) -> bool {
        self.check == CheckArgs::default()
            && self.pool == PoolArgs::default()
            && self.magick == MagickArgs::default()
            && self.task == TaskArgs::default()
    }
}
