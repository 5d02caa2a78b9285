//! Traces as text: walks and repetitions folded into one line, or each Unit on its own line.

use crate::support::fights::{heard, variant};
use crate::support::{TestDir, skirmish};
use serde_json::Value;
use skirmish::output::story::StoryOptions;
use std::fmt::Write as _;

const EIGHT: &str = "tests/output/eight.toml";

fn trace(options: &[&str]) -> String {
    skirmish(&[&["trace"], options].concat()).printed()
}

/// Plays the first encounter of a scenario. Returns its trace with reasons, and its events as JSON.
fn told(text: &str) -> (String, Value) {
    let variant = variant(text);
    let (story, record) = heard(&variant, 0);
    let telling = StoryOptions {
        why: true,
        ..StoryOptions::default()
    };
    (
        story.text(&variant.fight, &record, telling),
        story.json(&variant.fight, true),
    )
}

/// Returns a trace without its line breaks.
fn unwrapped(told: &str) -> String {
    told.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Asserts that a trace has all these parts.
fn says(told: &str, parts: &[&str]) {
    for part in parts {
        assert!(told.contains(part), "no {part:?} in\n{told}");
    }
}

/// A fighter as TOML.
fn one(name: &str, side: &str, position: u32, rest: &str, lines: &[&str]) -> String {
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\nevade = 5\n{rest}\npolicy = {lines:?}\n"
    )
}

/// MD-2: a roll that botches although it has the successes is called a botch.
#[test]
fn a_botch_with_successes_is_called_a_botch() {
    let dir = TestDir::empty();
    let blade =
        "[weapons.blade]\nkind = \"melee\"\ndamage = 3\ncheck = { pool = 3, ones = \"ignore\" }\n";
    let keys = "initiative = 9\nmove = 0\nhealth = 9\nweapons = [\"blade\"]";
    let text = format!(
        "system = \"eclipse-phase\"\nencounter.max_rounds = 1\n{blade}{}{}",
        one("a", "x", 0, keys, &["attack"]),
        one("b", "y", 0, keys, &["pass"]),
    );
    dir.write("fight.toml", text);
    let fight = dir.path("fight.toml");
    let told = trace(&[fight.to_str().unwrap(), "--dice", "a.check=[1,1,7]"]);
    says(&told, &["a  attacks b: 1 of 1 successes, botch"]);
}

#[test]
fn a_roll_for_a_use_stands_by_itself_also_if_it_fails() {
    let potion = "initiative = 1\nmove = 0\nhealth = 9\nitems = [\"potion\"]";
    let text = format!(
        "system = \"chronicles\"\n[encounter]\nmax_rounds = 2\n\
         [items.potion]\nheal = 1\nuses = 1\nrecharge = \"1d100 >= 100\"\n{}{}",
        one("drinker", "left", 0, potion, &["use potion"]),
        one(
            "idle",
            "right",
            5,
            "initiative = 9\nmove = 0\nhealth = 9",
            &["pass"]
        ),
    );
    let (told, _) = told(&text);
    says(&told, &["drinker  gets no use of potion back  [d100: "]);
    assert_eq!(told.matches("[d100: ").count(), 1, "{told}");
}

fn lines_with<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(part)).collect()
}

/// Returns the Units moved in lines such as `moves 30 -> 22 (to Mark 9)`, times the combatants that move.
fn units_told(text: &str) -> u64 {
    let units = |line: &str| {
        let (_, walk) = line.split_once(" moves ").unwrap();
        let mut words = walk.split_whitespace();
        let from: i64 = words.next().unwrap().parse().unwrap();
        assert_eq!(words.next(), Some("->"));
        let to: i64 = words.next().unwrap().parse().unwrap();
        let walkers = line
            .split_once("[and ")
            .map_or(1, |(_, others)| 1 + others.split(", ").count());
        from.abs_diff(to) * walkers as u64
    };
    lines_with(text, " moves ").into_iter().map(units).sum()
}

