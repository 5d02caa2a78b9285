//! Properties of every encounter of Eclipse Phase, for random fights.

use super::super::generator::fight;
use super::super::watched::{
    Checker, Watcher, assert_none, assert_scenarios_keep_rules, checked, config,
};
use crate::support::fights::load;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use skirmish::chance::Purpose;
use skirmish::fight::system::Clock;
use skirmish::fight::{Combatant, PhaseTraits, Traits};
use skirmish::scenario::Variant;
use skirmish::sim::events::Moment;
use skirmish::sim::{Event, Observer, Record};
use skirmish::systems::Rules;

const GEAR: &str = r#"
[weapons.knife]
kind = "melee"
reach = 1
check = { skill = 55 }
damage = "1d10+3"
[weapons.rifle]
kind = "ranged"
range = 25
check = { skill = 65 }
damage = "2d10"
[weapons.spear]
kind = "thrown"
range = 10
check = { pool = 5 }
damage = 4
[items.stim]
cost = "quick"
heal = "1d10"
uses = 3
[items.kit]
heal = 8
[tasks.bomb]
phases = 3
damage = "3d10"
range = 20
[tasks.patch]
phases = 2
heal = 10
"#;

const LINES: [&str; 39] = [
    "attack",
    "attack weakest",
    "attack with knife",
    "attack strongest with rifle if not interrupting",
    "attack if phase < 3 and target.wounds >= wounds",
    "use stim if hp_percent < 80",
    "use stim if quick_actions = 3",
    "use kit if not acted",
    "draw",
    "draw rifle if turn > 1",
    "stand",
    "task bomb",
    "task patch if progress.bomb > 0 or wounds > 1",
    "advance",
    "advance",
    "advance weakest if target.wounds < 2",
    "retreat if wounds > 1",
    "advance if phase > 1 or hp > 9",
    "advance 3",
    "advance 30 to 4 if not acted",
    "advance if move_left > 2 and speed < 3",
    "retreat 5 if threatened",
    "retreat if under_attack or enemy_moves",
    "retreat 100 if initiative < 12",
    "attack weakest of all if enemies_within(4) < 2 or allies_within(3) > 0",
    "advance distance - 3 strongest of all if nearest_enemy_distance > 2",
    "retreat move_left to 4 * enemies if round < 5",
    "delay",
    "delay if phase = 1",
    "delay if enemies > 1 and not delaying",
    "interrupt",
    "interrupt if enemy_attacks",
    "interrupt if enemy_moves and distance < 9",
    "interrupt if enemy_acts or phase = 4",
    "interrupt if enemy_quick",
    "retreat to 12",
    "hold",
    "hold if phase < 3",
    "spend moxie if phase > 1 or wounds > 0",
];

/// Generates the side and the keys of a combatant.
fn one() -> impl Strategy<Value = (u8, String)> {
    (
        0_u8..3,
        -15_i32..15,
        5_i32..9,
        1_u8..5,
        select(vec![0_u8, 3, 10, 20, 21]),
        any::<bool>(),
        any::<bool>(),
        vec(select(&LINES[..]), 1..9),
    )
        .prop_map(
            |(side, position, init, speed, units, fray, prone, policy)| {
                let (fray, wounds) = (if fray { "fray = 45\n" } else { "" }, init % 2);
                let keys = format!(
                    "position = {position}\ninitiative = {init}\nspeed = {speed}\nmoxie = 2\n\
                     move = {units}\nhealth = 30\narmor = 2\n{fray}prone = {prone}\nwounds = {wounds}\n\
                     weapons = [\"knife\", \"rifle\", \"spear\"]\nundrawn = [\"rifle\"]\n\
                     items = [\"stim\", \"kit\"]\ntasks = [\"bomb\", \"patch\"]\npolicy = {policy:?}\n"
                );
                (side, keys)
            },
        )
}

