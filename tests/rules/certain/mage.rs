//! Fights of Mage without chance, or with chance that does not affect the tested counts.

use super::{Counted, chronicles, marks, phases, play_fighters};

/// Traits with a free half of 14 yards a turn.
const TRAITS: &str = "attributes = { dexterity = 3, wits = 3, stamina = 2 }";

/// Traits of a combatant that acts later.
const LATER: &str = "attributes = { dexterity = 2, wits = 2, stamina = 2 }";

/// A bow that reaches all combatants and does no damage.
const BOW: &str =
    "[weapons.bow]\nkind = \"ranged\"\nrange = 5000\ncheck = { dice = \"5000\" }\ndamage = 0\n";

pub(super) fn mage(head: &str, fighters: &[&str]) -> Counted {
    play_fighters(
        &format!("system = \"mage\"\nrules.health = \"points\"\n{head}"),
        fighters,
    )
}

/// MA-1: combatants that share initiative act at the total of the first of them that stands; a reserve does not count.
#[test]
fn ma_1_a_reserve_does_not_lead_those_who_share() {
    let counted = mage(
        "rules.check = \"roll-over\"\nrules.initiative = { roll = \"per-scene\", share = [\"x\"] }\n\
         [encounter]\nmax_rounds = 1\nacted_first = true\n",
        &[
            "r x 0 10 | enters = 2 | attack",
            "a x 0 4 |  | attack",
            "b y 0 7 |  | attack",
        ],
    );
    assert!((counted.of("acted_first", "y") - 100.0).abs() < 1e-9);
}

/// MA-6, W-15: on difficult ground the yards of a retreat count in the direction of the retreat.
#[test]
fn ma_6_a_retreat_from_the_same_place_knows_its_ground() {
    let keys = "attributes = { dexterity = 3, wits = 3, stamina = 2 }";
    let play = |position: u32| {
        mage(
            "rules.endurance_turns = 0\nrules.check = \"roll-over\"\n\
             [encounter]\nmax_rounds = 1\nground.bog = { stretch = [-20, -1], difficult = true }\n",
            &[
                &format!("a x 0 - | {keys} | retreat 8 if not moved; pass"),
                &format!("b y {position} - | {} | pass", keys.replace('3', "2")),
            ],
        )
    };
    for position in [0, 1] {
        let rolls = play(position).of("endurance_rolls", "a");
        assert!((rolls - 1.0).abs() < 1e-9, "{position}: {rolls}");
    }
}

/// MA-3, MA-5: dice lost to yards are counted for each pool that loses them.
#[test]
fn ma_5_dice_lost_are_those_of_every_pool() {
    let head = "encounter.max_rounds = 1\n[weapons.fist]\nkind = \"melee\"\nreach = 2\n\
                check = { pool = 10, difficulty = 2 }\ndamage = 0\n[items.trap]\ntarget = \"enemy\"\nrange = 9\nuses = 9\n\
                ready_check = { pool = 8, difficulty = 2 }\ncheck = { pool = 6, difficulty = 2 }\neffects = [{ damage = 0 }]\n";
    let play = |rules: &str, line: &str| {
        mage(
            &format!("{rules}{head}"),
            &[
                &format!(
                    "a x 0 - | attributes = {{ dexterity = 3, wits = 3, stamina = 2 }}; weapons = [\"fist\"]; items = [\"trap\"] | \
                     advance 16; {line}"
                ),
                "b y 18 - | attributes = { dexterity = 2, wits = 2, stamina = 2 }; weapons = [\"fist\"] | pass",
            ],
        )
        .of("dice_lost", "a")
    };
    let one = play("", "attack");
    assert!(one > 0.0);
    for (rules, line, pools) in [
        ("", "use trap", 2.0),
        ("", "attack + attack", 1.0),
        ("rules.divide = \"before\"\n", "attack + attack", 2.0),
    ] {
        let lost = play(rules, line);
        assert!((lost - pools * one).abs() < 1e-9, "{rules}{line}: {lost}");
    }
}

