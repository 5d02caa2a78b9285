//! Events and counts of policy lines and attacks.

use crate::sim::First;
use crate::sim::prelude::*;

/// Reports events to the observer, and counts them.
pub(crate) trait Notes<'a>: Stage<'a> {
    /// Reports the result of the check of a spell.
    fn report_spell_check(
        &mut self,
        question: &CheckTerms,
        target: usize,
        spell: usize,
        attempt: Attempt,
    ) {
        let who = question.who;
        let check = self.combatant(who).spells[spell].check.as_ref();
        self.note(Event::SpellCheck {
            who,
            target,
            spell,
            total: attempt.total,
            needed: attempt.needed,
            hit: attempt.works,
            sum: check.map_or_else(Sum::default, |check| {
                self.shown_sum(|_| check.sum(question))
            }),
        });
    }

    /// Counts the net successes of a pool, or its botch.
    #[inline]
    fn count_successes(&mut self, who: usize, net: i64, needed: i64, botch: bool) {
        let counts = self.counts(who);
        if botch {
            counts.botches += 1;
        } else if net > 0 {
            counts.successes += net as u32;
            counts.diminished += u32::from(net < needed);
        }
    }

    /// Reports why the lines above the one taken were not taken. `refusal` returns the reason why a line is not legal
    /// now, if it is not.
    #[cold]
    fn report_rejected(
        &mut self,
        who: usize,
        taken: usize,
        refusal: impl Fn(&Self, &Line) -> Option<Obstacle>,
    ) {
        let fight = self.fight();
        let lines = fight.combatants[who].policy.decisions();
        let mut last = None;
        for line in &lines[..taken.min(lines.len())] {
            let why = match refusal(self, line).unwrap_or(Obstacle::Condition) {
                Obstacle::NoTarget if self.nobody_casts(who, line) => Obstacle::NobodyCasts,
                Obstacle::NoTarget if aims_at(line, &[Aim::WeakestOfAll, Aim::StrongestOfAll]) => {
                    Obstacle::OneOfAll
                }
                why => in_words(why, &line.action, line.aim.is_friendly()),
            };
            let line = usize::from(line.number);
            // A line such as `flee` has several parts; one reason is enough for all.
            if last.replace((line, why)) != Some((line, why)) {
                self.note(Event::Rejected { who, line, why });
            }
        }
    }

    /// Whether a line is about an enemy that is casting, and there is none.
    fn nobody_casts(&self, who: usize, line: &Line) -> bool {
        aims_at(line, &[Aim::Casting])
            && members(self.enemies(who)).all(|foe| !self.is_casting(foe))
    }

    /// Counts and reports that a policy line is taken.
    #[inline(always)]
    fn take_line(&mut self, who: usize, line: &Line) {
        self.counts(who).decisions += 1;
        self.report_line(who, line);
    }

    /// Reports that a policy line is taken. Where no other combatant can interrupt, its action is done now.
    #[inline(always)]
    fn report_line(&mut self, who: usize, line: &Line) {
        self.report_decision(who, line);
        if !Self::PLAIN && self.fight().watches_the_first() && line.action.is_deed() {
            self.record_first(who);
        }
    }

    /// Counts and reports that a decision is taken, whose action others may interrupt before it is done.
    #[inline]
    fn count_decision(&mut self, who: usize, line: u16) {
        self.counts(who).decisions += 1;
        if Self::Observer::LISTENS {
            let decisions = self.combatant(who).policy.decisions();
            self.report_decision(who, &decisions[usize::from(line)]);
        }
    }

    /// Reports that a policy line is taken, whose action others may interrupt before it is done.
    #[inline(always)]
    fn report_decision(&mut self, who: usize, line: &Line) {
        self.note(Event::Decision {
            who,
            line: usize::from(line.number),
        });
    }

    /// Records that `who` does something, if the scenario asks who acts first.
    #[inline]
    fn watch_first(&mut self, who: usize) {
        if self.fight().watches_the_first() {
            self.record_first(who);
        }
    }

    /// Records `who` as the first to act in the encounter and in this Round, if no other has acted.
    fn record_first(&mut self, who: usize) {
        self.share_lead(who);
        let round = self.moment().round;
        let fight = self.fight();
        let record = self.record();
        let mover = fight.first_mover && record.first == First::Nobody;
        let leads = fight.acted_first && record.led_round < round;
        if mover {
            record.first = First::Side(fight.combatants[who].side as u8);
        }
        if leads {
            record.led_round = round;
            record.combatants[who].rounds_led += 1;
            record.combatants[who].rounds_first += 1;
        }
        // Simultaneous actions have the same time (W-5), if the others act at all.
        let together = self.put_off().together & !bit(who);
        if together != 0 && (mover || leads) {
            let enemies = together & self.enemies(who);
            let put_off = self.put_off();
            put_off.leader = who as u8;
            let of = |is_first: bool, rivals: u64| if is_first { rivals } else { 0 };
            put_off.rivals = [of(mover, enemies), of(leads, enemies), of(leads, together)];
        }
    }

    /// Lets `who` share the lead of the first combatant to act at this instant. The lead then counts for neither.
    fn share_lead(&mut self, who: usize) {
        let put_off = self.put_off();
        let leader = usize::from(put_off.leader);
        let [mover, led, first] = put_off.rivals.map(|rivals| rivals & bit(who) != 0);
        for (rivals, taken) in put_off.rivals.iter_mut().zip([mover, led, first]) {
            if taken {
                *rivals = 0;
            }
        }
        let record = self.record();
        if mover {
            record.first = First::Both;
        }
        let counts = &mut record.combatants[leader];
        counts.rounds_led -= u32::from(led);
        counts.rounds_first -= u32::from(first);
    }
}

impl<'a, S: Stage<'a> + ?Sized> Notes<'a> for S {}

/// Returns an obstacle in the words of the action: an ally or an enemy to reach, far enough for a retreat.
pub(crate) fn in_words(why: Obstacle, action: &Action, is_about_allies: bool) -> Obstacle {
    match why {
        Obstacle::NoTarget if is_about_allies => Obstacle::NoAlly,
        Obstacle::InPlace if matches!(action, Action::Retreat(_)) => Obstacle::FarEnough,
        why => why,
    }
}

/// Whether a part of a line has one of these aims.
fn aims_at(line: &Line, aims: &[Aim]) -> bool {
    line.feats().any(|(_, aim)| aims.contains(&aim))
}
