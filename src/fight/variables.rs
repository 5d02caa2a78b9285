//! The variables of conditions: the one list from which the parser, the help and the documentation take
//! names, types and units.

use super::system::Clocks;

/// Defines [`Variable`] and [`Variable::bound`] from one list of variables with their greatest values.
macro_rules! variables {
    ($($(#[$doc:meta])* $variable:ident $(($argument:ty))? <= $bound:expr;)+) => {
        /// A variable of a condition. Booleans are 0 or 1; everything else is a whole number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "`VARIABLES` describes each")]
        pub enum Variable {
            $($(#[$doc])* $variable $(($argument))?,)+
        }

        impl Variable {
            /// The greatest value it can have: what sums are checked against. Generous; distances grow
            /// without end on an unbounded line, but not beyond the Units one can walk in 10000 Rounds.
            #[must_use]
            pub const fn bound(self) -> i64 {
                match self {
                    $(Self::$variable { .. } => $bound,)+
                }
            }
        }
    };
}

variables! {
    Distance <= 1 << 30;
    Mark <= 64;
    Marks <= 64;
    Score <= 64;
    Round <= 10_000;
    Hp <= 1_000_000;
    MaxHp <= 1_000_000;
    HpPercent <= 100;
    TargetHp <= 1_000_000;
    TargetMaxHp <= 1_000_000;
    TargetHpPercent <= 100;
    MoveLeft <= 1000;
    Moved <= 1;
    Acted <= 1;
    Attacked <= 1;
    Ready <= 1;
    InMelee <= 1;
    Threatened <= 1;
    Casting <= 1;
    Channelling <= 1;
    TargetCasting <= 1;
    TargetChannelling <= 1;
    TargetReady <= 1;
    TargetInReach <= 1;
    Allies <= 64;
    Enemies <= 64;
    NearestEnemyDistance <= 1 << 30;
    /// Standing enemies within this number of Units.
    EnemiesWithin(u32) <= 64;
    /// Standing allies, without oneself, within this number of Units.
    AlliesWithin(u32) <= 64;
    Prone <= 1;
    TargetProne <= 1;
    CanCar <= 1;
    Initiative <= 1 << 30;
    Yards <= 100_000;
    FreeYards <= 100_000;
    Actions <= 256;
    Wounds <= 10_000_000;
    TargetWounds <= 10_000_000;
    Injured <= 1;
    TargetInjured <= 1;
    Endurance <= 10_000;
    Collapsed <= 1;
    Gathered <= 1_000_000;
    Paradox <= 1_000_000;
    Willpower <= 256;
    Place <= 64;
    TurnsLeft <= 64;
    EnemiesLeft <= 64;
    EnemyActed <= 1;
    Delayed <= 1;
    Interrupted <= 1;
    TargetActed <= 1;
    TargetReadied <= 1;
    Defence <= 256;
    TargetDefence <= 256;
    Ongoing <= 100_000;
    TargetOngoing <= 100_000;
    Phase <= 256;
    Speed <= 256;
    Moxie <= 256;
    QuickActions <= 256;
    Delaying <= 1;
    Interrupting <= 1;
    EnemyAttacks <= 1;
    UnderAttack <= 1;
    EnemyActs <= 1;
    EnemyQuick <= 1;
    EnemyMoves <= 1;
    /// Stages of work in the combatant's task of that index.
    Progress(u8) <= 1000;
    /// Uses left of the combatant's item of that index.
    Uses(u8) <= 1000;
    /// Whether the combatant's weapon of that index is drawn.
    InHand(u8) <= 1;
}

/// Whether a variable is a number or a truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number; the text is its unit.
    Number(&'static str),
    /// True or false.
    Boolean,
}

/// A variable as a designer sees it.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// As written in a condition.
    pub name: &'static str,
    /// The clocks on which it means something.
    pub clocks: Clocks,
    /// The variable.
    pub variable: Variable,
    /// Its type and unit.
    pub kind: Kind,
    /// Its meaning.
    pub meaning: &'static str,
}

/// The clocks of each variable, its name, its unit (`bool` for a truth value) and its meaning.
macro_rules! descriptions {
    (@kind bool) => { Kind::Boolean };
    (@kind $unit:literal) => { Kind::Number($unit) };
    ($($clocks:ident $name:literal $variable:ident $kind:tt $meaning:literal;)+) => {
        /// Every variable without an argument. `uses.ITEM`, `in_hand.WEAPON` and `progress.TASK` come on
        /// top, resolved against the combatant's own lists, and those of [`WITHIN`].
        pub const VARIABLES: &[Description] = &[$(Description {
            name: $name,
            clocks: Clocks::$clocks,
            variable: Variable::$variable,
            kind: descriptions!(@kind $kind),
            meaning: $meaning,
        }),+];
    };
}

descriptions! {
    ALL "distance" Distance "Units" "to the target";
    MARKS "mark" Mark "Mark" "the Mark it is now, from `round_marks` (30) down to 1";
    MARKS "marks" Marks "Marks" "left to spend this Round";
    MARKS "score" Score "Marks" "this Round's Initiative Score";
    ALL "round" Round "Rounds" "the Round (or turn) it is now, from 1";
    ALL "hp" Hp "points" "own health";
    ALL "max_hp" MaxHp "points" "own health at the start";
    ALL "hp_percent" HpPercent "percent" "own health of that at the start, rounded down";
    ALL "target.hp" TargetHp "points" "the target's health";
    ALL "target.max_hp" TargetMaxHp "points" "the target's health at the start";
    ALL "target.hp_percent" TargetHpPercent "percent" "the target's health of that at its start, rounded down";
    MARKS "move_left" MoveLeft "Units" "of Land Speed left this Round";
    MARKS "moved" Moved bool "moved this Round, by any means";
    MARKS "acted" Acted bool "moved or took an action that is not free this Round";
    MARKS "attacked" Attacked bool "used an attack action this Round";
    ALL "ready" Ready bool "nothing that a Set would help is un-set; true wherever there is no Set";
    ALL "in_melee" InMelee bool "an enemy stands within one's own reach";
    ALL "threatened" Threatened bool "one stands within the reach of an enemy";
    ALL "casting" Casting bool "a spell of one's own is under way";
    MARKS "channelling" Channelling bool "a Channel of one's own is under way";
    ALL "target.casting" TargetCasting bool "a spell of the target's is under way";
    MARKS "target.channelling" TargetChannelling bool "a Channel of the target's is under way";
    ALL "target.ready" TargetReady bool "nothing that a Set would help the target with is un-set";
    ALL "target.in_reach" TargetInReach bool "the target stands within one's own reach";
    ALL "allies" Allies "combatants" "others of one's own side that stand";
    ALL "enemies" Enemies "combatants" "enemies that stand";
    ALL "nearest_enemy_distance" NearestEnemyDistance "Units"
        "to the nearest enemy, whomever the line is about; 0 if none stands";
    ALL "prone" Prone bool "on the ground";
    ALL "target.prone" TargetProne bool "the target is on the ground";
    MARKS "can_car" CanCar bool "a CAR move is left this Round";
    BY_TURN_OR_PHASE "turn" Round "turns" "the turn it is now, from 1";
    TURNS "initiative" Initiative "points" "this turn's total: rating and die";
    TURNS "actions" Actions "actions" "left this turn";
    TURNS "yards" Yards "yards" "moved this turn";
    TURNS "free_yards" FreeYards "yards" "left of those that cost an acting character nothing (MA-5)";
    BY_TURN "moved" Moved bool "moved this turn";
    BY_TURN "acted" Acted bool "took an action this turn";
    BY_TURN "attacked" Attacked bool "attacked this turn";
    BY_TURN "wounds" Wounds "dice" "that one's health level takes off attack pools (MA-8)";
    BY_TURN "target.wounds" TargetWounds "dice" "that the target's health level takes off its attack pools";
    TURNS "injured" Injured bool "at Injured or worse: half of every rate (MA-7)";
    TURNS "target.injured" TargetInjured bool "the target is at Injured or worse";
    TURNS "endurance" Endurance "turns" "left at full speed before one must roll (MA-6)";
    TURNS "collapsed" Collapsed bool "one moves no more (MA-6)";
    TURNS "gathered" Gathered "successes" "of one's ritual so far (MD-7)";
    TURNS "paradox" Paradox "points" "of Paradox that one has gathered (MD-6)";
    TURNS "willpower" Willpower "points" "of Willpower left to spend (MD-4)";
    ORDER "initiative" Initiative "points" "as it was rolled: rating and die";
    ORDER "place" Place "count" "in the order, among those who stand, from 1 (CD-1)";
    ORDER "turns_left" TurnsLeft "combatants" "others whose turn is still to come this Round; not who delays";
    ORDER "enemies_left" EnemiesLeft "combatants" "enemies whose turn is still to come this Round; not who delays";
    ORDER "enemy_acted" EnemyActed bool "an enemy's turn is over since one began to delay (CD-2)";
    ORDER "delayed" Delayed bool "one has come in after a delay this Round (CD-2)";
    ORDER "move_left" MoveLeft "Units" "of this turn (CD-7)";
    ORDER "interrupted" Interrupted bool "this turn has been interrupted (CD-4)";
    ORDER "target.acted" TargetActed bool "the target's turn has come up this Round, and it is not delaying";
    ORDER "target.readied" TargetReadied bool "the target has a readied action (CD-3)";
    ORDER "defence" Defence "dice" "that one takes off attacks now (CD-6)";
    ORDER "target.defence" TargetDefence "dice" "that the target takes off attacks now";
    ORDER "ongoing" Ongoing "points" "of ongoing damage when one's place comes up next (CD-5)";
    ORDER "target.ongoing" TargetOngoing "points" "of ongoing damage when the target's place comes up next";
    PHASES "phase" Phase "Phases"
        "the Phase it is now, 1 to 4; with `per-speed` the number of one's place in this turn";
    PHASES "speed" Speed "points" "one's own Speed";
    PHASES "initiative" Initiative "points" "one's current total, wounds taken off (EP-4)";
    PHASES "moxie" Moxie "points" "of Moxie left (EP-5)";
    PHASES "wounds" Wounds "wounds" "that one has taken (EP-9)";
    PHASES "target.wounds" TargetWounds "wounds" "that the target has taken";
    PHASES "quick_actions" QuickActions "actions" "Quick Actions left in this stage";
    PHASES "move_left" MoveLeft "Units" "left to make in this Phase (EP-8)";
    PHASES "moved" Moved bool "moved in this stage";
    PHASES "acted" Acted bool "took any action in this stage";
    PHASES "attacked" Attacked bool "attacked in this stage";
    PHASES "delaying" Delaying bool "has a delayed action (EP-6)";
    PHASES "interrupting" Interrupting bool "this stage is a delayed action";
    PHASES "enemy_attacks" EnemyAttacks bool "an enemy has declared an attack, and not made it yet";
    PHASES "under_attack" UnderAttack bool "an enemy has declared an attack on oneself";
    PHASES "enemy_acts" EnemyActs bool "an enemy has declared an attack, another Complex Action or a Task Action";
    PHASES "enemy_quick" EnemyQuick bool "an enemy has declared a Quick Action";
    PHASES "enemy_moves" EnemyMoves bool "an enemy has declared a step";
}

/// The variables that count combatants nearby: their spelling and meaning.
pub const WITHIN: &[(&str, &str)] = &[
    (
        "enemies_within(N)",
        "enemies that stand no farther than N Units away",
    ),
    (
        "allies_within(N)",
        "others of one's own side that stand no farther than N Units away",
    ),
];

/// The variables of those clocks.
pub fn of(clocks: Clocks) -> impl Iterator<Item = &'static Description> {
    VARIABLES
        .iter()
        .filter(move |variable| variable.clocks.meets(clocks))
}