/// MA-4, MA-6: a combatant stopped by its endurance does not climb again in that turn; it may act, and its turn ends.
#[test]
fn ma_6_who_is_stopped_does_not_climb() {
    let rules = format!(
        "rules.check = \"roll-over\"\nrules.endurance_turns = 0\nrules.exhaustion = \"stop\"\n\
         rules.exhaustion_botch = \"stop\"\nencounter.max_rounds = 30\n{BOW}"
    );
    let play = |more: &str, lines: &str| {
        mage(
            &format!("{more}{rules}"),
            &[
                &format!(
                    "a x 0 - | {TRAITS}; climb = {{ pool = 3 }}; weapons = [\"bow\"] | {lines}"
                ),
                &format!("b y 2000 - | {LATER} | pass"),
            ],
        )
    };
    // A climb would take the action.
    let stopped = play(
        "",
        "advance run 20 if not moved; advance climb if not moved; attack",
    );
    assert!((stopped.of("attacks", "a") - 30.0).abs() < 1e-9);
    let at_once = play("rules.endurance.every_move = true\n", "advance climb");
    assert!((at_once.of("rounds", "encounter") - 30.0).abs() < 1e-9);
}

/// MA-3, MA-4: climbing is an action, so a clumsy weapon does not have a whole turn; a climb without a yard is not
/// movement.
#[test]
fn ma_4_climbing_takes_an_action_and_its_first_yard_is_its_mode() {
    let play = |keys: &str, lines: &str| {
        mage(
            &format!("rules.check = \"roll-over\"\nencounter.max_rounds = 2\n{BOW}"),
            &[
                &format!("a x 0 - | {TRAITS}; {keys}; weapons = [\"bow\"] | {lines}"),
                &format!("b y 30 - | {LATER} | pass"),
            ],
        )
    };
    let clumsy = BOW.replace("kind", "ready_turns = 1\nkind");
    let drawn = mage(
        &format!("rules.check = \"roll-over\"\nencounter.max_rounds = 2\n{clumsy}"),
        &[
            &format!(
                "a x 0 - | {TRAITS}; climb = {{ pool = 3 }}; extra_actions = 1; weapons = [\"bow\"]; undrawn = [\"bow\"] | \
                 advance climb if turn = 1 and not moved and actions = 2; draw bow; attack"
            ),
            &format!("b y 30 - | {LATER} | pass"),
        ],
    );
    assert!(drawn.of("attacks", "a").abs() < 1e-9);
    let acted = play(
        "climb = { pool = 3 }; extra_actions = 1",
        "pass if acted; advance climb if not moved and actions = 2; attack",
    );
    assert!(acted.of("attacks", "a").abs() < 1e-9);
    let runs = play(
        "climb = { pool = 0 }",
        "advance climb if actions = 1; advance run 5 if not moved; pass",
    );
    assert!((runs.of("units_moved", "a") - 10.0).abs() < 1e-9);
}

/// MA-5, MA-6, W-5: a combatant that tires during a walk while others are tied moves no yard more than it has, and
/// loses no die for one.
#[test]
fn ma_6_who_tires_spends_no_yard_that_it_does_not_have() {
    let bow = BOW.replace("{ dice = \"5000\" }", "{ pool = 8, difficulty = 2 }");
    let counted = mage(
        &format!(
            "rules.endurance_turns = 0\nrules.initiative.ties = [\"total\", \"simultaneous\"]\nencounter.max_rounds = 40\n\
             rules.exhaustion_botch = \"stop\"\n{bow}"
        ),
        &[
            "a x 0 - | attributes = { dexterity = 3, wits = 3, stamina = 1 }; weapons = [\"bow\"] | \
             advance 20 b if not moved; attack; pass",
            "b y 10 - | attributes = { dexterity = 3, wits = 3, stamina = 9 }; health = 1000000 | retreat 14 if not moved; pass",
        ],
    );
    assert!((counted.of("attacks", "a") - 40.0).abs() < 1e-9);
}

