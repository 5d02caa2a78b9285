//! Properties of every encounter of Chronicles, for random fights.

use super::super::generator::fight;
use super::super::watched::{
    self, Checker, Watcher, assert_none, assert_scenarios_keep_rules, checked, config,
};
use crate::support::fights::load;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use skirmish::chance::Purpose;
use skirmish::fight::Traits;
use skirmish::fight::system::Clock;
use skirmish::scenario::Variant;
use skirmish::sim::events::Moment;
use skirmish::sim::{Event, Observer, Record};
use skirmish::systems::Rules;

const GEAR: &str = r#"
[weapons.spear]
kind = "melee"
reach = 2
check = { pool = 5 }
damage = 1
ongoing = { damage = 1, rounds = 2 }
[weapons.club]
kind = "melee"
check = { pool = 3, required = 2 }
damage = 2
[weapons.pistol]
kind = "ranged"
range = 20
ignores_defence = true
check = { pool = 4, again = "8" }
damage = "1d3"
[weapons.knife]
kind = "thrown"
range = 8
check = { skill = 45 }
damage = { pool = 2 }
[spells.bolt]
range = 15
damage = 1
[spells.curse]
range = 30
check = { pool = 4 }
damage = 0
ongoing = { damage = 2, rounds = 3 }
[items.salve]
heal = 3
uses = 3
"#;

const LINES: [&str; 44] = [
    "attack",
    "attack weakest",
    "attack with pistol if target.readied",
    "cast bolt",
    "cast curse strongest if target.ongoing = 0",
    "use salve if hp_percent < 50",
    "draw",
    "stand",
    "advance",
    "advance",
    "advance weakest if target.defence < 3",
    "retreat if hp < 5",
    "advance if hp > 2 and not attacked",
    "advance 4 to 2",
    "advance 9 if not acted and not interrupted",
    "retreat 3 if acted and threatened",
    "retreat to 9 if target.casting or defence < 1",
    "attack weakest of all if enemies_within(4) < 2 or allies_within(3) > 0",
    "advance distance - 3 strongest of all if nearest_enemy_distance > 2",
    "retreat move_left to 4 * enemies if round < 5",
    "delay",
    "delay until enemy_acted",
    "delay yield until turns_left < 2 if place < 3",
    "delay yield 1 until enemies_left = 0 if round < 9",
    "delay until hp < 5 or target.acted",
    "ready attack when enemy comes-within 2",
    "ready attack with pistol when enemy moves",
    "ready attack weakest when enemy attacks",
    "ready cast bolt when enemy attacks me",
    "ready cast curse strongest when enemy casts",
    "ready use salve when enemy attacks if hp < max_hp",
    "ready attack when enemy uses",
    "ready draw when enemy comes-within 8",
    "ready attack when anyone falls",
    "ready attack with pistol when ally attacks",
    "ready cast curse when c1 acts if round < 9",
    "ready use salve when enemy draws",
    "ready attack when enemy leaves 2",
    "ready retreat 5 when enemy comes-within 3",
    "ready advance 3 weakest when anyone moves",
    "ready advance to 1 when ally falls",
    "ready retreat when c0 attacks me if hp < 6",
    "cancel if hp < 3 or target.hp > 9",
    "cancel if not target.acted and distance > 6",
];

/// Generates the side and the keys of a combatant.
fn one() -> impl Strategy<Value = (u8, String)> {
    (
        0_u8..3,
        -9_i32..9,
        (1_u8..4, 1_u8..3),
        0_u8..7,
        0_u8..2,
        prop::bool::weighted(0.2),
        vec(select(&LINES[..]), 1..7),
    )
        .prop_map(
            |(side, position, (dexterity, composure), defence, regeneration, prone, policy)| {
                let keys = format!(
                    "position = {position}\nmove = 7\n\
                     attributes = {{ dexterity = {dexterity}, composure = {composure} }}\nhealth = 9\n\
                     defence = {defence}\nregeneration = {regeneration}\nprone = {prone}\n\
                     ongoing = {{ damage = 1, rounds = 2 }}\n\
                     weapons = [\"spear\", \"club\", \"pistol\", \"knife\"]\nundrawn = [\"club\"]\n\
                     spells = [\"bolt\", \"curse\"]\nitems = [\"salve\"]\npolicy = {policy:?}\n"
                );
                (side, keys)
            },
        )
}

