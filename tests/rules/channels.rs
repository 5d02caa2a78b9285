//! Channels (TC-15).

use super::armory::play_fighters;
use skirmish::chance::Purpose::Check;

const CHANNEL: &str = "mage a 0 20 | spells = ['beam'] | channel beam; retreat";

#[test]
fn tc_15_a_channel_uses_all_marks_and_takes_effect_at_mark_0() {
    let played = play_fighters(&[], &[CHANNEL, "x b 20 1 | | pass"], &[]);
    assert_eq!(
        played.deeds(),
        [
            "R1 20 mage channels beam",
            "R1 0 mage beam goes off at x",
            "R1 0 x takes 2 has 8",
        ]
    );
    assert_eq!(played.record.combatants[0].marks_forfeited, 0);
}

#[test]
fn tc_15_only_if_nothing_was_done_this_round() {
    let channels = |keys: &str, policy: &str| {
        let mage = format!("mage a 0 20 | spells = ['beam']; {keys} | {policy}; channel beam");
        let played = play_fighters(&[], &[&mage, "x b 20 1 | | pass"], &[]);
        played.only(&["channels"]).len()
    };
    assert_eq!(channels("armor = 0", "wait 3 if mark = 20"), 1);
    assert_eq!(channels("armor = 0", "retreat 1 if not moved"), 0);
    let items = "items = ['pill', 'nut']";
    assert_eq!(channels(items, "use pill if uses.pill = 30"), 0);
    assert_eq!(channels(items, "use nut if uses.nut = 2"), 0);
    // The action of Round 1 does not prevent a Channel in Round 2.
    let mage =
        "mage a 0 20 | spells = ['beam'] | retreat 1 if round = 1 and not moved; channel beam";
    let played = play_fighters(
        &["encounter.max_rounds=2"],
        &[mage, "x b 20 1 | | pass"],
        &[],
    );
    assert_eq!(played.only(&["channels"]), ["R2 20 mage channels beam"]);
}

#[test]
fn tc_15_not_even_a_reaction() {
    // A CAR move as a reaction to an enemy that comes near.
    let played = play_fighters(
        &[],
        &[
            "mage a 0 15 | spells = ['beam']; weapons = ['sword']; car = 3 | car; channel beam",
            "x b 4 20 | | advance 1 if not acted",
        ],
        &[],
    );
    assert_eq!(played.only(&["reacts", "channels"]).len(), 1);
    // A counter.
    let played = play_fighters(
        &[],
        &[
            "mage a 0 15 | spells = ['beam']; weapons = ['sword']; abilities = ['counter'] | \
             channel beam",
            "x b 0 20 | weapons = ['sword'] | attack",
        ],
        &[(0, Check, &[1]), (1, Check, &[1])],
    );
    assert_eq!(played.only(&["counters", "channels"]).len(), 1);
    // A hit without an opportunity to counter is not an action of the mage.
    let played = play_fighters(
        &[],
        &[
            "mage a 0 15 | spells = ['beam']; weapons = ['sword']; abilities = ['counter'] | \
             channel beam",
            "x b 0 20 | weapons = ['sword'] | attack",
        ],
        &[(1, Check, &[10])],
    );
    assert_eq!(played.only(&["channels", "goes off"]).len(), 2);
}

#[test]
fn tc_15_damage_does_not_break_it_unless_an_option_says_so() {
    let archer = "x b 20 18 | weapons = ['bow'] | attack";
    let dice = &[(1, Check, &[10, 1, 1][..])];
    let played = play_fighters(&[], &[CHANNEL, archer], dice);
    assert_eq!(
        played.only(&["breaks", "goes off"]),
        ["R1 0 mage beam goes off at x"]
    );
    let option = "rules.channel_damage_breaks=true";
    let played = play_fighters(&[option], &[CHANNEL, archer], dice);
    assert_eq!(
        played.only(&["breaks", "goes off"]),
        ["R1 18 mage breaks beam"]
    );
    // The Marks that have not passed are left for walking.
    assert_eq!(played.walk("mage").len(), 10);
    assert_eq!(played.walk("mage")[0], (17, -1));
}

#[test]
fn tc_15_its_own_condition_breaks_it() {
    let mage = "mage a 0 20 | spells = ['beam'] | channel beam until distance < 18";
    let played = play_fighters(&[], &[mage, "x b 20 18 | | advance 5 if not acted"], &[]);
    // It breaks at 17 Units, in the mage's slot of that Mark or of the next.
    assert_eq!(
        played.only(&["17>", "18>17", "breaks", "goes off"])[..2],
        ["R1 15 x steps 18>17", "R1 14 mage breaks beam"]
    );
    assert!(played.only(&["goes off"]).is_empty());
}

