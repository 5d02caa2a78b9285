//! An observer that checks the events of an encounter against the rules that hold for all.

use super::watched::{Checker, Watcher};
use skirmish::chance::Purpose;
use skirmish::fight::program::Window;
use skirmish::fight::system::Clock;
use skirmish::scenario::Variant;
use skirmish::sim::events::{AttackKind, Moment, MoveKind};
use skirmish::sim::{Counts, Event, Observer, Record};
use skirmish::systems::tara_corax::rules::MarkRules;

/// The events seen of one combatant that only this clock has.
#[derive(Debug, Default)]
struct Observed {
    counts: Counts,
    /// Land Speed and attack actions used this Round.
    units: i32,
    attack_actions: u32,
    cars: u32,
    charges: u32,
    counters: u32,
}

/// The observer.
pub(super) struct RuleChecker<'a> {
    watcher: Watcher<'a>,
    rules: &'a MarkRules,
    seen: Vec<Observed>,
}

impl<'a> Checker<'a> for RuleChecker<'a> {
    const CLOCK: Clock = Clock::Marks;

    fn new(variant: &'a Variant) -> Self {
        let skirmish::systems::Rules::Marks(rules) = &variant.rules else {
            panic!("the rules of another clock")
        };
        let mut watcher = Watcher::new(&variant.fight);
        watcher.now = Moment {
            round: 1,
            mark: rules.round_marks,
        };
        let seen = watcher.seen.iter().map(|_| Observed::default());
        Self {
            seen: seen.collect(),
            watcher,
            rules,
        }
    }

    fn finish(mut self, record: &Record) -> Vec<String> {
        let most = self.watcher.fight.max_rounds;
        self.check(record.rounds <= most, "it ends by max_rounds");
        let same = record.marks == self.elapsed();
        self.check(same, "the Marks are those that went by");
        let watched = self.watcher.seen.clone();
        self.watcher.finish(record, |who| {
            let told = record.combatants[who];
            let seen = Counts {
                health: watched[who].health,
                units_moved: watched[who].moved,
                attacks: watched[who].attacks,
                hits: watched[who].hits,
                // No event reports these.
                marks_forfeited: told.marks_forfeited,
                uses_left: told.uses_left,
                ..self.seen[who].counts
            };
            (seen == told, format!("{seen:?}"))
        })
    }
}

