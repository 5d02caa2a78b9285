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

/// W-5, W-11: a push that is put off among tied combatants goes away from where its maker was at the blow, even if the
/// maker has been pushed past the target meanwhile.
#[test]
fn w_5_a_push_put_off_keeps_its_direction() {
    let head = "[encounter]\nmax_rounds = 2\nhazards.fire = { first = 2, stretch = [10, 60], effects = [{ damage = 1 }] }\n";
    let counted = marks(
        &format!("{head}{SHOVE}"),
        &[
            "a x 0 20 | items = [\"shove\"] | use shove; pass",
            "b y 2 20 | items = [\"shove\"] | use shove; pass",
            "c x 3 20 |  | pass",
        ],
    );
    // b is pushed from 2 to 11, c from 3 to 12.
    assert!((counted.taken("b") - 1.0).abs() < 1e-9);
    assert!((counted.taken("c") - 1.0).abs() < 1e-9);
}

/// W-5, W-4: a stunned combatant does not act together with those it is tied with: it falls at once, and the rest of a
/// volley goes to the next enemy.
#[test]
fn w_5_a_stunned_combatant_does_not_act_with_others() {
    for round in ["simple", "full"] {
        let head = format!(
            "rules.round = \"{round}\"\n[encounter]\nmax_rounds = 1\n\
             hazards.flash = {{ stretch = [1, 1], effects = [{{ condition = \"stunned\", lasts = 1 }}] }}\n\
             [conditions.stunned]\nmodifies = {{ actions = 0 }}\n{PIKE}"
        );
        let counted = marks(
            &head,
            &[
                "a x 0 20 | weapons = [\"pike\"] | attack",
                "b y 1 20 | health = 1 | attack",
                "c y 2 10 |  | pass",
            ],
        );
        assert!((counted.taken("b") - 1.0).abs() < 1e-9, "{round}");
        assert!((counted.taken("c") - 2.0).abs() < 1e-9, "{round}");
    }
}

/// W-5, W-8, TC-16: an `anytime` CAR move chosen among tied combatants is made on the spot if its target has come to
/// meet it, in either file order.
#[test]
fn w_5_a_chosen_car_move_is_made_on_the_spot() {
    let fighters = [
        "b y 4 20 | car = 5; weapons = [\"pike\"] | wait 1 if marks = 20; car; attack",
        "a x 0 20 | car = 5; weapons = [\"pike\"] | wait 1 if marks = 20; anytime car if marks < 20; attack",
    ];
    for order in [[0, 1], [1, 0]] {
        let counted = marks(
            &format!("rules.round = \"simple\"\nencounter.max_rounds = 1\n{PIKE}"),
            &order.map(|at| fighters[at]),
        );
        for who in ["a", "b"] {
            assert!((counted.of("attacks", who) - 1.0).abs() < 1e-9, "{who}");
        }
    }
}

/// W-5, W-8: tied combatants judge the conditions of `anytime` lines in the state in which they choose.
#[test]
fn w_5_tied_healers_choose_in_the_same_state() {
    let healer = "items = [\"salve\"] | wait 1 if marks = 20; anytime use salve patient if ally.health < 6; pass";
    let counted = marks(
        "rules.round = \"simple\"\nencounter.max_rounds = 1\n\
         [items.salve]\ntarget = \"ally\"\nrange = 10\ncost = \"free\"\nheal = 3\nuses = 1\n\
         [items.knife]\ntarget = \"enemy\"\nrange = 10\ncost = \"free\"\ndamage = 6\nuses = 1\n",
        &[
            &format!("one x 0 20 | {healer}"),
            &format!("other x 0 20 | {healer}"),
            "patient x 0 5 | health = 10 | pass",
            "foe y 4 20 | items = [\"knife\"] | use knife patient; pass",
        ],
    );
    assert!((counted.of("health", "patient") - 10.0).abs() < 1e-9);
}

