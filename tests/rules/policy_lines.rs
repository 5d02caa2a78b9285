//! Policy lines by the rules of section 0 (W-3, W-4), on every clock.

use crate::support::fights::{errors, player, variant};
use skirmish::chance::Purpose;
use skirmish::sim::events::Moment;
use skirmish::sim::{Event, Observer};
use skirmish::systems::SYSTEMS;

/// Returns a fight of one combatant against two idle ones, `near` at 3 with 50 points of health and `far` at 9 with 5,
/// and a friend at 5.
fn text(system: &str, policy: &str) -> String {
    let somebody = |name: &str, side: &str, position: i32, health: i32, policy: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\n\
             initiative = 10\nmove = 12\nevade = 0\nhealth = {health}\nweapons = [\"lance\"]\n\
             policy = [{policy}]\n"
        )
    };
    format!(
        "system = \"{system}\"\n[encounter]\nmax_rounds = 3\n[rules]\ncheck = \"roll-over\"\n\
         health = \"points\"\n[weapons.lance]\nkind = \"melee\"\nreach = 3\n\
         check = {{ dice = \"1d10\" }}\ndamage = 1\n{}{}{}{}",
        somebody("hero", "us", 0, 50, policy),
        somebody("near", "them", 3, 50, "'pass'"),
        somebody("far", "them", 9, 5, "'pass'"),
        somebody("friend", "us", 5, 50, "'pass'"),
    )
}

/// The hero's steps, targets and decisions.
#[derive(Debug, Default)]
struct Heard {
    attacked: Vec<usize>,
    steps: Vec<i32>,
    decisions: usize,
}

impl Observer for Heard {
    fn event(&mut self, _: Moment, event: Event) {
        match event {
            Event::Attack { target, .. } => self.attacked.push(target),
            Event::Step { to, .. } => self.steps.push(to),
            Event::Decision { who: 0, .. } => self.decisions += 1,
            _ => {}
        }
    }

    fn die(&mut self, _: usize, _: Purpose, _: u32, _: u32) {}
}

/// Plays a policy on each clock and passes the result to `holds`.
fn on_every_clock(policy: &str, mut holds: impl FnMut(&str, Heard)) {
    for system in SYSTEMS {
        let variant = variant(&text(system.name, policy));
        let mut heard = Heard::default();
        player(&variant, 1).show(0, &mut heard);
        holds(system.name, heard);
    }
}

/// Asserts the last position of a hero that only moves forward.
fn assert_ends_at(policy: &str, position: i32) {
    on_every_clock(policy, |system, heard| {
        let last = heard.steps.last().copied().unwrap_or(0);
        assert_eq!(last, position, "{system}: {policy}");
    });
}

#[test]
fn w_4_weakest_of_all_is_nobody_else_while_that_one_is_out_of_reach() {
    on_every_clock("'attack weakest of all'", |system, heard| {
        assert!(heard.attacked.is_empty(), "{system}");
    });
    on_every_clock("'attack weakest'", |system, heard| {
        assert_eq!(heard.attacked.first(), Some(&1), "{system}");
    });
    let goes = "'attack weakest of all', 'set', 'advance weakest of all'";
    on_every_clock(goes, |system, heard| {
        assert_eq!(heard.attacked.first(), Some(&2), "{system}");
    });
    on_every_clock(
        "'attack strongest of all', 'advance far'",
        |system, heard| {
            assert_eq!(heard.attacked.first(), Some(&1), "{system}");
        },
    );
}

#[test]
fn w_4_an_only_enemy_that_casts_nothing_is_no_target_of_a_line_about_casters() {
    for system in SYSTEMS {
        let text = text(system.name, "'attack casting', 'pass'");
        let mut parts: Vec<&str> = text.split_inclusive("[[combatants]]\n").collect();
        parts.retain(|part| !part.contains("\"far\""));
        let text = parts.concat();
        let variant = variant(&text);
        assert_eq!(variant.fight.combatants.len(), 3);
        let mut heard = Heard::default();
        player(&variant, 1).show(0, &mut heard);
        assert!(heard.attacked.is_empty(), "{}", system.name);
    }
}

#[test]
fn w_4_a_condition_may_ask_about_any_enemy() {
    // The target of the line is `far`; the nearest enemy is another.
    assert_ends_at("'advance 1 far if nearest_enemy_distance > 1'", 2);
    assert_ends_at("'advance 1 far if enemies_within(2) = 0'", 1);
    assert_ends_at("'advance 1 far if enemies_within(6) < 2'", 3);
    assert_ends_at("'advance 1 far if allies_within(2) = 0'", 3);
    assert_ends_at(
        "'advance 1 far if allies_within(0) + enemies_within(0) = 0'",
        3,
    );
    // A combatant is not its own ally.
    assert_ends_at(
        "'advance 1 far if allies_within(200000) = 1 and distance > 5'",
        4,
    );
}

#[test]
fn w_3_a_move_goes_as_far_as_its_sum_comes_to_when_it_is_taken() {
    // From nine Units away the sum is 4, from five it is 0.
    assert_ends_at("'advance distance - 5 far'", 4);
    assert_ends_at(
        "'advance enemies * 2 + 1 far if nearest_enemy_distance = 3 and allies = 1'",
        5,
    );
    // The distance is that to the line's own target.
    assert_ends_at("'advance 4 to 2 * distance - 13 far'", 4);
    // Without a number of Units the sum is evaluated after each Unit: 5, 3, 1, and then less than 0.
    assert_ends_at("'advance to 2 * distance - 13 far'", 3);
    assert_ends_at("'advance to distance - 10 far'", 0);
    assert_ends_at("'advance 3 - 2 + 5 far if distance = 9'", 6);
}

#[test]
fn w_3_a_sum_is_worked_out_once_and_the_move_is_committed_to_it() {
    on_every_clock("'advance distance - 5 far'", |system, heard| {
        assert_eq!(heard.decisions, 1, "{system}");
        assert_eq!(heard.steps.len(), 4, "{system}");
    });
}

/// Returns the errors about the hero's line.
fn refusal(system: &str, line: &str) -> String {
    errors(&text(system, line))
}

#[test]
fn w_3_sums_that_are_out_of_range_or_unknown_are_refused() {
    for (line, said) in [
        ("'advance 3 - 3'", "`0` is out of range"),
        ("'retreat 500 * 3'", "expected a number of Units, 1 to 1000"),
        ("'retreat to 2 - 3'", "expected a distance, 0 to 200000"),
        ("'retreat mov_left'", "did you mean `move_left`?"),
        (
            "'advance uses.potion'",
            "no item or weapon with `uses` called \"potion\"",
        ),
        ("'advance gathered'", "no combatant is called \"gathered\""),
        ("'advance distance + in_hand.lance'", "needs a number"),
    ] {
        let told = refusal("tara-corax", line);
        assert!(told.contains(said), "{line}: {told}");
    }
    let round = text("mage", "'advance round'").replace("\"near\"", "\"round\"");
    let told = errors(&round);
    assert!(told.contains("an enemy is called so"), "{told}");
}
