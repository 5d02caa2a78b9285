//! Actions, pools and their penalties, damage and health (MA-3, MA-8, MA-9).

use super::stage::{DUMMY, Played, one, play, play_turn, play_turns, scenario};
use skirmish::chance::Purpose::{Check, Damage, Initiative, Other};

/// Plays a combatant that acts on a dummy at its side for `turns` turns; the dummy is never hurt much.
fn acts(weapons: &str, rest: &str, turns: usize, set: &[&str], dice: &[u32]) -> Played {
    let text = scenario(&[weapons, &one("hero 0 3 3 2", rest), DUMMY]);
    play_turns(&text, set, turns, &[5, 1], &[(0, Check, dice)])
}

fn sword(pool: u32) -> String {
    format!("[weapons.sword]\nkind = \"melee\"\ncheck = {{ pool = {pool} }}\ndamage = 0\n")
}

fn policy(lines: &str) -> String {
    format!("weapons = [\"sword\"]\npolicy = [{lines}]")
}

#[test]
fn ma_3_one_action_a_turn() {
    let played = acts(&sword(2), &policy("\"attack\""), 2, &[], &[7, 7, 7, 7]);
    assert_eq!(played.counts_of(0).attacks, 2);
}

#[test]
fn ma_3_an_even_division_gives_the_first_the_odd_die() {
    for (pool, line, parts) in [
        (7, "\"attack + attack\"", &[4, 3][..]),
        (8, "\"attack + attack\"", &[4, 4]),
        (8, "\"attack + attack + attack\"", &[3, 3, 2]),
        (7, "\"attack + attack + attack\"", &[3, 2, 2]),
        (2, "\"attack + attack\"", &[1, 1]),
        (7, "\"attack + attack split 2,5\"", &[2, 5]),
        (7, "\"attack + attack split 2, 3\"", &[2, 3]),
    ] {
        let thrown: usize = parts.iter().sum();
        let played = acts(&sword(pool), &policy(line), 1, &[], &vec![3; thrown]);
        let wanted: Vec<String> = parts
            .iter()
            .map(|part| format!("hero rolls {part} of {pool}-0-0 divided"))
            .collect();
        assert_eq!(played.only_untimed(&["rolls"]), wanted, "{line}");
    }
}

#[test]
fn ma_3_the_smallest_of_the_pools_is_divided() {
    let weapons = format!(
        "{}[weapons.knife]\nkind = \"melee\"\ncheck = {{ pool = 5 }}\ndamage = 0\n",
        sword(9)
    );
    let rest =
        "weapons = [\"sword\", \"knife\"]\npolicy = [\"attack with sword + attack with knife\"]";
    let played = acts(&weapons, rest, 1, &[], &[3; 5]);
    assert_eq!(
        played.only_untimed(&["rolls"]),
        [
            "hero rolls 3 of 9-0-0 divided",
            "hero rolls 2 of 5-0-0 divided"
        ]
    );
}

#[test]
fn ma_3_drawing_takes_its_share_of_the_pool() {
    let rest = "weapons = [\"sword\"]\nundrawn = [\"sword\"]\npolicy = [\"draw sword + attack split 2,5\", \"draw + attack\", \"attack\"]";
    let played = acts(&sword(7), rest, 2, &[], &[3; 12]);
    assert_eq!(
        played.only_untimed(&["draws", "rolls"]),
        [
            "hero draws",
            "hero rolls 5 of 7-0-0 divided",
            "hero rolls 7 of 7-0-0"
        ]
    );
    let rest = rest.replace("\"draw sword + attack split 2,5\", ", "");
    let played = acts(&sword(7), &rest, 1, &[], &[3; 3]);
    assert_eq!(
        played.only_untimed(&["rolls"]),
        ["hero rolls 3 of 7-0-0 divided"]
    );
}

