//! Remarks on misleading fights: things that never happen, or too often, and how to fix them.
//!
//! Some remarks follow from the counts. For the rest, the first encounters of each variant are played again
//! under an observer, [`Usage`], until everything has been used once.

mod effects;
mod timeouts;

use self::effects::{EffectRemarks, InForce, hurts_others, in_the_first};
use self::timeouts::{cause, endless};
use super::Prepared;
use crate::chance::Purpose;
use crate::fight::program::{Action, Amount, Line, Policy, Window};
use crate::fight::{Combatant, Ending, Fight, Marks, Units, WeaponKind};
use crate::output::table::happens;
use crate::output::{Note, VariantReport};
use crate::run::{Play as _, Player};
use crate::scenario::{Remark, Variant};
use crate::sim::events::{Event, Moment, MoveKind};
use crate::sim::{Observer, Record};
use crate::systems::Rules;
use crate::systems::tara_corax::rules::Costs;
use crate::tally::Tally;
use std::cmp;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most encounters of each variant that are played again, and of all variants together: they take a second or two.
const REPLAYED: u64 = 1_000;
const REPLAYED_IN_ALL: u64 = 20_000;

/// The limit on Rounds times combatants after which no more encounters of a variant are played again: about a second.
const REPLAYED_ROUNDS: u64 = 5_000_000;

/// The fewest encounters of each variant that are played again, however many variants there are.
const FEWEST: u64 = 100;

/// A combatant is far away beyond this multiple of the greatest starting position or range, and of 20 Units.
const FAR: Units = 5;

/// The least share of encounters at which timeouts are remarked on.
const MANY: f64 = 0.05;

/// The fewest encounters with attacks for a remark that no attack did damage.
const OFTEN: u64 = 100;

/// Returns the remarks on a run, except for those that the scenario's `silence` lists. A remark about one
/// variant has its name.
pub(super) fn notes(run: &Prepared, reports: &[VariantReport]) -> Vec<Note> {
    let scenario = &run.input().loaded.scenario;
    let mut things = Things::default();
    let mut notes = Vec::new();
    let most = (REPLAYED_IN_ALL / reports.len().max(1) as u64).clamp(FEWEST, REPLAYED);
    let mut replayed = 0;
    let mut of_effects = Vec::new();
    let all = scenario.variants.iter().zip(reports);
    for (variant, report) in all.filter(|(_, report)| !report.tally.is_empty()) {
        let tally = &report.tally;
        // A solved fight is played too, to find the things that it never uses.
        let played = tally.solution().map_or(tally.encounters(), |_| most);
        let is_closed = tally.timeout_share() == 0.0 && !shows_more(variant);
        let range = if is_closed { 0 } else { FEWEST }..played.min(most);
        let seen = replay(variant, run.task.seed, range, &mut things);
        replayed = replayed.max(seen.encounters);
        let counted = counted(report, &seen, &variant.fight).into_iter();
        notes.extend(counted.map(|(remark, text)| Note {
            variant: Some(variant.name.clone()),
            ..note(remark, text)
        }));
        let effects = std::mem::take(&mut things.effects);
        of_effects.push((&variant.name, effects.notes(&in_the_first(seen.encounters))));
    }
    notes.extend(effects::merged(of_effects));
    notes.extend(things.notes(replayed));
    let is_silenced = |remark| scenario.silence.contains(&remark);
    notes.retain(|note| !note.remark.is_some_and(is_silenced));
    notes
}

/// Returns a note about a whole scenario.
fn note(remark: Remark, text: String) -> Note {
    Note {
        remark: Some(remark),
        variant: None,
        text,
    }
}

