//! Plays encounters with and without an observer, and checks their events against the rules.

use skirmish::fight::program::Leaving;
use skirmish::fight::system::Clock;
use skirmish::run::{Play, Player};
use skirmish::scenario::{Scenario, Variant};
use skirmish::sim::{Observer, Record};

pub(super) fn load(text: &str) -> Scenario {
    match Scenario::parse("random.toml", text, &[]) {
        Ok(loaded) => loaded.scenario,
        Err(errors) => panic!("{errors}\n{text}"),
    }
}

/// Plays encounters of all variants on a clock with and without an observer. The records must be the same, and the
/// observer must find no violation. Returns the first violations, if any.
pub(super) fn violations<'a, W: Observer>(
    scenario: &'a Scenario,
    clock: Clock,
    (seed, encounters): (u64, u64),
    new_checker: impl Fn(&'a Variant) -> W,
    finish: impl Fn(W, &Record) -> Vec<String>,
) -> Option<String> {
    // Other clocks have observers of their own.
    let mine = |variant: &&Variant| variant.fight.system.clock == clock;
    for variant in scenario.variants.iter().filter(mine) {
        let player = Player::new(&variant.fight, &variant.rules, seed);
        let mut table = player.state();
        let mut unheard = Record::default();
        for encounter in 0..encounters {
            player.play(&mut table, encounter, &mut unheard);
            let mut checker = new_checker(variant);
            let heard = player.show(encounter, &mut checker);
            let place = format!("variant {}, encounter {encounter}", variant.name);
            if heard != unheard {
                return Some(format!("{place}: heard {heard:#?}, unheard {unheard:#?}"));
            }
            let violations = finish(checker, &heard);
            if !violations.is_empty() {
                return Some(format!("{place}: {violations:#?}"));
            }
        }
    }
    None
}

/// Returns whether a fight has only events of the rule books, the only ones that its observers know.
pub(super) fn is_plain(variant: &Variant) -> bool {
    let draughts = |one: &skirmish::fight::Combatant| {
        let mut items = one.items.iter();
        items.all(|item| item.power.draught().is_some()) && one.effects().count() == one.items.len()
    };
    let late = variant.fight.occasions().next().is_some();
    let leaves = |how| variant.fight.may_be_left(how);
    !late
        && variant.fight.conditions.is_empty()
        && variant.fight.combatants.iter().all(draughts)
        && ![Leaving::Flees, Leaving::Surrenders]
            .into_iter()
            .any(leaves)
}

/// Returns the shipped scenarios with a fight on a clock and without effects of other kinds (W-11).
pub(super) fn scenarios_on(clock: Clock) -> Vec<Scenario> {
    let files = std::fs::read_dir("scenarios").unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let on_it = |variant: &Variant| variant.fight.system.clock == clock;
    let has = |scenario: &Scenario| scenario.variants.iter().any(on_it);
    let plain = |scenario: &Scenario| scenario.variants.iter().all(is_plain);
    texts
        .map(|text| load(&text))
        .filter(has)
        .filter(plain)
        .collect()
}
