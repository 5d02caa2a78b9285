//! Checks in words, what they lead to, and traits of the scenario's own: solved and sampled on every clock. The values
//! come from enumerations by hand.

use super::{BUDGET, mean, solved};
use crate::support::fights::{errors, sampled, variant};
use skirmish::stats::{Confidence, Summary};
use skirmish::systems::SYSTEMS;
use skirmish::tally::metrics;

/// Returns a fight of `rounds` Rounds in which one follows a policy, and the other stands and lasts.
pub(super) fn fight(
    system: &str,
    gear: &str,
    [own, other]: [&str; 2],
    policy: &str,
    rounds: u32,
) -> String {
    let fighter = |name: &str, traits: &str, more: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 10\nmove = 12\n\
             evade = 0\nhealth = 9000\ntraits = {{ {traits} }}\n{more}\n"
        )
    };
    format!(
        "system = \"{system}\"\nencounter.max_rounds = {rounds}\nrules.health = \"points\"\n{gear}\n{}{}",
        fighter("striker", own, policy),
        fighter("wall", other, "policy = [\"pass\"]")
    )
}

/// A weapon with a check and damage, and more keys.
pub(super) fn weapon(check: &str, damage: &str, more: &str) -> String {
    format!("[weapons.axe]\nkind = \"melee\"\ncheck = {check}\ndamage = {damage}\n{more}")
}

const STRIKES: &str = "weapons = [\"axe\"]\npolicy = [\"attack\"]";

/// Asserts the mean damage of an attack on every clock, solved and sampled.
fn strikes(gear: &str, traits: [&str; 2], expected: f64) {
    measured("damage", gear, traits, expected);
}

/// Asserts the mean of a metric for each attack.
fn measured(metric: &str, gear: &str, traits: [&str; 2], expected: f64) {
    measured_in(metric, expected, |system| {
        fight(system, gear, traits, STRIKES, 1)
    });
}

/// Asserts the mean of a metric for each attack of the first combatant of a fight, on every clock.
pub(super) fn measured_in(metric: &str, expected: f64, fight: impl Fn(&str) -> String) {
    for system in SYSTEMS {
        let text = fight(system.name);
        let variant = variant(&text);
        let solution = solved(&variant, BUDGET).expect("a small fight");
        let (sum, attacks) = (mean(&solution, metric, 0), mean(&solution, "attacks", 0));
        let each = sum / attacks;
        assert!((each - expected).abs() < 5e-5, "{metric} {each}, {text}");
        let metric = metrics::find(metric).unwrap();
        let tally = sampled(&variant, 1, 2000);
        let counts = tally.distribution(metric, 0);
        let sample = Summary::of(&counts, metric.kind, Confidence::DEFAULT);
        let error = sample.sd.unwrap() / 2000.0_f64.sqrt();
        let apart = sample.mean.unwrap() - sum;
        assert!(apart.abs() <= 4.0 * error + 1e-9, "{apart}, {text}");
    }
}

/// Asserts the chance that a check works.
fn works(check: &str, traits: [&str; 2], expected: f64) {
    measured("hits", &weapon(check, "1", ""), traits, expected);
}

#[test]
fn a_bite_hits_in_full_and_its_poison_is_halved_by_a_save() {
    let poison = "effects = [{ damage = \"2d8\", damage_type = \"poison\", \
                  resist = { check = \"1d20 + con_save >= 11\", success = \"half\" } }]";
    let bite = weapon("\"1d20 + attack >= target.ac\"", "\"1d8+3\"", poison);
    let own = "attack = 4, ac = 13, con_save = 1";
    // 40% of 1d8+3 in full and of 2d8 that 65% of saves halve.
    strikes(&bite, [own, "ac = 17, con_save = 3"], 5.365);
    strikes(&bite, [own, "ac = 18, con_save = 3"], 4.694_375);
}

#[test]
fn rolls_of_both_sides_and_rolls_under_a_number() {
    let skills = ["skill = 45, might = 3", "skill = 40, might = 1"];
    works("\"1d100 <= skill\"", skills, 0.45);
    works("\"1d100 < skill\"", skills, 0.44);
    works("\"3d6 <= 10\"", skills, 0.5);
    works("\"1d20 > 15\"", skills, 0.25);
    works("\"1d20 + 2 * might - target.might >= 15\"", skills, 0.55);
    // WFRP: success levels by tens, ties to the higher skill.
    let levels = "1d100 <= skill by tens vs 1d100 <= target.skill by tens";
    works(&format!("\"{levels}, ties higher\""), skills, 0.5491);
    works(&format!("\"{levels}\""), skills, 0.4509);
    // Successes of pools.
    works("\"6d6>=5 vs 4d6>=5\"", skills, 0.541_330);
    works("\"6d6 >= 5 vs 4d6 >= 5, ties win\"", skills, 0.782_960);
    works("\"6d6>=5 + might vs 4d6>=5\"", skills, 0.986_994);
    let opposed = "2d6 + might vs 2d6 + target.might";
    let mut wins = [0, 0];
    let faces = |sum: i32| (6 - (sum - 7).abs()).max(0);
    for mine in 2..=12 {
        for theirs in 2..=12 {
            let ways = faces(mine) * faces(theirs);
            wins[0] += ways * i32::from(mine + 3 > theirs + 1);
            wins[1] += ways * i32::from(mine + 2 >= theirs);
        }
    }
    let [lost, won] = wins.map(|ways| f64::from(ways) / 1296.0);
    works(&format!("\"{opposed}\""), skills, lost);
    works(&format!("\"{opposed}, ties lose\""), skills, lost);
    works(&format!("\"{opposed}, ties win\""), skills, won);
}

