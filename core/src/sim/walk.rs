//! Moves for clocks on which a Unit takes no time of its own: a number of Units each turn (W-1, W-3).
//!
//! A clock implements [`Walk`] with the Units that are left; legality, the next Unit and the end of the move
//! are provided.

use super::decide::{Choice, ViewOf};
use super::deeds::ChosenAction;
use crate::fight::effect::Recipient;
use crate::fight::program::{Mode, Move};
use crate::fight::variables::Aspect;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};

/// A move under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct MoveInProgress {
    pub target: u8,
    /// How another target is found, if the target falls.
    pub aim: Aim,
    /// How it moves, where the clock knows modes (MA-4).
    pub mode: Mode,
    pub advance: bool,
    /// Distance to stop at.
    pub stop: Units,
    /// Units still committed to.
    pub left: u16,
    /// Units of movement that the Unit in progress takes, known when it is begun (W-15).
    pub toll: Units,
}

impl MoveInProgress {
    /// Returns the move with this many Units left, if it is not over.
    pub(crate) fn with_left(self, left: u16) -> Option<Self> {
        (left > 0).then_some(Self { left, ..self })
    }
}

/// The effect of walking on a policy line. Found once per fight, so that several Units can be made as one where the
/// combatant would take the same line before each of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalkEffect {
    /// The reason that may prevent the line.
    blocker: Blocker,
    /// Whether walking changes no variable of its condition.
    is_unchanged: bool,
    /// Whether its condition asks about its target.
    on_target: bool,
}

/// The lines left to a combatant that has attacked and has no other action in this turn or stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemainingLines {
    /// No line can be taken.
    Nothing,
    /// Every line advances to the nearest enemy, and none can be taken while an enemy stands within reach (W-3).
    ClosesIn,
    /// Other lines are left.
    Other,
}

impl RemainingLines {
    /// Classifies the lines of a combatant that are not `spent`.
    pub(crate) fn of(combatant: &Combatant, spent: impl Fn(&Line) -> bool) -> Self {
        let lines = combatant.policy.decisions().iter();
        let mut left = lines.filter(|line| !spent(line) && line.action != Action::Set);
        let closes_in = |line: &Line| {
            let bare = matches!(&line.action, Action::Advance(step) if step.to.is_none());
            bare && line.aim == Aim::Nearest
        };
        match (left.clone().next(), left.all(closes_in)) {
            (None, _) => Self::Nothing,
            (_, true) => Self::ClosesIn,
            _ => Self::Other,
        }
    }
}

/// The reason that may prevent a line while its combatant walks.
#[derive(Debug, Clone, Copy)]
enum Blocker {
    /// An attack or a spell cannot be made while all enemies are farther away than this.
    Range(Units),
    /// A reason that walking does not change.
    Other,
    /// A Set: these clocks have none (W-3).
    Never,
    /// The distances of a move; `fixed` if they are always the same.
    Place { fixed: bool },
}

impl WalkEffect {
    /// The walk effects of all decisions of a combatant.
    pub(crate) fn of(combatant: &Combatant) -> Vec<Self> {
        let lines = combatant.policy.decisions().iter();
        lines.map(|line| Self::new(line, combatant)).collect()
    }

    /// Returns whether the line is an attack or a spell.
    pub(crate) fn attacks(self) -> bool {
        matches!(self.blocker, Blocker::Range(_))
    }

    /// Returns whether walking changes nothing about a move as long as its target is the same.
    fn leads_on(self) -> bool {
        self.is_unchanged && matches!(self.blocker, Blocker::Place { fixed: true })
    }

    fn new(line: &Line, combatant: &Combatant) -> Self {
        let ranges = combatant.weapons.iter().map(Weapon::farthest);
        let blocker = match &line.action {
            Action::Attack(Some(weapon)) => {
                Blocker::Range(combatant.weapons[usize::from(*weapon)].farthest())
            }
            Action::Attack(None) => Blocker::Range(ranges.max().unwrap_or(-1)),
            Action::Cast(spell) => {
                let spell = &combatant.spells[usize::from(*spell)];
                if spell.is_ritual() {
                    // It goes on at its target, however far away (W-4).
                    Blocker::Place { fixed: false }
                } else {
                    Blocker::Range(spell.farthest())
                }
            }
            Action::Advance(step) | Action::Retreat(step) => Blocker::Place {
                fixed: step.is_fixed(),
            },
            Action::Set => Blocker::Never,
            Action::Leave(_) => Blocker::Place { fixed: false },
            Action::Use(item)
                if combatant.items[usize::from(*item)].power.recipient != Recipient::Own =>
            {
                Blocker::Place { fixed: false }
            }
            _ => Blocker::Other,
        };
        // Walking changes which ally the line is about, and its distance, and may bring a later feat within range.
        if line.aim.is_friendly() || !line.more.is_empty() {
            return Self {
                blocker: Blocker::Place { fixed: false },
                is_unchanged: false,
                on_target: true,
            };
        }
        Self {
            blocker,
            is_unchanged: !matches!(&line.action, Action::Use(_) if matches!(blocker, Blocker::Place { .. }))
                && !line.condition.asks_about(Aspect::Walking),
            on_target: line.condition.asks_about(Aspect::Target),
        }
    }
}

