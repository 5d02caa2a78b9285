//! The variables of conditions: one row each, from which the parser, the compiler, `explain` and the documentation
//! take all that they know of it. Its value is in [`Facts`](crate::sim) or in `choose` of its system.

use super::system::Clocks;

/// A property of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// It is about the target of the line.
    Target,
    /// It is about an ally.
    Ally,
    /// It follows from the health that is left.
    Health,
    /// Walking may change it, even if the target stays the same.
    Walking,
    /// It is false of a combatant that has done nothing since it began to wait (CD-2).
    Deed,
    /// It has a value for any combatant at any time: it needs neither a target nor a certain clock.
    Anybody,
}

impl Variable {
    /// Whether it is a trait of the scenario's own.
    pub const fn is_own_trait(self) -> bool {
        matches!(self, Self::Trait(_) | Self::TargetTrait(_))
    }
}

/// A variable of conditions, as a designer sees it.
#[derive(Debug, Clone, Copy)]
pub struct VariableRow {
    /// As written in a condition; an argument is in capitals.
    pub name: &'static str,
    /// The variable.
    pub variable: Variable,
    /// The unit of a number; `None` for a truth value.
    pub unit: Option<&'static str>,
    /// The clocks on which it means this.
    pub clocks: Clocks,
    /// Its meaning.
    pub meaning: &'static str,
}

impl VariableRow {
    /// The name without an argument: `uses.` of `uses.THING`, `has` of `has CONDITION`.
    pub fn word(&self) -> &'static str {
        let is_argument = |c: char| c.is_ascii_uppercase() || matches!(c, '(' | ')' | ' ');
        self.name.trim_end_matches(is_argument)
    }

    /// Whether the name of a thing follows its word without a blank.
    pub fn is_dotted(&self) -> bool {
        self.word().ends_with('.')
    }
}

impl PartialEq for VariableRow {
    fn eq(&self, other: &Self) -> bool {
        self.variable == other.variable
    }
}

impl Eq for VariableRow {}

/// Defines [`Variable`] and [`FACTS`] from one list: each variable with its greatest value and its aspects, then its
/// name, unit (`bool` for a truth value) and meaning on some clocks.
macro_rules! facts {
    (@unit bool) => { None };
    (@unit $unit:literal) => { Some($unit) };
    ($(
        $variable:ident $(($argument:ty))? <= $bound:expr, [$($aspect:ident)*] $($name:literal $unit:tt $clocks:ident $meaning:literal),+;
    )+) => {
        /// A variable of a condition. Booleans are 0 or 1; everything else is a whole number. An argument is an index
        /// into a list of the combatant's, or a number of Units.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "`FACTS` describes each")]
        pub enum Variable {
            $($variable $(($argument))?,)+
        }

        impl Variable {
            /// The greatest value it can have, against which sums are checked. It is generous: distances grow without
            /// end on an unbounded line, but not beyond the Units that a combatant can walk in 10000 Rounds.
            pub const fn bound(self) -> i64 {
                match self {
                    $(Self::$variable { .. } => $bound,)+
                }
            }

            /// Whether it has a property.
            pub fn is(self, aspect: Aspect) -> bool {
                let aspects: &[Aspect] = match self {
                    $(Self::$variable { .. } => &[$(Aspect::$aspect),*],)+
                };
                aspects.contains(&aspect)
            }

            /// The same variable with another argument, if it has one.
            pub const fn with(self, argument: u32) -> Self {
                match self {
                    $($(Self::$variable(_) => Self::$variable(argument as $argument),)?)+
                    plain => plain,
                }
            }
        }

        /// All variables, each with its meaning on some clocks or, one after the other, its meanings on several.
        pub const FACTS: &[&[VariableRow]] = &[$({
            const VARIABLE: Variable = Variable::$variable $((<$argument>::MIN))?;
            &[$(VariableRow {
                name: $name,
                variable: VARIABLE,
                unit: facts!(@unit $unit),
                clocks: Clocks::$clocks,
                meaning: $meaning,
            }),+]
        }),+];
    };
}

