//! Blocks, arrows, lanes and places, compared with the events from which they are built.

use super::{Played, played};
use skirmish::output::html::timeline::model::{Measure, Outcome, Timeline};
use skirmish::sim::Event;
use skirmish::sim::events::{ActionKind, AttackKind};

/// Returns the errors of a timeline.
pub(super) fn errors_of(played: &Played, timeline: &Timeline) -> Vec<String> {
    let mut errors = Vec::new();
    let mut check = |truth: bool, what: String| {
        if !truth {
            errors.push(what);
        }
    };
    let events = || played.story.events.iter().map(|told| told.event);
    let record = &played.record;

    for (who, lane) in timeline.lanes.iter().enumerate() {
        let one = &played.variant.fight.combatants[who];
        let comes =
            events().any(|event| matches!(event, Event::Enters { who: late } if late == who));
        let fights = one.enters.is_none() || comes;
        check(lane.begins.is_some() == fights, format!("lane of {who}"));
        // The fight has begun before a reserve enters.
        let is_later = lane.begins.is_some_and(|at| at > 0);
        check(is_later == comes, format!("when {who} comes"));
        let begins = lane.begins.unwrap_or_default();
        check(
            lane.positions[0] == (begins, one.position),
            format!("where {who} comes"),
        );
        let own = timeline.blocks.iter().filter(|block| block.who == who);
        let first = own.map(|block| block.ticks.start).min();
        check(
            first.is_none_or(|at| fights && at >= begins),
            format!("{who} acts before it comes"),
        );
    }
    for (who, counts) in record.combatants.iter().enumerate() {
        let own = |outcome: Outcome| {
            let arrows = timeline.arrows.iter();
            arrows
                .filter(|arrow| {
                    arrow.who == who && arrow.outcome == outcome && arrow.is_by_weapon()
                })
                .map(|arrow| arrow.count as u32)
                .sum::<u32>()
        };
        check(own(Outcome::Hit) == counts.hits, format!("hits of {who}"));
        let made = own(Outcome::Hit) + own(Outcome::Miss) + own(Outcome::TurnedAside);
        check(made == counts.attacks, format!("attacks of {who}"));
        let forfeited = own(Outcome::Forfeited);
        check(
            forfeited == counts.attacks_forfeited,
            format!("forfeited by {who}"),
        );
        check(
            own(Outcome::NoTarget) == counts.attacks_lost,
            format!("lost by {who}"),
        );
        let damage: i32 = timeline
            .arrows
            .iter()
            .filter(|arrow| arrow.who == who)
            .filter_map(|arrow| arrow.damage)
            .sum();
        // Damage to oneself and ongoing damage have no arrow.
        let mut suffers = false;
        let to_others: i32 = events()
            .filter_map(|event| {
                let by_condition =
                    std::mem::replace(&mut suffers, matches!(event, Event::ConditionHurts { .. }));
                match event {
                    Event::Damage {
                        who: from,
                        target,
                        amount,
                        ..
                    } if from == who && target != who && !by_condition => Some(amount),
                    _ => None,
                }
            })
            .sum();
        check(damage == to_others, format!("damage of {who}"));

        let lane = &timeline.lanes[who];
        check(
            lane.ended.is_some() == (counts.fell_round > 0 || counts.fled + counts.surrendered > 0),
            format!("{who} falls or leaves"),
        );
        if let Some((at, event)) = lane.ended {
            let round = timeline
                .rounds
                .iter()
                .find(|round| round.ticks.contains(&at));
            let left = played.story.events[event].event != Event::Fall { who };
            check(
                round.is_some_and(|round| left || round.number == counts.fell_round),
                format!("{who} falls at {at}"),
            );
            check(
                left == (counts.fell_round == 0),
                format!("{who} falls, and does not leave"),
            );
        }
        check(
            lane.health
                .last()
                .is_some_and(|last| last.1 == counts.health),
            format!("health of {who}"),
        );
        let walked: u32 = lane
            .positions
            .windows(2)
            .map(|pair| pair[0].1.abs_diff(pair[1].1))
            .sum();
        check(
            walked <= counts.units_moved,
            format!("{who} walks {walked} of {}", counts.units_moved),
        );
        let mut last = events().filter_map(|event| match event {
            Event::Step {
                who: walker, to, ..
            } if walker == who => Some(to),
            _ => None,
        });
        let stands = last
            .next_back()
            .unwrap_or(played.variant.fight.combatants[who].position);
        check(
            lane.positions.last().is_some_and(|last| last.1 == stands),
            format!("place of {who}"),
        );
        for course in [&lane.health, &lane.positions] {
            let rises = course.windows(2).all(|pair| pair[0].0 <= pair[1].0);
            check(rises, format!("time of {who} goes on: {course:?}"));
        }

        let blocks = || timeline.blocks.iter().filter(|block| block.who == who);
        let apart = blocks()
            .zip(blocks().skip(1))
            .all(|(one, next)| one.ticks.end <= next.ticks.start);
        check(
            apart,
            format!(
                "blocks of {who} do not overlap: {:?}",
                blocks()
                    .map(|b| (b.kind, b.ticks.clone()))
                    .collect::<Vec<_>>()
            ),
        );
    }
    let fizzled = timeline
        .arrows
        .iter()
        .filter(|arrow| arrow.outcome == Outcome::Fizzled)
        .count();
    check(
        fizzled
            == events()
                .filter(|event| matches!(event, Event::Fizzle { .. }))
                .count(),
        "fizzled".into(),
    );
    let counters =
        |arrow: &&skirmish::output::html::timeline::model::Arrow| arrow.kind == ActionKind::Counter;
    let told = |event: &Event| {
        matches!(
            event,
            Event::Attack {
                kind: AttackKind::Counter,
                ..
            }
        )
    };
    check(
        timeline.arrows.iter().filter(counters).count()
            == events().filter(|event| told(event)).count(),
        "counters".into(),
    );

    for block in &timeline.blocks {
        check(block.ticks.start <= block.ticks.end, format!("{block:?}"));
        check(
            block.ticks.end <= timeline.rounds.last().unwrap().ticks.end,
            format!("{block:?}"),
        );
        check(!block.labels.is_empty(), format!("no label: {block:?}"));
        let columns = timeline.measure == Measure::Columns;
        check(!columns || block.ticks.len() == 1, format!("{block:?}"));
    }
    for arrow in &timeline.arrows {
        check(arrow.at < timeline.end, format!("{arrow:?}"));
        if let Some(block) = arrow.block {
            let block = &timeline.blocks[block];
            check(block.who == arrow.who, format!("{arrow:?}"));
            let during = block.ticks.start <= arrow.at && arrow.at <= block.ticks.end;
            check(
                during || arrow.outcome == Outcome::Forfeited || arrow.outcome == Outcome::Fizzled,
                format!("{arrow:?} in {block:?}"),
            );
        }
    }
    let starts = |pair: &[skirmish::output::html::timeline::model::Round]| {
        pair[0].ticks.end == pair[1].ticks.start
    };
    check(
        timeline.rounds.windows(2).all(starts),
        "Rounds follow one another".into(),
    );
    check(
        timeline.rounds.len() as u32 == record.rounds,
        "all Rounds".into(),
    );
    check(
        timeline.rounds.iter().all(|round| !round.ticks.is_empty()),
        "no empty Round".into(),
    );
    let sets = timeline.stages.iter().chain(&timeline.phases);
    check(
        sets.clone().all(|set| !set.ticks.is_empty()),
        "no empty stage".into(),
    );
    errors
}

#[test]
fn what_is_drawn_is_what_happened_on_every_clock() {
    for played in played("", 0..8) {
        let timeline = played.timeline();
        let wrong = errors_of(&played, &timeline);
        assert!(wrong.is_empty(), "{}: {wrong:#?}", played.name);
    }
}
