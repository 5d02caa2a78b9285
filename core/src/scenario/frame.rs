//! `[encounter]`: the frame of the fight.

use super::occasions::NameResolver;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::document::source::Span;
use crate::fields::effects::unknown;
use crate::fields::gear::define;
use crate::fields::keys::FARTHEST;
use crate::fields::surroundings::{Danger, ground, hazard, stretch};
use crate::fields::{Fields, Rulings};
use crate::fight::lasting::Condition;
use crate::fight::{Ending, Goal, Limit, Reached, Stretch, Units};
use crate::tally::metrics::NO_SIDES;

/// The content of `[encounter]`.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The limit on Rounds.
    pub(super) max_rounds: Option<u32>,
    /// The ends of the line.
    pub(super) arena: Option<Stretch>,
    /// The Units from which combatants may flee.
    pub(super) exits: Vec<Units>,
    /// The goals, which decide the encounter before a whole side is down.
    pub(super) goals: Vec<UnresolvedGoal>,
    /// Whether the run records which side acts first.
    pub(super) first_mover: bool,
    /// Whether the run records who acts first in each Round.
    pub(super) acted_first: bool,
    /// Whether a side with reserves still to come has not lost.
    pub(super) waits_for_reserves: bool,
    /// The distances at which the encounter ends.
    pub(super) ends: Vec<Limit>,
    /// The stretches of ground, each with the condition of combatants who stand there.
    pub(super) grounds: Vec<(Stretch, Condition, Units)>,
    /// The hazards, which strike combatants who stand on a stretch.
    pub(super) hazards: Vec<Danger>,
}

/// The value of `wins` for a goal that ends the encounter with an outcome of its own.
const NOBODY: &str = "nobody";

/// The greatest number of goals of an encounter.
const MOST_GOALS: usize = 64;

/// A goal whose side and combatants are not resolved yet.
#[derive(Debug)]
pub(super) struct UnresolvedGoal {
    name: String,
    span: Span,
    wins: String,
    round: Option<u32>,
    falls: Option<String>,
}

/// Reads `[encounter.goals.NAME]`.
fn goal(name: &str, table: &mut Reader<'_>) -> (UnresolvedGoal, bool) {
    let span = table.span();
    for key in ["outcome", "ends", "winner"] {
        table.refuse(
            key,
            "the name of the goal is that of the outcome; `wins` says which side wins by it, or \"nobody\"",
        );
    }
    let wins = table.text("wins").unwrap_or_default().to_owned();
    let round = table.integer("round").map(|round| round as u32);
    let falls = table.text("falls").map(str::to_owned);
    if round.is_some() == falls.is_some() {
        table.report(Diagnostic::error(
            span,
            format!("the goal \"{}\" is reached by one thing", shown(name)),
            "expected either `round` or `falls`",
        ));
    }
    let wanted = UnresolvedGoal {
        name: name.to_owned(),
        span,
        wins,
        round,
        falls,
    };
    (wanted, false)
}

