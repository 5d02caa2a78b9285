//! `skirmish odds initiative` against fights: which of two combatants acts first in the first Round.

use super::odds;
use crate::support::fights::{sampled, variant_with};
use skirmish::tally::metrics;

const ENCOUNTERS: u64 = 4000;

/// The value that chi-squared with two degrees of freedom exceeds by chance 1 time in 150,000: -2 ln p.
const CRITICAL: f64 = 23.84;

fn fight(system: &str, keys: [&str; 2]) -> String {
    let fighter = |name: &str, keys: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\nmove = 5\n\
             evade = 0\nhealth = 5\nweapons = [\"axe\"]\n{keys}\n"
        )
    };
    format!(
        "system = \"{system}\"\n[encounter]\nmax_rounds = 1\nacted_first = true\n[rules]\n\
         check = \"roll-over\"\nhealth = \"points\"\n[weapons.axe]\nkind = \"melee\"\n\
         check = {{ dice = \"1d10-50\" }}\ndamage = 1\n{}{}",
        fighter("left", keys[0]),
        fighter("right", keys[1])
    )
}

/// Returns the shares of encounters in which the first acted before the second, and the second before the first.
fn played(system: &str, keys: [&str; 2], set: &[&str]) -> [f64; 2] {
    let tally = sampled(&variant_with(&fight(system, keys), set), 1, ENCOUNTERS);
    let metric = metrics::find("acted_first").unwrap();
    [0, 1].map(|side| tally.distribution(metric, side).count(100) as f64 / ENCOUNTERS as f64)
}

/// Returns the exact chances that the first acts before the second, that both act at once, and that the second acts
/// before the first.
fn chances(system: &str, arguments: &str) -> [f64; 3] {
    let json = odds(&format!(
        "initiative --format json --system {system} {arguments}"
    ))
    .json();
    [0, 1, 2].map(|row| json["tables"]["outcomes"][row]["chance"].as_f64().unwrap())
}

/// Returns the same chances without the middle one, acting at once.
fn solved(system: &str, arguments: &str) -> [f64; 2] {
    let [first, _, second] = chances(system, arguments);
    [first, second]
}

fn agree(system: &str, arguments: &str, keys: [&str; 2], set: &[&str]) {
    let fights = [keys[0], keys[1]].map(|keys| {
        if keys.contains("policy") {
            keys.to_owned()
        } else {
            format!("{keys}\npolicy = [\"attack\"]")
        }
    });
    let (solved, played) = (
        solved(system, arguments),
        played(system, [&fights[0], &fights[1]], set),
    );
    // The shares of the first before the second, of the second before the first, and of neither.
    let three = |[before, after]: [f64; 2]| [before, after, 1.0 - before - after];
    let mut statistic = 0.0;
    for (exact, found) in three(solved).into_iter().zip(three(played)) {
        let (expected, found) = (exact * ENCOUNTERS as f64, found * ENCOUNTERS as f64);
        if expected < 1e-6 {
            assert!(
                found < 0.5,
                "{system} {arguments}: {played:?} cannot happen"
            );
        } else {
            statistic += (found - expected).powi(2) / expected;
        }
    }
    assert!(
        statistic <= CRITICAL,
        "{system} {arguments}: chi-squared {statistic}, solved {solved:?}, played {played:?}"
    );
}

/// The possible totals of a side, each with its chance.
type Totals = Vec<(i64, f64)>;

/// Returns the total of each possible roll of `dice` dice, with its chance.
fn every(dice: u32, sides: i64, total: impl Fn(&[i64]) -> i64) -> Totals {
    let count = sides.pow(dice);
    let chance = 1.0 / count as f64;
    let faces = |mut number: i64| -> Vec<i64> {
        (0..dice)
            .map(|_| {
                let face = number % sides + 1;
                number /= sides;
                face
            })
            .collect()
    };
    (0..count)
        .map(|number| (total(&faces(number)), chance))
        .collect()
}

/// Returns the chances that the first acts before the second, that both act at once, and that the second acts before
/// the first.
fn enumerated(mine: &Totals, theirs: &Totals, least: i64) -> [f64; 3] {
    let mut chances = [0.0; 3];
    for (one, weight) in mine {
        for (other, weight_of_other) in theirs {
            let outcome = match (*one >= least, *other >= least) {
                (false, false) => continue,
                (true, false) => 0,
                (true, true) if one > other => 0,
                (true, true) if one == other => 1,
                (_, true) => 2,
            };
            chances[outcome] += weight * weight_of_other;
        }
    }
    chances
}

