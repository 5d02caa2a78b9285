//! Finds the best play of a side, and the decisions where the written policy falls short of it.

use super::subjects::side;
use super::{Context, Failure, Input, Prepared, Source};
use crate::exact::{BestPlay, Budget, Limit, best_play, obstacle};
use crate::output::best::{BestPlayReport, Trace, is_visible};
use crate::output::{grouped, manifest};
use crate::scenario::{Offers, Variant};
use anyhow::anyhow;

/// The fights in which to look for the best play of a side.
#[derive(Debug)]
pub(super) struct Best {
    side: String,
    /// The fight with all actions that the rules allow, and the fight with only those of the policy's lines.
    fights: [Variant; 2],
}

/// The result of a search for the best play.
#[derive(Debug, Clone)]
pub struct Played {
    /// The best play, and the choice of actions it was found among.
    found: Option<(BestPlay, Offers)>,
    /// If all actions have too many situations: the number at which the search stopped, and the limit that stopped it.
    too_many: Option<(u64, Limit)>,
}

impl Played {
    pub(super) fn states(&self) -> u64 {
        self.found.as_ref().map_or(0, |(best, _)| best.states)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_none()
    }
}

impl Best {
    pub(super) fn new(input: &Input, name: &str, side: Option<&str>) -> Result<Self, Failure> {
        let variant = input.variant(name)?;
        let side = self::side(&variant.fight, side)?;
        if let Some(obstacle) = obstacle(&variant.fight) {
            return Err(Failure::input(anyhow!("`{}`: {obstacle}", variant.name)));
        }
        let document = &input.loaded.document;
        let open = |offers| document.open_decisions(name, side, offers);
        Ok(Self {
            fights: [open(Offers::Actions)?, open(Offers::Lines)?],
            side: side.to_owned(),
        })
    }

    /// Solves the fight among all actions, or, if these have too many situations, among those of the policy's lines.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let budget = prepared.task.until.budget().unwrap_or(Budget {
            max_states: 1,
            bound: 0.0,
        });
        context.watch.begin("solve", 1, 0, false);
        let played = self.solve(budget, context);
        context.watch.end();
        played
    }

    /// Solves the fight for the policy's lines, which is soon done, and then for all actions.
    fn solve(&self, budget: Budget, context: &Context<'_, impl Source>) -> Result<Played, Failure> {
        let [all, lines] = &self.fights;
        let solve = |variant: &Variant| {
            let fight = &variant.fight;
            let side = fight.sides.iter().position(|one| *one == self.side);
            let mut watch = |states: u64| {
                context.watch.solving(&variant.name, states, 0, 1.0);
            };
            let side = side.unwrap_or_default();
            best_play(
                fight,
                &variant.rules,
                side,
                budget,
                context.stop,
                &mut watch,
            )
        };
        let lines = solve(lines);
        let (found, too_many) = match (solve(all), lines) {
            (Ok(best), _) => (Some((best, Offers::Actions)), None),
            (Err(large), Ok(best)) => {
                let too_many = Some((large.states, large.limit));
                (Some((best, Offers::Lines)), too_many)
            }
            (Err(large), Err(lines)) if large.stopped() || lines.stopped() => (None, None),
            (Err(_), Err(large)) => {
                return Err(Failure::input(anyhow!(
                    "`{}`: stopped at {} situations{}, even with the actions of the policy's lines alone; {}",
                    all.name,
                    grouped(large.states),
                    large.limit.and_more(),
                    large.limit.way_out()
                )));
            }
        };
        Ok(Played { found, too_many })
    }

    /// Returns the answer, and the fight as a manifest lists it.
    pub(super) fn answer(
        &self,
        prepared: &Prepared,
        played: Played,
    ) -> (BestPlayReport, Vec<manifest::Variant>) {
        let (found, offers) = played.found.expect("an answer to be shown");
        let variant = &self.fights[usize::from(offers == Offers::Lines)];
        let mut listed = manifest::Variant::new(&variant.name, 0, &variant.changes);
        listed.states = Some(found.states);
        let input = prepared.input();
        let report = BestPlayReport {
            scenario: prepared.name.clone(),
            title: input.title().to_owned(),
            variant: variant.clone(),
            side: self.side.clone(),
            traces: { found.ways.iter() }
                .filter(|reached| is_visible(&reached.decision))
                .map(|reached| Trace::new(variant, reached))
                .collect(),
            among_all: offers == Offers::Actions,
            too_many: played.too_many,
            found,
        };
        (report, vec![listed])
    }
}
