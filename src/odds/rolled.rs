//! Dice that have been rolled: the result of given faces, by this rule and by others.

use super::args::{OddsArgs, PoolOptions};
use super::pools::in_force;
use super::range::{pieces, single};
use super::rule::{self, Rule};
use super::{OddsError, refuse_options};
use crate::dice::pool::{Again, Botch, Ones, Reading, ReadingError, Tens};
use crate::names::Named;
use crate::report::{Block, Fact, Report, Table, Value};

/// Reads the faces of `--rolled`.
fn faces(text: &str) -> Result<Vec<i64>, OddsError> {
    pieces(text)
        .map(|span| {
            let face = &text[span.clone()];
            face.trim().parse::<i64>().map_err(|_| {
                let message = format!("--rolled: `{}` is not a face", face.trim());
                let help = "write the faces in the order rolled: `7,4,3,8,1`";
                OddsError::at(text, span, &message, Some(help))
            })
        })
        .collect()
}

/// Points at the error in the faces.
fn wrong(text: &str, error: &ReadingError) -> OddsError {
    let message = format!("--rolled: {error}");
    match error {
        ReadingError::Face { at, face } => {
            let span = pieces(text).nth(*at).unwrap_or(0..text.len());
            let help = (*face == 0).then_some("a 0 on a ten-sided die is a 10");
            OddsError::at(text, span, &message, help)
        }
        ReadingError::TooFew { .. } => OddsError::at(text, 0..text.len(), &message, None),
    }
}

/// Reads the faces by the rule. Every face must belong to a die that is owed.
fn reading(rule: &Rule, text: &str, faces: &[i64]) -> Result<Reading, OddsError> {
    let reading = rule
        .compile()?
        .read(faces)
        .map_err(|error| wrong(text, &error))?;
    if reading.surplus == 0 {
        return Ok(reading);
    }
    let read = reading.dice.len();
    let extra = reading.dice.iter().filter(|die| die.is_extra).count();
    let dice = |count: usize, kind: &str| {
        format!("{count} {kind}{}", if count == 1 { "die" } else { "dice" })
    };
    let message = format!(
        "--rolled: die {} is not owed: the pool has {}, which give {}",
        read + 1,
        dice(read - extra, ""),
        dice(extra, "extra "),
    );
    let span = pieces(text).nth(read).unwrap_or(0..text.len());
    let help = "extra dice come after all dice of the pool, each for a die that gives one";
    Err(OddsError::at(text, span, &message, Some(help)))
}

/// The reason to refuse options that make no sense for dice that were already rolled.
pub(super) const ONE_ROLL: &str = "cannot go with --rolled, which reads one roll";

/// Answers a question about given faces in a pool.
pub(super) fn pool(args: &OddsArgs, text: &str) -> Result<Report, OddsError> {
    refuse_options(
        &[
            (args.at_least.is_some(), "--at-least"),
            (args.pool.against.is_some(), "--against"),
            (args.pool.with.is_some(), "--with"),
            (args.pool.split.is_some(), "--split"),
            (!args.pool.compare.is_empty(), "--compare"),
            (args.pool.show.is_some(), "--show"),
            (args.task.ritual, "--ritual"),
        ],
        ONE_ROLL,
    )?;
    let given = faces(text)?.len() as i64;
    let pool = args.pool.pool.as_deref();
    let dice = pool.map_or(Ok(given), |pool| single("--pool", pool))?;
    let difficulty = rule::single_difficulty(&args.pool)?;
    rule::affordable_willpower(&args.pool.options)?;
    let required = rule::single_required(&args.pool.options)?;
    let rule = Rule::read(&args.pool)?.requiring(required);
    let rule = rule.sized(dice, difficulty)?;
    let mut report = Report::new(rule.question(), vec![in_force(&rule)]);
    let owed = answer(&mut report, &rule, &args.pool.options, text, None)?;
    if args.pool.pool.is_none() && owed > 0 {
        report.note(
            "Every face was taken for a die of the pool. To name extra dice too, say --pool.",
        );
    }
    Ok(report)
}

