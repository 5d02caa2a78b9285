//! One fight on every clock: keys shared by all systems mean the same in each.

use crate::support::fights::{errors_with, loaded, player, sampled, variant_with};
use skirmish::fight::Ending;
use skirmish::fight::system::Clock;
use skirmish::scenario::Scenario;
use skirmish::sim::Silent;
use skirmish::systems::{SYSTEMS, named};
use skirmish::tally::{Tally, metrics};

const ENCOUNTERS: u64 = 2000;

/// Returns a duel of two combatants that fell each other at one blow, valid in every system.
fn duel(system: &str, more: &str) -> String {
    let fighter = |name: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 10\nmove = 12\n\
             evade = 0\narmor = 1\nhealth = 5\nweapons = [\"axe\"]\npolicy = \"fight\"\n"
        )
    };
    format!(
        "system = \"{system}\"\n[encounter]\nfirst_mover = true\n{more}\n[rules]\ncheck = \"roll-over\"\n\
         health = \"points\"\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d10\" }}\n\
         damage = 9\n{}{}[policies]\nfight = [\"attack\", \"set if not ready\", \"advance\"]\n",
        fighter("left"),
        fighter("right")
    )
}

fn played(scenario: &Scenario, variant: usize) -> Tally {
    sampled(&scenario.variants[variant], 1, ENCOUNTERS)
}

/// Returns the encounters in which a rate was measured, and those in which it was 1.
fn rate(tally: &Tally, name: &str) -> (u64, u64) {
    let metric = metrics::find(name).unwrap();
    let values = tally.distribution(metric, 0);
    (values.total(), values.count(1))
}

#[test]
fn every_system_is_found_by_its_name_and_measures_its_length() {
    for system in SYSTEMS {
        assert_eq!(named(system.name), Some(system));
        let length = metrics::find(system.length).expect("a metric");
        assert!(length.clocks.has(system.clock));
    }
    assert!(named("chess").is_none());
}

#[test]
fn who_strikes_first_and_fells_wins_on_every_clock() {
    for system in SYSTEMS {
        let tally = played(&loaded(&duel(system.name, ""), &[]).scenario, 0);
        let (counted, won) = rate(&tally, "first_mover_wins");
        assert_eq!(counted, won, "{}", system.name);
        // If no tie is broken, enemies act at once and both fall (W-5).
        let simultaneous = ENCOUNTERS - counted;
        assert_eq!(simultaneous, rate(&tally, "mutual").1, "{}", system.name);
        assert_eq!(
            simultaneous == 0,
            matches!(system.clock, Clock::Order | Clock::Own),
            "{}",
            system.name
        );
        assert!(simultaneous < ENCOUNTERS / 5);
    }
}

#[test]
fn first_mover_wins_is_measured_only_where_it_is_asked_for() {
    let metric = metrics::find("first_mover_wins").unwrap();
    let asked = loaded(&duel("mage", ""), &[]).scenario;
    assert!(metric.is_measured(&asked.variants[0].fight));
    let unasked = loaded(&duel("mage", ""), &["encounter.first_mover=false"]).scenario;
    assert!(!metric.is_measured(&unasked.variants[0].fight));
}

#[test]
fn a_side_that_always_wins_initiative_acts_first_in_every_round() {
    for system in SYSTEMS {
        // No combatant falls: every encounter has three Rounds.
        let text = duel(system.name, "acted_first = true\nmax_rounds = 3")
            .replace("dice = \"1d10\"", "dice = \"1d10-50\"");
        let shares = |set: &[&str]| {
            let tally = played(&loaded(&text, set).scenario, 0);
            ["acted_first", "acted_first_of_all"].map(|name| {
                let metric = metrics::find(name).unwrap();
                [0, 1].map(|subject| tally.distribution(metric, subject))
            })
        };
        let quick = shares(&["combatants.left.initiative=60"]);
        for [left, right] in &quick {
            assert_eq!(left.count(100), ENCOUNTERS, "{}", system.name);
            assert_eq!(right.count(0), ENCOUNTERS, "{}", system.name);
        }
        // Between equals ties count for neither.
        let equal = shares(&["rules.initiative.dice=0"]);
        for [left, right] in &equal {
            if matches!(system.clock, Clock::Order | Clock::Own) {
                // The tie is rolled off once for the scene.
                assert_eq!(left.count(100) + right.count(100), ENCOUNTERS);
            } else {
                assert_eq!(left.count(0), ENCOUNTERS, "{}", system.name);
                assert_eq!(right.count(0), ENCOUNTERS, "{}", system.name);
            }
        }
    }
}

#[test]
fn allies_who_act_first_together_lead_as_a_side() {
    let text = duel("mage", "acted_first = true\nmax_rounds = 1")
        .replace("name = \"left\"", "name = \"left\"\ncount = 2")
        .replace("initiative = 10", "initiative = 20");
    let set = &[
        "combatants.right.initiative=5",
        "rules.initiative.dice=0",
        "weapons.axe.damage=0",
    ];
    let tally = played(&loaded(&text, set).scenario, 0);
    let share = |name: &str, subject: usize| {
        let metric = metrics::find(name).unwrap();
        let values = tally.distribution(metric, subject);
        (values.count(100), values.count(0))
    };
    assert_eq!(share("acted_first", 0), (ENCOUNTERS, 0));
    assert_eq!(share("acted_first", 1), (0, ENCOUNTERS));
    for who in 0..3 {
        assert_eq!(share("acted_first_of_all", who), (0, ENCOUNTERS));
    }
}