impl RuleChecker<'_> {
    /// Returns the Marks since the beginning of the encounter.
    fn elapsed(&self) -> u32 {
        let now = self.watcher.now;
        now.round * self.rules.round_marks as u32 - now.mark as u32
    }

    fn check(&mut self, truth: bool, rule: &str) {
        self.watcher.check(truth, rule);
    }

    fn acts(&mut self, who: usize) {
        let fell = self.seen[who].counts.fell_round;
        self.check(fell == 0, "nobody acts after falling");
    }

    /// Records a decision or the beginning of an action.
    fn begins(&mut self, who: usize) {
        self.acts(who);
        self.goes_on();
        let mark = self.watcher.now.mark;
        self.check(mark >= 1, "nothing is begun below Mark 1");
    }

    /// W-6: no act is made and none is lost once at most one side stands.
    fn goes_on(&mut self) {
        let sides = self.watcher.fight.combatants.iter().zip(&self.seen);
        let mut sides = sides
            .filter(|(_, seen)| seen.counts.fell_round == 0)
            .map(|(one, _)| one.side);
        let first = sides.next();
        let goes_on = sides.any(|side| Some(side) != first);
        self.check(goes_on, "nothing is made or lost once it is decided");
    }

    fn attack(&mut self, who: usize, kind: AttackKind) {
        self.begins(who);
        let elapsed = self.elapsed();
        let seen = &mut self.seen[who];
        seen.counts.first_attack.get_or_insert(elapsed);
        if kind == AttackKind::Counter {
            seen.counters += 1;
            let most = u32::from(self.rules.counters_per_round);
            let few = seen.counters <= most;
            self.check(few, "counters a Round");
        }
    }

    fn step(&mut self, who: usize, kind: MoveKind) {
        self.acts(who);
        self.goes_on();
        let counts = kind != MoveKind::Car || self.rules.car_counts_as_move;
        let seen = &mut self.seen[who];
        seen.units += i32::from(counts);
        let enough = seen.units <= self.watcher.fight.combatants[who].speed;
        self.check(enough, "Land Speed is never exceeded");
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        let now = self.watcher.now;
        let forward = (moment.round, -moment.mark) >= (now.round, -now.mark);
        self.check(forward, "time goes forward");
        if let Event::Use {
            who,
            healed,
            health,
            ..
        } = event
        {
            let most = self.watcher.fight.combatants[who].health;
            let rises = health == self.watcher.seen[who].health + healed && health <= most;
            self.check(rises, "health rises by what heals, up to the start");
        }
        self.watcher.event(moment, event);
        match event {
            Event::Round => {
                for seen in &mut self.seen {
                    seen.units = 0;
                    seen.attack_actions = 0;
                    seen.cars = 0;
                    seen.charges = 0;
                    seen.counters = 0;
                }
            }
            Event::Rejected { who, .. }
            | Event::Pass { who, .. }
            | Event::StepSpent { who, .. }
            | Event::Wasted { who, .. }
            | Event::Concentrates { who, .. }
            | Event::ChannelBroken { who, .. }
            | Event::Effect { who, .. }
            | Event::SpellCheck { who, .. }
            | Event::RoundSkipped { who, .. } => self.acts(who),
            Event::Score { who, score, .. } | Event::Delay { who, score, .. } => {
                self.acts(who);
                let most = self.rules.round_marks;
                self.check(score <= most, "no Score is above the Marks of a Round");
            }
            Event::Decision { who, line } => {
                self.acts(who);
                let policy = &self.watcher.fight.combatants[who].policy;
                let mut anytime = policy.at(Window::Anytime).iter();
                let asked = anytime.all(|one| usize::from(one.number) != line);
                // W-7: `anytime` lines count as decisions only if the policy has no other lines.
                let decides = asked || policy.decisions().is_empty();
                self.seen[who].counts.decisions += u32::from(decides);
            }
            Event::AttackAction { who, attacks, .. } => {
                self.begins(who);
                self.check(attacks >= 1, "an attack action is of attacks");
                self.seen[who].attack_actions += 1;
                let few = self.seen[who].attack_actions <= u32::from(self.rules.attack_actions);
                let any = self.rules.attack_actions == u8::MAX;
                self.check(few || any, "attack actions a Round");
            }
            Event::Attack { who, kind, .. } => self.attack(who, kind),
            Event::Forfeited { who, attacks } => {
                self.begins(who);
                self.seen[who].counts.attacks_forfeited += attacks as u32;
            }
            Event::Lost { who } | Event::Unready { who, .. } => {
                self.begins(who);
                self.seen[who].counts.attacks_lost += 1;
            }
            Event::Damage {
                who,
                target,
                amount,
                ..
            } => {
                self.acts(who);
                self.check(amount >= 0, "damage is never below 0");
                self.seen[who].counts.damage += amount as u32;
                self.seen[target].counts.damage_taken += amount as u32;
            }
            Event::Fall { who } => {
                self.acts(who);
                self.seen[who].counts.fell_round = moment.round;
            }
            Event::Step { who, kind, .. } => self.step(who, kind),
            Event::Cast { who, .. } | Event::Channel { who, .. } => {
                self.begins(who);
                self.seen[who].counts.spells_cast += 1;
            }
            Event::Fizzle { who, .. } => {
                self.acts(who);
                self.seen[who].counts.spells_fizzled += 1;
            }
            Event::Car { who, reaction, .. } => {
                self.acts(who);
                self.check(reaction || moment.mark >= 1, "nothing is decided at Mark 0");
                self.seen[who].cars += 1;
                let few = self.seen[who].cars <= u32::from(self.rules.car_per_round);
                self.check(few, "CAR moves a Round");
            }
            Event::Charge { who, .. } => {
                self.begins(who);
                self.seen[who].charges += 1;
                let few = self.seen[who].charges <= u32::from(self.rules.charges_per_round);
                self.check(few, "charges a Round");
            }
            Event::Use { who, healed, .. } => {
                self.begins(who);
                let counts = &mut self.seen[who].counts;
                counts.items_used += 1;
                counts.healed += healed.unsigned_abs();
            }
            Event::Set { who, .. }
            | Event::CombatCast { who, .. }
            | Event::Draw { who, .. }
            | Event::PutAway {
                who,
                dropped: false,
                ..
            }
            | Event::Stand { who }
            | Event::Wait { who, .. } => self.begins(who),
            // The watcher checks the first two; the others belong to the attack, or to the draw, that follows.
            Event::End { .. }
            | Event::DamageCounts { .. }
            | Event::LastUse { .. }
            | Event::PutAway { .. }
            | Event::CriticalHit { .. } => {}
            other => self.check(false, &format!("no event of this clock: {other:?}")),
        }
    }

    fn die(&mut self, who: usize, _: Purpose, sides: u32, face: u32) {
        self.acts(who);
        self.check((1..=sides).contains(&face), "a die shows one of its faces");
    }
}