#[test]
fn ma_3_each_part_needs_a_die() {
    let hurt = "health = [{ name = \"Bad\", penalty = 2 }, { name = \"Out\" }]\nitems = []\n";
    // Of 3 dice wounds remove 2: nothing is left to divide, but one die to roll.
    let text = scenario(&[
        &sword(3),
        "[weapons.pin]\nkind = \"melee\"\ncheck = { pool = 1 }\ndamage = 1\n",
        &one(
            "hero 0 2 2 2",
            &format!("{hurt}{}", policy("\"attack + attack\", \"attack\"")),
        ),
        &one(
            "foe 0 3 3 3",
            "soak = 9\nweapons = [\"pin\"]\npolicy = [\"attack if turn = 1\"]",
        ),
    ]);
    let played = play_turn(&text, &[], &[1, 9], &[(1, Check, &[6]), (0, Check, &[6])]);
    assert_eq!(
        played.only_untimed(&["hero rolls"]),
        ["hero rolls 1 of 3-2-0"]
    );
}

#[test]
fn ma_3_penalties_come_off_before_or_after_the_division() {
    // 8 dice; of 16 yards moved 14 are free, so 2 dice are lost.
    let text = scenario(&[
        &sword(8),
        &one(
            "hero -16 3 3 2",
            &policy("\"advance run\", \"attack + attack\""),
        ),
        DUMMY,
    ]);
    for (divide, parts) in [("after", [3, 3]), ("before", [2, 2])] {
        let set = format!("rules.divide={divide}");
        let thrown = vec![3; parts.iter().sum()];
        let played = play_turn(&text, &[&set], &[9, 1], &[(0, Check, &thrown)]);
        let wanted = parts.map(|part: usize| format!("hero rolls {part} of 8-0-2 divided"));
        assert_eq!(played.only_untimed(&["rolls"]), wanted);
        let lost = if divide == "after" { 2 } else { 4 };
        assert_eq!(played.counts_of(0).dice_lost, lost);
    }
}

#[test]
fn ma_3_time_magick_gives_undivided_actions_at_the_same_place() {
    let rest = format!(
        "extra_actions = 2\n{}",
        policy("\"attack + attack\", \"attack\"")
    );
    let played = acts(&sword(4), &rest, 1, &[], &[3; 12]);
    assert_eq!(
        played.only_untimed(&["rolls"]),
        [
            "hero rolls 2 of 4-0-0 divided",
            "hero rolls 2 of 4-0-0 divided",
            "hero rolls 4 of 4-0-0",
            "hero rolls 4 of 4-0-0",
        ]
    );
}

#[test]
fn ma_3_a_clumsy_weapon_takes_turns_of_its_own() {
    let weapons = sword(4).replace("damage", "ready_turns = 3\ndamage");
    let rest = "weapons = [\"sword\"]\nundrawn = [\"sword\"]\npolicy = [\"draw\", \"attack\"]";
    let played = acts(&weapons, rest, 4, &[], &[3; 4]);
    assert_eq!(
        played.only_untimed(&["readies", "draws", "rolls"]),
        [
            "hero readies, 2 to go",
            "hero readies, 1 to go",
            "hero draws",
            "hero rolls 4 of 4-0-0"
        ]
    );
}

#[test]
fn ma_3_getting_a_clumsy_weapon_ready_may_take_a_roll() {
    let ready = "ready_turns = 2\nready_check = { pool = 3, required = 2 }\ndamage";
    let weapons = sword(4).replace("damage", ready);
    let rest = "weapons = [\"sword\"]\nundrawn = [\"sword\"]\npolicy = [\"draw\", \"attack\"]";
    // A turn without a roll; then one success of two, a botch, and two successes; then it strikes.
    let dice = [7, 2, 2, 1, 2, 2, 7, 7, 2, 3, 3, 3, 3];
    let played = acts(&weapons, rest, 5, &[], &dice);
    assert_eq!(
        played.only_untimed(&["readies", "gets", "botches", "draws", "rolls"]),
        [
            "hero readies, 1 to go",
            "hero rolls 3 of 3-0-0",
            "hero gets it out net 1 not ready",
            "hero rolls 3 of 3-0-0",
            "hero gets it out net -1 not ready",
            "hero botches",
            "hero rolls 3 of 3-0-0",
            "hero gets it out net 2 ready",
            "hero draws",
            "hero rolls 4 of 4-0-0"
        ]
    );
    let counts = played.counts_of(0);
    assert_eq!(
        (counts.successes, counts.diminished, counts.botches),
        (3, 1, 1)
    );
}