/// MA-6: ground that lowers the rate during a walk asks for the same roll whether the combatant acts alone or tied.
#[test]
fn ma_6_a_rate_that_falls_amid_a_walk_asks_for_a_roll() {
    for wits in [2, 3] {
        let counted = mage(
            "rules.endurance_turns = 0\nrules.exhaustion = \"none\"\nrules.exhaustion_botch = \"stop\"\n\
             [encounter]\nmax_rounds = 1\nground.bog = { stretch = [5, 60], modifies = { move = -20 } }\n",
            &[
                "a x 0 - | attributes = { dexterity = 3, wits = 3, stamina = 1 } | advance 12 b if not moved; pass",
                &format!(
                    "b y 30 - | attributes = {{ dexterity = 3, wits = {wits}, stamina = 1 }} | pass"
                ),
            ],
        );
        assert!(
            (counted.of("endurance_rolls", "a") - 1.0).abs() < 1e-9,
            "{wits}"
        );
    }
}

/// MA-6, W-5: a shot by a tied enemy counts for the endurance of the next turn, like a shot after the turn.
#[test]
fn ma_6_a_tied_shot_counts_after_the_turn() {
    for wits in [2, 3] {
        let counted = mage(
            &format!(
                "rules.check = \"roll-over\"\nrules.endurance_turns = 1\nencounter.max_rounds = 2\n{BOW}"
            ),
            &[
                &format!("a x 0 - | {TRAITS} | retreat 29"),
                &format!(
                    "b y 1 - | attributes = {{ dexterity = 3, wits = {wits}, stamina = 2 }}; weapons = [\"bow\"] | attack if turn = 1; pass"
                ),
            ],
        );
        assert!(counted.of("endurance_rolls", "a").abs() < 1e-9, "{wits}");
    }
}

/// MA-6, W-5: a shot by a tied enemy in a turn that its target loses counts for the next turn too.
#[test]
fn ma_6_a_shot_in_a_lost_turn_counts_in_the_next() {
    let rolls = |wits: u32, policy: &str| {
        let counted = mage(
            &format!(
                "rules.check = \"roll-over\"\nrules.endurance_turns = 1\n{BOW}\
                 [conditions.daze]\nmodifies = {{ actions = 0 }}\nends = \"own_turn\"\n[encounter]\nmax_rounds = 4\n\
                 hazards.flash = {{ stretch = [0, 0], last = 1, effects = [{{ condition = \"daze\", lasts = 1 }}] }}\n"
            ),
            &[
                &format!("a x 0 - | {TRAITS} | retreat 29"),
                &format!(
                    "b y 1 - | attributes = {{ dexterity = 3, wits = {wits}, stamina = 2 }}; \
                     weapons = [\"bow\"] | {policy}"
                ),
            ],
        );
        counted.of("endurance_rolls", "a")
    };
    let shot = "attack if turn = 1; pass";
    let (tied, slower, calm) = (rolls(3, shot), rolls(2, shot), rolls(3, "pass"));
    assert!((tied - slower).abs() < 1e-9, "{tied}, {slower}");
    assert!(tied > calm + 0.1, "{tied}, {calm}");
}

/// MA-3: with `divide = "before"` wounds remove dice from the roll that uses an item, and none from the roll that
/// readies it.
#[test]
fn ma_3_wounds_take_no_dice_off_what_gets_a_thing_ready() {
    let used = play_fighters(
        "system = \"mage\"\nrules.divide = \"before\"\nrules.tens = \"plain\"\nrules.ones = \"ignore\"\n\
         [items.trap]\ntarget = \"enemy\"\nrange = 20\nuses = 99\nready_check = { pool = 6, difficulty = 2, required = 2 }\n\
         check = { pool = 6, difficulty = 2 }\neffects = [{ damage = 0 }]\n\
         [encounter]\nmax_rounds = 20\nhazards.fall = { stretch = [0, 0], last = 1, effects = [{ damage = 1 }] }\n",
        &[
            &format!(
                "a x 0 - | {TRAITS}; health = [{{ name = \"Hurt\", penalty = 2 }}, {{ name = \"Out\" }}]; items = [\"trap\"] | use trap + use trap"
            ),
            &format!("b y 5 - | {LATER}; health = [{{ name = \"Out\" }}] | pass"),
        ],
    );
    assert!(used.of("items_used", "a") > 20.0);
}