impl UnresolvedGoal {
    /// Resolves the side and the combatants. `outcomes` counts the goals that no side wins.
    pub(super) fn resolve(
        self,
        sides: &[String],
        cast: &NameResolver<'_>,
        outcomes: &mut u8,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Goal> {
        let side = sides.iter().position(|side| *side == self.wins);
        let ends = match side {
            Some(_) if self.wins == NOBODY => {
                problems.push(Diagnostic::error(
                    self.span,
                    "a side is called \"nobody\", which says that no side wins",
                    "expected another name of that side",
                ));
                None
            }
            Some(side) => Some(Ending::Win(side as u8)),
            None if self.wins == NOBODY => {
                let words = sides.iter().map(String::as_str);
                if words.chain(NO_SIDES).any(|word| word == self.name) {
                    problems.push(Diagnostic::error(
                        self.span,
                        format!("no outcome can be called \"{}\"", shown(&self.name)),
                        "results use this word for another ending",
                    ));
                }
                let outcome = *outcomes;
                *outcomes = outcome.saturating_add(1);
                Some(Ending::Outcome(outcome))
            }
            // The missing key has already been reported.
            None if self.wins.is_empty() => None,
            None => {
                let names = sides.iter().map(String::as_str).chain([NOBODY]);
                problems.push(unknown(self.span, "side", &self.wins, names));
                None
            }
        };
        let when = match (self.round, &self.falls) {
            (Some(round), _) => Reached::Round(round),
            (None, Some(falls)) => Reached::Fall(cast.all_of(falls, self.span, problems)?),
            (None, None) => return None,
        };
        Some(Goal {
            name: self.name,
            ends: ends?,
            when,
        })
    }
}

/// Reads `[encounter]`.
pub(super) fn encounter(
    mut table: Reader<'_>,
    own: &mut dyn Fields,
    rulings: &mut Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Frame {
    let rounds = table.integer("max_rounds").map(|rounds| rounds as u32);
    let arena = stretch(&mut table, "arena", 1);
    let goals = define(&mut table, "goals", problems, goal);
    if goals.len() > MOST_GOALS
        && let Some(entry) = table.entry("goals")
    {
        let label = format!("{}; at most {MOST_GOALS} are possible", goals.len());
        problems.push(Diagnostic::error(entry.span, "too many goals", label));
    }
    table.refuse(
        "events",
        "each kind of event has keys of its own: reinforcements are combatants with `enters = 4`, or \
         `enters = { falls = \"gate\" }`; what strikes, also \
         with a condition (light goes out), at a Mark or after a fall, is `[encounter.hazards.NAME]`; what always holds on a \
         stretch is `[encounter.ground.NAME]`; what ends the encounter, for a side or with an outcome of its own, is \
         `[encounter.goals.NAME]`",
    );
    let mut exits = Vec::new();
    for node in table.list("exits").unwrap_or_default() {
        let unit = reader::integer(node, "exits", -FARTHEST..=FARTHEST);
        exits.extend(table.ok_or_report(unit).map(|unit| unit as Units));
    }
    let grounds = define(&mut table, "ground", problems, |name, table| {
        ground(name, table, rulings)
    });
    let grounds: Vec<_> = grounds.into_iter().map(|ground| ground.thing).collect();
    let better = grounds.iter().map(|(_, condition, _)| condition.clone());
    rulings.conditions.extend(better);
    let hazards = define(&mut table, "hazards", problems, |name, table| {
        hazard(name, table, rulings)
    });
    let frame = Frame {
        exits,
        goals: goals.into_iter().map(|goal| goal.thing).collect(),
        grounds,
        hazards: hazards.into_iter().map(|hazard| hazard.thing).collect(),
        max_rounds: rounds,
        arena,
        ends: ends_when(&mut table),
        first_mover: table.boolean("first_mover").unwrap_or(false),
        acted_first: table.boolean("acted_first").unwrap_or(false),
        waits_for_reserves: table.boolean("waits_for_reserves").unwrap_or(false),
    };
    own.read_encounter(&mut table);
    table.finish(problems);
    frame
}

/// Reads `ends_when`: a distance, or a list of distances.
fn ends_when(table: &mut Reader<'_>) -> Vec<Limit> {
    let Some(entry) = table.entry("ends_when") else {
        return Vec::new();
    };
    let nodes: Vec<&Node> = match &entry.node.value {
        Value::List(list) => list.iter().map(|node| &**node).collect(),
        _ => vec![&*entry.node],
    };
    let mut limits = Vec::with_capacity(nodes.len());
    for node in nodes {
        let help = "written `ends_when = \"distance >= 100\"`, or a list of such conditions";
        limits.extend(table.ok_or_report(limit(node).map_err(|problem| problem.help(help))));
    }
    limits
}

fn limit(node: &Node) -> Result<Limit, Diagnostic> {
    let text = reader::text(node, "ends_when")?;
    let wrong = |label: &str| {
        Diagnostic::error(
            node.span,
            "`ends_when` is no distance to end at",
            label.to_owned(),
        )
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, sign, number] = words[..] else {
        return Err(wrong("expected `distance`, a comparison and a number"));
    };
    if name != "distance" {
        return Err(wrong("expected `distance`, the only variable here"));
    }
    let units = number
        .parse::<i64>()
        .ok()
        .filter(|units| (0..=2 * FARTHEST).contains(units))
        .ok_or_else(|| wrong("expected a whole number of Units from 0 to 200000"))?
        as i32;
    let (far, distance) = match sign {
        ">=" => (true, units),
        ">" => (true, units + 1),
        "<=" => (false, units),
        "<" if units > 0 => (false, units - 1),
        "<" => return Err(wrong("no distance is below 0")),
        _ => return Err(wrong("expected one of `<=`, `<`, `>=`, `>`")),
    };
    Ok(Limit { far, distance })
}
