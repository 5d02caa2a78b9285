//! Combatants that are down, and temporary health (W-18).

use crate::fight::health::done;
use crate::sim::conditions::Over;
use crate::sim::prelude::*;

/// Takes combatants down, makes them stand again, and keeps temporary health.
pub(crate) trait Downs<'a>: Stage<'a> {
    /// Makes a combatant that has fallen one that is down.
    #[cold]
    #[inline(never)]
    fn go_down(&mut self, who: usize) {
        let prone = self.fight().down.prone;
        let world = self.world_mut();
        world.go_down(who);
        world.bodies[who].prone |= prone;
        // It keeps its place in the order.
        let due = self.places().due & bit(who);
        self.stop(who);
        self.places().due |= due;
        self.note(Event::GoesDown { who });
    }

    /// Makes a combatant that was down and has been healed stand again.
    #[cold]
    #[inline(never)]
    fn stand_again(&mut self, who: usize) {
        self.world_mut().rise(who);
        self.counts(who).fell_round = 0;
        self.note(Event::StandsAgain { who });
        self.rejoin(who);
    }

    /// Passes a turn of a combatant that is down: its conditions count it.
    #[cold]
    #[inline(never)]
    fn pass_turn_down(&mut self, who: usize) {
        if self.has_conditions() && self.decided().is_none() {
            self.count_down(who, Over::Turn);
        }
    }

    /// Counts a Round that begins for those that are down, and lets them check against being lost.
    #[cold]
    #[inline(never)]
    fn pass_round_down(&mut self) {
        let rules = &self.fight().down;
        for who in members(self.world().down()) {
            let Some(mut down) = self.world().vitals(who).and_then(|vitals| vitals.down) else {
                continue;
            };
            let save = rules.save.as_ref();
            if save.is_some_and(|save| down.successes >= save.successes) {
                continue;
            }
            let mut lost = false;
            if let Some(most) = rules.lost_after {
                down.rounds += 1;
                lost = down.rounds >= most;
            }
            if let Some(save) = save.filter(|_| !lost) {
                let passed = self.passes_check((who, who), &save.by, false);
                down.successes += u8::from(passed);
                down.failures += u8::from(!passed);
                lost = down.failures >= save.failures;
                self.note(Event::Save {
                    who,
                    successes: down.successes,
                    failures: down.failures,
                    stable: down.successes >= save.successes,
                });
            }
            if let Some(vitals) = self.world_mut().vitals_mut(who) {
                vitals.down = (!lost).then_some(down);
            }
            if lost {
                self.note(Event::LostForGood { who });
            }
        }
    }

    /// Takes damage off temporary health. Returns the damage that is left.
    #[inline]
    fn absorb(&mut self, who: usize, amount: i32) -> i32 {
        let vitals = self.world().vitals(who).filter(|_| !Self::PLAIN);
        if vitals.is_some_and(|vitals| vitals.temporary > 0) {
            self.absorb_some(who, amount)
        } else {
            amount
        }
    }

    #[cold]
    #[inline(never)]
    fn absorb_some(&mut self, who: usize, amount: i32) -> i32 {
        let Some(vitals) = self.world_mut().vitals_mut(who).filter(|_| amount > 0) else {
            return amount;
        };
        let taken = amount.min(vitals.temporary);
        vitals.temporary -= taken;
        let left = vitals.temporary;
        self.note(Event::TemporaryHealth {
            who,
            change: -taken,
            left,
        });
        amount - taken
    }

    /// Gives temporary health. The greater of the old and the new amount counts or, as an option, their sum.
    #[cold]
    #[inline(never)]
    fn lend_health(&mut self, who: usize, points: i64) {
        let adds = self.fight().temporary_adds;
        let Some(vitals) = self.world_mut().vitals_mut(who) else {
            return;
        };
        let before = vitals.temporary;
        let kept = if adds { i64::from(before) } else { 0 };
        vitals.temporary = before.max(done(kept + points));
        let left = vitals.temporary;
        self.note(Event::TemporaryHealth {
            who,
            change: left - before,
            left,
        });
    }
}

impl<'a, S: Stage<'a> + ?Sized> Downs<'a> for S {}