/// W-5: damage that is put off and does not count, because the encounter is decided, was neither dealt nor suffered.
#[test]
fn w_5_what_was_put_off_and_does_not_count_is_no_damage() {
    let counted = marks(
        "[encounter]\nmax_rounds = 1\ngoals.regicide = { wins = \"x\", falls = \"king\" }\n\
         [items.bomb]\ntarget = \"enemy\"\nrange = 10\narea = 1\nspares = \"allies\"\ncost = \"full\"\ndamage = 5\n",
        &[
            "a x 0 20 | items = [\"bomb\"] | use bomb",
            "b y 4 20 |  | pass",
            "king y 4 10 | health = 3 | pass",
        ],
    );
    assert!((counted.of("damage", "a") - 5.0).abs() < 1e-9);
    assert!(counted.taken("b").abs() < 1e-9);
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

/// An item that fells an enemy anywhere, for nothing.
const BOMB: &str = "[items.bomb]\ncost = \"free\"\ntarget = \"enemy\"\nrange = 50\nuses = 1\neffects = [{ damage = 20 }]\n";

/// One Round, and a goal of side y: the fall of k.
const REGICIDE: &str =
    "encounter.max_rounds = 1\nencounter.goals.regicide = { wins = \"y\", falls = \"k\" }\n";

/// W-6, W-8, W-17: when a free action has decided the encounter, no other combatant takes one.
#[test]
fn w_8_no_free_action_follows_the_end() {
    let counted = marks(
        &format!("{REGICIDE}{BOMB}"),
        &[
            "a x 0 20 | items = [\"bomb\"] | anytime use bomb if allies = 0; pass",
            "k x -9 2 |  | pass",
            "b y 3 5 | items = [\"bomb\"] | anytime use bomb k if mark = 20; pass",
        ],
    );
    assert!((counted.of("win_rate", "y") - 1.0).abs() < 1e-9);
    assert!(counted.taken("b").abs() < 1e-9);
}

/// W-6, W-8: a combatant whose action calls up the free action that decides the encounter does not go on.
#[test]
fn w_6_no_action_follows_the_end() {
    let hook = "[items.hook]\ncost = \"free\"\nuses = 1\ntarget = \"enemy\"\nrange = 9\neffects = [{ pull = 3 }]\n";
    let counted = marks(
        &format!("{REGICIDE}{BOMB}{hook}"),
        &[
            "a x 0 20 | items = [\"hook\"] | use hook; attack; pass",
            "k x -9 2 |  | pass",
            "b y 3 5 | health = 3; items = [\"bomb\"] | anytime use bomb k if nearest_enemy_distance = 0; pass",
        ],
    );
    assert!((counted.of("win_rate", "y") - 1.0).abs() < 1e-9);
    assert!(counted.of("attacks", "a").abs() < 1e-9);
}

/// W-5, W-6, W-17: a goal that one of two tied combatants reaches ends the encounter at once, in either file order.
#[test]
fn w_5_a_goal_reached_in_a_tie_ends_the_encounter_in_either_file_order() {
    let killer = "a x 0 20 | health = 3 | attack k; pass";
    let avenger = "b y 0 20 |  | attack a; pass";
    for tied in [[killer, avenger], [avenger, killer]] {
        let counted = marks(
            &REGICIDE.replace("wins = \"y\"", "wins = \"x\""),
            &[tied[0], tied[1], "k y 0 2 | health = 3 | pass"],
        );
        assert!((counted.of("win_rate", "x") - 1.0).abs() < 1e-9);
        assert!((counted.of("health", "a") - 3.0).abs() < 1e-9);
    }
}

/// TC-7, TC-15, W-8: a Channel that is broken as a Mark passes leaves its maker free at that Mark, before all later ones.
#[test]
fn tc_15_a_channel_broken_as_a_mark_passes_frees_its_maker_at_that_mark() {
    let horn = "[items.horn]\ncost = \"free\"\nuses = 1\ntarget = \"enemy\"\nrange = 50\neffects = [{ interrupts = true }]\n";
    let counted = marks(
        &format!("encounter.max_rounds = 1\n{RAY}{horn}"),
        &[
            "a x 0 20 | spells = [\"ray\"] | channel ray; retreat 5; pass",
            "b y 10 5 | items = [\"horn\"] | anytime use horn if mark = 17; pass",
            "c y 0 10 |  | attack; pass",
        ],
    );
    assert!((counted.of("units_moved", "a") - 5.0).abs() < 1e-9);
    assert!(counted.taken("a").abs() < 1e-9);
}

/// TC-16, TC-17: a CAR reaction ends the charge or the CAR move that called it up.
#[test]
fn tc_16_a_car_reaction_ends_ones_own_charge_or_car_move() {
    let charge = marks(
        "encounter.max_rounds = 1\n",
        &[
            "a x 0 20 | move = 14; car = 4; abilities = [\"frenzied-charge\"] | charge t if not moved; car b; pass",
            "b y 12 10 | car = 9 | car; pass",
            "t y 13 2 |  | pass",
        ],
    );
    assert!((charge.of("units_moved", "a") - 7.0).abs() < 1e-9);
    assert!(charge.taken("t").abs() < 1e-9);
    let car = marks(
        "encounter.max_rounds = 1\nrules.car_per_round = 2\n",
        &[
            "a x 0 20 | car = 6 | car t if not moved; car b; pass",
            "b y 14 10 | car = 12 | car; pass",
            "t y 6 2 |  | pass",
        ],
    );
    // Two Units towards t, then six to meet b.
    assert!((car.of("units_moved", "a") - 8.0).abs() < 1e-9);
}

/// W-4, TC-16, TC-17, W-3: a target that falls on the way is replaced by the same rule, else the rest of the move is lost.
#[test]
fn w_4_a_target_that_falls_on_the_way_is_replaced() {
    let bomber = "b x 0 5 | items = [\"bomb\"] | anytime use bomb n if allies_within(2) = 0 and not moved and mark = 20; pass";
    for (runner, other, units, attacks) in [
        ("car = 8 | car; pass", -7, 3.0, 0.0),
        (
            "move = 9; abilities = [\"frenzied-charge\"] | charge; pass",
            8,
            8.0,
            1.0,
        ),
    ] {
        let counted = marks(
            &format!("encounter.max_rounds = 1\n{BOMB}"),
            &[
                &format!("a x 0 20 | {runner}"),
                bomber,
                "n y 6 2 |  | pass",
                &format!("m y {other} 1 |  | pass"),
            ],
        );
        assert!(
            (counted.of("units_moved", "a") - units).abs() < 1e-9,
            "{runner}"
        );
        assert!(
            (counted.of("attacks", "a") - attacks).abs() < 1e-9,
            "{runner}"
        );
    }
    let walk = marks(
        &format!("encounter.max_rounds = 1\n{BOMB}"),
        &[
            "a x 0 20 |  | advance 5 if not moved; pass",
            "b x 10 5 | items = [\"bomb\"] | anytime use bomb n if nearest_enemy_distance = 3 and allies_within(8) = 1; pass",
            "n y 13 1 |  | pass",
            "m y 30 1 |  | pass",
        ],
    );
    assert!((walk.of("units_moved", "a") - 5.0).abs() < 1e-9);
}

/// W-5, TC-16, TC-21: whether a shooter or caster makes its attack or its spell does not depend on the file order, though
/// it answers the charge of the same instant with a CAR move.
#[test]
fn w_5_the_answer_to_a_charge_leaves_what_was_chosen_at_its_instant() {
    let head = "encounter.max_rounds = 1\n[weapons.long]\nkind = \"melee\"\nreach = 6\ncheck = { dice = \"1\" }\ndamage = 3\n\
                [weapons.bow]\nkind = \"ranged\"\nrange = RANGE\nattacks = 3\ncheck = { dice = \"10\" }\ndamage = 2\n\
                [spells.rite]\ncasting_time = 40\nrange = 30\ndamage = 1\n";
    let charger =
        "b y 10 20 | abilities = [\"frenzied-charge\"]; weapons = [\"long\"] | charge; pass";
    let shooter = "a x 0 20 | car = 8; weapons = [\"sword\", \"bow\"] | attack c with bow if mark = 20; car; pass";
    let caster = "a x 0 20 | car = 8; spells = [\"rite\"] | cast rite; car; pass";
    for (round, range, other, attacks, units) in [
        // The reaction leads out of range of the rest of the volley, and ends it.
        ("full", "30", shooter, 1.0, 8.0),
        ("simple", "50", shooter, 3.0, 8.0),
        ("simple", "50", caster, 0.0, 0.0),
    ] {
        for tied in [[other, charger], [charger, other]] {
            let counted = marks(
                &format!(
                    "rules.round = \"{round}\"\n{}",
                    head.replace("RANGE", range)
                ),
                &[tied[0], tied[1], "c y -28 2 |  | pass"],
            );
            assert!(
                (counted.of("attacks", "a") - attacks).abs() < 1e-9,
                "{tied:?}"
            );
            assert!(
                (counted.taken("c") - 2.0 * attacks).abs() < 1e-9,
                "{tied:?}"
            );
            assert!(
                (counted.of("units_moved", "a") - units).abs() < 1e-9,
                "{tied:?}"
            );
        }
    }
}

/// W-11: `hit = "beat"` is about Evade alone: a roll that meets what a check `needs` works.
#[test]
fn w_11_a_roll_that_meets_what_it_needs_works_though_evade_must_be_beaten() {
    let head = "encounter.max_rounds = 1\nrules.hit = \"beat\"\n[items.bomb]\ntarget = \"enemy\"\nrange = 30\ncost = \"half\"\nuses = 1\n\
                resist = { check = { dice = \"12\" }, needs = 12, success = \"half\" }\neffects = [{ damage = 8 }]\n";
    let fighters = [
        "a x 0 20 | items = [\"bomb\"] | use bomb; pass",
        "b y 10 10 |  | pass",
    ];
    assert!((marks(head, &fighters).taken("b") - 4.0).abs() < 1e-9);
}

/// W-8, TC-18: an item may come between a miss and its counter.
#[test]
fn w_8_an_item_comes_between_a_miss_and_its_counter() {
    let counted = marks(
        "encounter.max_rounds = 1\n[conditions.warded]\nmodifies = { armor = 10 }\n\
         [items.ward]\ncost = \"free\"\nuses = 1\neffects = [{ condition = \"warded\", lasts = 1 }]\n\
         [weapons.axe]\nkind = \"melee\"\nattacks = 3\nuses = 5\ncheck = { dice = \"1\" }\ndamage = 3\n",
        &[
            "a x 0 20 | weapons = [\"axe\"]; items = [\"ward\"] | anytime use ward if uses.axe = 4; attack; pass",
            "b y 0 5 | abilities = [\"counter\"] | pass",
        ],
    );
    assert!(counted.taken("a").abs() < 1e-9);
}

/// W-12: among three sides, the reserves of one that has lost do not come any more.
#[test]
fn w_12_reserves_of_a_side_that_has_lost_stay_away() {
    for (waits, attacks) in [(false, 0.0), (true, 3.0)] {
        let counted = marks(
            &format!(
                "[encounter]\nmax_rounds = 4\nwaits_for_reserves = {waits}\n\
                 [weapons.bow]\nkind = \"ranged\"\nrange = 90\ncheck = {{ dice = \"10\" }}\ndamage = 6\n"
            ),
            &[
                "a x 0 10 | health = 1 | pass",
                "late x 0 14 | enters = 2; weapons = [\"bow\"] | attack",
                "c y 50 16 | weapons = [\"bow\"] | attack a if round = 1",
                "d z 60 2 |  | pass",
            ],
        );
        assert!(
            (counted.of("attacks", "late") - attacks).abs() < 1e-9,
            "{waits}"
        );
    }
}

/// W-3, TC-16: a CAR move goes to the reach that its maker had at its beginning, like a charge.
#[test]
fn tc_16_a_car_move_goes_to_the_reach_that_it_began_with() {
    for line in ["car", "charge"] {
        let counted = marks(
            "encounter.max_rounds = 1\n[encounter.ground.hill]\nstretch = [2, 9]\nmodifies = { reach = 2 }\n",
            &[
                &format!(
                    "a x 0 10 | car = 8; move = 8; abilities = [\"frenzied-charge\"] | {line}; pass"
                ),
                "b y 6 5 |  | pass",
            ],
        );
        let moved = counted.of("units_moved", "a");
        assert!((moved - 6.0).abs() < 1e-9, "{line}: {moved}");
    }
}

/// Asserts how many attacks a bow makes in a Round on ground that changes their number by `more`.
fn assert_attacks(rules: &str, bow: &str, more: i32, attacks: f64) {
    let counted = marks(
        &format!(
            "{rules}encounter.max_rounds = 1\n\
             [encounter.ground.hill]\nstretch = [0, 0]\nmodifies = {{ attacks = {more} }}\n\
             [weapons.bow]\nkind = \"ranged\"\nrange = 90\n{bow}\ncheck = {{ dice = \"10\" }}\ndamage = 1\n"
        ),
        &[
            "a x 0 20 | weapons = [\"bow\"] | attack; pass",
            "b y 9 5 |  | pass",
        ],
    );
    let made = counted.of("attacks", "a");
    assert!((made - attacks).abs() < 1e-9, "{more} more: {made}");
}

/// TC-8, W-11: conditions add attacks up to the greatest number that has offsets, also beyond a gap; within the gap
/// there are as many as the next smaller number.
#[test]
fn tc_8_attacks_are_added_up_to_the_greatest_number_with_offsets() {
    let rules = "rules.attack_offsets = { 8 = [0, 2, 4, 6, 8, 10, 12, 14] }\n";
    for (more, attacks) in [(1, 5.0), (2, 5.0), (3, 8.0), (4, 8.0)] {
        assert_attacks(rules, "attacks = 5", more, attacks);
    }
}

/// TC-8, W-11: a weapon whose own offsets are of more attacks than the rule has loses at least as many as conditions take.
#[test]
fn tc_8_attacks_are_taken_from_a_set_with_offsets_of_its_own() {
    let bow = "attacks = 7\nattack_offsets = [0, 2, 4, 6, 8, 10, 12]";
    for (more, attacks) in [
        (0, 7.0),
        (1, 7.0),
        (-1, 5.0),
        (-2, 5.0),
        (-3, 4.0),
        (-9, 1.0),
    ] {
        assert_attacks("", bow, more, attacks);
    }
}

/// W-5, TC-16: an enemy that comes near in the same beat does not change a CAR move that is chosen already, in either file
/// order.
#[test]
fn w_5_a_chosen_car_move_goes_to_its_target_though_another_comes_near() {
    let charger = "a x 0 21 | move = 10; health = 50; abilities = [\"frenzied-charge\"] | charge e";
    let mover = "e y 5 21 | move = 10; health = 50; car = 6 | car; attack";
    for tied in [[charger, mover], [mover, charger]] {
        let counted = marks(
            "encounter.max_rounds = 1\n",
            &[tied[0], tied[1], "b x 8 1 | health = 50 | pass"],
        );
        let moved = counted.of("units_moved", "e");
        assert!((moved - 3.0).abs() < 1e-9, "{tied:?}: {moved}");
    }
}

/// W-3, TC-17: a charge without a weapon of its own is made with the first melee weapon in hand with which it is legal.
#[test]
fn tc_17_a_charge_tries_all_melee_weapons_in_hand() {
    for weapons in ["[\"sword\", \"pike\"]", "[\"pike\", \"sword\"]"] {
        let keys = format!("move = 9; abilities = [\"frenzied-charge\"]; weapons = {weapons}");
        let counted = marks(
            &format!("encounter.max_rounds = 1\n{PIKE}"),
            &[
                &format!("a x 0 20 | {keys} | charge; pass"),
                "b y 11 1 |  | pass",
            ],
        );
        assert!((counted.of("attacks", "a") - 1.0).abs() < 1e-9, "{weapons}");
        assert!((counted.of("units_moved", "a") - 9.0).abs() < 1e-9);
    }
}

/// TC-15, TC-21, TC-23: Marks that were waited away in a Simple Round do not come back when a Channel breaks.
#[test]
fn tc_23_marks_waited_away_do_not_come_back_by_a_channel() {
    for (wait, cast, moved) in [(10, 1.0, 9.0), (19, 1.0, 0.0), (20, 0.0, 0.0)] {
        let counted = marks(
            &format!("rules.round = \"simple\"\nencounter.max_rounds = 1\n{RAY}"),
            &[
                &format!(
                    "a x 0 20 | move = 30; spells = [\"ray\"] | \
                     wait {wait} if marks = 20; channel ray until mark <= 19; retreat; pass"
                ),
                "b y 10 5 |  | pass",
            ],
        );
        assert!(
            (counted.of("spells_cast", "a") - cast).abs() < 1e-9,
            "{wait}"
        );
        assert!(
            (counted.of("units_moved", "a") - moved).abs() < 1e-9,
            "{wait}"
        );
    }
}

/// W-14: health that a hazard gives back is given by no combatant.
#[test]
fn w_14_a_hazard_heals_in_nobodys_name() {
    let counted = marks(
        "[encounter]\nmax_rounds = 2\nhazards.fire = { first = 1, last = 1, effects = [{ damage = 5 }] }\n\
         hazards.spring = { first = 2, effects = [{ heal = 4 }] }\n\
         [items.salve]\nheal = 1\n",
        &[
            "a x 0 20 | items = [\"salve\"] | pass; use salve",
            "b y 9 10 |  | pass",
        ],
    );
    assert!((counted.of("health", "a") - 19.0).abs() < 1e-9);
    assert!(counted.of("healed", "a").abs() < 1e-9);
}

/// W-5: attacks come before the moves of a tied combatant by CAR or in a charge, in either file order.
#[test]
fn w_5_an_attack_comes_before_a_move_at_once() {
    let pike = PIKE.replace("attacks = 3", "attacks = 2");
    for (keys, line) in [
        ("car = 5", "car bob"),
        ("abilities = [\"frenzied-charge\"]", "charge bob"),
    ] {
        let ann = format!("ann x 10 13 | {keys} | wait 7 if mark > 6; {line}; pass");
        let cid = "cid y 12 13 | weapons = [\"pike\"] | attack ann";
        let bob = "bob y 6 2 |  | pass";
        for fighters in [[&ann, cid, bob], [cid, &ann, bob]] {
            let counted = marks(&format!("encounter.max_rounds = 1\n{pike}"), &fighters);
            assert!((counted.taken("ann") - 2.0).abs() < 1e-9, "{line}");
            assert!(counted.of("attacks_lost", "cid") < 1e-9, "{line}");
        }
    }
}