facts! {
    Distance <= 1 << 30, [Target Walking] "distance" "Units" ALL "to the target";
    Round <= 10_000, [Anybody]
        "round" "Rounds" ALL "the Round (or turn) it is now, from 1",
        "turn" "turns" BY_TURN_OR_PHASE "the turn it is now, from 1";
    Hp <= 1_000_000, [Health Anybody] "health" "points" ALL "own health; `hp` means the same, here and in the other names";
    MaxHp <= 1_000_000, [Anybody] "max_health" "points" ALL "the most health it may have: its start, with conditions";
    HpPercent <= 100, [Health Anybody] "health_percent" "percent" ALL "own health of `max_health`, rounded down";
    TargetHp <= 1_000_000, [Target Health] "target.health" "points" ALL "the target's health";
    TargetMaxHp <= 1_000_000, [Target] "target.max_health" "points" ALL "the most health the target may have";
    TargetHpPercent <= 100, [Target Health] "target.health_percent" "percent" ALL "the target's health of `target.max_health`, rounded down";
    Ready <= 1, [] "ready" bool ALL "nothing that a Set would help is un-set; true wherever there is no Set";
    InMelee <= 1, [Walking Anybody] "in_melee" bool ALL "an enemy stands within the reach of its melee weapons in hand";
    Threatened <= 1, [Walking Anybody] "threatened" bool ALL "the combatant stands within the reach of an enemy";
    Casting <= 1, [] "casting" bool ALL "it is casting a spell; in Mage its ritual is under way, in Chronicles its spell is declared";
    TargetCasting <= 1, [Target] "target.casting" bool ALL "a spell of the target's is under way";
    TargetReady <= 1, [Target] "target.ready" bool ALL "nothing that a Set would help the target with is un-set";
    TargetInReach <= 1, [Target Walking] "target.in_reach" bool ALL "the target stands within its reach";
    Allies <= 64, [Anybody] "allies" "combatants" ALL "standing allies";
    AlliesDown <= 64, [Anybody] "allies_down" "combatants" ALL "allies that are down (W-18)";
    Enemies <= 64, [Anybody] "enemies" "combatants" ALL "enemies that stand";
    AllyHp <= 1_000_000, [Ally Health]
        "ally.health" "points" ALL "health of the ally that the line is about, or else of the weakest; 0 if it is down, or if none stands";
    AllyHpPercent <= 100, [Ally Health] "ally.health_percent" "percent" ALL "of the most health it may have, rounded down";
    AllyDistance <= 1 << 30, [Ally Health Walking] "ally.distance" "Units" ALL "to that ally";
    NearestEnemyDistance <= 1 << 30, [Walking Anybody]
        "nearest_enemy_distance" "Units" ALL "to the nearest enemy, whomever the line is about; 0 if none stands";
    Prone <= 1, [Anybody] "prone" bool ALL "on the ground";
    TargetProne <= 1, [Target] "target.prone" bool ALL "the target is on the ground";
    Evade <= 100_000, [Anybody] "evade" "points" ALL "the number that an attack on it must reach";
    TargetEvade <= 100_000, [Target] "target.evade" "points" ALL "the number that an attack on the target must reach";
    Armor <= 100_000, [Anybody] "armor" "points" ALL "its armour";
    TargetArmor <= 100_000, [Target] "target.armor" "points" ALL "the target's armour";
    Trait(u8) <= 100_000, [Anybody] "TRAIT" "" ALL "one of its `traits`";
    TargetTrait(u8) <= 100_000, [Target] "target.TRAIT" "" ALL "one of the target's `traits`; 0 if it does not have it";
    EnemiesWithin(u32) <= 64, [Walking Anybody] "enemies_within(N)" "combatants" ALL "enemies that stand no farther than N Units away";
    AlliesWithin(u32) <= 64, [Walking Anybody] "allies_within(N)" "combatants" ALL "standing allies no farther than N Units away";
    Uses(u8) <= 1000, [] "uses.THING" "uses" ALL "left of an item, or of a weapon with a limit";
    InHand(u8) <= 1, [] "in_hand.WEAPON" bool ALL "the weapon is drawn and not used up";
    Has(u8) <= 1, [Anybody] "has CONDITION" bool ALL "this condition of [conditions] lasts on it";
    TargetHas(u8) <= 1, [Target] "target.has CONDITION" bool ALL "it lasts on the target";
    Mark <= 64, [] "mark" "Mark" MARKS "the Mark it is now, from `round_marks` (30) down to 1";
    Marks <= 64, [] "marks" "Marks" MARKS "left to spend this Round; in `until`, those that would be left if the Channel broke now";
    Score <= 64, [] "score" "Marks" MARKS "this Round's Initiative Score";
    Phase <= 256, []
        "phase" "Phases" PHASES "the Phase it is now, 1 to 4; with `per-speed` the number of its place in this turn, or between places of the next";
    Speed <= 256, [] "speed" "points" PHASES "its Speed";
    Initiative <= 1 << 30, []
        "initiative" "points" TURNS "this turn's total: rating and die",
        "initiative" "points" ORDER "as it was rolled: rating and die",
        "initiative" "points" PHASES "its current total, wounds taken off (EP-4)";
    Moxie <= 256, [] "moxie" "points" PHASES "of Moxie left (EP-5)";
    Actions <= 256, [] "actions" "actions" TURNS "left this turn";
    QuickActions <= 256, [] "quick_actions" "actions" PHASES "Quick Actions left in this stage";
    Yards <= 100_000, [Walking] "yards" "yards" TURNS "moved this turn";
    FreeYards <= 100_000, [Walking] "free_yards" "yards" TURNS "left of those that cost an acting character nothing (MA-5)";
    MoveLeft <= 1000, [Walking]
        "move_left" "Units" MARKS "of Land Speed left this Round",
        "move_left" "Units" ORDER "of this turn (CD-7)",
        "move_left" "Units" PHASES "left to make in this Phase (EP-8); before the combatant's place in it, all of them";
    Moved <= 1, [Walking Deed]
        "moved" bool MARKS "moved this Round, by any means",
        "moved" bool BY_TURN "moved this turn",
        "moved" bool PHASES "moved in this stage";
    Acted <= 1, [Deed]
        "acted" bool MARKS "moved or took an action that is not free this Round",
        "acted" bool BY_TURN "took an action this turn",
        "acted" bool PHASES "took any action in this stage";
    Attacked <= 1, [Deed]
        "attacked" bool MARKS "used an attack action this Round",
        "attacked" bool BY_TURN "attacked this turn",
        "attacked" bool PHASES "attacked in this stage";
    Channelling <= 1, [] "channelling" bool MARKS "it is channelling a spell";
    TargetChannelling <= 1, [Target] "target.channelling" bool MARKS "a Channel of the target's is under way";
    CanCar <= 1, [] "can_car" bool MARKS "a CAR move is left this Round";
    Wounds <= 10_000_000, [Health]
        "wounds" "dice" BY_TURN "that its health level takes off attack pools (MA-8)",
        "wounds" "wounds" PHASES "that it has taken (EP-9)";
    TargetWounds <= 10_000_000, [Target Health]
        "target.wounds" "dice" BY_TURN "that the target's health level takes off its attack pools",
        "target.wounds" "wounds" PHASES "that the target has taken";
    Injured <= 1, [Health] "injured" bool TURNS "at Injured or worse: half of every rate (MA-7)";
    TargetInjured <= 1, [Target Health] "target.injured" bool TURNS "the target is at Injured or worse";
    Endurance <= 10_000, [] "endurance" "turns" TURNS "left at full speed before it must roll (MA-6)";
    Collapsed <= 1, [] "collapsed" bool TURNS "one moves no more (MA-6)";
    Gathered <= 1_000_000, [] "gathered" "successes" TURNS "of its ritual so far (MD-7)";
    Paradox <= 1_000_000, [] "paradox" "points" TURNS "of Paradox that it has gathered (MD-6)";
    Willpower <= 256, [] "willpower" "points" TURNS "of Willpower left to spend (MD-4)";
    Left(u8) <= 20, [Walking] "left.RESOURCE" "" ORDER "of a resource of its turn, where `[clock]` says what that holds";
    EnemiesAttacking <= 64, [] "enemies_attacking" "combatants" OWN "enemies that have declared an attack or a spell for this Round (`clock.declare`)";
    TargetAttacking <= 1, [Target] "target.attacking" bool OWN "the target has declared one";
    Place <= 64, [] "place" "count" ORDER "in the order, among those who stand, from 1 (CD-1)";
    TurnsLeft <= 64, [] "turns_left" "combatants" ORDER "others whose turn is still to come this Round; delayers do not count";
    EnemiesLeft <= 64, [] "enemies_left" "combatants" ORDER "enemies whose turn is still to come this Round; delayers do not count";
    EnemyActed <= 1, [] "enemy_acted" bool ORDER "an enemy's turn is over since it began to delay, or the action that took its place (CD-2)";
    Delayed <= 1, [Deed] "delayed" bool ORDER "it has come in after a delay this Round (CD-2)";
    Interrupted <= 1, [Deed] "interrupted" bool ORDER "this turn has been interrupted (CD-4)";
    TargetActed <= 1, [Target] "target.acted" bool ORDER "the target's turn has come up this Round, and it is not delaying";
    TargetReadied <= 1, [Target] "target.readied" bool ORDER "the target has a readied action (CD-3)";
    Defence <= 256, [] "defence" "dice" ORDER "that it takes off attacks now (CD-6)";
    TargetDefence <= 256, [Target] "target.defence" "dice" ORDER "that the target takes off attacks now";
    Ongoing <= 100_000, [] "ongoing" "points" ORDER "of ongoing damage when its place comes up next (CD-5), without that of conditions";
    TargetOngoing <= 100_000, [Target] "target.ongoing" "points" ORDER "of ongoing damage when the target's place comes up next";
    Delaying <= 1, [] "delaying" bool PHASES "has a delayed action (EP-6)";
    Interrupting <= 1, [] "interrupting" bool PHASES "this stage is a delayed action";
    EnemyAttacks <= 1, [] "enemy_attacks" bool PHASES "an enemy has declared an attack, and not made it yet";
    UnderAttack <= 1, [] "under_attack" bool PHASES "an enemy has declared an attack on it";
    EnemyActs <= 1, [] "enemy_acts" bool PHASES "an enemy has declared an attack, another Complex Action or a Task Action";
    EnemyQuick <= 1, [] "enemy_quick" bool PHASES "an enemy has declared a Quick Action";
    EnemyMoves <= 1, [] "enemy_moves" bool PHASES "an enemy has declared a step";
    Progress(u8) <= 1000, [] "progress.TASK" "stages" PHASES "of work in the task";
}

/// All rows of [`FACTS`].
pub fn rows() -> impl Iterator<Item = &'static VariableRow> {
    FACTS.iter().copied().flatten()
}
