//! Remarks on conditions that never count, and on penalties in dice that a roll pays in points.

use crate::fight::check::CheckKind;
use crate::fight::effect::{Change, Effect, Ground, Power, Recipient};
use crate::fight::lasting::{Condition, Number};
use crate::fight::sum::{Modifier, Sum};
use crate::fight::world::{bit, members};
use crate::fight::{Combatant, Fight, MAX_COMBATANTS};
use crate::output::{Note, encounters};
use crate::report::number::counted;
use crate::scenario::Remark;
use crate::sim::Event;
use crate::sim::events::Class;
use std::collections::{BTreeMap, BTreeSet};

/// The traces that effects leave in the events of a variant.
#[derive(Default)]
pub(super) struct EffectRemarks {
    /// The conditions that have begun, and whether one was in force when it counts.
    conditions: BTreeMap<String, bool>,
    /// Who begins a condition on itself or an ally that has it already: the group, and the condition.
    renewals: BTreeSet<(String, String)>,
    /// The most points that a group's rolls lose by a penalty in dice.
    points: BTreeMap<(Penalty, String), i64>,
}

/// A penalty in dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Penalty {
    Yards,
    Wounds,
    Defence,
}

impl Penalty {
    /// Its reason, and the way out.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Yards => [
                "yards beyond the free half (MA-5)",
                "`rules.per_yard = \"none\"` takes nothing off",
            ],
            Self::Wounds => [
                "wounds",
                "levels of `health` with `penalty = 0` take nothing off",
            ],
            Self::Defence => [
                "the target's Defence (CD-6)",
                "a `defence` of 0 takes nothing off",
            ],
        }
    }
}

/// When a condition counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Its bearer is attacked.
    Defends,
    /// Its bearer attacks, casts or makes another check.
    Attacks,
    /// Its bearer decides, or has its turn.
    Acts,
}

/// Whether a condition counts on an occasion: by the numbers that it changes, or as a name that policies ask for. Traits
/// and advantages may count on any: the checks of either side may ask for them.
fn counts(condition: &Condition, on: Use) -> bool {
    let mut numbers = Number::ALL.iter().map(|(_, number, ..)| *number);
    let changes = |number: &Number| condition.changes.of(*number) != 0;
    let occasion = |number: Number| match number {
        Number::Evade | Number::AttacksAgainst | Number::Armor | Number::Defence | Number::Fray => {
            Use::Defends
        }
        Number::Attack | Number::Damage | Number::Difficulty | Number::Attacks => Use::Attacks,
        Number::Move
        | Number::Initiative
        | Number::ExtraActions
        | Number::Speed
        | Number::Reach
        | Number::Health => Use::Acts,
    };
    if condition.changes.are_of_checks() {
        return true;
    }
    let is_name = !numbers.clone().any(|number| changes(&number));
    (on == Use::Acts && (condition.stuns || is_name))
        || numbers.any(|number| changes(&number) && occasion(number) == on)
}

/// Returns whether an item does damage to others than its user.
pub(super) fn hurts_others(power: &Power) -> bool {
    let reaches_others = power.recipient != Recipient::Own || power.area.is_some();
    let mut effects = power.effects.iter();
    reaches_others && effects.any(|effect| effect.damage().is_some())
}

impl EffectRemarks {
    /// Whether each condition that has begun has counted.
    pub(super) fn all_counted(&self) -> bool {
        self.conditions.values().all(|counted| *counted)
    }

    /// Keeps the penalties in dice that a check of this kind pays in points.
    fn pay(&mut self, kind: CheckKind, sum: &Sum, payer: &Combatant) {
        if kind != CheckKind::RollOver {
            return;
        }
        // Wounds of Eclipse Phase are points by the book (EP-9), and not dice of a track.
        let wounds = if payer.track.levels().is_empty() {
            0
        } else {
            sum.of(Modifier::Wounds)
        };
        for (penalty, points) in [
            (
                Penalty::Yards,
                sum.of(Modifier::Yards) + sum.of(Modifier::YardsBeyondHalf),
            ),
            (Penalty::Wounds, wounds),
            (Penalty::Defence, sum.of(Modifier::Defence)),
        ] {
            if points < 0 {
                let most = self
                    .points
                    .entry((penalty, payer.group.clone()))
                    .or_default();
                *most = (*most).max(-points);
            }
        }
    }

    /// Returns the remarks; `when` says in which encounters.
    pub(super) fn notes(&self, when: &str) -> Vec<(Remark, String)> {
        let uncounted = self.conditions.iter().filter(|(_, counted)| !**counted);
        let idle = uncounted.map(|(condition, _)| {
            let text = format!(
                "`{condition}` never counts {when}: it is over before its bearer is attacked or acts with what it \
                 changes; `until = \"start of my next turn\"` lasts until its user's next turn"
            );
            (Remark::IdleCondition, text)
        });
        let renewals = self.renewals.iter().map(|(group, condition)| {
            let text = format!(
                "`{group}` begins `{condition}` without effect on one that has it already: `stacks = \"refresh\"` begins \
                 it anew, and a line can ask `not has {condition}`"
            );
            (Remark::IdleRenewal, text)
        });
        let points = self.points.iter().map(|((penalty, group), points)| {
            let [why, out] = penalty.words();
            let text = format!(
                "rolls of `{group}` lose up to {} for {why}, one for each die that a pool would lose: {out}",
                counted(*points as u64, "point")
            );
            (Remark::DiceAsPoints, text)
        });
        idle.chain(renewals).chain(points).collect()
    }
}