#[test]
fn eight_against_eight_are_told_in_fewer_than_150_lines() {
    let folded = trace(&[EIGHT, "--encounter", "3"]);
    let full = trace(&[EIGHT, "--encounter", "3", "--full"]);
    assert!(folded.lines().count() < 150, "{folded}");
    assert!(full.lines().count() > 250, "{full}");
    // Both traces show the same Units, and every attack is in both.
    assert!(units_told(&full) > 50);
    assert_eq!(units_told(&folded), units_told(&full));
    assert_eq!(
        lines_with(&folded, " attacks ").len(),
        lines_with(&full, " attacks ").len()
    );
    assert_eq!(folded.lines().last(), full.lines().last());
}

#[test]
fn a_walk_is_one_line_and_full_has_a_line_for_each_unit() {
    let folded = trace(&["scenarios/party.toml"]);
    assert!(
        folded.contains("\n      brute 3  moves 25 -> 14 (to Mark 9)\n"),
        "{folded}"
    );
    assert!(
        folded.contains("\n      warrior  waits 1 (9 times, to Mark 11)\n"),
        "{folded}"
    );
    assert!(!folded.contains("moves 24 -> 23"), "{folded}");
    let full = trace(&["scenarios/party.toml", "--full"]);
    for unit in 15..=25 {
        let step = format!("brute 3  moves {unit} -> {}", unit - 1);
        assert!(full.contains(&step), "{step}");
    }
    assert!(!full.contains(" times"), "{full}");
    assert!(!full.contains("[and "), "{full}");
}

#[test]
fn a_walk_is_told_in_parts_if_another_acts_in_the_middle_of_it() {
    let one = |name: &str, position: u32, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = {position}\nmove = 9\nevade = 5\nhealth = 9\n\
             weapons = ['sword']\n{more}\n"
        )
    };
    let text = [
        "system = 'tara-corax'\nencounter.max_rounds = 1\n[items.potion]\nheal = 3\ncost = 'free'\n\
         [weapons.sword]\nkind = 'melee'\ncheck = { dice = '10' }\ndamage = 0\n",
        &one(
            "a",
            0,
            "initiative = 20\nabilities = ['frenzied-charge']\npolicy = ['charge']",
        ),
        &one(
            "b",
            9,
            "initiative = 5\nitems = ['potion']\npolicy = ['anytime use potion if nearest_enemy_distance < 4', 'pass']",
        ),
    ];
    let (text, _) = told(&text.concat());
    let lines = [
        "a  charges 0 -> 6\n",
        "b  > anytime use potion if nearest_enemy_distance < 4\n",
        "b  uses potion: 3 - 3 (limit) = 0 healed, 9 health\n",
        "a  charges 6 -> 9\n",
    ];
    assert!(text.contains(&lines.join("      ")), "{text}");
}

#[test]
fn what_several_do_at_once_is_one_line() {
    let folded = trace(&[EIGHT]);
    assert!(
        folded.contains("  archer 3  is done, 9 Marks left  [and archer 6]\n"),
        "{folded}"
    );
}

