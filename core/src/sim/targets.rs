//! Distances, the targets of lines, and the next Unit of a move (W-1, W-3, W-4).

use crate::fight::Stretch;
use crate::sim::prelude::*;

/// Finds targets, and the next Unit of a move.
pub(crate) trait Targets<'a>: Stage<'a> {
    /// The combatant of a set that is nearest to `who`, and its distance; ties by file order (W-4).
    #[inline(always)]
    fn nearest(&self, who: usize, set: u64) -> Target {
        if set == 0 {
            None
        } else if is_single(set) {
            let foe = set.trailing_zeros() as usize;
            Some((foe, self.world().distance(who, foe)))
        } else {
            self.world().nearest(who, set)
        }
    }

    /// Units between the nearest two enemies that stand.
    fn least_distance(&self) -> Option<Units> {
        members(self.world().standing())
            .filter_map(|who| self.nearest(who, self.enemies(who)))
            .map(|(_, distance)| distance)
            .min()
    }

    /// Returns how the encounter ends by distance, if it does.
    #[inline]
    fn ends_by_distance(&self) -> Option<Ending> {
        let distance = self.chase_distance()?;
        let mut ends = self.fight().ends.iter();
        ends.find_map(|limit| limit.ending(distance))
    }

    /// Returns how the encounter ends by distance, if the distance is no longer `before`.
    fn ends_since(&self, before: Option<Units>) -> Option<Ending> {
        if self.chase_distance() == before {
            return None;
        }
        self.ends_by_distance()
    }

    /// Units between the nearest two enemies, if the fight may end by distance.
    #[inline]
    fn chase_distance(&self) -> Option<Units> {
        if Self::PLAIN || self.fight().ends.is_empty() {
            return None;
        }
        self.least_distance()
    }

    /// Units between the nearest two enemies at the end of a chase, if enemies stand.
    fn distance_at_the_end(&self) -> Option<u32> {
        self.chase_distance().map(Units::unsigned_abs)
    }

    /// The target of an action that reaches from `low` to `high` Units (W-4).
    fn select(&self, who: usize, aim: Aim, low: Units, high: Units) -> Option<usize> {
        self.select_of(self.enemies(who), who, aim, (low, high))
    }

