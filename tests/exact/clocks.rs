//! Turn orders of one's own, solved. The values come from Markov chains and games of the same rules, written by others.

use super::{agrees_with_samples, mean, solved};
use crate::support::fights::{budget, load, sampled, variant};
use skirmish::exact::MAX_STATES;
use std::fmt::Write as _;

/// Combatants of one attack a turn, which needs 11 on a d20 and takes 1 health: name, side, rating, health, further keys.
fn fight(clock: &str, combatants: &[(&str, &str, i32, i32, &str)]) -> String {
    let mut text = format!(
        "system = \"own\"\nencounter.max_rounds = 300\n[clock]\n{clock}\n[weapons.axe]\nkind = \"melee\"\n\
         check = {{ dice = \"1d20\" }}\ndamage = 1\n"
    );
    for (name, side, initiative, health, more) in combatants {
        let _ = write!(
            text,
            "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = 0\ninitiative = {initiative}\nmove = 0\n\
             evade = 11\nhealth = {health}\nweapons = [\"axe\"]\n{more}\n"
        );
    }
    text
}

/// Two heroes against two orcs, each with two health, who attack the weakest.
fn two_against_two(clock: &str, picks: &str) -> String {
    let policy = format!("policy = [\"attack weakest\"{picks}]");
    let (heroes, orcs) = ("heroes", "orcs");
    fight(
        clock,
        &[
            ("hero a", heroes, 4, 2, &policy),
            ("hero b", heroes, 2, 2, &policy),
            ("orc a", orcs, 3, 2, &policy),
            ("orc b", orcs, 1, 2, &policy),
        ],
    )
}

/// Asserts that the first side wins with this probability, in per cent, and that samples agree.
#[track_caller]
fn assert_wins(text: &str, percent: f64) {
    let fight = variant(text);
    let solution = solved(&fight, budget(MAX_STATES)).expect("a small fight");
    let wins = 100.0 * mean(&solution, "win_rate", 0);
    assert!((wins - percent).abs() < 1e-6, "{wins}");
    agrees_with_samples(&fight, &solution, 20_000);
}

#[test]
fn sides_that_alternate_begin_each_round_with_the_side_of_the_best_key() {
    let text = two_against_two("key = 0\nnext = \"alternate\"", "");
    assert_wins(&text, 58.952_399);
}

#[test]
fn the_last_actor_of_a_round_keeps_the_first_turn_of_the_next_on_its_side() {
    let text = two_against_two("key = 0\nnext = \"chosen\"", "");
    assert_wins(&text, 47.642_905);
}

#[test]
fn policies_name_the_next() {
    let chosen = |picks| two_against_two("key = 0\nnext = \"chosen\"", picks);
    assert_wins(&chosen(", \"pick nearest\", \"pick self\""), 54.723_200);
    assert_wins(&chosen(", \"pick ally\", \"pick self\""), 49.084_547);
    let on = ", \"pick self\", \"pick nearest\", \"pick ally\"";
    assert_wins(&chosen(on), 49.555_207);
}

#[test]
fn tokens_of_equal_sides_are_fair() {
    assert_wins(&two_against_two("key = 0\nnext = \"bag\"", ""), 50.0);
}

/// A hits with 1/2, B with 1/4. W = 1/3 (1/2 + 1/2 (1/2 W + 1/2 3/4 W)) + 1/3 3/4 (1/2 W + 1/2 (1/2 + 1/2 W)) + 1/3 W.
#[test]
fn an_end_token_ends_the_round_for_those_who_have_not_acted() {
    let attacks = "policy = [\"attack\"]";
    let text = fight(
        "key = 0\nnext = \"bag\"\nend_tokens = 1",
        &[("a", "a", 0, 1, attacks), ("b", "b", 0, 1, attacks)],
    );
    assert_wins(&text.replacen("evade = 11", "evade = 16", 1), 68.75);
}

/// A duel of one blow: A hits with 1/2, B with 1/4, both 1/4 more often while they have a joker.
fn duel_of_cards(clock: &str, policy: &str) -> String {
    let [a, b] = ["2", "1"].map(|cards| format!("traits = {{ cards = {cards} }}\n{policy}"));
    let text = fight(clock, &[("a", "a", 0, 1, &a), ("b", "b", 0, 1, &b)]);
    text.replacen("evade = 11", "evade = 16", 1) + "[conditions.joker]\nmodifies = { attack = 5 }\n"
}

