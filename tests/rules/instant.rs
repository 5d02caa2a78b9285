//! Later additions to instant effects, hazards and ground (W-11, W-14, W-15), on all clocks.

use super::effects::{CombatantSpec, assert_refused, on_all_clocks, on_marks};
use skirmish::fight::Ending;
use skirmish::fight::system::Clock;

const SWORD: &str = "[weapons.sword]\nkind = 'melee'\nreach = 3\ncheck = {sure}\ndamage = 1\n";

#[test]
fn w_11_who_is_disarmed_draws_again_or_never() {
    let fencer = "weapons = ['sword']\npolicy = ['attack', 'draw sword']";
    for (how, attacks) in [("true", 3), ("'for_good'", 0)] {
        let things = format!(
            "{SWORD}[items.hook]\ntarget = 'enemy'\nrange = 9\nuses = 1\neffects = [{{ disarm = {how} }}]\n"
        );
        let all: &[CombatantSpec<'_>] = &[
            ("hooker one 0 9", "items = ['hook']\npolicy = ['use hook']"),
            ("fencer other 2 3", fencer),
        ];
        for (clock, counts) in on_all_clocks(&things, 4, all) {
            // On Marks and in Phases there is time to attack in the Round of the draw.
            let in_time = matches!(clock, Clock::Marks | Clock::Phases);
            let more = u32::from(attacks > 0 && in_time);
            assert_eq!(counts[1].attacks, attacks + more, "{clock:?} {how}");
            assert_eq!(counts[0].items_used, 1, "{clock:?}");
        }
    }
}

#[test]
fn w_11_nobody_loses_a_natural_weapon() {
    let things = format!(
        "{}[items.hook]\ntarget = 'enemy'\nrange = 9\neffects = [{{ disarm = true }}]\n",
        SWORD
            .replace("sword", "claw")
            .replace("reach", "natural = true\nreach")
    );
    let all: &[CombatantSpec<'_>] = &[
        ("hooker one 0 9", "items = ['hook']\npolicy = ['use hook']"),
        ("beast other 2 3", "weapons = ['claw']\npolicy = ['attack']"),
    ];
    for (clock, counts) in on_all_clocks(&things, 3, all) {
        assert_eq!(counts[1].attacks, 3, "{clock:?}");
    }
}

#[test]
fn w_11_uses_are_given_and_taken_within_those_at_the_start() {
    let things = format!(
        "{}[items.thief]\ntarget = 'enemy'\nrange = 30\nuses = 1\neffects = [{{ uses = 'bow', change = -4 }}]\n\
         [items.quiver]\ntarget = 'ally'\nrange = 30\nuses = 1\neffects = [{{ uses = 'bow', change = 9 }}]\n",
        "[weapons.bow]\nkind = 'thrown'\nrange = 30\nuses = 5\ncheck = {sure}\ndamage = 1\n"
    );
    let mut all: [CombatantSpec<'_>; 3] = [
        ("thief one 9 9", "items = ['thief']\npolicy = ['use thief']"),
        ("archer other 2 3", "weapons = ['bow']\npolicy = ['attack']"),
        ("page other 2 1", "items = ['quiver']\npolicy = ['pass']"),
    ];
    for (clock, counts) in on_all_clocks(&things, 9, &all) {
        assert_eq!(counts[1].attacks, 1, "{clock:?}");
    }
    // All five uses are back, and the bow is in hand again.
    all[2].1 = "items = ['quiver']\npolicy = ['use quiver if round = 3']";
    for (clock, counts) in on_all_clocks(&things, 9, &all) {
        assert_eq!(counts[1].attacks, 6, "{clock:?}");
    }
}

#[test]
fn w_11_a_condition_may_last_for_turns_of_the_one_who_brought_it_about() {
    // The holder acts first and the held combatant last, so the holder's own turns are over earlier.
    for (ends, attacks) in [("own_turn", 3), ("target_turn", 3), ("source_turn", 4)] {
        let things = format!(
            "{SWORD}[conditions.held]\nmodifies = {{ actions = 0 }}\nends = '{ends}'\n\
             [items.net]\ntarget = 'enemy'\nrange = 9\nuses = 1\neffects = [{{ condition = 'held', lasts = 1 }}]\n"
        );
        let all: &[CombatantSpec<'_>] = &[
            ("holder one 0 9", "items = ['net']\npolicy = ['use net']"),
            ("held other 2 3", "weapons = ['sword']\npolicy = ['attack']"),
        ];
        for (clock, counts) in on_all_clocks(&things, 4, all) {
            let in_turns = matches!(clock, Clock::Turns | Clock::Order);
            let expected = if in_turns { attacks } else { 3 };
            assert_eq!(counts[1].attacks, expected, "{clock:?} {ends}");
        }
    }
}