/// Returns the remark on the numbers of a sensitivity that several sides share.
pub(super) fn shared<'a>(
    prepared: &Prepared,
    fight: &Fight,
    keys: impl Iterator<Item = &'a str>,
) -> Option<Note> {
    let remark = Remark::SharedNumber;
    if prepared.input().loaded.scenario.silence.contains(&remark) {
        return None;
    }
    let carries = |combatant: &Combatant, kind: &str, name: &str| match kind {
        "weapons" => combatant.weapons.iter().any(|weapon| weapon.name == name),
        "spells" => combatant.spells.iter().any(|spell| spell.name == name),
        "items" => combatant.items.iter().any(|item| item.name == name),
        _ => false,
    };
    let mut shared = BTreeSet::new();
    for key in keys {
        let mut parts = key.splitn(3, '.');
        let (Some(kind), Some(name)) = (parts.next(), parts.next()) else {
            continue;
        };
        let carriers = fight
            .combatants
            .iter()
            .filter(|one| carries(one, kind, name));
        let sides: BTreeSet<usize> = carriers.map(|combatant| combatant.side).collect();
        if sides.len() > 1 {
            shared.insert(format!("{kind}.{name}"));
        }
    }
    let names = Vec::from_iter(shared).join(", ");
    let text = format!(
        "several sides use {names}: 1 more changes all of them at once; give each side its own to see what it is worth to \
         one side"
    );
    (!names.is_empty()).then(|| note(remark, text))
}

/// A weapon, spell, item or policy line, and whether any variant has used it.
struct Thing {
    remark: Remark,
    /// The policy, or the combatants of one entry of the file.
    owner: String,
    name: String,
    used: bool,
}

/// All things of all variants. A thing that several combatants or variants share is listed once.
#[derive(Default)]
struct Things {
    all: Vec<Thing>,
    /// The walkers that went far, each with the Unit where it was farthest from Unit 0.
    far: Vec<(String, Units)>,
    /// Combatants that enemies hold off by steps of one Unit: their group, the enemy's group, and their Score.
    held_off: BTreeSet<(String, String, Marks)>,
    /// Those of the variant that is played.
    effects: EffectRemarks,
}

impl Things {
    fn handle(&mut self, remark: Remark, owner: &str, name: &str) -> usize {
        let is_known =
            |thing: &Thing| thing.remark == remark && thing.owner == owner && thing.name == name;
        self.all.iter().position(is_known).unwrap_or_else(|| {
            self.all.push(Thing {
                remark,
                owner: owner.to_owned(),
                name: name.to_owned(),
                used: false,
            });
            self.all.len() - 1
        })
    }

    /// Returns the remarks: one for each owner of things that no variant has used, then those on walkers and on
    /// combatants that are held off.
    fn notes(&self, replayed: u64) -> Vec<Note> {
        let unused = || self.all.iter().filter(|thing| !thing.used);
        let when = in_the_first(replayed);
        let mut done = BTreeSet::new();
        let mut notes = Vec::new();
        let mut add = |remark, text| notes.push(note(remark, text));
        for Thing { remark, owner, .. } in unused() {
            if !done.insert((remark, owner)) {
                continue;
            }
            let same = unused().filter(|thing| thing.remark == *remark && thing.owner == *owner);
            let names: Vec<&str> = same.map(|thing| thing.name.as_str()).collect();
            let names = names.join("; ");
            let (verb, hint) = match remark {
                Remark::UnusedLine => ("takes", ": `skirmish trace --why` shows why not"),
                Remark::UnusedWeapon => ("attacks with", ""),
                Remark::UnusedSpell => ("casts", ""),
                _ => ("uses", ""),
            };
            add(
                *remark,
                format!("{owner} never {verb} {names} {when}{hint}"),
            );
        }
        for (who, far) in &self.far {
            let text = format!(
                "{who} walks as far as Unit {far}: `encounter.arena` sets walls, `encounter.ends_when` ends a chase"
            );
            add(Remark::FarAway, text);
        }
        for (who, by, score) in &self.held_off {
            let text = format!(
                "{by} steps back one Unit, and {who}, whose Score is {score} in every Round, never has the Marks to step \
                 up, Set and attack: give {who} a `car` line or a charge, or roll initiative"
            );
            add(Remark::StepBack, text);
        }
        notes
    }
}

/// The observer of the encounters that are played again. Marks things as used, and records walks and Scores.
struct Usage<'a> {
    /// The indices of the things of each combatant, by the remark if it is never used, and by its own number: its lines,
    /// weapons, spells and items.
    handles: BTreeMap<(usize, Remark, usize), usize>,
    fight: &'a Fight,
    things: &'a mut Things,
    farthest: Vec<Units>,
    /// The last Round in which each combatant walked away.
    retreated: Vec<u32>,
    /// The last Round in which any combatant attacked, cast a spell, or used an item or worked at a task that does
    /// damage to others.
    attacked: u32,
    /// The lowest and the highest Score of each combatant.
    scores: Vec<Option<[Marks; 2]>>,
    in_force: InForce,
}