/// A's share of the duel in per cent if each of these Rounds is as likely as every other. A Round is the order of attacks:
/// whether A makes it, and with which chance.
fn wins_of_a(rounds: &[Vec<(bool, f64)>]) -> f64 {
    let (mut wins, mut ends) = (0.0, 0.0);
    for round in rounds {
        let mut left = 1.0;
        for (of_a, hits) in round {
            wins += if *of_a { left * hits } else { 0.0 };
            left *= 1.0 - hits;
        }
        ends += 1.0 - left;
    }
    100.0 * wins / ends
}

#[test]
fn a_joker_gives_its_condition_until_the_next_draw() {
    for (cards, jokers) in [(4, 1), (3, 2), (54, 2)] {
        let mut rounds = Vec::new();
        for a in 1..=cards {
            for b in (1..=cards).filter(|b| *b != a) {
                let bonus = |card: i32| if card > cards - jokers { 0.25 } else { 0.0 };
                let mut round = vec![(true, 0.5 + bonus(a)), (false, 0.25 + bonus(b))];
                if b > a {
                    round.reverse();
                }
                rounds.push(round);
            }
        }
        let clock = format!(
            "when = \"round\"\nkey = {{ cards = {cards}, jokers = {jokers}, gives = \"joker\" }}"
        );
        let wins = wins_of_a(&rounds);
        assert_wins(&duel_of_cards(&clock, "policy = [\"attack\"]"), wins);
        // A policy that reads the total has the cards themselves drawn.
        if cards < 10 {
            let reads = "policy = [\"attack if initiative > 0\"]";
            assert_wins(&duel_of_cards(&clock, reads), wins);
        }
    }
}

#[test]
fn each_acts_on_each_of_its_cards() {
    let orders = |hands: &[(u32, u32)]| -> Vec<Vec<(bool, f64)>> {
        // Each hand counts as often as every other, whatever the number of its orders.
        let orders_of =
            |(a, b): (u32, u32)| (0_u32..1 << (a + b)).filter(move |order| order.count_ones() == a);
        let all = hands.iter().map(|hand| orders_of(*hand).count());
        let common = all.clone().product::<usize>();
        let mut rounds = Vec::new();
        for (hand, count) in hands.iter().zip(all) {
            for order in orders_of(*hand) {
                let blows = (0..hand.0 + hand.1).map(|place| order >> place & 1 == 1);
                let round: Vec<_> = blows
                    .map(|of_a| (of_a, if of_a { 0.5 } else { 0.25 }))
                    .collect();
                rounds.extend(std::iter::repeat_n(round, common / count));
            }
        }
        rounds
    };
    let attacks = "policy = [\"attack\"]";
    let reads = "policy = [\"attack if initiative > 0\"]";
    for (key, wins) in [
        ("each = 'cards'", wins_of_a(&orders(&[(2, 1)]))),
        ("each = 2", wins_of_a(&orders(&[(2, 2)]))),
        (
            "each = '1d2'",
            wins_of_a(&orders(&[(1, 1), (1, 2), (2, 1), (2, 2)])),
        ),
        (
            "each = '1d2 + cards'",
            wins_of_a(&orders(&[(3, 2), (3, 3), (4, 2), (4, 3)])),
        ),
        // The better of two cards comes before one with 2/3: 2/3 1/2 + 1/3 3/4 1/2 = 11/24 of 5/8.
        ("each = 'cards', keep = 1", 100.0 * 11.0 / 15.0),
    ] {
        for next in ["high", "low"] {
            let clock = format!("key = {{ cards = 7, {key} }}\nnext = '{next}'");
            assert_wins(&duel_of_cards(&clock, attacks), wins);
        }
        if !key.contains('+') {
            let clock = format!("key = {{ cards = 4, {key} }}");
            assert_wins(&duel_of_cards(&clock, reads), wins);
        }
    }
}

