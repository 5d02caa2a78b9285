//! Dice that have been rolled: the check on given faces.

use super::check::{Hand, Roll};
use super::question::Question;
use super::{OddsError, refuse};
use crate::chance::script::{Answer, Fault, Script, Unanswered};
use crate::chance::{Chance, Purpose};
use crate::fight::check::{Attempt, CheckKind};
use crate::report::{Fact, Report, Value};
use crate::task::Failure;

/// Dice that lie on the table. A die beyond them is still owed, and shows 0.
struct Written {
    script: Script,
    owed: u32,
    wrong: Option<Unanswered>,
}

impl Chance for Written {
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        match self.script.face(who, purpose, sides) {
            Ok(face) => face,
            Err(Unanswered {
                fault: Fault::RunOut,
                ..
            }) => {
                self.owed += 1;
                0
            }
            Err(wrong) => {
                self.wrong = self.wrong.or(Some(wrong));
                1
            }
        }
    }

    fn happens(&mut self, _: usize, _: Purpose, _: u64) -> bool {
        false
    }
}

/// Returns the figures of a check on given faces.
pub(super) fn figures(
    question: &Question,
    roll: &Roll,
    faces: &[u32],
) -> Result<Vec<Fact>, OddsError> {
    if question.task(roll)?.is_some() {
        return refuse("--rolled reads one roll: leave out --ritual");
    }
    let mut dice = Written {
        script: Script::default(),
        owed: 0,
        wrong: None,
    };
    let answers = faces.iter().map(|face| Answer::Face(*face));
    dice.script.extend(0, Purpose::Check, answers);
    let attempt = roll.check.attempt(&roll.terms, &mut dice, Hand);
    let is_pool = roll.check.kind() == CheckKind::Pool;
    checked(
        &dice,
        faces,
        roll.check.pool(roll.terms.added() - roll.terms.taken_off()),
    )?;
    let whole = |key, label: &str, number: i64| Fact::new(key, label, Value::Whole(number));
    let label = if is_pool { "net successes" } else { "total" };
    let mut facts = vec![whole(
        if is_pool { "net" } else { "total" },
        label,
        attempt.total,
    )];
    facts.push(whole("needed", "needed", attempt.needed));
    if is_pool {
        facts.push(whole("owed", "extra dice still owed", dice.owed.into()));
    }
    let label = if dice.owed > 0 {
        "outcome so far"
    } else {
        "outcome"
    };
    let outcome = outcome(&attempt, roll.check.is_critical(&attempt), is_pool);
    facts.push(Fact::new("outcome", label, Value::text(outcome)));
    let paradox = roll.paradox(attempt.botch);
    facts.extend(paradox.map(|paradox| whole("paradox", "Paradox", paradox)));
    Ok(facts)
}

/// Refuses faces that are no dice of the roll: too few for it, too many, or none that such a die has.
fn checked(dice: &Written, faces: &[u32], pool: Option<i64>) -> Result<(), OddsError> {
    let given = faces.len();
    if let Some(Unanswered {
        index,
        sides: Some(sides),
        ..
    }) = dice.wrong
    {
        let face = faces[index];
        let ten = if face == 0 {
            " (a 0 on a ten-sided die is a 10)"
        } else {
            ""
        };
        return refuse(format!(
            "--rolled: die {} shows {face}: a d{sides} shows 1 to {sides}{ten}",
            index + 1
        ));
    }
    if let Some((_, _, used, left)) = dice.script.left_over().next() {
        return refuse(format!(
            "--rolled: die {} is not owed: the roll has {used} dice, and {left} more are named; extra dice come after \
             all dice of the pool",
            used + 1
        ));
    }
    match pool {
        Some(pool) if (given as i64) < pool => refuse(format!(
            "--rolled: {given} faces for a pool of {pool} dice: name a face for every die of the pool"
        )),
        None if dice.owed > 0 => {
            refuse(format!("--rolled: {given} faces are too few for this roll"))
        }
        _ => Ok(()),
    }
}

/// Describes the result in words.
const fn outcome(attempt: &Attempt, is_critical: bool, is_pool: bool) -> &'static str {
    match attempt {
        Attempt { botch: true, .. } => "botch",
        Attempt { works: true, .. } if is_critical => "critical success",
        Attempt { works: true, .. } => "success",
        Attempt { total: 1.., .. } if is_pool => "diminished",
        _ => "failure",
    }
}

/// Answers a question about given faces.
pub(super) fn answer(question: &Question, faces: &[u32]) -> Result<Report, Failure> {
    let list: Vec<String> = faces.iter().map(ToString::to_string).collect();
    let title = format!("{}, rolled {}", question.title, list.join(" "));
    let roll = question.roll()?;
    let facts = figures(question, &roll, faces)?;
    let mut report = Report::new(title, roll.about.into_iter().collect());
    report.facts(facts);
    Ok(report)
}
