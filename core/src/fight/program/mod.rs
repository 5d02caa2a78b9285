//! The compiled policy: its lines, with all names resolved.

mod condition;

pub use condition::{Comparison, Condition, Next, Polynomial, Quantity, Test};

use super::{Units, Variable};
use crate::names::named;
use std::sync::Arc;

/// The most Units that a move names: no Land Speed is greater.
pub(crate) const MOST_UNITS: i64 = 1000;

/// The action of a policy line, with all names resolved to indices into the combatant's own lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `attack [with WEAPON]`: the attack action (TC-8). Of this and of other actions with a weapon, an index into the
    /// combatant's weapons; without, the first weapon that can be used.
    Attack(Option<u8>),
    /// `desperate`: a Desperate Shot (TC-11).
    Desperate(Option<u8>),
    /// `set` (TC-9, TC-10).
    Set,
    /// `advance [MODE] [N] [to D]`: stopping at a distance of D (without: at reach).
    Advance(Move),
    /// `retreat [MODE] [N] [to D]`: stopping at a distance of D (without: never).
    Retreat(Move),
    /// `cast SPELL` (TC-12): index into the combatant's spells.
    Cast(u8),
    /// `channel SPELL [until CONDITION]` (TC-15): index into the combatant's spells.
    Channel {
        /// Index into the combatant's spells.
        spell: u8,
        /// What breaks the Channel.
        until: Option<Condition>,
    },
    /// `combat_cast advance|retreat` (TC-14); `true` is advance.
    CombatCast {
        /// Towards the target, or away from it.
        advance: bool,
    },
    /// `car` (TC-16).
    Car,
    /// `charge` (TC-17).
    Charge(Option<u8>),
    /// `use ITEM`: index into the combatant's items.
    Use(u8),
    /// `draw [WEAPON]`; without, the first weapon that is not in hand.
    Draw(Option<u8>),
    /// `sheathe WEAPON`, by index among the combatant's weapons.
    Sheathe(u8),
    /// `stand`: get up.
    Stand,
    /// `wait K` (TC-23).
    Wait(u8),
    /// `delay up|down` (TC-4); `true` rounds up.
    Delay {
        /// Whether half an odd Score is rounded up.
        up: bool,
    },
    /// `delay [yield N] [until CONDITION]` (CD-2).
    Await {
        /// The most others that come in at the same moment and may go first.
        yields: u8,
        /// The condition for coming in; asked after each turn of another combatant.
        until: Condition,
    },
    /// `ready ACTION when TRIGGER` (CD-3).
    Ready(Box<Readied>),
    /// `cancel`: a triggered action is not taken (CD-3).
    Cancel,
    /// `delay`: the action is put off (EP-6).
    PutOff,
    /// `task TASK` (EP-3): index into the combatant's tasks.
    Task(u8),
    /// `spend moxie` (EP-5).
    SpendMoxie,
    /// `interrupt`: the delayed action is taken (EP-6).
    Interrupt,
    /// `hold`: the delayed action is kept for a later Phase (EP-6).
    Hold,
    /// `pick`: the target has the next turn.
    Pick,
    /// `seize [for TRAIT]`: it has the turn in place of an enemy that would be next. The points that this takes.
    Seize(Vec<(u8, i16)>),
    /// `declare ACTION`: its next turn may hold no other.
    Declare(Box<Feat>),
    /// `declare KIND`: the kind of its next turn, by index.
    DeclareTurn(u8),
    /// `swap`: the target and its owner take one another's place.
    Swap,
    /// `surrender`, or the end of `flee`: out of the fight with the health that is left (W-10).
    Leave(Leaving),
    /// `pass`: done for this Round.
    Pass,
}

impl Action {
    /// Whether it does something; waiting, in whatever way, does not.
    pub const fn is_deed(&self) -> bool {
        !matches!(
            self,
            Self::Wait(_)
                | Self::Delay { .. }
                | Self::Await { .. }
                | Self::Ready(_)
                | Self::Cancel
                | Self::PutOff
                | Self::SpendMoxie
                | Self::Interrupt
                | Self::Hold
                | Self::Pick
                | Self::Seize(_)
                | Self::Declare(_)
                | Self::DeclareTurn(_)
                | Self::Swap
                | Self::Pass
        )
    }