    /// The target of an action that reaches from `low` to `high` Units, among some `enemies` (W-4).
    fn select_of(
        &self,
        enemies: u64,
        who: usize,
        aim: Aim,
        (low, high): (Units, Units),
    ) -> Option<usize> {
        let pool = self.candidates(who, aim, enemies);
        let world = self.world();
        let in_range = |foe: &usize| {
            enemies & bit(*foe) != 0 && (low..=high).contains(&world.distance(who, *foe))
        };
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
            // The weakest of all is usually near enough.
            Aim::Weakest => match world.weakest(pool) {
                Some(foe) if in_range(&foe) => Some(foe),
                _ => by_health(1),
            },
            Aim::Strongest => by_health(-1),
            // An enemy out of reach is not replaced by another.
            Aim::WeakestOfAll => world.weakest(self.enemies(who)).filter(in_range),
            Aim::StrongestOfAll => members(self.enemies(who))
                .min_by_key(|foe| -world.health(*foe))
                .filter(in_range),
            // The combatant that triggered an action is not replaced by another.
            Aim::Trigger => None,
            Aim::Own
            | Aim::Ally(_)
            | Aim::WeakestAlly
            | Aim::AllyOrDown(_)
            | Aim::WeakestAllyOrDown => self.select_ally(who, aim, high),
            Aim::Nearest | Aim::Named(_) => match world.nearest(who, pool) {
                Some((foe, distance)) if distance >= low => (distance <= high).then_some(foe),
                _ => members(pool)
                    .filter(in_range)
                    .min_by_key(|foe| world.distance(who, *foe)),
            },
        }
    }

    /// The `enemies` that an aim may be about: those of the name it gives, until all of that name have fallen (W-4,
    /// W-12).
    fn candidates(&self, who: usize, aim: Aim, enemies: u64) -> u64 {
        match aim {
            Aim::Named(named) if named & (self.enemies(who) | self.reserves()) != 0 => {
                named & enemies
            }
            _ => enemies,
        }
    }

    /// The allies of `who` that stand, without itself.
    fn allies(&self, who: usize) -> u64 {
        let side = self.constants().side(self.combatant(who).side);
        side & self.world().standing() & !bit(who)
    }

    /// The allies of `who` that are down (W-18).
    #[inline]
    fn allies_down(&self, who: usize) -> u64 {
        match self.world().down() {
            0 => 0,
            down => down & self.constants().side(self.combatant(who).side) & !bit(who),
        }
    }

    /// Whether a combatant may be the target of an aim: it stands, or is down and healing may make it stand (W-18).
    #[inline]
    fn may_be_target(&self, target: usize, aim: Aim) -> bool {
        self.world().stands(target) || aim.reaches_down() && self.world().is_down(target)
    }

    /// The target on the side of `who` of an action that reaches up to `high` Units (W-11).
    #[cold]
    #[inline(never)]
    fn select_ally(&self, who: usize, aim: Aim, high: Units) -> Option<usize> {
        let mut allies = self.allies(who);
        if aim.reaches_down() {
            allies |= self.allies_down(who);
        }
        let near = |all| self.world().within(who, all, high);
        match aim {
            Aim::Own => Some(who),
            Aim::Ally(some) | Aim::AllyOrDown(some) => {
                // Once all of that name have fallen, the nearest ally is the target, as among enemies.
                let pool = if some & (allies | self.reserves()) == 0 {
                    allies
                } else {
                    some & allies
                };
                self.nearest(who, near(pool)).map(|(ally, _)| ally)
            }
            _ => self.world().weakest(near(allies)),
        }
    }

    /// Whether `target` stands within `range`.
    #[inline]
    fn reaches(&self, who: usize, target: usize, range: Units) -> bool {
        self.world().stands(target) && self.world().distance(who, target) <= range
    }

    /// Whether `target` is down within `range`, and the aim reaches those who are (W-18).
    fn reaches_down(&self, who: usize, target: usize, range: Units, aim: Aim) -> bool {
        let is_meant = aim.reaches_down() && self.world().is_down(target);
        is_meant && self.world().distance(who, target) <= range
    }

    /// Returns the chosen target `kept` while it can be reached, else another by the same rule (W-4).
    #[inline]
    fn keep_or_replace(
        &self,
        who: usize,
        kept: usize,
        range: Units,
        aim: impl FnOnce() -> Aim,
    ) -> Option<usize> {
        if self.reaches(who, kept, range) {
            return Some(kept);
        }
        let aim = aim();
        if self.reaches_down(who, kept, range, aim) {
            return Some(kept);
        }
        self.select(who, aim, 0, range)
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

    /// The distance at which a move stops if its line names none: at reach for an advance, nowhere for a retreat (W-3).
    #[inline(always)]
    fn usual_stop(&self, who: usize, advance: bool) -> Units {
        if advance {
            self.body(who).reach.max(0)
        } else {
            Units::MAX
        }
    }

    /// Returns the obstacle to a Unit towards `target`, or away from it, if there is one (W-1, W-3).
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

    /// Whether a combatant may leave now (W-10).
    fn may_leave(&self, who: usize, how: Leaving) -> Result<(), Obstacle> {
        let here = self.world().position(who);
        let at_border = |arena: Stretch| here == arena.min || here == arena.max;
        match how {
            Leaving::Surrenders => Ok(()),
            Leaving::Flees if self.body(who).prone => Err(Obstacle::Prone),
            Leaving::Flees if self.fight().arena.is_some_and(at_border) => Ok(()),
            Leaving::Flees if self.fight().exits.contains(&here) => Ok(()),
            Leaving::Flees => Err(Obstacle::NotAtBorder),
        }
    }

    /// The next Unit away from `target`, unless a wall is in the way (W-1).
    #[inline(always)]
    fn retreat_step(&self, who: usize, target: usize) -> Option<Units> {
        self.step_away(who, target, self.world().position(target))
    }

    /// The next Unit away from `target`, which is taken to be at `at`, unless a wall is in the way (W-1).
    #[inline(always)]
    fn step_away(&self, who: usize, target: usize, at: Units) -> Option<Units> {
        let fight = self.fight();
        let here = self.world().position(who);
        let mut away = (here - at).signum();
        if away == 0 {
            // On the target's own Unit, a retreat goes towards the end at which `who` started.
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

    /// The next Unit of a move towards `target`, or away from it.
    #[inline(always)]
    fn unit_of_move(&self, who: usize, target: usize, advance: bool) -> Option<Units> {
        if advance {
            Some(self.advance_step(who, target))
        } else {
            self.retreat_step(who, target)
        }
    }

    /// The next Unit towards `target`.
    #[inline(always)]
    fn advance_step(&self, who: usize, target: usize) -> Units {
        self.step_towards(who, self.world().position(target))
    }

    /// The next Unit towards a place.
    #[inline(always)]
    fn step_towards(&self, who: usize, at: Units) -> Units {
        let here = self.world().position(who);
        here + (at - here).signum()
    }
}

impl<'a, S: Stage<'a> + ?Sized> Targets<'a> for S {}
