//! Fights of Tara-Corax without chance.

use super::marks;

/// An item that pushes an enemy away for a Full Action.
const SHOVE: &str = "[items.shove]\ntarget = \"enemy\"\nrange = 50\ncost = \"full\"\nuses = 1\neffects = [{ push = 9 }]\n";

/// A Channel that does 4 damage.
const RAY: &str = "[spells.ray]\nchannel = true\nrange = 40\ndamage = 4\n";

/// A pike for volleys of three attacks.
const PIKE: &str = "[weapons.pike]\nkind = \"melee\"\nreach = 2\nattacks = 3\ncheck = { dice = \"10\" }\ndamage = 1\n";

/// TC-16, W-2, W-8: a CAR move ends when its weapon is taken away.
#[test]
fn tc_16_a_car_move_without_a_weapon_ends() {
    let counted = marks(
        "encounter.max_rounds = 1\n[items.hook]\ntarget = \"enemy\"\nrange = 9\ncost = \"free\"\nuses = 1\neffects = [{ disarm = true }]\n",
        &[
            "a x 0 20 | car = 8 | car; pass",
            "b y 6 5 | items = [\"hook\"] | anytime use hook if distance <= 3; pass",
        ],
    );
    assert!((counted.of("units_moved", "a") - 3.0).abs() < 1e-9);
}

/// TC-9: a combatant that walks to an ally past its only enemy has moved into melee.
#[test]
fn tc_9_a_walk_to_an_ally_leads_into_melee() {
    let counted = marks(
        &format!("encounter.max_rounds = 1\n{PIKE}"),
        &[
            "a x 0 30 | weapons = [\"pike\"] | advance 4 f if not moved; set if not ready; attack; pass",
            "f x 10 1 |  | pass",
            "e y 3 2 |  | pass",
        ],
    );
    assert!((counted.of("attacks", "a") - 1.0).abs() < 1e-9);
}

/// TC-9, W-15: whether a Unit leads into melee depends on the reach before it and after it.
#[test]
fn tc_9_ground_that_changes_reach_counts_on_both_sides_of_a_unit() {
    let short = PIKE.replace("reach = 2", "reach = 0");
    let long = PIKE.replace("reach = 2", "reach = 1");
    for (hill, pike, line, attacks) in [
        (
            "stretch = [1, 1], modifies = { reach = 2 }",
            short,
            "advance 1",
            1.0,
        ),
        (
            "stretch = [0, 0], modifies = { reach = 1 }",
            long,
            "advance 1 to 0",
            3.0,
        ),
    ] {
        let counted = marks(
            &format!("[encounter]\nmax_rounds = 1\nground.hill = {{ {hill} }}\n{pike}"),
            &[
                &format!(
                    "a x 0 30 | weapons = [\"pike\"] | {line} if not moved; set if not ready; attack; pass"
                ),
                "b y 2 1 |  | pass",
            ],
        );
        assert!(
            (counted.of("attacks", "a") - attacks).abs() < 1e-9,
            "{hill}"
        );
    }
}

/// W-4: if a charge or a CAR move cannot reach its named target, or the weakest of all, no other target replaces it.
#[test]
fn w_4_a_target_that_the_way_does_not_lead_to_is_not_replaced() {
    let bog = "ground.bog = { stretch = [90, 91], difficult = 2 }\n";
    for (head, keys, deed) in [
        (bog, "abilities = [\"frenzied-charge\"]", "charge"),
        ("", "abilities = [\"frenzied-charge\"]", "charge"),
        ("", "car = 10", "car"),
    ] {
        for target in ["b", "weakest of all"] {
            let counted = marks(
                &format!("rules.car_counts_as_move = true\n[encounter]\nmax_rounds = 1\n{head}"),
                &[
                    &format!("a x 0 20 | move = 6; {keys} | {deed} {target}; pass"),
                    "b y -9 10 | health = 5 | pass",
                    "c y 5 9 |  | pass",
                ],
            );
            assert!(
                counted.of("units_moved", "a").abs() < 1e-9,
                "{head}{deed} {target}"
            );
            assert!(counted.taken("c").abs() < 1e-9, "{head}{deed} {target}");
        }
    }
}

/// W-4, W-12: a named target that is still to enter has not fallen.
#[test]
fn w_4_a_named_reserve_has_not_fallen() {
    for (line, struck) in [("attack late", 0.0), ("attack b", 3.0)] {
        let counted = marks(
            "encounter.max_rounds = 1\n",
            &[
                &format!("a x 0 20 |  | {line}; pass"),
                "b y 0 2 |  | pass",
                "late y 0 1 | enters = 2 | pass",
            ],
        );
        assert!((counted.taken("b") - struck).abs() < 1e-9, "{line}");
    }
}