/// Every roll shows what was added to its dice, or to the skill or the pool, and why.
#[test]
fn every_roll_shows_its_whole_sum() {
    let dir = TestDir::empty();
    let fight = |system: &str, check: &str, keys: [&str; 2], rest: &str| {
        let reach = if system == "mage" { 0 } else { 10 };
        let text = format!(
            "system = \"{system}\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n{rest}\n\
             [weapons.axe]\nkind = \"melee\"\nreach = {reach}\ndamage = 1\nmastery = 3\ncheck = {{ {check} }}\n{}{}",
            one(
                "a",
                "x",
                0,
                &format!("initiative = 20\nweapons = [\"axe\"]\n{}", keys[0]),
                &["attack", "advance"]
            ),
            one(
                "b",
                "y",
                10,
                &format!("initiative = 9\n{}", keys[1]),
                &["pass"]
            ),
        );
        dir.write("fight.toml", text);
        dir.path("fight.toml").to_str().unwrap().to_owned()
    };
    let keys = ["move = 10\nhealth = 9", "move = 0\nhealth = 9"];
    let roll = "dice = \"1d20\", bonus = 10";
    let points = "rules.check = \"roll-over\"\nrules.health = \"points\"";
    let yards = |per_yard: &str, sum: &str| {
        let rest = format!("{points}\nrules.per_yard = \"{per_yard}\"");
        let told = trace(&[&fight("mage", roll, keys, &rest), "--dice", "a.check=[17]"]);
        says(
            &unwrapped(&told),
            &[&format!("a attacks b: {sum} against 5, hit [d20: 17]")],
        );
    };
    yards(
        "beyond",
        "17 + 10 + 3 (mastery) - 5 (5 yards beyond the free half) = 25",
    );
    yards("all", "17 + 10 + 3 (mastery) - 10 (10 yards) = 20");
    yards("none", "17 + 10 + 3 (mastery) = 30");
    let bog = |rest: &str| {
        format!("{rest}\n[encounter.ground.bog]\nstretch = [0, 0]\nmodifies = {{ attack = -2 }}")
    };
    let wounded = ["move = 80\nhealth = 9\nwounds = 1", keys[1]];
    let told = trace(&[
        &fight("eclipse-phase", "skill = 60", wounded, &bog("")),
        "--dice",
        "a.check=[40]",
    ]);
    says(
        &unwrapped(&told),
        &["attacks b: 40 against 60 + 3 (mastery) - 2 (conditions) - 10 (wounds) = 51, hit"],
    );
    let told = trace(&[
        &fight(
            "tara-corax",
            "pool = 3",
            keys,
            &bog("rules.check = \"pool\""),
        ),
        "--dice",
        "a.check=[9,9,1,2]",
    ]);
    says(
        &unwrapped(&told),
        &["attacks b: 1 of 1 successes, 4 dice: 3 + 3 (mastery) - 2 (conditions), hit"],
    );
    let guarded = [keys[0], "move = 0\nhealth = 9\ndefence = 4"];
    let told = trace(&[
        &fight("chronicles", roll, guarded, points),
        "--dice",
        "a.check=[5]",
    ]);
    says(
        &unwrapped(&told),
        &["attacks b: 5 + 10 + 3 (mastery) - 4 (Defence) = 14 against 5, hit"],
    );
}

#[test]
fn programs_read_names_of_conditions_and_hazards() {
    let one = |name: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\ninitiative = 9\nmove = 5\nevade = 5\nhealth = 9\npolicy = ['pass']\n"
        )
    };
    let text = [
        "system = 'tara-corax'\nencounter.max_rounds = 1\n[conditions.dazed]\nmodifies = { evade = -1 }\n\
         [encounter.hazards.flash]\neffects = [{ condition = 'dazed', lasts = 1 }]\n",
        &one("a"),
        &one("b"),
    ];
    let (_, events) = told(&text.concat());
    let named = |event: &str, key: &str, name: &str| {
        let all = events.as_array().unwrap().iter();
        all.filter(|one| one["event"] == event && one[key] == name)
            .count()
    };
    assert_eq!(named("hazard", "hazard", "flash"), 1, "{events}");
    assert_eq!(
        named("condition_begins", "condition", "dazed"),
        2,
        "{events}"
    );
}

/// `flee` has two parts, leaving and walking to the border. A reason that rules out both is printed once.
#[test]
fn the_parts_of_a_line_have_one_reason() {
    let one = |name: &str, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = 0\ninitiative = 9\nmove = 5\nevade = 5\nhealth = 9\n{more}\n"
        )
    };
    let text = [
        "system = 'tara-corax'\nencounter = { max_rounds = 1, arena = [-5, 5] }\n",
        &one("a", "prone = true\npolicy = ['flee', 'pass']"),
        &one("b", "policy = ['pass']"),
    ];
    let (text, _) = told(&text.concat());
    assert_eq!(
        text.matches("not `flee`: on the ground").count(),
        1,
        "{text}"
    );
}