/// The encounters of one variant that were played again, and counts of their timeouts.
#[derive(Default)]
struct ReplayCounts {
    /// The number of encounters to play again. Includes those skipped because everything had been used already.
    encounters: u64,
    timeouts: u32,
    /// Timeouts in which a member of a group walked away to the end, by the name of the group.
    fled: BTreeMap<String, u32>,
    /// Timeouts without an attack, or damage done in another way, in the last quarter of their Rounds.
    peaceful: u32,
    /// The first timeouts, if none of them ends within the Rounds to which they were played on.
    endless: Option<(usize, u32)>,
}

/// Returns the lines whose use an observer is told of. `pass` is not one of them.
fn watched(policy: &Policy) -> impl Iterator<Item = &Line> {
    policy.lines().filter(|line| line.action != Action::Pass)
}

impl<'a> Usage<'a> {
    fn new(fight: &'a Fight, things: &'a mut Things) -> Self {
        let all = fight.combatants.len();
        let mut handles = BTreeMap::new();
        for (who, combatant) in fight.combatants.iter().enumerate() {
            let (policy, group) = (&combatant.policy, format!("`{}`", combatant.group));
            let owner = match policy.name.as_str() {
                "" => format!("the policy of {group}"),
                name => format!("policy `{name}`"),
            };
            let mut add = |remark, index, owner: &str, name: &str| {
                handles.insert((who, remark, index), things.handle(remark, owner, name));
            };
            for line in watched(policy) {
                let number = usize::from(line.number);
                let name = format!("line {}, `{}`", number + 1, policy.text[number]);
                add(Remark::UnusedLine, number, &owner, &name);
            }
            for (index, weapon) in combatant.weapons.iter().enumerate() {
                add(Remark::UnusedWeapon, index, &group, &weapon.name);
            }
            for (index, spell) in combatant.spells.iter().enumerate() {
                add(Remark::UnusedSpell, index, &group, &spell.name);
            }
            for (index, item) in combatant.items.iter().enumerate() {
                add(Remark::UnusedItem, index, &group, &item.name);
            }
        }
        Self {
            handles,
            fight,
            things,
            farthest: vec![0; all],
            retreated: vec![0; all],
            attacked: 0,
            scores: vec![None; all],
            in_force: InForce::NONE,
        }
    }

    fn use_thing(&mut self, who: usize, unused: Remark, index: usize) {
        if let Some(thing) = self.handles.get(&(who, unused, index)) {
            self.things.all[*thing].used = true;
        }
    }

    fn all_used(&self) -> bool {
        let mut handles = self.handles.values();
        handles.all(|thing| self.things.all[*thing].used) && self.things.effects.all_counted()
    }
}