pub(crate) fn brawl() -> impl Strategy<Value = String> {
    let rules = select(vec![
        "",
        "",
        "",
        "initiative = { mode = \"fixed\" }",
        "initiative = { ties = [\"rating\", \"intuition\"] }",
        "initiative = { dice = \"1d2\", ties = [\"roll-off\"] }",
        "initiative = { mode = \"fixed\", roll = \"per-speed\", ties = [\"roll-off\"] }",
        "initiative = { roll = \"per-speed\" }",
        "initiative = { roll = \"per-speed\", mode = \"fixed\", wound = 2 }",
        "initiative = { roll = \"per-speed\" }\nmovement = \"whole\"",
        "movement = \"whole\"\nquick_actions = 1",
        "interrupted = \"kept\"\nwound_penalty = 7",
        "defence = \"success\"\nfray_shots = \"full\"",
        "initiative = { wound = 0 }\ncritical = \"none\"",
        "move_follows = true",
        "phases = 2\nmove_follows = true",
        "phases = 7\nspeed = { max = 8 }",
        "delays = false",
    ]);
    let encounter = select(vec!["", "arena = [-20, 20]"]);
    (rules, encounter, vec(one(), 2..6)).prop_map(|(rules, encounter, all)| {
        let head = format!(
            "system = \"eclipse-phase\"\n[rules]\n{rules}\n[encounter]\nmax_rounds = 12\n{encounter}\n{GEAR}"
        );
        fight(head, &all)
    })
}

/// The events seen of one combatant that only this clock has.
#[derive(Debug, Default, Clone, Copy)]
struct Observed {
    /// In the current turn.
    units: i32,
    actions: u32,
    totals: u32,
    /// In the whole encounter.
    wounds: i32,
    moxie: u32,
    tasks: u32,
    delays: u32,
    taken: u32,
    lost: u32,
}

fn traits_of(one: &Combatant) -> &PhaseTraits {
    match &one.traits {
        Traits::Phases(traits) => traits,
        other => panic!("{other:?}"),
    }
}

struct RuleChecker<'a> {
    watcher: Watcher<'a>,
    per_speed: bool,
    phases: u32,
    wound: i32,
    keeps: bool,
    phase: u32,
    /// The last attacker.
    attacker: Option<usize>,
    seen: Vec<Observed>,
    /// The highest total of each combatant in this turn, without its wounds.
    highest: Vec<i32>,
}

impl<'a> RuleChecker<'a> {
    fn check(&mut self, truth: bool, rule: &str) {
        let phase = self.phase;
        self.watcher.check(truth, &format!("Phase {phase}: {rule}"));
    }

    fn traits(&self, who: usize) -> &'a PhaseTraits {
        traits_of(&self.watcher.fight.combatants[who])
    }

    /// Records a Complex or Task Action.
    fn acts(&mut self, who: usize) {
        self.seen[who].actions += 1;
        let within = self.seen[who].actions <= u32::from(self.traits(who).speed);
        self.check(within, "actions a turn never exceed Speed");
    }

    fn moves(&mut self, who: usize) {
        self.seen[who].units += 1;
        let within = self.seen[who].units <= self.watcher.fight.combatants[who].speed;
        self.check(within, "movement a turn never exceeds its rate");
    }
}