#[test]
fn acted_first_is_measured_only_where_it_is_asked_for() {
    for name in ["acted_first", "acted_first_of_all"] {
        let metric = metrics::find(name).unwrap();
        let asked = loaded(&duel("mage", "acted_first = true"), &[]).scenario;
        assert!(metric.is_measured(&asked.variants[0].fight));
        let unasked = loaded(&duel("mage", ""), &[]).scenario;
        assert!(!metric.is_measured(&unasked.variants[0].fight));
    }
}

#[test]
fn a_variant_changes_the_clock_and_nothing_else() {
    let others = SYSTEMS[1..].iter().map(|system| {
        let name = system.name;
        format!("[[variants]]\nname = \"{name}\"\nset = {{ system = \"{name}\" }}\n")
    });
    let text = duel("tara-corax", "") + &others.collect::<String>();
    let scenario = loaded(&text, &[]).scenario;
    for (variant, system) in scenario.variants.iter().zip(SYSTEMS) {
        assert_eq!(variant.fight.system, system);
        let one = &variant.fight.combatants[0];
        assert_eq!(
            (one.health, one.armor, one.evade),
            (5, 1, 0),
            "{}",
            system.name
        );
    }
}

#[test]
fn chases_end_by_distance_on_every_clock() {
    for system in SYSTEMS {
        let text = duel(system.name, "ends_when = \"distance >= 40\"");
        let policy = "combatants.left.policy=[\"retreat\"]";
        let still = "combatants.right.policy=[\"pass\"]";
        let tally = played(&loaded(&text, &[policy, still]).scenario, 0);
        let (counted, escaped) = rate(&tally, "escaped");
        assert_eq!(
            (counted, escaped),
            (ENCOUNTERS, ENCOUNTERS),
            "{}",
            system.name
        );
        let record = player(&variant_with(&text, &[policy, still]), 1).show(0, &mut Silent);
        assert_eq!(record.ending, Ending::Escaped);
        assert!(record.distance.is_some_and(|distance| distance >= 40));
    }
}

#[test]
fn speed_is_for_systems_that_know_it() {
    let speed = "combatants.left.speed=2";
    for system in SYSTEMS {
        let text = duel(system.name, "");
        if matches!(system.clock, Clock::Turns | Clock::Phases) {
            // Twice as many actions in a turn, so more attacks before the first of the other.
            let quick = played(&loaded(&text, &[speed]).scenario, 0);
            assert!(quick.wins(0) > 0, "{}", system.name);
        } else {
            let told = errors_with(&text, &[speed]);
            assert!(
                told.contains(&format!("{} knows no Speed", system.title)),
                "{told}"
            );
            loaded(&text, &["combatants.left.speed=1"]);
        }
        assert!(errors_with(&text, &["combatants.left.speed=0"]).contains("speed"));
        // Only a ruling of the system is named, and only for a Speed that it allows.
        let told = errors_with(&text, &["combatants.left.speed=5"]);
        let has_cap = system
            .rulings
            .iter()
            .any(|ruling| ruling.name == "speed.max");
        assert_eq!(told.contains("rules.speed.max"), has_cap, "{told}");
        if has_cap {
            loaded(&text, &["combatants.left.speed=5", "rules.speed.max=5"]);
        }
        let told = errors_with(&text, &["combatants.left.speed=25"]);
        assert!(
            told.contains("how far a combatant goes is its `move`"),
            "{told}"
        );
        assert!(!told.contains("combatants.NAME.speed"), "{told}");
    }
}

#[test]
fn a_variant_that_lacks_what_its_system_needs_says_which_key_and_where() {
    for (from, system, key) in [
        ("tara-corax", "mage", "dexterity"),
        ("mage", "chronicles", "composure"),
        ("chronicles", "eclipse-phase", "intuition"),
        ("eclipse-phase", "tara-corax", "agility"),
    ] {
        let attributes = match from {
            "tara-corax" => "{ agility = 12, intellect = 10 }",
            "mage" => "{ dexterity = 3, wits = 3, stamina = 2 }",
            "chronicles" => "{ dexterity = 3, composure = 3 }",
            _ => "{ intuition = 20, reflexes = 20 }",
        };
        let text = duel(from, "").replace("initiative = 10", &format!("attributes = {attributes}"));
        let text =
            format!("{text}[[variants]]\nname = \"other\"\nset = {{ system = \"{system}\" }}\n");
        let told = errors_with(&text, &[]);
        assert!(told.contains(&format!("`{key}`")), "{told}");
        assert!(
            told.contains("the variant \"other\" has the system"),
            "{told}"
        );
    }
    let none = duel("mage", "").replace("initiative = 10\n", "");
    let told = errors_with(&none, &[]);
    assert!(told.contains("`initiative = 9`"), "{told}");
    let both = duel("mage", "").replace(
        "initiative = 10",
        "initiative = 10\nattributes = { dexterity = 1, wits = 1, stamina = 1 }",
    );
    assert!(errors_with(&both, &[]).contains("leave one of them out"));
}