impl Observer for Usage<'_> {
    fn sees_all(&self) -> bool {
        false
    }

    fn event(&mut self, moment: Moment, event: Event) {
        self.in_force
            .follow(&event, self.fight, &mut self.things.effects);
        match event {
            Event::Decision { who, line } | Event::Delay { who, line, .. } => {
                self.use_thing(who, Remark::UnusedLine, line);
            }
            // The event does not say by which of them.
            Event::Triggered {
                who, cancels: true, ..
            } => {
                for line in self.fight.combatants[who].policy.at(Window::Triggered) {
                    self.use_thing(who, Remark::UnusedLine, line.number.into());
                }
            }
            Event::AttackAction { who, weapon, .. } | Event::Attack { who, weapon, .. } => {
                self.use_thing(who, Remark::UnusedWeapon, weapon);
                self.attacked = moment.round;
            }
            Event::Cast { who, spell, .. }
            | Event::Channel { who, spell, .. }
            | Event::Ritual { who, spell, .. }
            | Event::SpellCheck { who, spell, .. }
            | Event::Effect { who, spell, .. } => {
                self.use_thing(who, Remark::UnusedSpell, spell);
                self.attacked = moment.round;
            }
            Event::Use { who, item, .. } | Event::UseOn { who, item, .. } => {
                self.use_thing(who, Remark::UnusedItem, item);
                if hurts_others(&self.fight.combatants[who].items[item].power) {
                    self.attacked = moment.round;
                }
            }
            Event::Works { who, task, .. }
                if self.fight.combatants[who].tasks[task].strike.is_some() =>
            {
                self.attacked = moment.round;
            }
            Event::Step { who, to, kind, .. } => {
                self.farthest[who] = farther(self.farthest[who], to);
                if kind == MoveKind::Retreat {
                    self.retreated[who] = moment.round;
                }
            }
            Event::Score { who, score, .. } => {
                let [low, high] = self.scores[who].unwrap_or([score; 2]);
                self.scores[who] = Some([low.min(score), high.max(score)]);
            }
            _ => {}
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

/// Whether encounters of a variant may show anything to remark on but timeouts, once each thing has been used: walks,
/// conditions, penalties in dice, and combatants that are held off.
fn shows_more(variant: &Variant) -> bool {
    let (fight, Rules::Marks(_)) = (&variant.fight, &variant.rules) else {
        return true;
    };
    let scores = vec![Some([0; 2]); fight.combatants.len()];
    let is_tracked = |combatant: &Combatant| !combatant.track.levels().is_empty();
    fight.arena.is_none()
        || !fight.is_plain()
        || fight.combatants.iter().any(is_tracked)
        || !held_off(fight, &scores, Marks::MAX, |_, _| true).is_empty()
}

/// Plays the first encounters of a variant again, up to the last of `range`, and marks the things that they use. They are
/// fewer if they are long, or from the first of `range` on if all things have been used.
fn replay(variant: &Variant, seed: u64, range: Range<u64>, things: &mut Things) -> ReplayCounts {
    let fight = &variant.fight;
    let player = Player::new(fight, &variant.rules, seed);
    let mut usage = Usage::new(fight, things);
    let mut seen = ReplayCounts {
        encounters: range.end,
        ..ReplayCounts::default()
    };
    let mut rounds = 0;
    let mut timeouts = Vec::new();
    let (mut table, mut record) = (player.state(), Record::default());
    for encounter in 0..range.end {
        usage.attacked = 0;
        usage.in_force = InForce::NONE;
        usage.retreated.fill(0);
        player.watch(&mut table, encounter, &mut usage, &mut record);
        if record.ending == Ending::Timeout {
            seen.timeouts += 1;
            timeouts.push(encounter);
            seen.peaceful += u32::from(usage.attacked * 4 < record.rounds * 3);
            let fled = fight.combatants.iter().zip(&usage.retreated);
            let fled =
                fled.filter(|(_, retreated)| **retreated > 0 && **retreated + 1 >= record.rounds);
            let groups: BTreeSet<&String> = fled.map(|(combatant, _)| &combatant.group).collect();
            for group in groups {
                *seen.fled.entry(group.clone()).or_default() += 1;
            }
        }
        if usage.all_used() && encounter >= range.start {
            break;
        }
        rounds += u64::from(record.rounds) * fight.combatants.len() as u64;
        if rounds >= REPLAYED_ROUNDS {
            seen.encounters = encounter + 1;
            break;
        }
    }
    seen.endless = endless(variant, seed, &timeouts);
    far_away(fight, &usage.farthest, usage.things);
    if let Rules::Marks(rules) = &variant.rules {
        let Costs { quarter, full, .. } = rules.costs();
        let takes = |who: usize, line: &Line| {
            let handle = (who, Remark::UnusedLine, line.number.into());
            { usage.handles.get(&handle) }.is_some_and(|thing| usage.things.all[*thing].used)
        };
        let held_off = held_off(fight, &usage.scores, 1 + quarter + full, takes);
        usage.things.held_off.extend(held_off);
    }
    seen
}

/// Returns the Unit that is farther from Unit 0, the first of two that are equally far.
fn farther(first: Units, second: Units) -> Units {
    cmp::max_by_key(second, first, |unit| unit.abs())
}

/// Records the combatants that walk far beyond all starting positions and ranges of a fight without walls.
fn far_away(fight: &Fight, farthest: &[Units], things: &mut Things) {
    if fight.arena.is_some() || !fight.ends.is_empty() {
        return;
    }
    let places = fight.combatants.iter().flat_map(|combatant| {
        let ranges = combatant.weapons.iter().map(|weapon| weapon.range);
        ranges.chain([combatant.position.abs()])
    });
    let usual = places.fold(20, Units::max);
    for (combatant, far) in fight.combatants.iter().zip(farthest) {
        if far.abs() <= FAR.saturating_mul(usual) {
            continue;
        }
        let who = format!("`{}`", combatant.group);
        match things.far.iter_mut().find(|(name, _)| *name == who) {
            Some((_, before)) => *before = farther(*before, *far),
            None => things.far.push((who, *far)),
        }
    }
}

/// Finds the combatants with the same low Score in each Round, no reaction and no charge, whose enemies step back one
/// Unit: the group of each, that of its enemy, and its Score. `takes` says whether a combatant has taken a line.
///
/// After a walk of one Unit a combatant must Set before it attacks: with a Score below `needed`, the price of all three,
/// it cannot (TC-5, TC-9).
fn held_off(
    fight: &Fight,
    scores: &[Option<[Marks; 2]>],
    needed: Marks,
    takes: impl Fn(usize, &Line) -> bool,
) -> BTreeSet<(String, String, Marks)> {
    let mut found = BTreeSet::new();
    let charges = |line: &Line| matches!(line.action, Action::Charge(_));
    let helpless = |combatant: &Combatant| {
        let (policy, weapons) = (&combatant.policy, &combatant.weapons);
        policy.at(Window::EnemyMoves).is_empty()
            && !policy.decisions().iter().any(charges)
            && !weapons.is_empty()
            && weapons
                .iter()
                .all(|weapon| weapon.kind == WeaponKind::Melee)
    };
    let one_unit = |line: &Line| match &line.action {
        Action::Retreat(retreat) => retreat.units == Some(Amount::Fixed(1)),
        _ => false,
    };
    let who = |combatant: &Combatant| format!("`{}`", combatant.group);
    for (combatant, score) in fight.combatants.iter().zip(scores) {
        let Some([low, high]) = *score else { continue };
        if low != high || high >= needed || !helpless(combatant) {
            continue;
        }
        for (by, other) in fight.combatants.iter().enumerate() {
            let steps = |line: &Line| one_unit(line) && takes(by, line);
            if other.side != combatant.side && watched(&other.policy).any(steps) {
                found.insert((who(combatant), who(other), high));
            }
        }
    }
    found
}

/// Whether a metric of a combatant was ever above 0.
fn ever(tally: &Tally, name: &str, who: usize) -> bool {
    let metric = tally.metric(name);
    metric.is_some_and(|metric| happens(tally, metric, who))
}

/// Returns the remarks that follow from counts, with the causes seen in the encounters played again.
fn counted(report: &VariantReport, seen: &ReplayCounts, fight: &Fight) -> Vec<(Remark, String)> {
    let mut remarks = report.remarks(MANY);
    for (remark, text) in &mut remarks {
        if *remark == Remark::Timeouts {
            *text = format!("{text}: {}", cause(&report.tally, seen, fight));
        }
    }
    let tally = &report.tally;
    if tally.solution().is_some() {
        return remarks;
    }
    let idle = |who: usize| tally.idle(who) == tally.encounters();
    let attacks = |who: usize| ever(tally, "attacks", who) || ever(tally, "spells_cast", who);
    let hurts = |who: usize| ever(tally, "damage", who);
    let strikes = |who: usize| {
        let attacks = tally
            .metric("attacks")
            .map(|metric| tally.distribution(metric, who));
        let mut weapons = fight.combatants[who].weapons.iter();
        attacks.is_some_and(|all| all.total() - all.count(0) >= OFTEN)
            && weapons.all(|weapon| weapon.effects.is_empty())
    };
    let is_damage_done = (0..fight.combatants.len()).any(hurts);
    let groups = fight.combatants.iter().map(|combatant| &combatant.group);
    for group in groups.collect::<BTreeSet<_>>() {
        let members =
            || (0..fight.combatants.len()).filter(|who| fight.combatants[*who].group == *group);
        let armed = |who: usize| !fight.combatants[who].weapons.is_empty();
        if members().any(|who| armed(who) && !idle(who)) && !members().any(attacks) {
            let text = format!(
                "`{group}` never attacks, though it has a weapon: `skirmish trace --why` shows why not"
            );
            remarks.push((Remark::NeverAttacks, text));
        }
        // Where no combatant does any damage, the remark on timeouts says so.
        if is_damage_done && !members().any(hurts) && members().any(strikes) {
            let text = format!(
                "`{group}` attacks and never does damage: compare its checks with what they must reach, and its damage with \
                 armour"
            );
            remarks.push((Remark::NeverHurts, text));
        }
    }
    remarks
}
#[cfg(test)]
mod tests;
