//! The actions of policy lines: the one list from which the parser, the help and the documentation take
//! names, syntax and costs.

use crate::fight::program::{Mode, When};
use crate::fight::system::Clocks;
use crate::names;
use crate::systems::titles;

/// An action as a designer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionDescription {
    /// The clocks that have it, in this form.
    pub clocks: Clocks,
    /// How a line with it is written; `[...]` may be left out.
    pub syntax: &'static str,
    /// Its cost.
    pub cost: &'static str,
    /// When it is legal.
    pub legal: &'static str,
}

impl ActionDescription {
    /// The first word of the line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.syntax.split(' ').next().unwrap_or_default()
    }
}

/// The clocks of each action, its syntax, its cost, and when it is legal.
macro_rules! actions {
    ($($clocks:ident $syntax:literal $cost:literal $legal:literal;)+) => {
        /// Every action of every clock.
        pub const ACTIONS: &[ActionDescription] = &[$(ActionDescription {
            clocks: Clocks::$clocks,
            syntax: $syntax,
            cost: $cost,
            legal: $legal,
        }),+];
    };
}

actions! {
    MARKS "attack [TARGET] [with WEAPON]" "Full"
        "an enemy in reach or range, no Set needed, an attack action left (TC-8, TC-9, TC-10); without `with`, the first of one's weapons that can";
    MARKS "desperate [TARGET] [with WEAPON]" "Full"
        "a ranged attack that a plain shot would need Set for (TC-11)";
    MARKS "set" "Quarter" "something is un-set (TC-9, TC-10)";
    MARKS "advance [N] [to D] [TARGET]" "1 Mark a Unit"
        "Land Speed left, farther from the target than one's reach (or than D) (W-3, TC-6)";
    MARKS "retreat [N] [to D] [TARGET]" "1 Mark a Unit"
        "Land Speed left, not against the wall (and nearer to the target than D)";
    MARKS "cast SPELL [TARGET]" "Full" "a target in range; not casting (TC-12)";
    MARKS "channel SPELL [TARGET] [until CONDITION]" "all Marks"
        "nothing done this Round (TC-15); the condition breaks it";
    MARKS "combat_cast advance|retreat [TARGET]" "free" "while casting, once a spell (TC-14)";
    MARKS "car [TARGET]" "free"
        "an enemy within the Combat Action Radius, once a Round (TC-16); also answers an enemy that moves inside it";
    MARKS "charge [TARGET] [with WEAPON]" "Quarter"
        "a target not yet in reach and no farther than the Land Speed left, once a Round (TC-17)";
    MARKS "use ITEM" "the item's" "uses left";
    MARKS "draw WEAPON" "Quarter"
        "it is neither in hand nor dropped; with all `hands` full, the first other weapon in hand is dropped (TC-5)";
    MARKS "sheathe WEAPON" "Half" "it is in hand; it can be drawn again (TC-5)";
    MARKS "stand" "Quarter" "prone";
    MARKS "wait K" "K Marks, no action" "Marks left; K from 1 to `round_marks`, 30 by default (TC-23)";
    MARKS "delay up|down" "half the Score" "asked only when the Score is rolled (TC-4)";
    MARKS "pass" "the rest of the Round" "always";
    MARKS "anytime ACTION" "free"
        "ACTION is free: `use` of an item that costs nothing, `car` or `combat_cast`. Asked after every event and whenever a Mark has passed, not only when one is free to decide; not while channelling, not at Mark 0 (W-8)";
    TURNS "attack [TARGET] [with WEAPON]" "an action"
        "an enemy in reach or range, a die left of the pool (MA-5); without `with`, the first of one's weapons that can; `with willpower` after it buys a sure success (MD-4)";
    TURNS "cast SPELL [TARGET]" "an action"
        "a target in range, a die left of the pool (MD-5); goes on with a ritual that is under way (MD-7); `with willpower` as for `attack`";
    TURNS "draw [WEAPON]" "an action, or turns"
        "it is not in hand; without WEAPON, the first that is not; with `ready_turns`, a whole turn each (MA-3)";
    TURNS "use ITEM" "an action" "uses left";
    TURNS "set" "nothing" "never: nobody is un-set";
    TURNS "stand" "an action" "prone";
    TURNS "advance [MODE] [N] [to D] [TARGET]" "nothing, or to climb an action"
        "yards of the mode's rate left, after an action of the free half (MA-4, MA-5); farther from the target than one's reach (or than D)";
    TURNS "retreat [MODE] [N] [to D] [TARGET]" "nothing, or to climb an action"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    TURNS "pass" "the rest of the turn" "always";
    ORDER "attack [TARGET] [with WEAPON]" "the action"
        "an enemy in reach or range (CD-6); without `with`, the first of one's weapons that can";
    ORDER "cast SPELL [TARGET]" "the action" "a target in range";
    ORDER "draw [WEAPON]" "the action" "it is not in hand; without WEAPON, the first that is not";
    ORDER "use ITEM" "the action" "uses left";
    ORDER "set" "nothing" "never: nobody is un-set";
    ORDER "stand" "the action" "prone";
    ORDER "ready ACTION when TRIGGER" "the action"
        "it is not ruled out already: uses left, prone, not in hand, able to move (CD-3); its target is `trigger` unless it says otherwise";
    ORDER "delay [yield [N]] [until CONDITION]" "nothing yet"
        "nothing done this turn, not delayed this Round, somebody else's turn still to come (CD-2); the condition is asked after each";
    ORDER "advance [N] [to D] [TARGET]" "nothing"
        "Units of the turn left, farther from the target than one's reach (or than D) (CD-7)";
    ORDER "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    ORDER "cancel" "the readied action" "asked only when one's trigger happens (CD-3)";
    ORDER "pass" "the rest of the turn" "always";
    PHASES "attack [TARGET] [with WEAPON]" "the Complex Action"
        "an enemy in reach or range, not prone (EP-3); without `with`, the first of one's weapons that can";
    PHASES "use ITEM" "a Quick Action, or the Complex one" "uses left";
    PHASES "draw [WEAPON]" "a Quick Action" "it is not in hand; without WEAPON, the first that is not";
    PHASES "set" "nothing" "never: nobody is un-set";
    PHASES "stand" "a Quick Action" "prone";
    PHASES "quick draw|use|stand ..." "a Quick Action"
        "as without `quick`; an item must be quick to use (EP-3)";
    PHASES "task TASK [TARGET]" "the stage's actions"
        "it is not done; no Quick or Complex Action taken in this stage (EP-3)";
    PHASES "advance [N] [to D] [TARGET]" "nothing"
        "Units of this Phase left (EP-8), not prone, farther from the target than one's reach (or than D)";
    PHASES "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    PHASES "delay" "the stage" "nothing is done in it; not with a delayed action (EP-6)";
    PHASES "pass" "the rest of the stage" "always";
    PHASES "spend moxie" "a point of Moxie"
        "asked as a Phase begins in which one acts: one goes first in it (EP-5)";
    PHASES "interrupt" "the delayed action"
        "asked at every point while one has a delayed action (EP-6); the other lines then say what is done";
    PHASES "hold" "nothing"
        "asked at the end of a Phase while one has a delayed action; without it, it is taken then (EP-6)";
}