#[test]
fn reasons_stay_above_the_decision_that_they_belong_to() {
    let text = trace(&["scenarios/party.toml", "--why"]);
    let lines: Vec<&str> = text.lines().collect();
    let mut reasons = 0;
    for (at, reason) in lines.iter().enumerate() {
        let Some((who, _)) = reason.split_once("    not `") else {
            continue;
        };
        let name = who.get(6..).unwrap();
        // Combatants that decide at the same time have all their reasons above.
        let is_told = |line: &&&str| {
            line.get(6..).is_some_and(|line| line.starts_with(name))
                || line
                    .split_once("[and ")
                    .is_some_and(|(_, others)| others.contains(name.trim()))
        };
        let next = lines[at + 1..].iter().find(is_told);
        let next = next.unwrap();
        let ends = ["    not `", "  > ", "  is done, "];
        assert!(
            ends.iter().any(|end| next.contains(end)),
            "{reason}\n{next}"
        );
        reasons += 1;
    }
    assert!(reasons > 50, "{text}");
    assert!(
        lines.len()
            < trace(&["scenarios/party.toml", "--why", "--full"])
                .lines()
                .count()
    );
}

#[test]
fn the_initiative_of_many_is_one_sentence() {
    let folded = trace(&[EIGHT]);
    let told = folded.contains("  Score: archer 1: 1 + 15 = 16, archer 2: 1 + 15 = 16, ");
    assert!(told, "{folded}");
    assert!(
        lines_with(&folded, "archer 1  Score").is_empty(),
        "{folded}"
    );
    let full = trace(&[EIGHT, "--full"]);
    assert!(
        full.contains("archer 1  Score 1 + 15 = 16  [d10: "),
        "{full}"
    );
    // With few combatants each has a line of its own with its dice.
    let few = trace(&["scenarios/multi-attacker.toml"]);
    assert!(
        few.contains("combatant  Score 9 + 15 = 24  [d10: 9]"),
        "{few}"
    );
}

/// Five pairs of equal Scores: the line has every name.
#[test]
fn the_initiative_of_many_has_every_name() {
    let mut text = "system = \"tara-corax\"\nrules.initiative.mode = \"fixed\"\n".to_owned();
    for (index, name) in ["a", "b", "c", "d", "e"].iter().enumerate() {
        let side = index % 2;
        write!(
            text,
            "[[combatants]]\nname = \"{name}\"\nside = \"s{side}\"\ncount = 2\nposition = 0\n\
             initiative = {}\nmove = 1\nevade = 1\nhealth = 1\npolicy = [\"pass\"]\n",
            10 + index
        )
        .unwrap();
    }
    let dir = TestDir::empty();
    let file = dir.path("pairs.toml");
    std::fs::write(&file, text).unwrap();
    let told = trace(&[file.to_str().unwrap()]);
    let scores = "Score: a 1: 10, a 2: 10, b 1: 11, b 2: 11, c 1: 12,";
    assert!(told.contains(scores) && told.contains("e 2: 14"), "{told}");
}

#[test]
fn objects_are_of_single_units_in_any_case() {
    let told: Value = serde_json::from_str(&trace(&[EIGHT, "--format", "json"])).unwrap();
    let events = told["events"].as_array().unwrap();
    let steps = events.iter().filter(|event| event["event"] == "step");
    let mut count = 0;
    for step in steps {
        let end = |key: &str| step[key].as_i64().unwrap();
        assert_eq!(end("from").abs_diff(end("to")), 1);
        count += 1;
    }
    assert_eq!(count, units_told(&trace(&[EIGHT, "--full"])));
    skirmish(&["trace", EIGHT, "--full", "--format", "json"]).errors();
}

