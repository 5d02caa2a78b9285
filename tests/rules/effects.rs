//! Effects of actions besides the damage of attacks (W-11), on all clocks.

use super::watched::{self, config};
use super::{chronicles, eclipse_phase, generator, mage};
use crate::support::fights::{errors, first_record, load, variant};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use skirmish::chance::Purpose;
use skirmish::fight::lasting::MOST_CONDITIONS;
use skirmish::fight::program::Leaving;
use skirmish::fight::system::Clock;
use skirmish::fight::{Combatant, Ending, Fight, Marks, Stretch};
use skirmish::sim::events::Moment;
use skirmish::sim::{Counts, Event, Observer};
use std::fmt::Write as _;

/// Gear and conditions that use every effect; each `{...}` is chosen at random.
const THINGS: &str = r#"
[conditions.dazed]
modifies = { evade = -3, attack = {attack}, initiative = -2, move = -2, armor = 1 }
stacks = "{stacks}"
ends = "{ends}"
[conditions.stunned]
modifies = { actions = 0 }
[conditions.burning]
ongoing = { damage = "1d3", damage_type = "fire" }
ends = "check"
check = {check}
[conditions.asleep]
modifies = { actions = 0, evade = -9 }
ends = "damage"
[conditions.hasted]
modifies = { move = 3, damage = 1, reach = 1, health = 4, {own} }
stacks = "add"
[conditions.doomed]
modifies = { damage = -1 }
ends = "never"
[items.grenade]
target = "enemy"
range = 9
area = 2
{spares}
check = {throw}
resist = { check = {check}, success = "{success}" }
effects = [{ damage = "1d6", damage_type = "fire", falloff = 1, pierces = 1 }, { prone = true }, { push = 2 }, { disarm = {disarm} }{interrupt}]
uses = 2
[items.flask]
target = "point"
range = 12
area = 3
damage = 1
effects = [{ condition = "burning" }, { condition = "dazed", {time} }, { condition = "stunned", lasts = 1 }]
[items.bandage]
target = "ally"
range = 4
heal = "1d4"
uses = 2
recharge = 2
[items.whistle]
area = 5
heal = 1
effects = [{ removes = "dazed" }, { condition = "hasted", {length} }, { uses = "grenade", change = 1 }]
[items.hook]
target = "anyone"
range = 6
effects = [{ pull = 3 }, { condition = "asleep", lasts = 2 }, { condition = "doomed" }, { uses = "bandage", change = -1 }]
"#;

const ITEMS: &str = "'grenade', 'flask', 'bandage', 'whistle', 'hook'";

/// Policy lines that use this gear.
const LINES: [&str; 17] = [
    "retreat 1 if health < 9 and distance < 4",
    "use grenade",
    "use grenade weakest if uses(grenade) > 0 and not target.has dazed",
    "use flask if enemies_within(3) > 0",
    "use flask strongest",
    "use bandage weakest_ally if ally.hp_percent < 90",
    "use bandage ally if ally.distance < 3",
    "use whistle if has dazed or has burning",
    "use whistle",
    "use hook if distance > 2 and not target.has asleep",
    "use hook weakest if not target.has doomed",
    "use hook self if has asleep",
    "use hook weakest_ally if allies_within(5) > 0",
    "use hook strongest if not target.has asleep",
    "advance to 1 ally if ally.distance > 3",
    "retreat weakest_ally if ally.hp > 3 and distance < 2",
    "advance 2 to 1 weakest_ally if ally.health < 6",
];

