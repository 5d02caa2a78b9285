//! The words of policy lines: the actions and variables of each system, and those that all systems share.

use std::borrow::Cow;

use super::ast::Reference;
use crate::fight::effect::Recipient;
use crate::fight::program::{Aim, When};
use crate::fight::system::{Action, Clocks, System};
use crate::fight::variables::{Variable, VariableRow, rows};
use crate::names::{self, Synonyms};
use crate::systems::{SYSTEMS, among};

/// Actions that can be Quick Actions (EP-3).
pub const QUICK: &[&str] = &["draw", "use", "stand"];

/// Actions that can be readied (CD-3).
pub const READIED: &[&str] = &[
    "attack", "cast", "draw", "use", "stand", "advance", "retreat",
];

/// Actions that can be declared before a Round.
pub const DECLARED: &[&str] = &["attack", "cast", "use", "draw", "stand", "pass"];

/// The combatants whose deeds may trigger a readied action, apart from names (CD-3).
pub const SUBJECTS: &[(&str, &str, Recipient)] = &[
    ("enemy", "any enemy", Recipient::Enemy),
    ("ally", "an ally", Recipient::Ally),
    (
        "anyone",
        "an enemy or an ally, but not itself",
        Recipient::Anyone,
    ),
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
        "it has declared an attack, before the roll; `attacks me`: on the owner of the line",
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
    (
        "leaves-reach",
        "for `react`: it is about to move a Unit out of the reach of the owner of the line",
        When::LeavesReach,
    ),
    (
        "ends-turn",
        "for `react`: its turn has ended",
        When::EndsTurn,
    ),
];

/// Actions that may be joined by `+`: several feats in one action, for which the pool is divided (MA-3).
pub const FEATS: &[&str] = &["attack", "cast", "draw", "use", "stand"];

/// The actions of some clocks.
pub fn of(clocks: Clocks) -> impl Iterator<Item = &'static Action> {
    among(clocks).flat_map(|system| system.actions)
}

/// Returns the action with this name on some clocks.
pub fn find(name: &str, clocks: Clocks) -> Option<&'static Action> {
    of(clocks).find(|action| action.name() == name)
}

/// Returns the titles of the systems that have a word, if any has.
pub fn elsewhere(has: impl Fn(&System) -> bool) -> Option<String> {
    let having = SYSTEMS.into_iter().filter(|system| has(system));
    let titles: Vec<&str> = having.map(|system| system.title).collect();
    (!titles.is_empty()).then(|| titles.join(" and "))
}

/// Words of other games for actions, targets and variables. A system adds its own words, which come first.
pub(crate) const SYNONYMS: &Synonyms = &[
    ("retreat", "withdraw back_off fall_back kite"),
    ("flee", "run_away escape leave rout"),
    ("surrender", "yield give_up capitulate"),
    (
        "attack",
        "shoot hit strike throw fire stab slash fight punch swing",
    ),
    (
        "advance",
        "move walk approach close_in run go step dash move_to",
    ),
    ("use", "drink heal quaff consume eat apply"),
    ("draw", "equip wield unsheathe take_out"),
    ("sheathe", "stow holster put_away"),
    ("cast", "spell invoke use_spell cast_spell"),
    ("stand", "get_up rise stand_up"),
    (
        "pass",
        "skip nothing end_turn pass_turn do_nothing end idle rest",
    ),
    ("quick", "bonus_action free_action"),
    ("nearest", "closest near next"),
    ("weakest", "lowest lowest_health lowest_hp"),
    ("strongest", "highest toughest highest_health"),
    (
        "health",
        "hit_points hitpoints life self.hp self.health my_hp own_hp",
    ),
    ("health_percent", "hp_pct hp_percentage health_pct percent"),
    (
        "target.health",
        "enemy.hp enemy.health enemy_hp target_hp target_health",
    ),
    ("distance", "dist range target.distance"),
    ("nearest_enemy_distance", "enemy_distance distance_to_enemy"),
    ("round", "turn round_number"),
    ("turn", "round turn_number"),
    ("enemies", "foes opponents enemy_count"),
    ("allies", "friends ally_count"),
    ("in_melee", "adjacent engaged melee"),
    ("target.in_reach", "in_reach target.reach"),
    ("move_left", "movement_left movement moves_left"),
    ("wounds", "wounded injuries"),
    ("ready", "aimed set"),
];