/// W-16: damage that a combatant takes by its kind is not told as armour.
#[test]
fn damage_of_a_kind_is_not_reduced_by_armour() {
    let play = |rest: &str| {
        let text = format!(
            "system = \"tara-corax\"\nrules.initiative.dice = 0\nrules.costs = {{ quarter = 3, half = 10, full = 15 }}\n\
             encounter.max_rounds = 1\n[weapons.fire]\nkind = \"melee\"\ncheck = {{ dice = \"10\" }}\ndamage = 6\n\
             damage_type = \"fire\"\n{}{}",
            one(
                "a",
                "x",
                0,
                "health = 20\nmove = 5\ninitiative = 25\nweapons = [\"fire\"]",
                &[
                    "advance 1 if not moved",
                    "set if not ready",
                    "attack",
                    "pass"
                ],
            ),
            one(
                "b",
                "y",
                1,
                &format!("health = 20\nmove = 5\ninitiative = 9\n{rest}"),
                &["pass"],
            ),
        );
        told(&text).0
    };
    says(
        &play("resists = { fire = \"half\" }"),
        &[
            "takes 6 - 3 (resistance) = 3, 17 left",
            "is setting (3 Marks)",
        ],
    );
    says(
        &play("resists = { fire = \"double\" }"),
        &["takes 6 + 6 (resistance) = 12, 8 left"],
    );
    says(&play("armor = 2"), &["takes 6 - 2 (armour) = 4, 16 left"]);
}

/// W-4, W-11: an attack is lost where another has taken it.
#[test]
fn an_attack_without_its_weapon_is_not_without_a_target() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n\
         [weapons.axe]\nkind = \"melee\"\nattacks = 3\ncheck = {{ dice = \"10\" }}\ndamage = 1\n\
         [items.hook]\ntarget = \"enemy\"\nrange = 9\ncost = \"free\"\nuses = 1\neffects = [{{ disarm = true }}]\n\
         [items.rope]\ntarget = \"enemy\"\nrange = 9\ncost = \"free\"\nuses = 1\neffects = [{{ pull = 3 }}]\n{}{}{}",
        one(
            "a",
            "x",
            0,
            "health = 20\nmove = 5\ninitiative = 28\nweapons = [\"axe\"]",
            &["attack", "stand", "retreat to 0", "pass"],
        ),
        one(
            "b",
            "y",
            0,
            "health = 20\nmove = 5\ninitiative = 25\nitems = [\"hook\", \"rope\"]",
            &["use hook", "use rope c", "pass"],
        ),
        one(
            "c",
            "x",
            8,
            "health = 20\nmove = 5\ninitiative = 1",
            &["pass"],
        ),
    );
    let (told, _) = told(&text);
    says(
        &told,
        &[
            "a  has no weapon ready: attack lost (2 times, to Mark 18)",
            "c  is pulled 8 -> 5",
            "not `stand`: not on the ground",
            "not `retreat to 0`: already that far away",
        ],
    );
}

/// W-3: who stands nearer than an advance wants to stop is not at that distance.
#[test]
fn an_advance_from_nearer_is_told_as_such() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n{}{}",
        one(
            "a",
            "x",
            0,
            "health = 20\nmove = 5\ninitiative = 20",
            &["advance to 5", "pass"],
        ),
        one(
            "b",
            "y",
            3,
            "health = 20\nmove = 5\ninitiative = 5",
            &["pass"],
        ),
    );
    says(&told(&text).0, &["not `advance to 5`: already near enough"]);
}

/// CD-3: a readied action that is lost tells of the allies that it is about.
#[test]
fn a_readied_action_for_an_ally_is_told_as_such() {
    let play = |line: &str| {
        let text = format!(
            "system = \"chronicles\"\nrules.check = \"roll-over\"\nrules.health = \"points\"\nrules.initiative.dice = 0\n\
             encounter.max_rounds = 1\n[items.salve]\nuses = 1\nrange = 2\ntarget = \"ally\"\nheal = 2\n{}{}{}",
            one(
                "a",
                "x",
                0,
                "initiative = 9\nmove = 10\nhealth = 20\nitems = [\"salve\"]",
                &[line, "pass"],
            ),
            one(
                "c",
                "x",
                2,
                "initiative = 5\nmove = 10\nhealth = 20",
                &["retreat 5 b", "pass"]
            ),
            one(
                "b",
                "y",
                1,
                "initiative = 1\nmove = 2\nhealth = 20",
                &["pass"]
            ),
        );
        told(&text).0
    };
    for line in [
        "ready use salve when c leaves 4",
        "ready use salve c when c leaves 4",
        "ready use salve trigger when c leaves 4",
    ] {
        let told = play(line);
        says(
            &told,
            &["a  cannot: no ally it can reach; readied action lost"],
        );
    }
}