#[test]
fn ma_3_a_draw_that_is_rolled_gets_its_part_of_the_smallest_pool() {
    let weapons = sword(7).replace("damage", "ready_check = { pool = 5 }\ndamage");
    let rest =
        "weapons = [\"sword\"]\nundrawn = [\"sword\"]\npolicy = [\"draw + attack\", \"attack\"]";
    let played = acts(&weapons, rest, 1, &[], &[7, 2, 2, 7, 2]);
    assert_eq!(
        played.only_untimed(&["rolls", "draws", "attacks"]),
        [
            "hero rolls 3 of 5-0-0 divided",
            "hero draws",
            "hero rolls 2 of 7-0-0 divided",
            "hero attacks dummy net 1 hit"
        ]
    );
    // Without the weapon it cannot attack, and may try again.
    let played = acts(&weapons, rest, 2, &[], &[2, 2, 2, 7, 2, 2, 7, 2]);
    assert_eq!(
        played.only_untimed(&["gets", "no weapon", "attacks"]),
        [
            "hero gets it out net 0 not ready",
            "hero has no weapon ready",
            "hero gets it out net 1 ready",
            "hero attacks dummy net 1 hit"
        ]
    );
    assert_eq!(
        (
            played.counts_of(0).attacks,
            played.counts_of(0).attacks_lost
        ),
        (1, 1)
    );
}

#[test]
fn ma_3_an_item_that_is_not_got_out_is_not_used_up() {
    let weapons = format!(
        "{}[items.tonic]\nheal = 3\nuses = 1\nready_check = {{ pool = 2 }}\n",
        sword(4)
    );
    let rest = "items = [\"tonic\"]\nweapons = [\"sword\"]\npolicy = [\"use tonic\"]";
    let played = acts(&weapons, rest, 3, &[], &[2, 2, 7, 2]);
    assert_eq!(
        played.only_untimed(&["gets", "uses"]),
        [
            "hero gets it out net 0 not ready",
            "hero gets it out net 1 ready",
            "hero uses +0"
        ]
    );
}

const BOMB: &str = "[items.bomb]\ntarget = \"enemy\"\nrange = 20\nuses = 9\n\
                    check = { pool = 5 }\neffects = [{ damage = 0 }]\n";

/// The check of an item is one of the pools, and the smallest of the pools is divided.
#[test]
fn ma_3_an_item_with_a_check_gets_its_part_of_the_smallest_pool() {
    for (line, parts) in [
        ("attack + use bomb", ["3 of 7", "2 of 5"]),
        ("use bomb + attack", ["3 of 5", "2 of 7"]),
        ("use bomb + use bomb", ["3 of 5", "2 of 5"]),
        ("use bomb + attack split 1,2", ["1 of 5", "2 of 7"]),
    ] {
        let weapons = sword(7) + BOMB;
        let rest = format!("items = [\"bomb\"]\n{}", policy(&format!("{line:?}")));
        let thrown = if line.contains("split") { 3 } else { 5 };
        let played = acts(&weapons, &rest, 1, &[], &vec![3; thrown]);
        let wanted = parts.map(|part| format!("hero rolls {part}-0-0 divided"));
        assert_eq!(played.only_untimed(&["rolls"]), wanted, "{line}");
    }
}