/// MD-7, W-4: a ritual whose target has fallen continues towards the next one, and must gather what the distance to
/// that target requires.
#[test]
fn md_7_a_ritual_goes_on_towards_another_target() {
    let rite = "[spells.rite]\nsphere = 1\nrequired = 1\nritual = true\nrange = 0\nextra_range = 1\nturns_per_roll = 2\ndamage = 9\n";
    let counted = mage(
        &format!(
            "rules.tens = \"plain\"\nrules.ones = \"ignore\"\nrules.botch = \"none\"\nrules.check = \"roll-over\"\n\
             encounter.max_rounds = 60\n{rite}"
        ),
        &[
            "a2 x 0 - | attributes = { dexterity = 4, wits = 4, stamina = 2 }; arete = 1; spells = [\"rite\"] | cast rite if casting or turn = 1",
            &format!("a1 x 0 - | {TRAITS} | attack if turn = 1"),
            &format!("b1 y 0 - | {LATER}; health = 3 | pass"),
            &format!("b2 y 3 - | {LATER} | pass"),
        ],
    );
    assert!((counted.taken("b2") - 9.0).abs() < 1e-9);
}

/// MD-7, W-4: the line of a ritual that is under way is judged at the target of the ritual, not at the one that a new
/// casting would take.
#[test]
fn md_7_the_line_of_a_ritual_is_about_its_target() {
    let rite = "[spells.rite]\nsphere = 1\nrequired = 40\nritual = true\nrange = 12\ndamage = 9\n";
    for (line, near) in [
        ("cast rite if distance > 5", "3"),
        ("cast rite weakest", "20"),
    ] {
        let counted = mage(
            &format!("rules.botch = \"none\"\nencounter.max_rounds = 4\n{rite}"),
            &[
                &format!(
                    "a x 0 - | {TRAITS}; arete = 2; weapons = []; spells = [\"rite\"] | cast rite far if turn = 1; {line}; pass"
                ),
                &format!("far y 10 - | {LATER}; weapons = [] | pass"),
                &format!("near y {near} - | {LATER}; weapons = []; health = 5; enters = 2 | pass"),
            ],
        );
        assert!((counted.of("turns", "a") - 4.0).abs() < 1e-9, "{line}");
    }
}

/// W-5: a combatant that is stunned as its turn begins does not act together with those it is tied with.
#[test]
fn w_5_a_stunned_combatant_falls_at_once() {
    let counted = mage(
        "rules.check = \"roll-over\"\n[encounter]\nmax_rounds = 1\n\
         hazards.flash = { stretch = [1, 1], effects = [{ condition = \"stunned\", lasts = 1 }] }\n\
         [conditions.stunned]\nmodifies = { actions = 0 }\n\
         [weapons.spear]\nkind = \"melee\"\nreach = 2\ncheck = { dice = \"10\" }\ndamage = 3\n",
        &[
            "a x 0 20 | extra_actions = 1; weapons = [\"spear\"] | attack",
            "b y 1 20 | health = 3 | attack",
            "c y 1 5 |  | pass",
        ],
    );
    assert!((counted.taken("c") - 3.0).abs() < 1e-9);
}

/// MD-3, W-4: a spell whose target has fallen is paid for at the distance of the target that replaces it.
#[test]
fn md_3_a_second_spell_is_paid_for_at_the_distance_of_its_own_target() {
    let counted = mage(
        "rules.tens = \"plain\"\nrules.ones = \"ignore\"\nencounter.max_rounds = 1\nrules.check = \"roll-over\"\n\
         [spells.fire]\nsphere = 1\nrequired = 1\nrange = 0\nextra_range = 1\nextra_damage = 0\ndamage = 9\n",
        &[
            &format!("a x 0 - | {TRAITS}; arete = 10; spells = [\"fire\"] | cast fire + cast fire"),
            &format!("b y 0 - | {LATER}; health = 1 | pass"),
            &format!("c y 9 - | {LATER} | pass"),
        ],
    );
    assert!((counted.of("spells_cast", "a") - 2.0).abs() < 1e-9);
    assert!((counted.taken("b") - 9.0).abs() < 1e-9);
    // The 5 dice of the second spell have at most 5 successes; at 9 yards it takes 10.
    assert!(counted.taken("c").abs() < 1e-9);
}

