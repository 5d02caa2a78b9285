//! Names of everything in a fight, for sentences, and the text of its ending.

use super::StoryEvent;
use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::check::CheckKind;
use crate::fight::lasting::Until;
use crate::fight::system::Clock;
use crate::fight::world::{members, set_of};
use crate::report::number::counted;
use crate::sim::events::Moment;
use crate::sim::{Counts, Event, Record};
use crate::wrap::{pad, width};
use std::fmt::Write as _;

/// Describes events in words.
pub(super) struct SentenceWriter<'a> {
    pub(super) fight: &'a Fight,
    /// Width of the longest name.
    pub(super) width: usize,
    /// Whether checks were answered without dice.
    pub(super) without_totals: bool,
}

impl<'a> SentenceWriter<'a> {
    pub(super) fn new(fight: &'a Fight) -> Self {
        let widths = fight
            .combatants
            .iter()
            .map(|combatant| width(&combatant.name));
        let width = widths.max().unwrap_or(0);
        Self {
            fight,
            width,
            without_totals: false,
        }
    }

    pub(super) fn name(&self, who: usize) -> &'a str {
        &self.fight.combatants[who].name
    }

    /// Returns the name of a thing: of a combatant, or of what `who` or the fight has at this index of the list that is
    /// called `key`.
    pub(super) fn thing(&self, key: &str, index: usize, who: usize) -> Option<&'a str> {
        let fight = self.fight;
        let combatant = fight.combatants.get(who)?;
        Some(match key {
            "who" | "target" | "after" | "by" => &fight.combatants.get(index)?.name,
            "line" => combatant.policy.text.get(index)?,
            "weapon" => &combatant.weapons.get(index)?.name,
            "spell" => &combatant.spells.get(index)?.name,
            "item" => &combatant.items.get(index)?.name,
            "slot" => combatant.name_of_uses(index)?,
            "task" => &combatant.tasks.get(index)?.name,
            "condition" => &fight.conditions.get(index)?.name,
            "hazard" => &fight.hazards.get(index)?.name,
            _ => return None,
        })
    }

    /// Counts Rounds in the word of the system.
    pub(super) fn rounds(&self, count: u64) -> String {
        counted(count, self.fight.system.words.round)
    }

    /// Returns the length of a condition of `who` that `by` begins; nothing if it has no end.
    pub(super) fn length(&self, who: usize, by: usize, rounds: u8, until: Until) -> String {
        let ending = match until {
            Until::Rounds if rounds == 0 => return String::new(),
            Until::Rounds => return format!(" for {}", self.rounds(rounds.into())),
            Until::RoundEnd => return " until the Round ends".to_owned(),
            Until::NextStart | Until::TargetNextStart => "begins",
            Until::NextEnd | Until::End | Until::TargetNextEnd | Until::TargetEnd => "ends",
        };
        let of_bearer = matches!(until, Until::TargetNextStart | Until::TargetNextEnd);
        if who == by || of_bearer {
            format!(" until its next turn {ending}")
        } else {
            format!(" until {}'s next turn {ending}", self.name(by))
        }
    }

    /// Whether a condition is the effect of standing on some ground (W-15).
    pub(super) fn is_ground(&self, condition: i64) -> bool {
        let mut grounds = self.fight.grounds.iter();
        grounds.any(|ground| i64::from(ground.condition) == condition)
    }

    /// Whether the dice of an event belong to a percentile test (EP-9).
    pub(super) fn is_percentile(&self, event: &Event) -> bool {
        event.check_kind(self.fight) == Some(CheckKind::Percentile)
    }

    /// Whether the total of an event was rolled. The effects of a pool depend on its successes, and whom an action
    /// reaches on its total: these are known even where a check is answered without dice.
    pub(super) fn knows_total(&self, event: &Event) -> bool {
        !self.without_totals
            || match event {
                Event::Attack { .. } | Event::SpellCheck { .. } => {
                    matches!(event.check_kind(self.fight), None | Some(CheckKind::Pool))
                }
                Event::UseCheck { needed, .. } => needed.is_none(),
                Event::Resists { total, .. } => total.is_none(),
                _ => true,
            }
    }

    /// Returns the goal by which a side has won, if other sides were not beaten (W-17).
    fn goal(
        &self,
        side: u8,
        story: &[StoryEvent],
        moment: Moment,
        record: &Record,
    ) -> Option<&'a str> {
        let fight = self.fight;
        let is_up =
            |counts: &Counts| counts.fell_round == 0 && counts.fled + counts.surrendered == 0;
        let expected = record.combatants.iter().enumerate();
        let expected = set_of(
            expected
                .filter(|(_, counts)| is_up(counts))
                .map(|(who, _)| who),
        );
        let is_there = |who: usize| {
            let enters = |entry: &StoryEvent| matches!(entry.event, Event::Enters { who: other } if other == who);
            fight.combatants[who].enters.is_none() || story.iter().any(enters)
        };
        let is_own = |who: usize| fight.combatants[who].side == usize::from(side);
        let is_left = |who: usize| fight.waits_for_reserves || is_there(who);
        if members(expected).all(|who| is_own(who) || !is_left(who)) {
            return None;
        }
        Some(&fight.goal(moment.round, expected)?.name)
    }

    /// Describes in words how the encounter of this story ended.
    pub(super) fn ending(
        &self,
        ending: Ending,
        story: &[StoryEvent],
        moment: Moment,
        record: &Record,
    ) -> String {
        let how = match ending {
            Ending::Win(side) => {
                let wins = format!("{} win", self.fight.sides[usize::from(side)]);
                match self.goal(side, story, moment, record) {
                    Some(goal) => format!("{goal}: {wins}"),
                    None => wins,
                }
            }
            Ending::Mutual => "no one is left standing".to_owned(),
            Ending::Timeout => "timeout".to_owned(),
            Ending::Escaped => "escaped".to_owned(),
            Ending::Caught => "caught".to_owned(),
            Ending::Outcome(index) => {
                let mut outcomes = self.fight.outcomes();
                outcomes.nth(index.into()).unwrap_or_default().to_owned()
            }
        };
        let mut text = format!(
            "{how} in {} {}",
            self.fight.system.words.round, moment.round
        );
        if self.fight.system.clock == Clock::Marks {
            let _ = write!(text, ", {} Marks in", record.marks);
        }
        text.push('.');
        for (combatant, counts) in self.fight.combatants.iter().zip(&record.combatants) {
            let _ = write!(
                text,
                "\n      {}  {} of {} health; {} of {} attacks hit, {} damage, {} Units",
                pad(&combatant.name, self.width),
                counts.health,
                combatant.health,
                counts.hits,
                counts.attacks,
                counts.damage,
                counts.units_moved,
            );
        }
        text
    }
}
