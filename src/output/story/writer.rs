//! Names of everything in a fight, for sentences, and the text of its ending.

use super::StoryEvent;
use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::check::CheckKind;
use crate::fight::system::Clock;
use crate::fight::world::{members, set_of};
use crate::sim::events::Moment;
use crate::sim::{Counts, Event, Record};
use crate::wrap::{pad, width};
use std::fmt::Write as _;

/// Describes events in words.
pub(super) struct SentenceWriter<'a> {
    pub(super) fight: &'a Fight,
    /// Width of the longest name.
    pub(super) width: usize,
}

impl<'a> SentenceWriter<'a> {
    pub(super) fn new(fight: &'a Fight) -> Self {
        let widths = fight.combatants.iter().map(|one| width(&one.name));
        let width = widths.max().unwrap_or(0);
        Self { fight, width }
    }

    pub(super) fn name(&self, who: usize) -> &'a str {
        &self.fight.combatants[who].name
    }

    pub(super) fn line(&self, who: usize, line: usize) -> &'a str {
        let policy = &self.fight.combatants[who].policy;
        policy.text.get(line).map_or("", String::as_str)
    }

    pub(super) fn spell(&self, who: usize, spell: usize) -> &'a str {
        &self.fight.combatants[who].spells[spell].name
    }

    /// Returns a spell and its target.
    pub(super) fn spell_at(&self, who: usize, spell: usize, target: usize) -> String {
        format!("{} at {}", self.spell(who, spell), self.name(target))
    }

    pub(super) fn item(&self, who: usize, item: usize) -> &'a str {
        &self.fight.combatants[who].items[item].name
    }

    pub(super) fn condition(&self, condition: u8) -> &'a str {
        &self.fight.conditions[usize::from(condition)].name
    }

    /// Whether a condition is the effect of standing on some ground (W-15).
    pub(super) fn is_ground(&self, condition: u8) -> bool {
        let mut grounds = self.fight.grounds.iter();
        grounds.any(|ground| ground.condition == condition)
    }

    /// Whether the dice of an event belong to a percentile test (EP-9).
    pub(super) fn is_percentile(&self, event: &Event) -> bool {
        let check = match *event {
            Event::Fray { .. } => return true,
            Event::Attack { who, weapon, .. } => {
                Some(&self.fight.combatants[who].weapons[weapon].check)
            }
            Event::SpellCheck { who, spell, .. } => {
                self.fight.combatants[who].spells[spell].check.as_ref()
            }
            _ => None,
        };
        check.is_some_and(|check| check.kind() == CheckKind::Percentile)
    }

    pub(super) fn task(&self, who: usize, task: usize) -> &'a str {
        &self.fight.combatants[who].tasks[task].name
    }

    pub(super) fn weapon(&self, who: usize, weapon: usize) -> &'a str {
        &self.fight.combatants[who].weapons[weapon].name
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
        let is_up = |one: &Counts| one.fell_round == 0 && one.fled + one.surrendered == 0;
        let expected = record.combatants.iter().enumerate();
        let expected = set_of(expected.filter(|(_, one)| is_up(one)).map(|(who, _)| who));
        let is_there = |who: usize| {
            let enters =
                |told: &StoryEvent| matches!(told.event, Event::Enters { who: one } if one == who);
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
