//! Which policy line is taken, and why not the others (W-3, W-4).

use super::order::{Act, Arm, Gate, Order};
use super::state::{Actor, Flags};
use super::{Encounter, Profile};
use crate::chance::Chance;
use crate::engine::events::Obstacle;
use crate::engine::{Event, Observer};
use crate::fight::world::{Body, bit, members};
use crate::fight::{Combatant, Cost, Marks, Units, WeaponKind};
use crate::policy::{Action, Aim, Condition, Line, Variable, WeaponChoice};

/// Free actions at one instant before none is legal any more (W-7).
const MOST_FREE_ACTIONS: u8 = 16;

/// A line that is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    /// Index among the policy's decisions.
    pub line: u16,
    pub what: What,
}

/// What a choice comes to, everything looked up. Small, because it is passed about a lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    Attack {
        target: u8,
        weapon: u8,
        attacks: u8,
        mastery: bool,
        desperate: bool,
    },
    Move {
        target: u8,
        advance: bool,
        units: u16,
        stop: Units,
    },
    Set,
    Cast {
        target: u8,
        spell: u8,
    },
    Channel {
        target: u8,
        spell: u8,
    },
    Car {
        target: u8,
    },
    Charge {
        target: u8,
        weapon: u8,
    },
    Use(u8),
    Draw(u8),
    Stand,
    Wait(u8),
    Pass,
}

impl What {
    /// Whom it is about.
    #[inline(always)]
    fn target(self) -> Option<usize> {
        match self {
            Self::Attack { target, .. }
            | Self::Move { target, .. }
            | Self::Cast { target, .. }
            | Self::Channel { target, .. }
            | Self::Car { target }
            | Self::Charge { target, .. } => Some(usize::from(target)),
            Self::Set | Self::Use(_) | Self::Draw(_) | Self::Stand | Self::Wait(_) | Self::Pass => {
                None
            }
        }
    }
}

/// What one who decides sees: looked up once a decision, not once a line.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub who: usize,
    pub actor: &'a Actor,
    pub body: &'a Body<Actor>,
    pub combatant: &'a Combatant,
    pub profile: &'a Profile,
    /// Enemies that stand.
    enemies: u64,
    /// The nearest of them and how far it is.
    pub nearest: Option<(usize, Units)>,
}