/// The strong hero and the foe fight to the first blow, which the hero lands with 1/2 and the foe with 1/4: 4/5 if the hero
/// begins each Round, else 3/5. The other hero only watches, and is first.
#[test]
fn allies_swap_places_once_as_keys_are_new() {
    for (clock, swap, other, wins) in [
        ("when = 'round'", "pass", "pass", 60.0),
        ("when = 'round'", "swap ally", "pass", 80.0),
        ("when = 'scene'", "swap strong", "pass", 80.0),
        // The strong hero has been in a swap, and is not asked.
        ("when = 'round'", "swap ally", "swap ally", 80.0),
        ("when = 'round'", "pass", "swap ally", 80.0),
        (
            "when = 'round'",
            "swap ally if initiative > 10",
            "pass",
            60.0,
        ),
        // In the first Round alone: 1/2 + 3/8 3/5.
        ("when = 'round'", "swap ally if round = 1", "pass", 72.5),
    ] {
        let text = fight(
            &format!("key = 0\n{clock}"),
            &[
                (
                    "strong",
                    "heroes",
                    0,
                    1,
                    &format!("policy = [\"attack\", \"{other}\"]"),
                ),
                (
                    "watcher",
                    "heroes",
                    10,
                    1,
                    &format!("policy = [\"{swap}\", \"pass\"]"),
                ),
                ("foe", "foes", 5, 1, "policy = [\"attack strong\"]"),
            ],
        );
        assert_wins(&text.replacen("evade = 11", "evade = 16", 1), wins);
    }
}

/// A has two health and hits with 1/2, B two and 1/4; each Round the lair takes 1 of both.
#[test]
fn a_lair_strikes_at_its_place_in_the_order() {
    let attacks = "policy = [\"attack\"]";
    for (place, next, wins) in [
        // As the Round begins: 1/2 in the first, and both fall as the second begins.
        ("", "high", 50.0),
        ("initiative = 11", "high", 50.0),
        // 1/2 fall to A and the lair; else B must miss, and A hit before the lair comes again: 1/2 + 1/2 3/4 1/2.
        ("initiative = 10", "high", 68.75),
        ("initiative = 1", "high", 68.75),
        // After both: A alone hits, 3/8, or neither does, 3/8, and A hits in the second Round.
        ("initiative = 0", "high", 56.25),
        ("initiative = -1", "high", 56.25),
        // B, the lair, A: B must miss, and A hit.
        ("initiative = 5", "low", 37.5),
    ] {
        let text = fight(
            &format!("key = 0\nnext = \"{next}\""),
            &[("a", "a", 10, 2, attacks), ("b", "b", 0, 2, attacks)],
        );
        let lair = format!("[encounter.hazards.lair]\neffects = [{{ damage = 1 }}]\n{place}\n");
        assert_wins(
            &(text.replacen("evade = 11", "evade = 16", 1) + &lair),
            wins,
        );
    }
}

#[test]
fn all_act_and_then_all_totals_fall_by_ten() {
    let attacks = "policy = [\"attack\"]";
    let text = fight(
        "key = \"2d6\"\nwhen = \"round\"\nafter = { less = 10 }",
        &[
            ("wired", "wired", 15, 1, attacks),
            ("plain", "plain", 8, 1, attacks),
        ],
    );
    assert_wins(&text, 67.216_495);
}

#[test]
fn a_boss_acts_after_each_living_hero() {
    let hero = "traits = { turns = 1 }\npolicy = [\"attack\"]";
    let boss = "traits = { turns = 0 }\npolicy = [\"react attack nearest when enemy ends-turn\"]";
    let text = fight(
        "key = 0\nplaces = \"turns\"\nbudget = { action = 1, reaction = { amount = 3, back = \"round\" } }",
        &[
            ("hero a", "heroes", 3, 2, hero),
            ("hero b", "heroes", 2, 2, hero),
            ("hero c", "heroes", 1, 2, hero),
            ("boss", "boss", 0, 6, boss),
        ],
    );
    assert_wins(&text, 54.381_954);
}

