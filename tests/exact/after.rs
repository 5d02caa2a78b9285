//! Lines after rolls, and checks whose failure falls on those who make them: solved and sampled on every clock. The values
//! come from enumerations by hand, those of Fighting Fantasy from the paper that solves it (arXiv:2002.10172).

use super::words::{fight, measured_in, weapon};
use super::{mean, solved};
use crate::support::fights::{budget, document, errors, variant};
use skirmish::exact::{MAX_STATES, best_play};
use skirmish::scenario::Offers;
use std::sync::atomic::AtomicBool;

/// A hero and a monster exchange blows: the better roll hurts the other. The hero may test luck.
const FANTASY: &str = r#"
system = "own"
encounter.max_rounds = 2000

[weapons.sword]
kind = "melee"
check = { roll = "2d6 + skill vs 2d6 + target.skill", degrees = { won = "margin > 0", lost = "margin < 0" } }
damage = 2
effects = [{ damage = 2, target = "self", on = "lost" }]

[items.luck]
uses = 9
check = "2d6 <= luck"
cost = { luck = 1 }
effects = [
    { after = "won", instead = 4, on = "success" },
    { after = "won", instead = 1, on = "failure" },
    { after = "lost", instead = 1, on = "success" },
    { after = "lost", instead = 3, on = "failure" },
]

[[combatants]]
name = "hero"
side = "hero"
position = 0
move = 0
initiative = 10
health = 14
traits = { skill = 9, luck = 9 }
weapons = ["sword"]
items = ["luck"]
policy = ["attack", "after won: use luck", "after lost: use luck"]

[[combatants]]
name = "monster"
side = "monster"
position = 0
move = 0
initiative = 0
health = 14
traits = { skill = 9 }
policy = ["pass"]
"#;

/// The paper has 50%, 44.1334189% and 72.0814454%.
#[test]
fn a_test_of_luck_after_each_round_loses_and_the_best_use_of_it_wins() {
    let wins = |text: &str| {
        let solution = solved(&variant(text), budget(MAX_STATES)).expect("a small fight");
        mean(&solution, "win_rate", 0)
    };
    let never = FANTASY.replace(", \"after won: use luck\", \"after lost: use luck\"", "");
    assert!((wins(&never) - 0.5).abs() < 1e-9);
    assert!((wins(FANTASY) - 0.441_334_189).abs() < 1e-9);
    for (text, offers) in [
        (FANTASY, Offers::Actions),
        (FANTASY, Offers::Lines),
        (&never, Offers::Actions),
    ] {
        let open = document(text).open_decisions("base", "hero", offers);
        let open = open.expect("a side of that name");
        let (most, stop) = (budget(MAX_STATES), AtomicBool::new(false));
        let found = best_play(&open.fight, &open.rules, 0, most, &stop, &mut |_| ());
        let best = found.expect("a small fight").best;
        assert!(best.low <= 0.720_814_454 && best.high - best.low < 1e-9);
        assert!((best.low - 0.720_814_454).abs() < 1e-6, "{best:?}");
    }
}

/// An axe that hits half of the time.
fn axe(more: &str) -> String {
    weapon("\"1d20 + attack >= 15\"", "3", more)
}

const TRAITS: [&str; 2] = ["attack = 4, luck = 1", "attack = 0, ac = 2"];

/// Asserts the mean of a metric of the striker for each attack, where it uses an item once the roll is known.
fn after(line: &str, item: &str, metric: &str, expected: f64) {
    let gear = format!("{}\n[items.luck]\nuses = 1000\n{item}\n", axe(""));
    let own = format!("weapons = [\"axe\"]\nitems = [\"luck\"]\npolicy = [\"attack\", \"{line}\"]");
    measured_in(metric, expected, |system| {
        fight(system, &gear, TRAITS, &own, 1)
    });
}

#[test]
fn other_damage_comes_in_the_place_of_the_usual() {
    let won = "after won: use luck";
    let item = "effects = [{ after = \"won\", instead = 5 }]";
    after(won, item, "damage", 2.5);
    // Of the dice of the item a third shows 5 or more.
    let item = "check = \"1d6 + attack >= 9\"\neffects = [\
                { after = \"won\", instead = \"1d6 + 2\", on = \"success\" }, \
                { after = \"won\", instead = \"half\", on = \"failure\" }]";
    after(won, item, "damage", 0.5 * (5.5 / 3.0 + 2.0 / 3.0));
    after("after won: use luck if attack > 4", item, "damage", 1.5);
    after("after lost: use luck", item, "damage", 1.5);
}

#[test]
fn a_roll_is_made_again_or_missed_or_costs_its_maker() {
    let again = "effects = [{ after = \"lost\", reroll = true }]";
    after("after lost: use luck", again, "hits", 0.75);
    after("after lost: use luck", again, "damage", 2.25);
    let own = "effects = [{ after = \"lost\", damage = 2 }, { after = \"lost\", reroll = true }]";
    after("after lost: use luck", own, "damage_taken", 1.0);
    let hurts = axe("effects = [{ damage = 2, target = \"self\", on = \"failure\" }]");
    let strikes = "weapons = [\"axe\"]\npolicy = [\"attack\"]";
    let hurt = |system: &str| fight(system, &hurts, TRAITS, strikes, 1);
    measured_in("damage_taken", 1.0, hurt);
    measured_in("damage", 1.5, hurt);
    // The target turns half of the hits aside.
    let gear = format!(
        "{}\n[items.dodge]\nuses = 1000\ncheck = \"1d6 + ac >= 6\"\n\
         effects = [{{ after = \"struck\", misses = true }}]\n",
        axe("")
    );
    let dodges = "items = [\"dodge\"]\npolicy = [\"pass\", \"after struck: use dodge\"]";
    measured_in("damage", 0.75, |system| {
        let text = fight(system, &gear, TRAITS, strikes, 1);
        text.replace("policy = [\"pass\"]", dodges)
    });
}