/// An encounter in which combatants walk Unit by Unit.
pub(crate) trait Walk<'a>: Decide<'a> {
    /// The move of `who` that is under way.
    fn current_move(&self, who: usize) -> Option<MoveInProgress>;

    /// Sets the move of `who` that is under way.
    fn set_current_move(&mut self, who: usize, current_move: Option<MoveInProgress>);

    /// Units that `who` can still make in its present way of moving.
    fn units_left(&self, who: usize) -> Units;

    /// Whether `who` has enough Units left for one that takes `toll` (W-15).
    #[inline]
    fn affords(&self, who: usize, toll: Units) -> bool {
        self.units_left(who) >= toll
    }

    /// Takes off Units that were walked, or spent without a step.
    fn spend_units(&mut self, who: usize, units: Units);

    /// Whether a decision of `who` cannot be taken any more while it walks.
    fn is_spent(&self, who: usize, line: u16) -> bool;

    /// Returns the move of a line, if it is legal (W-3).
    fn legal_walk(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<MoveInProgress, Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if self.units_left(view.who) < 1 {
            return Err(Obstacle::NoUnitsLeft);
        }
        let current_move = self.find_move(view, aim, step, advance)?;
        if self.affords(view.who, current_move.toll) {
            Ok(current_move)
        } else {
            Err(Obstacle::NoUnitsLeft)
        }
    }

    /// Returns the action of a line that clocks of turns have in common, if it is one of these.
    #[inline(always)]
    fn legal_in_common<T>(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        line: &Line,
    ) -> Option<Result<ChosenAction<T>, Obstacle>> {
        Some(match &line.action {
            Action::Advance(step) => self
                .legal_walk(view, line.aim, step, true)
                .map(ChosenAction::Move),
            Action::Retreat(step) => self
                .legal_walk(view, line.aim, step, false)
                .map(ChosenAction::Move),
            Action::Leave(how) => self
                .may_leave(view.who, *how)
                .map(|()| ChosenAction::Leave(*how)),
            Action::Pass => Ok(ChosenAction::Pass),
            Action::Set => Err(Obstacle::NeedsNoSet),
            _ => return None,
        })
    }

    /// Returns the move of a line, for a combatant that may move (W-3).
    fn find_move(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        aim: Aim,
        step: &Move,
        advance: bool,
    ) -> Result<MoveInProgress, Obstacle> {
        let foe = self
            .aimed(view, aim, Units::MAX)
            .ok_or(Obstacle::NoTarget)?;
        self.move_with_target(view, (foe, aim), step, advance)
    }

    /// Returns the move of a line towards `foe` or away from it. `aim` finds another target if it falls.
    fn move_with_target(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        (foe, aim): (usize, Aim),
        step: &Move,
        advance: bool,
    ) -> Result<MoveInProgress, Obstacle> {
        let (stop, left) = self.distances(view, foe, step, advance)?;
        let current_move = MoveInProgress {
            target: foe as u8,
            aim,
            mode: step.mode,
            advance,
            stop,
            left,
            toll: 1,
        };
        Ok(self.begun(view.who, current_move))
    }

    /// Returns a move with its next Unit begun: from now on it is known what the Unit takes (W-15).
    #[inline]
    fn begun(&self, who: usize, current_move: MoveInProgress) -> MoveInProgress {
        if self.fight().grounds.is_empty() {
            return current_move;
        }
        let target = usize::from(current_move.target);
        let to = self.unit_of_move(who, target, current_move.advance);
        let toll = to.map_or(1, |to| self.toll(to));
        MoveInProgress {
            toll,
            ..current_move
        }
    }