    /// Whether it takes an action on clocks with free moves, so that its line can be skipped when no action is left.
    pub const fn takes_action(&self) -> bool {
        !matches!(
            self,
            Self::Advance(_) | Self::Retreat(_) | Self::Leave(_) | Self::Pass
        )
    }
}

/// The results of a roll after which lines are asked, besides the degrees of a check: an attack of one's own has worked or
/// failed, or one on it has worked.
pub const AFTER: &[&str] = &["won", "lost", STRUCK];

/// The result that is about the attack of another.
pub const STRUCK: &str = "struck";

named! {
    /// How a combatant leaves a fight (W-10).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Leaving, fn describe {
        /// Over a border of the arena.
        Flees "flees";
        /// Where it stands.
        Surrenders "surrenders";
    }
}

/// An action that waits for its trigger (CD-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readied {
    /// The action.
    pub feat: Feat,
    /// The combatants that may be its target, one bit each.
    pub targets: u64,
    /// The target of a line that names none, if the combatant that triggers it can never be its target.
    pub otherwise: Option<Aim>,
    /// The combatants whose deeds can trigger it, one bit each; never the combatant itself.
    pub by: u64,
    /// The trigger.
    pub when: When,
    /// Of a reaction, the index of the resource of which it takes one.
    pub resource: u8,
}

/// The deed of another combatant that triggers a readied action (CD-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum When {
    /// `comes-within N`: it has moved a Unit that brings it within this distance.
    ComesWithin(u32),
    /// `leaves N`: it has moved a Unit that takes it beyond this distance.
    Leaves(u32),
    /// `moves`: it is about to move a Unit.
    Moves,
    /// `attacks`: it has declared an attack.
    Attacks {
        /// Whether the target is the combatant with the readied action.
        me: bool,
    },
    /// `casts`: it has declared a spell.
    Casts,
    /// `uses`: it is about to use an item.
    Uses,
    /// `draws`: it is about to draw a weapon.
    Draws,
    /// `falls`: it has fallen.
    Falls,
    /// `acts`: it is about to do anything.
    Acts,
    /// `leaves-reach`: it is about to move a Unit out of the reach of the one who reacts.
    LeavesReach,
    /// `ends-turn`: its turn has ended.
    EndsTurn,
}

impl When {
    /// Whether only `react` lines wait for it.
    pub const fn is_of_reactions(self) -> bool {
        matches!(self, Self::LeavesReach | Self::EndsTurn)
    }
}

/// How far a move goes (W-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The mode, where the clock knows modes (MA-4).
    pub mode: Mode,
    /// Units committed to; `None` is one Unit at a time.
    pub units: Option<Amount>,
    /// Distance at which to stop.
    pub to: Option<Amount>,
}

/// A number of Units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// The same whenever the line is taken.
    Fixed(u32),
    /// Worked out when the line is taken.
    Sum(Polynomial),
}

impl Amount {
    /// Returns the number. `value` gives each variable that it needs.
    #[inline]
    fn work_out(&self, value: &mut dyn FnMut(Variable) -> i64) -> i64 {
        match self {
            Self::Fixed(units) => i64::from(*units),
            Self::Sum(sum) => sum.value(value),
        }
    }
}

impl Move {
    /// Whether it is the same whenever the line is taken.
    pub fn is_fixed(&self) -> bool {
        let mut amounts = self.units.iter().chain(&self.to);
        amounts.all(|amount| matches!(amount, Amount::Fixed(_)))
    }

    /// Units committed to, 1 if the line names none; `None` if they come to less than 1. They are at most `MOST_UNITS`:
    /// no Land Speed is greater.
    #[inline]
    pub fn committed(&self, mut value: impl FnMut(Variable) -> i64) -> Option<u16> {
        let Some(units) = &self.units else {
            return Some(1);
        };
        let units = units.work_out(&mut value);
        (units >= 1).then(|| units.min(MOST_UNITS) as u16)
    }

