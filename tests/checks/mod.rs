//! Checks of every kind in a fight: pools and percentile tests beside the roll against Evade.

use crate::support::Scripted;
use crate::support::fights::{errors, player, shown, variant};
use skirmish::chance::{Chance, Purpose, Streams};
use skirmish::dice::{PoolDraw, Storyteller};
use skirmish::fight::check::{Check, CheckTerms, Dice};
use skirmish::run::Play;
use skirmish::sim::{Record, Silent};
use std::collections::BTreeMap;

fn duel(check: &str, armor: i64) -> String {
    format!(
        r#"
system = "tara-corax"
[encounter]
max_rounds = 1
[weapons.fist]
kind = "melee"
check = {check}
damage = 3
[[combatants]]
name = "striker"
side = "a"
position = 0
attributes = {{ agility = 14, intellect = 14 }}
move = 5
evade = 1000
health = 100
weapons = ["fist"]
policy = ["attack"]
[[combatants]]
name = "post"
side = "b"
position = 0
attributes = {{ agility = 10, intellect = 10 }}
move = 5
evade = 1000
armor = {armor}
health = 100
policy = ["pass"]
"#
    )
}

/// Returns hits and damage of one attack whose dice show `faces`.
fn strike(check: &str, armor: i64, faces: &[u32]) -> (u32, u32) {
    let variant = variant(&duel(check, armor));
    let mut chance = Scripted::new()
        .with(0, Purpose::Initiative, &[5])
        .with(1, Purpose::Initiative, &[5])
        .with(0, Purpose::Check, faces);
    let record = shown(&variant, &mut chance, &mut Silent);
    chance.finish();
    (record.combatants[0].hits, record.combatants[0].damage)
}

#[test]
fn md_1_a_pool_hits_with_the_required_successes_whatever_the_evade() {
    let check = "{ pool = 5, difficulty = 6 }";
    assert_eq!(strike(check, 0, &[7, 4, 3, 8, 1]), (1, 3));
    assert_eq!(strike(check, 0, &[2, 4, 3, 8, 1]), (0, 0));
    assert_eq!(strike(check, 0, &[6, 2, 5, 10, 9, 1]), (1, 3));
}

#[test]
fn md_3_fewer_than_required_do_not_hit_and_more_raise_the_damage() {
    let check = "{ pool = 4, difficulty = 6, required = 2, extra_damage = 2 }";
    assert_eq!(strike(check, 0, &[6, 2, 3, 5]), (0, 0));
    assert_eq!(strike(check, 0, &[6, 9, 2, 5]), (1, 3));
    assert_eq!(strike(check, 0, &[6, 9, 8, 7]), (1, 7));
}

#[test]
fn ep_9_a_percentile_test_hits_at_or_under_the_skill_and_doubles_ignore_armour() {
    let check = "{ skill = 44 }";
    assert_eq!(strike(check, 2, &[43]), (1, 1));
    assert_eq!(strike(check, 2, &[44]), (1, 3), "44 is a double");
    assert_eq!(strike(check, 2, &[45]), (0, 0));
    assert_eq!(
        strike(check, 2, &[100]),
        (1, 3),
        "00 always succeeds, and is a double"
    );
    assert_eq!(
        strike("{ skill = 200 }", 2, &[99]),
        (0, 0),
        "99 always fails"
    );
    assert_eq!(
        strike("{ skill = 44, critical = \"none\" }", 2, &[44]),
        (1, 1)
    );
}

/// Counts the results of `attempts` checks.
fn outcomes(
    check: &Check,
    attempts: u64,
    mut draw: impl FnMut(&Check, u64) -> i64,
) -> BTreeMap<i64, u64> {
    let mut counts = BTreeMap::new();
    for index in 0..attempts {
        *counts.entry(draw(check, index)).or_default() += 1;
    }
    counts
}

/// A source of chance that rolls single dice even for pools.
struct DiceOnly(Streams);

impl Chance for DiceOnly {
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        self.0.face(who, purpose, sides)
    }

    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        self.0.happens(who, purpose, chance)
    }
}