/// Yards beyond the free half and wounds remove dice from the check of an item; without a die left it is not used.
#[test]
fn ma_5_yards_take_dice_off_the_check_of_an_item() {
    for (pool, rolls, left) in [(5, &["hero rolls 2 of 5-1-2"][..], 8), (3, &[], 9)] {
        let bomb = BOMB.replace("pool = 5", &format!("pool = {pool}"));
        // 14 yards are free, 16 are moved; Hurt removes a die.
        let rest = "items = [\"bomb\"]\nhealth = [{ name = \"Hurt\", penalty = 1 }, { name = \"Out\" }]\n\
                    policy = [\"use bomb if distance = 0\", \"advance run\"]";
        let hurt = "[encounter.hazards.fire]\nlast = 1\nstretch = [-16, -15]\neffects = [{ damage = 1 }]\n";
        let text = scenario(&[hurt, &bomb, &one("hero -16 3 3 2", rest), DUMMY]);
        let played = play_turn(
            &text,
            &[],
            &[9, 1],
            &[(0, Check, &[3, 3][..2 * rolls.len()])],
        );
        assert_eq!(played.only_untimed(&["rolls"]), rolls);
        assert_eq!(9 - played.counts_of(0).items_used, left);
    }
}

#[test]
fn ma_3_standing_up_and_using_something_take_actions_too() {
    let weapons = format!("{}[items.tonic]\nheal = 3\nuses = 1\n", sword(4));
    let rest = "prone = true\nitems = [\"tonic\"]\nweapons = [\"sword\"]\npolicy = [\"stand + attack\", \"use tonic\", \"attack\"]";
    let played = acts(&weapons, rest, 3, &[], &[3; 6]);
    assert_eq!(
        played.only_untimed(&["stands", "uses", "rolls"]),
        [
            "hero stands up",
            "hero rolls 2 of 4-0-0 divided",
            "hero uses +0",
            "hero rolls 4 of 4-0-0"
        ]
    );
}

#[test]
fn w_4_the_second_blow_goes_to_the_next_if_the_first_felled() {
    let text = scenario(&[
        "[weapons.axe]\nkind = \"melee\"\ncheck = { pool = 2 }\ndamage = 7\n",
        &one(
            "hero 0 3 3 2",
            "weapons = [\"axe\"]\npolicy = [\"attack + attack\"]",
        ),
        &DUMMY.replace("position", "count = 2\nposition"),
    ]);
    let dice = [
        (0, Initiative, &[9][..]),
        (1, Initiative, &[1]),
        (2, Initiative, &[2]),
        (0, Check, &[8, 8]),
    ];
    let played = play(&text, &[], &dice);
    assert_eq!(
        played.only_untimed(&["attacks"]),
        [
            "hero attacks dummy 1 net 1 hit",
            "hero attacks dummy 2 net 1 hit"
        ]
    );
    // The second target is too far away.
    let far = text
        .replace("count = 2\n", "")
        .replacen("name = \"dummy\"", "name = \"near\"", 1);
    let far = format!("{far}{}", DUMMY.replace("= 0", "= 9"));
    let lost = play_turn(&far, &[], &[9, 1, 1], &[(0, Check, &[8])]);
    assert_eq!(lost.counts_of(0).attacks_lost, 1);
}

#[test]
fn w_6_feats_left_over_when_the_encounter_is_decided_are_neither_made_nor_lost() {
    let blow = "attack + attack + use tonic";
    let text = scenario(&[
        "[weapons.club]\nkind = \"melee\"\ncheck = { pool = 3, difficulty = 2 }\ndamage = 30\n",
        "[items.tonic]\nheal = 1\nuses = 1\n",
        "[spells.zap]\nsphere = 1\nvulgar = true\nrequired = 1\nrange = 5\ndamage = 1\n",
        &one(
            "first 0 5 5 2",
            &format!("items = [\"tonic\"]\nweapons = [\"club\"]\npolicy = [\"{blow}\"]"),
        ),
        // These act at the same initiative as the first, and after it.
        &one(
            "second 0 5 5 2",
            "weapons = [\"club\"]\npolicy = [\"attack + attack\"]",
        ),
        &one(
            "third 0 5 5 2",
            "arete = 3\nspells = [\"zap\"]\npolicy = [\"cast zap\"]",
        ),
        DUMMY,
    ])
    .replace("side = \"seconds\"", "side = \"firsts\"")
    .replace("side = \"thirds\"", "side = \"firsts\"");
    let dice = [
        (0, Initiative, &[9][..]),
        (1, Initiative, &[9]),
        (2, Initiative, &[9]),
        (3, Initiative, &[1]),
        (0, Check, &[8]),
    ];
    let played = play(&text, &[], &dice);
    assert_eq!(
        played.only_untimed(&["attacks", "loses", "uses", "casts", "Paradox", "falls"]),
        ["first attacks dummy net 1 hit", "dummy falls"]
    );
    let sum = |count: fn(skirmish::sim::Counts) -> u32| -> u32 {
        (0..3).map(|who| count(played.counts_of(who))).sum()
    };
    assert_eq!(sum(|one| one.attacks), 1);
    assert_eq!(sum(|one| one.attacks_lost), 0);
    assert_eq!(sum(|one| one.spells_cast + one.paradox), 0);
    assert_eq!(sum(|one| one.decisions), 1);
}

