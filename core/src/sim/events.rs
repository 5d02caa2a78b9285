//! The events of an encounter: one row each, from which stories, pictures and remarks take all that they know of it.
//!
//! A clock reports every event to an [`Observer`](super::Observer) as it happens. Combatants, weapons, spells, items and
//! policy lines are indices into the [`Fight`].

mod kinds;

pub use kinds::{ActionKind, AttackKind, Effort, MoveKind, Obstacle};

use crate::fight::check::{Check, CheckKind, CriticalDamage};
use crate::fight::health::Diminished;
use crate::fight::lasting::Until;
use crate::fight::program::Leaving;
use crate::fight::sum::Sum;
use crate::fight::{Ending, Fight, Marks, Units};
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

/// What an event is to the action of its combatant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// The action begins, or goes on.
    Begins(ActionKind),
    /// The action reaches its target or, without one, is in vain.
    Results(ActionKind),
    /// It prepares the roll of the attack or spell that follows.
    Leads,
    /// It comes of the last attack or spell.
    Follows,
    /// It comes of the last attack or spell or, without one, stands for itself.
    Answers,
    /// It comes of the last attack or spell, and shows in no action.
    Happens,
    /// It stands for itself, whatever anybody does: a number of the combatant changes, or it comes in.
    Changes,
    /// The turn or stage ends, or the part in the Round.
    Ends,
    /// It orders the encounter, or is part of no action.
    Order,
}

/// The value of a field of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The event has no such field, or none now.
    Nothing,
    /// A truth value.
    Flag(bool),
    /// A number or an index.
    Number(i64),
    /// One of several possibilities, in words.
    Words(&'static str),
    /// The numbers of which a roll is made.
    Sum(Sum),
}

/// Declares the fields of events: each type, and its values.
macro_rules! fields {
    ($($value:ident: $($Type:ty)+ = $field:expr;)+) => {
        $($(impl From<$Type> for Field {
            fn from($value: $Type) -> Self {
                $field
            }
        })+)+
    };
}

fields! {
    flag: bool = Self::Flag(flag);
    number: i64 = Self::Number(number);
    small: u8 u16 u32 i32 = Self::Number(small.into());
    index: usize = Self::Number(index as i64);
    choice: Obstacle Effort AttackKind MoveKind Leaving = Self::Words(choice.describe());
    sum: Sum = Self::Sum(sum);
    _other: CheckKind CriticalDamage Diminished Ending Until = Self::Nothing;
}

impl<T: Into<Self>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, T::into)
    }
}