impl View<'_> {
    /// Units of Land Speed left this Round (TC-6).
    #[inline]
    fn move_left(&self) -> Units {
        self.profile.speed - self.actor.moved_units
    }

    /// TC-5: the cost is at most the Marks left, or it is a Full Action and the Round's first.
    #[inline(always)]
    pub(super) fn affords(&self, cost: Cost) -> Result<(), Obstacle> {
        if self.actor.marks >= cost.marks()
            || (cost == Cost::Full && !self.actor.flags.any(Flags::ACTED))
        {
            Ok(())
        } else {
            Err(Obstacle::Marks)
        }
    }

    /// Whether an enemy stands within one's own reach.
    #[inline]
    fn in_melee(&self) -> bool {
        self.nearest
            .is_some_and(|(_, distance)| distance <= self.body.reach)
    }
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The first line whose condition holds and whose action is legal and affordable (W-3).
    #[inline(always)]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        let choice = self.find(who);
        if O::LISTENS {
            let taken = choice.map_or(usize::MAX, |choice| usize::from(choice.line));
            self.tell_rejected(who, taken);
        }
        choice
    }

    #[inline(always)]
    fn find(&self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        // With one enemy left a condition can only be about that one, and is cheaper to ask than
        // the rules are.
        let only = if is_single(view.enemies) {
            view.nearest
        } else {
            None
        };
        for (index, order) in self.plan.orders[who].iter().enumerate() {
            if only.is_some() && !self.passes(index, order, &view, only) {
                continue;
            }
            let Ok(what) = self.allowed(index, order, &view) else {
                continue;
            };
            if only.is_none() {
                let target = what
                    .target()
                    .map(|foe| (foe, self.world().distance(who, foe)));
                if !self.passes(index, order, &view, target) {
                    continue;
                }
            }
            return Some(Choice {
                line: index as u16,
                what,
            });
        }
        None
    }

    /// Whether the condition of an order holds.
    #[inline(always)]
    fn passes(
        &self,
        index: usize,
        order: &Order,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> bool {
        match order.gate {
            Gate::Open => true,
            Gate::One {
                variable, range, ..
            } => range.holds(self.value(variable, view, target.or(view.nearest))),
            Gate::Full => self.holds(
                &view.combatant.policy.decisions[index].condition,
                view,
                target,
            ),
        }
    }

    /// What an order comes to by the rules.
    #[inline(always)]
    fn allowed(&self, index: usize, order: &Order, view: &View<'_>) -> Result<What, Obstacle> {
        if view.actor.flags.any(Flags::BROKEN) {
            return self.legal(view, &view.combatant.policy.decisions[index]);
        }
        match order.act {
            Act::Attack {
                weapon,
                arm,
                desperate,
            } => {
                self.may_attack(view)?;
                self.legal_with(view, order.aim, weapon, arm, desperate)
            }
            Act::Move {
                advance,
                units,
                stop,
            } => {
                let stop = stop.unwrap_or(view.body.reach.max(0));
                self.legal_move(view, order.aim, advance, units, stop)
            }
            Act::Set => legal_set(view),
            Act::Other => self.legal(view, &view.combatant.policy.decisions[index]),
        }
    }

    /// Tells why the lines above the one that was taken were not.
    #[cold]
    fn tell_rejected(&mut self, who: usize, taken: usize) {
        let plan = self.plan;
        let lines = &plan.fight.combatants[who].policy.decisions;
        for line in &lines[..taken.min(lines.len())] {
            let why = self
                .legal(&self.view(who), line)
                .err()
                .unwrap_or(Obstacle::Condition);
            self.note(Event::Rejected {
                who,
                line: usize::from(line.number),
                why,
            });
        }
    }

    /// What `who` sees.
    #[inline(always)]
    pub(super) fn view(&self, who: usize) -> View<'_> {
        let enemies = self.enemies(who);
        let nearest = if enemies == 0 {
            None
        } else if is_single(enemies) {
            let foe = enemies.trailing_zeros() as usize;
            Some((foe, self.world().distance(who, foe)))
        } else {
            members(enemies)
                .map(|foe| (foe, self.world().distance(who, foe)))
                .min_by_key(|(_, distance)| *distance)
        };
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.plan.fight.combatants[who],
            profile: &self.plan.profiles[who],
            enemies,
            nearest,
        }
    }

    /// Whether a condition holds, with `target` for what it says of the target. Lines that are not
    /// about anybody speak of the nearest enemy.
    #[inline]
    pub(super) fn holds(
        &self,
        condition: &Condition,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> bool {
        let target = target.or(view.nearest);
        condition.holds(|variable| self.value(variable, view, target))
    }

    /// The target of an action that reaches up to `high` Units (W-4).
    #[inline]
    pub(super) fn target(&self, view: &View<'_>, aim: Aim, high: Units) -> Result<u8, Obstacle> {
        let found = if aim == Aim::Nearest {
            view.nearest
                .filter(|(_, distance)| *distance <= high)
                .map(|(foe, _)| foe)
        } else {
            self.select(view.who, aim, 0, high)
        };
        found.map(|foe| foe as u8).ok_or(Obstacle::NoTarget)
    }

    /// The target of an action that reaches from `low` to `high` Units (W-4).
    pub(super) fn select(&self, who: usize, aim: Aim, low: Units, high: Units) -> Option<usize> {
        let enemies = self.enemies(who);
        let pool = match aim {
            // A fallen named target becomes the nearest.
            Aim::Named(named) if named & enemies != 0 => named & enemies,
            _ => enemies,
        };
        let mut best: Option<(Units, usize)> = None;
        for foe in members(pool) {
            let distance = self.world().distance(who, foe);
            if distance < low || distance > high {
                continue;
            }
            let key = match aim {
                Aim::Nearest | Aim::Named(_) => distance,
                Aim::Weakest => self.world().bodies[foe].health,
                Aim::Strongest => -self.world().bodies[foe].health,
                Aim::Casting if self.actor(foe).spell.is_some() => 0,
                Aim::Casting => continue,
            };
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, foe));
            }
        }
        best.map(|(_, foe)| foe)
    }

    /// What a line comes to by the rules, whatever its condition says.
    #[inline]
    fn legal(&self, view: &View<'_>, line: &Line) -> Result<What, Obstacle> {
        if view.actor.flags.any(Flags::BROKEN) {
            after_broken_channel(view, &line.action)?;
        }
        match &line.action {
            Action::Attack(weapon) => self.legal_attack(view, line.aim, *weapon, false),
            Action::Desperate(weapon) => self.legal_attack(view, line.aim, *weapon, true),
            Action::Advance { units, to } => {
                let stop = to.map_or(view.body.reach.max(0), |to| to as Units);
                self.legal_move(view, line.aim, true, units.unwrap_or(1), stop)
            }
            Action::Retreat { units, to } => {
                let stop = to.map_or(Units::MAX, |to| to as Units);
                self.legal_move(view, line.aim, false, units.unwrap_or(1), stop)
            }
            Action::Set => legal_set(view),
            Action::Cast(spell) => {
                view.affords(Cost::Full)?;
                let range = view.combatant.spells[usize::from(*spell)].range;
                let target = self.target(view, line.aim, range)?;
                Ok(What::Cast {
                    target,
                    spell: *spell,
                })
            }
            Action::Channel { spell, .. } => {
                if view.actor.flags.any(Flags::STIRRED) {
                    return Err(Obstacle::Acted);
                }
                let range = view.combatant.spells[usize::from(*spell)].range;
                let target = self.target(view, line.aim, range)?;
                Ok(What::Channel {
                    target,
                    spell: *spell,
                })
            }
            Action::Car => self.legal_car(view, line.aim),
            Action::Charge(weapon) => self.legal_charge(view, line.aim, *weapon),
            Action::Use(item) => {
                let cost = view.combatant.items[usize::from(*item)].cost;
                if view.body.uses[usize::from(*item)] == 0 {
                    return Err(Obstacle::Used);
                }
                if cost == Cost::Free && view.actor.free_actions >= MOST_FREE_ACTIONS {
                    return Err(Obstacle::TooManyFree);
                }
                view.affords(cost)?;
                Ok(What::Use(*item))
            }
            Action::Draw(weapon) => {
                if view.body.in_hand & (1 << weapon) != 0 {
                    return Err(Obstacle::InHand);
                }
                view.affords(Cost::Quarter)?;
                Ok(What::Draw(*weapon))
            }
            Action::Stand => {
                if !view.body.prone {
                    return Err(Obstacle::Prone);
                }
                view.affords(Cost::Quarter)?;
                Ok(What::Stand)
            }
            Action::Wait(marks) if Marks::from(*marks) > view.actor.marks => Err(Obstacle::Marks),
            Action::Wait(marks) => Ok(What::Wait(*marks)),
            Action::Pass => Ok(What::Pass),
            // These have occasions of their own.
            Action::CombatCast { .. } | Action::Delay { .. } => Err(Obstacle::Condition),
        }
    }

    /// TC-8 to TC-11.
    #[inline]
    fn legal_attack(
        &self,
        view: &View<'_>,
        aim: Aim,
        choice: WeaponChoice,
        desperate: bool,
    ) -> Result<What, Obstacle> {
        self.may_attack(view)?;
        let arm = |weapon| Arm::of(view.combatant, weapon);
        match choice {
            WeaponChoice::Only(weapon) => {
                self.legal_with(view, aim, weapon, arm(weapon), desperate)
            }
            WeaponChoice::First => {
                let mut why = Obstacle::NoWeapon;
                for weapon in 0..view.combatant.weapons.len() as u8 {
                    match self.legal_with(view, aim, weapon, arm(weapon), desperate) {
                        Err(Obstacle::NoWeapon) => {}
                        Err(other) => why = other,
                        Ok(what) => return Ok(what),
                    }
                }
                Err(why)
            }
        }
    }

    /// What every attack action needs (TC-5, TC-8).
    #[inline(always)]
    pub(super) fn may_attack(&self, view: &View<'_>) -> Result<(), Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.attack_actions >= self.plan.rules.attack_actions {
            return Err(Obstacle::NoAttackLeft);
        }
        view.affords(Cost::Full)
    }

    #[inline(always)]
    fn legal_with(
        &self,
        view: &View<'_>,
        aim: Aim,
        index: u8,
        weapon: Arm,
        desperate: bool,
    ) -> Result<What, Obstacle> {
        if view.body.in_hand & (1 << index) == 0 || (desperate && weapon.kind != WeaponKind::Ranged)
        {
            return Err(Obstacle::NoWeapon);
        }
        let target = self.target(view, aim, weapon.range)?;
        let flags = view.actor.flags;
        let hurried = flags.any(Flags::UNSETTLED.and(Flags::SPOILED)) || desperate;
        let spoiled = flags.any(Flags::SPOILED) || desperate;
        let (needs_set, single, mastery) = match weapon.kind {
            WeaponKind::Melee => (
                flags.any(Flags::MELEE_UNSET),
                flags.any(Flags::ENTERED),
                true,
            ),
            WeaponKind::Ranged => (
                flags.any(Flags::SHOT_UNSET) && !view.profile.fires_unset,
                hurried,
                !spoiled,
            ),
            WeaponKind::Thrown => (false, hurried, !spoiled),
        };
        if needs_set != desperate {
            return Err(if desperate {
                Obstacle::NeedsNoSet
            } else {
                Obstacle::NeedsSet
            });
        }
        let attacks = if single { 1 } else { weapon.attacks };
        Ok(What::Attack {
            target,
            weapon: index,
            attacks,
            mastery,
            desperate,
        })
    }

    /// W-3, TC-6.
    #[inline(always)]
    fn legal_move(
        &self,
        view: &View<'_>,
        aim: Aim,
        advance: bool,
        units: u16,
        stop: Units,
    ) -> Result<What, Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.marks < 1 {
            return Err(Obstacle::Marks);
        }
        if view.move_left() < 1 {
            return Err(Obstacle::NoMoveLeft);
        }
        let target = self.target(view, aim, Units::MAX)?;
        let foe = usize::from(target);
        if !self.wants_step(view.who, foe, advance, stop) {
            return Err(Obstacle::InPlace);
        }
        if !advance && self.retreat_step(view.who, foe).is_none() {
            return Err(Obstacle::Wall);
        }
        Ok(What::Move {
            target,
            advance,
            units,
            stop,
        })
    }

    /// TC-16: whether a CAR move is legal, and to whom.
    fn legal_car(&self, view: &View<'_>, aim: Aim) -> Result<What, Obstacle> {
        self.may_car(view)?;
        let farthest = self.car_reaches(view);
        let target = self
            .select(view.who, aim, view.body.reach + 1, farthest)
            .ok_or(Obstacle::NoTarget)?;
        Ok(What::Car {
            target: target as u8,
        })
    }

    /// How far off an enemy may be for a CAR move (TC-16); as an option within Land Speed too.
    pub(super) fn car_reaches(&self, view: &View<'_>) -> Units {
        if self.plan.rules.car_counts_as_move {
            view.profile
                .car
                .min(view.body.reach.saturating_add(view.move_left()))
        } else {
            view.profile.car
        }
    }

    /// TC-16: what a CAR move needs, deciding or reacting, but for its target.
    pub(super) fn may_car(&self, view: &View<'_>) -> Result<(), Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.cars >= self.plan.rules.car_per_round {
            return Err(Obstacle::Used);
        }
        if view.in_melee() {
            return Err(Obstacle::InMelee);
        }
        if melee_weapon(view, 0).is_none() {
            return Err(Obstacle::NoWeapon);
        }
        Ok(())
    }

    /// TC-17.
    fn legal_charge(
        &self,
        view: &View<'_>,
        aim: Aim,
        choice: WeaponChoice,
    ) -> Result<What, Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        if view.actor.charges >= self.plan.rules.charges_per_round {
            return Err(Obstacle::Used);
        }
        view.affords(Cost::Quarter)?;
        let weapon = match choice {
            WeaponChoice::First => melee_weapon(view, 0),
            WeaponChoice::Only(weapon) => {
                Some(weapon).filter(|weapon| view.body.in_hand & (1 << weapon) != 0)
            }
        }
        .ok_or(Obstacle::NoWeapon)?;
        let reach = view.combatant.weapons[usize::from(weapon)].range;
        let farthest = reach.saturating_add(view.move_left());
        let target = self
            .select(view.who, aim, reach + 1, farthest)
            .ok_or(Obstacle::NoTarget)? as u8;
        Ok(What::Charge { target, weapon })
    }

    /// Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self, who: usize) -> Units {
        self.plan.profiles[who].speed - self.actor(who).moved_units
    }

    /// The value of a variable. What is asked of a target that is not there is 0.
    #[inline(always)]
    pub(super) fn value(
        &self,
        variable: Variable,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> i64 {
        let View {
            who, actor, body, ..
        } = *view;
        let distance = target.map_or(0, |(_, distance)| distance);
        let target = target.map(|(foe, _)| foe);
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, value);
        match variable {
            Variable::Distance => distance.into(),
            Variable::Mark => self.state.mark.into(),
            Variable::Marks => actor.marks.into(),
            Variable::Score => actor.score.into(),
            Variable::Round => self.state.round.into(),
            Variable::Hp => body.health.into(),
            Variable::MaxHp => self.most_health(who),
            Variable::HpPercent => self.health_percent(who),
            Variable::TargetHp => target.map_or(0, |foe| self.world().bodies[foe].health.into()),
            Variable::TargetMaxHp => of_target(&|foe| self.most_health(foe)),
            Variable::TargetHpPercent => of_target(&|foe| self.health_percent(foe)),
            Variable::MoveLeft => view.move_left().into(),
            Variable::Moved => actor.flags.any(Flags::MOVED).into(),
            Variable::Acted => actor.flags.any(Flags::ACTED.and(Flags::MOVED)).into(),
            Variable::Attacked => (actor.attack_actions > 0).into(),
            Variable::Ready => is_ready(view).into(),
            Variable::InMelee => view.in_melee().into(),
            Variable::Threatened => members(view.enemies)
                .any(|foe| self.world().distance(who, foe) <= self.world().bodies[foe].reach)
                .into(),
            Variable::Casting => actor.spell.is_some().into(),
            Variable::Channelling => actor.channelling().into(),
            Variable::TargetCasting => of_target(&|foe| self.actor(foe).spell.is_some().into()),
            Variable::TargetChannelling => of_target(&|foe| self.actor(foe).channelling().into()),
            Variable::TargetReady => of_target(&|foe| is_ready(&self.view(foe)).into()),
            Variable::TargetInReach => (target.is_some() && distance <= body.reach).into(),
            Variable::Allies => {
                let side = self.plan.sides[view.combatant.side];
                (side & self.world().standing & !bit(who))
                    .count_ones()
                    .into()
            }
            Variable::Enemies => view.enemies.count_ones().into(),
            Variable::Prone => body.prone.into(),
            Variable::TargetProne => of_target(&|foe| self.world().bodies[foe].prone.into()),
            Variable::CanCar => {
                (view.profile.car >= 0 && actor.cars < self.plan.rules.car_per_round).into()
            }
            Variable::Uses(item) => body.uses[usize::from(item)].into(),
            Variable::InHand(weapon) => (body.in_hand >> weapon & 1).into(),
        }
    }

    fn most_health(&self, who: usize) -> i64 {
        self.plan.fight.combatants[who].health.into()
    }

    fn health_percent(&self, who: usize) -> i64 {
        i64::from(self.world().bodies[who].health) * 100 / self.most_health(who)
    }
}