impl<'a> Checker<'a> for RuleChecker<'a> {
    const CLOCK: Clock = Clock::Phases;

    fn new(variant: &'a Variant) -> Self {
        let Rules::Phases(rules) = &variant.rules else {
            panic!("rules of another clock");
        };
        let fight = &variant.fight;
        let seen = fight.combatants.iter().map(|one| Observed {
            wounds: traits_of(one).wounds,
            ..Observed::default()
        });
        Self {
            watcher: Watcher::new(fight),
            per_speed: rules.per_speed,
            phases: rules.phases.into(),
            wound: rules.wound_initiative,
            keeps: rules.keeps_interrupted,
            phase: 0,
            attacker: None,
            seen: seen.collect(),
            highest: vec![0; fight.combatants.len()],
        }
    }

    fn finish(mut self, record: &Record) -> Vec<String> {
        for who in 0..self.seen.len() {
            let (seen, phases) = (self.seen[who], record.combatants[who].phases);
            // One delayed action may be left at the end, or when its owner falls.
            let left = seen.delays - seen.taken - seen.lost;
            self.check(left <= 1, "a delayed action is taken or lost, once");
            let carried = phases.delays_held <= seen.delays && phases.interruptions <= seen.taken;
            self.check(carried, "only delayed actions are held or interrupt");
            let spent = seen.moxie <= self.traits(who).moxie.map_or(0, u32::from);
            self.check(spent, "Moxie is spent once");
        }
        let taken = |who: usize| (self.seen[who].wounds - self.traits(who).wounds) as u32;
        let wounds: Vec<u32> = (0..self.seen.len()).map(taken).collect();
        self.watcher.finish(record, |who| {
            let (told, seen) = (record.combatants[who], self.seen[who]);
            let phases = told.phases;
            let counted = [
                phases.wounds,
                phases.moxie_spent,
                phases.tasks_done,
                told.delays,
                phases.delays_lost,
            ];
            let watched = [wounds[who], seen.moxie, seen.tasks, seen.delays, seen.lost];
            (counted == watched, format!("{seen:?}"))
        })
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        self.watcher.event(moment, event);
        match event {
            Event::Round => {
                self.phase = 0;
                for seen in &mut self.seen {
                    (seen.units, seen.actions, seen.totals) = (0, 0, 0);
                }
            }
            Event::Phase { phase } => {
                let forward = phase > self.phase && phase <= self.phases && !self.per_speed;
                self.check(forward, "Phases go forward");
                self.phase = phase;
            }
            Event::Initiative { who, total, .. } => {
                let raw = total + self.seen[who].wounds * self.wound;
                self.seen[who].totals += 1;
                let (first, speed) = (self.seen[who].totals == 1, self.traits(who).speed);
                if first {
                    self.highest[who] = raw;
                }
                self.check(raw <= self.highest[who], "the highest total comes first");
                let init = self.traits(who).initiative;
                self.check((init..=init + 10).contains(&raw), "INIT and dice");
                let most = if self.per_speed { speed.into() } else { 1 };
                self.check(self.seen[who].totals <= most, "a die for each place");
            }
            Event::Moxie { who, .. } => self.seen[who].moxie += 1,
            Event::Wound { who, wounds, total } => {
                self.seen[who].wounds += wounds;
                let most = self.highest[who] - self.seen[who].wounds * self.wound;
                self.check(
                    wounds > 0 && total.is_none_or(|total| total <= most),
                    "wounds never raise a total",
                );
            }
            Event::ActionDelayed { who } => {
                let seen = &mut self.seen[who];
                seen.delays += 1;
                let single = seen.delays - seen.taken - seen.lost == 1;
                self.check(single, "one action is delayed at a time");
            }
            Event::DelayTaken { who } => self.seen[who].taken += 1,
            Event::DelayLost { who } => self.seen[who].lost += 1,
            Event::Attack { who, .. } => {
                self.attacker = Some(who);
                self.acts(who);
            }
            Event::Lost { who } if !self.keeps => self.acts(who),
            Event::Works {
                who, done, needed, ..
            } => {
                self.check(done <= needed, "no task is worked at beyond its end");
                self.seen[who].tasks += u32::from(done == needed);
                self.acts(who);
            }
            Event::Fray { defends, .. } => {
                if let (true, Some(attacker)) = (defends, self.attacker) {
                    self.watcher.seen[attacker].hits -= 1;
                }
            }
            Event::Use { who, item, .. }
                if !self.watcher.fight.combatants[who].items[item].quick =>
            {
                self.acts(who);
            }
            Event::Step { who, .. } | Event::StepSpent { who, .. } => self.moves(who),
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
fn every_scenario_in_phases_is_as_it_must_be() {
    assert_scenarios_keep_rules::<RuleChecker<'_>>(4);
}