/// Asserts that the exact answer equals the chances counted over all dice.
fn counts(system: &str, arguments: &str, expected: [f64; 3]) {
    let found = chances(system, arguments);
    for (row, (chance, expected)) in found.into_iter().zip(expected).enumerate() {
        let apart: f64 = chance - expected;
        assert!(
            apart.abs() < 1e-12,
            "{system} {arguments}: row {row} is {chance}, counted {expected}"
        );
    }
}

/// Returns a Score of Tara-Corax before its delay: a rating and two d10, the second of which counts only after a 10
/// (TC-3).
fn roll(rating: i64, faces: &[i64]) -> i64 {
    rating + faces[0] + if faces[0] == 10 { faces[1] } else { 0 }
}

#[test]
fn tc_4_half_of_the_roll_is_counted_before_the_cap_and_what_is_owed() {
    for (owed, marks) in [(0, 30), (7, 30), (12, 24), (0, 60)] {
        let halved = every(2, 10, |faces| {
            let full = roll(26, faces);
            let score = full.min(marks) - owed;
            if score < 1 {
                return score;
            }
            (full - full / 2).min(marks) - owed
        });
        let plain = every(2, 10, |faces| roll(5, faces).min(marks));
        let arguments = format!(
            "--rating 26 --against 5 --delay up --delay-half roll --owed {owed} --round-marks {marks} \
             --ties total,simultaneous"
        );
        counts("tara-corax", &arguments, enumerated(&halved, &plain, 1));
        let halved = every(2, 10, |faces| {
            let score = roll(26, faces).min(marks) - owed;
            if score < 1 { score } else { score / 2 }
        });
        let arguments = format!(
            "--rating 26 --against 5 --delay down --owed {owed} --round-marks {marks} \
             --ties total,simultaneous"
        );
        counts("tara-corax", &arguments, enumerated(&halved, &plain, 1));
    }
}

#[test]
fn ep_7_a_speed_above_four_rolls_as_many_dice() {
    let best = |rating: i64| move |faces: &[i64]| rating + faces.iter().max().unwrap();
    for (speed, dice) in [(6, 6), (8, 6), (1, 1)] {
        let arguments = format!(
            "--rating 5 --against 6 --per-speed --speed {speed} --against-speed 3 --speed-max 6 \
             --dice 1d4"
        );
        if speed > 6 {
            refuses("eclipse-phase", &arguments, "expected 1 to 6");
            continue;
        }
        let expected = enumerated(&every(dice, 4, best(5)), &every(3, 4, best(6)), i64::MIN);
        counts("eclipse-phase", &arguments, expected);
    }
    // As in fights, a Speed above the maximum counts as the maximum.
    let expected = enumerated(&every(2, 4, best(5)), &every(2, 4, best(6)), i64::MIN);
    let arguments =
        "--rating 5 --against 6 --per-speed --speed 4 --against-speed 2 --speed-max 2 --dice 1d4";
    counts("eclipse-phase", arguments, expected);
    refuses(
        "eclipse-phase",
        "--rating 5 --against 6 --per-speed --speed 5",
        "expected 1 to 4; --speed-max allows up to 8",
    );
}

fn refuses(system: &str, arguments: &str, message: &str) {
    odds(&format!("initiative --system {system} {arguments}")).assert_refused(message);
}

#[test]
fn a_grid_says_in_each_cell_what_the_two_ratings_alone_say() {
    for (system, more) in [
        (
            "tara-corax",
            "--delay up --delay-half roll --round-marks 40 --owed 3",
        ),
        ("mage", "--ties wits"),
        ("chronicles", "--ties dexterity --dice 1d4"),
        (
            "eclipse-phase",
            "--wounds 2 --wound 3 --modifier 1 --ties reflexes",
        ),
    ] {
        let grid = format!("initiative --format csv --system {system} --grid 4..6 {more}");
        let csv = odds(&grid).printed();
        assert_eq!(csv.lines().count(), 10, "{system}");
        for line in csv.lines().skip(1) {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let arguments = format!("--rating {} --against {} {more}", cells[0], cells[1]);
            counts(system, &arguments, [cells[2], cells[3], cells[4]]);
        }
    }
}

