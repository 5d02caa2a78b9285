//! Properties of every encounter of Mage, for random fights.

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
use skirmish::sim::events::{Effort, Moment};
use skirmish::sim::{Event, Observer, Record};

const GEAR: &str = r#"
[weapons.knife]
kind = "melee"
reach = 1
check = { pool = "dexterity + brawl", specialty = true }
damage = 1
[weapons.axe]
kind = "melee"
check = { pool = 7, required = 2 }
damage = { pool = 2 }
[weapons.pistol]
kind = "ranged"
range = 20
ready_check = { pool = 5, difficulty = 5 }
check = { pool = 6, difficulty = 7 }
damage = 2
[weapons.cannon]
kind = "ranged"
range = 40
ready_turns = 2
ready_check = { pool = 4 }
check = { skill = 45 }
damage = "1d4"
[spells.fire]
sphere = 2
vulgar = true
range = 6
damage = 2
[spells.frost]
sphere = 3
required = 3
range = 9
damage = { pool = 3 }
[spells.storm]
sphere = 1
ritual = true
required = 4
range = 60
damage = 4
[items.salve]
heal = 2
uses = 2
ready_check = { pool = 3, required = 2 }
"#;

const LINES: [&str; 30] = [
    "attack",
    "attack weakest",
    "attack with knife with willpower",
    "cast fire with willpower if paradox < 4",
    "attack + attack",
    "attack + attack split 1,2 if distance < 3",
    "attack with knife + use salve if wounds > 0",
    "draw + attack",
    "draw",
    "draw cannon if turn < 4",
    "use salve if hp_percent < 60",
    "stand",
    "stand + attack",
    "cast fire",
    "cast fire strongest if not injured",
    "cast frost",
    "cast storm if gathered > 0 or endurance > 5",
    "cast fire if paradox < 2",
    "attack if initiative > 9",
    "advance",
    "advance walk 3",
    "advance run 30 to 4 if not acted",
    "advance jog if yards < free_yards",
    "retreat swim 5 if threatened",
    "retreat fly 4 if acted and target.wounds < 2",
    "retreat climb 9 if in_melee and actions > 0",
    "retreat run 100 if injured and not collapsed",
    "attack weakest of all if enemies_within(4) < 2 or allies_within(3) > 0",
    "advance run distance - 3 strongest of all if nearest_enemy_distance > 2",
    "retreat free_yards to 4 * enemies if turn < 5",
];

/// Lines for combatants that walk Unit by Unit, with others above them that walking may make possible.
const WALKS: [&str; 14] = [
    "advance",
    "advance run",
    "advance jog if not acted",
    "advance weakest",
    "advance climb",
    "advance if free_yards > 3 or target.injured",
    "advance run if not target.injured",
    "retreat if in_melee",
    "attack",
    "attack weakest with knife",
    "cast storm if distance < 5",
    "cast fire if yards < 9",
    "draw + attack",
    "use salve if wounds > 0",
];

/// Generates the side and the keys of a combatant.
fn one(lines: &'static [&'static str]) -> impl Strategy<Value = (u8, String)> {
    (
        0_u8..3,
        -20_i32..20,
        (1_u8..6, 1_u8..4, 1_u8..3),
        0_u8..2,
        any::<bool>(),
        any::<bool>(),
        vec(select(lines), 1..7),
    )
        .prop_map(
            |(side, position, (dexterity, wits, stamina), extra, soak, prone, policy)| {
                let soak = if soak { "{ pool = 2 }" } else { "1" };
                let keys = format!(
                    "position = {position}\n\
                     attributes = {{ dexterity = {dexterity}, wits = {wits}, stamina = {stamina} }}\n\
                     skills = {{ brawl = 3 }}\nextra_actions = {extra}\nsoak = {soak}\nprone = {prone}\n\
                     willpower = 2\narete = 3\nfly = 12\nclimb = {{ pool = 3 }}\n\
                     weapons = [\"knife\", \"axe\", \"pistol\", \"cannon\"]\n\
                     undrawn = [\"pistol\", \"cannon\"]\nspells = [\"fire\", \"frost\", \"storm\"]\n\
                     items = [\"salve\"]\npolicy = {policy:?}\n"
                );
                (side, keys)
            },
        )
}

pub(crate) fn brawl() -> impl Strategy<Value = String> {
    brawl_by(&LINES)
}

