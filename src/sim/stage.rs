//! What all clocks share: an encounter as the rules of section 0 see it (W-1 to W-7).
//!
//! A clock implements [`Stage`] for its encounter by saying where things are; everything else here
//! then comes with it: dice and what is heard of them, targets, the line, damage and falling.

#![expect(
    clippy::inline_always,
    reason = "as in the clocks: the way from a moment to a decision is one loop in all but text"
)]

use crate::chance::{Chance, Purpose};
use crate::dice::{Faces, Pool, PoolDraw};
use crate::fight::Ending;
use crate::fight::Variable;
use crate::fight::check::{Attempt, Question};
use crate::fight::health::{Damage, Harm, Roll, done};
use crate::fight::program::{Aim, Line, WeaponChoice};
use crate::fight::world::{Body, World, bit, members};
use crate::fight::{Combatant, Fight, Units};
use crate::sim::events::{AttackKind, Obstacle};
use crate::sim::fork::Fork;
use crate::sim::{Event, First, Moment, Observer, Record};

/// Free actions at one instant before none is legal any more (W-7).
pub(crate) const MOST_FREE_ACTIONS: u8 = 16;

/// Damage that those who act at one instant do to one another: it counts when all have acted (W-5).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PutOff {
    /// Who acts at this very instant beside tied others.
    pub together: u64,
    /// Damage put off, for each combatant.
    damage: Vec<i32>,
}

impl PutOff {
    pub(crate) fn new(combatants: usize) -> Self {
        Self {
            together: 0,
            damage: vec![0; combatants],
        }
    }

    /// Copies without giving up the buffer.
    pub(crate) fn reset_to(&mut self, other: &Self) {
        self.together = other.together;
        self.damage.copy_from_slice(&other.damage);
    }
}

/// Who is on whose side, as sets.
#[derive(Debug, Clone)]
pub(crate) struct Sides(Vec<u64>);

impl Sides {
    pub(crate) fn new(fight: &Fight) -> Self {
        let mut sides = vec![0_u64; fight.sides.len()];
        for (who, combatant) in fight.combatants.iter().enumerate() {
            sides[combatant.side] |= bit(who);
        }
        Self(sides)
    }

    /// Members of a side.
    #[inline]
    pub(crate) fn of(&self, side: usize) -> u64 {
        self.0[side]
    }

    /// Everybody who is on another side.
    pub(crate) fn against(&self, side: usize) -> u64 {
        let everybody = self.0.iter().fold(0, |all, side| all | side);
        everybody & !self.0[side]
    }

    /// How an encounter has ended, if at most one side stands (W-6).
    #[inline]
    pub(crate) fn decided(&self, fight: &Fight, standing: u64) -> Option<Ending> {
        if standing == 0 {
            return Some(Ending::Mutual);
        }
        let side = fight.combatants[standing.trailing_zeros() as usize].side;
        (standing & !self.0[side] == 0).then_some(Ending::Win(side as u8))
    }
}

/// Whom a line is about, and how far off it is.
pub(crate) type Target = Option<(usize, Units)>;