#[test]
fn ma_8_each_level_takes_its_dice_off_attack_pools() {
    // The foe takes one level off the hero each turn; soak keeps the foe unhurt.
    let text = scenario(&[
        &sword(6),
        "[weapons.pin]\nkind = \"melee\"\ncheck = { pool = 1, tens = \"plain\", extra_damage = 0 }\ndamage = 1\n",
        &one("hero 0 2 2 2", &policy("\"attack\"")),
        &one(
            "foe 0 3 3 3",
            "soak = 99\nweapons = [\"pin\"]\npolicy = [\"attack\"]",
        ),
    ]);
    // Bruised 0, Hurt 1, Injured 1, Wounded 2, Mauled 2, Crippled 5, then out.
    let left: Vec<usize> = [0, 1, 1, 2, 2, 5].iter().map(|off| 6 - off).collect();
    let thrown = vec![3; left.iter().sum()];
    let played = play(
        &text,
        &[],
        &[
            (0, Initiative, &[1; 7]),
            (1, Initiative, &[9; 7]),
            (1, Check, &[6; 7]),
            (0, Check, &thrown),
        ],
    );
    let penalties = [0, 1, 1, 2, 2, 5];
    let wanted: Vec<String> = penalties
        .iter()
        .map(|off| format!("hero rolls {} of 6-{off}-0", 6 - off))
        .collect();
    assert_eq!(played.only_untimed(&["hero rolls"]), wanted);
    assert_eq!(played.counts_of(0).fell_round, 7);
}

/// Plays one attack with the given dice; returns the health left of 7.
fn blow(
    weapon: &str,
    victim: &str,
    dice: &[(usize, skirmish::chance::Purpose, &[u32])],
) -> (i32, Played) {
    let text = scenario(&[
        &format!("[weapons.sword]\nkind = \"melee\"\n{weapon}\n"),
        &one("hero 0 3 3 2", &policy("\"attack\"")),
        &DUMMY.replace("policy", &format!("{victim}\npolicy")),
    ]);
    let all: Vec<_> = [(0, Initiative, &[9][..]), (1, Initiative, &[1])]
        .into_iter()
        .chain(dice.iter().copied())
        .collect();
    let played = play(&text, &["encounter.max_rounds=1"], &all);
    (played.counts_of(1).health, played)
}

#[test]
fn ma_9_extra_successes_are_extra_damage() {
    let weapon = "check = { pool = 4, required = 2 }\ndamage = 1";
    for (faces, left) in [
        ([7, 2, 2, 2], 7),
        ([7, 7, 2, 2], 6),
        ([7, 7, 7, 2], 5),
        ([7, 7, 7, 7], 4),
        ([7, 7, 7, 1], 6),
    ] {
        let (health, played) = blow(weapon, "", &[(0, Check, &faces)]);
        assert_eq!(health, left, "{faces:?}");
        let diminished = u32::from(faces == [7, 2, 2, 2]);
        assert_eq!(played.counts_of(0).diminished, diminished);
        assert_eq!(played.counts_of(0).hits, 1 - diminished);
    }
    let (_, played) = blow(weapon, "", &[(0, Check, &[1, 1, 7, 2])]);
    assert_eq!(
        (played.counts_of(0).botches, played.counts_of(0).successes),
        (1, 0)
    );
    assert_eq!(played.only_untimed(&["botches"]), ["hero botches"]);
}

