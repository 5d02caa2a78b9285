//! Critical hits and fumbles of checks that roll over (W-9).

use super::armory::errors_with;
use crate::dice::statistics::assert_drawn;
use crate::support::TestDir;
use crate::support::fights::{player, shown, variant, variant_with};
use skirmish::chance::Chance;
use skirmish::chance::Purpose::{self, Check, Damage};
use skirmish::dice::{Distribution, Weight};
use skirmish::fight::check::CriticalDamage;
use skirmish::run::Play as _;
use skirmish::scenario::Variant;
use skirmish::sim::{Record, Silent};
use skirmish::systems::SYSTEMS;

#[test]
fn keys_that_do_not_fit_a_check_are_refused_in_words() {
    let refused = |check: &str| {
        let check = format!("weapons.sword.check={check}");
        errors_with(
            &[&check],
            &["a a 0 1 | weapons = ['sword'] | attack", "b b 0 1 | | pass"],
        )
    };
    for (check, told) in [
        (
            "{ pool = 5, critical = 9 }",
            "`critical` of a pool is not modelled",
        ),
        (
            "{ pool = 5, fumble = 2 }",
            "`fumble` of a pool is not modelled",
        ),
        (
            "{ skill = 50, fumble = 98 }",
            "`fumble` of a percentile test is not modelled",
        ),
        (
            "{ skill = 50, critical = 5 }",
            "expected \"ignores-armor\" or \"none\"",
        ),
        (
            "{ dice = '1d20', critical = 'none' }",
            "expected a number from which on the dice are critical",
        ),
        (
            "{ dice = '1d20', critical = true }",
            "`critical` is true or false",
        ),
        (
            "{ dice = '1d20', critical = 5, fumble = 5 }",
            "a natural 5 cannot be a fumble and a critical hit",
        ),
        (
            "{ dice = '1d20', critical = { damage = 'double' } }",
            "`critical` lacks `on`",
        ),
        (
            "{ dice = '1d20', critical = { on = 20, damage = 'triple' } }",
            "expected \"double dice\", \"double\" or \"usual\"",
        ),
        (
            "{ dice = '1d20', fumble = 1001 }",
            "`fumble` is out of range",
        ),
    ] {
        let all = refused(check);
        assert!(all.contains(told), "{check}: no {told:?} in\n{all}");
    }
}

/// With `rules.check`, a number for `critical` belongs to the roll, a word to the percentile test.
#[test]
fn a_check_of_several_kinds_has_the_keys_of_each() {
    let damage = |rule: &str, face: u32| {
        let check = "{ dice = '1d20', critical = 20, fumble = 3, skill = 50, pool = 4 }";
        let (rule, check) = (
            format!("rules.check={rule}"),
            format!("weapons.axe.check={check}"),
        );
        let mut chance = Shows {
            check: face,
            damage: 4,
        };
        let variant = everywhere("tara-corax", &[&rule, &check]);
        shown(&variant, &mut chance, &mut Silent).combatants[0].damage
    };
    assert_eq!(damage("roll-over", 20), 4 + 4 + 2 - 1);
    assert_eq!(damage("roll-over", 19), 0);
    assert_eq!(damage("percentile", 20), 4 + 2 - 1);
    assert_eq!(damage("percentile", 51), 0);
}

/// A source of chance with one face for checks, one for damage, and one for all other dice.
struct Shows {
    check: u32,
    damage: u32,
}

impl Chance for Shows {
    fn face(&mut self, who: usize, purpose: Purpose, _: u32) -> u32 {
        match purpose {
            Check => self.check,
            Damage => self.damage,
            _ if who == 0 => 2,
            _ => 1,
        }
    }

    fn happens(&mut self, _: usize, _: Purpose, _: u64) -> bool {
        false
    }
}

fn everywhere(system: &str, set: &[&str]) -> Variant {
    let fighter = |name: &str, policy: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\ninitiative = 10\nmove = 12\n\
             evade = 40\narmor = 1\nhealth = 100\nweapons = ['axe']\npolicy = ['{policy}']\n"
        )
    };
    let text = format!(
        "system = '{system}'\n[encounter]\nmax_rounds = 1\n[rules]\ncheck = 'roll-over'\n\
         health = 'points'\n[weapons.axe]\nkind = 'melee'\n\
         check = {{ dice = '1d20', bonus = 30, critical = 20, fumble = 11 }}\ndamage = '1d6+2'\n{}{}",
        fighter("left", "attack"),
        fighter("right", "pass")
    );
    variant_with(&text, set)
}

#[test]
fn w_9_holds_on_every_clock() {
    for system in SYSTEMS {
        let variant = everywhere(system.name, &[]);
        for (check, damage) in [(20, 4 + 4 + 2 - 1), (19, 4 + 2 - 1), (11, 0)] {
            let mut chance = Shows { check, damage: 4 };
            let record = shown(&variant, &mut chance, &mut Silent);
            let counts = &record.combatants[0];
            assert!(counts.attacks > 0, "{}", system.name);
            let hits = if damage == 0 { 0 } else { counts.attacks };
            assert_eq!(counts.hits, hits, "{}: {check}", system.name);
            assert_eq!(counts.damage, hits * damage, "{}: {check}", system.name);
        }
    }
}

