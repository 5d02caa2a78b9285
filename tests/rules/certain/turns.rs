//! Fights of Chronicles and Eclipse Phase without chance.

use super::mage::mage;
use super::{chronicles, marks, phases};

/// W-6: a turn that decides the encounter does not end, so effects that last until its end remain.
#[test]
fn w_6_a_turn_that_decides_the_encounter_does_not_end() {
    let head = "[encounter]\nmax_rounds = 5\nhazards.blessing = { stretch = [0, 0], first = 1, last = 1, \
                effects = [{ condition = \"strong\", lasts = 1 }] }\n[conditions.strong]\nmodifies = { health = 4 }\n\
                [weapons.axe]\nkind = \"melee\"\nreach = 1\ncheck = { dice = \"10\" }\ndamage = 30\n";
    let fighters = [
        "a x 0 9 | health = 6; weapons = [\"axe\"] | attack",
        "b y 1 8 | health = 6 | pass",
    ];
    let of_mage = format!("rules.check = \"roll-over\"\n{head}");
    for counted in [
        chronicles(head, &fighters),
        mage(&of_mage, &fighters),
        phases(head, &fighters),
    ] {
        assert!((counted.of("health", "a") - 10.0).abs() < 1e-9);
    }
}

/// CD-3: a readied action is lost or cancelled only once, even if a combatant triggered with it falls by its ongoing
/// damage.
#[test]
fn cd_3_a_readied_action_ends_once() {
    for (cancel, cancelled) in [("", 0.0), ("cancel if round = 2; ", 1.0)] {
        let counted = chronicles(
            "encounter.max_rounds = 2\n[conditions.dazed]\nmodifies = { actions = 0 }\n",
            &[
                "a x 0 10 | health = 2; ongoing = { damage = 1, rounds = 4 } | ready attack when c moves; pass",
                &format!(
                    "b x 0 9 | morale = {{ when = \"ally_down\", check = {{ dice = \"1\" }}, needs = 5, condition = \"dazed\", lasts = 1 }} | \
                     ready attack when c moves; {cancel}pass"
                ),
                "c y 0 20 | move = 1 | retreat 1 if round = 2; pass",
            ],
        );
        assert!((counted.of("cancelled", "b") - cancelled).abs() < 1e-9);
        assert!(
            (counted.of("readied_lost", "b") - (1.0 - cancelled)).abs() < 1e-9,
            "{cancel}"
        );
    }
}

/// CD-3: a combatant that waits for an event caused by its own move interrupts no other and keeps its place; others
/// that wait for it come before it.
#[test]
fn cd_3_nobody_interrupts_itself() {
    let bow =
        "[weapons.bow]\nkind = \"ranged\"\nrange = 50\ncheck = { dice = \"10\" }\ndamage = 3\n";
    let a = "a x 0 10 | health = 2; ongoing = { damage = 1, rounds = 4 }; move = 0; weapons = [\"bow\"] | \
             ready attack when c moves";
    let b = "b x 8 4 | move = 0; health = 50 | pass";
    let c = "c y 5 20 | weapons = [\"bow\"] | ready attack when enemy falls; \
             retreat 1 if round = 2 and not moved and not interrupted; pass";
    let alone = chronicles(&format!("encounter.max_rounds = 2\n{bow}"), &[a, b, c]);
    assert!(alone.of("interrupts", "c").abs() < 1e-9);
    assert!(alone.of("interrupted", "c").abs() < 1e-9);
    let among = chronicles(
        &format!("encounter.max_rounds = 3\n{bow}"),
        &[
            a,
            b,
            c,
            "d y 5 9 | weapons = [\"bow\"] | ready attack when enemy falls if round = 1; pass",
            "e y 5 30 | weapons = [\"bow\"] | ready attack when enemy falls if round < 3; pass",
        ],
    );
    assert!(
        (among.of("places_gained", "d") - 1.0).abs() < 1e-9,
        "{}",
        among.of("places_gained", "d")
    );
}