/// MD-7, W-4: a ritual that begins as its target falls to a tied attack begins at the next enemy, and gathers what the
/// distance to that enemy requires.
#[test]
fn md_7_a_ritual_begins_at_the_target_that_replaces_a_fallen_one() {
    let rite = "[spells.rite]\nsphere = 1\nrequired = 1\nritual = true\nrange = 5\nextra_range = 1\nextra_damage = 0\ndamage = 9\n";
    let bow = BOW.replace("damage = 0", "damage = 9");
    let counted = mage(
        &format!(
            "rules.tens = \"plain\"\nrules.ones = \"ignore\"\nrules.botch = \"none\"\nrules.check = \"roll-over\"\n\
             encounter.max_rounds = 90\n{rite}{bow}"
        ),
        &[
            &format!("a x 0 - | {TRAITS}; weapons = [\"bow\"] | attack if turn = 1"),
            &format!(
                "r x 0 - | {TRAITS}; arete = 2; spells = [\"rite\"] | cast rite if casting or turn = 1"
            ),
            &format!("b y 1 - | {LATER}; health = 1 | pass"),
            &format!("c y 8 - | {LATER} | pass"),
        ],
    );
    assert!((counted.taken("c") - 9.0).abs() < 1e-9);
}

/// W-5: a combatant that is tied with others walks as far in a turn.
#[test]
fn w_5_a_tied_turn_has_room_for_every_yard() {
    for initiative in [9, 10] {
        let counted = mage(
            &format!("rules.check = \"roll-over\"\nencounter.max_rounds = 1\n{BOW}"),
            &[
                "a x 0 10 | move = 1000; weapons = [\"bow\"] | retreat 1000 if not moved; attack; pass",
                &format!("b y 1 {initiative} |  | pass"),
            ],
        );
        assert!(
            (counted.of("attacks", "a") - 1.0).abs() < 1e-9,
            "{initiative}"
        );
    }
}

/// W-9: a `usual` critical hit of a pool does the damage of any hit, a `double` one twice that, including dice added by
/// conditions.
#[test]
fn w_9_critical_pools_have_the_dice_that_conditions_add() {
    let play = |critical: &str| {
        mage(
            &format!(
                "rules.check = \"roll-over\"\n[weapons.club]\nkind = \"melee\"\n\
                 check = {{ dice = \"1d1+9\"{critical} }}\ndamage = {{ pool = 1, difficulty = 5 }}\n\
                 [conditions.strong]\nmodifies = {{ damage = 2 }}\nends = \"never\"\n\
                 [encounter]\nmax_rounds = 50\nhazards.rage = {{ stretch = [0, 0], last = 1, effects = [{{ condition = \"strong\" }}] }}\n"
            ),
            &[
                "a x 0 10 | weapons = [\"club\"] | attack",
                "b y 0 9 | health = 1000 | pass",
            ],
        )
        .taken("b")
    };
    let usual = play("");
    assert!(usual > 20.0);
    for (damage, times) in [("usual", 1.0), ("double", 2.0)] {
        let critical = play(&format!(", critical = {{ on = 1, damage = \"{damage}\" }}"));
        assert!(
            (critical - times * usual).abs() < 1e-9,
            "{damage}: {critical}"
        );
    }
}