/// Whether a set has one member (none counts too). `is_power_of_two` would count bits, which the
/// oldest machines in use have no instruction for.
#[inline]
pub(super) const fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// TC-9, TC-10: only where something is un-set; for melee, with an enemy in reach.
#[inline(always)]
fn legal_set(view: &View<'_>) -> Result<What, Obstacle> {
    view.affords(Cost::Quarter)?;
    if view.body.prone {
        return Err(Obstacle::Prone);
    }
    if is_ready(view) {
        Err(Obstacle::NeedsNoSet)
    } else {
        Ok(What::Set)
    }
}

/// TC-15: breaking a Channel leaves only movement and free actions.
fn after_broken_channel(view: &View<'_>, action: &Action) -> Result<(), Obstacle> {
    let left = match action {
        Action::Advance { .. } | Action::Retreat { .. } | Action::Wait(_) | Action::Pass => true,
        Action::Car => true,
        Action::Use(item) => view.combatant.items[usize::from(*item)].cost == Cost::Free,
        _ => false,
    };
    if left { Ok(()) } else { Err(Obstacle::Broken) }
}

/// The first melee weapon in hand that reaches so far.
pub(super) fn melee_weapon(view: &View<'_>, distance: Units) -> Option<u8> {
    view.combatant
        .weapons
        .iter()
        .enumerate()
        .position(|(index, weapon)| {
            weapon.kind == WeaponKind::Melee
                && view.body.in_hand & (1 << index) != 0
                && weapon.range >= distance
        })
        .map(|index| index as u8)
}

/// What is un-set among what a Set serves (TC-9, TC-10, TC-14).
#[inline]
pub(super) fn set_serves(view: &View<'_>) -> Flags {
    view.actor
        .flags
        .among(view.profile.would_set(view.body.in_hand))
}

/// Whether a Set would help with nothing now; for melee it helps with an enemy in reach.
#[inline]
fn is_ready(view: &View<'_>) -> bool {
    let serves = set_serves(view);
    !serves.any(Flags::SHOT_UNSET.and(Flags::SKILL_UNSET))
        && !(serves.any(Flags::MELEE_UNSET) && view.in_melee())
}