#[test]
fn tc_15_its_condition_is_asked_from_the_mark_after_the_one_at_which_it_starts() {
    for round in ["full", "simple"] {
        let mage = "mage a 0 20 | spells = ['beam'] | channel beam until round >= 1";
        let option = format!("rules.round={round}");
        let played = play_fighters(&[&option], &[mage, "x b 20 1 | | pass"], &[]);
        assert_eq!(
            played.only(&["channels", "breaks"]),
            ["R1 20 mage channels beam", "R1 19 mage breaks beam"]
        );
    }
}

#[test]
fn tc_15_its_condition_is_asked_from_the_next_mark_of_tied_channellers_too() {
    let mage = |name: &str, side: &str, position: i32| {
        format!("{name} {side} {position} 20 | spells = ['beam'] | channel beam until round >= 1")
    };
    let played = play_fighters(&[], &[&mage("m", "a", 0), &mage("n", "b", 9)], &[]);
    assert_eq!(
        played.only(&["channels", "breaks"]),
        [
            "R1 20 m channels beam",
            "R1 20 n channels beam",
            "R1 19 m breaks beam",
            "R1 19 n breaks beam",
        ]
    );
}

/// The condition is evaluated on the state on which tied combatants choose, in either file order (W-5).
#[test]
fn tc_15_its_condition_is_asked_before_tied_combatants_act() {
    let mage = "mage a 0 20 | spells = ['beam'] | channel beam until distance < 18; pass";
    let other = "x b 20 20 | | advance 5 if not acted";
    for fighters in [[mage, other], [other, mage]] {
        let played = play_fighters(&[], &fighters, &[]);
        assert_eq!(
            played.only(&["18>17", "breaks", "goes off"]),
            ["R1 17 x steps 18>17", "R1 16 mage breaks beam"]
        );
    }
}

#[test]
fn tc_15_while_one_channels_marks_are_those_that_have_not_gone_by() {
    let mage = "mage a 0 20 | spells = ['beam'] | channel beam until marks < 7; retreat";
    let played = play_fighters(&[], &[mage, "x b 20 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["breaks", "done"])[..1],
        ["R1 6 mage breaks beam"]
    );
    assert_eq!(played.walk("mage").len(), 6);
}

#[test]
fn tc_15_breaking_it_leaves_only_movement_and_free_actions() {
    let keys = "spells = ['beam', 'bolt']; weapons = ['bow', 'sword']; \
                items = ['pill', 'nut', 'scroll']; undrawn = ['sword']";
    let policy = "channel beam until mark < 18; attack; desperate; cast bolt; set; \
                  use nut; use scroll; draw sword; use pill if uses.pill > 29; retreat";
    let mage = format!("mage a 0 20 | {keys} | {policy}");
    let played = play_fighters(&[], &[&mage, "x b 20 1 | | pass"], &[]);
    let deeds = played.deeds();
    assert_eq!(
        deeds[..3],
        [
            "R1 20 mage channels beam",
            "R1 17 mage breaks beam",
            "R1 17 mage uses pill +0",
        ]
    );
    let rest: Vec<_> = (7..17)
        .rev()
        .zip(1..)
        .map(|(mark, unit)| (mark, -unit))
        .collect();
    assert_eq!(played.walk("mage"), rest);
    assert_eq!(deeds.len(), 13);
}

#[test]
fn tc_15_range_and_target_are_checked_again_at_mark_0() {
    let far = "x b 30 15 | | retreat 1 if not acted";
    let played = play_fighters(&[], &[CHANNEL, far], &[]);
    assert_eq!(
        played.only(&["goes off", "wasted"]),
        ["R1 0 mage beam wasted"]
    );
    let played = play_fighters(&[], &[CHANNEL, far, "y b -30 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["goes off", "wasted"]),
        ["R1 0 mage beam goes off at y"]
    );
}

#[test]
fn tc_15_a_car_move_is_a_free_action_that_is_left_after_breaking_it() {
    let mage = "mage a 0 20 | spells = ['beam']; weapons = ['sword']; car = 5 | \
                channel beam until mark < 18; car; attack; set";
    let played = play_fighters(&[], &[mage, "x b 5 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["breaks", "cars", "begins", "sets"]),
        ["R1 17 mage breaks beam", "R1 17 mage cars at x"]
    );
}