/// Adds the result of given faces to the report of a pool, or of a magickal effect with this Paradox, which is at least 1
/// if the roll is a botch. Returns the number of extra dice that are still owed.
pub(super) fn answer(
    report: &mut Report,
    rule: &Rule,
    options: &PoolOptions,
    text: &str,
    paradox: Option<u32>,
) -> Result<u32, OddsError> {
    let faces = faces(text)?;
    let reading = reading(rule, text, &faces)?;
    report.title = format!("{}, rolled {}", report.title, list(&faces));
    let mut facts = facts(rule, &reading);
    if let Some(paradox) = paradox {
        let paradox = paradox.max(u32::from(reading.result.botch));
        facts.push(Fact::new(
            "paradox",
            "Paradox",
            Value::Whole(paradox.into()),
        ));
    }
    facts.extend(rule::willpower_cost(options));
    report.facts(facts);
    tables(report, rule, &reading, &faces);
    Ok(reading.owed)
}

fn list(faces: &[i64]) -> String {
    let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
    faces.join(" ")
}

fn facts(rule: &Rule, reading: &Reading) -> Vec<Fact> {
    let whole = |number: u32| Value::Whole(number.into());
    let result = reading.result;
    let is_owed = reading.owed > 0;
    let outcome = if is_owed { "outcome so far" } else { "outcome" };
    vec![
        Fact::new("successes", "successes", whole(result.successes)),
        Fact::new("ones", "1s", whole(result.ones)),
        Fact::new("net", "net successes", Value::Whole(result.net)),
        Fact::new("required", "required", whole(rule.required())),
        Fact::new("owed", "extra dice still owed", whole(reading.owed)),
        Fact::new("outcome", outcome, Value::text(reading.degree.name())),
    ]
}

/// Adds two tables: the dice one by one, and the same faces under every other value of every option.
fn tables(report: &mut Report, rule: &Rule, reading: &Reading, faces: &[i64]) {
    let columns = [
        ("die", "die"),
        ("face", "face"),
        ("of", "of"),
        ("counts", "counts as"),
    ];
    let mut table = Table::new("dice", "Dice", &columns);
    for (at, die) in (1..).zip(&reading.dice) {
        let mut counts = match (die.successes, die.is_one) {
            (_, true) => "a 1".to_owned(),
            (0, false) => "nothing".to_owned(),
            (1, false) => "a success".to_owned(),
            (more, false) => format!("{more} successes"),
        };
        if die.gives_die {
            counts.push_str(" and one more die");
        }
        let of = if die.is_extra {
            "an earlier die"
        } else {
            "the pool"
        };
        table.rows.push(vec![
            Value::Whole(at),
            Value::Whole(die.face.into()),
            Value::text(of),
            Value::text(&counts),
        ]);
    }
    report.blocks.push(Block::Table(table));
    let columns = [
        ("rule", "rule"),
        ("successes", "successes"),
        ("ones", "1s"),
        ("net", "net"),
        ("outcome", "outcome"),
        ("owed", "still owed"),
        ("not_rolled", "not rolled"),
    ];
    let mut table = Table::new("rules", "The same faces under other rules", &columns);
    let others = changes(rule).into_iter().filter_map(|change| {
        let other = rule.changed(&change).ok()?;
        (other != *rule).then_some((change, other))
    });
    for (name, rule) in std::iter::once(("as asked".to_owned(), *rule)).chain(others) {
        let Some(reading) = rule.compile().ok().and_then(|pool| pool.read(faces).ok()) else {
            continue;
        };
        let result = reading.result;
        table.rows.push(vec![
            Value::text(&name),
            Value::Whole(result.successes.into()),
            Value::Whole(result.ones.into()),
            Value::Whole(result.net),
            Value::text(reading.degree.name()),
            Value::Whole(reading.owed.into()),
            Value::Whole(reading.surplus as i64),
        ]);
    }
    let is_short = table
        .rows
        .iter()
        .any(|row| row.last() != Some(&Value::Whole(0)));
    report.main_table(table);
    if is_short {
        report.note("Under a rule that gives fewer extra dice, the last faces are not rolled.");
    }
}

/// Returns every value of every option, as `--compare` writes it.
fn changes(rule: &Rule) -> Vec<String> {
    fn each<T: Named>(option: &str) -> Vec<String> {
        let values = T::ALL.iter();
        values.map(|(name, _)| format!("{option}={name}")).collect()
    }
    let mut changes = match rule {
        Rule::Storyteller(_) => [
            each::<Tens>("tens"),
            each::<Ones>("ones"),
            each::<Ones>("ones-on-explosion"),
            each::<Botch>("botch"),
        ]
        .concat(),
        Rule::Chronicles(_) => {
            let mut changes = each::<Again>("again");
            changes.extend(["rote=yes", "rote=no"].map(str::to_owned));
            changes
        }
    };
    changes.extend(["willpower=yes", "willpower=no"].map(str::to_owned));
    changes
}