/// An encounter under way.
pub(crate) trait Stage<'a> {
    /// Whether forks tell of health as of something apart from the state
    /// ([`Steps`](crate::sim::steps::Steps)); of no account on clocks that nothing remembers.
    const HEALTH_APART: bool = true;

    /// What the clock keeps about a combatant.
    type Actor: Copy + Default + 'a;
    /// Where luck comes from.
    type Chance: Chance + 'a;
    /// Who listens.
    type Observer: Observer + 'a;

    /// The fight.
    fn fight(&self) -> &'a Fight;

    /// Who is on whose side.
    fn sides(&self) -> &'a Sides;

    /// Positions, health and things.
    fn world(&self) -> &World<Self::Actor>;

    /// The same, to be changed.
    fn world_mut(&mut self) -> &mut World<Self::Actor>;

    /// Damage that counts later.
    fn put_off(&mut self) -> &mut PutOff;

    /// Luck, and who listens to the dice.
    fn luck(&mut self) -> (&mut Self::Chance, &mut Self::Observer);

    /// What the encounter leaves behind.
    fn record(&mut self) -> &mut Record;

    /// When it is.
    fn moment(&self) -> Moment;

    /// Enemies of `who` that stand.
    fn enemies(&self, who: usize) -> u64;

    /// Whether `who` is casting, as a target may be chosen for it.
    fn is_casting(&self, who: usize) -> bool;

    /// Dice that wounds take off an attack's pool.
    #[inline]
    fn wounds(&self, who: usize) -> i64 {
        let track = &self.fight().combatants[who].track;
        track.penalty(self.world().health(who))
    }

    /// What so much damage at once does besides taking health away, where it does: at once, or
    /// `later`, when all have acted (W-5).
    #[inline]
    fn hurt(&mut self, target: usize, amount: i32, later: bool) {
        let _ = (target, amount, later);
    }

    /// What `hurt` has put off counts now.
    #[inline]
    fn hurt_counts(&mut self, target: usize) {
        let _ = target;
    }

    /// A hit has done damage to one who still stands, or has felled it.
    fn disturb(&mut self, who: usize);

    /// Somebody falls: whatever it was at is over.
    fn stop(&mut self, who: usize);

    /// What a line comes to now: the reason why it is not legal, if it is not.
    fn refusal(&self, who: usize, line: &Line) -> Option<Obstacle>;

    /// Tells the observer; the event is put together only where somebody listens.
    #[inline]
    fn note(&mut self, event: Event) {
        if Self::Observer::LISTENS {
            let moment = self.moment();
            self.luck().1.event(moment, event);
        }
    }

    /// Tells whoever maps the encounter what came of the blow that is being struck.
    fn tell_harm(&mut self, amount: i32, harm: Harm, later: bool) {
        let _ = (amount, harm, later);
    }

    /// Tells whoever maps the encounter which way it went.
    #[inline]
    fn fork(&mut self, fork: Fork, branch: u32) {
        if Self::Observer::MAPS {
            self.luck().1.fork(fork, branch);
        }
    }

    /// One combatant's dice for one purpose.
    #[inline]
    fn hand(&mut self, who: usize, purpose: Purpose) -> Hand<'_, Self::Chance, Self::Observer> {
        let (chance, observer) = self.luck();
        Hand::new(chance, observer, who, purpose)
    }

    /// Makes a check with a weapon or spell.
    #[inline]
    fn attempt(&mut self, question: Question, check: &crate::fight::check::Check) -> Attempt {
        let (chance, observer) = self.luck();
        let who = question.who;
        check.attempt(question, chance, |chance| {
            Hand::new(chance, observer, who, Purpose::Check)
        })
    }

    /// The question that an attack of `who` on `target` asks of its check.
    #[inline]
    fn question(&self, who: usize, target: usize, mastery: i64) -> Question {
        let fight = self.fight();
        Question {
            who,
            evade: fight.combatants[target].evade,
            mastery,
            lost: self.wounds(who),
            points: 0,
            part: None,
            meeting_hits: fight.meeting_hits,
            more: 0,
            sure: false,
        }
    }

    /// How the encounter has ended, if at most one side stands (W-6).
    #[inline]
    fn decided(&self) -> Option<Ending> {
        self.sides().decided(self.fight(), self.world().standing())
    }

    /// The nearest of some combatants and how far it is; ties by file order (W-4).
    #[inline(always)]
    fn nearest(&self, who: usize, of: u64) -> Target {
        if of == 0 {
            None
        } else if is_single(of) {
            let foe = of.trailing_zeros() as usize;
            Some((foe, self.world().distance(who, foe)))
        } else {
            self.world().nearest(who, of)
        }
    }

    /// Units between the nearest two enemies that stand.
    fn least_distance(&self) -> Option<Units> {
        members(self.world().standing())
            .filter_map(|who| self.nearest(who, self.enemies(who)))
            .map(|(_, distance)| distance)
            .min()
    }

    /// How the encounter ends by distance, if it does.
    #[inline]
    fn ends_by_distance(&self) -> Option<Ending> {
        let ends = &self.fight().ends;
        if ends.is_empty() {
            return None;
        }
        let distance = self.least_distance()?;
        ends.iter().find_map(|limit| limit.ending(distance))
    }

    /// Units between the nearest two enemies at the end of a chase, if enemies stand.
    fn distance_at_the_end(&self) -> Option<u32> {
        let chase = !self.fight().ends.is_empty();
        let distance = chase.then(|| self.least_distance())??;
        Some(distance.unsigned_abs())
    }

    /// The target of an action that reaches from `low` to `high` Units (W-4).
    fn select(&self, who: usize, aim: Aim, low: Units, high: Units) -> Option<usize> {
        let enemies = self.enemies(who);
        let pool = match aim {
            // A fallen named target becomes the nearest.
            Aim::Named(named) if named & enemies != 0 => named & enemies,
            _ => enemies,
        };
        let world = self.world();
        let in_range = |foe: &usize| (low..=high).contains(&world.distance(who, *foe));
        let by_health = |sign: i32| {
            world
                .nearest(who, pool)
                .filter(|(_, least)| *least <= high)?;
            members(pool)
                .filter(in_range)
                .min_by_key(|foe| sign * world.health(*foe))
        };
        match aim {
            Aim::Casting => members(pool)
                .filter(in_range)
                .find(|foe| self.is_casting(*foe)),
            // Mostly the weakest of all is near enough.
            Aim::Weakest => match world.weakest(pool) {
                Some(foe) if in_range(&foe) => Some(foe),
                _ => by_health(1),
            },
            Aim::Strongest => by_health(-1),
            Aim::WeakestOfAll => world.weakest(pool).filter(in_range),
            Aim::StrongestOfAll => members(pool)
                .min_by_key(|foe| -world.health(*foe))
                .filter(in_range),
            // No other combatant has triggered it.
            Aim::Trigger => None,
            Aim::Nearest | Aim::Named(_) => match world.nearest(who, pool) {
                Some((foe, distance)) if distance >= low => (distance <= high).then_some(foe),
                _ => members(pool)
                    .filter(in_range)
                    .min_by_key(|foe| world.distance(who, *foe)),
            },
        }
    }

    /// Whether `target` stands within `range`.
    #[inline]
    fn reaches(&self, who: usize, target: usize, range: Units) -> bool {
        self.world().stands(target) && self.world().distance(who, target) <= range
    }

    /// The target that was chosen, while it can be reached; else another by the same rule (W-4).
    #[inline]
    fn keep_or_replace(&self, who: usize, kept: usize, aim: Aim, range: Units) -> Option<usize> {
        if self.reaches(who, kept, range) {
            Some(kept)
        } else {
            self.select(who, aim, 0, range)
        }
    }

    /// Whether one more Unit brings `who` nearer to where it wants to be.
    #[inline(always)]
    fn wants_step(&self, who: usize, target: usize, advance: bool, stop: Units) -> bool {
        let distance = self.world().distance(who, target);
        if advance {
            distance > stop
        } else {
            distance < stop
        }
    }

    /// Where a move stops that names no distance: at one's reach, or nowhere (W-3).
    #[inline(always)]
    fn usual_stop(&self, who: usize, advance: bool) -> Units {
        if advance {
            self.world().bodies[who].reach.max(0)
        } else {
            Units::MAX
        }
    }

    /// What stands in the way of a Unit towards `target`, or away from it (W-1, W-3).
    #[inline(always)]
    fn may_step(
        &self,
        who: usize,
        target: usize,
        advance: bool,
        stop: Units,
    ) -> Result<(), Obstacle> {
        if !self.wants_step(who, target, advance, stop) {
            return Err(Obstacle::InPlace);
        }
        if !advance && self.retreat_step(who, target).is_none() {
            return Err(Obstacle::Wall);
        }
        Ok(())
    }

    /// The next Unit away from `target`, unless a wall is in the way (W-1).
    #[inline(always)]
    fn retreat_step(&self, who: usize, target: usize) -> Option<Units> {
        let fight = self.fight();
        let here = self.world().position(who);
        let mut away = (here - self.world().position(target)).signum();
        if away == 0 {
            // From the target's own Unit one goes towards one's own starting end.
            let start = |who: usize| fight.combatants[who].position;
            away = (start(who) - start(target)).signum();
            if away == 0 {
                away = if fight.combatants[who].side == 0 {
                    -1
                } else {
                    1
                };
            }
        }
        let there = here + away;
        match fight.arena {
            Some(arena) if there < arena.min || there > arena.max => None,
            _ => Some(there),
        }
    }

    /// The next Unit towards `target`.
    #[inline(always)]
    fn advance_step(&self, who: usize, target: usize) -> Units {
        let here = self.world().position(who);
        here + (self.world().position(target) - here).signum()
    }

    /// Counts an attack as begun: for metrics alone.
    #[inline]
    fn count_attack(&mut self, who: usize, elapsed: u32) {
        let counts = &mut self.record().combatants[who];
        counts.attacks += 1;
        if counts.first_attack.is_none() {
            counts.first_attack = Some(elapsed);
        }
    }

    /// Tells what an attack came to.
    fn tell_attack(&mut self, who: usize, target: usize, weapon: usize, attempt: Attempt) {
        self.note(Event::Attack {
            who,
            target,
            weapon,
            kind: AttackKind::Attack,
            total: attempt.total,
            needed: attempt.needed,
            hit: attempt.works,
        });
    }

    /// Counts successes, botches and diminished effects, of pools (MD-2, MD-3).
    #[inline]
    fn count_attempt(&mut self, who: usize, attempt: Attempt, is_pool: bool) {
        if !is_pool {
            return;
        }
        let counts = &mut self.record().combatants[who];
        if attempt.botch {
            counts.botches += 1;
        } else if attempt.total > 0 {
            counts.successes += attempt.total as u32;
            counts.diminished += u32::from(attempt.total < attempt.needed);
        }
    }

    /// Rolls damage less armour and soak and lets it count: at once, or after the instant where both
    /// act simultaneously (W-5).
    fn damage(&mut self, who: usize, target: usize, damage: &Damage, attempt: Option<Attempt>) {
        let extra = attempt.map_or(0, |attempt| attempt.extra_damage);
        let rolled = {
            let (chance, observer) = self.luck();
            damage.roll(who, extra, chance, |chance| {
                Hand::new(chance, observer, who, Purpose::Damage)
            })
        };
        let halved = attempt.is_some_and(|attempt| attempt.halved);
        let rolled = if halved { rolled / 2 } else { rolled };
        let victim = &self.fight().combatants[target];
        let bare = attempt.is_some_and(|attempt| attempt.ignores_armor);
        let mut armor = if bare { 0 } else { victim.armor };
        if let Some(soak) = &victim.soak
            && !bare
        {
            let (chance, observer) = self.luck();
            armor += soak.successes(0, target, Purpose::Other, chance, |chance| {
                Hand::new(chance, observer, target, Purpose::Other)
            });
        }
        self.harm(who, target, rolled, rolled - armor);
    }

    /// Does so many points of damage, of which `rolled` were dealt before armour.
    fn harm(&mut self, who: usize, target: usize, rolled: i64, points: i64) {
        let amount = done(points);
        let record = self.record();
        if who != target {
            let dealt = &mut record.combatants[who].damage;
            *dealt = dealt.saturating_add(amount as u32);
        }
        record.combatants[target].damage_taken = record.combatants[target]
            .damage_taken
            .saturating_add(amount as u32);
        let both = bit(who) | bit(target);
        let put_off = self.put_off();
        // Only what one does to another waits.
        let later = who != target && put_off.together & both == both;
        if later {
            put_off.damage[target] = put_off.damage[target].saturating_add(amount);
        } else {
            self.world_mut().take_health(target, amount);
        }
        let health = self.world().health(target);
        self.note(Event::Damage {
            who,
            target,
            rolled,
            amount,
            health,
            later,
        });
        self.hurt(target, amount, later);
        let harm = match (amount, health) {
            (0, _) => Harm::None,
            (_, 0) if !later => Harm::Fall,
            _ => Harm::Wound,
        };
        if Self::Observer::MAPS {
            self.tell_harm(amount, harm, later);
        }
        if later || harm == Harm::None {
            return;
        }
        // A hit that fells does damage too, and may be what fizzles the spell.
        self.disturb(target);
        if harm == Harm::Fall {
            self.fall(target);
        }
    }

    /// Damage that a roll of one's own does to oneself, without armour.
    fn hurt_oneself(&mut self, who: usize, roll: &Roll) {
        let rolled = roll.roll(&mut self.hand(who, Purpose::Other));
        self.harm(who, who, rolled, rolled);
    }

    /// Lets the damage count that was put off.
    fn settle(&mut self) {
        for target in members(std::mem::take(&mut self.put_off().together)) {
            let amount = std::mem::take(&mut self.put_off().damage[target]);
            if amount == 0 || !self.world().stands(target) {
                continue;
            }
            self.world_mut().take_health(target, amount);
            let health = self.world().health(target);
            self.note(Event::DamageCounts {
                target,
                amount,
                health,
            });
            self.hurt_counts(target);
            let falls = health == 0;
            if Self::HEALTH_APART {
                let settled = Fork::Settle {
                    target: target as u8,
                };
                self.fork(settled, falls.into());
            }
            if falls {
                self.fall(target);
            }
        }
    }

    /// Who falls does nothing more.
    fn fall(&mut self, who: usize) {
        self.world_mut().fall(who);
        let round = self.moment().round;
        self.record().combatants[who].fell_round = round;
        self.stop(who);
        self.note(Event::Fall { who });
    }

    /// Uses a thing: what it heals, up to the health at the start.
    fn consume(&mut self, who: usize, item: usize) {
        let combatant: &Combatant = &self.fight().combatants[who];
        let heals = combatant.items[item]
            .heal
            .roll(&mut self.hand(who, Purpose::Other));
        let (by, thing) = (who as u8, item as u8);
        if Self::HEALTH_APART {
            self.fork(
                Fork::Heal {
                    who: by,
                    item: thing,
                },
                0,
            );
        } else {
            self.fork(Fork::cure(by, thing), heals.max(0) as u32);
        }
        self.world_mut().bodies[who].uses[item] -= 1;
        let (healed, health) = self.regain(who, heals);
        self.note(Event::Use {
            who,
            item,
            healed,
            health,
        });
    }

    /// Gives so many points of health back, up to the health at the start. Gives how many, and what
    /// health is then.
    fn regain(&mut self, who: usize, points: i64) -> (i32, i32) {
        let most = self.fight().combatants[who].health;
        let left = self.world().health(who);
        let healed = points.clamp(0, i64::from(most - left)) as i32;
        self.world_mut().set_health(who, left + healed);
        (healed, left + healed)
    }

    /// Takes a weapon in hand.
    fn draw(&mut self, who: usize, weapon: usize) {
        let combatant: &Combatant = &self.fight().combatants[who];
        let body = &mut self.world_mut().bodies[who];
        body.in_hand |= 1 << weapon;
        body.reach = combatant.reach(body.in_hand);
        self.note(Event::Draw { who, weapon });
    }

    /// Gets up from the ground.
    fn get_up(&mut self, who: usize) {
        self.world_mut().bodies[who].prone = false;
        self.note(Event::Stand { who });
    }

    /// The values of the variables that mean the same on every clock; what is asked of a target
    /// that is not there is 0. `None` for a clock's own.
    #[inline(always)]
    fn shared_value(&self, variable: Variable, who: usize, target: Target) -> Option<i64> {
        let body: &Body<Self::Actor> = &self.world().bodies[who];
        let distance = target.map_or(0, |(_, distance)| distance);
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, |(foe, _)| value(foe));
        let in_reach = |distance: Units| i64::from(distance <= body.reach);
        Some(match variable {
            Variable::Distance => distance.into(),
            Variable::Round => self.moment().round.into(),
            Variable::Hp => self.world().health(who).into(),
            Variable::MaxHp => self.most_health(who),
            Variable::HpPercent => self.health_percent(who),
            Variable::TargetHp => target.map_or(0, |(foe, _)| self.world().health(foe).into()),
            Variable::TargetMaxHp => of_target(&|foe| self.most_health(foe)),
            Variable::TargetHpPercent => of_target(&|foe| self.health_percent(foe)),
            Variable::InMelee => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| in_reach(distance)),
            Variable::Threatened => members(self.enemies(who))
                .any(|foe| self.world().distance(who, foe) <= self.world().bodies[foe].reach)
                .into(),
            Variable::TargetCasting => of_target(&|foe| self.is_casting(foe).into()),
            Variable::Casting => self.is_casting(who).into(),
            Variable::TargetInReach => target.map_or(0, |(_, distance)| in_reach(distance)),
            Variable::Allies => {
                let side = self.sides().of(self.fight().combatants[who].side);
                (side & self.world().standing() & !bit(who))
                    .count_ones()
                    .into()
            }
            Variable::Enemies => self.enemies(who).count_ones().into(),
            Variable::NearestEnemyDistance => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| distance.into()),
            Variable::EnemiesWithin(units) => {
                let near = self.world().within(who, self.enemies(who), units as Units);
                near.count_ones().into()
            }
            Variable::AlliesWithin(units) => {
                let side = self.sides().of(self.fight().combatants[who].side);
                let others = side & self.world().standing() & !bit(who);
                let near = self.world().within(who, others, units as Units);
                near.count_ones().into()
            }
            Variable::Prone => body.prone.into(),
            Variable::TargetProne => of_target(&|foe| self.world().bodies[foe].prone.into()),
            Variable::Uses(item) => body.uses[usize::from(item)].into(),
            Variable::InHand(weapon) => (body.in_hand >> weapon & 1).into(),
            // Where there is no Set nobody ever needs one.
            Variable::Ready => 1,
            Variable::TargetReady => of_target(&|_| 1),
            _ => return None,
        })
    }

    /// Health at the start.
    #[inline]
    fn most_health(&self, who: usize) -> i64 {
        self.fight().combatants[who].health.into()
    }

    /// Health of that at the start, in per cent, rounded down.
    #[inline]
    fn health_percent(&self, who: usize) -> i64 {
        i64::from(self.world().health(who)) * 100 / self.most_health(who)
    }

    /// Tells why the lines above the one that was taken were not.
    #[cold]
    fn tell_rejected(&mut self, who: usize, taken: usize) {
        let fight = self.fight();
        let lines = &fight.combatants[who].policy.decisions;
        for line in &lines[..taken.min(lines.len())] {
            let why = match self.refusal(who, line) {
                Some(Obstacle::NoTarget) if self.nobody_casts(who, line) => Obstacle::NobodyCasts,
                Some(Obstacle::NoTarget) if is_about_one_of_all(line) => Obstacle::OneOfAll,
                why => why.unwrap_or(Obstacle::Condition),
            };
            self.note(Event::Rejected {
                who,
                line: usize::from(line.number),
                why,
            });
        }
    }

    /// Whether a line is about an enemy that is casting, and there is none.
    fn nobody_casts(&self, who: usize, line: &Line) -> bool {
        let mut aims = std::iter::once(line.aim).chain(line.more.iter().map(|feat| feat.aim));
        aims.any(|aim| aim == Aim::Casting)
            && members(self.enemies(who)).all(|foe| !self.is_casting(foe))
    }

    /// Counts and tells that a policy line is taken.
    #[inline(always)]
    fn take_line(&mut self, who: usize, line: &Line) {
        self.record().combatants[who].decisions += 1;
        self.tell_line(who, line);
    }

    /// Tells that a policy line is taken.
    #[inline(always)]
    fn tell_line(&mut self, who: usize, line: &Line) {
        self.note(Event::Decision {
            who,
            line: usize::from(line.number),
        });
        if self.fight().watches_the_first() {
            self.watch_first(who, line);
        }
    }

    /// Keeps who acts first in the encounter, and in this Round, if this is it.
    fn watch_first(&mut self, who: usize, line: &Line) {
        if !line.action.is_deed() {
            return;
        }
        let round = self.moment().round;
        // Whoever acts beside others does so at no other time than they (W-5).
        let together = self.put_off().together & self.world().standing() & !bit(who);
        let with_enemies = together & self.enemies(who) != 0;
        let fight = self.fight();
        let record = self.record();
        if fight.first_mover && record.first == First::Nobody {
            record.first = if with_enemies {
                First::Both
            } else {
                First::Side(fight.combatants[who].side as u8)
            };
        }
        if fight.acted_first && record.led_round < round {
            record.led_round = round;
            let counts = &mut record.combatants[who];
            counts.rounds_led += u32::from(!with_enemies);
            counts.rounds_first += u32::from(together == 0);
        }
    }
}