fn brawl_by(lines: &'static [&'static str]) -> impl Strategy<Value = String> {
    let rules = select(vec![
        "",
        "initiative = { roll = \"per-scene\" }",
        "per_yard = \"all\"",
        "divide = \"before\"",
        "endurance_turns = 1",
        "endurance_turns = 0\nexhaustion = \"stop\"",
        "endurance_turns = 0\nendurance = { every_move = true }",
        "endurance_turns = 0\nexhaustion_botch = \"trip\"",
        "attack_botch = \"damage\"\nattack_botch_damage = \"1d2\"",
        "attack_botch = \"lose-turn\"\nexhaustion_botch = \"stop\"",
        "magick = { botch = \"lose-turn\", paradox = \"once\" }",
        "magick = { paradox_backlash = \"lose-turn\", paradox_threshold = 3 }",
        "magick = { paradox_backlash = \"damage\", paradox_damage = \"1d2\" }",
        "magick = { botch = \"damage\", botch_damage = \"1d4\" }",
        "botch = \"no-success\"\ntens = \"double\"",
        "botch = \"at-any-time\"\nmagick = { diminished = \"nothing\" }",
        "botch = \"at-any-time\"\nones = \"ignore\"\nmagick = { diminished = \"full\" }",
        "initiative = { share = [\"s0\"] }",
        "initiative = { dice = \"1d4-1\", ties = [\"wits\"] }",
        "initiative = { dice = \"2d4\", ties = [\"simultaneous\"] }",
        "initiative = { dice = 3, ties = [\"roll-off\"], roll = \"per-scene\" }",
    ]);
    let encounter = select(vec![
        "",
        "arena = [-20, 25]",
        "strenuous = true\nsleepers = true",
        "ends_when = [\"distance > 60\"]",
        "sleepers = 0.5",
    ]);
    let turns_per_roll = 1..4;
    let all = (rules, encounter, vec(one(lines), 2..5), turns_per_roll);
    all.prop_map(|(rules, encounter, all, turns)| {
        let work = format!("ritual = true\nturns_per_roll = {turns}");
        let gear = GEAR.replace("ritual = true", &work);
        let head = format!(
            "system = \"mage\"\n[rules]\n{rules}\n[encounter]\nmax_rounds = 25\n{encounter}\n{gear}"
        );
        fight(head, &all)
    })
}

/// The events seen of one combatant that only this clock has.
#[derive(Debug, Default, Clone, Copy)]
struct Observed {
    collapsed: bool,
    /// In the current turn.
    yards: i32,
    paradox: u32,
}

struct RuleChecker<'a> {
    watcher: Watcher<'a>,
    seen: Vec<Observed>,
}

impl RuleChecker<'_> {
    fn check(&mut self, truth: bool, rule: &str) {
        self.watcher.check(truth, rule);
    }

    /// Returns the greatest rate of the chart.
    fn fastest(&self, who: usize) -> i32 {
        match &self.watcher.fight.combatants[who].traits {
            Traits::Turns(traits) => (20 + 3 * traits.dexterity).max(40),
            Traits::Marks(_) | Traits::Order(_) | Traits::Phases(_) => 0,
        }
    }
}

impl<'a> Checker<'a> for RuleChecker<'a> {
    const CLOCK: Clock = Clock::Turns;

    fn new(variant: &'a Variant) -> Self {
        let fight = &variant.fight;
        Self {
            watcher: Watcher::new(fight),
            seen: vec![Observed::default(); fight.combatants.len()],
        }
    }

    fn finish(self, record: &Record) -> Vec<String> {
        self.watcher.finish(record, |who| {
            let (told, seen) = (record.combatants[who], self.seen[who]);
            let fits = told.paradox == seen.paradox && (told.collapsed > 0) == seen.collapsed;
            (fits, format!("{seen:?}"))
        })
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        // Within a turn initiative only falls once the turn has begun.
        let now = self.watcher.now;
        let falls = moment.round > now.round || now.mark == 0;
        self.check(falls || moment.mark <= now.mark, "initiative falls");
        self.watcher.event(moment, event);
        match event {
            Event::Round => {
                for seen in &mut self.seen {
                    seen.yards = 0;
                }
            }
            Event::Pool { dice, .. } => self.check(dice >= 1, "a pool has dice"),
            Event::Endurance { who, outcome, .. } => {
                self.seen[who].collapsed |= outcome == Effort::Collapses;
            }
            Event::Paradox { who, gained, .. } => self.seen[who].paradox += gained,
            Event::Step { who, .. } => {
                let collapsed = self.seen[who].collapsed;
                self.check(!collapsed, "who has collapsed moves no more");
                self.seen[who].yards += 1;
                let slow = self.seen[who].yards <= self.fastest(who);
                self.check(slow, "no rate is exceeded");
            }
            _ => {}
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

proptest! {
    #![proptest_config(config(1500, 21))]

    #[test]
    fn every_encounter_is_as_it_must_be(text in brawl(), seed: u64) {
        assert_none(checked::<RuleChecker<'_>>(&load(&text), seed, 4), &text)?;
    }
}

proptest! {
    #![proptest_config(config(500, 22))]

    /// An observer sees every yard; without one, yards before which nothing else can be decided are made as one.
    #[test]
    fn yards_made_as_one_are_those_that_an_observer_sees(text in brawl_by(&WALKS), seed: u64) {
        let text = text.replace("range = 60", "range = 3");
        assert_none(checked::<RuleChecker<'_>>(&load(&text), seed, 4), &text)?;
    }
}

#[test]
fn every_scenario_in_turns_is_as_it_must_be() {
    assert_scenarios_keep_rules::<RuleChecker<'_>>(5);
}

#[test]
fn a_mirror_match_is_fair() {
    let text = "system = \"mage\"\n[weapons.sword]\nkind = \"melee\"\ncheck = { pool = 6 }\ndamage = 1\n\
        [[combatants]]\nname = \"a\"\nside = \"a\"\nposition = 0\n\
        attributes = { dexterity = 3, wits = 3, stamina = 3 }\nweapons = [\"sword\"]\npolicy = [\"attack\", \"advance\"]\n\
        [[combatants]]\nname = \"b\"\nside = \"b\"\nposition = 20\n\
        attributes = { dexterity = 3, wits = 3, stamina = 3 }\nweapons = [\"sword\"]\npolicy = [\"attack\", \"advance\"]\n";
    watched::assert_fair(text);
}