/// CD-2, W-6: the end of a chase is checked when a turn is over, and not when it is delayed.
#[test]
fn cd_2_a_chase_is_not_looked_at_when_a_turn_is_delayed() {
    for (line, caught) in [
        ("delay if round = 2 and not delayed; pass", false),
        ("pass", true),
    ] {
        let counted = chronicles(
            "[encounter]\nmax_rounds = 2\nends_when = \"distance <= 2\"\n",
            &[
                &format!("a x 0 10 |  | {line}"),
                "b y 9 8 | move = 9 | retreat to 9",
                "c x 8 2 | enters = 2 | pass",
            ],
        );
        assert_eq!(counted.of("caught", "encounter") > 0.0, caught, "{line}");
    }
}

/// EP-6, W-6: an interruption is a stage of its own: the end of a chase is checked after it.
#[test]
fn ep_6_a_chase_is_looked_at_after_an_interruption() {
    let counted = phases(
        "rules.movement = \"whole\"\n[encounter]\nmax_rounds = 1\nends_when = \"distance >= 10\"\n",
        &[
            "a x 0 10 |  | delay if not interrupting; retreat; interrupt if enemy_moves",
            "b y 5 8 |  | advance 5",
        ],
    );
    assert!(counted.of("escaped", "encounter") > 0.0);
}

