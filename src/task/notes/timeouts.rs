//! Why encounters end as timeouts, and what helps: more Rounds only where some of them end by then.

use super::{REPLAYED_ROUNDS, ReplayCounts, ever};
use crate::fight::{Ending, Fight};
use crate::run::{Play as _, Player};
use crate::scenario::Variant;
use crate::sim::Record;
use crate::tally::Tally;

/// Timeouts that are played on, and how many times as many Rounds they get, up to the most that a file may set.
const PLAYED_ON: usize = 8;
const TIMES_LONGER: u32 = 10;
const MOST_ROUNDS: u32 = 10_000;

/// Plays the first of these timeouts on. Returns how many they were and to which Round, if none of them has ended by then.
pub(super) fn endless(variant: &Variant, seed: u64, timeouts: &[u64]) -> Option<(usize, u32)> {
    if timeouts.is_empty() {
        return None;
    }
    let fight = Fight {
        max_rounds: (variant.fight.max_rounds * TIMES_LONGER).min(MOST_ROUNDS),
        ..variant.fight.clone()
    };
    let rounds = fight.max_rounds;
    let each = u64::from(rounds) * fight.combatants.len() as u64;
    let most = (REPLAYED_ROUNDS / each.max(1)).clamp(1, PLAYED_ON as u64) as usize;
    let timeouts = &timeouts[..most.min(timeouts.len())];
    let player = Player::new(&fight, &variant.rules, seed);
    let (mut table, mut record) = (player.state(), Record::default());
    let mut goes_on = |encounter: &u64| {
        player.play(&mut table, *encounter, &mut record);
        record.ending == Ending::Timeout
    };
    timeouts
        .iter()
        .all(&mut goes_on)
        .then_some((timeouts.len(), rounds))
}

/// Explains why encounters end as timeouts, and how to avoid it.
pub(super) fn cause(tally: &Tally, seen: &ReplayCounts, fight: &Fight) -> String {
    let round = fight.system.words.round;
    if fight.max_rounds == 1 {
        return format!("encounter.max_rounds is 1, so a single {round} is played");
    }
    let most = |count: u32| count > 0 && 2 * count >= seen.timeouts;
    let groups = seen.fled.iter().filter(|(_, count)| most(**count));
    let groups: Vec<String> = groups.map(|(group, _)| format!("`{group}`")).collect();
    if !groups.is_empty() {
        let arena = if fight.arena.is_some() {
            ""
        } else {
            "set encounter.arena, or "
        };
        return format!(
            "in most of these {} walks away to the end; {arena}end the chase with encounter.ends_when",
            groups.join(", ")
        );
    }
    if most(seen.peaceful) {
        return format!(
            "in the last quarter of the {round}s none attacks; give each combatant a line that closes in or attacks"
        );
    }
    let any = |name: &str| (0..fight.combatants.len()).any(|who| ever(tally, name, who));
    if any("attacks") && !any("damage") {
        return "no attack and no spell ever does damage: compare checks with what they must reach, and damage with armour"
            .to_owned();
    }
    if let Some((played, rounds)) = seen.endless {
        let none = match played {
            1 => "the first does not end".to_owned(),
            _ => format!("none of the first {played} ends"),
        };
        return format!(
            "{none} within {rounds} {round}s either; change what the combatants do or regain, or decide them by a goal, \
             `encounter.goals.NAME`"
        );
    }
    format!("raise encounter.max_rounds, now {}", fight.max_rounds)
}