#[test]
fn sides_roll_each_round_and_act_as_blocks() {
    let all = "policy = [\"attack weakest\"]";
    let text = fight(
        "unit = \"side\"\nwhen = \"round\"\nkey = \"1d6\"",
        &[
            ("hero", "heroes", 0, 3, &format!("count = 2\n{all}")),
            ("goblin", "goblins", 0, 1, &format!("count = 3\n{all}")),
        ],
    );
    // Heroes need 9 against goblins, goblins 14 against heroes.
    let text = text.replacen("evade = 11", "evade = 14", 1);
    assert_wins(&text.replacen("evade = 11", "evade = 9", 1), 96.780_366);
}

/// A duel with one health each, in which the second has the better key.
fn duel(clock: &str, policies: [&str; 2]) -> String {
    let [first, second] = policies;
    let [first, second] = [first, second].map(|lines| format!("policy = [{lines}]"));
    fight(
        clock,
        &[("one", "one", 1, 1, &first), ("two", "two", 2, 1, &second)],
    )
}

#[test]
fn the_time_of_a_declared_action_moves_the_key() {
    let knife = "[weapons.knife]\nkind = \"melee\"\ncheck = { dice = \"1d20\" }\ndamage = 1\ncost = 2\n[[combatants]]";
    let clock = "key = 0\nnext = \"low\"\ndeclare = \"action\"\ncosts = { attack = 5 }";
    let wins = |first, second, percent| {
        let text = duel(clock, [first, second]);
        let text = text.replacen("[[combatants]]", knife, 1);
        let text = text.replace("weapons = [\"axe\"]", "weapons = [\"axe\", \"knife\"]");
        assert_wins(&text, percent);
    };
    // The first has a key of 1, and the second of 2. An axe takes 5 and a knife 2.
    let (axe, knife) = ("\"attack\"", "\"attack\", \"declare attack with knife\"");
    wins(axe, axe, 200.0 / 3.0);
    wins(axe, knife, 100.0 / 3.0);
    wins(knife, knife, 200.0 / 3.0);
}

#[test]
fn turns_of_the_kind_declared_come_before_those_of_the_next() {
    let clock = "key = 0\nbudget = { action = 2 }\ndeclare = { fast = { action = 1 }, slow = { action = 2 } }";
    let fast = "\"attack\", \"declare fast\"";
    // p = 1/2 + 1/2 (1/2)^2 p.
    assert_wins(&duel(clock, [fast, "\"attack\""]), 400.0 / 7.0);
    assert_wins(&duel(clock, [fast, fast]), 100.0 / 3.0);
}

#[test]
fn those_who_declare_later_know_who_attacks() {
    let clock = |declare| format!("key = 0\ndeclare = \"{declare}\"");
    let wary = "\"attack\", \"declare pass if enemies_attacking > 0\", \"declare attack\"";
    let bold = "\"attack\"";
    assert_wins(&duel(&clock("action"), [bold, wary]), 100.0 / 3.0);
    assert_wins(&duel(&clock("slow to fast"), [bold, wary]), 100.0);
    assert_wins(&duel(&clock("slow to fast"), [wary, bold]), 100.0 / 3.0);
}

#[test]
fn a_side_goes_on_until_a_turn_hurts_none() {
    // With 2 health each and chances of one half: p and q are the chances of the one who acts, at 2 and at 1 health of
    // the other. Where both go on until they fail, the heroes win 1/2 q + 1/2 (1 - p) and so on.
    let [hero, orc] = [("hero", "heroes", 2, 2, ""), ("orc", "orcs", 1, 2, "")];
    let policy = "policy = [\"attack\"]";
    let of = |after| {
        let clock = format!("key = 0\nunit = \"side\"\nafter = {after}");
        fight(
            &clock,
            &[
                (hero.0, hero.1, hero.2, hero.3, policy),
                (orc.0, orc.1, orc.2, orc.3, policy),
            ],
        )
    };
    // wins[own][other]: of the one who acts, with these healths.
    let wins = |goes_on: [bool; 2]| {
        let mut wins = [[[0.0; 3]; 3]; 2];
        for _ in 0..200 {
            for side in 0..2 {
                for own in 1..3 {
                    for other in 1..3 {
                        let other_side: [[f64; 3]; 3] = wins[1 - side];
                        let hit = match other {
                            1 => 1.0,
                            _ if goes_on[side] => wins[side][own][other - 1],
                            _ => 1.0 - other_side[other - 1][own],
                        };
                        wins[side][own][other] = 0.5 * hit + 0.5 * (1.0 - other_side[other][own]);
                    }
                }
            }
        }
        100.0 * wins[0][2][2]
    };
    assert_wins(&of("\"failure\""), wins([true, true]));
    // A Round ends with the turn of the other side: the order stays as it is.
    assert_wins(&of("{ failure = \"heroes\" }"), wins([true, false]));
}

