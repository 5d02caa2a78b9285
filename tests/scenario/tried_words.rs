//! Words that users try: other spellings, words of other games, short paths, checks as text.

use crate::support::assert_narrow;
use crate::support::fights::{errors_with, read};
use insta::assert_snapshot;
use skirmish::fight::Fight;
use skirmish::scenario::Loaded;

use super::{KITING, bad, bad_with, good, kiting_with};

const MAGES: &str = include_str!("mages.toml");
const GUARDS: &str = include_str!("guards.toml");
const AGENTS: &str = include_str!("agents.toml");

fn set(text: &str, sets: &[&str]) -> Result<Loaded, String> {
    read(text, sets).map_err(|errors| errors.to_string())
}

fn bad_set(set_: &str) -> String {
    errors_with(KITING, &[set_])
}

fn base(loaded: &Loaded) -> &Fight {
    &loaded.scenario.variants[0].fight
}

fn health_of(loaded: &Loaded, name: &str) -> i32 {
    let mut all = base(loaded).combatants.iter();
    all.find(|one| one.name == name).expect(name).health
}

#[test]
fn hp_is_health_wherever_it_is_written() {
    let usual = good(KITING);
    let text = KITING.replace("health = ", "hp = ");
    assert_ne!(text, KITING);
    assert_eq!(base(&good(&text)), base(&usual));
    for text in [KITING, &text] {
        for key in [
            "combatants.archer.hp",
            "combatants.archer.health",
            "archer.hp",
            "archer.health",
        ] {
            let loaded = set(text, &[&format!("{key}=7")]).expect(key);
            assert_eq!(health_of(&loaded, "archer"), 7, "{key}");
            let (written, _) = &loaded.scenario.settings[0];
            assert_eq!(written, "combatants.archer.health");
            let sweep = loaded.document.sweep("base", &["brute.hp=5..7".to_owned()]);
            let sweep = sweep.expect("a sweep");
            assert_eq!(sweep.axes[0].key(), "combatants.brute.health");
            let points = sweep.points.iter();
            let health: Vec<i32> = points
                .map(|point| point.variant.fight.combatants[1].health)
                .collect();
            assert_eq!(health, [5, 6, 7]);
        }
    }
    let both = [
        ("combatants.archer.policy=['retreat if hp < 5 and target.max_hp > 1', 'attack']", 0),
        ("combatants.archer.policy=['retreat if health < 5 and target.max_health > 1', 'attack']", 0),
    ]
    .map(|(policy, index)| base(&set(KITING, &[policy]).expect(policy)).combatants[index].policy.decisions().clone());
    assert_eq!(both[0], both[1]);
    let whole = format!(
        "{}\n[[variants]]\nname = \"weak\"\nset = {{ \"brute.hp\" = 1 }}\n",
        good(KITING).document.text()
    );
    let loaded = good(&whole);
    let weak = loaded.scenario.variant("weak").expect("the variant");
    assert!(weak.fight.combatants[1..].iter().all(|one| one.health == 1));
}

