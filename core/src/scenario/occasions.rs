//! Resolves the names and conditions in `falls` and `when` of reserves and hazards (W-12, W-14).

use super::combatants::CombatantEntry;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::Node;
use crate::document::reader::{ok_or_report, shown, text};
use crate::document::source::Span;
use crate::fields::effects::unknown;
use crate::fields::surroundings::Due;
use crate::fight::effect::Occasion;
use crate::fight::lasting::Condition;
use crate::fight::system::{Clocks, System};
use crate::fight::variables::Aspect;
use crate::fight::world::members;
use crate::fight::{Combatant, Traits, Variable, program};
use crate::names::all;
use crate::policy::actions::facts;
use crate::policy::parameters::Parameters;
use crate::policy::parser;
use crate::policy::resolve::{Owner, resolve};
use std::ops::Range;

/// The combatants of the file, and the names that conditions may use.
pub(super) struct NameResolver<'a> {
    pub(super) system: &'static System,
    pub(super) parameters: &'a Parameters,
    pub(super) conditions: &'a [Condition],
    /// The traits of the first combatant.
    pub(super) traits: Option<Traits>,
    /// The names in the file, each with the set of its combatants.
    pub(super) groups: &'a [(&'a str, u64)],
}

impl NameResolver<'_> {
    /// Returns the set of combatants with a name.
    pub(super) fn all_of(
        &self,
        name: &str,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<u64> {
        let found = self.groups.iter().find(|(group, _)| *group == name);
        if found.is_none() {
            let names = self.groups.iter().map(|(group, _)| *group);
            problems.push(unknown(span, "combatant", name, names));
        }
        Some(found?.1)
    }

    /// Resolves the occasion at which the reserve or hazard called `name` comes.
    pub(super) fn settle(&self, due: &Due, name: &str, problems: &mut Vec<Diagnostic>) -> Occasion {
        let falls = due.falls.as_ref();
        let after = falls.and_then(|falls| self.all_of(falls, due.span, problems));
        Occasion {
            after: after.unwrap_or(0),
            when: due
                .when
                .as_ref()
                .and_then(|node| self.asked(node, name, problems)),
            ..due.occasion.clone()
        }
    }

    /// Resolves `when`: a condition of policies, evaluated for each combatant that would enter or be struck.
    fn asked(
        &self,
        node: &Node,
        name: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<program::Condition> {
        const BEFORE: &str = "pass if ";
        let text = ok_or_report(text(node, "when"), problems)?;
        let line = format!("{BEFORE}{text}");
        let mut report = |found: Vec<Diagnostic>| {
            let within = |at: usize| at.saturating_sub(BEFORE.len());
            let place = |bytes: Range<usize>| node.span_of(within(bytes.start)..within(bytes.end));
            problems.extend(found.into_iter().map(|problem| problem.moved(place)));
        };
        let clock = self.system.clock;
        let tree = parser::parse_for(&line, Clocks::only(clock), self.parameters);
        let tree = tree.map_err(&mut report).ok()?;
        let owner = Owner {
            name,
            side: "",
            weapons: &[],
            spells: &[],
            items: &[],
            tasks: &[],
            conditions: self.conditions,
            resources: &[],
            declares: None,
            clock,
            traits: self.traits.as_ref()?,
            own: (&self.parameters.traits, &[]),
            has_borders: false,
            may_wait: true,
            round_marks: 0,
            may_be_down: false,
            candidates: &[],
            absent: &[],
        };
        let (policy, found) = resolve(name, &[(&line, Some(&tree))], &owner);
        let errors = found.into_iter().map(|(_, problem)| problem);
        let errors: Vec<Diagnostic> = errors.filter(Diagnostic::is_error).collect();
        let is_sound = errors.is_empty();
        report(errors);
        let when = policy.decisions().first()?.condition.clone();
        let of_anybody = |variable: Variable| variable.is(Aspect::Anybody);
        let foreign = !when.variables().all(of_anybody);
        if is_sound && foreign {
            let known = facts(Clocks::only(clock)).filter(|fact| of_anybody(fact.variable));
            problems.push(Diagnostic::error(
                node.span,
                format!(
                    "`when` of \"{}\" asks for what a combatant alone does not have",
                    shown(name)
                ),
                format!("expected {}", all(known.map(|fact| fact.name), "or")),
            ));
        }
        (is_sound && !foreign).then_some(when)
    }
}

/// Resolves when reserves enter, and reports reserves that never could (W-12). `waits` says whether a side with
/// reserves still to come has not lost.
pub(super) fn reserves(
    entries: &[CombatantEntry<'_>],
    combatants: &mut [Combatant],
    cast: &NameResolver<'_>,
    waits: bool,
    problems: &mut Vec<Diagnostic>,
) {
    let mut waiting: Vec<(&CombatantEntry<'_>, u64, u64)> = Vec::new();
    let mut there = 0;
    for (entry, (name, group)) in entries.iter().zip(cast.groups) {
        let Some(due) = &entry.enters else {
            there |= group;
            continue;
        };
        let occasion = cast.settle(due, name, problems);
        let mut asked = occasion.when.iter().flat_map(program::Condition::variables);
        if asked.any(|variable| matches!(variable, Variable::Has(_))) {
            problems.push(
                Diagnostic::warning(
                    due.span,
                    format!("\"{}\" has no conditions before it comes in", shown(name)),
                    "`has NAME` is false here, whatever happens",
                )
                .help("take it out, or ask for something else that a reserve has: `round`, `enemies_within(N)`"),
            );
        }
        waiting.push((entry, *group, occasion.after));
        for who in members(*group) {
            combatants[who].enters = Some(occasion.clone());
        }
    }
    let of_side = |side: &str| {
        let sides = entries.iter().zip(cast.groups);
        let own = sides.filter(|(entry, _)| entry.side == side);
        own.fold(0, |all, (_, (_, group))| all | group)
    };
    if !waits {
        for (entry, _, after) in &waiting {
            let side = of_side(entry.side);
            let others = waiting.iter().filter(|(_, _, after)| *after == 0);
            let others = others.fold(there, |all, (_, group, _)| all | group);
            let problem = if side & there == 0 {
                Diagnostic::error(
                    entry.span,
                    format!(
                        "nobody of side \"{}\" is there in Round 1",
                        shown(entry.side)
                    ),
                    "expected a combatant of this side without `enters`",
                )
            } else if *after != 0 && side & others & !after == 0 {
                Diagnostic::error(
                    entry.span,
                    format!(
                        "\"{}\" would come in when its side has lost",
                        shown(&entry.combatant.name)
                    ),
                    "it waits for the fall of all others of its side (W-6)",
                )
            } else {
                continue;
            };
            problems.push(problem.help(
                "with `waits_for_reserves = true` in [encounter] a side with reserves still to come has not lost",
            ));
        }
    }
    // A combatant can enter if all combatants whose fall it waits for can.
    let mut can_come = there;
    while let Some((_, group, _)) = waiting
        .iter()
        .find(|(_, group, after)| after & !can_come == 0 && group & !can_come != 0)
    {
        can_come |= group;
    }
    for (entry, ..) in waiting
        .iter()
        .filter(|(_, group, _)| group & !can_come != 0)
    {
        let name = shown(&entry.combatant.name);
        problems.push(Diagnostic::error(
            entry.span,
            format!("\"{name}\" can never come in"),
            "it waits for the fall of itself, or of one who waits for its own",
        ));
    }
}
