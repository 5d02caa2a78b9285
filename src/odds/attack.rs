//! Attacks against an evade, with critical hits, fumbles and damage (W-9).

use super::args::AttackArgs;
use super::{OddsError, parsed, refuse};
use crate::dice::Notation;
use crate::dice::attack::{CriticalDamage, RollOver};
use crate::report::{Report, chance, real};

/// The greatest absolute value of bonus, evade and natural totals.
const BOUND: u64 = 1_000_000_000;

/// The greatest number of values of damage that is rolled twice: a second of multiplications.
const MOST_DOUBLED: u64 = 20_000;

/// Answers `skirmish odds attack`.
pub(super) fn answer(args: &AttackArgs) -> Result<Report, OddsError> {
    let read = |text: &str| parsed(text, Notation::parse(text));
    let numbers = [args.bonus, args.evade].into_iter();
    let mut numbers = numbers.chain(args.critical).chain(args.fumble);
    if numbers.any(|number| number.unsigned_abs() > BOUND) {
        return refuse(format!("numbers of an attack go up to {BOUND}"));
    }
    if let (Some(least), Some(most)) = (args.critical, args.fumble)
        && most >= least
    {
        return refuse(format!(
            "a natural {most} cannot be a fumble and a critical hit"
        ));
    }
    let rule = args.critical_damage.unwrap_or(CriticalDamage::DoubleDice);
    let attack = RollOver {
        dice: read(&args.dice)?,
        bonus: args.bonus,
        evade: args.evade,
        critical: args.critical.map(|least| (least, rule)),
        fumble: args.fumble,
        damage: read(&args.damage)?,
        armor: args.armor.into(),
    };
    let once = attack.damage.distribution();
    if args.critical.is_some()
        && rule == CriticalDamage::DoubleDice
        && once.last().abs_diff(once.first()) >= MOST_DOUBLED
    {
        return refuse(format!(
            "damage of more than {MOST_DOUBLED} values cannot be rolled twice"
        ));
    }
    let ([hit, critical, fumble], harm) = attack.odds();
    let bonus = match args.bonus {
        0 => String::new(),
        bonus => format!("{bonus:+}"),
    };
    let mut rule_lines = vec!["rule: reaching the evade hits; damage less armour".to_owned()];
    if let Some(least) = args.critical {
        let damage = rule.name();
        rule_lines.push(format!(
            "a natural {least} or more is a critical hit ({damage} damage)"
        ));
    }
    if let Some(most) = args.fumble {
        rule_lines.push(format!("a natural {most} or less misses"));
    }
    let title = format!("{}{bonus} against evade {}", attack.dice, args.evade);
    let mut report = Report::new(title, rule_lines);
    report.facts(vec![
        chance("p_hit", "hits", hit),
        chance("p_critical", "hits critically", critical),
        chance("p_fumble", "fumbles", fumble),
        real("mean", "mean damage", harm.mean()),
        real("sd", "standard deviation of damage", harm.sd()),
    ]);
    report.distribution(["damage", "Damage, misses included", "damage"], &harm);
    Ok(report)
}