/// Declares the events, one row each: its fields, its class and its sentence, then labels of its action, the longest
/// first. In a sentence stands
///
/// - `{field}` for its value: the name of what it is an index of,
/// - `{field word}` for a number of things, `{=field}` for a total with all its parts, and `{+field}` for a change,
/// - `{field?yes|no}` for one of two texts: whether a flag is set, or there is a value; with `{field=value?yes|no}` whether
///   it has this value, or that of another field.
macro_rules! events {
    ($(
        $(#[$about:meta])*
        $Event:ident $({ $($(#[$attribute:meta])* $field:ident: $Type:ty),+ })? = $class:expr, $($text:literal),+;
    )+) => {
        /// An event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(tag = "event", rename_all = "snake_case")]
        #[expect(missing_docs, reason = "fields are named for what they are; `who` does it, `target` suffers it")]
        pub enum Event {
            $($(#[$about])* $Event $({ $($(#[$attribute])* $field: $Type),+ })?,)+
        }

        impl Event {
            /// Returns the value of the field with this name.
            pub fn field(&self, name: &str) -> Field {
                match *self {
                    $(Self::$Event $({ $($field),+ })? => {
                        $($(if name == stringify!($field) { return $field.into(); })+)?
                    })+
                }
                Field::Nothing
            }

            /// Returns what it is to the action of its combatant.
            #[expect(unused_variables, reason = "few classes depend on the fields")]
            pub fn class(&self) -> Class {
                use ActionKind::*;
                use Class::*;
                match *self {
                    $(Self::$Event $({ $($field),+ })? => $class,)+
                }
            }

            /// The fields and texts of all events.
            pub const ROWS: &[(&[&str], &[&str])] =
                &[$((&[$($(stringify!($field)),+)?], &[$($text),+])),+];

            /// Returns its sentence without the subject, then the labels of its action.
            pub const fn texts(&self) -> &'static [&'static str] {
                match self {
                    $(Self::$Event { .. } => &[$($text),+],)+
                }
            }
        }
    };
}

impl Event {
    /// Returns the number in a field, if the event has it.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.field(name) {
            Field::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the index in a field, if the event has it.
    pub fn index(&self, name: &str) -> Option<usize> {
        usize::try_from(self.number(name)?).ok()
    }

    /// Returns the numbers of which its roll is made.
    pub fn sum(&self) -> Sum {
        match self.field("sum") {
            Field::Sum(sum) => sum,
            _ => Sum::NONE,
        }
    }

    /// Returns the check of an attack or a spell.
    pub fn check<'a>(&self, fight: &'a Fight) -> Option<&'a Check> {
        match *self {
            Self::Attack { who, weapon, .. } => Some(&fight.combatants[who].weapons[weapon].check),
            Self::SpellCheck { who, spell, .. } => {
                fight.combatants[who].spells[spell].check.as_ref()
            }
            _ => None,
        }
    }

    /// Returns the kind of its check.
    pub fn check_kind(&self, fight: &Fight) -> Option<CheckKind> {
        match *self {
            Self::UseCheck { kind, .. } | Self::Resists { kind, .. } => Some(kind),
            Self::Fray { .. } => Some(CheckKind::Percentile),
            _ => self.check(fight).map(Check::kind),
        }
    }

    /// Returns the subject of its sentence: the actor, or the victim of harm; none if it concerns all combatants.
    pub fn subject(&self) -> Option<usize> {
        let name = match self {
            Self::Damage { .. } | Self::DamageCounts { .. } | Self::InterruptOver { .. } => {
                "target"
            }
            _ => "who",
        };
        self.index(name)
    }
}

events! {
    /// A Round begins.
    Round = Order, "";
    /// A Score is known (TC-3); `owed` Marks of a spell or an action came off (TC-5, TC-12). If it is
    /// `shared`, the first who shares it has rolled.
    Score { who: usize, score: Marks, owed: Marks, shared: bool, sum: Sum } = Order, "Score {=score}{shared?, shared}";
    /// The Score is halved (TC-4).
    Delay { who: usize, line: usize, score: Marks } = Begins(Ready), "delays: Score {score} ({line})", "delay";
    /// No Score this Round: a whole Round or more of Marks is owed (TC-12).
    RoundSkipped { who: usize, owed: Marks } = Happens, "still owes {owed} Marks: no Score this Round";
    /// A policy line was not taken.
    Rejected { who: usize, line: usize, why: Obstacle } = Order, "  not `{line}`: {why}";
    /// A policy line was taken.
    Decision { who: usize, line: usize } = Order, "> {line}";
    /// A combatant declares the action of a line for its next turn.
    Declares { who: usize, line: usize } = Order, "declares {line}";
    /// No line was legal, or the policy passes; the Marks left are forfeited unless a reaction comes.
    Pass { who: usize, marks: Marks } = Ends, "is done, {marks Mark} left";
    /// An attack action begins, with that number of attacks (TC-8).
    AttackAction { who: usize, target: usize, weapon: usize, attacks: usize, kind: AttackKind } =
        Begins(Attack), "{desperate}{attacks=1?one attack|{attacks} attacks} on {target} with {weapon}";
    /// One attack: the roll against the target number.
    Attack { who: usize, target: usize, weapon: usize, kind: AttackKind, total: i64, needed: i64, hit: bool, sum: Sum } =
        Results(kind.action()), "{kind} {target}: {reached}, {outcome}";
    /// The attack or spell that hits is a critical hit: by the natural total of its roll or, without a `damage` of its
    /// own, by doubles, which ignore armour (EP-9).
    CriticalHit { who: usize, damage: Option<CriticalDamage> } = Follows, "hits critically{damage}";
    /// Attacks for which the Round has no Mark left (TC-8).
    Forfeited { who: usize, attacks: usize } = Begins(Attack), "has no Marks for {attacks} of the attacks";
    /// An attack without a target (W-4).
    Lost { who: usize } = Results(Attack), "has no target: attack lost";
    /// A hazard strikes (W-14).
    Hazard { hazard: usize } = Order, "{hazard} strikes";
    /// A combatant comes into the fight (W-12).
    Enters { who: usize } = Changes, "enters at {position}";
    /// A combatant leaves the fight with the health that is left. If it acts together with others, it leaves when all
    /// have acted (W-10).
    Leaves { who: usize, how: Leaving } = Order, "{how}{how=flees?, out of the fight}";
    /// A spell or, without one, an attack has fewer successes than required, but some: it does that share of its damage
    /// (MD-3).
    Diminished { who: usize, spell: Option<usize>, share: Diminished } = Follows, "{what} is diminished{share}";
    /// An attack is not made, because its weapon is not in hand: getting it ready has failed (MA-3), or it has been taken
    /// (W-11). With `prone`, because the attacker has been thrown to the ground.
    Unready { who: usize, #[serde(skip_serializing_if = "Not::not")] prone: bool } =
        Results(Attack), "{prone?is on the ground|has no weapon ready}: attack lost";
    /// A roll to get a weapon ready (MA-3).
    ReadyRoll { who: usize, net: i64, needed: i64, works: bool } =
        Begins(Prepare), "gets it out: {net} of {needed} successes, {works?ready|not ready yet}";
    /// A spell's roll against the target number.
    SpellCheck { who: usize, target: usize, spell: usize, total: i64, needed: i64, hit: bool, sum: Sum } =
        Results(Cast), "{spell} at {target}: {reached}, {outcome}", "{spell}";
    /// Damage after armour; `rolled` is the damage before. `health` is the remaining health, unless the damage counts
    /// `later` (W-5).
    Damage { who: usize, target: usize, rolled: i64, amount: i32, health: i32, later: bool, sum: Sum } =
        Order, "takes {taken}{later?, counts when all have acted|, {health} left}";
    /// Damage that was put off counts now (W-5).
    DamageCounts { target: usize, amount: i32, health: i32 } = Order, "{amount} count now, {health} left";
    /// An attack that hits is made to miss.
    TurnedAside { who: usize } = Follows, "turns it aside";
    /// A combatant falls.
    Fall { who: usize } = Order, "falls";
    /// A combatant goes down: healing may make it stand again (W-18).
    GoesDown { who: usize } = Order, "goes down";
    /// A combatant that was down has been healed, and stands again.
    StandsAgain { who: usize } = Follows, "stands again";
    /// The checks so far of a combatant that is down, after another one (W-18).
    Save { who: usize, successes: u8, failures: u8, stable: bool } =
        Changes, "has passed {successes check} and failed {failures}{stable?: stable}";
    /// A combatant that was down is out for good (W-18).
    LostForGood { who: usize } = Changes, "is lost";
    /// Temporary health is gained or, below 0, taken by damage; `left` is there then (W-18).
    TemporaryHealth { who: usize, change: i32, left: i32 } = Follows, "{lost?loses {lost} temporary health, {left} left|{change=0?keeps|has} {left} temporary health}";
    /// One Unit moved.
    Step { who: usize, from: Units, to: Units, kind: MoveKind } =
        kind.action().map_or(Order, Begins), "{kind} {from} -> {to}";
    /// The Marks or Units of a step that was not made are spent (W-3, W-5).
    StepSpent { who: usize, toll: Units } =
        Begins(Move), "{toll=0?no longer makes the {step}|spends the {toll=1?{step}|{toll} {step}s} on the spot}";
    /// A combatant takes the Set action, for that number of Marks.
    Set { who: usize, marks: Marks } = Begins(Prepare), "is setting ({marks Mark})", "Set";
    /// A spell begins; it is due at `mark`, `rounds` from now (TC-12).
    Cast { who: usize, spell: usize, target: usize, #[serde(rename = "due_mark")] mark: Marks, rounds: u32 } =
        Begins(Cast), "casts {spell} at {target}, due {rounds=0?at {mark}|{rounds=1?at {mark} of the next Round|at {mark}, {rounds} Rounds on}}", "{spell}";
    /// A spell or Channel takes effect.
    Effect { who: usize, spell: usize, target: usize } = Results(Cast), "{spell} goes off at {target}", "{spell}";
    /// A spell or Channel found no target.
    Wasted { who: usize, spell: usize } = Results(Cast), "{spell} has no target: wasted", "{spell}";
    /// A hit fizzles a spell (TC-13).
    Fizzle { who: usize, spell: usize } = Follows, "{spell} fizzles";
    /// A hit might have fizzled the spell and did not (TC-13).
    Concentrates { who: usize, spell: usize } = Follows, "keeps hold of {spell}";
    /// A Combat Casting check (TC-14).
    CombatCast { who: usize, total: i64, units: Units, sum: Sum } = Changes, "Combat Casting {=total}: {units} Units";
    /// A Channel begins (TC-15).
    Channel { who: usize, spell: usize, target: usize } = Begins(Cast), "channels {spell} at {target}, due at 0", "{spell}";
    /// A Channel is broken off (TC-15).
    ChannelBroken { who: usize, spell: usize } = Happens, "breaks off {spell}";
    /// A CAR move (TC-16).
    Car { who: usize, target: usize, reaction: bool } = Begins(Car), "{reaction?reacts: }intercepts {target}";
    /// A charge (TC-17).
    Charge { who: usize, target: usize } = Begins(Charge), "charges at {target}";
    /// An item is used; `healed` is the health gained.
    Use { who: usize, item: usize, healed: i32, health: i32, sum: Sum } =
        Begins(Use), "uses {item}: {=healed} healed, {health} health", "{item}";
    /// An item is used on a target.
    UseOn { who: usize, item: usize, target: usize } =
        if who == target { Begins(Use) } else { Results(Use) }, "uses {item}{target=who?| on {target}}", "{item}";
    /// The check of a use; without `needed` its total is compared with the evade of each combatant that it reaches.
    UseCheck { who: usize, total: i64, needed: Option<i64>, works: bool, kind: CheckKind, sum: Sum } =
        Follows, "rolls {needed?{reached}: {works?works|fails}|{=total}}";
    /// An item is not used, because its target or its last use (`used_up`) is gone.
    UseLost { who: usize, item: u8, used_up: bool } =
        if used_up { Happens } else { Results(Use) }, "has no {used_up?use of|target for} {item}{used_up? left}";
    /// A weapon is not drawn, because its last use is gone.
    DrawLost { who: usize, weapon: u8 } = Happens, "has no use of {weapon} left to draw it for";
    /// A combatant tries to resist; without a roll of its own, by its evade. With `morale`, its morale is tested (W-13);
    /// one that is `down` checks whether it is lost (W-18).
    Resists { who: usize, total: Option<i64>, needed: i64, works: bool, #[serde(skip_serializing_if = "Not::not")] morale: bool, #[serde(skip_serializing_if = "Not::not")] down: bool, kind: CheckKind, sum: Sum } =
        Answers, "{morale?{works?holds|loses} its morale|{down?{works?passes|fails} its check|{works?resists|does not resist}}}: {reached}";
    /// An action gives back health.
    Healed { who: usize, healed: i32, health: i32, sum: Sum } = Follows, "{=healed} healed, {health} health";
    /// A condition begins.
    ConditionBegins { who: usize, condition: u8, rounds: u8, #[serde(skip_serializing_if = "Until::is_rounds")] until: Until, by: usize } =
        Follows, "{ground?comes to {condition}|is {condition}{length}}";
    /// A condition does not begin, and changes nothing: the combatant has it already or, with `full`, as many conditions
    /// as it can have (W-11).
    ConditionKept { who: usize, condition: u8, by: usize, #[serde(skip_serializing_if = "Not::not")] full: bool } =
        Answers, "no effect: already {full?has {many} conditions|{condition}}";
    /// A condition is over; `left` conditions of its kind last on, where several count.
    ConditionEnds { who: usize, condition: u8, left: u8 } =
        Order, "{ground?leaves {condition}|is {condition} {left=0?no more|once less, {left} left}}";
    /// Conditions have changed the most health that a combatant may have (W-11).
    MostHealth { who: usize, most: i32, health: i32 } = Follows, "may have {most} health: {health} health";
    /// The damage of a condition is due; the damage follows.
    ConditionHurts { who: usize, condition: u8 } = Begins(Upkeep), "suffers from being {condition}";
    /// A combatant is pushed or, with `pulled`, drawn nearer.
    Pushed { who: usize, from: Units, to: Units, #[serde(skip_serializing_if = "Not::not")] pulled: bool } =
        Follows, "is {pulled?pulled|pushed} {from} -> {to}";
    /// A combatant is thrown to the ground.
    KnockedDown { who: usize } = Follows, "is thrown to the ground";
    /// A weapon is taken out of the hand of a combatant; `for_good` or until it is drawn again (W-11).
    Disarmed { who: usize, weapon: usize, for_good: bool } = Follows, "{for_good?loses|is disarmed of} {weapon}";
    /// Uses come back, are gained or lost: of an item, or of a weapon, whose slots follow those of all items. If a roll for
    /// them to come back has failed, the change is 0 (W-11).
    UsesChange { who: usize, slot: usize, change: i32 } = Changes, "{uses}";
    /// A trait of the scenario's own changes for good, to `value`: its price is paid, or an effect changes it.
    TraitChanges { who: usize, own: u8, change: i32, value: i32 } = Changes, "{own} {+change}: {value}";
    /// A weapon is drawn.
    Draw { who: usize, weapon: usize } = Begins(Prepare), "draws {weapon}", "draw {weapon}", "draw";
    /// An attack begins that is the last for its weapon (W-11).
    LastUse { who: usize, weapon: usize } = Follows, "uses {weapon} for the last time";
    /// A weapon is dropped, or else sheathed (TC-5).
    PutAway { who: usize, weapon: usize, dropped: bool } =
        if dropped { Order } else { Begins(Prepare) }, "{dropped?drops|sheathes} {weapon}", "sheathe {weapon}", "sheathe";
    /// A combatant gets up from the ground.
    Stand { who: usize } = Begins(Prepare), "stands up", "stand up", "up";
    /// A combatant lets Marks pass (TC-23).
    Wait { who: usize, marks: Marks } = Begins(Wait), "waits {marks}", "wait";
    /// An initiative is known (MA-1); `shared` if another combatant rolled it.
    Initiative { who: usize, total: i32, shared: bool, sum: Sum } = Order, "initiative {=total}{shared?, shared}";
    /// The dice of a pool after all modifiers: penalties, and the dice of other parts (MA-3, MA-5, MA-8).
    Pool { who: usize, dice: u32, sum: Sum } = Leads, "rolls {dice}";
    /// A point of Willpower is spent on the next roll (MD-4).
    Willpower { who: usize, left: i32 } = Leads, "spends Willpower on a sure success: {left} left";
    /// A roll has more 1s than successes (MD-2); reported after the roll.
    Botch { who: usize } = Follows, "{botches}";
    /// A roll to go on moving beyond the combatant's endurance (MA-6).
    Endurance { who: usize, dice: u32, net: i64, botch: bool, outcome: Effort } =
        Begins(Move), "is beyond its endurance: {net} of {dice}, {botch?botch, }{outcome}";
    /// A roll that decides how far a combatant climbs (MA-4).
    Climb { who: usize, dice: u32, net: i64, yards: Units } = Begins(Move), "climbs: {net} of {dice}, {yards} yards this turn";
    /// A turn of getting a weapon ready, with the turns still needed (MA-3).
    Ready { who: usize, weapon: usize, left: usize } = Begins(Prepare), "readies {weapon}, turns to go: {left}", "draw {weapon}", "draw";
    /// A ritual begins (MD-7).
    Ritual { who: usize, spell: usize, target: usize } = Begins(Cast), "begins {spell} at {target}";
    /// Sleepers come by, and watch in this turn (MD-5).
    Sleepers = Order, "Sleepers come by, and watch in this turn";
    /// A turn of work on a ritual, and the turns left before its next roll (MD-7).
    RitualWork { who: usize, spell: usize, left: usize } =
        Begins(Cast), "works {spell} without a roll, turns until the next: {left}", "{spell}";
    /// A roll of a ritual (MD-7).
    RitualRoll { who: usize, spell: usize, net: i64, gathered: i64, needed: i64 } =
        Begins(Cast), "works {spell}: {net}, {gathered} of {needed} gathered", "{spell} {gathered}/{needed}", "{gathered}/{needed}";
    /// Paradox is gathered (MD-6).
    Paradox { who: usize, gained: u32, total: u32 } = Leads, "gathers {gained} Paradox: {total}";
    /// Paradox strikes back; `left` is the Paradox that remains (MD-6).
    Backlash { who: usize, left: u32 } = Follows, "suffers a backlash of Paradox: {left} left";
    /// A botch costs this turn (MD-2, MD-6).
    TurnLost { who: usize } = Begins(Lost), "loses this turn", "turn lost", "lost";
    /// A turn is over, with the number of actions not taken.
    TurnOver { who: usize, actions: usize } = Ends, "is done{actions=0?|, actions left: {actions}}";
    /// A Phase begins in which something can happen (EP-2).
    Phase { phase: u32 } = Order, "Phase {phase}";
    /// A point of Moxie is spent to go first (EP-5).
    Moxie { who: usize, left: u32 } = Happens, "spends Moxie to go first, {left} left";
    /// Wounds are taken; `total` is the initiative that they leave, if it is known in this turn (EP-4).
    Wound { who: usize, wounds: i32, total: Option<i32> } =
        Follows, "suffers {wounds=1?a wound|{wounds} wounds}{total?: initiative {total}}";
    /// A wound has moved a combatant behind, or level with, another whose place is still to come (EP-4).
    Overtaken { who: usize } = Happens, "falls behind in the order";
    /// An action is delayed (EP-6).
    ActionDelayed { who: usize } = Begins(Ready), "delays its action", "delays";
    /// A delayed action is taken (EP-6).
    DelayTaken { who: usize } = Order, "takes its delayed action";
    /// A delayed action is held into the next Phase (EP-6).
    Held { who: usize } = Begins(Ready), "holds its action", "holds";
    /// A delayed action is lost, because the combatant's next action comes up (EP-6).
    DelayLost { who: usize } = Happens, "loses its delayed action";
    /// A test of Fray against an attack that succeeded; `critical`: a success with doubles that counts for more than a
    /// plain one (EP-9).
    Fray { who: usize, total: i64, needed: i64, critical: bool, defends: bool, sum: Sum } =
        Follows, "defends: {reached}{critical?, a critical}, {defends?turns it aside|in vain}";
    /// A stage of work at a task (EP-3).
    Works { who: usize, task: usize, done: u32, needed: u32 } =
        Begins(Work), "works at {task}: {done} of {needed}", "{task} {done}/{needed}", "{done}/{needed}";
    /// A task that is done heals its worker.
    Heals { who: usize, healed: i32, health: i32, sum: Sum } = Begins(Work), "{=healed} healed, {health} health";
    /// A die that separates combatants with equal initiative (CD-1).
    RollOff { who: usize, face: u32 } = Order, "rolls off: {face}";
    /// An end token is drawn.
    EndToken = Order, "an end token is drawn: the Round is over";
    /// Two combatants take one another's place in the order.
    Swaps { who: usize, target: usize } = Order, "swaps places with {target}";
    /// A combatant takes this place in the order, counted from 1 including the fallen; the others close up (CD-1).
    Place { who: usize, place: usize } = Order, "stands at place {place}";
    /// A combatant delays (CD-2).
    Delays { who: usize } = Begins(Ready), "delays", "delays";
    /// A delayed combatant comes in after another's turn (CD-2).
    ComesIn { who: usize, after: usize } = Happens, "comes in after {after}";
    /// The Round ends before a delayed combatant has come in: its action is lost (CD-2).
    DelayRunsOut { who: usize } = Begins(Lost), "has not come in: action lost", "action lost", "lost";
    /// An action is readied (CD-3).
    Readied { who: usize } = Begins(Ready), "waits for that", "readies", "ready";
    /// A readied action was not triggered before its owner's place came up again, and is lost (CD-3).
    ReadiedLapses { who: usize } = Happens, "has waited in vain: readied action lost";
    /// `target` triggers a readied action; its owner takes it, or `cancels` (CD-3).
    Triggered { who: usize, target: usize, cancels: bool } = Happens, "is triggered by {target}{cancels?, and cancels}";
    /// A readied action has become impossible and is lost (CD-3).
    ReadiedLost { who: usize, why: Obstacle } = Begins(Lost), "cannot: {why}; readied action lost", "cannot";
    /// A combatant interrupts `target`; the next events are its own (CD-3).
    Interrupt { who: usize, target: usize } = Order, "{target=who?does what it readied|interrupts {target}}";
    /// A combatant reacts to the end of the turn of `target`; the next events are its own.
    ActsAfter { who: usize, target: usize } = Order, "acts after {target}";
    /// The interrupt is over, and `target` goes on if it still stands (CD-4).
    InterruptOver { who: usize, target: usize } = Order, "goes on";
    /// A declared action has become impossible and is cancelled, and the combatant keeps its action (CD-4).
    ActionKept { who: usize } = Happens, "cannot do that any more: action kept";
    /// Ongoing damage is due; the damage follows (CD-5).
    Ongoing { who: usize } = Begins(Upkeep), "suffers on";
    /// Further ongoing damage begins: `amount` each Round (CD-5).
    OngoingBegins { who: usize, amount: u16, rounds: u8 } = Follows, "will take {amount} more{length}";
    /// Health comes back (CD-5).
    Regenerates { who: usize, healed: i32, health: i32, sum: Sum } = Begins(Upkeep), "regenerates {=healed}, {health} health";
    /// A task that is done finds no target.
    TaskWasted { who: usize, task: usize } = Results(Work), "{task} has no target: wasted";
    /// A stage is over: no line was legal, or the policy passes.
    StageOver { who: usize } = Ends, "is done";
    /// The pool of an attack after all modifiers; below 1 it is a chance die (CD-6).
    Dice { who: usize, dice: i64, sum: Sum } = Leads, "rolls {dice}";
    /// The encounter is over.
    End { ending: Ending } = Order, "";
}