    /// Returns the position after the next Unit of the move under way, if there is one to make.
    fn next_unit(&mut self, who: usize) -> Option<Units> {
        let mut current_move = self.current_move(who)?;
        if self.units_left(who) < 1 {
            return None;
        }
        if !self.world().stands(usize::from(current_move.target)) {
            current_move.target = self.select(who, current_move.aim, 0, Units::MAX)? as u8;
            self.set_current_move(who, Some(current_move));
        }
        let target = usize::from(current_move.target);
        let next = if self.wants_step(who, target, current_move.advance, current_move.stop) {
            self.unit_of_move(who, target, current_move.advance)
        } else {
            None
        };
        if self.fight().grounds.is_empty() {
            return next;
        }
        next.filter(|to| self.affords(who, self.toll(*to)))
    }

    /// Units that a move has before it, whatever it is committed to, if its target stays where it is.
    fn room_ahead(&self, who: usize, current_move: &MoveInProgress) -> Units {
        let target = usize::from(current_move.target);
        let distance = self.world().distance(who, target);
        if current_move.advance {
            distance - current_move.stop
        } else {
            let here = self.world().position(who);
            let wall = match (self.retreat_step(who, target), self.fight().arena) {
                (None, _) => 0,
                (Some(next), Some(arena)) if next > here => arena.max - here,
                (Some(_), Some(arena)) => here - arena.min,
                (Some(_), None) => Units::MAX,
            };
            wall.min(current_move.stop - distance)
        }
    }

    /// Makes at once all but the last `kept` of the Units, at most `calm`, before which `who`, acting alone, takes no other
    /// line, and returns the rest of the move. An observer sees each of them. Of a move Unit by Unit, each is a decision
    /// if it `decides`.
    fn walk_ahead(
        &mut self,
        who: usize,
        line: u16,
        current_move: MoveInProgress,
        (calm, kept): (Units, Units),
        decides: bool,
    ) -> Option<MoveInProgress> {
        if calm < 1 || self.walks_unit_by_unit() {
            return Some(current_move);
        }
        let whole = current_move.left > 1;
        let steady = if whole {
            current_move.left.into()
        } else {
            self.steady_units(who, line.into(), &current_move)
        };
        if steady <= kept {
            return Some(current_move);
        }
        let room = self.room_ahead(who, &current_move);
        let units = (room.min(self.units_left(who)).min(steady) - kept).min(calm);
        if units < 1 {
            return Some(current_move);
        }
        self.watch_first(who);
        self.make_units(who, units, &current_move);
        if whole {
            return current_move.with_left(current_move.left - units as u16);
        }
        if decides {
            self.counts(who).decisions += (units + kept - 1) as u32;
        }
        current_move.with_left(kept as u16)
    }

    /// Returns the Units for which `who` takes the line `taken` of a move before it may take another line, if no other
    /// combatant acts; at least 1.
    fn steady_units(&self, who: usize, taken: usize, current_move: &MoveInProgress) -> Units {
        let walk_effects = self.walk_effects(who);
        let only = is_single(self.enemies(who));
        // The target stays the same: of several enemies an advance makes the nearest still nearer.
        let same_target = only || current_move.advance && current_move.aim != Aim::Casting;
        if !same_target || current_move.aim.is_friendly() || !walk_effects[taken].leads_on() {
            return 1;
        }
        match self.clear_above(who, &walk_effects[..taken]) {
            None => 1,
            Some((clear, nearest)) if current_move.advance => nearest - clear,
            Some(_) => Units::MAX,
        }
    }

    /// Like [`Walk::steady_units`], for all of `walkers`, which walk at the same time: the Units that each of them makes
    /// by the same line, whatever the others among them do. `walks` says whether a move goes Unit by Unit. `None` for
    /// fewer than 2 Units.
    fn common_units<T: Copy>(
        &self,
        walkers: u64,
        parts: &[Part<Choice<ChosenAction<T>>>],
        walks: impl Fn(usize, u16, &MoveInProgress) -> bool,
    ) -> Option<Units> {
        let mut units = Units::MAX;
        for who in members(walkers) {
            let (line, current_move) = parts[who].walk()?;
            if !walks(who, line, &current_move) {
                return None;
            }
            // Enemies that walk at the same time come two Units nearer.
            let closing = 1 + Units::from(self.enemies(who) & walkers != 0);
            units = units.min(self.level_units(who, line.into(), &current_move, closing));
            if units < 2 {
                return None;
            }
        }
        Some(units)
    }