pub(crate) fn brawl() -> impl Strategy<Value = String> {
    let rules = select(vec![
        "",
        "initiative = { roll = \"per-round\" }",
        "initiative = { dice = \"1d2-4\", ties = [\"composure\"], roll = \"per-round\" }",
        "initiative = { dice = 0, ties = [\"roll-off\"] }",
        "early_trigger = \"adds\"",
        "lost_actions = \"retarget\"",
        "lost_actions = \"kept\"",
        "effects_first = \"regeneration\"\nongoing = \"worst\"",
        "defence = \"constant\"\nagain = \"none\"",
        "yield = \"ask-again\"",
        "delays = false",
        "readies = false\nlost_actions = \"retarget\"",
        "dramatic_failure = \"lose-turn\"",
        "dramatic_failure = \"damage\"\ndramatic_damage = \"1d4\"\nlost_actions = \"kept\"",
    ]);
    let encounter = select(vec!["", "arena = [-10, 12]"]);
    (rules, encounter, vec(one(), 2..7)).prop_map(|(rules, encounter, mut all)| {
        let head = format!(
            "system = \"chronicles\"\n[rules]\n{rules}\n[encounter]\nmax_rounds = 25\n{encounter}\n{GEAR}"
        );
        for (index, (_, keys)) in all.iter_mut().enumerate() {
            // No combatant waits for its own act.
            let other = ["when c1 ", "when c0 "][index.min(1)];
            *keys = keys.replace(&format!("when c{index} "), other);
        }
        fight(head, &all)
    })
}

/// The events seen of one combatant that only this clock has.
#[derive(Debug, Default, Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is something that may have happened"
)]
struct Observed {
    /// Units moved in its current turn.
    units: i32,
    /// In this Round: turns finished, actions on its own turn, effects.
    turns: u32,
    actions: u32,
    effects: u32,
    delaying: bool,
    readied: bool,
    /// Whether it may act once more because it was triggered.
    triggered: bool,
    /// Units of its readied move.
    readied_units: i32,
    interrupts: u32,
    interrupted: u32,
    /// Whether its own turn of this Round has begun, and whether it was triggered before that.
    begun: bool,
    early: bool,
}

struct RuleChecker<'a> {
    watcher: Watcher<'a>,
    /// Whether `early_trigger` adds a turn.
    adds: bool,
    seen: Vec<Observed>,
    order: Vec<usize>,
    /// The pairs of interrupter and interrupted, the outermost first.
    stack: Vec<(usize, usize)>,
}

impl RuleChecker<'_> {
    fn check(&mut self, truth: bool, rule: &str) {
        self.watcher.check(truth, rule);
    }

    fn is_permutation(&self) -> bool {
        let mut all = self.order.clone();
        all.sort_unstable();
        all.into_iter().eq(0..self.seen.len())
    }

    /// Records an act that takes an action: on the combatant's own turn, or because it interrupts.
    fn acts(&mut self, who: usize) {
        let fallen = self.watcher.seen[who].fallen;
        self.check(!fallen, "nobody acts after falling");
        if let Some((interrupter, _)) = self.stack.last() {
            let same = *interrupter == who;
            self.check(same, "only the one who interrupts acts");
            let may = std::mem::take(&mut self.seen[who].triggered);
            self.check(may, "an interrupt is one action");
        } else {
            self.seen[who].actions += 1;
            let actions = self.seen[who].actions;
            self.check(actions == 1, "a turn has one action");
        }
    }
}