#[test]
fn md_2_a_botched_attack_costs_what_the_scenario_says() {
    let strikes = |set: &[&str], turns: usize, dice: &[u32]| {
        acts(&sword(2), &policy("\"attack\""), turns, set, dice)
    };
    assert_eq!(strikes(&[], 2, &[1, 2, 7, 2]).counts_of(0).attacks, 2);
    let lost = strikes(&["rules.attack_botch=lose-turn"], 3, &[1, 2, 7, 2]);
    assert_eq!(
        lost.only_untimed(&["attacks", "botches", "loses"]),
        [
            "hero attacks dummy net -1 miss",
            "hero botches",
            "hero loses the turn",
            "hero attacks dummy net 1 hit",
        ]
    );
    let hurt = [
        "rules.attack_botch=damage",
        "rules.attack_botch_damage=2",
        "combatants.hero.soak=5",
    ];
    let hurt = strikes(&hurt, 1, &[1, 2]);
    assert_eq!(
        (hurt.counts_of(0).health, hurt.counts_of(0).damage_taken),
        (5, 2)
    );
    // The botch may fell the attacker itself.
    let hurt = ["rules.attack_botch=damage", "rules.attack_botch_damage=7"];
    assert_eq!(
        strikes(&hurt, 1, &[1, 2]).record.ending,
        skirmish::fight::Ending::Win(1)
    );
}

#[test]
fn md_4_willpower_buys_one_sure_success_never_cancelled_and_never_a_botch() {
    let rest = format!(
        "willpower = 2\n{}",
        policy("\"attack with willpower\", \"attack\"")
    );
    let played = acts(&sword(3), &rest, 3, &[], &[1, 1, 2, 7, 8, 2, 1, 1, 2]);
    assert_eq!(
        played.only_untimed(&["Willpower", "attacks", "botches"]),
        [
            // Without Willpower the two 1s would be a botch.
            "hero spends Willpower, 1 left",
            "hero attacks dummy net 1 hit",
            "hero spends Willpower, 0 left",
            "hero attacks dummy net 3 hit",
            // No Willpower is left.
            "hero attacks dummy net -2 miss",
            "hero botches",
        ]
    );
    assert_eq!(played.counts_of(0).willpower_spent, 2);
    assert_eq!(
        (played.counts_of(0).successes, played.counts_of(0).botches),
        (4, 1)
    );
}

#[test]
fn md_4_pools_are_sums_of_the_traits_of_whoever_rolls_them() {
    let sums = "check = { pool = \"dexterity + brawl + 1\" }\ndamage = { pool = \"strength + brawl - 1\" }";
    let fist = format!("[weapons.fist]\nkind = \"melee\"\n{sums}\n");
    let rest = |brawl: u32| {
        format!(
            "skills = {{ brawl = {brawl} }}\nweapons = [\"fist\"]\npolicy = [\"attack\"]\n\
             soak = {{ pool = \"stamina\" }}"
        )
    };
    let with_strength = |text: String, strength: u32| {
        text.replacen(
            "stamina = 2 }",
            &format!("stamina = 2, strength = {strength} }}"),
            1,
        )
    };
    let text = scenario(&[
        &fist,
        &with_strength(one("left 0 3 3 2", &rest(1)), 2),
        &with_strength(one("right 0 2 2 2", &rest(3)), 4),
    ]);
    let rolls = |set: &[&str], left: usize, right: usize| {
        let [one, other] = [left, right].map(|dice| vec![3; dice]);
        let dice: &[_] = &[(0, Check, &one[..]), (1, Check, &other)];
        let played = play_turn(&text, set, &[9, 1], dice);
        let wanted = [
            format!("left rolls {left} of {left}-0-0"),
            format!("right rolls {right} of {right}-0-0"),
        ];
        assert_eq!(played.only_untimed(&["rolls"]), wanted);
    };
    // Both use the same weapon with their own traits; raising a trait raises every pool built on it.
    rolls(&[], 5, 6);
    rolls(&["combatants.left.skills.brawl=4"], 8, 6);
    rolls(&["combatants.right.attributes.dexterity=5"], 5, 9);
    // Damage: 2 + 1 - 1 dice, and 1 for an extra success; soak: 2 dice.
    let played = play_turn(
        &text,
        &["combatants.right.policy=[\"pass\"]"],
        &[9, 1],
        &[
            (0, Check, &[7, 7, 2, 2, 2]),
            (0, Damage, &[7, 7, 7]),
            (1, Other, &[7, 2]),
        ],
    );
    assert_eq!(played.counts_of(1).health, 5);
}

