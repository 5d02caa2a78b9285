//! An observer that checks the events of an encounter against the rules that hold for all.

use skirmish::chance::Purpose;
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::sim::events::{AttackKind, Moment, MoveKind};
use skirmish::sim::{Counts, Event, Observer, Record};
use skirmish::systems::tara_corax::rules::Rules;

/// The events seen of one combatant.
#[derive(Debug, Default)]
struct Observed {
    health: i32,
    position: i32,
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
    fight: &'a Fight,
    rules: &'a Rules,
    seen: Vec<Observed>,
    now: Moment,
    ending: Option<Ending>,
    violations: Vec<String>,
}

impl<'a> RuleChecker<'a> {
    pub(super) fn new(fight: &'a Fight, rules: &'a skirmish::systems::Rules) -> Self {
        let skirmish::systems::Rules::Marks(rules) = rules else {
            panic!("the rules of another clock")
        };
        let seen = fight.combatants.iter().map(|one| Observed {
            health: one.health,
            position: one.position,
            ..Observed::default()
        });
        Self {
            fight,
            rules,
            seen: seen.collect(),
            now: Moment {
                round: 1,
                mark: rules.round_marks,
            },
            ending: None,
            violations: Vec::new(),
        }
    }

    /// Returns the Marks since the beginning of the encounter.
    fn elapsed(&self) -> u32 {
        self.now.round * self.rules.round_marks as u32 - self.now.mark as u32
    }

    /// Returns the violations, including those of the record.
    pub(super) fn finish(mut self, record: &Record) -> Vec<String> {
        let ending = self.ending;
        self.check(ending == Some(record.ending), "the ending is told");
        let most = self.fight.max_rounds;
        self.check(record.rounds <= most, "it ends by max_rounds");
        self.check(
            record.marks == self.elapsed(),
            "the Marks are those that went by",
        );
        let standing = |seen: &&Observed| seen.counts.fell_round == 0;
        let mut sides: Vec<usize> = (0..self.seen.len())
            .filter(|who| standing(&&self.seen[*who]))
            .map(|who| self.fight.combatants[who].side)
            .collect();
        sides.dedup();
        sides.sort_unstable();
        sides.dedup();
        let fits = match record.ending {
            Ending::Win(side) => sides == [usize::from(side)],
            Ending::Mutual => sides.is_empty(),
            Ending::Timeout => sides.len() > 1 && record.rounds == most,
            Ending::Escaped | Ending::Caught => sides.len() > 1 && record.distance.is_some(),
            Ending::Outcome(_) => false,
        };
        self.check(fits, "the ending fits those who stand");
        for who in 0..self.seen.len() {
            let told = record.combatants[who];
            let seen = Counts {
                health: self.seen[who].health,
                // No event reports these.
                marks_forfeited: told.marks_forfeited,
                uses_left: told.uses_left,
                ..self.seen[who].counts
            };
            if seen != told {
                self.violations
                    .push(format!("the record says {told:?}, seen was {seen:?}"));
            }
        }
        self.violations
    }

    fn check(&mut self, truth: bool, rule: &str) {
        if !truth {
            let Moment { round, mark } = self.now;
            self.violations
                .push(format!("R{round} {mark}: not so: {rule}"));
        }
    }

    fn acts(&mut self, who: usize) {
        let fell = self.seen[who].counts.fell_round;
        self.check(fell == 0, "nobody acts after falling");
    }

    /// Records a decision or the beginning of an action.
    fn begins(&mut self, who: usize) {
        self.acts(who);
        self.goes_on();
        let mark = self.now.mark;
        self.check(mark >= 1, "nothing is begun below Mark 1");
    }

    /// W-6: no act is made and none is lost once at most one side stands.
    fn goes_on(&mut self) {
        let sides = self.fight.combatants.iter().zip(&self.seen);
        let mut sides = sides
            .filter(|(_, seen)| seen.counts.fell_round == 0)
            .map(|(one, _)| one.side);
        let first = sides.next();
        let goes_on = sides.any(|side| Some(side) != first);
        self.check(goes_on, "nothing is made or lost once it is decided");
    }