/// TC-15, W-5: a Channel begins before the blows of its beat, in either file order, so the channelling combatant does
/// not answer them.
#[test]
fn tc_15_a_channel_begins_before_the_blows_of_its_beat() {
    let one = "a x 0 20 | spells = [\"ray\"]; abilities = [\"counter\"] | channel ray";
    let other = "b y 0 20 | weapons = [\"miss\"] | attack; pass";
    let head = format!(
        "encounter.max_rounds = 1\n{RAY}[weapons.miss]\nkind = \"melee\"\ncheck = {{ dice = \"1\" }}\ndamage = 3\n"
    );
    for fighters in [[one, other], [other, one]] {
        assert!(
            (marks(&head, &fighters).taken("b") - 4.0).abs() < 1e-9,
            "{fighters:?}"
        );
    }
}

/// W-4, TC-15: when the target of a Channel has fallen, `until` refers to the target that replaces it.
#[test]
fn w_4_a_channel_asks_about_the_one_it_would_strike() {
    let counted = marks(
        &format!(
            "encounter.max_rounds = 1\n{RAY}[weapons.bow]\nkind = \"ranged\"\nrange = 30\ncheck = {{ dice = \"10\" }}\ndamage = 2\n"
        ),
        &[
            "a x 0 20 | spells = [\"ray\"] | channel ray weakest until target.health = 8; pass",
            "k x 20 18 | weapons = [\"bow\"] | attack b; pass",
            "n y 3 2 |  | pass",
            "b y 10 1 | health = 2 | pass",
            "c y 12 5 | health = 8 | pass",
        ],
    );
    assert!(counted.taken("c").abs() < 1e-9);
}

/// W-6, W-12: the end of a chase is checked when reserves enter, including at the beginning of a Round.
#[test]
fn w_6_a_chase_ends_as_a_reserve_comes_near() {
    for enters in ["2", "{ round = 2, mark = 30 }", "{ round = 2, mark = 29 }"] {
        let counted = marks(
            &format!("encounter.max_rounds = 3\nencounter.ends_when = \"distance <= 2\"\n{SHOVE}"),
            &[
                "a x 0 20 | items = [\"shove\"] | use shove if round = 2; pass",
                "b y 40 12 |  | pass",
                &format!("c y 1 5 | enters = {enters} | pass"),
            ],
        );
        assert!(counted.of("caught", "encounter") > 0.0, "{enters}");
    }
}

/// W-11: a condition with `ends = "damage"` that another condition's damage has ended does no more damage, and stuns no
/// more in that Round.
#[test]
fn w_11_a_condition_that_damage_has_ended_does_nothing_more() {
    let fire = "hazards.fire = { last = 1, stretch = [5, 5], ";
    let others = [
        "a x 0 20 |  | pass",
        "b y 5 12 |  | advance if round = 2; pass",
    ];
    let bleeds = marks(
        &format!(
            "[conditions.burn]\nongoing = {{ damage = 1 }}\n[conditions.bleed]\nongoing = {{ damage = 2 }}\nends = \"damage\"\n\
             [encounter]\nmax_rounds = 3\n{fire}effects = [{{ condition = \"burn\", lasts = 2 }}, {{ condition = \"bleed\", lasts = 2 }}] }}\n"
        ),
        &others,
    );
    assert!((bleeds.taken("b") - 2.0).abs() < 1e-9);
    let stunned = marks(
        &format!(
            "[conditions.burn]\nongoing = {{ damage = 1 }}\n[conditions.stun]\nmodifies = {{ actions = 0 }}\nends = \"damage\"\n\
             [encounter]\nmax_rounds = 2\n{fire}mark = 5, effects = [{{ condition = \"burn\", lasts = 3 }}, {{ condition = \"stun\" }}] }}\n"
        ),
        &others,
    );
    assert!((stunned.of("stunned", "b") - 1.0).abs() < 1e-9);
}

/// W-15, TC-6: the cost of a Unit is fixed when the Unit begins: pushing the target to the other side changes neither
/// Marks nor Land Speed.
#[test]
fn w_15_a_unit_takes_what_it_took_when_it_was_begun() {
    let counted = marks(
        &format!(
            "[encounter]\nmax_rounds = 1\nground.bog = {{ stretch = [-1, -1], difficult = 5 }}\n{}",
            SHOVE.replace('9', "6")
        ),
        &[
            "a x 0 20 |  | advance 3; pass",
            "k x 8 20 | items = [\"shove\"] | use shove",
            "b y 3 12 |  | pass",
        ],
    );
    assert!((counted.of("units_moved", "a") - 3.0).abs() < 1e-9);
}