/// CD-3, EP-6: a combatant that is interrupted before its declared attack or its first Unit has not acted: the
/// interrupter acts first, whether the interrupted combatant falls or goes on.
#[test]
fn cd_3_ep_6_an_interrupter_acts_before_the_interrupted() {
    let head = "[encounter]\nmax_rounds = 1\nfirst_mover = true\nacted_first = true\n\
                [weapons.bow]\nkind = \"ranged\"\nrange = 50\ncheck = { dice = \"10\" }\ndamage = 3\n";
    let bow = "weapons = [\"bow\"]";
    for (line, does) in [("attack", "attacks"), ("retreat 3 if not moved", "moves")] {
        for health in [3, 20] {
            let order = chronicles(
                head,
                &[
                    &format!("a x 0 9 | {bow}; health = {health} | {line}"),
                    &format!("b y 5 10 | {bow} | ready attack when enemy {does}"),
                ],
            );
            let stages = phases(
                head,
                &[
                    &format!("a x 0 9 | {bow}; health = {health} | {line}"),
                    &format!(
                        "b y 5 10 | {bow} | delay if not interrupting; attack; interrupt if enemy_{does}"
                    ),
                ],
            );
            for counted in [order, stages] {
                assert!((counted.of("acted_first", "y") - 100.0).abs() < 1e-9);
                assert!(counted.of("acted_first", "x").abs() < 1e-9);
                if health == 3 {
                    let wins = counted.of("first_mover_wins", "encounter");
                    assert!((wins - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}

/// EP-3, EP-5: as a Phase begins, what was done in the stage before it is over: all Quick Actions are left, and
/// nothing has been done or moved.
#[test]
fn ep_5_moxie_is_asked_about_before_the_stage_begins() {
    for (line, spent) in [
        ("attacked or acted or moved", 0.0),
        ("quick_actions < 3", 0.0),
        ("quick_actions = 3 and not attacked", 2.0),
    ] {
        let counted = phases(
            "encounter.max_rounds = 2\n",
            &[
                &format!("a x 0 9 | speed = 2; moxie = 2 | spend moxie if {line}; attack"),
                "b y 0 10 |  | pass",
            ],
        );
        let moxie = counted.of("moxie_spent", "a");
        assert!((moxie - spent).abs() < 1e-9, "{line}: {moxie}");
    }
}

/// EP-3, EP-6: before its first stage of a turn a combatant has all its Quick Actions.
#[test]
fn ep_6_a_held_action_interrupts_with_all_quick_actions() {
    let counted = phases(
        "encounter.max_rounds = 2\n",
        &[
            "a x 0 9 |  | delay if turn = 1; hold; attack; interrupt if quick_actions = 3 and enemy_attacks",
            "b y 0 10 | health = 3 | attack if turn = 2",
        ],
    );
    assert!(counted.taken("a").abs() < 1e-9);
    assert!(counted.taken("b") > 0.0);
}

/// W-12, W-14, W-17: a reserve that never comes, as its side has lost, has not fallen.
#[test]
fn w_12_a_reserve_of_a_lost_side_has_not_fallen() {
    let fighters = [
        "a x 0 4 | health = 3 | pass",
        "late x 50 4 | enters = 3; health = 5 | pass",
        "b y 0 9 |  | attack if round = 1; pass",
        "c z 30 8 |  | pass",
    ];
    for head in [
        "goals.revenge = { wins = \"z\", falls = \"late\" }",
        "hazards.fire = { falls = \"late\", effects = [{ damage = 1 }] }",
    ] {
        let head = format!("[encounter]\nmax_rounds = 4\n{head}\n");
        for counted in [chronicles(&head, &fighters), phases(&head, &fighters)] {
            assert!(
                (counted.of("timeout", "encounter") - 1.0).abs() < 1e-9,
                "{head}"
            );
            assert!(counted.taken("c").abs() < 1e-9, "{head}");
        }
    }
}

/// W-12, W-15: ground does nothing to a reserve before it comes in.
#[test]
fn w_12_ground_waits_for_a_reserve() {
    for (enters, health) in [(9, 14.0), (2, 12.0)] {
        let late = format!("late x 0 4 | enters = {enters}; health = 14 | pass");
        let fighters = ["a x 5 9 |  | pass", late.as_str(), "b y 5 8 |  | pass"];
        let head = "[encounter]\nmax_rounds = 3\nground.bog = { stretch = [0, 1], modifies = { health = -2 } }\n";
        for counted in [chronicles(head, &fighters), phases(head, &fighters)] {
            let left = counted.of("health", "late");
            assert!((left - health).abs() < 1e-9, "{enters}: {left}");
        }
    }
}

/// W-5: what was put off among tied combatants counts, even if the fall of another has decided the encounter.
#[test]
fn w_5_what_was_put_off_counts_beside_a_fall() {
    let head = "[items.bomb]\ntarget = \"enemy\"\nrange = 10\narea = 2\ndamage = 5\n";
    let fighters = [
        "b y 0 5 | items = [\"bomb\"] | use bomb",
        "a x 5 1 | health = 5 | pass",
        "c y 5 5 | health = 5 | pass",
    ];
    let counted = phases(head, &fighters);
    assert!(counted.of("health", "c").abs() < 1e-9);
}

/// W-5, W-11: who falls by its own blast fells the tied enemy that the blast reaches, too.
#[test]
fn w_5_a_blast_spares_no_tied_enemy() {
    let head = "encounter.max_rounds = 1\n\
                [items.bomb]\ntarget = \"enemy\"\nrange = 10\narea = 2\ndamage = 5\n";
    let mage_head = format!("rules.check = \"roll-over\"\n{head}");
    for initiative in [5, 4] {
        let fighters = [
            "b y 0 5 | health = 5; items = [\"bomb\"] | use bomb",
            &format!("a x 1 {initiative} | health = 5 | pass"),
        ];
        for counted in [
            phases(head, &fighters),
            mage(&mage_head, &fighters),
            marks(
                &head.replace("damage = 5", "damage = 5\ncost = \"full\""),
                &fighters,
            ),
        ] {
            assert!((counted.of("mutual", "encounter") - 1.0).abs() < 1e-9);
        }
    }
}

/// W-5, W-11: a push that waits goes the way of its blow, even if its target has walked to its maker meanwhile.
#[test]
fn w_11_a_push_goes_the_way_of_its_blow_wherever_its_target_walks() {
    let counted = phases(
        "encounter.max_rounds = 2\n\
         encounter.hazards.fire = { first = 2, stretch = [-20, 4], effects = [{ damage = 1 }] }\n\
         [weapons.club]\nkind = \"melee\"\nreach = 3\ncheck = { dice = \"10\" }\ndamage = 1\n\
         effects = [{ push = 2 }]\n",
        &[
            "a x 0 5 | speed = 2; move = 20; weapons = [\"club\"] | \
             advance 5 to 0 c if phase = 1; attack b if phase = 2 and round = 1",
            "b y 2 5 | speed = 2; move = 20 | advance 5 to 0 if phase = 2 and round = 1",
            "c y 20 1 |  | pass",
        ],
    );
    // a strikes down the line, from 5 to 2. b walks to 5 and is pushed to 3, into the fire.
    assert!((counted.taken("b") - 2.0).abs() < 1e-9);
}

/// W-14, CD-3, CD-1: an action readied for a fall by a hazard comes before the initiative of the Round is rolled.
#[test]
fn cd_3_a_hazard_triggers_before_the_new_initiative() {
    let counted = chronicles(
        "rules.early_trigger = \"adds\"\nrules.initiative.roll = \"per-round\"\nencounter.max_rounds = 2\n\
         encounter.hazards.fire = { first = 2, stretch = [9, 9], effects = [{ damage = 20 }] }\n\
         [weapons.gun]\nkind = \"ranged\"\nrange = 20\ncheck = { dice = \"10\" }\ndamage = 100\n\
         [weapons.straw]\nkind = \"ranged\"\nrange = 20\ncheck = { dice = \"10\" }\ndamage = 0\n",
        &[
            "quick x 0 18 | weapons = [\"gun\", \"straw\"] | \
             ready attack with straw when enemy falls if round = 1; attack with gun",
            "victim y 9 2 |  | pass",
            "slow y 3 1 | weapons = [\"gun\"] | attack if round = 2",
        ],
    );
    assert!((counted.of("interrupts", "quick") - 1.0).abs() < 1e-9);
    assert!(counted.taken("quick").abs() < 1e-9);
}

/// W-11: a turn that begins under a stun counts as one, even if an early trigger has settled the effects of the place.
#[test]
fn w_11_a_turn_lost_to_a_stun_counts_after_an_early_trigger() {
    let counted = chronicles(
        "rules.early_trigger = \"adds\"\nencounter.max_rounds = 2\n\
         [conditions.stun]\nmodifies = { actions = 0 }\n\
         [weapons.maul]\nkind = \"melee\"\nreach = 5\ncheck = { dice = \"10\" }\ndamage = 1\n\
         effects = [{ condition = \"stun\", lasts = 1 }]\n",
        &[
            "c x 0 10 | weapons = [\"maul\"] | attack if round = 2",
            "d y 3 2 |  | ready attack when enemy acts; attack",
        ],
    );
    assert!((counted.of("readied_lost", "d") - 1.0).abs() < 1e-9);
    assert!((counted.of("stunned", "d") - 1.0).abs() < 1e-9);
}

/// W-11, CD-2: a condition that begins after its turn was delayed is counted when that turn is over, like one that begins
/// in a turn without delay.
#[test]
fn cd_2_a_delayed_turn_counts_what_has_begun_since() {
    let head = "encounter.max_rounds = 3\n\
                [items.drug]\neffects = [{ condition = \"strong\", lasts = 2 }]\n\
                [conditions.strong]\nmodifies = { damage = 4 }\n\
                [weapons.web]\nkind = \"ranged\"\nrange = 20\ncheck = { dice = \"10\" }\ndamage = 0\n\
                effects = [{ condition = \"weak\", lasts = 1 }]\n\
                [conditions.weak]\nends = \"source_turn\"\nmodifies = { damage = -4 }\n\
                [weapons.gas]\nkind = \"ranged\"\nrange = 20\ncheck = { dice = \"10\" }\ndamage = 0\n\
                effects = [{ condition = \"numb\", lasts = 1 }]\n\
                [conditions.numb]\nmodifies = { actions = 0 }\n";
    let delay = "delay until turns_left = 0 if round = 1; ";
    for delay in ["", delay] {
        let strong = chronicles(
            head,
            &[
                &format!("a x 0 9 | items = [\"drug\"] | {delay}use drug; attack"),
                "b y 0 8 | health = 90 | pass",
            ],
        );
        // It is strong in the second Round, and no more in the third.
        assert!((strong.taken("b") - 10.0).abs() < 1e-9, "{delay}");
        let weak = chronicles(
            head,
            &[
                &format!("a x 0 9 | weapons = [\"web\"] | {delay}attack if round = 1; pass"),
                "b y 0 8 |  | attack if round > 1; pass",
            ],
        );
        assert!((weak.taken("a") - 6.0).abs() < 1e-9, "{delay}");
    }
    // a comes in together with b, lets it go first, and loses this turn alone.
    let numb = chronicles(
        head,
        &[
            &format!(
                "a x 0 9 |  | {}attack",
                delay.replace("delay", "delay yield")
            ),
            &format!("b y 0 8 | weapons = [\"gas\"] | {delay}attack if round = 1; pass"),
            "c y 0 7 |  | pass",
        ],
    );
    assert!((numb.of("attacks", "a") - 2.0).abs() < 1e-9);
    assert!((numb.of("stunned", "a") - 1.0).abs() < 1e-9);
}

/// W-11: an effect that pushes the target does not move the area: damage falls off from where the target stood.
#[test]
fn w_11_a_push_does_not_move_the_area() {
    let counted = chronicles(
        "encounter.max_rounds = 1\n[spells.blast]\ntarget = \"point\"\nrange = 20\narea = 5\n\
         effects = [{ push = 4 }, { damage = 9, falloff = 1 }]\n",
        &[
            "a x 0 9 | health = 50; spells = [\"blast\"] | cast blast b",
            "b y 6 1 | health = 50 | pass",
            "c y 5 1 | health = 50 | pass",
        ],
    );
    // Pushed to Units 10 and 9, which are 4 and 3 from Unit 6.
    for (who, taken) in [("b", 5.0), ("c", 6.0)] {
        let damage = counted.of("damage_taken", who);
        assert!((damage - taken).abs() < 1e-9, "{who}: {damage}");
    }
}

/// W-3, W-5: of tied walkers a move by number ends where the step of the other takes away its aim, in either file order.
#[test]
fn w_5_a_walk_by_number_ends_with_the_step_that_meets_it() {
    let spear =
        "[weapons.spear]\nkind = \"melee\"\nreach = 1\ncheck = { dice = \"10\" }\ndamage = 1\n";
    let walker =
        "a x 0 10 | move = 20; weapons = [\"spear\"] | advance 3 if not moved; retreat if moved";
    let other = "b y 3 10 | move = 20; weapons = [\"spear\"] | advance 1 if not moved";
    let head = format!("encounter.max_rounds = 1\n{spear}");
    let of_mage = format!("rules.check = \"roll-over\"\n{head}");
    for fighters in [[walker, other], [other, walker]] {
        for counted in [phases(&head, &fighters), mage(&of_mage, &fighters)] {
            // No Unit is spent on the spot.
            assert!((counted.of("units_moved", "a") - 20.0).abs() < 1e-9);
        }
    }
}

/// W-5: only enemies block one another: steps of tied allies cross, in either file order.
#[test]
fn w_5_steps_of_tied_allies_may_cross() {
    let head = "encounter.max_rounds = 1\n";
    let of_mage = format!("rules.check = \"roll-over\"\n{head}");
    let simple = format!("rules.round = \"simple\"\n{head}");
    let right = "right a 0 9 | move = 12 | advance 3 foe if not moved";
    let left = "left a 1 9 | move = 12 | retreat 3 foe if not moved";
    let foe = "foe b 20 2 | move = 0 | pass";
    for fighters in [[right, left, foe], [left, right, foe]] {
        let on_marks = fighters.map(|fighter| fighter.replace("moved", "acted"));
        let on_marks: Vec<&str> = on_marks.iter().map(String::as_str).collect();
        for counted in [
            phases(head, &fighters),
            mage(&of_mage, &fighters),
            marks(head, &on_marks),
            marks(&simple, &on_marks),
        ] {
            for who in ["right", "left"] {
                assert!((counted.of("units_moved", who) - 3.0).abs() < 1e-9, "{who}");
            }
        }
    }
}

/// EP-8: a move that its condition has ended does not begin again in a Phase without an action, even if the condition
/// holds again, also by what tied combatants do in the same stage. A move that another line has held up goes on.
#[test]
fn ep_8_a_move_that_its_condition_has_ended_is_over() {
    let head = "encounter.max_rounds = 1\n[weapons.bow]\nkind = \"ranged\"\nrange = 50\n\
                check = { dice = \"1\" }\ndamage = 1\n[items.stim]\ncost = \"quick\"\nheal = 1\nuses = 1\n";
    for (lines, hunter, units) in [
        ("retreat if distance <= 4", 5, 2.0),
        ("retreat if distance <= 4; attack", 5, 2.0),
        ("attack if distance > 4; retreat if distance <= 4", 5, 2.0),
        ("retreat if distance <= 3", 9, 1.0),
        ("pass if attacked; attack if moved; retreat", 5, 16.0),
    ] {
        let counted = phases(
            head,
            &[
                &format!("runner a 0 9 | move = 20; weapons = [\"bow\"] | {lines}"),
                &format!(
                    "hunter b 3 {hunter} | move = 12; speed = 2; items = [\"stim\"] | use stim; advance to 1"
                ),
            ],
        );
        let moved = counted.of("units_moved", "runner");
        assert!((moved - units).abs() < 1e-9, "{lines}: {moved}");
    }
}

/// W-15, EP-6: a Unit that an interruption has made useless takes what it took when it was begun.
#[test]
fn w_15_a_unit_spent_on_difficult_ground_takes_as_much_as_one_made() {
    let counted = phases(
        "encounter.max_rounds = 1\nencounter.ground.mud = { stretch = [5, 7], difficult = true }\n\
         [weapons.fist]\nkind = \"melee\"\nreach = 0\ncheck = { dice = \"1\" }\ndamage = 1\n",
        &[
            "a x 5 10 | move = 4; weapons = [\"fist\"] | delay; interrupt if enemy_moves; advance 1 to 1",
            "b y 7 5 | move = 20; weapons = [\"fist\"] | retreat if moved; advance to 1",
        ],
    );
    assert!((counted.of("units_moved", "b") - 18.0).abs() < 1e-9);
}

/// W-5, W-11: a pull that is put off leads to where its maker is when all have acted.
#[test]
fn w_5_a_pull_put_off_leads_to_its_maker() {
    let hook = "[weapons.hook]\nkind = \"melee\"\nreach = 1\ncheck = { dice = \"10\" }\ndamage = 0\neffects = [{ pull = 2 }]\n";
    let counted = phases(
        &format!(
            "[encounter]\nmax_rounds = 2\nhazards.fire = {{ first = 2, stretch = [2, 2], effects = [{{ damage = 1 }}] }}\n{hook}"
        ),
        &[
            "a x 0 10 | move = 16; weapons = [\"hook\"] | attack if round = 1; advance to 0 if round = 1",
            "b y 0 10 | move = 16; weapons = [\"hook\"] | retreat 2 if round = 1 and not moved",
        ],
    );
    // a has followed b, so there is nowhere to pull it to.
    assert!((counted.taken("b") - 1.0).abs() < 1e-9);
}

/// CD-2, CD-3: an enemy whose readied action takes the place of its turn has acted for those who delay until then.
#[test]
fn cd_2_an_early_trigger_counts_as_a_turn_of_an_enemy() {
    let bow = "encounter.max_rounds = 2\n[weapons.bow]\nkind = \"ranged\"\nrange = 20\ncheck = { dice = \"10\" }\ndamage = 1\n";
    for position in [9, 30] {
        let counted = chronicles(
            bow,
            &[
                "d x 0 10 | weapons = [\"bow\"] | delay until enemy_acted if round = 2; pass",
                "s x 0 9 | weapons = [\"bow\"] | attack u if round = 2",
                &format!(
                    "w y {position} 6 | weapons = [\"bow\"] | ready attack when enemy attacks"
                ),
                "u y 0 5 |  | pass",
                "z x 0 4 |  | pass",
            ],
        );
        assert!(counted.of("actions_lost", "d") < 1e-9, "{position}");
    }
}

/// EP-5, EP-8: a combatant that loses Speed after it was asked about Moxie still goes on with its move.
#[test]
fn ep_8_a_question_about_moxie_ends_no_move() {
    let head = "encounter.max_rounds = 1\n[items.slow]\ncost = \"quick\"\ntarget = \"enemy\"\nrange = 60\n\
                effects = [{ condition = \"slow\", lasts = 3 }]\n[conditions.slow]\nmodifies = { speed = -1 }\n";
    for line in ["", "spend moxie if hp < 9; "] {
        for advance in ["advance", "advance 30"] {
            let counted = phases(
                head,
                &[
                    &format!("a x 0 8 | speed = 2; moxie = 1; move = 20 | {line}{advance}"),
                    "b y 40 9 | speed = 2; items = [\"slow\"] | pass if phase != 2; use slow",
                ],
            );
            let moved = counted.of("units_moved", "a");
            assert!((moved - 20.0).abs() < 1e-9, "{line}{advance}: {moved}");
        }
    }
}

/// EP-6, EP-8: a Unit that an interruption takes away is not paid for by the next Phase.
#[test]
fn ep_8_a_unit_that_is_taken_away_costs_nothing() {
    let head = "encounter.max_rounds = 1\n[items.slow]\ncost = \"quick\"\ntarget = \"enemy\"\nrange = 60\n\
                effects = [{ condition = \"slow\", lasts = 3 }]\n[conditions.slow]\nmodifies = { move = -4 }\n";
    let counted = phases(
        head,
        &[
            "a x 0 8 | speed = 4; move = 20 | advance",
            "b y 40 9 | items = [\"slow\"] | delay if phase = 1; interrupt if enemy_moves and distance <= 36; use slow",
        ],
    );
    // Four Units in each Phase: the fifth of the first one was begun, and could no longer be made.
    let moved = counted.of("units_moved", "a");
    assert!((moved - 16.0).abs() < 1e-9, "{moved}");
}

/// CD-4: a spell counts from its declaration, also if an interruption fells its caster or decides the encounter.
#[test]
fn cd_4_a_spell_counts_although_its_caster_is_interrupted_and_falls() {
    let head = "encounter.max_rounds = 2\n[spells.fire]\ndamage = 1\nrange = 50\n";
    for other in ["", "d y 60 1 |  | pass"] {
        let mut fighters = vec![
            "a x 0 9 |  | ready attack when enemy acts",
            "b y 0 5 | health = 3; spells = [\"fire\"] | cast fire",
        ];
        fighters.extend((!other.is_empty()).then_some(other));
        let counted = chronicles(head, &fighters);
        assert!((counted.of("spells_cast", "b") - 1.0).abs() < 1e-9);
        assert!(counted.of("damage_taken", "a").abs() < 1e-9);
    }
}

/// EP-6: a step that is declared is spent if an interruption throws its maker to the ground, unless it belongs to a move of
/// a number of Units.
#[test]
fn ep_6_a_step_of_one_who_is_thrown_down_meanwhile_is_spent() {
    let head = "encounter.max_rounds = 1\n[items.net]\ntarget = \"enemy\"\nrange = 50\neffects = [{ prone = true }]\n";
    for (line, units) in [("advance", 0.0), ("advance 4", 4.0)] {
        let counted = phases(
            head,
            &[
                &format!("a x 0 5 | move = 4 | {line}"),
                "b y 20 9 | items = [\"net\"] | delay if not interrupting; use net; interrupt if enemy_moves",
            ],
        );
        assert!((counted.of("interruptions", "b") - 1.0).abs() < 1e-9);
        let moved = counted.of("units_moved", "a");
        assert!((moved - units).abs() < 1e-9, "{line}: {moved}");
    }
}

/// W-5: wounds by damage that is put off count, also if the combatant has fallen meanwhile.
#[test]
fn w_5_wounds_that_come_to_one_who_has_fallen_meanwhile_count() {
    let head = "encounter.max_rounds = 1\n[items.poison]\neffects = [{ damage = 9 }]\n";
    let counted = phases(
        head,
        &[
            "b y 0 5 |  | attack",
            "a x 0 5 | items = [\"poison\"]; health = 6; wound_threshold = 3 | use poison",
        ],
    );
    assert!((counted.taken("a") - 12.0).abs() < 1e-9);
    assert!((counted.of("wounds", "a") - 4.0).abs() < 1e-9);
}