/// W-13: a check of morale is told as one.
#[test]
fn morale_is_told_as_morale() {
    let bow =
        "[weapons.bow]\nkind = \"ranged\"\nrange = 50\ncheck = { dice = \"10\" }\ndamage = 3\n";
    let play = |needs: u32| {
        let text = format!(
            "system = \"chronicles\"\nrules.check = \"roll-over\"\nrules.health = \"points\"\nrules.initiative.dice = 0\n\
             encounter.max_rounds = 1\n[conditions.run]\nmodifies = {{ move = 3 }}\n{bow}{}{}{}",
            one(
                "a",
                "x",
                0,
                "initiative = 9\nmove = 10\nhealth = 20\nweapons = [\"bow\"]\nprone = true",
                &["advance 3", "ready advance 3 when b moves", "pass"],
            ),
            one(
                "b",
                "y",
                9,
                &format!(
                    "initiative = 8\nmove = 2\nhealth = 20\nmorale = {{ when = \"ally_down\", check = {{ dice = \"3\" }}, \
                     needs = {needs}, condition = \"run\", lasts = 3 }}"
                ),
                &["retreat 2", "pass"],
            ),
            one(
                "c",
                "y",
                3,
                "initiative = 1\nmove = 10\nhealth = 1\nongoing = { damage = 1, rounds = 4 }",
                &["pass"],
            ),
        );
        told(&text).0
    };
    says(
        &play(5),
        &[
            "b  loses its morale: 3 against 5",
            "a  cannot: on the ground; readied action lost",
        ],
    );
    says(&play(3), &["b  holds its morale: 3 against 3"]);
}

/// EP-4: a wound before the first Phase of a turn leaves no initiative that is known.
#[test]
fn a_wound_before_the_first_phase_has_no_initiative() {
    let text = format!(
        "system = \"eclipse-phase\"\nrules.check = \"roll-over\"\nrules.health = \"points\"\n\
         rules.initiative.mode = \"fixed\"\n[encounter]\nmax_rounds = 1\n\
         hazards.h = {{ effects = [{{ damage = 5 }}] }}\n{}{}",
        one(
            "a",
            "x",
            0,
            "initiative = 9\nmove = 10\nhealth = 30\nwound_threshold = 2",
            &["pass"],
        ),
        one(
            "b",
            "y",
            5,
            "initiative = 8\nmove = 10\nhealth = 30",
            &["pass"]
        ),
    );
    let (told, _) = told(&text);
    says(
        &told,
        &[
            "a  suffers 2 wounds\n",
            "a  initiative 9 - 2 (wounds) = 7\n",
        ],
    );
}

/// MD-3: a spell that heals with half of its effect does no damage.
#[test]
fn a_diminished_cure_is_no_damage() {
    let play = |effects: &str| {
        let text = format!(
            "system = \"mage\"\nrules.initiative.dice = 0\nrules.health = \"points\"\nrules.tens = \"plain\"\n\
             rules.ones = \"ignore\"\nrules.botch = \"none\"\nencounter.max_rounds = 9\n\
             [spells.mend]\nsphere = 1\nrequired = 4\ntarget = \"ally\"\nrange = 9\neffects = [{effects}]\n{}{}{}",
            one(
                "a",
                "x",
                0,
                "attributes = { dexterity = 3, wits = 3, stamina = 2 }\narete = 3\nhealth = 20\nspells = [\"mend\"]",
                &["cast mend"],
            ),
            one(
                "e",
                "x",
                5,
                "attributes = { dexterity = 2, wits = 2, stamina = 2 }\nhealth = 20",
                &["pass"],
            ),
            one(
                "b",
                "y",
                4,
                "attributes = { dexterity = 2, wits = 2, stamina = 2 }\nhealth = 20",
                &["pass"],
            ),
        );
        told(&text).0
    };
    says(
        &play("{ heal = 5 }"),
        &["mend is diminished: half of its healing"],
    );
    says(
        &play("{ heal = 5 }, { damage = 1 }"),
        &["mend is diminished: half of its damage and healing"],
    );
    says(
        &play("{ damage = 1 }"),
        &["mend is diminished: half of its damage"],
    );
}