/// W-9: a critical percentile test ignores armour; a soak that is rolled is not armour, for weapons and for items.
#[test]
fn w_9_a_rolled_soak_is_no_armor() {
    for line in ["attack", "use dart"] {
        let counted = mage(
            "rules.check = \"percentile\"\nencounter.max_rounds = 60\n[weapons.gun]\nkind = \"ranged\"\nrange = 20\n\
             check = { skill = 200 }\ndamage = 2\n[items.dart]\ntarget = \"enemy\"\nrange = 20\nuses = 99\n\
             check = { skill = 200 }\neffects = [{ damage = 2 }]\n",
            &[
                &format!("a x 0 10 | weapons = [\"gun\"]; items = [\"dart\"] | {line}"),
                "b y 5 9 | weapons = [\"gun\"]; soak = { pool = 30, difficulty = 2 } | pass",
            ],
        );
        assert!(counted.taken("b").abs() < 1e-9, "{line}");
    }
}

/// MA-3, W-11: a combatant whose own grenade throws it to the ground makes no attack in the same action.
#[test]
fn ma_3_a_feat_that_throws_its_maker_down_loses_the_attack_after_it() {
    let grenade = |area: u32| {
        mage(
            &format!(
                "encounter.max_rounds = 1\n[items.grenade]\ntarget = \"enemy\"\n\
                 range = 5\narea = {area}\neffects = [{{ prone = true }}]\n\
                 [weapons.knife]\nkind = \"melee\"\nreach = 2\ncheck = {{ pool = 8 }}\ndamage = 1\n"
            ),
            &[
                "a x 0 9 | weapons = [\"knife\"]; items = [\"grenade\"] | use grenade + attack",
                "b y 1 5 |  | pass",
            ],
        )
    };
    for (area, made) in [(0, 1.0), (2, 0.0)] {
        let counted = grenade(area);
        assert!((counted.of("attacks", "a") - made).abs() < 1e-9);
        assert!((counted.of("attacks_lost", "a") - (1.0 - made)).abs() < 1e-9);
    }
}

/// MA-5: a climb that gives no yards has taken the action all the same, and leaves the free half to other modes.
#[test]
fn ma_5_after_a_climb_without_a_yard_the_free_half_is_left() {
    let counted = mage(
        "encounter.max_rounds = 1\n",
        &[
            &format!(
                "a x 0 - | {TRAITS}; climb = {{ pool = 0 }}; weapons = [] | advance climb 9; advance run 30"
            ),
            &format!("b y 99 - | {LATER}; weapons = [] | pass"),
        ],
    );
    assert!((counted.of("units_moved", "a") - 14.0).abs() < 1e-9);
}

/// MA-4, MA-5: a climb goes as far as its roll allows, also after another action.
#[test]
fn ma_4_a_climb_is_an_action_of_its_own() {
    let counted = mage(
        "rules.climb_feet = 20\nencounter.max_rounds = 1\n[items.x]\nuses = 1\nheal = 1\n",
        &[
            &format!(
                "c x 0 - | {TRAITS}; climb = {{ pool = 30, difficulty = 2 }}; items = [\"x\"]; extra_actions = 1; weapons = [] | \
                 use x; advance climb"
            ),
            &format!("t y 900 - | {LATER}; weapons = [] | pass"),
        ],
    );
    // Half a run is 14 yards, and a success is worth 6 and more.
    let moved = counted.of("units_moved", "c");
    assert!(moved > 60.0, "{moved}");
}

/// W-4, W-5: a ritual goes on at the target that was chosen before a tied combatant stopped casting.
#[test]
fn w_4_a_ritual_keeps_the_target_that_takes_the_place_of_a_fallen_one() {
    let spell = "sphere = 1\nrange = 30\ndamage = 1\nritual = true\nrequired = 90\n";
    let head = format!(
        "rules.ones = \"ignore\"\nencounter.max_rounds = 4\n[spells.sa]\n{spell}[spells.sb]\n{spell}[items.salve]\n\
         heal = 1\n[weapons.gun]\nkind = \"ranged\"\nrange = 30\ncheck = {{ pool = 60 }}\ndamage = 99\n"
    );
    let counted = mage(
        &head,
        &[
            "g x 0 - | attributes = { dexterity = 4, wits = 4, stamina = 3 }; weapons = [\"gun\"] | attack x if turn = 2",
            &format!(
                "y y 5 - | {TRAITS}; arete = 1; spells = [\"sb\"]; items = [\"salve\"]; weapons = [] | cast sb if turn = 1; use salve"
            ),
            &format!(
                "m x 0 - | {TRAITS}; arete = 2; spells = [\"sa\"]; weapons = [] | cast sa x if turn = 1; cast sa casting"
            ),
            &format!("x y 3 - | {LATER}; weapons = [] | pass"),
        ],
    );
    // `y` stops casting at the instant at which it becomes the target: no later choice finds a caster.
    assert!((counted.of("turns", "m") - 4.0).abs() < 1e-9);
}