    /// Like [`Walk::steady_units`], for one of several combatants that walk at the same time and come at most `closing`
    /// Units nearer to one another with each Unit. May return 0.
    fn level_units(
        &self,
        who: usize,
        taken: usize,
        current_move: &MoveInProgress,
        closing: Units,
    ) -> Units {
        let walk_effects = self.walk_effects(who);
        let effect = walk_effects[taken];
        let left = self.units_left(who);
        if left < 2 || !current_move.advance || !effect.leads_on() || effect.on_target {
            return 0;
        }
        let Some((clear, nearest)) = self.clear_above(who, &walk_effects[..taken]) else {
            return 0;
        };
        // No walker arrives or crosses the way of another.
        let most = (nearest - 1 - clear.max(current_move.stop).max(1)) / closing;
        let here = self.world().position(who);
        let way = self.advance_step(who, current_move.target.into()) - here;
        // Every enemy lies in the direction of the walk.
        let behind = |foe: usize| (self.world().position(foe) - here) * way <= 0;
        if most < 2 || members(self.enemies(who)).any(behind) {
            return 0;
        }
        most.min(left)
    }

    /// Returns the distance beyond which these lines, which are refused now, stay refused while `who` walks,
    /// and the distance of the nearest enemy. `None` if walking may change a line in another way.
    fn clear_above(&self, who: usize, above: &[WalkEffect]) -> Option<(Units, Units)> {
        let view = self.view(who);
        let (_, distance) = view.nearest?;
        let mut clear = -1;
        for (index, line) in above.iter().enumerate() {
            let same = line.is_unchanged && (!line.on_target || is_single(view.enemies));
            match line.blocker {
                Blocker::Never => {}
                _ if self.is_spent(who, index as u16) => {}
                Blocker::Range(range) if distance > range => clear = clear.max(range),
                Blocker::Other if same => {}
                // Its condition does not hold, and walking does not change that.
                _ if same && !self.holds(&view, &self.line(who, index as u16).condition, None) => {}
                _ => return None,
            }
        }
        Some((clear, distance))
    }

    /// Returns whether `who`, which has attacked `foe`, can take none of the lines in `rest`. Always false for
    /// an observer, which sees the reason against each line.
    fn has_no_line_left(&self, who: usize, rest: RemainingLines, foe: usize) -> bool {
        !Self::Observer::LISTENS
            && match rest {
                RemainingLines::Nothing => true,
                RemainingLines::ClosesIn => {
                    let reach = self.body(who).reach;
                    self.enemies(who) & bit(foe) != 0 && self.world().distance(who, foe) <= reach
                }
                RemainingLines::Other => false,
            }
    }

    /// Makes `units` Units, each as a new choice of the same line, without events.
    fn make_units(&mut self, who: usize, units: Units, current_move: &MoveInProgress) {
        let target = usize::from(current_move.target);
        let next = self.unit_of_move(who, target, current_move.advance);
        let here = self.world().position(who);
        let Some(next) = next.filter(|_| units > 0) else {
            return;
        };
        self.world_mut()
            .set_position(who, here + (next - here) * units);
        self.counts(who).units_moved += units as u32;
        self.spend_units(who, units);
    }

    /// Makes a Unit of a move.
    fn make_unit(&mut self, who: usize, to: Units, advance: bool) {
        let from = self.world().position(who);
        self.world_mut().set_position(who, to);
        self.counts(who).units_moved += 1;
        let kind = if advance {
            MoveKind::Advance
        } else {
            MoveKind::Retreat
        };
        self.note(Event::Step {
            who,
            from,
            to,
            kind,
        });
        self.apply_ground(who);
    }

    /// Makes the Unit that is due, or spends it on the spot. A Unit spent because it would have crossed an enemy's (W-5)
    /// leaves the rest of the move committed (W-3).
    fn make_step(&mut self, who: usize, to: Option<Units>) {
        let Some(current_move) = self.current_move(who) else {
            return;
        };
        // A Unit that is not made takes no Units that an interruption has taken away.
        let is_left = to.is_some() || self.units_left(who) > 0;
        let toll = if is_left { current_move.toll } else { 0 };
        self.spend_units(who, toll);
        if let Some(to) = to {
            self.make_unit(who, to, current_move.advance);
        } else {
            self.note(Event::StepSpent { who, toll });
        }
    }

    /// Begins the next Unit of the move under way after one that was made or spent, or ends the move.
    fn continue_move(&mut self, who: usize) {
        if let Some(current_move) = self.current_move(who) {
            self.set_current_move(who, current_move.with_left(current_move.left - 1));
            self.begin_unit(who);
        }
    }

    /// Begins the next Unit of the move under way, and returns the place that it leads to. If there is no Unit to make,
    /// the move ends.
    fn begin_unit(&mut self, who: usize) -> Option<Units> {
        let next = self.next_unit(who);
        let begun = next
            .and(self.current_move(who))
            .map(|current_move| self.begun(who, current_move));
        self.set_current_move(who, begun);
        next
    }
}