/// Actions that can be Quick Actions (EP-3).
pub const QUICK: &[&str] = &["draw", "use", "stand"];

/// Actions that can be readied (CD-3).
pub const READIED: &[&str] = &[
    "attack", "cast", "draw", "use", "stand", "advance", "retreat",
];

/// Whose doing triggers a readied action, apart from names (CD-3).
pub const SUBJECTS: &[(&str, &str)] = &[
    ("enemy", "any enemy"),
    ("ally", "another of one's own side"),
    ("anyone", "an enemy or an ally, but not oneself"),
];

/// The triggers of readied actions (CD-3): spelling, time and meaning.
pub const TRIGGERS: &[(&str, &str, When)] = &[
    (
        "comes-within N",
        "a Unit that it has just moved brings it from farther than N to N or nearer",
        When::ComesWithin(0),
    ),
    (
        "leaves N",
        "a Unit that it has just moved takes it from N or nearer to farther than N",
        When::Leaves(0),
    ),
    ("moves", "it is about to move a Unit", When::Moves),
    (
        "attacks",
        "it has declared an attack on anybody; `attacks me`: on oneself; before the roll",
        When::Attacks { me: false },
    ),
    (
        "casts",
        "it has declared a spell, before its effect",
        When::Casts,
    ),
    (
        "uses",
        "it is about to use a thing, before its effect",
        When::Uses,
    ),
    (
        "draws",
        "it is about to draw a weapon, before it is in hand",
        When::Draws,
    ),
    ("falls", "it has fallen, for whatever reason", When::Falls),
    (
        "acts",
        "it is about to do anything: move a Unit, attack, cast, use, draw or stand up",
        When::Acts,
    ),
];

/// Actions that may be joined by `+`: several feats in one action, for which the pool is divided (MA-3).
pub const FEATS: &[&str] = &["attack", "cast", "draw", "use", "stand"];

/// The actions of those clocks.
pub fn of(clocks: Clocks) -> impl Iterator<Item = &'static ActionDescription> {
    ACTIONS
        .iter()
        .filter(move |action| action.clocks.meets(clocks))
}

/// The action of that name on those clocks.
#[must_use]
pub fn find(name: &str, clocks: Clocks) -> Option<&'static ActionDescription> {
    of(clocks).find(|action| action.name() == name)
}

/// Titles of the systems that have an action of that name, if any has.
#[must_use]
pub fn elsewhere(name: &str) -> Option<String> {
    let mut having = of(Clocks::ALL).filter(|action| action.name() == name);
    having.next().map(|action| titles(action.clocks))
}

/// The modes of movement, as written (MA-4).
pub const MODES: &[(&str, Mode)] = &[
    ("walk", Mode::Walk),
    ("jog", Mode::Jog),
    ("run", Mode::Run),
    ("swim", Mode::Swim),
    ("fly", Mode::Fly),
    ("climb", Mode::Climb),
];

/// The word for a mode.
#[must_use]
pub fn mode_name(mode: Mode) -> &'static str {
    MODES
        .iter()
        .find(|(_, known)| *known == mode)
        .map_or("", |(name, _)| name)
}

/// The modes as a list for a message.
#[must_use]
pub fn modes() -> String {
    names::list(MODES.iter().map(|(name, _)| *name), "or")
}

/// The words that stand for a target (W-4); anything else is a combatant's name.
pub const TARGETS: &[(&str, &str)] = &[
    ("nearest", "the nearest enemy (the default)"),
    (
        "weakest",
        "of those in reach, the enemy with least health left",
    ),
    (
        "strongest",
        "of those in reach, the enemy with most health left",
    ),
    (
        "weakest of all",
        "the enemy with least health left of all that stand; only while it is in reach",
    ),
    (
        "strongest of all",
        "the enemy with most health left of all that stand; only while it is in reach",
    ),
    ("casting", "an enemy that is casting"),
];

#[cfg(test)]
mod tests {
    use super::ACTIONS;

    #[test]
    fn names_are_unique_on_a_clock() {
        for (index, action) in ACTIONS.iter().enumerate() {
            assert!(
                ACTIONS[..index].iter().all(
                    |other| other.name() != action.name() || !other.clocks.meets(action.clocks)
                )
            );
        }
    }
}