    /// The distance at which to stop, `otherwise` if the line names none; `None` if it comes to less than 0.
    #[inline]
    pub fn stop(&self, otherwise: Units, mut value: impl FnMut(Variable) -> i64) -> Option<Units> {
        let Some(to) = &self.to else {
            return Some(otherwise);
        };
        let distance = to.work_out(&mut value);
        (distance >= 0).then(|| Units::try_from(distance).unwrap_or(Units::MAX))
    }

    /// Returns [`Move::stop`] and [`Move::committed`], unless one of them is `None`.
    #[inline]
    pub fn worked_out(
        &self,
        otherwise: Units,
        value: impl Fn(Variable) -> i64,
    ) -> Option<(Units, u16)> {
        Some((self.stop(otherwise, &value)?, self.committed(&value)?))
    }
}

named! {
    /// A mode of movement (MA-4).
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
    )]
    #[serde(rename_all = "snake_case")]
    #[expect(missing_docs, reason = "the names are the rule book's")]
    pub enum Mode {
        Walk "walk";
        Jog "jog";
        #[default]
        Run "run";
        Swim "swim";
        Fly "fly";
        Climb "climb";
    }
}

/// The target of a line (W-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Aim {
    /// The nearest enemy; ties by file order.
    Nearest,
    /// The enemy with least health left.
    Weakest,
    /// The enemy with most health left.
    Strongest,
    /// The weakest of all enemies that stand; no target while that one is out of reach.
    WeakestOfAll,
    /// The strongest of all enemies that stand, likewise.
    StrongestOfAll,
    /// An enemy that is casting.
    Casting,
    /// The combatant that triggered a readied action (CD-3).
    Trigger,
    /// The combatant itself.
    Own,
    /// The nearest ally of this set of combatants (a bit each, by file order), without the combatant itself.
    Ally(u64),
    /// The ally with least health left, without the combatant itself.
    WeakestAlly,
    /// The nearest ally of this set that stands or is down (W-18).
    AllyOrDown(u64),
    /// The ally with least health left that stands or is down (W-18).
    WeakestAllyOrDown,
    /// The enemies in this set of combatants (a bit each, by file order), nearest first; once all
    /// of them have fallen, the nearest enemy.
    Named(u64),
}

impl Aim {
    /// Whether the target is on the side of the combatant.
    #[inline]
    pub const fn is_friendly(self) -> bool {
        matches!(self, Self::Own | Self::Ally(_) | Self::WeakestAlly) || self.reaches_down()
    }

    /// Whether allies that are down may be the target (W-18).
    #[inline]
    pub const fn reaches_down(self) -> bool {
        matches!(self, Self::AllyOrDown(_) | Self::WeakestAllyOrDown)
    }

    /// The same with allies that are down, if it is about allies.
    #[must_use]
    pub const fn or_down(self) -> Self {
        match self {
            Self::Ally(some) => Self::AllyOrDown(some),
            Self::WeakestAlly => Self::WeakestAllyOrDown,
            other => other,
        }
    }
}

/// One line of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The action.
    pub action: Action,
    /// The target. Lines without a target have [`Aim::Nearest`], for their variables.
    pub aim: Aim,
    /// Further parts of the same action, among which the pool is divided (MA-3).
    pub more: Vec<Feat>,
    /// Dice of each part; evenly, if it is empty.
    pub split: Vec<u8>,
    /// Index of the part that gets a sure success for a point of Willpower, from 0 (MD-4).
    pub willpower: Option<u8>,
    /// The result after which it is asked, if it is asked after rolls.
    pub after: Option<Arc<str>>,
    /// The condition of the line.
    pub condition: Condition,
    /// Index of the line in the policy as written, from 0.
    pub number: u16,
}

impl Line {
    /// All parts of its action, in order, each with its target.
    pub fn feats(&self) -> impl Iterator<Item = (&Action, Aim)> {
        let more = self.more.iter().map(|feat| (&feat.action, feat.aim));
        std::iter::once((&self.action, self.aim)).chain(more)
    }
}

/// One part of an action that has several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feat {
    /// The action.
    pub action: Action,
    /// The target.
    pub aim: Aim,
}