#[test]
fn a_number_or_dice_are_added_to_a_roll() {
    let lost = "after lost: use luck";
    let three = "effects = [{ after = \"lost\", add = 3 }]";
    after(lost, three, "hits", 0.65);
    // A failed roll of 1 to 10 has 5 to 14: it lacks 1 to 10 points.
    let dice = "effects = [{ after = \"lost\", add = \"1d6\" }]";
    let missing = (1..=10).map(|points| f64::from((7 - points).max(0)) / 6.0);
    after(lost, dice, "hits", 0.5 + missing.sum::<f64>() / 20.0);
    let check =
        "{ roll = \"2d6 + attack vs 2d6 + target.ac\", degrees = { close = \"margin >= -2\" } }";
    let gear = format!(
        "{}\n[items.luck]\nuses = 1000\neffects = [{{ after = \"lost\", add = 2 }}]\n",
        weapon(check, "1", "")
    );
    let own =
        "weapons = [\"axe\"]\nitems = [\"luck\"]\npolicy = [\"attack\", \"after close: use luck\"]";
    let traits = ["attack = 4, ac = 2", "attack = 0, ac = 2"];
    let faces = |sum: i32| (6 - (sum - 7).abs()).max(0);
    let all = (2..=12).flat_map(|mine| (2..=12).map(move |theirs| (mine, theirs)));
    let ways = all.filter(|(mine, theirs)| mine + 4 + 2 > theirs + 2);
    let wins: i32 = ways.map(|(mine, theirs)| faces(mine) * faces(theirs)).sum();
    measured_in("hits", f64::from(wins) / 1296.0, |system| {
        fight(system, &gear, traits, own, 1)
    });
    let under = weapon("\"2d6 <= attack\"", "1", "");
    let gear = format!("{under}\n[items.luck]\nuses = 1000\n{three}\n");
    let own = own.replace("close", "lost");
    // At or below 4, then 7.
    measured_in("hits", 21.0 / 36.0, |system| {
        fight(system, &gear, traits, &own, 1)
    });
}

/// Without points nothing is used, and each item is used once for a roll.
#[test]
fn a_point_is_paid_once() {
    let item = "cost = { luck = 1 }\neffects = [{ after = \"lost\", reroll = true }]";
    let gear = format!("{}\n[items.luck]\nuses = 1000\n{item}\n", axe(""));
    let lines = "policy = [\"attack\", \"after lost: use luck\", \"after lost: use luck\"]";
    let own = format!("weapons = [\"axe\"]\nitems = [\"luck\"]\n{lines}");
    let hits = |rounds: u32| {
        let text = fight("chronicles", &gear, TRAITS, &own, rounds);
        mean(
            &solved(&variant(&text), budget(MAX_STATES)).expect("a small fight"),
            "hits",
            0,
        )
    };
    assert!((hits(1) - 0.75).abs() < 1e-9);
    // One of two Rounds has a second roll, unless both hit at once.
    assert!((hits(2) - (1.0 + 0.75 * 0.5)).abs() < 1e-9);
}

/// Each mistake is told with its place, before anything is played.
#[test]
fn mistakes_about_rolls_are_told() {
    let told = |line: &str, item: &str, expected: &str| {
        let gear = format!("{}\n[items.luck]\nuses = 9\n{item}\n", axe(""));
        let own =
            format!("weapons = [\"axe\"]\nitems = [\"luck\"]\npolicy = [\"attack\", \"{line}\"]");
        let found = errors(&fight("own", &gear, TRAITS, &own, 1));
        assert!(found.contains(expected), "{line}, {item}: {found}");
        assert!(found.contains("--> fight.toml:"), "no place in {found}");
    };
    let item = "effects = [{ after = \"won\", instead = 5 }]";
    told("use luck", item, "\"luck\" changes a roll");
    told("after won use luck", item, "has a colon");
    told("after won:", item, "an action");
    told("after won: attack", item, "nothing else is done between");
    told(
        "after one: use luck",
        item,
        "no roll of \"striker\" can be `one`",
    );
    told(
        "after won: use luck",
        "effects = [{ after = \"crit\", instead = 5 }]",
        "no roll of \"striker\" can be `crit`",
    );
    told(
        "after won: use luck",
        "effects = [{ instead = 5 }]",
        "lacks `after`",
    );
    told(
        "after won: use luck",
        "effects = [{ after = \"won\", instead = \"thrice\" }]",
        "instead",
    );
    told(
        "after won: use luck",
        "effects = [{ after = \"won\", instead = 5, on = \"lucky\" }]",
        "no degree of the check is called \"lucky\"",
    );
    told(
        "after won: use luck",
        "target = \"enemy\"\nrange = 5\neffects = [{ after = \"won\", instead = 5 }]",
        "used on oneself",
    );
    told(
        "after won: use luck",
        "effects = [{ heal = 5 }]",
        "nothing else is done between",
    );
    told(
        "after won: use luck",
        "effects = [{ after = \"won\", add = 5000 }]",
        "out of range",
    );
    let gear = axe("effects = [{ after = \"won\", reroll = true }]");
    let own = "weapons = [\"axe\"]\npolicy = [\"attack\"]";
    let found = errors(&fight("own", &gear, TRAITS, own, 1));
    assert!(found.contains("only an item does"), "{found}");
    let hazard = "encounter.hazards.fire.effects = [{ damage = 1, target = \"self\" }]\n";
    let found = errors(&fight(
        "own",
        &format!("{hazard}{}", axe("")),
        TRAITS,
        own,
        1,
    ));
    assert!(found.contains("nobody who uses it"), "{found}");
}