/// MA-3, W-5: an item is used with the dice that its user had as it chose, also if an ally heals it in the same beat.
#[test]
fn w_5_an_item_keeps_the_dice_of_the_choice() {
    let head = "system = \"mage\"\nrules.tens = \"plain\"\nrules.ones = \"ignore\"\nencounter.max_rounds = 1\n\
                encounter.hazards.fire = { stretch = [0, 0], effects = [{ damage = 1 }] }\n\
                [items.salve]\ntarget = \"ally\"\nheal = 1\nrange = 9\n\
                [items.trap]\ntarget = \"enemy\"\nrange = 9\ncheck = { pool = 5, difficulty = 2, required = 4 }\n\
                effects = [{ damage = 3 }]\n";
    let health = |penalty: u32| {
        format!("[{{ name = \"Hurt\", penalty = {penalty} }}, {{ name = \"Out\" }}]")
    };
    for (penalty, works) in [(0, true), (2, false)] {
        let user = format!("{TRAITS}; health = {}; items = [\"trap\"]", health(penalty));
        let counted = play_fighters(
            head,
            &[
                &format!(
                    "medic x 1 - | {TRAITS}; health = {}; items = [\"salve\"] | use salve weakest_ally",
                    health(0)
                ),
                &format!("b x 0 - | {user} | use trap"),
                &format!(
                    "c y 2 - | {LATER}; health = [{{ name = \"Well\" }}, {{ name = \"Bad\" }}, {{ name = \"Out\" }}] | pass"
                ),
            ],
        );
        assert!(
            (counted.of("health", "b") - 2.0).abs() < 1e-9,
            "b is healed"
        );
        assert_eq!(counted.taken("c") > 0.0, works, "{penalty}");
    }
}

/// W-5, W-11: tied combatants that the damage of a condition frees from it act together, in either order of the file.
#[test]
fn w_5_tied_combatants_that_are_freed_as_their_turn_begins_act_together() {
    let counted = mage(
        "rules.check = \"roll-over\"\nencounter.max_rounds = 1\nencounter.hazards.web = { effects = [{ condition = \"held\" }] }\n\
         [conditions.held]\nmodifies = { actions = 0 }\nongoing = { damage = 1 }\nends = \"damage\"\n",
        &[
            "a x 0 5 | health = 4 | attack",
            "b y 0 5 | health = 4 | attack",
        ],
    );
    assert!((counted.of("mutual", "encounter") - 1.0).abs() < 1e-9);
    for who in ["a", "b"] {
        assert!((counted.of("attacks", who) - 1.0).abs() < 1e-9);
    }
}

/// W-11: `stunned` counts a turn that begins under a condition, also if the damage of the condition ends it then.
#[test]
fn w_11_a_turn_that_begins_stunned_counts_although_it_is_freed() {
    let head = "rules.check = \"roll-over\"\n[encounter]\nmax_rounds = 1\n\
                hazards.web = { effects = [{ condition = \"held\" }], stretch = [0, 0] }\n\
                [conditions.held]\nmodifies = { actions = 0 }\nongoing = { damage = 1 }\nends = \"damage\"\n";
    let fighters = ["a x 0 5 | health = 4 | advance", "b y 9 4 |  | pass"];
    for counted in [
        mage(head, &fighters),
        chronicles(
            &head.replace("rules.check = \"roll-over\"\n", ""),
            &fighters,
        ),
    ] {
        assert!((counted.of("stunned", "a") - 1.0).abs() < 1e-9);
        assert!(counted.of("units_moved", "a") > 0.0);
    }
}