#[test]
fn w_11_turns_of_one_who_is_down_are_counted_at_the_end_of_rounds() {
    let things = format!(
        "{SWORD}[conditions.held]\nmodifies = {{ actions = 0 }}\nends = 'source_turn'\n\
         [items.net]\ntarget = 'enemy'\nrange = 9\nuses = 1\neffects = [{{ condition = 'held', lasts = 3 }}]\n"
    );
    let all: &[CombatantSpec<'_>] = &[
        (
            "holder one 0 9",
            "items = ['net']\npolicy = ['use net', 'surrender']",
        ),
        ("friend one 0 2", "policy = ['pass']"),
        ("held other 2 3", "weapons = ['sword']\npolicy = ['attack']"),
    ];
    for (clock, counts) in on_all_clocks(&things, 6, all) {
        assert_eq!(counts[0].surrendered, 1, "{clock:?}");
        assert_eq!(counts[2].attacks, 3, "{clock:?}");
    }
}

#[test]
fn w_14_a_hazard_may_wait_for_somebodys_fall_and_ask_whom_it_strikes() {
    let things = r"
[conditions.masked]
ends = 'never'
[items.mask]
effects = [{ condition = 'masked' }]
[encounter.hazards.gas]
falls = 'pilot'
when = 'not has masked and hp > 5'
effects = [{ damage = 10 }]
";
    let all: &[CombatantSpec<'_>] = &[
        (
            "pilot one 0 1",
            "policy = ['surrender if round = 2', 'pass']",
        ),
        ("crew one 0 2", "policy = ['pass']"),
        ("diver one 0 3", "items = ['mask']\npolicy = ['use mask']"),
        ("thief other 9 4", "policy = ['pass']"),
    ];
    for (clock, counts) in on_all_clocks(things, 5, all) {
        let health: Vec<i32> = counts.iter().map(|one| one.health).collect();
        // The hazard strikes in Rounds 3 and 4; after that no combatant without a mask has more than 5 health.
        assert_eq!(health, [20, 0, 20, 0], "{clock:?}");
    }
}

#[test]
fn w_14_a_hazard_that_is_switched_off_never_strikes() {
    for (when, left) in [
        ("false", 20),
        ("round = 1 and false", 20),
        ("false or round = 1", 15),
        ("true", 15),
    ] {
        let things = format!(
            "[encounter.hazards.gas]\nlast = 1\nwhen = '{when}'\neffects = [{{ damage = 5 }}]\n"
        );
        let all: &[CombatantSpec<'_>] = &[
            ("pilot one 0 1", "policy = ['pass']"),
            ("thief other 9 4", "policy = ['pass']"),
        ];
        for (clock, counts) in on_all_clocks(&things, 2, all) {
            assert_eq!(counts[0].health, left, "{clock:?}: {when}");
        }
    }
}

#[test]
fn w_14_what_asks_of_those_struck_what_they_have_not_is_refused() {
    for (hazard, wanted) in [
        (
            "when = 'distance > 2'",
            "`when` of \"gas\" asks for what a combatant alone does not have",
        ),
        ("when = 'target.prone'", "`max_health`"),
        ("when = 'hp >'", "expected"),
        ("when = 'has mask'", "mask"),
        ("falls = 'pilto'", "no combatant is called \"pilto\""),
        ("mark = 5", "there are no Marks here"),
    ] {
        let things = format!("[encounter.hazards.gas]\n{hazard}\neffects = [{{ damage = 1 }}]\n");
        assert_refused(&things, wanted);
    }
    for (things, wanted) in [
        ("[[encounter.events]]\nround = 4\n", "no `events`"),
        (
            "[encounter.goals.hull]\nround = 4\noutcome = 'breached'\n",
            "the name of the goal is that of the outcome",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'bwo', change = 1 }]\n",
            "no item, and no weapon with `uses`, is called \"bwo\"",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'thief', change = 0 }]\n",
            "`change` is 0",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'thief' }]\n",
            "lacks `change`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ndifficult = 'very'\n",
            "`difficult`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ndifficult = 11\n",
            "`difficult`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ncover = 2\n",
            "no `cover`",
        ),
    ] {
        assert_refused(things, wanted);
    }
}