/// An occasion on which the lines of a policy are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Whenever the combatant is free to decide, from the top: every line but those of the other windows. `car` lines
    /// are asked here too.
    Free,
    /// After every event: `anytime` lines (W-8).
    Anytime,
    /// When the Score is rolled: `delay up` and `delay down`.
    Score,
    /// When an enemy moves inside the radius: `car`.
    EnemyMoves,
    /// While casting: `combat_cast`.
    Casting,
    /// When the trigger of the readied action happens: `cancel`.
    Triggered,
    /// As a Phase begins: `spend moxie` (EP-5).
    PhaseBegins,
    /// While an action is delayed: `interrupt` (EP-6).
    Delayed,
    /// At the end of a Phase in which an action is still delayed: `hold` (EP-6).
    PhaseEnds,
    /// When it says who has the next turn: `pick`.
    Pick,
    /// When an enemy would have the next turn, before one's own: `seize`.
    Seize,
    /// As a Round begins in which actions or kinds of turn are declared: `declare`.
    Declare,
    /// When keys are new: `swap`.
    Swap,
    /// When an event happens to which it may react: `react`.
    React,
    /// Once the roll of an attack is known, before it takes effect: `after RESULT` lines.
    AfterRoll,
}

/// A policy. Its lines are kept apart by the window in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// The policy's name, or empty for one written in place.
    pub name: String,
    /// The lines as written, for traces and messages.
    pub text: Vec<String>,
    /// The number of last decisions that are not of the policy: actions among which a search for the best play chooses,
    /// together with those of the policy.
    pub offered: usize,
    /// The number of last lines after rolls that are not of the policy.
    pub offered_after: usize,
    /// The lines of each [`Window`].
    pub windows: [Vec<Line>; Window::AfterRoll as usize + 1],
}

impl Policy {
    /// All lines, of every window.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.windows.iter().flatten()
    }

    /// The lines that are asked in a window.
    #[inline]
    pub const fn at(&self, window: Window) -> &Vec<Line> {
        &self.windows[window as usize]
    }

    /// The lines that are asked whenever the combatant is free to decide.
    #[inline]
    pub const fn decisions(&self) -> &Vec<Line> {
        self.at(Window::Free)
    }

    /// The line with a number among those that a search may take: the decisions, then those after rolls.
    pub fn open_line(&self, index: u16) -> Option<&Line> {
        let after = self.at(Window::AfterRoll);
        self.decisions().iter().chain(after).nth(index.into())
    }

    /// Whether the line with such a number is of the policy, and no offer.
    pub const fn is_own(&self, index: u16) -> bool {
        let (index, decisions) = (index as usize, self.decisions().len());
        if index < decisions {
            index < decisions - self.offered
        } else {
            index - decisions < self.at(Window::AfterRoll).len() - self.offered_after
        }
    }

    /// Every variable that a line may read: in its condition, in the condition that ends its action, and in the
    /// distances of a move. With repeats.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.lines().flat_map(|line| {
            let until = match &line.action {
                Action::Channel { until, .. } => until.as_ref(),
                Action::Await { until, .. } => Some(until),
                _ => None,
            };
            let action = match &line.action {
                Action::Ready(readied) => &readied.feat.action,
                action => action,
            };
            let way = match action {
                Action::Advance(way) | Action::Retreat(way) => Some(way),
                _ => None,
            };
            let amounts = way
                .into_iter()
                .flat_map(|way| way.units.iter().chain(&way.to));
            let sums = amounts.filter_map(|amount| match amount {
                Amount::Fixed(_) => None,
                Amount::Sum(sum) => Some(sum.variables()),
            });
            let conditions = until.into_iter().chain([&line.condition]);
            conditions
                .flat_map(Condition::variables)
                .chain(sums.flatten())
        })
    }

    /// Whether any line moves while casting (TC-14).
    pub fn moves_while_casting(&self) -> bool {
        self.lines()
            .any(|line| matches!(line.action, Action::CombatCast { .. }))
    }

    /// Whether any line leaves the fight in this way (W-10).
    pub fn leaves(&self, how: Leaving) -> bool {
        let mut decisions = self.decisions().iter();
        decisions.any(|line| line.action == Action::Leave(how))
    }

    /// Whether any line spends Willpower (MD-4).
    pub fn spends_willpower(&self) -> bool {
        self.lines().any(|line| line.willpower.is_some())
    }
}
