//! Decisions (W-3, W-4): the policy line that a free combatant takes, and the weapon for it.

use crate::chance::enumerate::Options;
use crate::fight::program::{Condition, Move};
use crate::fight::variables::Aspect;
use crate::fight::world::Body;
use crate::sim::Observer;
use crate::sim::compiled_lines::{self, Values};
use crate::sim::deeds::legal_deed;
use crate::sim::prelude::*;
use std::fmt::Debug;

/// The situation of a combatant that decides, looked up once per decision instead of once per line.
pub(crate) struct View<'a, A, P> {
    pub who: usize,
    pub actor: &'a A,
    pub body: &'a Body<A>,
    pub combatant: &'a Combatant,
    pub profile: &'a P,
    /// The enemies that stand.
    pub enemies: u64,
    /// The nearest of them, and its distance.
    pub nearest: Target,
}

/// The view of a combatant of an encounter.
pub(crate) type ViewOf<'s, 'a, S> = View<'s, <S as Stage<'a>>::Actor, <S as Stage<'a>>::Profile>;

impl<A, P> View<'_, A, P> {
    /// Whether an enemy stands within its reach.
    #[inline]
    pub(crate) fn in_melee(&self) -> bool {
        let reaches = |(_, distance): (usize, Units)| distance <= self.body.reach;
        self.nearest.is_some_and(reaches)
    }

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
            body,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Choice<W> {
    /// Index of the line among those considered.
    pub line: u16,
    /// Its action, with its target and weapon.
    pub what: W,
}

/// Chooses the policy line to take, by the rules of a clock.
pub(crate) trait Decide<'a>: Stage<'a> {
    /// The action of a line, with its target and weapon.
    type ChosenAction: Copy + PartialEq + Debug;

    /// The target of an action.
    fn target(what: &Self::ChosenAction) -> Option<usize>;

    /// Returns the action of a line by the rules, without its condition.
    fn legal(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        line: &Line,
    ) -> Result<Self::ChosenAction, Obstacle>;

    /// Returns the action of a line whose comparisons are all that the rules ask or, if it is `aimed`, all but that its
    /// aim finds a target.
    fn made(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        line: &Line,
        aimed: bool,
    ) -> Option<Self::ChosenAction>;

    /// Returns the weapon and the target of an attack that comparisons have proved legal.
    #[inline(always)]
    fn only_attack(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        line: &Line,
        aimed: bool,
    ) -> Option<(u8, u8)> {
        let (Action::Attack(choice) | Action::Desperate(choice)) = line.action else {
            return None;
        };
        let weapon = compiled_lines::only_weapon(view.combatant, choice)?;
        let target = if aimed {
            self.aimed(view, line.aim, view.combatant.weapons[weapon].range)?
        } else {
            view.nearest?.0
        };
        Some((weapon as u8, target as u8))
    }

    /// Returns the value of a variable about a combatant and its target, which is at this distance.
    fn value(&self, variable: Variable, view: &ViewOf<'_, 'a, Self>, target: TargetAt) -> i64;

    /// Fills in the numbers that only this clock has.
    fn values(&self, view: &ViewOf<'_, 'a, Self>, values: &mut Values);

