//! What a condition may ask: the one list of variables, from which the parser, the help and the
//! documentation all take their names, types and units.

use crate::fight::Variable;
use crate::fight::system::Clocks;

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
    /// What it stands for.
    pub variable: Variable,
    /// Its type and unit.
    pub kind: Kind,
    /// What it means.
    pub meaning: &'static str,
}

const fn number(
    name: &'static str,
    variable: Variable,
    unit: &'static str,
    meaning: &'static str,
) -> Description {
    Description {
        name,
        clocks: Clocks::ALL,
        variable,
        kind: Kind::Number(unit),
        meaning,
    }
}

const fn boolean(name: &'static str, variable: Variable, meaning: &'static str) -> Description {
    Description {
        name,
        clocks: Clocks::ALL,
        variable,
        kind: Kind::Boolean,
        meaning,
    }
}

/// The same, on one clock alone.
const fn only(clocks: Clocks, description: Description) -> Description {
    Description {
        clocks,
        ..description
    }
}

/// Every variable without an argument. `uses.ITEM`, `in_hand.WEAPON` and `progress.TASK` come on top,
/// resolved against the combatant's own lists, and those of [`WITHIN`].
pub const VARIABLES: &[Description] = &[
    number("distance", Variable::Distance, "Units", "to the target"),
    only(
        Clocks::MARKS,
        number(
            "mark",
            Variable::Mark,
            "Mark",
            "the Mark it is now, from `round_marks` (30) down to 1",
        ),
    ),
    only(
        Clocks::MARKS,
        number(
            "marks",
            Variable::Marks,
            "Marks",
            "left to spend this Round",
        ),
    ),
    only(
        Clocks::MARKS,
        number(
            "score",
            Variable::Score,
            "Marks",
            "this Round's Initiative Score",
        ),
    ),
    number(
        "round",
        Variable::Round,
        "Rounds",
        "the Round (or turn) it is now, from 1",
    ),
    number("hp", Variable::Hp, "points", "own health"),
    number(
        "max_hp",
        Variable::MaxHp,
        "points",
        "own health at the start",
    ),
    number(
        "hp_percent",
        Variable::HpPercent,
        "percent",
        "own health of that at the start, rounded down",
    ),
    number(
        "target.hp",
        Variable::TargetHp,
        "points",
        "the target's health",
    ),
    number(
        "target.max_hp",
        Variable::TargetMaxHp,
        "points",
        "the target's health at the start",
    ),
    number(
        "target.hp_percent",
        Variable::TargetHpPercent,
        "percent",
        "the target's health of that at its start, rounded down",
    ),
    only(
        Clocks::MARKS,
        number(
            "move_left",
            Variable::MoveLeft,
            "Units",
            "of Land Speed left this Round",
        ),
    ),
    only(
        Clocks::MARKS,
        boolean("moved", Variable::Moved, "moved this Round, by any means"),
    ),
    only(
        Clocks::MARKS,
        boolean(
            "acted",
            Variable::Acted,
            "moved or took an action that is not free this Round",
        ),
    ),
    only(
        Clocks::MARKS,
        boolean(
            "attacked",
            Variable::Attacked,
            "used an attack action this Round",
        ),
    ),
    boolean(
        "ready",
        Variable::Ready,
        "nothing that a Set would help is un-set; true wherever there is no Set",
    ),
    boolean(
        "in_melee",
        Variable::InMelee,
        "an enemy stands within one's own reach",
    ),
    boolean(
        "threatened",
        Variable::Threatened,
        "one stands within the reach of an enemy",
    ),
    boolean(
        "casting",
        Variable::Casting,
        "a spell of one's own is under way",
    ),
    only(
        Clocks::MARKS,
        boolean(
            "channelling",
            Variable::Channelling,
            "a Channel of one's own is under way",
        ),
    ),
    boolean(
        "target.casting",
        Variable::TargetCasting,
        "a spell of the target's is under way",
    ),
    only(
        Clocks::MARKS,
        boolean(
            "target.channelling",
            Variable::TargetChannelling,
            "a Channel of the target's is under way",
        ),
    ),
    boolean(
        "target.ready",
        Variable::TargetReady,
        "nothing that a Set would help the target with is un-set",
    ),
    boolean(
        "target.in_reach",
        Variable::TargetInReach,
        "the target stands within one's own reach",
    ),
    number(
        "allies",
        Variable::Allies,
        "combatants",
        "others of one's own side that stand",
    ),
    number(
        "enemies",
        Variable::Enemies,
        "combatants",
        "enemies that stand",
    ),
    number(
        "nearest_enemy_distance",
        Variable::NearestEnemyDistance,
        "Units",
        "to the nearest enemy, whomever the line is about; 0 if none stands",
    ),
    boolean("prone", Variable::Prone, "on the ground"),
    boolean(
        "target.prone",
        Variable::TargetProne,
        "the target is on the ground",
    ),
    only(
        Clocks::MARKS,
        boolean("can_car", Variable::CanCar, "a CAR move is left this Round"),
    ),
    only(
        Clocks::BY_TURN_OR_PHASE,
        number(
            "turn",
            Variable::Round,
            "turns",
            "the turn it is now, from 1",
        ),
    ),
    only(
        Clocks::TURNS,
        number(
            "initiative",
            Variable::Initiative,
            "points",
            "this turn's total: rating and die",
        ),
    ),
    only(
        Clocks::TURNS,
        number("actions", Variable::Actions, "actions", "left this turn"),
    ),
    only(
        Clocks::TURNS,
        number("yards", Variable::Yards, "yards", "moved this turn"),
    ),
    only(
        Clocks::TURNS,
        number(
            "free_yards",
            Variable::FreeYards,
            "yards",
            "left of those that cost an acting character nothing (MA-5)",
        ),
    ),
    only(
        Clocks::BY_TURN,
        boolean("moved", Variable::Moved, "moved this turn"),
    ),
    only(
        Clocks::BY_TURN,
        boolean("acted", Variable::Acted, "took an action this turn"),
    ),
    only(
        Clocks::BY_TURN,
        boolean("attacked", Variable::Attacked, "attacked this turn"),
    ),
    only(
        Clocks::BY_TURN,
        number(
            "wounds",
            Variable::Wounds,
            "dice",
            "that one's health level takes off attack pools (MA-8)",
        ),
    ),
    only(
        Clocks::BY_TURN,
        number(
            "target.wounds",
            Variable::TargetWounds,
            "dice",
            "that the target's health level takes off its attack pools",
        ),
    ),
    only(
        Clocks::TURNS,
        boolean(
            "injured",
            Variable::Injured,
            "at Injured or worse: half of every rate (MA-7)",
        ),
    ),
    only(
        Clocks::TURNS,
        boolean(
            "target.injured",
            Variable::TargetInjured,
            "the target is at Injured or worse",
        ),
    ),
    only(
        Clocks::TURNS,
        number(
            "endurance",
            Variable::Endurance,
            "turns",
            "left at full speed before one must roll (MA-6)",
        ),
    ),
    only(
        Clocks::TURNS,
        boolean("collapsed", Variable::Collapsed, "one moves no more (MA-6)"),
    ),
    only(
        Clocks::TURNS,
        number(
            "gathered",
            Variable::Gathered,
            "successes",
            "of one's ritual so far (MD-7)",
        ),
    ),
    only(
        Clocks::TURNS,
        number(
            "paradox",
            Variable::Paradox,
            "points",
            "of Paradox that one has gathered (MD-6)",
        ),
    ),
    only(
        Clocks::TURNS,
        number(
            "willpower",
            Variable::Willpower,
            "points",
            "of Willpower left to spend (MD-4)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "initiative",
            Variable::Initiative,
            "points",
            "as it was rolled: rating and die",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "place",
            Variable::Place,
            "count",
            "in the order, among those who stand, from 1 (CD-1)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "turns_left",
            Variable::TurnsLeft,
            "combatants",
            "others whose turn is still to come this Round; not who delays",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "enemies_left",
            Variable::EnemiesLeft,
            "combatants",
            "enemies whose turn is still to come this Round; not who delays",
        ),
    ),
    only(
        Clocks::ORDER,
        boolean(
            "enemy_acted",
            Variable::EnemyActed,
            "an enemy's turn is over since one began to delay (CD-2)",
        ),
    ),
    only(
        Clocks::ORDER,
        boolean(
            "delayed",
            Variable::Delayed,
            "one has come in after a delay this Round (CD-2)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "move_left",
            Variable::MoveLeft,
            "Units",
            "of this turn (CD-7)",
        ),
    ),
    only(
        Clocks::ORDER,
        boolean(
            "interrupted",
            Variable::Interrupted,
            "this turn has been interrupted (CD-4)",
        ),
    ),
    only(
        Clocks::ORDER,
        boolean(
            "target.acted",
            Variable::TargetActed,
            "the target's turn has come up this Round, and it is not delaying",
        ),
    ),
    only(
        Clocks::ORDER,
        boolean(
            "target.readied",
            Variable::TargetReadied,
            "the target has a readied action (CD-3)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "defence",
            Variable::Defence,
            "dice",
            "that one takes off attacks now (CD-6)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "target.defence",
            Variable::TargetDefence,
            "dice",
            "that the target takes off attacks now",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "ongoing",
            Variable::Ongoing,
            "points",
            "of ongoing damage when one's place comes up next (CD-5)",
        ),
    ),
    only(
        Clocks::ORDER,
        number(
            "target.ongoing",
            Variable::TargetOngoing,
            "points",
            "of ongoing damage when the target's place comes up next",
        ),
    ),
    only(
        Clocks::PHASES,
        number(
            "phase",
            Variable::Phase,
            "Phases",
            "the Phase it is now, 1 to 4; with `per-speed` the number of one's place in this turn",
        ),
    ),
    only(
        Clocks::PHASES,
        number("speed", Variable::Speed, "points", "one's own Speed"),
    ),
    only(
        Clocks::PHASES,
        number(
            "initiative",
            Variable::Initiative,
            "points",
            "one's current total, wounds taken off (EP-4)",
        ),
    ),
    only(
        Clocks::PHASES,
        number("moxie", Variable::Moxie, "points", "of Moxie left (EP-5)"),
    ),
    only(
        Clocks::PHASES,
        number(
            "wounds",
            Variable::Wounds,
            "wounds",
            "that one has taken (EP-9)",
        ),
    ),
    only(
        Clocks::PHASES,
        number(
            "target.wounds",
            Variable::TargetWounds,
            "wounds",
            "that the target has taken",
        ),
    ),
    only(
        Clocks::PHASES,
        number(
            "quick_actions",
            Variable::QuickActions,
            "actions",
            "Quick Actions left in this stage",
        ),
    ),
    only(
        Clocks::PHASES,
        number(
            "move_left",
            Variable::MoveLeft,
            "Units",
            "left to make in this Phase (EP-8)",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean("moved", Variable::Moved, "moved in this stage"),
    ),
    only(
        Clocks::PHASES,
        boolean("acted", Variable::Acted, "took any action in this stage"),
    ),
    only(
        Clocks::PHASES,
        boolean("attacked", Variable::Attacked, "attacked in this stage"),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "delaying",
            Variable::Delaying,
            "has a delayed action (EP-6)",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "interrupting",
            Variable::Interrupting,
            "this stage is a delayed action",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "enemy_attacks",
            Variable::EnemyAttacks,
            "an enemy has declared an attack, and not made it yet",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "under_attack",
            Variable::UnderAttack,
            "an enemy has declared an attack on oneself",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "enemy_acts",
            Variable::EnemyActs,
            "an enemy has declared an attack, another Complex Action or a Task Action",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "enemy_quick",
            Variable::EnemyQuick,
            "an enemy has declared a Quick Action",
        ),
    ),
    only(
        Clocks::PHASES,
        boolean(
            "enemy_moves",
            Variable::EnemyMoves,
            "an enemy has declared a step",
        ),
    ),
];

/// The variables that count who stands near: how they are written, and what they mean.
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