impl<'a> Checker<'a> for RuleChecker<'a> {
    const CLOCK: Clock = Clock::Order;

    fn new(variant: &'a Variant) -> Self {
        let Rules::Order(rules) = &variant.rules else {
            panic!("rules of another clock");
        };
        let fight = &variant.fight;
        Self {
            watcher: Watcher::new(fight),
            adds: rules.early_trigger_adds,
            seen: vec![Observed::default(); fight.combatants.len()],
            order: Vec::new(),
            stack: Vec::new(),
        }
    }

    fn finish(mut self, record: &Record) -> Vec<String> {
        let blood: u32 = record.combatants.iter().map(|one| one.first_blood).sum();
        self.check(blood <= 1, "first blood is drawn once");
        self.watcher.finish(record, |who| {
            let (told, seen) = (record.combatants[who], self.seen[who]);
            let fits = (told.interrupts, told.interrupted) == (seen.interrupts, seen.interrupted)
                && told.readied >= told.interrupts + told.readied_lost + told.cancelled;
            (fits, format!("{seen:?}"))
        })
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        let now = self.watcher.now;
        let forward = (moment.round, moment.mark) >= (now.round, now.mark);
        self.check(forward, "Rounds and turns go forward");
        self.watcher.event(moment, event);
        match event {
            Event::Round => {
                let idle = self.stack.is_empty() && self.seen.iter().all(|one| !one.delaying);
                self.check(idle, "a Round leaves nothing open");
                for seen in &mut self.seen {
                    (seen.turns, seen.actions, seen.effects) = (0, 0, 0);
                    (seen.units, seen.begun, seen.early) = (0, false, false);
                }
            }
            Event::Place { who, place } => {
                self.order.retain(|other| *other != who);
                let at = (place - 1).min(self.order.len());
                self.order.insert(at, who);
            }
            Event::Decision { who, .. } => {
                let permutation = self.is_permutation();
                self.check(permutation, "the order is a permutation of everybody");
                let free = self.stack.is_empty();
                self.check(free, "nobody interrupts who decides");
                let fresh = self.seen[who].turns == 0;
                self.check(fresh, "nobody has two turns in a Round");
                let replaced = self.seen[who].early && !self.adds;
                self.check(!replaced, "an early trigger replaces the turn");
                self.seen[who].begun = true;
            }
            Event::TurnOver { who, .. } | Event::TurnLost { who } => self.seen[who].turns += 1,
            Event::Delays { who } => self.seen[who].delaying = true,
            Event::ComesIn { who, .. } | Event::DelayRunsOut { who } => {
                let idle = self.stack.is_empty();
                self.check(idle, "nobody comes in while somebody is interrupted");
                let waited = std::mem::take(&mut self.seen[who].delaying);
                self.check(waited, "only who delays comes in, and once");
            }
            Event::Readied { who } => {
                self.acts(who);
                self.seen[who].readied = true;
            }
            Event::ReadiedLapses { who } => {
                let waited = std::mem::take(&mut self.seen[who].readied);
                self.check(waited, "only what was readied lapses");
            }
            Event::Triggered { who, cancels, .. } => {
                let waited = std::mem::take(&mut self.seen[who].readied);
                self.check(waited, "what was readied is triggered once");
                self.seen[who].triggered = !cancels;
                let seen = &mut self.seen[who];
                seen.early = !seen.begun && seen.turns == 0;
            }
            Event::ReadiedLost { who, .. } => self.seen[who].triggered = false,
            Event::Interrupt { who, target } => {
                let due = self.seen[who].triggered;
                self.check(due, "only who was triggered interrupts");
                let below = self.stack.last().is_none_or(|(top, _)| *top == target);
                self.check(below, "the one on top is interrupted");
                self.stack.push((who, target));
                let bounded = self.stack.len() <= self.seen.len();
                self.check(
                    bounded,
                    "interrupts are no deeper than there are combatants",
                );
                self.seen[who].interrupts += 1;
                self.seen[who].readied_units = 0;
                self.seen[target].interrupted += u32::from(!self.watcher.seen[target].fallen);
            }
            Event::InterruptOver { who, target } => {
                let returned = self.stack.pop();
                self.seen[who].triggered = false;
                let same = returned == Some((who, target));
                self.check(same, "an interrupt returns to whom it interrupted, once");
            }
            Event::Ongoing { who } | Event::Regenerates { who, .. } => {
                // There are two kinds of effects.
                self.seen[who].effects += 1;
                let effects = self.seen[who].effects;
                self.check(effects <= 2, "effects happen once a Round");
            }
            Event::Attack { who, .. }
            | Event::Use { who, .. }
            | Event::SpellCheck { who, .. }
            | Event::Effect { who, .. }
            | Event::Draw { who, .. }
            | Event::Stand { who }
            | Event::Lost { who }
            | Event::Unready { who, .. }
            | Event::Wasted { who, .. } => self.acts(who),
            Event::Dice { who, .. } => {
                let Traits::Order(_) = &self.watcher.fight.combatants[who].traits else {
                    panic!("another clock");
                };
            }
            Event::Damage { later, .. } => self.check(!later, "damage counts at once"),
            Event::Fall { who } => {
                self.seen[who].delaying = false;
                self.seen[who].readied = false;
                self.seen[who].triggered = false;
            }
            Event::Step { who, .. } => {
                let interrupter = self.stack.last().map(|(interrupter, _)| *interrupter);
                let own = interrupter.is_none_or(|interrupter| interrupter == who);
                self.check(own, "only the one who interrupts moves");
                let seen = &mut self.seen[who];
                let own_turn = interrupter.is_none();
                let units = if own_turn {
                    &mut seen.units
                } else {
                    &mut seen.readied_units
                };
                *units += 1;
                let slow = *units <= self.watcher.fight.combatants[who].speed;
                let may = own_turn || seen.triggered;
                self.check(
                    slow,
                    "no turn, and no readied move, has more Units than it may",
                );
                self.check(may, "an interrupt is one action, or one move");
            }
            _ => {}
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

proptest! {
    #![proptest_config(config(1500, 22))]

    #[test]
    fn every_encounter_is_as_it_must_be(text in brawl(), seed: u64) {
        assert_none(checked::<RuleChecker<'_>>(&load(&text), seed, 4), &text)?;
    }
}

#[test]
fn every_scenario_in_one_order_is_as_it_must_be() {
    assert_scenarios_keep_rules::<RuleChecker<'_>>(5);
}

#[test]
fn a_mirror_match_is_fair() {
    let one = |name: &str, position: i32| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = {position}\nmove = 5\nhealth = 7\n\
             attributes = {{ dexterity = 3, composure = 3 }}\ndefence = 2\nweapons = [\"sword\"]\n\
             policy = [\"attack\", \"ready attack when enemy comes-within 1 if distance < 9\", \"advance\"]\n"
        )
    };
    let text = format!(
        "system = \"chronicles\"\n[weapons.sword]\nkind = \"melee\"\nreach = 1\ncheck = {{ pool = 6 }}\n\
         damage = 1\n{}{}",
        one("a", 0),
        one("b", 20)
    );
    watched::assert_fair(&text);
}