#[test]
fn md_4_with_a_specialty_tens_count_twice() {
    let strikes = |weapon: &str, dice: &[u32]| {
        acts(weapon, &policy("\"attack\""), 1, &[], dice)
            .counts_of(0)
            .successes
    };
    assert_eq!(strikes(&sword(2), &[10, 2, 7]), 2);
    let special = sword(2).replace("pool = 2", "pool = 2, specialty = true");
    assert_eq!(strikes(&special, &[10, 2]), 2);
    let plain = sword(2).replace("pool = 2", "pool = 2, specialty = false");
    assert_eq!(strikes(&plain, &[10, 2, 7]), 2);
}

#[test]
fn md_4_a_point_a_turn_or_a_point_an_action() {
    let rest = format!(
        "willpower = 5\nextra_actions = 1\n{}",
        policy("\"attack with willpower if willpower > 2\", \"attack\"")
    );
    let spent = |rule: &str| {
        let set = format!("rules.willpower={rule}");
        acts(&sword(1), &rest, 3, &[&set], &[3; 6])
            .counts_of(0)
            .willpower_spent
    };
    assert_eq!(spent("per-turn"), 3);
    // Two points, then one, because only two are left.
    assert_eq!(spent("per-action"), 3);
    let one_turn = |rule: &str| {
        let set = format!("rules.willpower={rule}");
        acts(&sword(1), &rest, 1, &[&set], &[3; 2])
            .counts_of(0)
            .willpower_spent
    };
    assert_eq!((one_turn("per-turn"), one_turn("per-action")), (1, 2));
}

#[test]
fn md_4_of_several_feats_it_serves_the_one_that_says_so() {
    let line = "\"attack + attack with sword with willpower split 1,2\", \"attack\"";
    let rest = format!("willpower = 1\n{}", policy(line));
    let played = acts(&sword(3), &rest, 1, &[], &[1, 1, 2]);
    assert_eq!(
        played.only_untimed(&["Willpower", "attacks"]),
        [
            "hero attacks dummy net -1 miss",
            "hero spends Willpower, 0 left",
            "hero attacks dummy net 1 hit",
        ]
    );
    // A weapon with that name must be quoted.
    let weapon = sword(2).replace("weapons.sword", "weapons.willpower");
    let rest = "willpower = 1\nweapons = [\"willpower\"]\npolicy = ['attack with \"willpower\"']";
    assert_eq!(
        acts(&weapon, rest, 1, &[], &[2, 2])
            .counts_of(0)
            .willpower_spent,
        0
    );
}

#[test]
fn ma_9_damage_and_soak_may_be_rolled() {
    // Base 2 and 2 extra successes: 4 dice, three of which succeed; soak removes one.
    let (health, _) = blow(
        "check = { pool = 3 }\ndamage = { pool = 2 }",
        "soak = { pool = 2 }",
        &[
            (0, Check, &[7, 7, 7]),
            (0, Damage, &[6, 9, 8, 2]),
            (1, Other, &[3, 6]),
        ],
    );
    assert_eq!(health, 5);
    // Damage is never below 0.
    let (health, _) = blow(
        "check = { pool = 1 }\ndamage = { pool = 1 }",
        "soak = { pool = 3 }",
        &[(0, Check, &[7]), (0, Damage, &[1]), (1, Other, &[7, 7, 7])],
    );
    assert_eq!(health, 7);
    let (health, _) = blow(
        "check = { pool = 1 }\ndamage = 3",
        "soak = 2",
        &[(0, Check, &[7])],
    );
    assert_eq!(health, 6);
}