/// The parts of [`Stage`] that say no more than where a clock keeps its things: in an `Encounter` with
/// `plan` (`fight`, `sides`, `profiles` with the `foes` of each), `state` (`world`, `put_off`), `chance`,
/// `observer` and `record`.
macro_rules! parts {
    () => {
        type Chance = C;
        type Observer = O;

        #[inline]
        fn fight(&self) -> &'a Fight {
            &self.plan.fight
        }

        #[inline]
        fn sides(&self) -> &'a Sides {
            &self.plan.sides
        }

        #[inline]
        fn world(&self) -> &World<Actor> {
            &self.state.world
        }

        #[inline]
        fn world_mut(&mut self) -> &mut World<Actor> {
            &mut self.state.world
        }

        #[inline]
        fn put_off(&mut self) -> &mut PutOff {
            &mut self.state.put_off
        }

        #[inline]
        fn luck(&mut self) -> (&mut C, &mut O) {
            (self.chance, self.observer)
        }

        #[inline]
        fn record(&mut self) -> &mut Record {
            self.record
        }

        #[inline]
        fn enemies(&self, who: usize) -> u64 {
            self.plan.profiles[who].foes & self.state.world.standing()
        }
    };
}

/// The parts of a [`Clock`](super::Clock) that are the same for all, in the implementation for a `Plan` with
/// `fight` and `start`: an `Encounter` is put together, with `$extra` as it begins, and played.
macro_rules! plays {
    ($($extra:ident: $begins:expr)?) => {
        fn fight(&self) -> &Fight {
            &self.fight
        }

        fn play<C: Chance, O: Observer>(
            &self,
            state: &mut State,
            chance: &mut C,
            observer: &mut O,
            record: &mut Record,
        ) {
            state.reset_to(&self.start);
            record.begin(self.fight.combatants.len());
            Encounter {
                plan: self,
                state,
                chance,
                observer,
                record,
                $($extra: $begins,)?
            }
            .play();
        }
    };
}