/// The random choices for [`THINGS`].
#[derive(Debug, Clone)]
struct Choice {
    stacks: &'static str,
    ends: &'static str,
    success: &'static str,
    attack: &'static str,
    spares: bool,
    check: bool,
    throw: bool,
    /// For a hazard, if there is one: its first Round, the Rounds between its strikes, and whether it is everywhere.
    gas: Option<(u32, u32, bool)>,
    /// The beginning of a bog, if there is one.
    bog: Option<i32>,
    /// For each combatant, a further line and its place in the policy.
    lines: Vec<(&'static str, usize)>,
}

fn choice() -> impl Strategy<Value = Choice> {
    (
        select(vec!["no", "highest", "add", "refresh"]),
        select(vec![
            "own_turn",
            "source_turn",
            "round_end",
            "damage",
            "never",
        ]),
        select(vec!["half", "none", "all"]),
        select(vec!["-2", "1", "5"]),
        any::<(bool, bool, bool)>(),
        (
            proptest::option::of((1_u32..4, 1_u32..3, any::<bool>())),
            proptest::option::of(-3_i32..12),
        ),
        vec((select(&LINES[..]), 0_usize..3), 4..12),
    )
        .prop_map(
            |(stacks, ends, success, attack, others, (gas, bog), lines)| Choice {
                gas,
                bog,
                stacks,
                ends,
                success,
                attack,
                spares: others.0,
                check: others.1,
                throw: others.2,
                lines,
            },
        )
}

impl Choice {
    /// Returns a fight with this gear and these choices.
    fn text(&self, fight: &str) -> String {
        let (check, pool, own) = if fight.contains("'tara-corax'") {
            (
                "{ dice = '1d6' }, needs = 4",
                "{ pool = 3 }",
                "initiative = 2, attacks = 1",
            )
        } else if fight.contains("\"mage\"") {
            (
                "{ pool = 3 }",
                "{ pool = 4 }",
                "extra_actions = 1, difficulty = 1",
            )
        } else if fight.contains("\"chronicles\"") {
            ("{ pool = 2 }", "{ skill = 60 }", "defence = 1")
        } else {
            ("{ skill = 40 }", "{ skill = 60 }", "speed = 1, fray = 5")
        };
        let alone = check.split(", needs").next().unwrap_or(check);
        let resist = if self.check { check } else { "{ skill = 35 }" };
        let throw = if self.throw { pool } else { "{ skill = 70 }" };
        let things = THINGS
            .replace(
                "check = {check}, success",
                &format!("check = {resist}, success"),
            )
            .replace(
                "check = {check}",
                &if alone == check {
                    format!("check = {check}")
                } else {
                    format!("check = {alone}\nneeds = 4")
                },
            )
            .replace(
                "{interrupt}",
                if fight.contains("'tara-corax'") || fight.contains("\"mage\"") {
                    ", { interrupts = true }"
                } else {
                    ""
                },
            )
            .replace(
                "{disarm}",
                ["true", "false", "'for_good'"][self.lines.len() % 3],
            )
            .replace(
                "{length}",
                [
                    "lasts = 1",
                    "until = 'start of my next turn'",
                    "until = 'end of my next turn'",
                ][self.lines.len() % 3],
            )
            .replace(
                "{time}",
                if self.throw {
                    "until = 'end of my next turn'"
                } else {
                    "lasts = '2 rounds'"
                },
            )
            .replace("{throw}", throw)
            .replace("{own}", own)
            .replace("{stacks}", self.stacks)
            .replace("{ends}", self.ends)
            .replace("{success}", self.success)
            .replace("{attack}", self.attack)
            .replace(
                "{spares}",
                match (self.spares, self.check) {
                    (true, true) => "spares = 'enemies'",
                    (true, false) => "spares = 'allies'",
                    (false, _) => "",
                },
            );
        let mut parts = fight.split("[[combatants]]\n");
        let mut text = parts.next().unwrap_or_default().to_owned();
        text += &things;
        if let Some((first, every, everywhere)) = self.gas {
            let stretch = if everywhere {
                ""
            } else {
                "stretch = [-3, 6]\n"
            };
            let success = self.success;
            let when = if self.check { "when = 'hp > 2'\n" } else { "" };
            let at_a_mark = self.throw && fight.contains("'tara-corax'");
            let mark = if at_a_mark { "mark = 12\n" } else { "" };
            let _ = writeln!(
                text,
                "[encounter.hazards.gas]\nfirst = {first}\nevery = {every}\n{stretch}{when}{mark}\
                 resist = {{ check = {check}, success = '{success}' }}\n\
                 effects = [{{ damage = '1d3', pierces = 1 }}, {{ condition = 'dazed', lasts = 1 }}]"
            );
        }
        if let Some(from) = self.bog {
            let to = from + 3;
            let difficult = if self.throw { "difficult = true\n" } else { "" };
            let _ = writeln!(
                text,
                "[encounter.ground.bog]\nstretch = [{from}, {to}]\n{difficult}\
                 modifies = {{ move = -2, evade = 1, attack = -1, {own}, armor = 1 }}"
            );
        }
        let parts: Vec<&str> = parts.collect();
        if self.spares && !self.check {
            let part = parts.first().copied().unwrap_or_default();
            let value = |key: &str| {
                let line = part.lines().find(|line| line.starts_with(key));
                line.and_then(|line| line.split(['"', '\'']).nth(1))
            };
            let others = parts.iter().find_map(|one| {
                let side = one.lines().find(|line| line.starts_with("side = "))?;
                let side = side.split(['"', '\'']).nth(1)?;
                (value("side = ") != Some(side)).then_some(side)
            });
            if let (Some(name), Some(wins)) = (value("name = "), others) {
                let _ = writeln!(
                    text,
                    "[encounter.goals.fall]\nwins = '{wins}'\nfalls = '{name}'\n\
                     [encounter.goals.late]\nwins = '{wins}'\nround = 5"
                );
            }
        }
        for (index, part) in parts.iter().enumerate() {
            text += "[[combatants]]\n";
            let when = ["half_side_down", "ally_down"][index % 2];
            if index % 3 > 0 {
                let _ = writeln!(
                    text,
                    "morale = {{ when = '{when}', check = {check}, condition = 'dazed', lasts = 2 }}"
                );
            }
            if index % 2 > 0 {
                text += "resists = { fire = 'half', cold = 'none' }\n";
            }
            let own = self.lines.iter().skip(index).step_by(parts.len());
            for line in part.lines() {
                if let Some(items) = line.strip_prefix("items = [") {
                    text.extend(["items = [", ITEMS, ", ", items]);
                } else if line.starts_with("policy = ") {
                    text += &insert_lines(line, own.clone());
                } else {
                    text += line;
                }
                text += "\n";
            }
        }
        text
    }
}

/// Inserts further lines into a policy.
fn insert_lines<'a>(line: &str, more: impl Iterator<Item = &'a (&'static str, usize)>) -> String {
    let all = line.trim_start_matches("policy = [").trim_end_matches(']');
    let mut lines: Vec<String> = all
        .split("\", ")
        .map(|one| format!("\"{}\"", one.trim_matches('"')))
        .collect();
    for (one, place) in more {
        let place = (*place).min(lines.len());
        lines.insert(place, format!("{one:?}"));
    }
    format!("policy = [{}]", lines.join(", "))
}

/// Returns the fight with lines by which some combatants leave it; none flees unless there is a border.
pub(crate) fn with_leavers(text: &str, seed: u64) -> String {
    let mut more = vec![
        ("surrender if health_percent < 30 and enemies > 1", 0),
        ("surrender if round > 2", 1),
    ];
    let has_exits = seed.is_multiple_of(2) && text.contains("[encounter]\n");
    let exits = "[encounter]\nexits = [-4, 3, 9, 14]\n";
    let text = if has_exits {
        text.replacen("[encounter]\n", exits, 1)
    } else {
        text.to_owned()
    };
    if has_exits || text.contains("arena = ") {
        more.extend([
            ("flee if health_percent < 70", 0),
            ("flee if round > 1 and distance > 2", 2),
            ("flee", 3),
        ]);
    }
    let mut index = seed as usize;
    let lines = text.lines().map(|line| {
        if !line.starts_with("policy = ") {
            return line.to_owned();
        }
        index += 1;
        insert_lines(line, more.iter().skip(index % more.len()).take(1))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the fight with a limit on the attacks of its first weapon.
fn with_limits(text: &str, seed: u64) -> String {
    let uses = 1 + seed % 4;
    let Some((before, after)) = text.split_once("[weapons.") else {
        return text.to_owned();
    };
    // A bearer of all items has no room for a limited weapon.
    let recharge = [
        "",
        "recharge = 1\n",
        "recharge = 2\n",
        "recharge = '1d6 >= 4'\n",
    ];
    let recharge = recharge[seed as usize / 4 % recharge.len()];
    let after = after
        .replacen('\n', &format!("\nuses = {uses}\n{recharge}"), 1)
        .replace(", 'whistle'", "")
        .replace("use whistle", "use bandage ally");
    format!("{before}[weapons.{after}")
}

/// Returns the fight with one of several combatants as a reserve: it enters in a Round, at a Mark, after a fall, or
/// when a condition holds; sometimes its side waits for it.
pub(crate) fn with_reserves(text: &str, seed: u64) -> String {
    let parts: Vec<&str> = text.split("[[combatants]]\n").collect();
    let key = |part: &str, key: &str| {
        let found = part.lines().find(|line| line.starts_with(key));
        found.map_or_else(String::new, |line| line[key.len()..].trim().to_owned())
    };
    let late = 1 + seed as usize % (parts.len() - 1);
    let others = || (1..parts.len()).filter(|at| *at != late);
    let side = |at: usize| key(parts[at], "side =");
    let waits = text.contains("[encounter]\n") && (seed / 5).is_multiple_of(3);
    if !waits && others().all(|at| side(at) != side(late)) {
        return text.to_owned();
    }
    let round = 2 + seed / 7 % 3;
    let mark = 30 - seed / 11 % 30;
    let at_marks = !["mage", "chronicles", "eclipse-phase"]
        .iter()
        .any(|system| text.contains(system));
    let foe = others().find(|at| side(*at) != side(late));
    let enters = match (seed / 13 % 5, foe) {
        (1, _) if at_marks => format!("{{ mark = {mark} }}"),
        (2, _) if at_marks => {
            format!("{{ round = {round}, mark = {mark}, when = 'enemies > 0' }}")
        }
        (2, _) => format!("{{ round = {round}, when = 'enemies > 1' }}"),
        (3, Some(foe)) => format!("{{ falls = {} }}", key(parts[foe], "name =")),
        (4, _) => "{ when = 'allies < 2 or nearest_enemy_distance < 3' }".to_owned(),
        _ => round.to_string(),
    };
    let enters = format!("[[combatants]]\nenters = {enters}\n");
    let all = parts.iter().enumerate().map(|(at, part)| match at {
        0 if waits => part.replacen(
            "[encounter]\n",
            "[encounter]\nwaits_for_reserves = true\n",
            1,
        ),
        0 => (*part).to_owned(),
        _ if at == late => format!("{enters}{part}"),
        _ => format!("[[combatants]]\n{part}"),
    });
    all.collect()
}

/// Generates random fights of a clock with all of this gear.
pub(crate) fn brawl(clock: Clock) -> impl Strategy<Value = String> {
    let plain = match clock {
        Clock::Marks => prop_oneof![generator::duel(), generator::brawl()].boxed(),
        Clock::Turns => mage::properties::brawl().boxed(),
        Clock::Order | Clock::Own => chronicles::properties::brawl().boxed(),
        Clock::Phases => eclipse_phase::properties::brawl().boxed(),
    };
    (plain, choice()).prop_map(|(fight, choice)| choice.text(&fight))
}

/// The events seen of one combatant.
#[derive(Debug, Clone, Default)]
struct Observed {
    health: i32,
    position: i32,
    fallen: bool,
    left: Option<Leaving>,
    entered: bool,
    /// Its maximum health, once that has changed.
    most: Option<i32>,
    /// Uses left of its items, then of its weapons.
    uses: Vec<u16>,
    conditions: Vec<u8>,
    /// Whether it has had as many conditions as possible.
    was_full: bool,
    /// The moment at which the last condition began.
    since: Moment,
}

struct RuleChecker<'a> {
    fight: &'a Fight,
    seen: Vec<Observed>,
    now: Moment,
    /// The Mark at which the Round began.
    top: Marks,
    violations: Vec<String>,
}

/// Returns the initial uses of a combatant's items and weapons.
fn uses(one: &Combatant) -> impl Iterator<Item = u16> {
    let items = one.items.iter().map(|item| item.uses);
    items.chain(one.limited().filter_map(|(_, weapon)| weapon.uses))
}

impl<'a> RuleChecker<'a> {
    fn new(fight: &'a Fight) -> Self {
        let seen = fight.combatants.iter().map(|one| {
            let grounds = fight.grounds.iter();
            let under = grounds.filter(|ground| ground.stretch.contains(one.position));
            Observed {
                health: one.health,
                position: one.position,
                conditions: under.map(|ground| ground.condition).collect(),
                uses: uses(one).collect(),
                ..Observed::default()
            }
        });
        Self {
            fight,
            seen: seen.collect(),
            now: Moment::default(),
            top: 0,
            violations: Vec::new(),
        }
    }

    fn check(&mut self, truth: bool, rule: &str) {
        if !truth {
            let now = self.now;
            self.violations.push(format!("{now:?}: not so: {rule}"));
        }
    }

    fn take_use(&mut self, who: usize, slot: usize) {
        let left = &mut self.seen[who].uses[slot];
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        self.check(is_left, "what is used up is not used");
    }

    fn is_there(&self, who: usize) -> bool {
        self.seen[who].entered || self.fight.combatants[who].enters.is_none()
    }

    fn is_stunned(&self, who: usize) -> bool {
        let stuns = |one: &u8| self.fight.conditions[usize::from(*one)].stuns;
        self.seen[who].conditions.iter().any(stuns)
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        self.now = moment;
        match event {
            Event::Round => self.top = moment.mark,
            Event::Decision { who, .. } => {
                // A combatant that acts at the same instant has decided before (W-5).
                let stunned = self.is_stunned(who) && self.seen[who].since != moment;
                self.check(!stunned, "who is stunned decides nothing");
                let fallen = self.seen[who].fallen;
                self.check(!fallen, "who has fallen decides nothing");
                self.check(self.is_there(who), "who has not come decides nothing");
                for ground in &self.fight.grounds {
                    let seen = &self.seen[who];
                    let is_there = ground.stretch.contains(seen.position);
                    let feels_it = seen.conditions.contains(&ground.condition);
                    let fits = is_there == feels_it || seen.was_full;
                    self.check(fits, "who stands on ground has its condition");
                }
            }
            Event::Damage {
                target,
                amount,
                health,
                later: false,
                ..
            } => {
                self.check(self.is_there(target), "who has not come suffers nothing");
                let left = (self.seen[target].health - amount).max(0);
                self.check(left == health, "damage takes health");
                self.seen[target].health = health;
            }
            Event::DamageCounts { target, health, .. } => self.seen[target].health = health,
            Event::Use {
                who,
                healed,
                health,
                ..
            }
            | Event::Heals {
                who,
                healed,
                health,
                ..
            }
            | Event::Healed {
                who,
                healed,
                health,
                ..
            }
            | Event::Regenerates {
                who,
                healed,
                health,
                ..
            } => {
                let most = self.seen[who].most;
                let most = most.unwrap_or(self.fight.combatants[who].health);
                let fits = self.seen[who].health + healed == health && health <= most;
                self.check(fits, "healing gives health back, up to that at the start");
                self.check(!self.seen[who].fallen, "who has fallen is not healed");
                self.seen[who].health = health;
                if let Event::Use { item, .. } = event {
                    self.take_use(who, item);
                }
            }
            Event::UseOn { who, item, target } => {
                self.take_use(who, item);
                let item = &self.fight.combatants[who].items[item];
                let distance = (self.seen[who].position - self.seen[target].position).abs();
                self.check(
                    who == target || distance <= item.power.range,
                    "what is used reaches its target",
                );
            }
            Event::ConditionBegins { who, condition, .. } => {
                let kind = &self.fight.conditions[usize::from(condition)];
                self.seen[who].since = moment;
                let all = &mut self.seen[who].conditions;
                let again = all.contains(&condition);
                if !again || kind.stacks == skirmish::fight::lasting::Stacks::Add {
                    all.push(condition);
                }
                let many = all.len();
                self.seen[who].was_full |= many == MOST_CONDITIONS;
                self.check(many <= MOST_CONDITIONS, "there is an end of conditions");
            }
            Event::ConditionEnds {
                who,
                condition,
                left,
            } => {
                let all = &mut self.seen[who].conditions;
                let many = all.len();
                all.retain(|one| *one != condition);
                all.extend((0..left).map(|_| condition));
                let ended = all.len() < many;
                self.check(ended, "only what has begun ends");
            }
            Event::Step { who, from, to, .. } | Event::Pushed { who, from, to, .. } => {
                self.check(
                    self.seen[who].position == from,
                    "one moves from where one is",
                );
                let inside = self
                    .fight
                    .arena
                    .is_none_or(|arena| arena.min <= to && to <= arena.max);
                self.check(inside, "walls hold");
                self.seen[who].position = to;
            }
            Event::Fall { who } => {
                let left = self.seen[who].left.is_some();
                self.check(!left, "who has left does not fall");
                self.seen[who].fallen = true;
            }
            Event::Hazard { hazard } => {
                let comes = self.fight.hazards[hazard].occasion.comes(moment.round, 0);
                self.check(comes, "a hazard strikes in its Rounds");
            }
            Event::Enters { who } => {
                let up = (0..self.seen.len()).filter(|who| !self.seen[*who].fallen);
                let expected = up.fold(0, |all, who| all | 1 << who);
                let enters = self.fight.combatants[who].enters.as_ref().unwrap();
                let comes = enters.comes(moment.round, expected);
                self.check(
                    comes,
                    "one comes in when those are down for whose fall it waits",
                );
                let only_round =
                    enters.mark.is_none() && enters.after == 0 && enters.when.is_none();
                let in_time = !only_round || enters.rounds.0 == moment.round;
                self.check(in_time, "one comes in in its Round");
                let at_mark = enters
                    .mark
                    .is_none_or(|mark| mark.min(self.top) == moment.mark);
                self.check(at_mark, "one comes in at its Mark");
                self.check(!self.is_there(who), "one comes in once");
                self.seen[who].entered = true;
            }
            Event::Attack {
                who,
                weapon,
                target,
                ..
            } => {
                self.check(self.is_there(target), "who has not come is no target");
                if let Some(charges) = self.fight.combatants[who].charges(weapon) {
                    self.take_use(who, charges);
                }
            }
            Event::LastUse { who, weapon } => {
                let charges = self.fight.combatants[who].charges(weapon);
                let left = charges.map(|charges| self.seen[who].uses[charges]);
                self.check(left == Some(1), "it is told as the last attack begins");
            }
            Event::UsesChange { who, slot, change } => {
                let left = i32::from(self.seen[who].uses[slot]) + change;
                let most = uses(&self.fight.combatants[who]).nth(slot);
                let fits = most.is_some_and(|most| (0..=most.into()).contains(&left));
                self.check(
                    fits,
                    "there are never more uses than there were, nor fewer than none",
                );
                self.seen[who].uses[slot] = left as u16;
            }
            Event::MostHealth { who, most, health } => {
                let fits = 0 < health && health <= most;
                self.check(fits, "nobody falls by a limit of health, or is above it");
                self.seen[who].health = health;
                self.seen[who].most = Some(most);
            }
            Event::Disarmed { who, weapon, .. } => {
                let natural = self.fight.combatants[who].weapons[weapon].natural;
                self.check(!natural, "nobody loses a natural weapon");
            }
            Event::Leaves { who, how } => {
                let fallen = self.seen[who].fallen;
                self.check(!fallen, "who has fallen does not leave");
                self.check(self.seen[who].health > 0, "who leaves is alive");
                let here = self.seen[who].position;
                let at_border = |arena: Stretch| here == arena.min || here == arena.max;
                let may = how == Leaving::Surrenders
                    || self.fight.arena.is_some_and(at_border)
                    || self.fight.exits.contains(&here);
                self.check(may, "one flees over a border");
                self.seen[who].fallen = true;
                self.seen[who].left = Some(how);
            }
            _ => {}
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

/// Returns the violations found in some encounters of random fights, if any.
fn violations(text: &str, clock: Clock, seed: u64) -> Option<String> {
    let changed = match seed % 3 {
        0 => with_leavers(text, seed / 3),
        1 => with_limits(text, seed / 3),
        _ => with_reserves(text, seed / 3),
    };
    let scenario = load(&changed);
    watched::violations(
        &scenario,
        clock,
        (seed, 4),
        |variant| RuleChecker::new(&variant.fight),
        |checker, record| {
            let mut violations = checker.violations;
            for (who, (seen, counts)) in checker.seen.iter().zip(&record.combatants).enumerate() {
                let left = [counts.fled, counts.surrendered];
                let seen_so = [Leaving::Flees, Leaving::Surrenders]
                    .map(|how| u32::from(seen.left == Some(how)));
                if left != seen_so || (seen.left.is_some() && counts.fell_round != 0) {
                    violations.push(format!("{who}: {left:?} left, seen {:?}", seen.left));
                }
                if seen.health != counts.health {
                    violations.push(format!(
                        "{who}: {} health, not {}",
                        seen.health, counts.health
                    ));
                }
            }
            violations
        },
    )
}

proptest! {
    #![proptest_config(config(400, 41))]

    #[test]
    fn encounters_of_marks_with_effects_are_as_they_must_be(text in brawl(Clock::Marks), seed: u64) {
        let found = violations(&text, Clock::Marks, seed);
        prop_assert!(found.is_none(), "{}\n{text}", found.unwrap_or_default());
    }

    #[test]
    fn encounters_in_turns_with_effects_are_as_they_must_be(text in brawl(Clock::Turns), seed: u64) {
        let found = violations(&text, Clock::Turns, seed);
        prop_assert!(found.is_none(), "{}\n{text}", found.unwrap_or_default());
    }

    #[test]
    fn encounters_in_one_order_with_effects_are_as_they_must_be(text in brawl(Clock::Order), seed: u64) {
        let found = violations(&text, Clock::Order, seed);
        prop_assert!(found.is_none(), "{}\n{text}", found.unwrap_or_default());
    }

    #[test]
    fn encounters_in_phases_with_effects_are_as_they_must_be(text in brawl(Clock::Phases), seed: u64) {
        let found = violations(&text, Clock::Phases, seed);
        prop_assert!(found.is_none(), "{}\n{text}", found.unwrap_or_default());
    }
}

/// For each clock the parts of a fight without dice: the head, the traits of a combatant, which acts earlier with a
/// greater `quick`, and a check that always succeeds.
pub(crate) const CLOCKS: [(&str, &str, &str); 4] = [
    (
        "system = 'tara-corax'\n[rules]\nround = 'full'\ninitiative.mode = 'fixed'\n",
        "attributes = { agility = 2{quick}, intellect = 2{quick} }\nevade = 0\nmove = 6\n",
        "{ dice = '1d6', bonus = 20 }",
    ),
    (
        "system = 'mage'\n[rules]\ninitiative = { dice = 0 }\nhealth = 'points'\n",
        "attributes = { dexterity = 2, wits = {quick}, stamina = 2 }\nsoak = 0\n",
        "{ skill = 200 }",
    ),
    (
        "system = 'chronicles'\n[rules]\ninitiative = { dice = 0 }\n",
        "attributes = { dexterity = {quick}, composure = 1 }\nmove = 6\n",
        "{ skill = 200 }",
    ),
    (
        "system = 'eclipse-phase'\n[rules]\ninitiative = { mode = 'fixed' }\ncritical = 'none'\n",
        "initiative = {quick}\nspeed = 1\nmove = 12\n",
        "{ skill = 200 }",
    ),
];

/// A combatant: `NAME SIDE POSITION QUICKNESS`, and other keys.
pub(crate) type CombatantSpec<'a> = (&'a str, &'a str);

/// Plays a fight with this gear and these combatants for `rounds` Rounds on each clock.
pub(crate) fn on_all_clocks(
    things: &str,
    rounds: u32,
    all: &[CombatantSpec<'_>],
) -> Vec<(Clock, Vec<Counts>)> {
    let played = endings_on_all_clocks(things, rounds, all).into_iter();
    played.map(|(clock, _, counts)| (clock, counts)).collect()
}

/// The ending of an encounter, and its last Round.
pub(crate) type Ended = (Ending, u32);

/// Plays like [`on_all_clocks`], and returns the endings, too.
pub(crate) fn endings_on_all_clocks(
    things: &str,
    rounds: u32,
    all: &[CombatantSpec<'_>],
) -> Vec<(Clock, Ended, Vec<Counts>)> {
    endings_on(&CLOCKS, things, rounds, all)
}

fn endings_on(
    clocks: &[(&str, &str, &str)],
    things: &str,
    rounds: u32,
    all: &[CombatantSpec<'_>],
) -> Vec<(Clock, Ended, Vec<Counts>)> {
    let play = |&(head, traits, check): &(&str, &str, &str)| {
        let things = things.replace("{sure}", check);
        let mut text = format!("{head}[encounter]\nmax_rounds = {rounds}\n{things}");
        for (who, more) in all {
            let words: Vec<&str> = who.split(' ').collect();
            let [name, side, position, quick] = words[..] else {
                panic!("not four words: {who}");
            };
            text.extend([
                format!(
                    "[[combatants]]\nname = '{name}'\nside = '{side}'\nposition = {position}\nhealth = 20\n"
                ),
                // In Mage soak replaces armour.
                if more.contains("armor") {
                    traits.replace("soak = 0\n", "")
                } else {
                    traits.to_owned()
                }
                .replace("{quick}", quick),
                (*more).to_owned(),
                "\n".to_owned(),
            ]);
        }
        let variant = variant(&text);
        let record = first_record(&variant, 2);
        let ended = (record.ending, record.rounds);
        (variant.fight.system.clock, ended, record.combatants)
    };
    clocks.iter().map(play).collect()
}

/// Asserts that a fight with this gear is refused with `wanted` in the errors.
pub(crate) fn assert_refused(things: &str, wanted: &str) {
    let (head, traits, _) = CLOCKS[2];
    let one = |name: &str| {
        let traits = traits.replace("{quick}", "3");
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\nhealth = 5\n{traits}policy = ['pass']\n"
        )
    };
    let text = format!("{head}{things}{}{}", one("pilot"), one("other"));
    let error = errors(&text);
    assert!(error.contains(wanted), "{error}");
}

/// Returns the attacks of a combatant that is given a condition in the first Round, before its own turn.
fn attacks_under(condition: &str, effect: &str, rounds: u32) -> Vec<(Clock, Vec<Counts>)> {
    let things = format!(
        "[weapons.fist]\nkind = \"melee\"\nreach = 3\ncheck = {{sure}}\ndamage = 1\n\
         [conditions.held]\n{condition}\n[items.net]\ntarget = \"enemy\"\nrange = 5\neffects = [{effect}]\n"
    );
    let all: &[CombatantSpec<'_>] = &[
        ("hunter one 0 9", "items = ['net']\npolicy = ['use net']"),
        ("prey other 2 3", "weapons = ['fist']\npolicy = ['attack']"),
    ];
    on_all_clocks(&things, rounds, all)
}

#[test]
fn w_11_who_is_stunned_for_two_rounds_loses_two() {
    for (lasts, lost) in [("1", 1), ("\"2 rounds\"", 2), ("\"3 turns\"", 3)] {
        for ends in ["own_turn", "round_end"] {
            let condition = format!("modifies = {{ actions = 0 }}\nends = \"{ends}\"");
            let effect = format!("{{ condition = \"held\", lasts = {lasts} }}");
            for (clock, counts) in attacks_under(&condition, &effect, 5) {
                assert_eq!(counts[1].attacks, 5 - lost, "{clock:?} {lasts} {ends}");
                assert_eq!(counts[1].stunned, lost, "{clock:?} {lasts} {ends}");
            }
        }
    }
    let never = attacks_under(
        "modifies = { actions = 0 }\nends = \"never\"",
        "{ condition = \"held\" }",
        4,
    );
    for (clock, counts) in never {
        assert_eq!((counts[1].attacks, counts[1].stunned), (0, 4), "{clock:?}");
    }
}

/// The effects of tied combatants on one another count when both have acted, in either file order (W-5). The order of
/// Chronicles has no ties.
#[test]
fn w_5_effects_on_one_another_count_when_both_have_acted() {
    for effect in [
        "push = 9",
        "prone = true",
        "disarm = true",
        "disarm = 'for_good'",
        "condition = 'clumsy', lasts = 1",
        "condition = 'covered', lasts = 1",
        "condition = 'held', lasts = 1",
        "uses = 'fist', change = -5",
    ] {
        let things = format!(
            "[weapons.fist]\nkind = 'melee'\nreach = 3\nuses = 5\ncheck = {{sure}}\ndamage = 1\n\
             effects = [{{ {effect} }}]\n[conditions.clumsy]\nmodifies = {{ attack = -300 }}\n\
             [conditions.covered]\nmodifies = {{ armor = 5 }}\n\
             [conditions.held]\nmodifies = {{ actions = 0 }}\n"
        );
        let fights = "weapons = ['fist']\npolicy = ['attack']";
        let all: &[CombatantSpec<'_>] = &[("one one 0 5", fights), ("other other 2 5", fights)];
        for (clock, counts) in on_all_clocks(&things, 1, all) {
            if clock == Clock::Order {
                continue;
            }
            let [one, other] = [&counts[0], &counts[1]]
                .map(|one| (one.attacks, one.hits, one.attacks_lost, one.health));
            assert_eq!(one, other, "{clock:?} {effect}");
            assert!(one.1 > 0 && one.3 < 20, "{clock:?} {effect}");
        }
    }
}

/// Effects of a hit or an item for the next property.
const BLOWS: [&str; 10] = [
    "push = 3",
    "pull = 2",
    "prone = true",
    "disarm = true",
    "damage = '1d4'",
    "condition = 'clumsy', lasts = 2",
    "condition = 'covered', lasts = 1",
    "condition = 'held', lasts = 1",
    "removes = 'clumsy'",
    "uses = 'fist', change = -1",
];

proptest! {
    #![proptest_config(config(300, 43))]

    /// The effects of two tied fighters on each other do not depend on which comes first in the file (W-5).
    #[test]
    fn w_5_two_tied_fighters_fare_alike_in_either_file_order(
        blows in vec(select(&BLOWS[..]), 1..4),
        net in vec(select(&BLOWS[..]), 1..3),
        lines in vec(vec(select(&[
            "attack",
            "use net",
            "use net if round = 2",
            "attack with claw if target.prone",
            "stand",
            "draw fist",
            "draw fist if not in_hand.fist",
            "attack if health < 12",
            "surrender if health < 3",
        ][..]), 2..6), 2),
    ) {
        let list = |effects: &[&str]| {
            let all: Vec<String> = effects.iter().map(|one| format!("{{ {one} }}")).collect();
            all.join(", ")
        };
        let things = format!(
            "[weapons.fist]\nkind = 'melee'\nreach = 60\nuses = 9\ncheck = {{even}}\ndamage = '1d4'\n\
             effects = [{}]\n\
             [weapons.claw]\nkind = 'melee'\nreach = 60\nnatural = true\ncheck = {{even}}\ndamage = 1\n\
             [items.net]\ntarget = 'enemy'\nrange = 60\nuses = 3\ncheck = {{even}}\neffects = [{}]\n\
             [conditions.clumsy]\nmodifies = {{ attack = -4 }}\nstacks = 'add'\n\
             [conditions.covered]\nmodifies = {{ armor = 2, move = -1 }}\nends = 'damage'\n\
             [conditions.held]\nmodifies = {{ actions = 0 }}\n",
            list(&blows),
            list(&net),
        );
        let rest = |lines: &[&str]| {
            format!("weapons = ['fist', 'claw']\nitems = ['net']\npolicy = {lines:?}")
        };
        let rest = [rest(&lines[0]), rest(&lines[1])];
        let one: CombatantSpec<'_> = ("one one 0 5", &rest[0]);
        let other: CombatantSpec<'_> = ("other other 2 5", &rest[1]);
        for (index, even) in [(0, "{ dice = '2d10' }"), (1, "{ skill = 55 }"), (3, "{ skill = 55 }")] {
            let things = things.replace("{even}", even);
            let told = |all: &[CombatantSpec<'_>]| {
                let mut played = endings_on(&CLOCKS[index..=index], &things, 8, all);
                let (clock, (_, rounds), counts) = played.remove(0);
                (clock, rounds, counts)
            };
            let (clock, rounds, counts) = told(&[one, other]);
            let (_, turned, mut swapped) = told(&[other, one]);
            swapped.reverse();
            prop_assert_eq!(rounds, turned, "{:?}\n{}\n{:?}", clock, things, rest);
            prop_assert_eq!(counts, swapped, "{:?}\n{}\n{:?}", clock, things, rest);
        }
    }
}

#[test]
fn w_10_nobody_flees_where_the_line_has_no_ends() {
    let (head, traits, _) = CLOCKS[2];
    let traits = traits.replace("{quick}", "3");
    let text = format!(
        "{head}[[combatants]]\nname = 'a'\nside = 'a'\nhealth = 5\n{traits}policy = ['flee']\n\
         [[combatants]]\nname = 'b'\nside = 'b'\nhealth = 5\n{traits}policy = ['pass']\n"
    );
    let error = errors(&text);
    assert!(
        error.contains("`flee` needs a border to flee over"),
        "{error}"
    );
}

#[test]
fn w_16_some_take_less_of_a_kind_of_damage_and_some_more() {
    let things = r#"
[weapons.torch]
kind = "melee"
reach = 30
check = {sure}
damage = 9
damage_type = "fire"
[conditions.burning]
ongoing = { damage = 2, damage_type = "fire" }
[items.oil]
target = "enemy"
range = 30
uses = 9
effects = [{ damage = 9, damage_type = "fire" }, { condition = "burning", lasts = 9 }]
[items.rock]
target = "enemy"
range = 30
uses = 9
damage = 9
[encounter.hazards.blaze]
first = 2
stretch = [9, 20]
effects = [{ damage = 5, damage_type = "fire" }]
"#;
    let cases = [
        ("", [7, 7, 5]),
        ("resists = { fire = 'half', cold = 'double' }\n", [3, 3, 2]),
        ("resists = { fire = 'none' }\n", [0, 0, 0]),
        ("resists = { fire = 'double' }\n", [14, 14, 10]),
        ("resists = { fire = 3 }\n", [4, 4, 2]),
    ];
    let torch = "weapons = ['torch']\npolicy = ['attack']";
    let oil = "items = ['oil']\npolicy = ['use oil if not target.has burning']";
    for (resists, [strike, throw, _]) in cases {
        for (policy, taken) in [(torch, strike), (oil, throw)] {
            let target = format!("{resists}armor = 2\npolicy = ['pass']");
            let all: &[CombatantSpec<'_>] =
                &[("striker one 0 5", policy), ("target other 9 3", &target)];
            for (clock, counts) in on_all_clocks(things, 1, all) {
                let hits = if policy == torch { counts[0].hits } else { 1 };
                let burns = counts[1].damage_taken - hits * taken;
                // On some clocks the fire has done damage once.
                let once = match resists {
                    "" => 2,
                    _ if resists.contains("none") || resists.contains("= 3") => 0,
                    _ if resists.contains("'half', ") => 1,
                    _ => 4,
                };
                let may_burn = policy == oil && burns == once;
                assert!(
                    burns == 0 || may_burn,
                    "{clock:?} {resists} {policy}: {burns}"
                );
            }
        }
    }
    for (resists, [_, _, blaze]) in cases {
        let target = format!("{resists}policy = ['pass']");
        let all: &[CombatantSpec<'_>] = &[
            ("idler one 0 5", "policy = ['pass']"),
            ("target other 9 3", &target),
        ];
        for (clock, counts) in on_all_clocks(things, 2, all) {
            assert_eq!(counts[1].damage_taken, blaze, "{clock:?} {resists}");
        }
    }
    let rock = "items = ['rock']\npolicy = ['use rock']";
    let all: &[CombatantSpec<'_>] = &[
        ("thrower one 0 5", rock),
        (
            "target other 5 3",
            "resists = { fire = 'none' }\npolicy = ['pass']",
        ),
    ];
    for (clock, counts) in on_all_clocks(things, 1, all) {
        let rocks = counts[0].items_used;
        assert!(rocks > 0, "{clock:?}");
        assert_eq!(counts[1].damage_taken, 9 * rocks, "{clock:?}");
    }
}

#[test]
fn w_17_goals_of_unknown_sides_and_combatants_are_refused() {
    let (head, traits, _) = CLOCKS[2];
    let traits = traits.replace("{quick}", "3");
    let one = |name: &str, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\nhealth = 5\n{traits}{more}policy = ['pass']\n"
        )
    };
    let others = one("guards", "")
        + &one("king", "")
        + &one("late", "enters = 2\n").replace("side = 'late'", "side = 'king'");
    for (goal, wanted) in [
        ("wins = 'guard'\nround = 3", "no side is called \"guard\""),
        (
            "wins = 'guards'\nfalls = 'kign'",
            "no combatant is called \"kign\"",
        ),
        (
            "wins = 'guards'",
            "the goal \"end\" is reached by one thing",
        ),
        (
            "wins = 'guards'\nround = 3\nfalls = 'king'",
            "the goal \"end\" is reached by one thing",
        ),
        ("round = 3", "lacks `wins`"),
        (
            "wins = 'guards'\nround = 3\noutcome = 'held'",
            "the name of the goal is that of the outcome",
        ),
        (
            "wins = 'guards'\nround = 3\n[encounter.goals.mutual]\nwins = 'nobody'\nround = 2",
            "no outcome can be called \"mutual\"",
        ),
        (
            "wins = 'guards'\nround = 3\n[encounter.goals.king]\nwins = 'nobody'\nround = 2",
            "no outcome can be called \"king\"",
        ),
        (
            "wins = 'guards'\nround = 3\n[[encounter.events]]\nround = 4",
            "reinforcements are combatants with `enters = 4`",
        ),
    ] {
        let text = format!("{head}[encounter.goals.end]\n{goal}\n{others}");
        let error = errors(&text);
        assert!(error.contains(wanted), "{error}");
    }
}