/// Returns a fight with such a weapon.
fn sampled(dice: &str, damage: &str, name: &str, least: i64) -> String {
    format!(
        "system = 'tara-corax'\n[rules]\ninitiative = {{ mode = 'fixed' }}\n[encounter]\nmax_rounds = 1\n\
         [weapons.sword]\nkind = 'melee'\n\
         check = {{ dice = '{dice}', bonus = 4, critical = {{ on = {least}, damage = '{name}' }}, fumble = 7 }}\n\
         damage = '{damage}'\n\
         [[combatants]]\nname = 'a'\nside = 'a'\nposition = 0\nattributes = {{ agility = 20, intellect = 20 }}\n\
         move = 5\nevade = 0\nhealth = 9\nweapons = ['sword']\npolicy = ['attack']\n\
         [[combatants]]\nname = 'b'\nside = 'b'\nposition = 0\nattributes = {{ agility = 1, intellect = 1 }}\n\
         move = 5\nevade = 17\narmor = 3\nhealth = 1000\npolicy = ['pass']\n"
    )
}

/// Returns the chances of a hit and of a critical hit by `odds`, and the damage.
fn odds(text: &str) -> ([f64; 2], Distribution) {
    let dir = TestDir::with("sword.toml", text);
    let json = dir
        .run("odds sword.toml --check weapons.sword --format json")
        .json();
    let damage = json["tables"]["damage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let chance = row["exactly"].as_f64().unwrap();
            (row["damage"].as_i64().unwrap(), Weight::from(chance))
        });
    let chances = ["p_success", "p_critical"].map(|key| json["facts"][key].as_f64().unwrap());
    (chances, Distribution::collect(&damage.collect::<Vec<_>>()))
}

const ATTACKS: [(&str, &str, CriticalDamage, &str, i64); 4] = [
    (
        "1d20+1",
        "2d6+3",
        CriticalDamage::DoubleDice,
        "double dice",
        18,
    ),
    (
        "2d20kh1+1",
        "1d8",
        CriticalDamage::DoubleDice,
        "double dice",
        19,
    ),
    (
        "3d6",
        "3d4kh2-1",
        CriticalDamage::DoubleDice,
        "double dice",
        14,
    ),
    ("2d10-2", "1d8-2", CriticalDamage::Double, "double", 16),
];

#[test]
fn sampled_damage_has_the_exact_distribution() {
    for (dice, damage, _, name, least) in ATTACKS {
        let text = sampled(dice, damage, name, least);
        let variant = variant(&text);
        let player = player(&variant, 11);
        let (mut state, mut record) = (player.state(), Record::default());
        let mut encounter = 0;
        assert_drawn(dice, &odds(&text).1, || {
            player.play(&mut state, encounter, &mut record);
            encounter += 1;
            record.combatants[0].damage.into()
        });
    }
}

/// Returns every throw of `count` dice.
fn throws(count: u32, sides: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |dice: &Vec<u32>| {
            let dice = dice.clone();
            (1..=sides).map(move |face| [dice.clone(), vec![face]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Compares the exact damage with a sum over all throws.
#[test]
fn exact_damage_is_that_of_all_throws() {
    type Sum = fn(&[u32]) -> i64;
    type Dice = (u32, u32, Sum, i64);
    let plain: Sum = |dice| dice.iter().copied().map(i64::from).sum();
    let highest: Sum = |dice| i64::from(*dice.iter().max().unwrap());
    let two_of_three: Sum = |dice| {
        let all: u32 = dice.iter().sum();
        i64::from(all - dice.iter().min().unwrap())
    };
    // The number of dice, their sides, how they are added up, and a constant.
    let rolls: [(Dice, Dice); 4] = [
        ((1, 20, plain, 1), (2, 6, plain, 3)),
        ((2, 20, highest, 1), (1, 8, plain, 0)),
        ((3, 6, plain, 0), (3, 4, two_of_three, -1)),
        ((2, 10, plain, -2), (1, 8, plain, -2)),
    ];
    for ((dice, damage, rule, name, least), of) in ATTACKS.into_iter().zip(rolls) {
        let ((count, sides, natural, added), (damage_count, damage_sides, harm, more)) = of;
        let (checks, damages) = (throws(count, sides), throws(damage_count, damage_sides));
        let each = Weight::ratio(1, (checks.len() * damages.len() * damages.len()) as u32);
        let (mut terms, mut hits, mut criticals) = (Vec::new(), 0, 0);
        for check in &checks {
            let natural = natural(check);
            let critical = natural >= least;
            let hit = critical || (natural > 7 && natural + added + 4 >= 17);
            hits += u32::from(hit);
            criticals += u32::from(critical);
            for first in &damages {
                for second in &damages {
                    let points = match rule {
                        _ if !hit => 0,
                        CriticalDamage::DoubleDice if critical => harm(first) + harm(second) + more,
                        CriticalDamage::Double if critical => 2 * (harm(first) + more),
                        _ => harm(first) + more,
                    };
                    let done = if hit { (points - 3).max(0) } else { 0 };
                    terms.push((done, each));
                }
            }
        }
        let ([hit, critical], points_of_damage) = odds(&sampled(dice, damage, name, least));
        let of_checks = |count: u32| f64::from(count) / checks.len() as f64;
        assert!((hit - of_checks(hits)).abs() < 1e-15, "{dice}");
        assert!((critical - of_checks(criticals)).abs() < 1e-15, "{dice}");
        let expected = Distribution::collect(&terms);
        for (points, weight) in expected.weights() {
            let error = points_of_damage.probability(points) - weight.value();
            assert!(error.abs() < 1e-14, "{dice}: {points} points: {error}");
        }
        assert!((points_of_damage.mass().value() - 1.0).abs() < 1e-14);
    }
}
