//! Musters the combatants: expands counts to names, finds the sides and compiles the policies.

use super::combatants::{CombatantEntry, PolicyRef, not_defined};
use super::policies::Lines;
use crate::document::diagnostics::Diagnostic;
use crate::fields::surroundings::Danger;
use crate::fight::effect::Change;
use crate::fight::health::AtZero;
use crate::fight::lasting::{Condition, Number};
use crate::fight::program::Policy;
use crate::fight::system::System;
use crate::fight::{Combatant, MAX_COMBATANTS};
use crate::policy::resolve::{Candidate, Deeds, Owner};
use crate::systems::Rules;
use std::sync::Arc;

/// Returns the names in tables: with a count, the group's name and a number.
fn spread(name: &str, count: usize) -> Vec<String> {
    if count == 1 {
        return vec![name.to_owned()];
    }
    (1..=count)
        .map(|number| format!("{name} {number}"))
        .collect()
}

/// Reports every name that another combatant already has.
pub(super) fn clashes(entries: &[CombatantEntry<'_>], problems: &mut Vec<Diagnostic>) {
    let mut taken: Vec<(String, &CombatantEntry<'_>)> = Vec::new();
    for entry in entries {
        let name = &entry.combatant.name;
        if name.is_empty() {
            continue;
        }
        let mut own = spread(name, entry.count);
        // A target may also be a group, so a group's name is taken like any other.
        if entry.count > 1 {
            own.push(name.clone());
        }
        let clash = own
            .iter()
            .find_map(|name| taken.iter().find(|(other, _)| other == name));
        if let Some((clashing, other)) = clash {
            let (label, earlier) = if clashing == name && *clashing == other.combatant.name {
                (
                    "expected a name of its own".to_owned(),
                    "the first one".to_owned(),
                )
            } else {
                let group = if entry.count > 1 { entry } else { other };
                let range = format!(
                    "its {} are called `{name} 1` to `{name} {}`",
                    group.count,
                    group.count,
                    name = group.combatant.name
                );
                if entry.count > 1 {
                    (range, "this one".to_owned())
                } else {
                    ("expected a name of its own".to_owned(), range)
                }
            };
            problems.push(
                Diagnostic::error(
                    entry.span,
                    format!("two combatants are called \"{clashing}\""),
                    label,
                )
                .context(other.span, earlier),
            );
        }
        taken.extend(own.into_iter().map(|name| (name, entry)));
    }
}

/// The parts of a fight that policies are compiled with: its system, rules, conditions, traits of its own, resources and
/// declared kinds of a turn, hazards, and whether it has borders.
pub(super) type Parts<'a> = (
    &'a System,
    &'a Rules,
    (&'a [Condition], [&'a [String]; 2], Option<&'a [String]>),
    &'a [Danger],
    bool,
);

/// Expands the counts, finds the sides and compiles the policies.
pub(super) fn assemble(
    entries: &[CombatantEntry<'_>],
    policies: &[Lines<'_>],
    (system, rules, (conditions, [own_traits, resources], declares), hazards, has_borders): Parts<
        '_,
    >,
    problems: &mut Vec<Diagnostic>,
) -> (Vec<String>, Vec<Combatant>) {
    let mut sides: Vec<&str> = Vec::new();
    let mut names: Vec<(Vec<String>, usize)> = Vec::new();
    let mut total = 0;
    for entry in entries {
        if entry.count > 0 && !sides.contains(&entry.side) {
            sides.push(entry.side);
        }
        // A count that is too large has been reported, and need not be built.
        let count = entry.count.min(MAX_COMBATANTS.saturating_sub(total));
        total += count;
        let mut spread = spread(&entry.combatant.name, entry.count);
        spread.truncate(count);
        let side = sides.iter().position(|side| *side == entry.side);
        names.push((spread, side.unwrap_or(0)));
    }
    let gains_speed = conditions
        .iter()
        .any(|one| one.changes.of(Number::Move) > 0);
    let effects = entries.iter().flat_map(|entry| entry.combatant.effects());
    let of_hazards = hazards.iter().flat_map(|danger| &danger.hazard.effects);
    let loses_weapons = effects.chain(of_hazards).any(|effect| {
        matches!(
            effect.change(),
            Some(Change::Disarm { .. } | Change::Uses { .. })
        )
    });
    let candidates: Vec<Candidate<'_>> = entries
        .iter()
        .zip(&names)
        .flat_map(|(entry, (names, _))| {
            names.iter().map(|name| Candidate {
                name,
                group: &entry.combatant.group,
                side: entry.side,
                can: deeds(&entry.combatant, gains_speed, loses_weapons),
            })
        })
        .collect();
    // If a name or side is missing, an unknown target may mean the missing one.
    let all_known = entries
        .iter()
        .all(|entry| !entry.combatant.name.is_empty() && !entry.side.is_empty());
    let absent = entries.iter().filter(|entry| entry.count == 0);
    let absent: Vec<&str> = absent.map(|entry| entry.combatant.name.as_str()).collect();
    let (round_marks, may_wait) = match rules {
        Rules::Marks(rules) => (rules.round_marks as u8, rules.may_wait),
        _ => (0, true),
    };
    let may_be_down = entries
        .iter()
        .any(|entry| entry.combatant.at_zero == AtZero::Down);
    let mut combatants = Vec::with_capacity(total);
    for (entry, (names, side)) in entries.iter().zip(&names) {
        let lines = wanted(entry, policies, problems);
        let combatant = &entry.combatant;
        let mut policy = Policy::default();
        if let Some(lines) = lines
            && all_known
            && !entry.broken
        {
            let owner = Owner {
                name: &combatant.name,
                side: entry.side,
                weapons: &combatant.weapons,
                spells: &combatant.spells,
                items: &combatant.items,
                tasks: &combatant.tasks,
                conditions,
                resources,
                declares,
                clock: system.clock,
                traits: &combatant.traits,
                own: (own_traits, &combatant.own),
                has_borders,
                may_wait,
                round_marks,
                may_be_down,
                candidates: &candidates,
                absent: &absent,
            };
            policy = lines.compile(&owner, problems);
        }
        let policy = Arc::new(policy);
        for name in names {
            combatants.push(Combatant {
                name: name.clone(),
                side: *side,
                policy: Arc::clone(&policy),
                ..combatant.clone()
            });
        }
    }
    let sides = sides.into_iter().map(str::to_owned).collect();
    (sides, combatants)
}

/// Returns everything that a combatant could ever do. Conditions may give it speed, and others may take its weapons.
fn deeds(combatant: &Combatant, gains_speed: bool, loses_weapons: bool) -> Deeds {
    Deeds {
        moves: gains_speed || combatant.speed > 0,
        attacks: !combatant.weapons.is_empty(),
        casts: !combatant.spells.is_empty(),
        uses: !combatant.items.is_empty(),
        draws: !combatant.weapons.is_empty()
            && (loses_weapons
                || (combatant.in_hand.trailing_ones() as usize) < combatant.weapons.len()),
    }
}

/// Returns the lines that an entry's `policy` refers to.
fn wanted<'a>(
    entry: &'a CombatantEntry<'_>,
    policies: &'a [Lines<'a>],
    problems: &mut Vec<Diagnostic>,
) -> Option<&'a Lines<'a>> {
    match entry.policy.as_ref()? {
        PolicyRef::Own(lines) => Some(lines),
        PolicyRef::Named(name, node) => {
            if let Some(found) = policies.iter().find(|policy| policy.name == *name) {
                found.used.set(true);
                return Some(found);
            }
            let known = || policies.iter().map(|policy| policy.name);
            let problem = not_defined(node.span, ["policy", "policies"], name, known);
            let help = "a policy written in place is a list: `policy = [\"attack\", \"advance\"]`";
            problems.push(problem.help(help));
            None
        }
    }
}
