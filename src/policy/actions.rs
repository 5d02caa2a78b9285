//! What a policy line may do: the one list of actions, from which the parser, the help and the
//! documentation all take their names, syntax and costs.

/// An action as a designer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionDescription {
    /// The first word of the line.
    pub name: &'static str,
    /// How a line with it is written; `[...]` may be left out.
    pub syntax: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// When it is legal.
    pub legal: &'static str,
}

const fn action(
    name: &'static str,
    syntax: &'static str,
    cost: &'static str,
    legal: &'static str,
) -> ActionDescription {
    ActionDescription {
        name,
        syntax,
        cost,
        legal,
    }
}

/// Every action.
pub const ACTIONS: &[ActionDescription] = &[
    action(
        "attack",
        "attack [TARGET] [with WEAPON]",
        "Full",
        "an enemy in reach or range, no Set needed, an attack action left (TC-8, TC-9, TC-10); without `with`, the first of one's weapons that can",
    ),
    action(
        "desperate",
        "desperate [TARGET] [with WEAPON]",
        "Full",
        "a ranged attack that a plain shot would need Set for (TC-11)",
    ),
    action("set", "set", "Quarter", "something is un-set (TC-9, TC-10)"),
    action(
        "advance",
        "advance [N] [to D] [TARGET]",
        "1 Mark a Unit",
        "Land Speed left, farther from the target than one's reach (or than D) (W-3, TC-6)",
    ),
    action(
        "retreat",
        "retreat [N] [to D] [TARGET]",
        "1 Mark a Unit",
        "Land Speed left, not against the wall (and nearer to the target than D)",
    ),
    action(
        "cast",
        "cast SPELL [TARGET]",
        "Full",
        "a target in range; not casting (TC-12)",
    ),
    action(
        "channel",
        "channel SPELL [TARGET] [until CONDITION]",
        "all Marks",
        "nothing done this Round (TC-15); the condition breaks it",
    ),
    action(
        "combat_cast",
        "combat_cast advance|retreat [TARGET]",
        "free",
        "while casting, once a spell (TC-14)",
    ),
    action(
        "car",
        "car [TARGET]",
        "free",
        "an enemy within the Combat Action Radius, once a Round (TC-16); also answers an enemy that moves inside it",
    ),
    action(
        "charge",
        "charge [TARGET] [with WEAPON]",
        "Quarter",
        "a target not yet in reach and no farther than the Land Speed left, once a Round (TC-17)",
    ),
    action("use", "use ITEM", "the item's", "uses left"),
    action("draw", "draw WEAPON", "Quarter", "it is not in hand"),
    action("stand", "stand", "Quarter", "prone"),
    action(
        "wait",
        "wait K",
        "K Marks, no action",
        "Marks left; K from 1 to 30 (TC-23)",
    ),
    action(
        "delay",
        "delay up|down",
        "half the Score",
        "asked only when the Score is rolled (TC-4)",
    ),
    action("pass", "pass", "the rest of the Round", "always"),
];

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
    fn syntax_begins_with_the_name_and_names_are_unique() {
        for (index, action) in ACTIONS.iter().enumerate() {
            assert_eq!(action.syntax.split(' ').next(), Some(action.name));
            assert!(
                ACTIONS[..index]
                    .iter()
                    .all(|other| other.name != action.name)
            );
        }
    }
}
