//! Effects tied to a combatant's turn (CD-5).

use super::stage::{Played, one, orders, rounds, rounds_with};

const HURT: &str = "regeneration = 2\nongoing = { damage = 1, rounds = 2 }\nhealth = 10";

const CLAW: &str = r#"
[weapons.claw]
kind = "melee"
check = { pool = 1 }
damage = 0
ongoing = { damage = 2, rounds = 2 }
"#;

fn play(most: u32, hero: [&str; 2], set: &[&str]) -> Played {
    let [rest, line] = hero;
    let parts = [
        one("hero left 0 9 9", rest, &[line, "pass"]),
        one("foe right 60 5 5", "", &["pass"]),
        one("last right 60 1 1", "", &["pass"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    rounds(most, &parts, set, &[])
}

fn effects(played: &Played) -> Vec<&str> {
    let lines = played.lines.iter().map(String::as_str);
    let effect = |line: &&str| {
        [
            "suffers",
            "takes",
            "regenerates",
            "done",
            "comes in",
            "hero falls",
        ]
        .iter()
        .any(|word| line.contains(word))
    };
    lines.filter(effect).collect()
}

/// Ongoing damage, then regeneration, before all else in the turn, once a Round.
#[test]
fn cd_5_effects_happen_when_the_place_comes_up() {
    let played = play(3, [HURT, "use salve"], &[]);
    let heroes: Vec<&str> = effects(&played)
        .into_iter()
        .filter(|line| line.contains("hero"))
        .collect();
    assert_eq!(
        heroes,
        [
            "1 1 hero suffers on",
            "1 1 hero takes 1 has 9",
            "1 1 hero regenerates 1 has 10",
            "1 1 hero is done",
            "2 1 hero suffers on",
            "2 1 hero takes 1 has 9",
            "2 1 hero regenerates 1 has 10",
            "2 1 hero is done",
            "3 1 hero is done",
        ]
    );
}

/// "Delaying your action does not delay regeneration": the effects happen on the original Initiative, and on subsequent
/// turns on the new one.
#[test]
fn cd_5_delaying_does_not_put_effects_off() {
    let rest = HURT.replace("damage = 1", "damage = 5");
    let played = play(2, [&rest, "delay until enemy_acted if round = 1"], &[]);
    assert_eq!(
        effects(&played),
        [
            // The effects happen at the original place, and not when the hero comes in.
            "1 1 hero suffers on",
            "1 1 hero takes 5 has 5",
            "1 1 hero regenerates 2 has 7",
            "1 2 foe is done",
            "1 2 hero comes in after foe",
            "1 3 hero is done",
            "1 4 last is done",
            // The effects happen at the new place.
            "2 1 foe is done",
            "2 2 hero suffers on",
            "2 2 hero takes 5 has 2",
            "2 2 hero regenerates 2 has 4",
            "2 2 hero is done",
            "2 3 last is done",
        ]
    );
}

/// A readied action that is triggered after its owner's place has come up changes nothing in its Round.
#[test]
fn cd_5_a_trigger_after_the_place_has_come_up_brings_no_effects() {
    let parts = [
        one(
            "hero left 0 9 9",
            HURT,
            &["ready cast bolt when enemy uses if round = 1", "pass"],
        ),
        one("foe right 40 5 5", "", &["use salve if round = 1", "pass"]),
    ];
    let played = rounds(2, &[&parts[0], &parts[1]], &[], &[]);
    assert_eq!(
        played.only_untimed(&["suffers", "interrupts", "done"]),
        [
            "hero suffers on",
            "hero is done",
            "hero interrupts foe",
            "foe is done",
            "hero suffers on",
            "hero is done",
            "foe is done"
        ]
    );
}

/// A readied action that is triggered before its owner's place selects a new place first: the effects happen there,
/// once.
#[test]
fn cd_5_an_early_trigger_brings_the_effects_of_its_round() {
    for rule in ["replaces", "adds"] {
        let parts = [
            one("foe right 40 9 9", "", &["use salve if round = 2", "pass"]),
            one(
                "hero left 0 5 5",
                HURT,
                &["ready cast bolt when enemy uses if round = 1", "pass"],
            ),
        ];
        let set = format!("rules.early_trigger={rule}");
        let played = rounds(3, &[&parts[0], &parts[1]], &[&set], &[]);
        assert_eq!(orders(&played), ["foe hero", "hero foe"]);
        assert_eq!(
            played.only_untimed(&["suffers", "triggered", "interrupts"]),
            [
                "hero suffers on",
                "hero triggered by foe",
                "hero suffers on",
                "hero interrupts foe",
            ],
            "{rule}"
        );
    }
    // The effects may fell the hero before it acts.
    let parts = [
        one("foe right 40 9 9", "", &["use salve if round = 2", "pass"]),
        one(
            "hero left 0 5 5",
            "health = 2\nongoing = { damage = 1, rounds = 2 }",
            &["ready cast bolt when enemy uses", "pass"],
        ),
        one("friend left 0 1 1", "", &["pass"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(2, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["triggered", "interrupts", "falls", "uses"]),
        ["hero triggered by foe", "hero falls", "foe uses +0"]
    );
}

/// A combatant whose readied action is impossible comes right after the one that triggered it, and so do its effects.
#[test]
fn cd_5_an_early_trigger_of_an_impossible_action_brings_the_effects_of_the_new_place() {
    for rule in ["replaces", "adds"] {
        let parts = [
            one("foe right 40 9 9", "", &["use salve if round = 2", "pass"]),
            one("last right 60 7 7", "", &["pass"]),
            one(
                "hero left 0 5 5",
                HURT,
                &[
                    "ready attack with fist when enemy uses if round = 1",
                    "pass",
                ],
            ),
        ];
        let set = format!("rules.early_trigger={rule}");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let played = rounds(2, &parts, &[&set], &[]);
        assert_eq!(
            played.only_untimed(&["suffers", "triggered", "uses"]),
            [
                "hero suffers on",
                "hero triggered by foe",
                "foe uses +0",
                "hero suffers on",
            ],
            "{rule}"
        );
        assert_eq!(orders(&played), ["foe last hero", "foe hero last"]);
    }
}

/// CD-2, CD-3: a turn that an impossible readied action has replaced is over at its new place, and those who delay may
/// come in after it.
#[test]
fn cd_2_delayers_come_in_after_a_turn_that_was_lost() {
    let parts = [
        one(
            "patient left 40 9 9",
            "",
            &["delay until enemy_acted if round = 2", "pass"],
        ),
        one("mover left 41 7 7", "", &["advance 1 if round = 2", "pass"]),
        one(
            "guard right 0 5 5",
            "",
            &[
                "ready attack with fist when enemy moves if round = 1",
                "pass",
            ],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(2, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["delays", "triggered", "comes in"]),
        [
            "patient delays",
            "guard triggered by mover",
            "patient comes in after guard"
        ]
    );
}

/// CD-2, W-10: once the distance has ended the encounter, no combatant comes in.
#[test]
fn cd_2_nobody_comes_in_after_the_end() {
    let parts = [
        one(
            "patient left 0 9 9",
            "",
            &["delay until enemy_acted", "pass"],
        ),
        one("runner right 9 5 5", "", &["retreat"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let set = "encounter.ends_when=\"distance >= 10\"";
    let played = rounds(2, &parts, &[set], &[]);
    assert_eq!(
        played.only_untimed(&["delays", "comes in"]),
        ["patient delays"]
    );
}

/// The claw takes 1 health of 3 and leaves ongoing damage of 2. The foe survives if it regenerates first.
#[test]
fn cd_5_which_comes_first_is_an_option() {
    let cat = one("cat left 0 9 9", "", &["attack with claw"])
        .replace("[\"fist\"", "[\"claw\", \"fist\"");
    let rest = "health = 3\nregeneration = 1";
    let foe = one("foe right 0 5 5", rest, &["pass"]);
    let effects = |set: &[&str]| {
        let played = rounds(1, &[CLAW, &cat, &foe], set, &[(0, &[8])]);
        let lines = played.only_untimed(&["suffers", "takes", "regenerates", "falls"]);
        let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        (lines.join(", "), played.counts_of(1).health)
    };
    let ongoing_first = "foe takes 1 has 2, foe suffers on, foe takes 2 has 0, foe falls";
    assert_eq!(effects(&[]), (ongoing_first.to_owned(), 0));
    let regeneration_first =
        "foe takes 1 has 2, foe regenerates 1 has 3, foe suffers on, foe takes 2 has 1";
    assert_eq!(
        effects(&["rules.effects_first=regeneration"]),
        (regeneration_first.to_owned(), 1)
    );
}

/// At the start there is no health to regain, so that regeneration makes up for the ongoing damage of the turn before.
#[test]
fn cd_5_without_other_damage_the_order_does_not_decide_when_a_combatant_falls() {
    let orders = [&[][..], &["rules.effects_first=regeneration"]];
    let rest = "health = 3\nregeneration = 2\nongoing = { damage = 1, rounds = 9 }";
    for set in orders {
        let played = play(2, [rest, "pass"], set);
        let first = effects(&played)[..2].join(", ");
        assert_eq!(first, "1 1 hero suffers on, 1 1 hero takes 1 has 2");
    }
    for (health, fell_round) in [(2, 1), (4, 3)] {
        let rest =
            format!("health = {health}\nregeneration = 1\nongoing = {{ damage = 2, rounds = 9 }}");
        for set in orders {
            let played = play(9, [&rest, "pass"], set);
            assert_eq!(played.counts_of(0).fell_round, fell_round, "{rest} {set:?}");
        }
    }
}

#[test]
fn cd_5_the_fallen_do_not_regenerate_and_armour_does_not_help() {
    let rest = "health = 2\narmor = 9\nregeneration = 2\nongoing = { damage = 2, rounds = 1 }";
    let played = play(2, [rest, "pass"], &[]);
    assert_eq!(
        effects(&played)[..3],
        [
            "1 1 hero suffers on",
            "1 1 hero takes 2 has 0",
            "1 1 hero falls"
        ]
    );
    assert_eq!(
        (played.counts_of(0).health, played.counts_of(0).fell_round),
        (0, 1)
    );
    assert_eq!(
        (played.counts_of(0).damage_taken, played.counts_of(0).damage),
        (2, 0)
    );
}

/// A hit that does damage leaves ongoing damage behind; several add up, or only the worst counts.
#[test]
fn cd_5_hits_leave_ongoing_damage_behind() {
    let parts = |armor: u32| {
        [
            one("cat left 0 9 9", "", &["attack with claw", "pass"])
                .replace("[\"fist\"", "[\"claw\", \"fist\""),
            one(
                "foe right 0 5 5",
                &format!("health = 40\narmor = {armor}"),
                &["pass"],
            ),
        ]
    };
    let told = |armor, set: &[&str], dice: &[u32]| {
        let [cat, foe] = parts(armor);
        let played = rounds(3, &[CLAW, &cat, &foe], set, &[(0, dice)]);
        let lines = played
            .only_untimed(&["foe takes", "will suffer"])
            .into_iter();
        lines
            .map(|line| line.replace("foe ", ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told(0, &[], &[8, 8, 3]),
        [
            "takes 1 has 39",
            "will suffer 2 for 2",
            "takes 2 has 37",
            "takes 1 has 36",
            "will suffer 2 for 2",
            "takes 4 has 32",
            "takes 2 has 30"
        ]
    );
    assert_eq!(
        told(0, &["rules.ongoing=worst"], &[8, 8, 3])[5..],
        ["takes 2 has 34", "takes 2 has 32"]
    );
    // A hit that armour stops leaves no ongoing damage.
    assert_eq!(
        told(1, &[], &[8, 8, 3]),
        ["takes 0 has 40", "takes 0 has 40"]
    );
}

/// Defence is restored when the combatant's place comes up: the original place until it has taken a new one.
#[test]
fn cd_5_defence_is_whole_again_at_ones_place() {
    // Three enemies attack in sequence, before, between and after.
    let foe = |who: &str| one(who, "", &["attack with bow"]);
    let hero = |line| one("hero left 0 5 5", "defence = 1", &[line, "pass"]);
    let lost = |line| {
        let parts = [
            foe("a right 6 7 7"),
            hero(line),
            foe("b right 6 3 3"),
            foe("c right 6 1 1"),
        ];
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let played = rounds(2, &parts, &[], &[(0, &[3, 3]), (2, &[3, 3]), (3, &[3, 3])]);
        let rolls = played.only_untimed(&["rolls"]).into_iter();
        rolls
            .map(|line| line[line.len() - 1..].to_owned())
            .collect::<Vec<_>>()
    };
    // A chance die is rolled against full Defence.
    assert_eq!(lost("pass"), ["1", "1", "0", "0", "1", "0"]);
    // In the Round of the delay Defence is restored at the original place, afterwards at the new one.
    assert_eq!(
        lost("delay until enemies_left = 1 if round = 1"),
        ["1", "1", "0", "0", "0", "1"]
    );
}

/// A turn that begins under a stun counts as stunned, even if the stun ends as the place comes up.
#[test]
fn a_turn_under_a_stun_that_ongoing_damage_ends_is_counted() {
    let gas = "[encounter.hazards.gas]\neffects = [{ condition = \"asleep\", lasts = 3 }]\n\
               [conditions.asleep]\nmodifies = { actions = 0 }\nends = \"damage\"\n";
    let ongoing = "ongoing = { damage = 1, rounds = 3 }";
    let parts = [
        one("hero left 0 9 9", ongoing, &["pass"]),
        one("foe right 60 5 5", "", &["pass"]),
    ];
    let played = rounds_with(("heal = 1", gas), 1, &parts, &[], &[]);
    assert_eq!(played.only_untimed(&["asleep"])[2..], ["hero loses asleep"]);
    assert_eq!(
        (played.counts_of(0).stunned, played.counts_of(1).stunned),
        (1, 1)
    );
}

/// A combatant that acts on a fall by ongoing damage may be the first to act in a Round.
#[test]
fn an_action_that_a_fall_triggers_may_be_the_first_of_a_round() {
    let dying = "health = 1\nongoing = { damage = 1, rounds = 1 }";
    let parts = [
        one(
            "hero left 0 9 9",
            "",
            &["ready cast bolt when enemy falls", "pass"],
        ),
        one("foe right 40 5 5", dying, &["pass"]),
        one("last right 45 1 1", "", &["advance 1 if not moved"]),
    ];
    let played = rounds(1, &parts, &["encounter.acted_first=true"], &[]);
    assert_eq!(
        played.only_untimed(&["effect", "moves"]),
        ["hero effect on last", "last moves to 44"]
    );
    assert_eq!(
        (
            played.counts_of(0).rounds_first,
            played.counts_of(2).rounds_first
        ),
        (1, 0)
    );
}