/// W-11: an item for an ally that is too far away is not refused for an enemy.
#[test]
fn an_ally_out_of_reach_is_no_enemy() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n\
         [items.p]\ncost = \"half\"\ntarget = \"ally\"\nrange = 3\nheal = 1\n{}{}{}",
        one(
            "a",
            "x",
            0,
            "health = 20\nmove = 5\ninitiative = 12\nitems = [\"p\"]",
            &["use p", "use p c", "pass"],
        ),
        one(
            "c",
            "x",
            20,
            "health = 20\nmove = 5\ninitiative = 1",
            &["pass"],
        ),
        one(
            "b",
            "y",
            12,
            "health = 20\nmove = 5\ninitiative = 5",
            &["pass"],
        ),
    );
    let (told, _) = told(&text);
    says(
        &told,
        &[
            "not `use p`: no ally it can reach",
            "not `use p c`: no ally it can reach",
        ],
    );
}

/// TC-12: the Mark at which a spell is due does not replace the Mark of the event.
#[test]
fn a_spell_has_the_mark_at_which_it_is_due() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n\
         [spells.bolt]\ncasting_time = 8\nrange = 40\ndamage = 4\n{}{}",
        one(
            "a",
            "x",
            0,
            "health = 20\nmove = 5\ninitiative = 20\nspells = [\"bolt\"]",
            &["cast bolt if mark = 20", "pass"],
        ),
        one(
            "b",
            "y",
            9,
            "health = 20\nmove = 5\ninitiative = 5",
            &["pass"],
        ),
    );
    let (_, events) = told(&text);
    let mut events = events.as_array().unwrap().iter();
    let cast = events.find(|event| event["event"] == "cast").unwrap();
    assert_eq!((&cast["mark"], &cast["due_mark"]), (&20.into(), &12.into()));
}

/// W-3, W-5, W-15: a Unit that is spent on the spot takes the Marks of its ground.
#[test]
fn a_unit_on_the_spot_takes_all_of_its_marks() {
    let play = |ground: &str| {
        let fighter = |name: &str, position: u32| {
            one(
                name,
                name,
                position,
                "health = 20\nmove = 5\ninitiative = 20",
                &["advance to 0 if not moved", "pass"],
            )
        };
        let text = format!(
            "system = \"tara-corax\"\nrules.initiative.dice = 0\n[encounter]\nmax_rounds = 1\n{ground}{}{}",
            fighter("a", 0),
            fighter("b", 1)
        );
        told(&text).0
    };
    says(&play(""), &["b  spends the Mark on the spot"]);
    let bog = "ground.bog = { stretch = [-9, 9], difficult = true }\n";
    says(&play(bog), &["b  spends the 2 Marks on the spot"]);
}

/// CD-4, W-11: an attack is lost where another has thrown the attacker to the ground.
#[test]
fn an_attack_from_the_ground_is_not_without_a_target() {
    let text = format!(
        "system = \"chronicles\"\nrules.check = \"roll-over\"\nrules.health = \"points\"\nrules.initiative.dice = 0\n\
         encounter.max_rounds = 1\n[weapons.bow]\nkind = \"ranged\"\nrange = 50\ncheck = {{ dice = \"10\" }}\ndamage = 3\n\
         [items.rope]\ntarget = \"enemy\"\nrange = 9\nuses = 1\neffects = [{{ prone = true }}]\n{}{}",
        one(
            "a",
            "x",
            0,
            "initiative = 8\nmove = 5\nhealth = 20\nweapons = [\"bow\"]",
            &["attack", "pass"],
        ),
        one(
            "b",
            "y",
            5,
            "initiative = 9\nmove = 5\nhealth = 20\nitems = [\"rope\"]",
            &["ready use rope when enemy attacks"],
        ),
    );
    says(&told(&text).0, &["a  is on the ground: attack lost"]);
}