    fn attack(&mut self, who: usize, target: usize, weapon: usize, kind: AttackKind, hit: bool) {
        self.begins(who);
        let distance = (self.seen[who].position - self.seen[target].position).abs();
        let range = self.fight.combatants[who].weapons[weapon].range;
        self.check(distance <= range, "an attack is within reach");
        let stands = self.seen[target].counts.fell_round == 0;
        self.check(stands, "an attack is on one who stands");
        let elapsed = self.elapsed();
        let seen = &mut self.seen[who];
        seen.counts.attacks += 1;
        seen.counts.hits += u32::from(hit);
        seen.counts.first_attack.get_or_insert(elapsed);
        if kind == AttackKind::Counter {
            seen.counters += 1;
            let most = u32::from(self.rules.counters_per_round);
            let few = seen.counters <= most;
            self.check(few, "counters a Round");
        }
    }

    fn step(&mut self, who: usize, from: i32, to: i32, kind: MoveKind) {
        self.acts(who);
        self.goes_on();
        let here = self.seen[who].position;
        self.check(here == from, "a step begins where one is");
        self.check((to - from).abs() == 1, "a step is one Unit");
        if let Some(arena) = self.fight.arena {
            let inside = arena.min <= to && to <= arena.max;
            self.check(inside, "nobody leaves the arena");
        }
        let counts = kind != MoveKind::Car || self.rules.car_counts_as_move;
        let seen = &mut self.seen[who];
        seen.position = to;
        seen.counts.units_moved += 1;
        seen.units += i32::from(counts);
        let enough = seen.units <= self.fight.combatants[who].speed;
        self.check(enough, "Land Speed is never exceeded");
    }
}

impl Observer for RuleChecker<'_> {
    fn event(&mut self, moment: Moment, event: Event) {
        let forward = (moment.round, -moment.mark) >= (self.now.round, -self.now.mark);
        self.now = moment;
        self.check(forward, "time goes forward");
        self.check(self.ending.is_none(), "nothing comes after the end");
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
            Event::End { ending } => self.ending = Some(ending),
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
                let policy = &self.fight.combatants[who].policy;
                let mut anytime = policy.anytime.iter();
                let asked = anytime.all(|one| usize::from(one.number) != line);
                // W-7: `anytime` lines count as decisions only if the policy has no other lines.
                let decides = asked || policy.decisions.is_empty();
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
            Event::Attack {
                who,
                target,
                weapon,
                kind,
                hit,
                ..
            } => self.attack(who, target, weapon, kind, hit),
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
                health,
                later,
                ..
            } => {
                self.acts(who);
                self.check(amount >= 0, "damage is never below 0");
                self.seen[who].counts.damage += amount as u32;
                self.seen[target].counts.damage_taken += amount as u32;
                let before = self.seen[target].health;
                let left = if later {
                    before
                } else {
                    (before - amount).max(0)
                };
                self.check(health == left, "health falls by the damage");
                self.seen[target].health = health;
            }
            Event::DamageCounts {
                target,
                amount,
                health,
            } => {
                let left = (self.seen[target].health - amount).max(0);
                self.check(health == left, "health falls by the damage put off");
                self.seen[target].health = health;
            }
            Event::Fall { who } => {
                self.acts(who);
                let health = self.seen[who].health;
                self.check(health == 0, "only one without health falls");
                self.seen[who].counts.fell_round = moment.round;
            }
            Event::Step {
                who,
                from,
                to,
                kind,
            } => self.step(who, from, to, kind),
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
            Event::Use {
                who,
                healed,
                health,
                ..
            } => {
                self.begins(who);
                let most = self.fight.combatants[who].health;
                let rises = health == self.seen[who].health + healed && health <= most;
                self.check(rises, "health rises by what heals, up to the start");
                self.seen[who].health = health;
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
            // These events belong to the attack, or to the draw, that follows.
            Event::LastUse { .. } | Event::PutAway { .. } | Event::CriticalHit { .. } => {}
            other => self.check(false, &format!("no event of this clock: {other:?}")),
        }
    }

    fn die(&mut self, who: usize, _: Purpose, sides: u32, face: u32) {
        self.acts(who);
        self.check((1..=sides).contains(&face), "a die shows one of its faces");
    }
}
