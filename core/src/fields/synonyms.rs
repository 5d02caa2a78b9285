//! Words of other games for the keys of a scenario: an error about such a key names the key that is meant here.

use crate::document::diagnostics::Diagnostic;
use crate::fight::system::System;
use crate::names::{Synonyms, alike, synonym};

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
    ("weapons", "arms attacks"),
    ("spells", "powers magic"),
    ("prone", "lying on_the_ground"),
    ("kind", "type class category"),
    ("check", "to_hit hit attack attack_bonus hit_bonus roll"),
    ("check.pool", "pool dice_pool"),
    ("check.skill", "skill target_number"),
    ("check.bonus", "bonus"),
    ("check.difficulty", "difficulty"),
    ("damage", "dmg harm wounds"),
    ("range", "distance max_range"),
    ("reach", "distance melee_range"),
    ("heal", "heals healing restores cures"),
    ("uses", "charges doses quantity amount"),
    ("dice", "die roll"),
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

/// Adds to an error about an unknown key the name that the system uses, if the key is a known synonym.
pub(crate) fn explain(problem: &mut Diagnostic, system: &System) {
    let Some(unknown) = problem.unknown.take() else {
        return;
    };
    let has = |key: &str| unknown.known.contains(&key);
    let ends = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let begins = |path: &'static str| path.split('.').next().unwrap_or(path);
    let named = synonym(&unknown.key, &[system.synonyms, SHARED], |path| {
        has(ends(path)) || has(begins(path))
    });
    // In the scenario itself, the key of a combatant.
    let of_combatant = || {
        let tables = [system.synonyms, SHARED];
        let path = synonym(&unknown.key, &tables, |path| path.contains('.'))?;
        has("combatants").then(|| format!("combatants.NAME.{path}"))
    };
    // A key whose table has no header is read as one of the table above.
    let of_encounter = || {
        let path = format!("encounter.{}", unknown.key);
        SHARED.iter().any(|(own, _)| *own == path).then_some(path)
    };
    let meant = match named {
        Some(path) if has(ends(path)) => Some(ends(path).to_owned()),
        Some(path) => Some(path.to_owned()),
        None => of_combatant().or_else(of_encounter),
    };
    if let (Some(path), Some((_, label))) = (meant, &mut problem.place) {
        let last = path.rsplit('.').next().unwrap_or(&path);
        *label = if alike(last, &unknown.key) {
            format!("did you mean `{path}`?")
        } else {
            format!("`{}` is called `{path}` here", unknown.key)
        };
        // The list of all keys would only hide it.
        problem.help.clear();
    }
}