#[test]
fn dice_of_any_kind_in_words() {
    let none = ["a = 1", "a = 1"];
    works("\"5d10!!kh3 >= 30\"", none, 0.236_5);
    works("\"reach(3d6, 2d6) >= 1\"", none, 0.518_647);
    works("\"reach(3d6, 2d6) >= 0\"", none, 0.518_647 + 0.179_398);
    // Six dice of which at least one shows 5 or more.
    works("\"6d6 >= 5\"", none, 1.0 - (2.0_f64 / 3.0).powi(6));
    works("\"2d6 >= 8\"", none, 15.0 / 36.0);
    let traits = ["strength = 2, brawl = 4", "strength = 1, brawl = 1"];
    let pool = "{ pool = \"strength + brawl\", die = 6, success = 5, required = 2 }";
    strikes(
        &weapon(&pool.replace("2 }", "2, extra_damage = 0 }"), "2", ""),
        traits,
        1.297_7,
    );
    // Successes beyond the required ones as damage.
    strikes(&weapon(pool, "\"2 + margin\"", ""), traits, 1.736_6);
    strikes(&weapon(pool, "\"total\"", ""), traits, 1.736_6);
    let short = "\"(strength + brawl)d6 >= 5\"";
    strikes(&weapon(short, "\"1 + margin\"", ""), traits, 2.0);
}

#[test]
fn a_fireball_is_halved_by_a_save() {
    let resist = "resist = { check = \"1d20 + dex_save >= 15\", success = \"half\" }";
    let fireball = weapon("\"1d20 >= 1\"", "\"8d6\"", resist);
    strikes(&fireball, ["dex_save = 0", "dex_save = 4"], 20.875);
    strikes(&fireball, ["dex_save = 0", "dex_save = 1"], 23.012_5);
    let by_source = fireball.replace(">= 15", ">= source.dc");
    let own = "dex_save = 0, dc = 15";
    strikes(&by_source, [own, "dex_save = 4, dc = 10"], 20.875);
}

#[test]
fn degrees_and_margins_change_the_damage() {
    let traits = ["attack = 4, ac = 10", "attack = 4, ac = 18"];
    let check = "{ roll = \"1d20 + attack >= target.ac\", degrees = { critical = \"margin >= 10 or natural 20\", \
                 fumble = \"natural 1\" } }";
    let plain = "\"1d20 + attack >= target.ac\"";
    strikes(&weapon(plain, "\"1d8 + margin\"", ""), traits, 0.35 * 7.5);
    strikes(
        &weapon(plain, "{ success = \"1d8 + 4\", failure = \"half\" }", ""),
        traits,
        0.35 * 8.5 + 0.65 * 4.0,
    );
    let damage = "{ success = \"1d8 + 4\", critical = \"2 * (1d8 + 4)\", failure = \"half\", fumble = \"none\" }";
    strikes(
        &weapon(check, damage, ""),
        traits,
        0.05 * 17.0 + 0.3 * 8.5 + 0.6 * 4.0,
    );
    let dice = "{ success = \"1d8 + 4\", critical = \"double dice\" }";
    strikes(&weapon(check, dice, ""), traits, 0.05 * 13.0 + 0.3 * 8.5);
    let on = "effects = [{ damage = 10, on = \"critical\" }]";
    strikes(&weapon(check, "1", on), traits, 0.35 + 0.5);
    // A natural 20 hits an evade that no total reaches, and a natural 1 misses any.
    let hard = ["attack = 4, ac = 10", "attack = 4, ac = 99"];
    strikes(&weapon(check, "1", ""), hard, 0.05);
    let easy = ["attack = 4, ac = 10", "attack = 4, ac = 0"];
    strikes(&weapon(check, "1", ""), easy, 0.95);
}

