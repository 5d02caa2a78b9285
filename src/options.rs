//! Options that questions about dice share with other subcommands, and the parsing of their values.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, ValueEnum};
use std::error::Error as _;
use std::num::{IntErrorKind, NonZeroU64, ParseIntError};
use std::path::{Path, PathBuf};

/// How wide tables are: the option of every subcommand that prints some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct WideArgs {
    /// Print whole tables, instead of folding those that are wider than the terminal (80 columns without one)
    #[arg(long, display_order = RARE)]
    pub wide: bool,
}

/// The place in the help of options that few need.
pub(crate) const RARE: usize = 900;

/// Where an answer is written, and its page: the options of every subcommand that can draw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct PageArgs {
    /// File to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write a page with charts, too: one HTML file, complete in itself; the same as --format html -o FILE
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Replace files that skirmish did not write
    #[arg(long, display_order = RARE)]
    pub force: bool,
}

#[cfg(feature = "cli")]
impl PageArgs {
    /// Makes the file of `-o` the page if the format is that of a page.
    ///
    /// # Errors
    /// If no file is named, or two are.
    pub(crate) fn settled(&self, is_html: bool) -> anyhow::Result<Self> {
        let report = match (&self.output, &self.report) {
            _ if !is_html => return Ok(self.clone()),
            (Some(_), Some(_)) => {
                anyhow::bail!("--format html -o FILE is --report FILE: leave one out")
            }
            (None, None) => anyhow::bail!("--format html: name the file of the page with -o FILE"),
            (file, None) | (None, file) => file.clone(),
        };
        Ok(Self {
            output: None,
            report,
            ..*self
        })
    }
}

/// The formats of printed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// A table for people
    #[default]
    Table,
    /// The content of the CSV file (of `run`: of summary.csv)
    Csv,
    /// Everything, one document a scenario
    Json,
    /// The table in Markdown
    Markdown,
    /// The table; -o FILE is a page with charts
    Html,
}

/// Parses a count, of encounters or of anything else: digits with `_` between them, `k`, `M` or `G` behind them, or
/// `1e5`.
///
/// # Errors
/// If it is not a whole number from 1 to a million G.
pub fn count(text: &str) -> Result<NonZeroU64, String> {
    const MOST: u64 = 1_000_000_000_000_000;
    const TOO_MANY: &str = "the most is 1e15 (1,000,000G)";
    const EXAMPLES: &str = "write a whole number such as 250k, 1M, 1e6 or 2_000_000";
    let unit = |letter: char| "kmg".find(letter.to_ascii_lowercase());
    let (number, zeros) = if let Some(unit) = text.chars().next_back().and_then(unit) {
        (&text[..text.len() - 1], 3 * (unit + 1))
    } else if let Some((number, power)) = text.split_once(['e', 'E']) {
        match power.strip_prefix('+').unwrap_or(power).parse() {
            Ok(zeros @ 0..=15_usize) => (number, zeros),
            Ok(_) => return Err(TOO_MANY.to_owned()),
            Err(_) => return Err(format!("not a count; {EXAMPLES}")),
        }
    } else {
        (text, 0)
    };
    if number.starts_with('-') {
        return Err(format!("there is no negative count; {EXAMPLES}"));
    }
    if number.contains(',') {
        return Err(format!("a count is written without commas; {EXAMPLES}"));
    }
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let grouped = |digits: &str| {
        let mut groups = digits.split('_');
        groups.all(|group| !group.is_empty() && group.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let part = part.trim_end_matches('0');
    if !grouped(whole) || !(part.is_empty() || grouped(part)) || part.len() > zeros {
        return Err(format!("not a count; {EXAMPLES}"));
    }
    let count = format!("{whole}{part:0<zeros$}")
        .replace('_', "")
        .parse::<u64>()
        .ok()
        .filter(|count| *count <= MOST)
        .ok_or_else(|| TOO_MANY.to_owned())?;
    NonZeroU64::new(count).ok_or_else(|| format!("at least one is needed; {EXAMPLES}"))
}

/// Lets each option of a command and of its subcommands take a negative number as its value, such as `-3` or `-1%`, so
/// that its own parser reports why the number is wrong.
pub(crate) fn allow_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let values = arg.get_num_args().map(|count| count.takes_values());
            let has_value = values.unwrap_or(arg.get_action().takes_values());
            if arg.is_positional() || !has_value {
                return arg;
            }
            let names = arg.get_value_names().unwrap_or_default();
            let is_share = names
                .iter()
                .any(|name| ["HALF-WIDTH", "LEVEL", "SHARE", "WIDTH"].contains(&name.as_str()));
            arg.allow_negative_numbers(true)
                .allow_hyphen_values(is_share)
        })
        .mut_subcommands(allow_negative_numbers)
}

/// Returns the message of a command line error, with plain words for the messages about a number of the standard
/// library and of clap. `text` makes text of it, with or without colours, which the library lacks.
pub(crate) fn in_plain_words(
    mut error: clap::Error,
    text: impl FnOnce(StyledStr) -> String,
) -> String {
    // An unknown option is rarely meant as a value.
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg).cloned()
        && !Path::new(&option).exists()
        && let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested)
    {
        tips.retain(|tip| !tip.to_string().ends_with(&format!("-- {option}'")));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let option = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    if error.kind() == ErrorKind::InvalidValue
        && option.is_some_and(|option| option.starts_with("--system "))
    {
        let tip = StyledStr::from("`skirmish systems` describes each of them");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    let message = text(error.render());
    let Some(source) = error.source() else {
        return message;
    };
    let wrong = source.to_string();
    let plain = match source.downcast_ref::<ParseIntError>() {
        Some(number) => match number.kind() {
            IntErrorKind::PosOverflow => "the number is too large".to_owned(),
            IntErrorKind::NegOverflow => "the number is too small".to_owned(),
            _ => "write a whole number".to_owned(),
        },
        None => match range_in_words(&wrong) {
            Some(plain) => plain,
            None => return message,
        },
    };
    message.replace(&wrong, &plain)
}

/// Returns clap's message about a number out of range, `0 is not in 10..=60`, with the range in words.
fn range_in_words(message: &str) -> Option<String> {
    let (number, range) = message.split_once(" is not in ")?;
    let (low, high) = range.split_once("..=")?;
    Some(format!("{number} is not from {low} to {high}"))
}

/// Parses a seed.
///
/// # Errors
/// If it is not a whole number of 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}
