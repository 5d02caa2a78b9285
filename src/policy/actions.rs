//! What a policy line may do: the one list of actions, from which the parser, the help and the
//! documentation all take their names, syntax and costs.

use super::program::Mode;
use crate::names;
use crate::system::{Clocks, titles};

/// An action as a designer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionDescription {
    /// The first word of the line.
    pub name: &'static str,
    /// The clocks that have it, in this form.
    pub clocks: Clocks,
    /// How a line with it is written; `[...]` may be left out.
    pub syntax: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// When it is legal.
    pub legal: &'static str,
}

const fn marks(
    name: &'static str,
    syntax: &'static str,
    cost: &'static str,
    legal: &'static str,
) -> ActionDescription {
    ActionDescription {
        name,
        clocks: Clocks::MARKS,
        syntax,
        cost,
        legal,
    }
}

const fn turns(
    name: &'static str,
    syntax: &'static str,
    cost: &'static str,
    legal: &'static str,
) -> ActionDescription {
    ActionDescription {
        clocks: Clocks::TURNS,
        ..marks(name, syntax, cost, legal)
    }
}

/// Every action of every clock.
pub const ACTIONS: &[ActionDescription] = &[
    marks(
        "attack",
        "attack [TARGET] [with WEAPON]",
        "Full",
        "an enemy in reach or range, no Set needed, an attack action left (TC-8, TC-9, TC-10); without `with`, the first of one's weapons that can",
    ),
    marks(
        "desperate",
        "desperate [TARGET] [with WEAPON]",
        "Full",
        "a ranged attack that a plain shot would need Set for (TC-11)",
    ),
    marks("set", "set", "Quarter", "something is un-set (TC-9, TC-10)"),
    marks(
        "advance",
        "advance [N] [to D] [TARGET]",
        "1 Mark a Unit",
        "Land Speed left, farther from the target than one's reach (or than D) (W-3, TC-6)",
    ),
    marks(
        "retreat",
        "retreat [N] [to D] [TARGET]",
        "1 Mark a Unit",
        "Land Speed left, not against the wall (and nearer to the target than D)",
    ),
    marks(
        "cast",
        "cast SPELL [TARGET]",
        "Full",
        "a target in range; not casting (TC-12)",
    ),
    marks(
        "channel",
        "channel SPELL [TARGET] [until CONDITION]",
        "all Marks",
        "nothing done this Round (TC-15); the condition breaks it",
    ),
    marks(
        "combat_cast",
        "combat_cast advance|retreat [TARGET]",
        "free",
        "while casting, once a spell (TC-14)",
    ),
    marks(
        "car",
        "car [TARGET]",
        "free",
        "an enemy within the Combat Action Radius, once a Round (TC-16); also answers an enemy that moves inside it",
    ),
    marks(
        "charge",
        "charge [TARGET] [with WEAPON]",
        "Quarter",
        "a target not yet in reach and no farther than the Land Speed left, once a Round (TC-17)",
    ),
    marks("use", "use ITEM", "the item's", "uses left"),
    marks("draw", "draw WEAPON", "Quarter", "it is not in hand"),
    marks("stand", "stand", "Quarter", "prone"),
    marks(
        "wait",
        "wait K",
        "K Marks, no action",
        "Marks left; K from 1 to 30 (TC-23)",
    ),
    marks(
        "delay",
        "delay up|down",
        "half the Score",
        "asked only when the Score is rolled (TC-4)",
    ),
    marks("pass", "pass", "the rest of the Round", "always"),
    turns(
        "attack",
        "attack [TARGET] [with WEAPON] [with willpower]",
        "an action",
        "an enemy in reach or range, a die left of the pool (MA-5); without `with`, the first of one's weapons that can; `with willpower`, a point of it buys a sure success, once a turn (MD-4)",
    ),
    turns(
        "cast",
        "cast SPELL [TARGET] [with willpower]",
        "an action",
        "a target in range, a die left of the pool (MD-5); goes on with a ritual that is under way (MD-7)",
    ),
    turns(
        "draw",
        "draw [WEAPON]",
        "an action, or turns",
        "it is not in hand; without WEAPON, the first that is not; with `ready_turns`, a whole turn each (MA-3)",
    ),
    turns("use", "use ITEM", "an action", "uses left"),
    turns("stand", "stand", "an action", "prone"),
    turns(
        "advance",
        "advance [MODE] [N] [to D] [TARGET]",
        "nothing, or to climb an action",
        "yards of the mode's rate left, after an action of the free half (MA-4, MA-5); farther from the target than one's reach (or than D)",
    ),
    turns(
        "retreat",
        "retreat [MODE] [N] [to D] [TARGET]",
        "nothing, or to climb an action",
        "as for `advance`; not against the wall (and nearer to the target than D)",
    ),
    turns("pass", "pass", "the rest of the turn", "always"),
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
    of(clocks).find(|action| action.name == name)
}

/// Titles of the systems that have an action of that name, if any has.
#[must_use]
pub fn elsewhere(name: &str) -> Option<String> {
    let mut having = of(Clocks::ALL).filter(|action| action.name == name);
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
    ("weakest", "the enemy with least health left"),
    ("strongest", "the enemy with most health left"),
    ("casting", "an enemy that is casting"),
];

#[cfg(test)]
mod tests {
    use super::ACTIONS;

    #[test]
    fn syntax_begins_with_the_name_and_names_are_unique_on_a_clock() {
        for (index, action) in ACTIONS.iter().enumerate() {
            assert_eq!(action.syntax.split(' ').next(), Some(action.name));
            assert!(
                ACTIONS[..index]
                    .iter()
                    .all(|other| other.name != action.name || !other.clocks.meets(action.clocks))
            );
        }
    }
}