#[test]
fn any_check_and_points_of_health_serve_this_clock_too() {
    let text = scenario(&[
        "[weapons.sword]\nkind = \"melee\"\ncheck = { pool = 3, dice = \"2d10\", bonus = 3, skill = 40 }\ndamage = 2\n",
        &one(
            "hero 0 3 3 2",
            &format!("evade = 0\nhealth = 5\n{}", policy("\"attack\"")),
        ),
        &DUMMY.replace("policy", "evade = 12\nhealth = 9\npolicy"),
    ]);
    for (check, faces, hit) in [
        ("roll-over", &[4, 5][..], true),
        ("roll-over", &[4, 4], false),
        ("percentile", &[40], true),
        ("percentile", &[41], false),
        ("pool", &[7, 1, 8], true),
    ] {
        let set = format!("rules.check={check}");
        let played = play_turn(
            &text,
            &[&set, "rules.health=points"],
            &[9, 1],
            &[(0, Check, faces)],
        );
        assert_eq!(
            played.counts_of(0).hits,
            u32::from(hit),
            "{check} {faces:?}"
        );
        assert_eq!(played.counts_of(1).health, if hit { 7 } else { 9 });
    }
}

#[test]
fn yards_beyond_the_free_half_are_points_of_a_roll_and_tens_of_a_skill() {
    let text = scenario(&[
        "[weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"1d10\", skill = 40 }\ndamage = 2\n",
        &one(
            "hero -16 3 3 2",
            &format!("evade = 0\n{}", policy("\"advance run\", \"attack\"")),
        ),
        &DUMMY.replace("policy", "evade = 5\npolicy"),
    ]);
    // 14 yards are free, 16 are moved.
    for (check, faces, hit) in [
        ("roll-over", [7], true),
        ("roll-over", [6], false),
        ("percentile", [20], true),
        ("percentile", [21], false),
    ] {
        let set = format!("rules.check={check}");
        let played = play_turn(&text, &[&set], &[9, 1], &[(0, Check, &faces)]);
        assert_eq!(
            played.counts_of(0).hits,
            u32::from(hit),
            "{check} {faces:?}"
        );
    }
}

#[test]
fn md_4_who_resists_rolls_with_its_own_traits() {
    let things = r#"
[encounter.hazards.gas]
resist = { check = "stamina" }
effects = [{ damage = 1 }]
[items.bomb]
target = "enemy"
range = 20
uses = 1
resist = { check = { pool = "stamina + 1" } }
effects = [{ condition = "ill" }, { damage = { pool = "strength" } }]
[conditions.ill]
modifies = { attack = -1 }
ends = "check"
check = { pool = "stamina" }
"#;
    let bomber = "count = 2\nitems = [\"bomb\"]\npolicy = [\"use bomb\"]";
    let bombers = one("frail 0 3 3 1", bomber).replace("wits", "strength = 2, wits");
    let ox = one("ox 5 2 2 5", "policy = [\"pass\"]");
    let text = scenario(&[things, &bombers, &ox]);
    // Each rolls as many dice as it has Stamina, and one more against the bomb; its condition does not end.
    let rolls = [2, 2, 2, 2, 2];
    let all = [&rolls[..], &[2; 6], &[2; 6], &rolls].concat();
    let dice: [(_, _, &[u32]); 9] = [
        (0, Initiative, &[9]),
        (1, Initiative, &[8]),
        (2, Initiative, &[1]),
        (0, Check, &[2]),
        (1, Check, &[2]),
        (2, Check, &all),
        // The damage of the bomb takes the traits of its user.
        (0, Damage, &[2, 2]),
        (1, Damage, &[2, 2]),
        (2, Damage, &[]),
    ];
    let played = play(&text, &["encounter.max_rounds=1"], &dice);
    // The gas, both bombs, and the condition at the end of its turn.
    let resisted = played.only_untimed(&["resists"]);
    let ox = resisted.iter().filter(|line| line.starts_with("ox "));
    assert_eq!(ox.count(), 4, "{resisted:?}");
}
