//! Dice that have been rolled: the check on given faces.

use super::check::{Hand, Roll};
use super::question::Question;
use super::refuse;
use crate::chance::script::{Answer, Fault, Script, Unanswered};
use crate::chance::{Chance, Purpose};
use crate::fight::check::{Attempt, CheckKind};
use crate::report::{Fact, Report, Value};
use crate::task::Failure;

/// Dice that lie on the table. Those beyond them are still owed: of a pool they show 0, which counts for nothing.
struct Written {
    script: Script,
    is_pool: bool,
    owed: u32,
    wrong: Option<Unanswered>,
}

impl Chance for Written {
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        self.script
            .face(who, purpose, sides)
            .unwrap_or_else(|wrong| {
                if wrong.fault != Fault::RunOut {
                    self.wrong = self.wrong.or(Some(wrong));
                }
                self.owed += 1;
                // Each face in turn ends a roll that explodes.
                if self.is_pool {
                    0
                } else {
                    self.owed % sides + 1
                }
            })
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
) -> Result<Vec<Fact>, Failure> {
    if question.task(roll)?.is_some() {
        return refuse("--rolled reads one roll: leave out --ritual");
    }
    let is_pool = roll.check.kind() == CheckKind::Pool;
    let mut dice = Written {
        script: Script::default(),
        is_pool,
        owed: 0,
        wrong: None,
    };
    let answers = faces.iter().map(|face| Answer::Face(*face));
    dice.script.extend(0, Purpose::Check, answers);
    let attempt = roll.check.attempt(&roll.terms, &mut dice, Hand);
    let pool = roll.check.pool(roll.terms.added() - roll.terms.taken_off());
    checked(&dice, faces, pool)?;
    let whole = |key, label: &str, number: i64| Fact::new(key, label, Value::Whole(number));
    let mut facts = if is_pool {
        let owed = whole("owed", "extra dice still owed", dice.owed.into());
        vec![whole("net", "net successes", attempt.total), owed]
    } else {
        vec![whole("total", "total", attempt.total)]
    };
    if !roll.is_open {
        let outcome = match attempt {
            Attempt { botch: true, .. } => "botch",
            Attempt { works: true, .. } if roll.check.is_critical(&attempt) => "critical success",
            Attempt { works: true, .. } => "success",
            Attempt { total: 1.., .. } if is_pool => "diminished",
            _ => "failure",
        };
        let so_far = if dice.owed > 0 { " so far" } else { "" };
        let label = format!("outcome{so_far}");
        facts.push(whole("needed", "needed", attempt.needed));
        facts.push(Fact::new("outcome", label, Value::text(outcome)));
    }
    let paradox = roll.paradox(attempt.botch);
    facts.extend(paradox.map(|paradox| whole("paradox", "Paradox", paradox)));
    Ok(facts)
}

/// Refuses faces that are no dice of the roll: too few for it, too many, or none that such a die has.
fn checked(dice: &Written, faces: &[u32], pool: Option<i64>) -> Result<(), Failure> {
    let given = faces.len();
    let message = if let Some(Unanswered {
        index,
        sides: Some(sides),
        ..
    }) = dice.wrong
    {
        let (at, face) = (index + 1, faces[index]);
        format!("die {at} shows {face}: a d{sides} shows 1 to {sides}, and a 10 may look like a 0")
    } else if let Some((_, _, used, _)) = dice.script.left_over().next() {
        format!(
            "die {} is not owed: the roll has {used}; extra dice come after all dice of the pool, each for a die \
             that gives one",
            used + 1
        )
    } else if let Some(pool) = pool.filter(|pool| (given as i64) < *pool) {
        format!("{given} faces for a pool of {pool} dice: name a face for every die of the pool")
    } else if pool.is_none() && dice.owed > 0 {
        format!("{given} faces are too few for this roll")
    } else {
        return Ok(());
    };
    refuse(format!("--rolled: {message}"))
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
