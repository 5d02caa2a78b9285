//! `initiative.share` in every system: one roll for all who share it, in ties as well (MA-1).

use super::variant_initiative::fight;
use crate::exact::{agrees_with_samples, mean};
use crate::support::fights::{budget, heard, solved, variant_with};
use skirmish::exact::MAX_STATES;
use skirmish::fight::Fight;
use skirmish::sim::Event;
use skirmish::systems::{SYSTEMS, TARA_CORAX};

const SHARE: &str = "rules.initiative.share=[\"l\", \"r\"]";

/// Two sides of two, whose members differ in nothing but `keys`.
fn four(system: &str, keys: [&str; 4]) -> String {
    let [l1, l2, r1, r2] = keys;
    fight(system, &[("l1", l1), ("l2", l2), ("r1", r1), ("r2", r2)])
}

const ALIKE: [&str; 4] = ["initiative = 10"; 4];

/// Returns who attacks, in order, in an encounter.
fn order(text: &str, set: &[&str], encounter: u64) -> Vec<String> {
    let variant = variant_with(text, set);
    let name = |fight: &Fight, who: usize| fight.combatants[who].name.clone();
    let (story, _) = heard(&variant, encounter);
    let attacks = story.events.iter().filter_map(|told| match told.event {
        Event::Attack { who, .. } => Some(name(&variant.fight, who)),
        _ => None,
    });
    attacks.collect()
}

#[test]
fn sides_that_share_never_mix_where_ties_are_rolled_off() {
    // The ratings of the members differ, and would mix the sides if they decided before the roll of the group.
    let keys = [
        "initiative = 10",
        "initiative = 8",
        "initiative = 10",
        "initiative = 8",
    ];
    for system in ["mage", "chronicles", "eclipse-phase"] {
        let text = four(system, keys).replace("damage = 9", "damage = 1");
        let ties = "rules.initiative.ties=[\"rating\", \"roll-off\"]";
        let set = [SHARE, "rules.initiative.dice=1d2", ties];
        let mut first = 0;
        for encounter in 0..200 {
            let order = order(&text, &set, encounter);
            let mut sides: Vec<&str> = order.iter().map(|name| &name[..1]).collect();
            sides.dedup();
            assert_eq!(
                (order.len(), sides.len()),
                (4, 2),
                "{system} {encounter}: {order:?}"
            );
            first += u64::from(sides[0] == "l");
        }
        assert!((60..140).contains(&first), "{system}: {first}");
    }
}

#[test]
fn in_tara_corax_those_who_share_have_one_score() {
    let text = four(TARA_CORAX.name, ALIKE);
    let set = [SHARE, "rules.initiative.dice=1d10"];
    let variant = variant_with(&text, &set);
    for encounter in 0..50 {
        let (story, _) = heard(&variant, encounter);
        let scores = story.events.iter().filter_map(|told| match told.event {
            Event::Score { score, shared, .. } => Some((score, shared)),
            _ => None,
        });
        let scores: Vec<_> = scores.collect();
        let [(l, false), (l2, true), (r, false), (r2, true)] = scores[..] else {
            panic!("{scores:?}");
        };
        assert_eq!([l, r], [l2, r2]);
    }
}

#[test]
fn a_solution_shares_initiative_as_encounters_do() {
    for system in SYSTEMS {
        let ties = match system.name {
            "tara-corax" => "rules.initiative.ties=[\"rating\"]",
            _ => "rules.initiative.ties=[\"rating\", \"roll-off\"]",
        };
        let keys = [
            "initiative = 10",
            "initiative = 9",
            "initiative = 10",
            "initiative = 11",
        ];
        let set = [
            SHARE,
            "rules.initiative.dice=1d4",
            ties,
            "encounter.max_rounds=20",
        ];
        let variant = variant_with(&four(system.name, keys), &set);
        let solution = solved(&variant, budget(MAX_STATES), true).unwrap();
        agrees_with_samples(&variant, &solution, 20_000);
        let apart = variant_with(&four(system.name, keys), &set[1..]);
        let apart = solved(&apart, budget(MAX_STATES), true).unwrap();
        let [together, apart] = [&solution, &apart].map(|one| mean(one, "win_rate", 0));
        assert!(
            (together - apart).abs() > 1e-3,
            "{}: {together}",
            system.name
        );
    }
}