#[test]
fn words_of_other_games_and_two_words_for_one() {
    assert_snapshot!(bad(&AGENTS.replacen("health = ", "durability = ", 1)), @r#"
error: combatant "agent" has no key `durability`
  --> fight.toml:20:1
   |
20 | durability = 30
   | ^^^^^^^^^^ `durability` is called `health` here
"#);
    let dice = MAGES.replacen("pool = 6 }", "pool = \"7d10\" }", 1);
    assert_snapshot!(bad(&dice), @r#"
error: combatant "james" has no trait "7d10"
  --> fight.toml:13:19
   |
13 | check = { pool = "7d10" }
   |                   ^^^^ its traits are `dexterity`, `wits`, `stamina`, `willpower` and `arete`
   |
   = help: a pool is a number of dice: `pool = 7`
"#);
    let policy = "combatants.archer.policy=['attack if in melee', 'advance']";
    assert_snapshot!(bad_set(policy), @"
error: no variable is called `in`
 --> --set:1:38
  |
1 | combatants.archer.policy=['attack if in melee', 'advance']
  |                                      ^^ `in melee` is written `in_melee`
  |
  = help: `skirmish explain policy` lists the variables
");
}

#[test]
fn a_key_of_another_system_is_said_with_its_name() {
    let said = bad(&format!("rules.endurance_turns = 3\n{GUARDS}"));
    assert!(
        said.contains("Mage has `endurance_turns`, Chronicles has not"),
        "{said}"
    );
    let spaced = kiting_with("max_rounds", "strenuous = true\nmax_rounds");
    let said = bad(&spaced);
    assert!(
        said.contains("Mage has `strenuous`, Tara-Corax has not"),
        "{said}"
    );
    for (text, line, wanted) in [
        (KITING, "attack if yards > 3", "a variable of Mage"),
        (
            KITING,
            "ready attack when enemy moves",
            "an action of Chronicles",
        ),
    ] {
        let said = set(text, &[&format!("archer.policy=['{line}', 'pass']")]).expect_err(line);
        assert!(said.contains(wanted), "{said}");
    }
}

/// A key that the reader would refuse where it is advised, or that means something else, is not advised.
#[test]
fn what_would_be_refused_is_not_advised() {
    let pool = MAGES.replacen("[rules]", "[rules]\ncheck = \"roll-over\"", 1);
    assert_ne!(pool, MAGES);
    let pool = pool.replacen("check = { pool = 6 }", "pool = 6", 1);
    let said = bad(&pool);
    assert!(!said.contains("check.pool"), "{said}");
    let difficulty = kiting_with("range = 60", "difficulty = 7\nrange = 60");
    let said = bad(&difficulty);
    assert!(!said.contains("check.difficulty"), "{said}");
    let top = format!("pool = 6\n{MAGES}");
    assert!(!bad(&top).contains("combatants.NAME"), "{}", bad(&top));
    // Three actions are two extra ones.
    let mages = MAGES.replacen("extra_actions = 1\n", "", 1);
    let actions = |line: &str| mages.replacen("soak = 2", &format!("{line}\nsoak = 2"), 1);
    let said = bad(&actions("actions = 3"));
    assert!(said.contains("`actions` is called `speed` here"), "{said}");
    let extra = base(&good(&actions("extra_actions = 2"))).clone();
    assert_eq!(base(&good(&actions("speed = 3"))), &extra);
}

#[test]
fn one_mistake_is_said_once_and_the_keys_once_a_file() {
    let twice = |key: &str| KITING.replace("move = ", &format!("{key} = 1\nmove = "));
    let said = bad(&twice("blorp"));
    assert_eq!(said.matches("has no key `blorp`").count(), 2, "{said}");
    assert_eq!(said.matches("its keys are").count(), 1, "{said}");
    for (own, word, mistakes) in [
        ("evade = ", "ac = ", 2),
        ("health = ", "hits = ", 2),
        ("[weapons.", "[arms.", 1),
        ("[policies]", "[behaviors]", 1),
    ] {
        let said = bad(&KITING.replace(own, word));
        assert_eq!(said.matches("error: ").count(), mistakes, "{said}");
        assert!(said.contains("is called"), "{said}");
    }
}

#[test]
fn hp_beside_health_is_an_error() {
    assert_snapshot!(bad(&kiting_with("health = 40", "health = 40\nhp = 25")), @r#"
error: combatant "archer" has both `health` and `hp`
  --> fight.toml:35:1
   |
35 | hp = 25
   | ^^ it means the same as `health`: leave one of them out
"#);
}

#[test]
fn a_path_may_begin_with_a_name() {
    let loaded = set(
        KITING,
        &["archer.move=3", "longbow.range=7", "brute.health=9"],
    )
    .expect("a scenario");
    let archer = &base(&loaded).combatants[0];
    assert_eq!((archer.speed, archer.weapons[0].range), (3, 7));
    assert_eq!(health_of(&loaded, "brute 1"), 9);
    let keys: Vec<&str> = loaded
        .scenario
        .settings
        .iter()
        .map(|(key, _)| key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "combatants.archer.move",
            "weapons.longbow.range",
            "combatants.brute.health"
        ]
    );
    assert_snapshot!(bad_set("archr.move=3"), @r#"
error: nothing is called "archr"
 --> --set:1:1
  |
1 | archr.move=3
  | ^^^^^ did you mean `archer`?
"#);
    let two = KITING.replace("longbow", "archer");
    let said = set(&two, &["archer.range=3"]).expect_err("two things of one name");
    assert_snapshot!(said, @r#"
error: several things are called "archer"
 --> --set:1:1
  |
1 | archer.range=3
  | ^^^^^^ expected `weapons.archer` or `combatants.archer`
"#);
    assert_narrow(&said);
}

#[test]
fn names_with_spaces_need_no_quotes_in_a_path() {
    let text = KITING.replace("\"brute\"", "\"Big Bad\"");
    for key in [
        "combatants.Big Bad.health",
        "combatants.\"Big Bad\".health",
        "Big Bad.hp",
    ] {
        let loaded = set(&text, &[&format!("{key} = 3")]).expect(key);
        assert_eq!(health_of(&loaded, "Big Bad 1"), 3, "{key}");
        assert_eq!(
            loaded.scenario.settings[0].0,
            "combatants.\"Big Bad\".health"
        );
    }
    assert_snapshot!(bad_set("combatants.archer's dog.health=3"), @r#"
error: a path is broken off
 --> --set:1:18
  |
1 | combatants.archer's dog.health=3
  |                  ^ expected `.` or the end of the path
  |
  = help: a part with dots or signs is quoted: `weapons."long bow 2.0".range`
"#);
}

#[test]
fn keys_of_other_games_are_named() {
    let in_archer = |word: &str| kiting_with("health = 40", &format!("health = 40\n{word} = 1"));
    let in_mage = |word: &str| MAGES.replacen("soak = 2", &format!("{word} = 1\nsoak = 2"), 1);
    let in_guard = |word: &str| GUARDS.replacen("armor = 1", &format!("{word} = 1\narmor = 1"), 1);
    let in_agent = |word: &str| AGENTS.replacen("fray = 30", &format!("{word} = 1\nfray = 30"), 1);
    let said = |text: String, word: &str, called: &str| {
        let said = bad(&text);
        let wanted = format!("`{word}` is called `{called}` here");
        assert!(said.contains(&wanted), "{wanted}:\n{said}");
        assert_narrow(&said);
    };
    for (word, called) in [
        ("ac", "evade"),
        ("AC", "evade"),
        ("armor_class", "evade"),
        ("dodge", "evade"),
        ("armour", "armor"),
        ("soak", "armor"),
        ("hit_points", "health"),
        ("hit-points", "health"),
        ("life", "health"),
        ("movement", "move"),
        ("team", "side"),
        ("pos", "position"),
        ("quantity", "count"),
        ("tactics", "policy"),
        ("equipment", "items"),
        ("dex", "attributes.agility"),
        ("agi", "attributes.agility"),
        ("wis", "attributes.intellect"),
        ("stats", "attributes"),
        ("init", "initiative"),
    ] {
        said(in_archer(word), word, called);
    }
    for (word, called) in [
        ("ac", "evade"),
        ("dex", "attributes.dexterity"),
        ("str", "attributes.strength"),
        ("agi", "attributes.dexterity"),
        ("con", "attributes.stamina"),
        ("wis", "attributes.perception"),
    ] {
        said(in_mage(word), word, called);
    }
    for (word, called) in [
        ("ac", "defence"),
        ("defense", "defence"),
        ("dex", "attributes.dexterity"),
        ("wits", "attributes.composure"),
    ] {
        said(in_guard(word), word, called);
    }
    for (word, called) in [
        ("ac", "fray"),
        ("dodge", "fray"),
        ("dex", "attributes.reflexes"),
        ("wis", "attributes.intuition"),
        ("luck", "moxie"),
    ] {
        said(in_agent(word), word, called);
    }
    for (old, word, called) in [
        ("range = 60", "type", "kind"),
        ("range = 60", "dmg", "damage"),
        ("range = 60", "to_hit", "check"),
        ("max_rounds", "rounds", "max_rounds"),
        ("max_rounds", "map", "arena"),
    ] {
        said(
            kiting_with(old, &format!("{word} = 1\n{old}")),
            word,
            called,
        );
    }
    let top = format!("fighters = 1\n{KITING}");
    said(top, "fighters", "combatants");
    let inside = kiting_with(
        "attributes = { agility = 10",
        "attributes = { dex = 1, agility = 10",
    );
    said(inside, "dex", "agility");
}

#[test]
fn the_shown_hint_is_the_whole_message() {
    assert_snapshot!(bad(&kiting_with("health = 40", "health = 40\nac = 15")), @r#"
error: combatant "archer" has no key `ac`
  --> fight.toml:35:1
   |
35 | ac = 15
   | ^^ `ac` is called `evade` here
"#);
}

#[test]
fn words_of_policies_of_other_games_are_named() {
    let said = |text: &str, line: &str, written: &str, called: &str| {
        let said = set(text, &[&format!("policies.kite=[\"{line}\", 'pass']")]);
        let said = said.expect_err(line);
        let wanted = format!("`{written}` is called `{called}` here");
        assert!(said.contains(&wanted), "{wanted}:\n{said}");
    };
    for (line, written, called) in [
        ("back off if prone", "back off", "retreat"),
        ("escape", "escape", "flee"),
        ("run away if prone", "run away", "flee"),
        ("yield", "yield", "surrender"),
        ("run", "run", "advance"),
        ("shoot", "shoot", "attack"),
        ("hit nearest", "hit", "attack"),
        ("strike", "strike", "attack"),
        ("throw", "throw", "attack"),
        ("aim", "aim", "set"),
        ("drink potion", "drink", "use"),
        ("equip longbow", "equip", "draw"),
        ("put away longbow", "put away", "sheathe"),
        ("get up", "get up", "stand"),
        ("pass-turn", "pass-turn", "pass"),
        ("pass_turn", "pass_turn", "pass"),
        ("attack closest", "closest", "nearest"),
        ("attack if hit_points < 3", "hit_points", "health"),
        ("attack if enemy.hp < 3", "enemy.hp", "target.health"),
        ("attack if dist < 3", "dist", "distance"),
        ("attack if turn > 3", "turn", "round"),
    ] {
        said(KITING, line, written, called);
    }
    for (text, who, line, written, called) in [
        (MAGES, "james", "wait", "wait", "pass"),
        (GUARDS, "guard", "overwatch", "overwatch", "ready"),
        (GUARDS, "guard", "wait", "wait", "delay"),
        (AGENTS, "agent", "overwatch", "overwatch", "delay"),
        (MAGES, "james", "attack if round > 1000", "", ""),
    ] {
        let read = set(text, &[&format!("{who}.policy=[\"{line}\"]")]);
        if written.is_empty() {
            assert!(read.is_ok(), "{line}");
            continue;
        }
        let said = read.expect_err(line);
        let wanted = format!("`{written}` is called `{called}` here");
        assert!(said.contains(&wanted), "{wanted}:\n{said}");
    }
}

#[test]
fn hyphens_and_underscores_are_the_same_in_values_and_a_hint_elsewhere() {
    let base_of = |text: &str| base(&good(text)).clone();
    assert_eq!(
        base_of(&kiting_with("\"tara-corax\"", "\"tara_corax\"")),
        base_of(KITING)
    );
    let carry = |value: &str| {
        let loaded = set(KITING, &[&format!("rules.carry_over={value}")]).expect(value);
        loaded.scenario.variants[0].rules.clone()
    };
    assert_eq!(carry("full_action"), carry("full-action"));
    for (set_, hint) in [
        ("encounter.max-rounds=3", "did you mean `max_rounds`?"),
        (
            "policies.kite=['combat-cast advance']",
            "did you mean `combat_cast`?",
        ),
        (
            "policies.kite=['attack if move-left > 3']",
            "`move-left` is written `move_left`",
        ),
        (
            "policies.kite=['attack if health-percent > 3']",
            "`health-percent` is written `health_percent`",
        ),
        (
            "policies.kite=['attack if 3 < hp-percent']",
            "`hp-percent` is written `health_percent`",
        ),
    ] {
        let said = bad_set(set_);
        assert!(said.contains(hint), "{hint}:\n{said}");
    }
}

#[test]
fn a_check_may_be_a_text_or_a_number() {
    let check = |text: &str, old: &str, short: &str, long: &str| {
        assert!(text.contains(old), "{old}");
        let short = text.replacen(old, &format!("check = {short}"), 1);
        let long = text.replacen(old, &format!("check = {long}"), 1);
        assert_eq!(base(&good(&short)), base(&good(&long)), "{short}");
    };
    let bow = "check = { dice = \"2d10\", bonus = 9 }";
    check(KITING, bow, "\"2d10+9\"", "{ dice = \"2d10\", bonus = 9 }");
    check(
        KITING,
        bow,
        "\"4d6kh3 - 1\"",
        "{ dice = \"4d6kh3\", bonus = -1 }",
    );
    check(KITING, bow, "\"60%\"", "{ skill = 60 }");
    let gun = "check = { pool = 6 }";
    check(MAGES, gun, "5", "{ pool = 5 }");
    check(MAGES, gun, "\"5\"", "{ pool = 5 }");
    check(
        MAGES,
        gun,
        "\"dexterity + willpower\"",
        "{ pool = \"dexterity + willpower\" }",
    );
    check(
        GUARDS,
        "check = { pool = 6, again = \"9\" }",
        "5",
        "{ pool = 5 }",
    );
    let rifle = "check = { skill = 50 }";
    check(AGENTS, rifle, "60", "{ skill = 60 }");
    check(AGENTS, rifle, "\"60\"", "{ skill = 60 }");
    check(AGENTS, rifle, "\"60%\"", "{ skill = 60 }");
}

#[test]
fn a_check_that_may_mean_several_things_is_an_error() {
    for (text, old, short) in [
        (KITING, "check = { dice = \"2d10\", bonus = 9 }", "5"),
        (KITING, "check = { dice = \"2d10\", bonus = 9 }", "\"5\""),
        (MAGES, "check = { pool = 6 }", "\"8d10\""),
        (AGENTS, "check = { skill = 50 }", "\"1d100\""),
        (GUARDS, "check = { pool = 6, again = \"9\" }", "\"good\""),
    ] {
        assert!(text.contains(old), "{old}");
        let said = bad(&text.replacen(old, &format!("check = {short}"), 1));
        // A file with `rules.check` needs its kind of check, and pools of Chronicles have no difficulty.
        let wanted = text.contains("\ncheck = \"percentile\"");
        assert!(said.contains("check = { skill = 55 }"), "{said}");
        assert_eq!(said.contains("check = { pool = 6"), !wanted, "{said}");
        assert_eq!(
            said.contains("difficulty"),
            text != GUARDS && !wanted,
            "{said}"
        );
        assert_narrow(&said);
    }
    assert_snapshot!(bad(&MAGES.replacen("check = { pool = 6 }", "check = \"8d10\"", 1)), @r#"
error: `check` may mean several things
  --> fight.toml:13:9
   |
13 | check = "8d10"
   |         ^^^^^^ expected a table that says which kind of check it is
   |
   = help: written like `check = { dice = "2d10", bonus = 9 }`, or
           `check = { pool = 6, difficulty = 7 }`, or
           `check = { skill = 55 }`
"#);
}

#[test]
fn short_ways_to_attributes_name_the_whole_path() {
    for (set, meant) in [
        (
            "combatants.archer.agility=12",
            "did you mean `attributes.agility`?",
        ),
        ("archer.agility=12", "did you mean `attributes.agility`?"),
        (
            "agility=12",
            "as in `archer.attributes.agility` or `brute.attributes.agility`",
        ),
    ] {
        let said = bad_set(set);
        assert!(said.contains(meant), "{set}: {said}");
        assert!(!said.contains("its keys are"), "{set}: {said}");
    }
    // No combatant of this fight has the key.
    let bare = AGENTS.replace("attributes", "# attributes");
    let said = set(&bare, &["reflexes=12"]).unwrap_err();
    let meant = "did you mean `combatants.NAME.attributes.reflexes`?";
    assert!(said.contains(meant), "{said}");
}

#[test]
fn expectations_say_min_and_max() {
    for (key, meant) in [("at_least", "min"), ("at_most", "max")] {
        let claim = format!("{KITING}\n[[expect]]\nmetric = \"rounds\"\n{key} = 5\n");
        let said = bad(&claim);
        assert!(
            said.contains(&format!("`{key}` is called `{meant}` here")),
            "{said}"
        );
    }
}

#[test]
fn errors_have_no_words_of_the_library() {
    let deep = format!(
        "{KITING}\n[x]\na = {}{}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    let long = format!("{KITING}\n[x]\n{}a = 1\n", "a.".repeat(200));
    for text in [deep, long] {
        let said = bad(&text);
        assert!(
            said.contains("nested too deeply") && !said.contains("recur"),
            "{said}"
        );
    }
    let said = bad(&format!("format = 2\n{KITING}"));
    assert!(said.contains("expected 1\n"), "{said}");
    let said = bad_set("archer.health=1e308");
    assert!(said.contains("`health` is not a whole number"), "{said}");
}

#[test]
fn names_are_visible() {
    for name in ["\\u200b", "bru\\u200bte", "\\u200d", "\\ufeffbrute"] {
        let said = bad_with("name = \"brute\"", &format!("name = \"{name}\""));
        assert!(
            said.contains("expected 1 to 64 visible characters"),
            "{said}"
        );
    }
    for name in [" brute", "brute ", "\u{a0}brute"] {
        let said = bad_with("name = \"brute\"", &format!("name = \"{name}\""));
        assert!(
            said.contains("a name begins or ends with a blank"),
            "{said}"
        );
    }
    // A joiner between letters is part of the spelling.
    good(&kiting_with("name = \"brute\"", "name = \"می\\u200cرود\""));
}

#[test]
fn shares_in_percent_have_variables() {
    let said = bad_with("\"attack\"", "\"retreat 3 if hp < 50%\", \"attack\"");
    assert!(said.contains("`health_percent < 50`"), "{said}");
}

#[test]
fn no_line_follows_a_surrender() {
    let text = kiting_with("\"attack\"", "\"surrender\", \"attack\"");
    let warnings = good(&text).warnings.to_string();
    assert!(
        warnings.contains("`surrender`, is always taken before"),
        "{warnings}"
    );
    let text = kiting_with("\"attack\"", "\"surrender if health < 3\", \"attack\"");
    let warnings = good(&text).warnings.to_string();
    assert!(!warnings.contains("is always taken before"), "{warnings}");
}

/// Returns the first message about a value put into a scenario.
fn told(text: &str, set_: &str) -> String {
    let errors = errors_with(text, &[set_]);
    let (first, _) = errors.split_once("\n\n").unwrap_or((&errors, ""));
    format!("{first}\n")
}

#[test]
fn keys_of_checks_and_of_magick_are_found_where_they_belong() {
    assert_snapshot!(told(AGENTS, "rifle.skill=60"), @r#"
error: weapon "rifle" has no key `skill`
 --> --set:1:7
  |
1 | rifle.skill=60
  |       ^^^^^ did you mean `check.skill`?
"#);
    assert_snapshot!(told(MAGES, "pistol.pool=6"), @r#"
error: weapon "pistol" has no key `pool`
 --> --set:1:8
  |
1 | pistol.pool=6
  |        ^^^^ did you mean `check.pool`?
"#);
    assert_snapshot!(told(MAGES, "rules.paradox_backlash=damage"), @"
error: `[rules]` has no key `paradox_backlash`
 --> --set:1:7
  |
1 | rules.paradox_backlash=damage
  |       ^^^^^^^^^^^^^^^^ did you mean `magick.paradox_backlash`?
");
    assert_snapshot!(told(MAGES, "james.weapons.pistol.check.pool=6"), @"
error: `combatants.james.weapons` is a list
 --> --set:1:15
  |
1 | james.weapons.pistol.check.pool=6
  |               ^^^^^^ a list is set as a whole
  |
  = help: write `weapons.pistol.check.pool`, or set `combatants.james.weapons` to a list
");
}

#[test]
fn the_way_out_of_a_line_that_is_nearly_right_is_named() {
    assert_snapshot!(told(MAGES, "thug.policy=['attack with machine']"), @r#"
error: no weapon called "machine" is at hand
 --> --set:1:27
  |
1 | thug.policy=['attack with machine']
  |                           ^^^^^^^ "thug" has `knife` and `machine gun`
  |
  = help: a name with a blank is written in quotes: `'machine gun'`
"#);
    assert_snapshot!(told(MAGES, "james.policy=['attack if not shielded']"), @"
error: no variable is called `shielded`
 --> --set:1:30
  |
1 | james.policy=['attack if not shielded']
  |                              ^^^^^^^^ expected a variable
  |
  = help: `has shielded` asks for a condition of that name; `skirmish explain policy` lists the variables
");
    assert_snapshot!(told(MAGES, "james.policy=['cast fire if turn = 1 with willpower']"), @"
error: `with` does not belong here
 --> --set:1:38
  |
1 | james.policy=['cast fire if turn = 1 with willpower']
  |                                      ^^^^ expected `and`, `or`, an operator or the end of the line
  |
  = help: what an action uses stands before its condition: `ACTION with WHAT if CONDITION`
");
    assert_snapshot!(told(MAGES, "james.policy=['pass if health_percent < 0.5']"), @"
error: `0.5` is not a whole number
 --> --set:1:41
  |
1 | james.policy=['pass if health_percent < 0.5']
  |                                         ^^^ expected a whole number
  |
  = help: shares are in per cent: half is 50
");
}

#[test]
fn names_with_blanks_and_words_for_numbers_are_no_toml() {
    let first = |old: &str, new: &str| {
        let errors = set(&MAGES.replacen(old, new, 1), &[]).unwrap_err();
        let (first, _) = errors.split_once("\n\n").unwrap_or((&errors, ""));
        format!("{first}\n")
    };
    assert_snapshot!(first("[spells.fire]", "[spells.forces bolt]"), @r#"
error: the scenario is not valid TOML
  --> fight.toml:29:15
   |
29 | [spells.forces bolt]
   |               ^ unclosed table, expected `]`
   |
   = help: a name with a blank is written in quotes: "forces bolt"
"#);
    assert_snapshot!(first("ready_turns = 2", "ready turns = 2"), @r#"
error: the scenario is not valid TOML
  --> fight.toml:25:7
   |
25 | ready turns = 2
   |       ^ key with no value, expected `=`
   |
   = help: a name with a blank is written in quotes: "ready turns"
"#);
    assert_snapshot!(first("range = 20", "range = twenty"), @r#"
error: the scenario is not valid TOML
  --> fight.toml:12:9
   |
12 | range = twenty
   |         ^^^^^^ invalid boolean, expected `true`
   |
   = help: numbers are written in digits, text in quotes: "like this"
"#);
}

/// A rating out of range is one mistake, and no Sleeper.
#[test]
fn a_wrong_arete_is_one_mistake() {
    assert_snapshot!(set(MAGES, &["james.arete=11"]).unwrap_err(), @"
error: `arete` is out of range
 --> --set:1:13
  |
1 | james.arete=11
  |             ^^ expected a whole number from 0 to 10
");
}