pub(crate) use {parts, plays};

/// One combatant's dice, seen by the observer.
pub(crate) struct Hand<'a, C, O> {
    chance: &'a mut C,
    observer: &'a mut O,
    who: usize,
    purpose: Purpose,
}

impl<'a, C, O> Hand<'a, C, O> {
    pub(crate) fn new(
        chance: &'a mut C,
        observer: &'a mut O,
        who: usize,
        purpose: Purpose,
    ) -> Self {
        Self {
            chance,
            observer,
            who,
            purpose,
        }
    }
}

impl<C: Chance, O: Observer> Faces for Hand<'_, C, O> {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        let face = self.chance.face(self.who, self.purpose, sides);
        if O::LISTENS {
            self.observer.die(self.who, self.purpose, sides, face);
        }
        face
    }

    #[inline]
    fn sum(&mut self, count: u32, sides: u32) -> u64 {
        if O::LISTENS {
            return (0..count).map(|_| u64::from(self.face(sides))).sum();
        }
        self.chance.sum(self.who, self.purpose, count, sides)
    }

    /// From a stream of their own, so that nothing that happens depends on who listens.
    #[inline]
    fn stand_in(&mut self, pool: &Pool, drawn: PoolDraw) {
        if !O::LISTENS {
            return;
        }
        let (who, sides) = (self.who, 10);
        let mut shown = |sides| self.chance.face(who, Purpose::Shown, sides);
        for face in pool.such(drawn, &mut shown).unwrap_or_default() {
            self.observer.die(who, self.purpose, sides, face);
        }
    }
}