#[test]
fn a_turn_is_seized_for_a_point() {
    let bold = "\"attack\"";
    let seizing = "\"attack\", \"seize for grit\"";
    let of = |second, grit| {
        let text = duel("key = 0", [second, bold]);
        text.replacen(
            "[\"attack\", \"seize for grit\"]\n",
            &format!("[\"attack\", \"seize for grit\"]\ntraits = {{ grit = {grit} }}\n"),
            1,
        )
    };
    assert_wins(&of(bold, 0), 100.0 / 3.0);
    // First in one Round, and second afterwards: 1/2 + 1/4 of the chance of the second.
    assert_wins(&of(seizing, 1), 50.0 + 100.0 / 12.0);
    assert_wins(&of(seizing, 20), 200.0 / 3.0);
}

#[test]
fn initiative_is_won_and_lost_by_blows() {
    let text = fight(
        "key = \"battle\"",
        &[
            (
                "one",
                "one",
                0,
                2,
                "traits = { battle = 6 }\npolicy = [\"attack\"]",
            ),
            (
                "two",
                "two",
                0,
                2,
                "traits = { battle = 5 }\npolicy = [\"attack\"]",
            ),
        ],
    );
    let steals = "damage = 1\neffects = [{ traits = { battle = -1 } }, { traits = { battle = 1 }, target = \"self\" }]";
    let text = text.replacen("damage = 1", steals, 1);
    // A chain over the difference of the keys, which each hit moves by 2, and both healths.
    assert_wins(&text, 1600.0 / 27.0);
}

#[test]
fn one_who_delays_may_keep_its_place() {
    // The second delays in Round 1 until the first has acted. If that moves its place, the first begins all Rounds.
    let delays = "\"delay until enemy_acted if round = 1 and not delayed\", \"attack\"";
    let clock = |more| format!("key = 0\n{more}");
    let wins = |more, percent| assert_wins(&duel(&clock(more), ["\"attack\"", delays]), percent);
    wins("", 200.0 / 3.0);
    // 1/2 in Round 1, and 1/4 of the chance of the one who comes second afterwards.
    wins("delay = \"keeps place\"", 50.0 + 100.0 / 12.0);
}

#[test]
fn one_who_readies_may_keep_its_place() {
    // The first, who comes second, readies an attack in Round 1, which comes before that of the other in Round 2, in place
    // of its turn. Then it begins all Rounds, or is second again: 1/2 (1/2 + 1/4 p).
    let readies = "\"ready attack when enemy attacks if round = 1\", \"attack\"";
    let clock = |more| format!("key = 0\n{more}");
    let wins = |more, percent| assert_wins(&duel(&clock(more), [readies, "\"attack\""]), percent);
    wins("", 100.0 / 3.0);
    wins("ready = \"keeps place\"", 700.0 / 24.0);
}

/// A clock that begins with a published one and changes nothing plays as that one does.
#[test]
fn a_clock_like_a_published_one_is_that_one() {
    for (name, text) in [
        ("mage", include_str!("../../scenarios/mage-alley.toml")),
        (
            "chronicles",
            include_str!("../../scenarios/chronicles-spears.toml"),
        ),
        (
            "eclipse-phase",
            include_str!("../../scenarios/eclipse-speed.toml"),
        ),
    ] {
        let (written, like) = (
            format!("system = \"{name}\""),
            format!("clock.like = \"{name}\"\nsystem = \"own\""),
        );
        let published = load(text);
        let own = load(&text.replacen(&written, &like, 1));
        assert_eq!(published.variants.len(), own.variants.len());
        for (one, other) in published.variants.iter().zip(&own.variants) {
            assert_eq!(one.rules, other.rules);
            assert_eq!(sampled(one, 1, 500), sampled(other, 1, 500));
        }
    }
}