/// Returns the word on some clocks for a `word` of other games; `known` returns whether a word exists.
pub(super) fn synonym(
    word: &str,
    clocks: Clocks,
    known: impl Fn(&'static str) -> bool,
) -> Option<&'static str> {
    let own = among(clocks).map(|system| system.synonyms);
    let tables: Vec<&Synonyms> = own.chain([SYNONYMS]).collect();
    names::synonym(word, &tables, known)
}

/// The variables of conditions on some clocks.
pub fn facts(clocks: Clocks) -> impl Iterator<Item = &'static VariableRow> {
    rows().filter(move |fact| fact.clocks.meets(clocks))
}

/// The variables that every system has.
pub fn shared_facts() -> impl Iterator<Item = &'static VariableRow> {
    facts(Clocks::ALL).filter(|fact| fact.clocks == Clocks::ALL)
}

/// The variables of a system that not every system has.
pub fn own_facts(system: &System) -> impl Iterator<Item = &'static VariableRow> + use<> {
    facts(Clocks::only(system.clock)).filter(|fact| fact.clocks != Clocks::ALL)
}

/// Returns the variable on some clocks that a word is, or of which it is the beginning: `uses.potion`. `hp` may be
/// written for `health`: `max_hp`, `target.hp`.
pub fn fact(word: &str, clocks: Clocks) -> Option<&'static VariableRow> {
    let name = usual(word);
    let is_it = |known: &&VariableRow| {
        known.word() == name || known.is_dotted() && word.starts_with(known.word())
    };
    facts(clocks)
        .filter(|known| !known.variable.is_own_trait())
        .find(is_it)
}

/// Returns the variable that a word is if it names a trait of the scenario's own, and the name of the trait.
pub(super) fn own_trait(word: &str) -> Option<(&'static VariableRow, &str)> {
    let (name, wanted) = match word.strip_prefix("target.") {
        Some(name) => (name, Variable::TargetTrait(0)),
        None => (word, Variable::Trait(0)),
    };
    rows()
        .find(|known| known.variable == wanted)
        .map(|known| (known, name))
}

/// The words that are variables or begin one, without those that end in a dot.
pub(super) fn fact_words(
    clocks: Clocks,
    such: impl Fn(&VariableRow) -> bool,
) -> impl Iterator<Item = &'static str> {
    let plain = facts(clocks).filter(|known| !known.is_dotted());
    plain
        .filter(move |known| such(known))
        .map(VariableRow::word)
}

/// Replaces `hp` by `health` in the name of a variable.
fn usual(name: &str) -> Cow<'_, str> {
    let Some(start) = name.find("hp") else {
        return Cow::Borrowed(name);
    };
    let (before, after) = (&name[..start], &name[start + "hp".len()..]);
    let begins = before.is_empty() || before.ends_with(['.', '_']);
    if begins && (after.is_empty() || after.starts_with('_')) {
        Cow::Owned(format!("{before}health{after}"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The words that stand for a target (W-4), each with its meaning; anything else is a combatant's name.
pub const TARGETS: &[(&str, &str, Aim)] = &[
    ("nearest", "the nearest enemy (the default)", Aim::Nearest),
    (
        "weakest",
        "of those in reach, the enemy with least health left",
        Aim::Weakest,
    ),
    (
        "strongest",
        "of those in reach, the enemy with most health left",
        Aim::Strongest,
    ),
    (
        "weakest of all",
        "the enemy with least health left of all that stand; only while it is in reach",
        Aim::WeakestOfAll,
    ),
    (
        "strongest of all",
        "the enemy with most health left of all that stand; only while it is in reach",
        Aim::StrongestOfAll,
    ),
    ("casting", "an enemy that is casting", Aim::Casting),
    (
        "ally",
        "the nearest ally; of a move, and of an item or a spell that may be used on allies",
        Aim::Ally(u64::MAX),
    ),
    (
        "weakest_ally",
        "of the allies in reach, the one with least health left",
        Aim::WeakestAlly,
    ),
    (
        "self",
        "oneself; of an item or a spell that may be used on anyone",
        Aim::Own,
    ),
];

/// Returns the target that a word stands for.
pub fn target(word: &str) -> Option<Reference<Aim>> {
    let known = TARGETS.iter().find(|(known, ..)| *known == word);
    known.map(|(.., aim)| Reference::Word(*aim))
}

/// Returns the first word of a syntax.
pub(super) fn first_word(syntax: &str) -> &str {
    syntax.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::SYSTEMS;

    #[test]
    fn names_are_unique_in_a_system() {
        for system in SYSTEMS {
            for (index, action) in system.actions.iter().enumerate() {
                let mut before = system.actions[..index].iter();
                assert!(before.all(|other| other.name() != action.name()));
            }
        }
    }
}