#[test]
fn options_of_initiative_that_would_do_nothing_are_refused() {
    for (system, arguments, message) in [
        (
            "mage",
            "--rating 5 --against 5 --owed 3",
            "--owed is for --system tara-corax",
        ),
        (
            "mage",
            "--rating 5 --against 5 --against-owed 3",
            "--against-owed is for --system tara-corax",
        ),
        (
            "mage",
            "--rating 5 --against 5 --moxie",
            "--moxie is for --system eclipse-phase",
        ),
        (
            "eclipse-phase",
            "--rating 5 --against 5 --share --per-speed",
            "--share is for one roll",
        ),
        (
            "tara-corax",
            "--rating 5 --against 5 --delay-half roll",
            "add one of them",
        ),
        (
            "tara-corax",
            "--rating 5 --against 5 --owed 30",
            "who owes a whole Round of 30 skips it",
        ),
        (
            "eclipse-phase",
            "--rating 5 --against 5 --rounding up",
            "a rating is whole already",
        ),
        ("eclipse-phase", "--rating 5 --moxie", "need --against"),
        (
            "mage",
            "--rating 5 --against 5 --dice 1000*10d6",
            "expected dice that show -10000 to 10000",
        ),
    ] {
        refuses(system, arguments, message);
    }
}

const SIX: &str = "initiative = 6";
const FIVE: &str = "initiative = 5";

#[test]
fn in_tara_corax_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("tara-corax", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree(
        "--rating 6 --against 5 --ties total,simultaneous --explode recursive",
        [SIX, FIVE],
        &["rules.initiative={ ties = [\"total\"], explode = \"recursive\" }"],
    );
    // The rating is capped at 30 and therefore often tied; Intellect decides.
    agree(
        "--attributes 26,24 --against-attributes 24,26 --ties intellect",
        [
            "attributes = { agility = 26, intellect = 24 }",
            "attributes = { agility = 24, intellect = 26 }",
        ],
        &["rules.initiative.ties=[\"intellect\"]"],
    );
    // It may be that neither can act. A single die of another size explodes.
    agree(
        "--rating 1 --against 2 --evade-modifier 9 --against-evade-modifier 13 --dice 1d6+1",
        [
            "initiative = 1\nevade_modifier = 9",
            "initiative = 2\nevade_modifier = 13",
        ],
        &["rules.initiative.dice=1d6+1"],
    );
    agree(
        "--rating 20 --against 8 --delay down --dice 2d8",
        [
            "initiative = 20\npolicy = [\"delay down\", \"attack\"]",
            "initiative = 8",
        ],
        &["rules.initiative.dice=2d8"],
    );
}

#[test]
fn tc_4_delays_and_longer_rounds_are_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("tara-corax", arguments, keys, set);
    let delays = "initiative = 26\npolicy = [\"delay up\", \"attack\"]";
    let roll = ["rules.initiative.delay_half=roll"];
    agree(
        "--rating 26 --against 8 --delay up --delay-half roll",
        [delays, "initiative = 8"],
        &roll,
    );
    agree(
        "--rating 26 --against 8 --delay up",
        [delays, "initiative = 8"],
        &[],
    );
    agree(
        "--rating 35 --against 34 --round-marks 44 --ties simultaneous",
        ["initiative = 35", "initiative = 34"],
        &[
            "rules.round_marks=44",
            "rules.initiative.ties=[\"simultaneous\"]",
        ],
    );
    // An outright rating counts as two equal traits, and the trait decides the tie.
    agree(
        "--rating 28 --against 27 --ties agility",
        ["initiative = 28", "initiative = 27"],
        &["rules.initiative.ties=[\"agility\"]"],
    );
}

#[test]
fn in_mage_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("mage", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree("--rating 5 --against 5", [FIVE, FIVE], &[]);
    agree(
        "--attributes 3,2 --against-attributes 2,3",
        [
            "attributes = { wits = 3, dexterity = 2, stamina = 1 }",
            "attributes = { wits = 2, dexterity = 3, stamina = 1 }",
        ],
        &[],
    );
    agree(
        "--rating 6 --against 5 --ties roll-off --dice 4d6kh3",
        [SIX, FIVE],
        &["rules.initiative={ ties = [\"roll-off\"], dice = \"4d6kh3\" }"],
    );
    // A combatant with an outright rating has Wits and Dexterity too.
    agree(
        "--rating 7 --against 6 --ties dexterity",
        ["initiative = 7", SIX],
        &["rules.initiative.ties=[\"dexterity\"]"],
    );
}

