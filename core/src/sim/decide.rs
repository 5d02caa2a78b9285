//! Decisions (W-3, W-4): the policy line that a free combatant takes, and the weapon for it.

use crate::chance::Chance;
use crate::chance::enumerate::Options;
use crate::fight::Variable;
use crate::fight::program::{Action, Line};
use crate::fight::world::Body;
use crate::fight::{Combatant, Units, Weapon};
use crate::sim::Observer;
use crate::sim::compiled_lines::{self, Values};
use crate::sim::deeds::{Deed, legal_deed};
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::stage::{Target, is_single};
use std::fmt::Debug;

/// The situation of a combatant that decides, looked up once per decision instead of once per line.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, A> {
    pub who: usize,
    pub actor: &'a A,
    pub body: &'a Body<A>,
    pub combatant: &'a Combatant,
    /// The nearest enemy, and its distance.
    pub nearest: Target,
}

impl<A> View<'_, A> {
    /// Returns a legal [`Deed`] of a clock on which any weapon in hand fits. `within` finds the target for a range.
    #[inline(always)]
    pub(crate) fn deed(
        &self,
        action: &Action,
        within: impl Fn(Units) -> Option<usize>,
    ) -> Result<Deed, Obstacle> {
        let (combatant, body) = (self.combatant, self.body);
        legal_deed(
            action,
            combatant,
            (body.in_hand, body.lost, body.prone, &body.uses),
            |choice| {
                let reach_bonus = body.reach_bonus.into();
                let fits = |_: &Weapon| Ok(());
                weapon_within(combatant, choice, body.in_hand, reach_bonus, &within, fits)
            },
            |spell| within(combatant.spells[spell].range),
            &within,
        )
    }
}

/// A line to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Choice<W> {
    /// Index of the line among those considered.
    pub line: u16,
    /// Its action, with its target and weapon.
    pub what: W,
}

/// Chooses the policy line to take, by the rules of a clock.
pub(crate) trait Decide<'a>: Stage<'a> {
    /// The action of a line, with its target and weapon.
    type ChosenAction: PartialEq + Debug;

    /// The target of an action.
    fn target(what: &Self::ChosenAction) -> Option<usize>;

    /// Returns an attack that comparisons have proved legal, on a clock where they can.
    fn attack(&self, _who: usize, _weapon: u8, _target: u8) -> Option<Self::ChosenAction> {
        None
    }

    /// Returns the action of a line by the rules, without its condition.
    fn allowed(
        &self,
        who: usize,
        nearest: Target,
        line: &Line,
    ) -> Result<Self::ChosenAction, Obstacle>;

    /// Returns the value of a variable; 0 for a missing target.
    fn value(&self, variable: Variable, who: usize, target: Target) -> i64;

    /// Returns the situation of `who`.
    #[inline]
    fn view<'s>(&'s self, who: usize, nearest: Target) -> View<'s, Self::Actor>
    where
        'a: 's,
    {
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.fight().combatants[who],
            nearest,
        }
    }

    /// Whether the condition of a line holds.
    #[inline]
    fn holds(&self, who: usize, line: &Line, target: Target) -> bool {
        line.condition
            .holds(|variable| self.value(variable, who, target))
    }

    /// Fills in the numbers that only this clock has.
    fn values(&self, who: usize, values: &mut Values);

    /// Returns the line that `who` takes when it is free to decide. Reports to the observer why the lines above it are
    /// not taken.
    #[inline]
    fn decide(&mut self, who: usize) -> Option<Choice<Self::ChosenAction>> {
        if self.world().is_stunned(who) {
            return None;
        }
        let policy = &self.fight().combatants[who].policy;
        if Self::Chance::enumerates() && policy.offered > 0 {
            return self.open_decision(who);
        }
        let lines = &policy.decisions;
        let taken = self.first_decision(who, lines);
        debug_assert_eq!(
            taken,
            self.first_line(who, lines),
            "the comparisons are those of the rules"
        );
        if self.chance_and_observer().1.sees_all() {
            let above = taken
                .as_ref()
                .map_or(lines.len(), |choice| choice.line.into());
            self.report_rejected(who, above, |stage, line| {
                let nearest = stage.nearest(who, stage.enemies(who));
                stage.allowed(who, nearest, line).err()
            });
        }
        taken
    }

    /// Returns the first decision whose condition holds and whose action is legal (W-3), found by its comparisons.
    #[inline]
    fn first_decision(&self, who: usize, lines: &[Line]) -> Option<Choice<Self::ChosenAction>> {
        let enemies = self.enemies(who);
        let nearest = self.nearest(who, enemies);
        let compiled_lines = self.compiled_lines(who);
        let mut values = [0; _];
        compiled_lines::shared(self, who, enemies, nearest, compiled_lines, &mut values);
        self.values(who, &mut values);
        compiled_lines.first(is_single(enemies), &values, |passed| {
            let line = &lines[passed.line];
            let what = if passed.legal {
                self.attack_made(who, nearest, line)?
            } else {
                self.allowed(who, nearest, line).ok()?
            };
            let holds = !passed.open || self.holds_of(who, nearest, line, &what);
            let line = passed.line as u16;
            holds.then_some(Choice { line, what })
        })
    }

    /// Returns the choice of chance, for a combatant whose decisions are left open.
    fn open_decision(&mut self, who: usize) -> Option<Choice<Self::ChosenAction>> {
        let nearest = self.nearest(who, self.enemies(who));
        let lines = &self.fight().combatants[who].policy.decisions;
        if let Some(line) = self.chance_and_observer().0.decided_before() {
            let line = line?;
            let what = self.allowed(who, nearest, &lines[usize::from(line)]);
            return Some(Choice {
                line,
                what: what.ok()?,
            });
        }
        let legal = lines.iter().zip(0..).filter_map(|(asked, line)| {
            let what = self.allowed(who, nearest, asked).ok()?;
            let holds = self.holds_of(who, nearest, asked, &what);
            Some((Choice { line, what }, holds))
        });
        let legal = legal.collect();
        choose(self, who, legal)
    }

    /// The attack of a line that is known to be legal.
    #[inline]
    fn attack_made(&self, who: usize, nearest: Target, line: &Line) -> Option<Self::ChosenAction> {
        let Action::Attack(choice) = line.action else {
            return None;
        };
        let weapon = compiled_lines::only_weapon(&self.fight().combatants[who], choice)?;
        self.attack(who, weapon as u8, nearest?.0 as u8)
    }

    /// Returns the first of some lines whose condition holds and whose action is legal (W-3).
    #[inline]
    fn first_line(&self, who: usize, lines: &[Line]) -> Option<Choice<Self::ChosenAction>> {
        let nearest = self.nearest(who, self.enemies(who));
        lines.iter().zip(0..).find_map(|(asked, line)| {
            let what = self.allowed(who, nearest, asked).ok()?;
            let holds = self.holds_of(who, nearest, asked, &what);
            holds.then_some(Choice { line, what })
        })
    }

    /// Whether the condition of a line holds for the target of its action.
    #[inline]
    fn holds_of(
        &self,
        who: usize,
        nearest: Target,
        line: &Line,
        what: &Self::ChosenAction,
    ) -> bool {
        let target = Self::target(what).filter(|one| *one != who);
        let target = target.map(|foe| (foe, self.world().distance(who, foe)));
        self.holds(who, line, target.or(nearest))
    }
}