    /// Returns the situation of `who`.
    #[inline(always)]
    fn view<'s>(&'s self, who: usize) -> ViewOf<'s, 'a, Self>
    where
        'a: 's,
    {
        let enemies = self.enemies(who);
        let body = self.body(who);
        View {
            who,
            actor: &body.clock,
            body,
            combatant: self.combatant(who),
            profile: &self.profiles()[who],
            enemies,
            nearest: self.nearest(who, enemies),
        }
    }

    /// Whether a condition holds for `target` or, without one, for the nearest enemy.
    #[inline]
    fn holds(&self, view: &ViewOf<'_, 'a, Self>, condition: &Condition, target: Target) -> bool {
        let target = target.or(view.nearest);
        condition.holds(|variable| match target {
            None if variable.is(Aspect::Target) => 0,
            _ => self.value(variable, view, target.unwrap_or((view.who, 0))),
        })
    }

    /// Returns the target of an action with this range (W-4).
    #[inline]
    fn aimed(&self, view: &ViewOf<'_, 'a, Self>, aim: Aim, range: Units) -> Option<usize> {
        if aim.is_friendly() {
            return self.select_ally(view.who, aim, range);
        }
        // Every other enemy is at least as far away as the nearest.
        let (foe, _) = view.nearest.filter(|(_, distance)| *distance <= range)?;
        let only = || {
            let any = !matches!(aim, Aim::Casting | Aim::Trigger);
            any && is_single(view.enemies) && self.candidates(view.who, aim, view.enemies) != 0
        };
        if aim == Aim::Nearest || only() {
            return Some(foe);
        }
        let world = self.world();
        match aim {
            Aim::Weakest => world.weakest(view.enemies),
            _ => None,
        }
        .filter(|weakest| world.distance(view.who, *weakest) <= range)
        .or_else(|| self.select(view.who, aim, 0, range))
    }

    /// Returns where a move towards `foe` or away from it stops, and the Units that its line commits to, if it leads
    /// anywhere (W-3).
    fn distances(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        foe: usize,
        step: &Move,
        advance: bool,
    ) -> Result<(Units, u16), Obstacle> {
        let value = |variable| {
            let target = (foe, self.world().distance(view.who, foe));
            self.value(variable, view, target)
        };
        let (stop, units) = step
            .worked_out(self.usual_stop(view.who, advance), value)
            .ok_or(Obstacle::NoDistance)?;
        self.may_step(view.who, foe, advance, stop)?;
        Ok((stop, units))
    }

    /// Returns the line that `who` takes when it is free to decide. Reports to the observer why the lines above it are
    /// not taken.
    #[inline(always)]
    fn decide(&mut self, who: usize) -> Option<Choice<Self::ChosenAction>> {
        if self.is_stunned(who) {
            return None;
        }
        if !Self::PLAIN && self.combatant(who).policy.offered > 0 {
            return self.open_decision(who);
        }
        let taken = self.find(who);
        debug_assert_eq!(
            taken,
            self.first_line(who, self.combatant(who).policy.decisions()),
            "the comparisons are those of the rules"
        );
        if self.chance_and_observer().1.sees_all() {
            let above = taken.map_or(usize::MAX, |choice| choice.line.into());
            self.report_rejected(who, above, |stage, line| {
                stage.legal(&stage.view(who), line).err()
            });
        }
        taken
    }

    /// Returns the first decision whose condition holds and whose action is legal (W-3).
    #[inline]
    fn find(&mut self, who: usize) -> Option<Choice<Self::ChosenAction>> {
        self.first_decision(&self.view(who), &mut [0; _])
    }

    /// Finds the same by the comparisons of numbers, which it fills in.
    #[inline]
    fn first_decision(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        values: &mut Values,
    ) -> Option<Choice<Self::ChosenAction>> {
        let compiled_lines = self.compiled_lines(view.who);
        compiled_lines::shared(self, view, compiled_lines, values);
        self.values(view, values);
        compiled_lines.first(is_single(view.enemies), values, |passed| {
            let line = &view.combatant.policy.decisions()[passed.line];
            let what = if passed.legal {
                self.made(view, line, passed.aimed)?
            } else {
                self.legal(view, line).ok()?
            };
            let holds = !passed.open || self.holds_of(view, line, &what);
            let line = passed.line as u16;
            holds.then_some(Choice { line, what })
        })
    }

    /// Returns the choice of chance, for a combatant whose decisions are left open.
    #[cold]
    #[inline(never)]
    fn open_decision(&mut self, who: usize) -> Option<Choice<Self::ChosenAction>> {
        let decided = self.chance_and_observer().0.decided_before();
        let view = self.view(who);
        let lines = view.combatant.policy.decisions();
        if let Some(line) = decided {
            let line = line?;
            let what = self.legal(&view, &lines[usize::from(line)]).ok()?;
            return Some(Choice { line, what });
        }
        let choice = |(decision, line): (&Line, u16)| {
            let what = self.legal(&view, decision).ok()?;
            if !self.has_points_for(who, &decision.action) {
                return None;
            }
            let holds = self.holds_of(&view, decision, &what);
            Some((Choice { line, what }, holds))
        };
        let legal = lines.iter().zip(0..).filter_map(choice).collect();
        choose(self, who, legal, true)
    }

    /// Returns the first of some lines whose condition holds and whose action is legal (W-3), one after the other.
    #[inline]
    fn first_line(&self, who: usize, lines: &[Line]) -> Option<Choice<Self::ChosenAction>> {
        let view = self.view(who);
        lines.iter().zip(0..).find_map(|(decision, line)| {
            let what = self.legal(&view, decision).ok()?;
            let holds = self.holds_of(&view, decision, &what);
            holds.then_some(Choice { line, what })
        })
    }

    /// Whether the condition of a line holds for the target of its action.
    #[inline]
    fn holds_of(
        &self,
        view: &ViewOf<'_, 'a, Self>,
        line: &Line,
        what: &Self::ChosenAction,
    ) -> bool {
        let target = Self::target(what)
            .filter(|target| *target != view.who)
            .map(|target| (target, self.world().distance(view.who, target)));
        self.holds(view, &line.condition, target)
    }
}

/// Lets chance choose among the legal actions of a combatant whose decisions are left open. Each action comes with
/// whether the condition of its line holds. The choice of the policy is the first of its own lines whose condition
/// holds, or to do nothing if there is none. The situation `is_known` where the state alone says how the step goes on.
pub(crate) fn choose<'a, W: PartialEq>(
    clock: &mut (impl Stage<'a> + ?Sized),
    who: usize,
    mut legal: Vec<(Choice<W>, bool)>,
    is_known: bool,
) -> Option<Choice<W>> {
    let fight = clock.fight();
    let policy = &fight.combatants[who].policy;
    let is_same = |one: usize, other: usize| legal[one].0.what == legal[other].0.what;
    let mut options: Vec<Option<usize>> = Vec::new();
    for at in 0..legal.len() {
        if !options.iter().flatten().any(|known| is_same(*known, at)) {
            options.push(Some(at));
        }
    }
    let is_written = |(choice, holds): &(Choice<W>, bool)| *holds && policy.is_own(choice.line);
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
        let seen = (0..fight.combatants.len()).map(|who| {
            let stands = world.stands(who);
            stands.then(|| [world.position(who), world.health(who)])
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
        let wanted = is_known && clock.chance_and_observer().0.wants_situation();
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