/// Whether a line is about the weakest or the strongest of all (W-4).
fn is_about_one_of_all(line: &Line) -> bool {
    let mut aims = std::iter::once(line.aim).chain(line.more.iter().map(|feat| feat.aim));
    aims.any(|aim| matches!(aim, Aim::WeakestOfAll | Aim::StrongestOfAll))
}

/// Whether a set has one member (none counts too). `is_power_of_two` would count bits, which the
/// oldest machines in use have no instruction for.
#[inline]
pub(crate) const fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// Which weapon is drawn: the one that is named, or the first that is not in hand.
pub(crate) fn to_draw(
    choice: WeaponChoice,
    combatant: &Combatant,
    in_hand: u32,
) -> Result<u8, Obstacle> {
    let weapon = match choice {
        WeaponChoice::Only(weapon) => weapon,
        WeaponChoice::First => in_hand.trailing_ones() as u8,
    };
    if in_hand & 1_u32.checked_shl(weapon.into()).unwrap_or(0) != 0
        || usize::from(weapon) >= combatant.weapons.len()
    {
        return Err(Obstacle::InHand);
    }
    Ok(weapon)
}

/// Orders combatants by a key, the highest first: the place of each, who stands at each place, and
/// for each place the places of all whom the key does not tell from it. Equals are neighbours, in
/// file order.
pub(crate) struct Ladder {
    pub rank: Vec<u8>,
    pub by_rank: Vec<u8>,
    pub peers: Vec<u64>,
}

impl Ladder {
    pub(crate) fn new<K: Ord>(combatants: usize, key: impl Fn(usize) -> K) -> Self {
        let mut order: Vec<usize> = (0..combatants).collect();
        order.sort_by_key(|who| std::cmp::Reverse(key(*who)));
        let mut rank = vec![0; combatants];
        let mut peers = vec![0; combatants];
        for (place, who) in order.iter().enumerate() {
            rank[*who] = place as u8;
            for (other_place, other) in order.iter().enumerate() {
                if key(*who) == key(*other) {
                    peers[place] |= bit(other_place);
                }
            }
        }
        Self {
            rank,
            by_rank: order.into_iter().map(|who| who as u8).collect(),
            peers,
        }
    }

    /// How high a combatant stands, 0 to 63; those whom the key does not tell apart stand equally high.
    pub(crate) fn standing(&self, who: usize) -> i32 {
        63 - self.peers[usize::from(self.rank[who])].trailing_zeros() as i32
    }
}
