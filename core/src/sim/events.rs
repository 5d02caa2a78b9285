//! The events of an encounter, for traces and tests.
//!
//! A clock reports every event to an [`Observer`](super::Observer) as it happens. Combatants, weapons, spells, items and
//! policy lines are indices into the [`Fight`](crate::fight::Fight).

use crate::fight::check::{CheckKind, CriticalDamage};
use crate::fight::health::Diminished;
use crate::fight::lasting::Until;
use crate::fight::program::Leaving;
use crate::fight::sum::Sum;
use crate::fight::{Ending, Marks, Units};
use crate::names::named;
use serde::Serialize;
use std::ops::Not;

/// The time of an event: in Tara-Corax, a Round and a Mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Moment {
    /// The Round, from 1.
    pub round: u32,
    /// The Mark, from `round_marks` down to 0.
    pub mark: Marks,
}

/// Why an attack is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the rule book's")]
pub enum AttackKind {
    Attack,
    Desperate,
    Counter,
    Charge,
}

/// How a combatant came to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the rule book's")]
pub enum MoveKind {
    Advance,
    Retreat,
    Car,
    Charge,
    CombatCasting,
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
        TaskDone "the task is done";
        NoUnitsLeft "no Units left";
        Delayed "this is a delayed action already";
        NoDelays "the rules forbid delays";
        DelayedBefore "delayed already this Round";
        NobodyLeft "no other turn is still to come";
        SwitchedOff "switched off in [rules]";
    }
}

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "fields are named for what they are; `who` does it, `target` suffers it"
)]
pub enum Event {
    /// A Round begins.
    Round,
    /// A Score is known (TC-3); `owed` Marks of a spell or an action came off (TC-5, TC-12). If it is
    /// `shared`, the first who shares it has rolled.
    Score {
        who: usize,
        score: Marks,
        owed: Marks,
        shared: bool,
        sum: Sum,
    },
    /// The Score is halved (TC-4).
    Delay {
        who: usize,
        line: usize,
        score: Marks,
    },
    /// No Score this Round: a whole Round or more of Marks is owed (TC-12).
    RoundSkipped { who: usize, owed: Marks },
    /// A policy line was not taken.
    Rejected {
        who: usize,
        line: usize,
        why: Obstacle,
    },
    /// A policy line was taken.
    Decision { who: usize, line: usize },
    /// No line was legal, or the policy passes; the Marks left are forfeited unless a reaction comes.
    Pass { who: usize, marks: Marks },
    /// An attack action begins, with that number of attacks (TC-8).
    AttackAction {
        who: usize,
        target: usize,
        weapon: usize,
        attacks: usize,
        kind: AttackKind,
    },
    /// One attack: the roll against the target number.
    Attack {
        who: usize,
        target: usize,
        weapon: usize,
        kind: AttackKind,
        total: i64,
        needed: i64,
        hit: bool,
        sum: Sum,
    },
    /// The attack or spell that hits is a critical hit: by the natural total of its roll or, without a `damage` of its
    /// own, by doubles, which ignore armour (EP-9).
    CriticalHit {
        who: usize,
        damage: Option<CriticalDamage>,
    },
    /// Attacks for which the Round has no Mark left (TC-8).
    Forfeited { who: usize, attacks: usize },
    /// An attack without a target (W-4).
    Lost { who: usize },
    /// A hazard strikes (W-14).
    Hazard { hazard: usize },
    /// A combatant comes into the fight (W-12).
    Enters { who: usize },
    /// A combatant leaves the fight with the health that is left. If it acts together with others, it leaves when all
    /// have acted (W-10).
    Leaves { who: usize, how: Leaving },
    /// A spell or, without one, an attack has fewer successes than required, but some: it does that share of its damage
    /// (MD-3).
    Diminished {
        who: usize,
        spell: Option<usize>,
        share: Diminished,
    },
    /// An attack is not made, because its weapon is not in hand: getting it ready has failed (MA-3), or it has been taken
    /// (W-11). With `prone`, because the attacker has been thrown to the ground.
    Unready {
        who: usize,
        #[serde(skip_serializing_if = "Not::not")]
        prone: bool,
    },
    /// A roll to get a weapon ready (MA-3).
    ReadyRoll {
        who: usize,
        net: i64,
        needed: i64,
        works: bool,
    },
    /// A spell's roll against the target number.
    SpellCheck {
        who: usize,
        target: usize,
        spell: usize,
        total: i64,
        needed: i64,
        hit: bool,
        sum: Sum,
    },
    /// Damage after armour; `rolled` is the damage before. `health` is the remaining health, unless the damage counts
    /// `later` (W-5).
    Damage {
        who: usize,
        target: usize,
        rolled: i64,
        amount: i32,
        health: i32,
        later: bool,
        sum: Sum,
    },
    /// Damage that was put off counts now (W-5).
    DamageCounts {
        target: usize,
        amount: i32,
        health: i32,
    },
    /// A combatant falls.
    Fall { who: usize },
    /// A combatant goes down: healing may make it stand again (W-18).
    GoesDown { who: usize },
    /// A combatant that was down has been healed, and stands again.
    StandsAgain { who: usize },
    /// The checks so far of a combatant that is down, after another one (W-18).
    Save {
        who: usize,
        successes: u8,
        failures: u8,
        stable: bool,
    },
    /// A combatant that was down is out for good (W-18).
    LostForGood { who: usize },
    /// Temporary health is gained or, below 0, taken by damage; `left` is there then (W-18).
    TemporaryHealth { who: usize, change: i32, left: i32 },
    /// One Unit moved.
    Step {
        who: usize,
        from: Units,
        to: Units,
        kind: MoveKind,
    },
    /// The Marks or Units of a step that was not made are spent (W-3, W-5).
    StepSpent { who: usize, toll: Units },
    /// A combatant takes the Set action, for that number of Marks.
    Set { who: usize, marks: Marks },
    /// A spell begins; it is due at `mark`, `rounds` from now (TC-12).
    Cast {
        who: usize,
        spell: usize,
        target: usize,
        #[serde(rename = "due_mark")]
        mark: Marks,
        rounds: u32,
    },
    /// A spell or Channel takes effect.
    Effect {
        who: usize,
        spell: usize,
        target: usize,
    },
    /// A spell or Channel found no target.
    Wasted { who: usize, spell: usize },
    /// A hit fizzles a spell (TC-13).
    Fizzle { who: usize, spell: usize },
    /// A hit might have fizzled the spell and did not (TC-13).
    Concentrates { who: usize, spell: usize },
    /// A Combat Casting check (TC-14).
    CombatCast {
        who: usize,
        total: i64,
        units: Units,
        sum: Sum,
    },
    /// A Channel begins (TC-15).
    Channel {
        who: usize,
        spell: usize,
        target: usize,
    },
    /// A Channel is broken off (TC-15).
    ChannelBroken { who: usize, spell: usize },
    /// A CAR move (TC-16).
    Car {
        who: usize,
        target: usize,
        reaction: bool,
    },
    /// A charge (TC-17).
    Charge { who: usize, target: usize },
    /// An item is used; `healed` is the health gained.
    Use {
        who: usize,
        item: usize,
        healed: i32,
        health: i32,
        sum: Sum,
    },
    /// An item is used on a target.
    UseOn {
        who: usize,
        item: usize,
        target: usize,
    },
    /// The check of a use; without `needed` its total is compared with the evade of each combatant that it reaches.
    UseCheck {
        who: usize,
        total: i64,
        needed: Option<i64>,
        works: bool,
        kind: CheckKind,
        sum: Sum,
    },
    /// An item is not used, because its target or its last use (`used_up`) is gone.
    UseLost { who: usize, item: u8, used_up: bool },
    /// A weapon is not drawn, because its last use is gone.
    DrawLost { who: usize, weapon: u8 },
    /// A combatant tries to resist; without a roll of its own, by its evade. With `morale`, its morale is tested (W-13).
    Resists {
        who: usize,
        total: Option<i64>,
        needed: i64,
        works: bool,
        #[serde(skip_serializing_if = "Not::not")]
        morale: bool,
        kind: CheckKind,
        sum: Sum,
    },
    /// An action gives back health.
    Healed {
        who: usize,
        healed: i32,
        health: i32,
        sum: Sum,
    },
    /// A condition begins.
    ConditionBegins {
        who: usize,
        condition: u8,
        rounds: u8,
        #[serde(skip_serializing_if = "Until::is_rounds")]
        until: Until,
        by: usize,
    },
    /// A condition does not begin, and changes nothing: the combatant has it already or, with `full`, as many conditions
    /// as it can have (W-11).
    ConditionKept {
        who: usize,
        condition: u8,
        by: usize,
        #[serde(skip_serializing_if = "Not::not")]
        full: bool,
    },
    /// A condition is over; `left` conditions of its kind last on, where several count.
    ConditionEnds { who: usize, condition: u8, left: u8 },
    /// Conditions have changed the most health that a combatant may have (W-11).
    MostHealth { who: usize, most: i32, health: i32 },
    /// The damage of a condition is due; the damage follows.
    ConditionHurts { who: usize, condition: u8 },
    /// A combatant is pushed or, with `pulled`, drawn nearer.
    Pushed {
        who: usize,
        from: Units,
        to: Units,
        #[serde(skip_serializing_if = "Not::not")]
        pulled: bool,
    },
    /// A combatant is thrown to the ground.
    KnockedDown { who: usize },
    /// A weapon is taken out of the hand of a combatant; `for_good` or until it is drawn again (W-11).
    Disarmed {
        who: usize,
        weapon: usize,
        for_good: bool,
    },
    /// Uses come back, are gained or lost: of an item, or of a weapon, whose slots follow those of all items. If a roll for
    /// them to come back has failed, the change is 0 (W-11).
    UsesChange {
        who: usize,
        slot: usize,
        change: i32,
    },
    /// A trait of the scenario's own changes for good, to `value`: its price is paid, or an effect changes it.
    TraitChanges {
        who: usize,
        own: u8,
        change: i32,
        value: i32,
    },
    /// A weapon is drawn.
    Draw { who: usize, weapon: usize },
    /// An attack begins that is the last for its weapon (W-11).
    LastUse { who: usize, weapon: usize },
    /// A weapon is dropped, or else sheathed (TC-5).
    PutAway {
        who: usize,
        weapon: usize,
        dropped: bool,
    },
    /// A combatant gets up from the ground.
    Stand { who: usize },
    /// A combatant lets Marks pass (TC-23).
    Wait { who: usize, marks: Marks },
    /// An initiative is known (MA-1); `shared` if another combatant rolled it.
    Initiative {
        who: usize,
        total: i32,
        shared: bool,
        sum: Sum,
    },
    /// The dice of a pool after all modifiers: penalties, and the dice of other parts (MA-3, MA-5, MA-8).
    Pool { who: usize, dice: u32, sum: Sum },
    /// A point of Willpower is spent on the next roll (MD-4).
    Willpower { who: usize, left: i32 },
    /// A roll has more 1s than successes (MD-2); reported after the roll.
    Botch { who: usize },
    /// A roll to go on moving beyond the combatant's endurance (MA-6).
    Endurance {
        who: usize,
        dice: u32,
        net: i64,
        botch: bool,
        outcome: Effort,
    },
    /// A roll that decides how far a combatant climbs (MA-4).
    Climb {
        who: usize,
        dice: u32,
        net: i64,
        yards: Units,
    },
    /// A turn of getting a weapon ready, with the turns still needed (MA-3).
    Ready {
        who: usize,
        weapon: usize,
        left: usize,
    },
    /// A ritual begins (MD-7).
    Ritual {
        who: usize,
        spell: usize,
        target: usize,
    },
    /// Sleepers come by, and watch in this turn (MD-5).
    Sleepers,
    /// A turn of work on a ritual, and the turns left before its next roll (MD-7).
    RitualWork {
        who: usize,
        spell: usize,
        left: usize,
    },
    /// A roll of a ritual (MD-7).
    RitualRoll {
        who: usize,
        spell: usize,
        net: i64,
        gathered: i64,
        needed: i64,
    },
    /// Paradox is gathered (MD-6).
    Paradox { who: usize, gained: u32, total: u32 },
    /// Paradox strikes back; `left` is the Paradox that remains (MD-6).
    Backlash { who: usize, left: u32 },
    /// A botch costs this turn (MD-2, MD-6).
    TurnLost { who: usize },
    /// A turn is over, with the number of actions not taken.
    TurnOver { who: usize, actions: usize },
    /// A Phase begins in which something can happen (EP-2).
    Phase { phase: u32 },
    /// A point of Moxie is spent to go first (EP-5).
    Moxie { who: usize, left: u32 },
    /// Wounds are taken; `total` is the initiative that they leave, if it is known in this turn (EP-4).
    Wound {
        who: usize,
        wounds: i32,
        total: Option<i32>,
    },
    /// A wound has moved a combatant behind, or level with, another whose place is still to come (EP-4).
    Overtaken { who: usize },
    /// An action is delayed (EP-6).
    ActionDelayed { who: usize },
    /// A delayed action is taken (EP-6).
    DelayTaken { who: usize },
    /// A delayed action is held into the next Phase (EP-6).
    Held { who: usize },
    /// A delayed action is lost, because the combatant's next action comes up (EP-6).
    DelayLost { who: usize },
    /// A test of Fray against an attack that succeeded (EP-9).
    Fray {
        who: usize,
        total: i64,
        needed: i64,
        /// Whether it is a success with doubles that counts for more than a plain one.
        critical: bool,
        defends: bool,
        sum: Sum,
    },
    /// A stage of work at a task (EP-3).
    Works {
        who: usize,
        task: usize,
        done: u32,
        needed: u32,
    },
    /// A task that is done heals its worker.
    Heals {
        who: usize,
        healed: i32,
        health: i32,
        sum: Sum,
    },
    /// A die that separates combatants with equal initiative (CD-1).
    RollOff { who: usize, face: u32 },
    /// A combatant takes this place in the order, counted from 1 including the fallen; the others close up (CD-1).
    Place { who: usize, place: usize },
    /// A combatant delays (CD-2).
    Delays { who: usize },
    /// A delayed combatant comes in after another's turn (CD-2).
    ComesIn { who: usize, after: usize },
    /// The Round ends before a delayed combatant has come in: its action is lost (CD-2).
    DelayRunsOut { who: usize },
    /// An action is readied (CD-3).
    Readied { who: usize },
    /// A readied action was not triggered before its owner's place came up again, and is lost (CD-3).
    ReadiedLapses { who: usize },
    /// `target` triggers a readied action; its owner takes it, or `cancels` (CD-3).
    Triggered {
        who: usize,
        target: usize,
        cancels: bool,
    },
    /// A readied action has become impossible and is lost (CD-3).
    ReadiedLost { who: usize, why: Obstacle },
    /// A combatant interrupts `target`; the next events are its own (CD-3).
    Interrupt { who: usize, target: usize },
    /// The interrupt is over, and `target` goes on if it still stands (CD-4).
    InterruptOver { who: usize, target: usize },
    /// A declared action has become impossible and is cancelled, and the combatant keeps its action (CD-4).
    ActionKept { who: usize },
    /// Ongoing damage is due; the damage follows (CD-5).
    Ongoing { who: usize },
    /// Further ongoing damage begins: `amount` each Round (CD-5).
    OngoingBegins { who: usize, amount: u16, rounds: u8 },
    /// Health comes back (CD-5).
    Regenerates {
        who: usize,
        healed: i32,
        health: i32,
        sum: Sum,
    },
    /// A task that is done finds no target.
    TaskWasted { who: usize, task: usize },
    /// A stage is over: no line was legal, or the policy passes.
    StageOver { who: usize },
    /// The pool of an attack after all modifiers; below 1 it is a chance die (CD-6).
    Dice { who: usize, dice: i64, sum: Sum },
    /// The encounter is over.
    End { ending: Ending },
}
