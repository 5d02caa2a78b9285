//! Words of other games for the keys of a scenario: an error about such a key names the key that is meant here.

use crate::document::diagnostics::{Diagnostic, UnknownKey};
use crate::fight::system::System;
use crate::names::{Synonyms, alike, nearest, synonym};

/// Words for the keys that all systems have. A system adds its own, which come first.
pub(crate) const SHARED: &Synonyms = &[
    (
        "health",
        "hit_points hitpoints hits life life_points max_hp vitality",
    ),
    ("armor", "armour dr damage_reduction protection"),
    ("move", "movement pace land_speed walk walking_speed"),
    ("initiative", "init initiative_bonus initiative_modifier"),
    ("attributes", "stats characteristics ability_scores"),
    ("side", "team faction party group allegiance"),
    ("position", "pos x start place location"),
    ("enters", "arrives enters_round joins reinforcement"),
    ("count", "number amount quantity copies"),
    ("policy", "tactics strategy ai behavior behaviour script"),
    ("items", "gear equipment inventory potions"),
    ("weapons", "arms"),
    ("spells", "powers magic"),
    ("prone", "lying on_the_ground"),
    ("kind", "type class category"),
    ("check", "to_hit hit attack roll"),
    ("check.pool", "pool dice_pool"),
    ("check.skill", "skill target_number"),
    ("check.bonus", "bonus attack_bonus hit_bonus to_hit_bonus"),
    ("check.difficulty", "difficulty"),
    ("damage", "dmg harm wounds"),
    ("range", "distance max_range"),
    ("reach", "distance melee_range"),
    ("heal", "heals healing restores cures"),
    ("uses", "charges doses quantity amount"),
    ("bonus", "modifier mod plus add to_hit"),
    ("difficulty", "dc tn diff target_number target"),
    ("required", "successes threshold needed"),
    ("pool", "dice_pool number_of_dice"),
    ("skill", "target percent percentage chance"),
    (
        "encounter.max_rounds",
        "rounds max_turns turns round_limit limit",
    ),
    ("encounter.arena", "map field size bounds battlefield"),
    (
        "combatants",
        "fighters characters creatures actors units monsters",
    ),
    ("policies", "behaviors behaviours scripts strategies"),
    ("rules", "settings options house_rules rulings config"),
    ("min", "at_least least minimum"),
    ("max", "at_most most maximum"),
    ("title", "name heading"),
    ("question", "description comment about"),
    ("system", "game ruleset edition"),
    ("set", "changes change overrides"),
];

/// The key that an unknown key probably stands for.
pub(crate) struct Advice {
    /// Its path: from the table of the unknown key, or from the top.
    path: String,
    is_from_top: bool,
    /// Whether the unknown key is spelt like it.
    pub(crate) is_misspelt: bool,
}

impl Advice {
    /// Returns the path from the table of the unknown key; empty if it begins at the top.
    pub(crate) fn relative(&self) -> String {
        if self.is_from_top {
            String::new()
        } else {
            self.path.clone()
        }
    }

    /// Returns whether the key stands in a table inside the table of the unknown key.
    pub(crate) fn is_nested(&self) -> bool {
        !self.is_from_top && self.path.contains('.')
    }

    /// Returns the key or path that takes the place of the unknown key, if it is certain.
    pub(crate) fn replacement(&self) -> Option<&str> {
        (!self.is_misspelt && !self.is_from_top).then_some(&*self.path)
    }

    /// Returns the advice in words.
    pub(crate) fn label(&self, key: &str) -> String {
        let path = &self.path;
        let last = path.rsplit('.').next().unwrap_or(path);
        if self.is_misspelt || alike(last, key) {
            format!("did you mean `{path}`?")
        } else {
            format!("`{key}` is called `{path}` here")
        }
    }
}

/// Returns the key that a system probably uses for an unknown one: a word of other games for the same, or a misspelt
/// key.
pub(crate) fn advice(unknown: &UnknownKey, system: &System) -> Option<Advice> {
    let has = |key: &str| unknown.known.contains(&key);
    let ends = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let begins = |path: &'static str| path.split('.').next().unwrap_or(path);
    let tables = [system.synonyms, SHARED];
    let within = |path: &str, is_misspelt| Advice {
        path: path.to_owned(),
        is_from_top: false,
        is_misspelt,
    };
    let from_top = |path: String| Advice {
        path,
        is_from_top: true,
        is_misspelt: false,
    };
    let named = synonym(&unknown.key, &tables, |path| {
        has(ends(path)) || has(begins(path))
    });
    if let Some(path) = named {
        let path = if has(ends(path)) { ends(path) } else { path };
        return Some(within(path, false));
    }
    // In the scenario itself, a trait of a combatant.
    let of_combatant = || {
        let path = synonym(&unknown.key, &tables, |path| {
            path.starts_with("attributes.")
        })?;
        has("combatants").then(|| from_top(format!("combatants.NAME.{path}")))
    };
    // A key whose table has no header is read as one of the table above.
    let of_encounter = || {
        let path = format!("encounter.{}", unknown.key);
        let mut shared = SHARED.iter();
        shared.any(|(own, _)| *own == path).then(|| from_top(path))
    };
    let misspelt = || {
        let near = nearest(&unknown.key, unknown.known.iter().copied())?;
        Some(within(near, true))
    };
    of_combatant().or_else(of_encounter).or_else(misspelt)
}

/// Adds to an error about an unknown key the name that the system uses.
pub(crate) fn explain(problem: &mut Diagnostic, system: &System) {
    let found = problem.unknown().and_then(|unknown| {
        let advice = advice(unknown, system).filter(|advice| !advice.is_misspelt)?;
        Some((advice.label(&unknown.key), advice))
    });
    if let Some((label, advice)) = found {
        problem.explain(&label, advice.replacement());
    }
}
