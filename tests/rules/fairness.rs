//! Neither the order in the file nor the end of the line gives an advantage: a mirror match is fair, and a shipped fight
//! is the same from the other end.

use crate::support::fights::{loaded, player, shipped, variant};
use skirmish::fight::Fight;
use skirmish::run::paired::{self, ComparedMetric, Contender, Paired};
use skirmish::run::runner::run;
use skirmish::scenario::Variant;
use skirmish::stats::Confidence;
use skirmish::stats::paired::Difference;
use skirmish::tally::metrics;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

const ENCOUNTERS: u64 = 20_000;

/// The standard errors by which the win rates may differ. A fair match exceeds 4.5 in 1 of 150,000.
const MOST: f64 = 4.5;

const ARMORY: &str = r#"
[encounter]
max_rounds = 30
arena = [-30, 31]
[weapons.sword]
kind = "melee"
attacks = 2
check = { dice = "2d10" }
damage = "1d8"
[weapons.spear]
kind = "melee"
reach = 2
check = { dice = "2d10" }
damage = "1d8"
[weapons.bow]
kind = "ranged"
range = 40
attacks = 3
check = { dice = "2d10" }
mastery = 2
damage = "1d6"
[spells.bolt]
casting_time = 12
range = 40
damage = "1d10"
[spells.fire]
casting_time = 34
range = 40
damage = "3d10"
check = { dice = "2d10", bonus = 4 }
"#;

/// Returns a scenario with one combatant on each side for each of `fighters` (keys, policy), equally far from the
/// middle.
fn mirror(rules: &str, distance: i32, fighters: &[(&str, &str)]) -> String {
    let mut text =
        format!("system = 'tara-corax'\n[rules]\nfizzle_chance = 0.5\n{rules}\n{ARMORY}");
    for (index, (keys, policy)) in fighters.iter().enumerate() {
        for (side, end) in [("left", -1), ("right", 1)] {
            let ends = end * (distance + index as i32);
            // The length between the ends is odd, so that there is no Unit in the middle.
            let position = if end > 0 { ends + 1 } else { ends };
            text.extend([format!(
                "[[combatants]]\nname = '{side} {index}'\nside = '{side}'\n\
                 position = {position}\nattributes = {{ agility = 13, intellect = 12 }}\n\
                 move = 10\nevade = 11\nhealth = 30\n{keys}\npolicy = {policy}\n"
            )]);
        }
    }
    text
}

/// Asserts that the mirror match is fair in Full and Simple Rounds and with fixed Scores.
fn is_fair(distance: i32, fighters: &[(&str, &str)]) {
    for rules in [
        "round = 'full'",
        "round = 'simple'",
        "initiative.mode = 'fixed'",
    ] {
        let variant = variant(&mirror(rules, distance, fighters));
        let player = player(&variant, 7);
        let threads = NonZeroUsize::new(2).unwrap();
        let go = AtomicBool::new(false);
        let range = 0..ENCOUNTERS;
        let tally = run(&player, &variant.fight, range, threads, &go, &()).unwrap();
        let (left, right) = (tally.wins(0), tally.wins(1));
        assert!(left + right > ENCOUNTERS / 20, "{rules}: {left} to {right}");
        // Of the encounters that a side wins, each side wins half.
        let standard_error = ((left + right) as f64).sqrt();
        let errors = (left as f64 - right as f64) / standard_error;
        assert!(
            errors.abs() < MOST,
            "{rules}: {left} to {right} is {errors:.1} standard errors"
        );
    }
}

const SWORD: (&str, &str) = (
    "weapons = ['sword']",
    "['attack', 'set if in_melee and not ready', 'advance']",
);
const ARCHER: (&str, &str) = (
    "weapons = ['bow']",
    "['retreat 3 if distance < 15 and not acted', 'attack', 'set', 'retreat if distance < 20']",
);
const GUARD: (&str, &str) = (
    "weapons = ['spear']\ncar = 5\nabilities = ['counter']",
    "['car', 'attack', 'set', 'advance to 4']",
);
const CHARGER: (&str, &str) = (
    "weapons = ['sword']\nabilities = ['frenzied_charge']",
    "['attack', 'charge', 'set', 'retreat 4 if attacked', 'advance 3 if distance > 8']",
);
const MAGE: (&str, &str) = (
    "spells = ['bolt', 'fire']\ncombat_casting = { check = '1d10', target = 2, units_per = 2 }",
    "['combat_cast retreat', 'cast fire if hp > 15', 'cast bolt', 'set', 'retreat']",
);