#[test]
fn w_14_a_hazard_at_a_mark_strikes_before_what_is_due_there() {
    // Three attacks a Round, at 20, 15 and 10; a hazard at a Mark strikes before the attack at that Mark.
    for (mark, health) in [
        (25, 0),
        (20, 0),
        (16, 1),
        (15, 1),
        (12, 2),
        (10, 2),
        (9, 3),
        (0, 3),
    ] {
        let things = format!(
            "[weapons.sword]\nkind = 'melee'\nreach = 3\nattacks = 3\ncheck = {{sure}}\ndamage = 1\n\
             [encounter.hazards.bomb]\nmark = {mark}\nstretch = [0, 1]\neffects = [{{ damage = 99 }}]\n"
        );
        let all: &[CombatantSpec<'_>] = &[
            ("fencer one 0 0", "weapons = ['sword']\npolicy = ['attack']"),
            ("target other 2 3", "policy = ['pass']"),
        ];
        let (ending, counts) = on_marks(&things, 1, all);
        assert_eq!(ending, (Ending::Win(1), 1), "{mark}");
        assert_eq!(counts[1].health, 20 - health, "{mark}");
    }
}

#[test]
fn w_15_on_difficult_ground_each_unit_takes_two_of_movement() {
    // 3 Units to the bog, 4 within it, then open ground; the walker walks for several Rounds.
    let bog = "[encounter.ground.bog]\nstretch = [4, 7]\ndifficult = true\n";
    let all: &[CombatantSpec<'_>] = &[
        ("walker one 0 3", "policy = ['advance']"),
        ("goal other 30 1", "policy = ['pass']"),
    ];
    let moved = |things: &str, rounds: u32| -> Vec<(Clock, u32)> {
        let played = on_all_clocks(things, rounds, all).into_iter();
        played
            .map(|(clock, counts)| (clock, counts[0].units_moved))
            .collect()
    };
    for ((clock, one), (_, two)) in moved(bog, 1).into_iter().zip(moved(bog, 2)) {
        let expected = match clock {
            // Land Speed 6, or a move of 6: 3 Units, then 1 in the bog for 2, and 1 is left over; then 3 in the bog.
            Clock::Marks | Clock::Order => (4, 7),
            // 26 yards: 3, then 4 in the bog for 8, then 15; the second turn reaches the goal.
            Clock::Turns => (22, 30),
            // 12 Units in four Phases of 3: 3; 2, with one Unit owed; 1; then 1 and 1 of open ground.
            Clock::Phases => (8, 20),
        };
        assert_eq!((one, two), expected, "{clock:?}");
    }
    let deep = bog.replace("true", "9");
    for (clock, units) in moved(&deep, 1) {
        let expected = match clock {
            Clock::Marks | Clock::Order => 3,
            Clock::Turns => 5,
            // A Unit begins with the movement left, and later Phases pay for it until the turn ends.
            Clock::Phases => 4,
        };
        assert_eq!(units, expected, "{clock:?}");
    }
    // `difficult = 1` has no effect.
    let open = bog.replace("true", "1");
    let written = format!("{open}modifies = {{}}\n");
    assert_eq!(moved(&written, 2), moved("", 2));
}

#[test]
fn w_15_a_unit_of_difficult_ground_takes_two_marks() {
    let things = "[weapons.sword]\nkind = 'thrown'\nrange = 99\ncheck = {sure}\ndamage = 1\n\
        [encounter.ground.bog]\nstretch = [-9, 99]\ndifficult = true\n";
    for (units, attacks) in [(2, 1), (3, 0)] {
        // An attack action takes 15 Marks: of 20, two Units leave 16, and three leave 14.
        let walker = format!(
            "weapons = ['sword']\npolicy = ['advance {units} if not moved', 'attack if moved']"
        );
        let all: &[CombatantSpec<'_>] = &[
            ("walker one 0 0", &walker),
            ("goal other 50 1", "policy = ['pass']"),
        ];
        let (_, counts) = on_marks(things, 1, all);
        let made = (counts[0].units_moved, counts[0].attacks);
        assert_eq!(made, (units, attacks));
    }
}
