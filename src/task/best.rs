//! Finds the best play of a side, and the decisions where the written policy falls short of it.

use super::subjects::side;
use super::{Answer, Context, Failure, Input, Played, Prepared, Source};
use crate::exact::{BestPlay, Budget, TooLarge, best_play, obstacle};
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

impl Best {
    pub(super) fn new(input: &Input, name: &str, side: Option<&str>) -> Result<Self, Failure> {
        let variant = input.variant(name)?;
        let side = self::side(&variant.fight, side)?;
        if let Some(obstacle) = obstacle(&variant.fight) {
            return Err(Failure::input(anyhow!("`{}`: {obstacle}", variant.name)));
        }
        let document = &input.loaded.document;
        let open = |offers| document.open_decisions(name, &side, offers);
        Ok(Self {
            fights: [open(Offers::Actions)?, open(Offers::Lines)?],
            side,
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
        context.begin("solve", 1, 0, false);
        let [all, lines] = &self.fights;
        // The policy's lines are soon done.
        let of_lines = self.solve(lines, budget, context);
        let of_all = self.solve(all, budget, context);
        context.watch.end();
        let (found, variant, too_many) = match (of_all, of_lines) {
            (Ok(best), _) => (best, all, None),
            (Err(large), Ok(best)) => (best, lines, Some((large.states, large.limit))),
            (Err(large), Err(lines)) if large.stopped() || lines.stopped() => {
                return Ok(Played::Answered(None));
            }
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
        let states = found.states;
        let mut listed = manifest::Variant::new(&variant.name, 0, &variant.changes);
        listed.states = Some(states);
        let report = BestPlayReport {
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: variant.clone(),
            side: self.side.clone(),
            traces: { found.ways.iter() }
                .filter(|reached| is_visible(&reached.decision))
                .map(|reached| Trace::new(variant, reached))
                .collect(),
            among_all: too_many.is_none(),
            too_many,
            found,
        };
        let answer = Answer::BestPlay(Box::new(report));
        Ok(Played::answered(answer, listed, [0, states]))
    }

    fn solve(
        &self,
        variant: &Variant,
        budget: Budget,
        context: &Context<'_, impl Source>,
    ) -> Result<BestPlay, TooLarge> {
        let Variant {
            name, fight, rules, ..
        } = variant;
        let side = fight.sides.iter().position(|side| *side == self.side);
        let mut watch = |states: u64| context.watch.solving(name, states, 0, 1.0);
        best_play(
            fight,
            rules,
            side.unwrap_or_default(),
            budget,
            context.stop,
            &mut watch,
        )
    }
}