/// A whole pool, a pool with a bonus, pools that lose dice to wounds and distance, and a part of a divided pool.
#[test]
fn a_pool_drawn_by_table_and_rolled_by_dice_has_one_distribution() {
    for (mastery, lost, part) in [(0, 0, None), (2, 1, None), (0, 3, None), (0, 3, Some(2))] {
        one_distribution(mastery, lost, part);
    }
}

fn one_distribution(mastery: i64, lost: i64, part: Option<u32>) {
    const ATTEMPTS: u64 = 200_000;
    let rules = Storyteller {
        required: 2,
        ..Storyteller::new(7, 7)
    };
    let check = Check::Pool {
        dice: Dice::new(&rules, 9).unwrap(),
        extra_damage: 0,
        every_success: false,
    };
    let question = CheckTerms {
        mastery,
        lost,
        part,
        meeting_hits: true,
        ..CheckTerms::default()
    };
    let mut tables = Streams::new(7, ["one"]);
    let mut rolls = DiceOnly(Streams::new(8, ["one"]));
    let drawn = outcomes(&check, ATTEMPTS, |check, index| {
        tables.begin(index);
        check
            .attempt(&question, &mut tables, |_| {
                |_: u32| -> u32 { panic!("drawn by dice") }
            })
            .total
    });
    let rolled = outcomes(&check, ATTEMPTS, |check, index| {
        rolls.0.begin(index);
        check
            .attempt(&question, &mut rolls, |chance| {
                |sides| chance.face(0, Purpose::Check, sides)
            })
            .total
    });
    // Compares two samples; rare values are grouped with their neighbours.
    let (mut statistic, mut cells, mut one, mut other) = (0.0, 0, 0.0, 0.0);
    for value in -7..=40 {
        one += drawn.get(&value).copied().unwrap_or(0) as f64;
        other += rolled.get(&value).copied().unwrap_or(0) as f64;
        if one + other >= 50.0 {
            statistic += (one - other) * (one - other) / (one + other);
            cells += 1;
            (one, other) = (0.0, 0.0);
        }
    }
    assert!(cells >= 6, "{cells} cells");
    // The critical value for 30 degrees of freedom at one in a million.
    assert!(
        cells <= 31 && statistic < 82.0,
        "chi-squared {statistic} in {cells} cells of {lost} lost, {part:?}"
    );
}

#[test]
fn a_pool_attack_in_a_fight_hits_as_often_as_the_pool_succeeds() {
    let variant = variant(&duel("{ pool = 6, difficulty = 7, required = 2 }", 0));
    let player = player(&variant, 3);
    let mut table = player.state();
    let mut record = Record::default();
    let encounters = 100_000;
    let mut hits = 0;
    for encounter in 0..encounters {
        player.play(&mut table, encounter, &mut record);
        hits += record.combatants[0].hits;
    }
    let rules = Storyteller {
        required: 2,
        ..Storyteller::new(6, 7)
    };
    let expected = rules.compile().unwrap().odds().success();
    let rate = f64::from(hits) / encounters as f64;
    let se = (expected * (1.0 - expected) / encounters as f64).sqrt();
    assert!((rate - expected).abs() < 4.5 * se, "{rate} for {expected}");
}

#[test]
fn a_pool_of_none_never_hits() {
    let drawn = Dice::new(&Storyteller::new(0, 6), 0)
        .unwrap()
        .of(0)
        .roll(&mut |_: u32| 10);
    assert_eq!(
        drawn,
        PoolDraw {
            net: 0,
            botch: false
        }
    );
}

#[test]
fn what_is_wrong_with_a_check_is_told_with_its_place() {
    let told = |check: &str| errors(&duel(check, 0));
    assert!(told("{ pool = -1 }").contains("pool"));
    assert!(told("{ pool = 5, difficulty = 11 }").contains("difficulty"));
    assert!(told("{ pool = 5, tens = \"explod\" }").contains("explode"));
    assert!(told("{ skil = 50 }").contains("skil"));
    assert!(told("{ skill = 50, dice = \"2d10\" }").contains("dice"));
}