/// W-11, W-5: a tied combatant that falls by one of its conditions, or by an effect of its own, suffers no more of them.
#[test]
fn w_11_a_tied_combatant_that_has_lost_all_health_suffers_no_more() {
    let poisoned = "encounter.max_rounds = 1\n\
                    encounter.hazards.gas = { effects = [{ condition = \"ill\", lasts = 1 }, { condition = \"burnt\", lasts = 1 }] }\n\
                    [conditions.ill]\nongoing = { damage = 9 }\n[conditions.burnt]\nongoing = { damage = 9 }\n";
    let venom =
        "encounter.max_rounds = 1\n[items.venom]\neffects = [{ damage = 9 }, { damage = 9 }]\n";
    for (head, items, line) in [
        (poisoned, "", "pass"),
        (venom, "items = [\"venom\"]", "use venom"),
    ] {
        let counted = mage(
            &format!("rules.check = \"roll-over\"\n{head}"),
            &[
                &format!("a x 0 5 | health = 5; {items} | {line}"),
                "b y 0 5 | health = 50 | pass",
            ],
        );
        assert!((counted.taken("a") - 9.0).abs() < 1e-9, "{line}");
    }
}

/// W-5: tied combatants that fell themselves in one beat both fall, in either order of the file, and do nothing more.
#[test]
fn w_5_tied_combatants_that_fell_themselves_both_fall() {
    let head = "encounter.max_rounds = 1\n[items.venom]\neffects = [{ damage = 9 }]\n";
    let of_mage = format!("rules.check = \"roll-over\"\n{head}");
    let lines = "use venom; attack";
    let keys = "health = 5; items = [\"venom\"]";
    let fighters = ["a x", "b y"].map(|one| format!("{one} 0 20 | {keys} | {lines}"));
    let fighters = [&*fighters[0], &*fighters[1]];
    for counted in [
        mage(&of_mage, &fighters),
        marks(head, &fighters),
        phases(head, &fighters),
    ] {
        assert!((counted.of("mutual", "encounter") - 1.0).abs() < 1e-9);
        for who in ["a", "b"] {
            assert!((counted.of("items_used", who) - 1.0).abs() < 1e-9);
            assert!((counted.taken(who) - 9.0).abs() < 1e-9);
            assert!(counted.of("attacks", who).abs() < 1e-9);
        }
    }
}

/// W-5: a blast that reaches a tied enemy hurts its maker when it hurts the enemy, so the order of the file decides
/// nothing: both throw, and both fall.
#[test]
fn w_5_blasts_of_tied_combatants_count_whole() {
    let head = "encounter.max_rounds = 1\n[items.grenade]\ntarget = \"enemy\"\nrange = 9\narea = 3\ndamage = 3\n";
    let of_mage = format!("rules.check = \"roll-over\"\n{head}");
    for counted in [
        mage(
            &of_mage,
            &[
                "a x 0 5 | health = 3; items = [\"grenade\"] | use grenade",
                "b y 2 5 | health = 3; items = [\"grenade\"] | use grenade",
            ],
        ),
        phases(
            head,
            &[
                "a x 0 5 | health = 3; items = [\"grenade\"]; wound_threshold = 1 | use grenade",
                "b y 2 5 | health = 3; items = [\"grenade\"]; wound_threshold = 1 | use grenade",
            ],
        ),
    ] {
        assert!((counted.of("mutual", "encounter") - 1.0).abs() < 1e-9);
        for who in ["a", "b"] {
            assert!((counted.of("items_used", who) - 1.0).abs() < 1e-9);
            assert!((counted.taken(who) - 6.0).abs() < 1e-9);
            assert!((counted.of("damage", who) - 3.0).abs() < 1e-9);
        }
    }
}
