//! The metrics of sweeps and sensitivities, and their subjects in tables.

use super::prepared::measured_in;
use super::{Measure, summed_up};
use crate::fight::Fight;
use crate::names::unknown;
use crate::output::sweep::Shown;
use crate::tally::{Scope, metrics};
use anyhow::{anyhow, bail};

/// Returns the requested metrics, each with the side, combatant or outcome that tables show. The fights of a
/// sweep may have different combatants, so a name in any of them is accepted.
pub(super) fn shown(measure: &Measure, fights: &[&Fight]) -> anyhow::Result<Vec<Shown>> {
    let mut all: Vec<Shown> = Vec::with_capacity(measure.metric.len());
    for name in &measure.metric {
        let metric = summed_up(name).map_err(|wrong| anyhow!(wrong))?;
        for fight in fights {
            measured_in(metric, fight)?;
        }
        if all.iter().any(|shown| shown.metric.name == metric.name) {
            bail!("the metric {name} is asked for twice: leave out one of the two");
        }
        let subject = match metric.scope {
            Scope::Encounter => metrics::ENCOUNTER.to_owned(),
            Scope::Side => {
                let known = fights.iter().flat_map(|fight| &fight.sides);
                pick("side", measure.side.as_deref(), known.map(String::as_str))?
            }
            Scope::Combatant => {
                let known = fights.iter().flat_map(|fight| &fight.combatants);
                let known = known.map(|combatant| combatant.name.as_str());
                pick("combatant", measure.combatant.as_deref(), known)?
            }
            Scope::Outcome => {
                let known = fights.iter().flat_map(|fight| fight.outcomes());
                pick("outcome", measure.outcome.as_deref(), known)?
            }
        };
        all.push(Shown { metric, subject });
    }
    let unused = |scope| all.iter().all(|shown| shown.metric.scope != scope);
    for (option, given, scope) in [
        ("--side", &measure.side, Scope::Side),
        ("--combatant", &measure.combatant, Scope::Combatant),
        ("--outcome", &measure.outcome, Scope::Outcome),
    ] {
        if given.is_some() && unused(scope) {
            bail!(
                "{option} has nothing to choose: no metric of {}s is asked for; `skirmish \
                 explain metrics` lists them",
                scope.name()
            );
        }
    }
    Ok(all)
}

/// Returns the side called `wanted`, or the first one.
pub(super) fn side(fight: &Fight, wanted: Option<&str>) -> anyhow::Result<String> {
    pick("side", wanted, fight.sides.iter().map(String::as_str))
}

fn pick<'a>(
    what: &str,
    wanted: Option<&str>,
    mut known: impl Iterator<Item = &'a str> + Clone,
) -> anyhow::Result<String> {
    let Some(wanted) = wanted else {
        return Ok(known.next().unwrap_or_default().to_owned());
    };
    if known.clone().any(|name| name == wanted) {
        return Ok(wanted.to_owned());
    }
    let mut names: Vec<&str> = known.collect();
    names.sort_unstable();
    names.dedup();
    Err(anyhow!(unknown(what, wanted, names)))
}