/// The conditions in force in one encounter, one bit each.
pub(super) struct InForce([u64; MAX_COMBATANTS]);

impl InForce {
    /// At the beginning of an encounter.
    pub(super) const NONE: Self = Self([0; MAX_COMBATANTS]);

    /// Follows an event, and keeps what it says for the remarks.
    pub(super) fn follow(&mut self, event: &Event, fight: &Fight, remarks: &mut EffectRemarks) {
        let who = event.index("who").unwrap_or(0);
        if let Some(kind) = event.check_kind(fight) {
            remarks.pay(kind, &event.sum(), &fight.combatants[who]);
        }
        match *event {
            Event::ConditionBegins { who, condition, .. } => {
                let is_ground = |ground: &Ground| ground.condition == condition;
                if !fight.grounds.iter().any(is_ground) {
                    let kind = &fight.conditions[usize::from(condition)];
                    let counts = kind.changes.of(Number::Health) != 0;
                    *remarks.conditions.entry(kind.name.clone()).or_default() |= counts;
                    self.0[who] |= bit(condition.into());
                }
            }
            Event::ConditionEnds {
                who,
                condition,
                left: 0,
            } => self.0[who] &= !bit(condition.into()),
            Event::ConditionHurts { who, condition } => {
                Self::count(self.0[who] & bit(condition.into()), fight, remarks, |_| {
                    true
                });
            }
            Event::ConditionKept {
                who,
                condition,
                by,
                full: false,
            } => {
                let (user, bearer) = (&fight.combatants[by], &fight.combatants[who]);
                let is_own = |change: &Change| matches!(change, Change::Begin { condition: own, .. } if *own == condition);
                // Hazards and morale begin conditions in the name of their victims.
                if user.side == bearer.side && user.effects().filter_map(Effect::change).any(is_own)
                {
                    let name = fight.conditions[usize::from(condition)].name.clone();
                    remarks.renewals.insert((user.group.clone(), name));
                }
            }
            Event::UseCheck { who, .. } => self.on(who, Use::Attacks, fight, remarks),
            Event::Resists { who, .. } => self.on(who, Use::Defends, fight, remarks),
            Event::Attack { who, target, .. }
            | Event::SpellCheck { who, target, .. }
            | Event::Damage { who, target, .. } => {
                self.on(who, Use::Attacks, fight, remarks);
                self.on(target, Use::Defends, fight, remarks);
            }
            Event::Decision { who, .. }
            | Event::Score { who, .. }
            | Event::Initiative { who, .. } => self.on(who, Use::Acts, fight, remarks),
            // A turn without an action is what a stun is for.
            _ if event.class() == Class::Ends || matches!(event, Event::TurnLost { .. }) => {
                Self::count(self.0[who], fight, remarks, |condition| condition.stuns);
            }
            _ => {}
        }
    }

    fn on(&self, who: usize, on: Use, fight: &Fight, remarks: &mut EffectRemarks) {
        Self::count(self.0[who], fight, remarks, |condition| {
            counts(condition, on)
        });
    }

    fn count(
        conditions: u64,
        fight: &Fight,
        remarks: &mut EffectRemarks,
        counts: impl Fn(&Condition) -> bool,
    ) {
        for condition in members(conditions).map(|index| &fight.conditions[index]) {
            if counts(condition) {
                remarks.conditions.insert(condition.name.clone(), true);
            }
        }
    }
}

/// Names the encounters that were played again.
pub(super) fn in_the_first(replayed: u64) -> String {
    match replayed {
        1 => "in the first encounter".to_owned(),
        _ => format!("in the first {}", encounters(replayed)),
    }
}

/// Returns the notes on the effects of all variants. What is true of each variant is said once.
pub(super) fn merged(remarks: Vec<(&String, Vec<(Remark, String)>)>) -> Vec<Note> {
    let all = remarks.len();
    let mut variants: BTreeMap<(Remark, String), Vec<&String>> = BTreeMap::new();
    for (variant, remarks) in remarks {
        for remark in remarks {
            variants.entry(remark).or_default().push(variant);
        }
    }
    let notes = variants.into_iter().flat_map(|((remark, text), named)| {
        let whole = named.len() == all;
        let shown = if whole { 1 } else { all };
        named.into_iter().take(shown).map(move |name| Note {
            variant: (!whole).then(|| name.clone()),
            ..super::note(remark, text.clone())
        })
    });
    notes.collect()
}