#[test]
fn tc_20_melee_against_melee_is_fair() {
    is_fair(6, &[SWORD]);
}

#[test]
fn tc_20_archers_against_archers_is_fair() {
    is_fair(9, &[ARCHER]);
}

#[test]
fn tc_20_car_against_car_is_fair() {
    is_fair(6, &[GUARD]);
}

#[test]
fn tc_20_chargers_against_chargers_is_fair() {
    is_fair(8, &[CHARGER]);
}

#[test]
fn tc_20_casters_against_casters_is_fair() {
    is_fair(10, &[MAGE]);
}

#[test]
fn tc_20_three_against_three_is_fair() {
    is_fair(5, &[GUARD, ARCHER, MAGE]);
    is_fair(5, &[SWORD, SWORD, CHARGER]);
}

/// Returns the text of a scenario that lists its sides in reverse, each with its combatants in their order, and reflects
/// the positions of its base and of a variant, about the middle of the arena or else of the variant's positions.
fn from_the_other_end(text: &str, base: &Fight, variant: &Variant) -> String {
    let mut file: toml::Table = text.parse().unwrap();
    let fight = &variant.fight;
    let combatants = file["combatants"].as_array_mut().unwrap();
    combatants.sort_by_key(|combatant| {
        let side = combatant["side"].as_str();
        let place = fight
            .sides
            .iter()
            .position(|name| Some(name.as_str()) == side);
        std::cmp::Reverse(place)
    });
    let positions = || fight.combatants.iter().map(|combatant| combatant.position);
    let axis = match fight.arena {
        Some(arena) => arena.min + arena.max,
        None => positions().min().unwrap() + positions().max().unwrap(),
    };
    let reflected = |fight: &Fight, name: &str| {
        let mut combatants = fight.combatants.iter();
        let found = combatants.find(|combatant| combatant.group == name);
        axis - found.unwrap().position
    };
    for combatant in combatants {
        let position = reflected(base, combatant["name"].as_str().unwrap());
        let table = combatant.as_table_mut().unwrap();
        table.insert("position".to_owned(), position.into());
    }
    let variants = file.get_mut("variants").and_then(toml::Value::as_array_mut);
    let mut variants = variants.into_iter().flatten();
    if let Some(written) = variants.find(|entry| entry["name"].as_str() == Some(&variant.name)) {
        for (key, value) in written["set"].as_table_mut().unwrap().iter_mut() {
            let name = key.strip_prefix("combatants.");
            if let Some(name) = name.and_then(|name| name.strip_suffix(".position")) {
                *value = reflected(fight, name.trim_matches('"')).into();
            }
        }
    }
    file.to_string()
}

/// Streams are keyed by names, so all combatants have the same dice in both fights.
#[test]
fn shipped_fights_are_the_same_from_the_other_end() {
    let (threads, go) = (NonZeroUsize::new(2).unwrap(), AtomicBool::new(false));
    let clear: Confidence = "99.9999%".parse().unwrap();
    for file in shipped() {
        let text = fs::read_to_string(&file).unwrap();
        let variants = loaded(&text, &[]).scenario.variants;
        for written in &variants {
            let images = loaded(&from_the_other_end(&text, &variants[0].fight, written), &[]);
            let is_image = |image: &&Variant| image.name == written.name;
            let image = images.scenario.variants.iter().find(is_image).unwrap();
            let both = [written, image].map(|variant| Contender {
                player: player(variant, 1),
                fight: &variant.fight,
            });
            let fights = || [&written.fight, &image.fight];
            let questions: Vec<ComparedMetric> = ["win_rate", "health_left", "rounds"]
                .into_iter()
                .filter_map(metrics::find)
                .flat_map(|metric| {
                    let subjects = metric.scope.subjects(&written.fight);
                    subjects.map(move |subject| ComparedMetric::new(metric, subject, fights()))
                })
                .collect();
            let paired: Paired = paired::run(&both, &questions, 0..500, threads, &go, &()).unwrap();
            for (question, pairs) in questions.iter().zip(&paired.pairs) {
                let difference = Difference::of_pairs(&pairs[0], question.metric.kind, None, clear);
                let interval = difference.as_ref().and_then(|found| found.interval);
                assert!(
                    interval.is_none_or(|interval| !interval.excludes_zero()),
                    "{}, {}: {} {difference:?}",
                    file.display(),
                    written.name,
                    question.metric.name
                );
            }
        }
    }
}