/// Damage below 0 is none, and no armour took it away.
#[test]
fn damage_below_zero_is_not_reduced_by_armour() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 1\n[weapons.stick]\n\
         kind = \"melee\"\ncheck = {{ dice = \"10\" }}\ndamage = \"1d1-4\"\n{}{}",
        one(
            "a",
            "x",
            0,
            "health = 9\nmove = 5\ninitiative = 25\nweapons = [\"stick\"]",
            &["attack", "pass"],
        ),
        one(
            "b",
            "y",
            0,
            "health = 9\nmove = 5\ninitiative = 9",
            &["pass"]
        ),
    );
    says(&told(&text).0, &["takes 0: 1 - 4, 9 left"]);
}

/// W-11: where conditions of one name count together, one that ends is not the last.
#[test]
fn a_condition_that_others_of_its_name_outlast_is_not_over() {
    let text = format!(
        "system = \"tara-corax\"\nrules.initiative.dice = 0\nencounter.max_rounds = 4\n\
         [conditions.burning]\nmodifies = {{ evade = -1 }}\nstacks = \"add\"\n\
         [items.oil]\ncost = \"free\"\nuses = 2\ntarget = \"enemy\"\nrange = 50\n\
         effects = [{{ condition = \"burning\", lasts = 2 }}]\n{}{}",
        one(
            "a",
            "x",
            0,
            "health = 9\nmove = 5\ninitiative = 25",
            &["pass"]
        ),
        one(
            "b",
            "y",
            5,
            "health = 9\nmove = 5\ninitiative = 9\nitems = [\"oil\"]",
            &["use oil if uses.oil = 2", "use oil if round = 2", "pass"],
        ),
    );
    let (told, _) = told(&text);
    says(
        &told,
        &["is burning once less, 1 left\n", "is burning no more\n"],
    );
    assert_eq!(lines_with(&told, "is burning no more").len(), 1, "{told}");
}

/// The share of encounters with an ending is the win rate of a run with the same seed.
#[test]
fn encounters_that_have_something_are_counted() {
    let dir = TestDir::empty();
    dir.write("kiting.toml", include_str!("../../scenarios/kiting.toml"));
    let count = |options: &str| -> Value {
        let line = format!("trace kiting.toml --count --within 3000 --format json {options}");
        dir.run(&line).json()
    };
    let won = count("--find winner=hunters");
    assert_eq!(won["encounters"], 3000);
    dir.run("run kiting.toml -n 3000 --variant base -q -o res")
        .assert_done();
    let summary = dir.read("res/kiting/summary.csv");
    let row = summary
        .lines()
        .find(|row| row.starts_with("kiting,base,win_rate,hunters,"));
    let mean: f64 = row.unwrap().split(',').nth(5).unwrap().parse().unwrap();
    assert!(
        (won["share"].as_f64().unwrap() - mean).abs() < 1e-12,
        "{won} {mean}"
    );
    let [less, more] = ["rounds<=5", "rounds>5"].map(|what| {
        let found = count(&format!("--find {what}"));
        found["count"].as_u64().unwrap()
    });
    assert_eq!(less + more, 3000);
    let first = won["first"].as_u64().unwrap();
    let shown = dir
        .run(&format!("trace kiting.toml --encounter {first}"))
        .printed();
    assert!(shown.contains("hunters win"), "{shown}");
    let said = dir
        .run("trace kiting.toml --count --within 3000 --find winner=hunters")
        .printed();
    assert!(
        said.contains("of 3,000 encounters of base have `winner=hunters`"),
        "{said}"
    );
    assert!(
        said.contains(&format!("skirmish trace kiting.toml --encounter {first}\n")),
        "{said}"
    );
    let last = format!("--find rounds>0 --encounter {}", u64::MAX);
    assert_eq!(count(&last)["encounters"], 1);
    dir.run("trace kiting.toml --count")
        .assert_refused("--find");
    dir.run("trace kiting.toml --count --find rounds>5 --format svg")
        .assert_refused("--count");
}