/// Lets chance choose among the legal actions of a combatant whose decisions are left open. Each action comes with
/// whether the condition of its line holds. The choice of the policy is the first of its own lines whose condition
/// holds, or to do nothing if there is none.
pub(crate) fn choose<'a, W: PartialEq>(
    clock: &mut (impl Stage<'a> + ?Sized),
    who: usize,
    mut legal: Vec<(Choice<W>, bool)>,
) -> Option<Choice<W>> {
    let fight = clock.fight();
    let policy = &fight.combatants[who].policy;
    let own = policy.decisions.len() - policy.offered;
    let is_same = |one: usize, other: usize| legal[one].0.what == legal[other].0.what;
    let mut options: Vec<Option<usize>> = Vec::new();
    for at in 0..legal.len() {
        if !options.iter().flatten().any(|known| is_same(*known, at)) {
            options.push(Some(at));
        }
    }
    let is_written = |(choice, holds): &(Choice<W>, bool)| *holds && usize::from(choice.line) < own;
    let written = legal.iter().position(is_written);
    let same_as_written = |option: &Option<usize>| match (option, written) {
        (Some(option), Some(written)) => is_same(*option, written),
        _ => false,
    };
    let written_option = options.iter().position(same_as_written).unwrap_or_else(|| {
        options.push(None);
        options.len() - 1
    });
    // The action of the policy is made by the policy's own line.
    if written.is_some() {
        options[written_option] = written;
    }
    let chosen = if options.len() == 1 {
        0
    } else {
        let moment = clock.moment();
        let world = clock.world();
        let seen = (0..fight.combatants.len()).map(|one| {
            let stands = world.stands(one);
            stands.then(|| [world.position(one), world.health(one)])
        });
        let options = Options {
            who: who as u8,
            lines: options
                .iter()
                .map(|option| option.map(|at| legal[at].0.line))
                .collect(),
            written: written_option,
            moment: (moment.round, moment.mark),
            seen: seen.collect(),
        };
        let wanted = clock.chance_and_observer().0.wants_situation();
        let situation = wanted.then(|| clock.situation()).flatten();
        clock.chance_and_observer().0.choose(options, situation)
    };
    Some(legal.swap_remove(options[chosen]?).0)
}

/// Returns the first weapon in hand that fits and reaches a target, with that target; else the obstacle. `within` finds
/// the target for a range, `reach_bonus` is added to reaches, and `fits` returns further obstacles to a weapon.
#[inline]
pub(crate) fn weapon_within(
    combatant: &Combatant,
    choice: Option<u8>,
    in_hand: u32,
    reach_bonus: Units,
    within: impl Fn(Units) -> Option<usize>,
    fits: impl Fn(&Weapon) -> Result<(), Obstacle>,
) -> Result<(u8, u8), Obstacle> {
    let mut why = Obstacle::NoWeapon;
    for (index, weapon) in combatant.weapons.iter().enumerate() {
        let named = choice.is_none_or(|only| usize::from(only) == index);
        if !named || in_hand & (1 << index) == 0 {
            continue;
        }
        let Some(target) = within(weapon.reaches(reach_bonus)) else {
            why = Obstacle::NoTarget;
            continue;
        };
        match fits(weapon) {
            Ok(()) => return Ok((index as u8, target as u8)),
            Err(obstacle) => why = obstacle,
        }
    }
    Err(why)
}