/// A bonus by conditions of either side, and rolls that count twice.
#[test]
fn advantage_and_disadvantage_roll_twice() {
    let traits = ["attack = 0, luck = 0", "attack = 0, luck = 0"];
    let blessed = |modifies: &str, more: &str| {
        format!(
            "{}\n[conditions.blessed]\nends = \"never\"\nmodifies = {{ {modifies} }}\n\
             [encounter.hazards.blessing]\nlast = 1\neffects = [{{ condition = \"blessed\" }}]\n{more}",
            weapon("\"1d20 + attack >= 11\"", "1", "")
        )
    };
    for (modifies, expected) in [
        ("attack = \"advantage\"", 0.75),
        ("attack = \"disadvantage\"", 0.25),
        ("\"attacks against\" = \"advantage\"", 0.75),
        ("\"attacks against\" = -2", 0.4),
        // The trait of the check itself.
        ("attack = 1", 0.55),
        ("luck = 5", 0.5),
    ] {
        strikes(&blessed(modifies, ""), traits, expected);
    }
    let both = "attack = \"advantage\", \"attacks against\" = \"disadvantage\"";
    strikes(&blessed(both, ""), traits, 0.5);
}

#[test]
fn prices_are_paid_as_long_as_they_can_be() {
    for system in SYSTEMS {
        let gear = weapon("\"1d20 >= 1\"", "1", "cost = { mana = 3 }");
        let text = fight(system.name, &gear, ["mana = 10", "mana = 0"], STRIKES, 9);
        let solution = solved(&variant(&text), BUDGET).expect("a small fight");
        assert!(
            (mean(&solution, "damage", 0) - 3.0).abs() < 1e-9,
            "{}",
            system.name
        );
        let gear = "[items.wand]\ntarget = \"enemy\"\nrange = 9\nuses = 100\ndamage = 1\n\
                    cost = { mana = 3 }\neffects = [{ traits = { pain = 2 } }]";
        let policy = "items = [\"wand\"]\npolicy = [\"use wand if mana > 3\", \"pass\"]";
        let traits = ["mana = 10, pain = 0", "mana = 0, pain = 1"];
        let text = fight(system.name, gear, traits, policy, 9);
        let solution = solved(&variant(&text), BUDGET).expect("a small fight");
        assert!(
            (mean(&solution, "damage", 0) - 3.0).abs() < 1e-9,
            "{}",
            system.name
        );
    }
}

/// The second attack of a Round has -5, the third and all others -10.
#[test]
fn a_penalty_grows_with_each_attack_of_a_turn() {
    let more = "penalties = [0, -5, -10]\nattacks = 3";
    let gear = weapon("\"1d20 + attack >= 15\"", "1", more);
    let traits = ["attack = 6", "attack = 0"];
    let text = fight("tara-corax", &gear, traits, STRIKES, 2);
    let solution = solved(&variant(&text), BUDGET).expect("a small fight");
    let damage = mean(&solution, "damage", 0);
    assert!((damage - 2.0 * (0.6 + 0.35 + 0.1)).abs() < 1e-9, "{damage}");
}

/// Each mistake is told with its place, before anything is played.
#[test]
fn mistakes_in_words_are_told() {
    let told = |check: &str, traits: [&str; 2], expected: &str| {
        let text = fight("chronicles", &weapon(check, "1", ""), traits, STRIKES, 1);
        let found = errors(&text);
        assert!(found.contains(expected), "{check}: {found}");
    };
    let traits = ["attack = 1, ac = 2", "ac = 2"];
    told(
        "\"1d20 + atack >= target.ac\"",
        traits,
        "no trait is called `atack`",
    );
    told(
        "\"1d20 + attack >= target.attack\"",
        traits,
        "combatant \"wall\" has no trait `attack`",
    );
    told(
        "\"1d20 + attack >= 1d6\"",
        traits,
        "a roll is held against dice",
    );
    told("\"attack >= target.ac\"", traits, "a check has no dice");
    told(
        "\"1d20 + attack vs 1d20, ties never\"",
        traits,
        "ties cannot \"never\"",
    );
    told(
        "\"(attack)d6 >= 5 vs 4d6\"",
        traits,
        "dice may count their successes",
    );
    told(
        "\"1d100 <= attack by hundreds vs 1d100 <= attack\"",
        traits,
        "no such levels",
    );
    told(
        "\"1d20 + 5000 * attack >= 3\"",
        traits,
        "a factor is out of range",
    );
    told("\"1d20 + >= 3\"", traits, "is no sum");
    let degrees = "{ roll = \"1d20 >= 3\", degrees = { fine = \"luck >= 3\" } }";
    told(degrees, traits, "`luck >= 3` says no degree");
    let wrong = ["d6 = 1, ac = 2", "ac = 2"];
    told(
        "\"1d20 >= target.ac\"",
        wrong,
        "no trait can be called \"d6\"",
    );
    let lacks = fight(
        "mage",
        &weapon("\"1d20 + might >= 3\"", "1", ""),
        ["ac = 1", "might = 2, ac = 1"],
        STRIKES,
        1,
    );
    assert!(errors(&lacks).contains("combatant \"striker\" has no trait `might`"));
}