#[test]
fn ma_1_those_who_share_an_initiative_are_always_tied() {
    counts("mage", "--rating 6 --against 5 --share", [1.0, 0.0, 0.0]);
    counts("mage", "--rating 5 --against 5 --share", [0.0, 1.0, 0.0]);
    let rolled_off = "--rating 5 --against 6 --share --ties roll-off";
    counts("mage", rolled_off, [0.5, 0.0, 0.5]);
    counts(
        "chronicles",
        "--rating 6 --against 5 --share",
        [1.0, 0.0, 0.0],
    );
    counts(
        "chronicles",
        "--rating 5 --against 5 --share",
        [0.5, 0.0, 0.5],
    );
    // A wound counts for the wounded alone.
    let wounded = "--rating 5 --against 9 --share --wounds 1";
    counts(
        "eclipse-phase",
        "--rating 5 --against 9 --share",
        [0.0, 1.0, 0.0],
    );
    counts("eclipse-phase", wounded, [0.0, 0.0, 1.0]);
    // With 7 Marks carried over the second cannot act where the first rolls 1 to 3, and comes later elsewhere.
    let owes = "--rating 4 --against 9 --share --against-owed 7";
    counts("tara-corax", owes, [1.0, 0.0, 0.0]);
    // With -2 a roll of 1 or 2 lets neither act.
    let slow = "--rating=-2 --against=-2 --share --explode none";
    counts("tara-corax", slow, [0.0, 0.8, 0.0]);
}

#[test]
fn in_chronicles_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("chronicles", arguments, keys, set);
    agree("--rating 5 --against 5", [FIVE, FIVE], &[]);
    agree("--rating 5 --against 6", [FIVE, SIX], &[]);
    agree(
        "--rating 5 --against 6 --ties roll-off --dice 1d4",
        [FIVE, SIX],
        &["rules.initiative={ ties = [\"roll-off\"], dice = \"1d4\" }"],
    );
}

#[test]
fn in_eclipse_phase_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("eclipse-phase", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree(
        "--attributes 30,10 --against-attributes 12,28 --ties reflexes",
        [
            "attributes = { intuition = 30, reflexes = 10 }",
            "attributes = { intuition = 12, reflexes = 28 }",
        ],
        &["rules.initiative.ties=[\"reflexes\"]"],
    );
    agree(
        "--attributes 20,13 --against-attributes 20,12 --rounding up",
        [
            "attributes = { intuition = 20, reflexes = 13 }",
            "attributes = { intuition = 20, reflexes = 12 }",
        ],
        &["rules.initiative.rounding=up"],
    );
    agree(
        "--rating 9 --against 5 --modifier -1 --wounds 2 --wound 2 --against-modifier 1",
        [
            "initiative = 9\ninitiative_modifier = -1\nwounds = 2",
            "initiative = 5\ninitiative_modifier = 1",
        ],
        &["rules.initiative.wound=2"],
    );
    let spends = "initiative = 2\nmoxie = 1\npolicy = [\"spend moxie\", \"attack\"]";
    agree(
        "--rating 2 --against 9 --moxie",
        [spends, "initiative = 9"],
        &[],
    );
    agree(
        "--rating 2 --against 2 --moxie --against-moxie",
        [spends, spends],
        &[],
    );
    agree(
        "--rating 5 --against 6 --per-speed --speed 6 --against-speed 3 --speed-max 6 --ties roll-off",
        ["initiative = 5\nspeed = 6", "initiative = 6\nspeed = 3"],
        &[
            "rules.initiative={ roll = \"per-speed\", ties = [\"roll-off\"] }",
            "rules.speed.max=6",
        ],
    );
    agree(
        "--rating 5 --against 6 --per-speed --speed 3 --against-speed 2",
        ["initiative = 5\nspeed = 3", "initiative = 6\nspeed = 2"],
        &["rules.initiative.roll=per-speed"],
    );
}
