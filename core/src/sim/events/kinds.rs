//! The kinds of actions, attacks and moves of which events speak, and their obstacles.

use crate::fight::budget::MOST_RESOURCES;
use crate::names::named;
use serde::Serialize;

named! {
    /// Why an attack is made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(missing_docs, reason = "the names are the rule book's")]
    pub enum AttackKind, fn describe {
        Attack "attacks";
        Desperate "attacks";
        Counter "counters";
        Charge "strikes in the charge at";
    }
}

named! {
    /// How a combatant came to move.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(missing_docs, reason = "the names are the rule book's")]
    pub enum MoveKind, fn describe {
        Advance "moves";
        Retreat "moves";
        Car "intercepts";
        Charge "charges";
        CombatCasting "moves while casting";
    }
}

named! {
    /// The effect on a combatant of moving on beyond its endurance (MA-6).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Effort, fn describe {
        /// It moves on as before.
        GoesOn "goes on";
        /// It moves on at half of every rate this turn.
        Tires "tires";
        /// It does not move this turn.
        Stops "moves no more this turn";
        /// It does not move this turn, and lies on the ground.
        Trips "trips";
        /// It moves no more in this encounter.
        Collapses "collapses";
    }
}

named! {
    /// Why a policy line was not taken.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(missing_docs, reason = "`describe` says it")]
    pub enum Obstacle, fn describe {
        Condition "its condition does not hold";
        Marks "not enough Marks left";
        NoTarget "no enemy it can reach";
        NoAlly "no ally it can reach";
        NobodyCasts "no enemy is casting";
        OneOfAll "the one it is about is out of reach";
        NoWeapon "no fitting weapon in hand";
        NoAttackLeft "no attack action left this Round";
        NeedsSet "a Set is needed first";
        NeedsNoSet "no Set is needed";
        NoMoveLeft "not enough Land Speed left";
        InPlace "already near enough";
        FarEnough "already that far away";
        NoDistance "it comes to less than one Unit";
        Wall "against the wall";
        NotAtBorder "not at a border of the arena, nor at an exit";
        Prone "on the ground";
        Upright "not on the ground";
        Stunned "stunned";
        Used "none left";
        Acted "something was done already this Round";
        Broken "after a broken Channel only moves and free actions";
        InMelee "already in melee";
        InHand "already in hand";
        NotInHand "not in hand";
        Disarmed "it has been taken away or dropped";
        TooManyFree "too many free actions at one instant";
        NoAction "no action left this turn";
        Phase "not in this phase of the Round";
        Undeclared "not what it has declared";
        LacksFirst "not enough left of the first resource";
        LacksSecond "not enough left of the second resource";
        LacksThird "not enough left of the third resource";
        LacksFourth "not enough left of the fourth resource";
        Divided "an action was divided already this turn";
        NoDice "not enough dice left";
        NoYardsLeft "no yards left this turn";
        OtherMode "moves in another mode this turn";
        Collapsed "collapsed: no more movement";
        NoWillpower "no Willpower left, or some spent this turn";
        Clumsy "too clumsy to share an action";
        NoComplex "no Complex Action left in this stage";
        NoQuick "no Quick Action left in this stage";
        Started "something was done already";
        Waits "it waits for a trigger already";
        TaskDone "the task is done";
        NoUnitsLeft "no Units left";
        Delayed "this is a delayed action already";
        NoDelays "the rules forbid delays";
        DelayedBefore "delayed already this Round";
        NobodyLeft "no other turn is still to come";
        SwitchedOff "switched off in [rules]";
    }
}

impl Obstacle {
    /// Too little is left of each resource of a turn, in their order.
    pub const LACKS: [Self; MOST_RESOURCES] = [
        Self::LacksFirst,
        Self::LacksSecond,
        Self::LacksThird,
        Self::LacksFourth,
    ];
}

/// What an action is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Attacks.
    #[default]
    Attack,
    /// A walk.
    Move,
    /// A move into reach as a free action, at once (TC-16).
    Car,
    /// A charge (TC-17).
    Charge,
    /// An attack in answer to a miss (TC-18).
    Counter,
    /// A spell from its beginning, a Channel or a ritual.
    Cast,
    /// Getting ready: a Set, drawing a weapon, standing up.
    Prepare,
    /// The use of an item.
    Use,
    /// Work at a task.
    Work,
    /// A wait for Marks to pass.
    Wait,
    /// Readying, delaying or holding an action.
    Ready,
    /// Ongoing damage or regeneration.
    Upkeep,
    /// A lost action.
    Lost,
}

impl ActionKind {
    /// Whether the action keeps its combatant busy until it is free again, if actions take Marks.
    pub const fn lasts(self) -> bool {
        matches!(
            self,
            Self::Attack
                | Self::Charge
                | Self::Cast
                | Self::Prepare
                | Self::Use
                | Self::Work
                | Self::Wait
        )
    }

    /// Whether the next action of the same kind continues the block.
    pub const fn goes_on(self) -> bool {
        matches!(self, Self::Move | Self::Wait | Self::Upkeep)
    }
}

impl AttackKind {
    /// Returns the action whose result the attack is.
    pub(super) const fn action(self) -> ActionKind {
        match self {
            Self::Attack | Self::Desperate => ActionKind::Attack,
            Self::Counter => ActionKind::Counter,
            Self::Charge => ActionKind::Charge,
        }
    }
}

impl MoveKind {
    /// Returns the action that the move is, unless it is part of a spell.
    pub(super) const fn action(self) -> Option<ActionKind> {
        match self {
            Self::Advance | Self::Retreat => Some(ActionKind::Move),
            Self::Car => Some(ActionKind::Car),
            Self::Charge => Some(ActionKind::Charge),
            Self::CombatCasting => None,
        }
    }
}
